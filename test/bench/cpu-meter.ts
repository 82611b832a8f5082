// The CPU time of a call or a message, by the processes that take part. Unlike the clock, it hardly depends on the other work of the
// machine.

import { pidOn, processCpuMs, serverCpuMs } from './postgres-processes.js';
import { median } from './side-by-side.js';

/** Reads the CPU time that each part has used so far, in milliseconds. */
export type CpuReaders<Part extends string> = Record<Part, () => Promise<number>>;

/** The CPU time of each part, in microseconds for each call or message. */
export type CpuCosts<Part extends string> = Record<Part, number>;

/** Keeps the cost of each turn. */
export class CpuMeter<Part extends string> {
  private readonly turns: CpuCosts<Part>[] = [];

  constructor(private readonly readers: CpuReaders<Part>) {}

  /** Runs a turn of `count` calls or messages. */
  async measure<Result>(count: number, turn: () => Promise<Result>): Promise<Result> {
    const before = await this.read();
    const result = await turn();
    const after = await this.read();
    this.turns.push(this.each((part) => ((after[part] - before[part]) * 1_000) / count));
    return result;
  }

  medians(): CpuCosts<Part> {
    return this.each((part) => median(this.turns.map((turn) => turn[part])));
  }

  private async read(): Promise<CpuCosts<Part>> {
    const parts = Object.keys(this.readers) as Part[];
    const used = await Promise.all(parts.map((part) => this.readers[part]()));
    return Object.fromEntries(parts.map((part, index) => [part, used[index]])) as CpuCosts<Part>;
  }

  private each(valueOf: (part: Part) => number): CpuCosts<Part> {
    const parts = Object.keys(this.readers) as Part[];
    return Object.fromEntries(parts.map((part) => [part, valueOf(part)])) as CpuCosts<Part>;
  }
}

/** Reads one process. */
export const cpuOfProcess = (pid: number) => () => processCpuMs(pid);

/** Reads all processes of a PostgreSQL server to which others are connected, and which others leave alone during a turn. */
export const cpuOfPostgres = (databaseUrl: string) => async () => serverCpuMs(await pidOn(databaseUrl));

/** The reader for a side without such a part. */
export const usesNone = () => Promise.resolve(0);
