// How much memory a process has, looked at from outside: it may have no time to tell. Linux only.

import { readFile } from 'node:fs/promises';

const intervalMs = 100;
const pageBytes = 4_096;

export class ResidentMemory {
  private most: number;
  private hasEnded = false;
  private readonly timer = setInterval(() => void this.look(), intervalMs);

  private constructor(
    private readonly pid: number,
    /** In bytes, when it was looked at first; undefined where this machine does not tell. */
    readonly before: number | undefined,
  ) {
    this.most = before ?? 0;
  }

  /** @param before what its growth is counted from. Default: what it has now. */
  static async follow(pid: number, before?: number): Promise<ResidentMemory> {
    return new ResidentMemory(pid, before ?? (await read(pid)));
  }

  /** The most that it grew by; undefined where this machine does not tell. */
  end(): { grownBytes: number | undefined; hasEnded: boolean } {
    clearInterval(this.timer);
    const { before, most, hasEnded } = this;
    return { grownBytes: before === undefined ? undefined : most - before, hasEnded };
  }

  private async look(): Promise<void> {
    const bytes = await read(this.pid);
    if (bytes === undefined && this.before !== undefined) this.hasEnded = true;
    this.most = Math.max(this.most, bytes ?? 0);
  }
}

async function read(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  const pages = Number(text?.split(' ')[1]);
  // A process that has ended and was not waited for has none.
  return pages > 0 ? pages * pageBytes : undefined;
}
