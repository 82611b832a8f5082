// Warnings that a dependency is down: while it is away, each request and each round of work has one. Each kind is written once a minute, so
// that the log shows what is wrong, and keeps what it has from before.

import { toAppError } from './fault.js';

const windowMs = 60_000;
const maxKinds = 1_000;

interface Kind {
  writtenAtMs: number;
  /** How many were left out since then. */
  leftOut: number;
}

export class RepeatedWarnings {
  private readonly kinds = new Map<string, Kind>();

  /** @param now a clock in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Judges a line.
   *
   * @param fields of the line; only those with an error of a dependency count
   * @returns undefined where the line is left out; otherwise how many like it were left out before
   */
  admit(sentence: string, { err, ...fields }: Readonly<Record<string, unknown>>): number | undefined {
    const { code, message } = toAppError(err);
    if (code !== 'UNAVAILABLE') return 0;
    const about = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
    const key = [sentence, message, ...about].join('\n');
    const known = this.kinds.get(key);
    if (known !== undefined && this.now() - known.writtenAtMs < windowMs) {
      known.leftOut += 1;
      return undefined;
    }
    if (this.kinds.size >= maxKinds) this.kinds.clear();
    this.kinds.set(key, { writtenAtMs: this.now(), leftOut: 0 });
    return known?.leftOut ?? 0;
  }
}
