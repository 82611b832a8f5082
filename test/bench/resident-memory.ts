// The memory of a process, read from outside, because the process may have no time to report it. Linux only.

import { readFile } from 'node:fs/promises';

const intervalMs = 100;
const pageBytes = 4_096;

export class ResidentMemory {
  private most: number;
  private hasEnded = false;
  private readonly timer = setInterval(() => void this.look(), intervalMs);

  private constructor(
    private readonly pid: number,
    /** The bytes at the first reading; undefined when this machine does not report them. */
    readonly before: number | undefined,
  ) {
    this.most = before ?? 0;
  }

  /** @param before the bytes that growth is counted from; by default, the current ones */
  static async follow(pid: number, before?: number): Promise<ResidentMemory> {
    return new ResidentMemory(pid, before ?? (await read(pid)));
  }

  /** The most that the process grew by; undefined when this machine does not report it. */
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
