// Reads once for equal reads that wait for a connection at the same time, as when all operators of a tenant open their inbox at nine.

import type { OnRead } from './connection-shares.js';

/** Reads that ask for the same, and have waited together. */
interface Together {
  /** The number of reads that have not ended. */
  count: number;
  /** The reading for all of them, from the moment on at which the first has a connection. */
  reading?: Promise<unknown>;
  readBytes: number;
}

type Read<Result> = (onRead?: OnRead) => Promise<Result>;

export class EqualReads {
  private readonly waiting = new Map<string, Together>();

  /**
   * Reads once there is a place, or takes the result of an equal read that has got its place in the meantime. So a result is never older
   * than the call, and counts as much as one that was read alone. Where the first read fails, the others read by themselves.
   * @param key the same for equal reads
   * @param runInPlace runs a read once there is a place for it
   */
  async run<Result>(
    key: string,
    read: Read<Result>,
    runInPlace: (read: Read<Result>) => Promise<Result>,
  ): Promise<Result> {
    const together = this.waiting.get(key) ?? { count: 0, readBytes: 0 };
    this.waiting.set(key, together);
    together.count += 1;
    try {
      return await runInPlace((onRead) => {
        if (together.reading !== undefined) return takeResult(together, read, onRead);
        // A read that comes from now on may know of a change that this one does not see.
        this.waiting.delete(key);
        const reading = read((bytes) => {
          together.readBytes = bytes;
          onRead?.(bytes);
        });
        together.reading = reading;
        return reading;
      });
    } finally {
      together.count -= 1;
      if (together.count === 0 && together.reading === undefined) this.waiting.delete(key);
    }
  }
}

async function takeResult<Result>(together: Together, read: Read<Result>, onRead: OnRead | undefined): Promise<Result> {
  try {
    const result = (await together.reading) as Result;
    onRead?.(together.readBytes);
    return result;
  } catch {
    return read(onRead);
  }
}
