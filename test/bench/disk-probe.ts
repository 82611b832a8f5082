// The time that the disk takes to keep written data, measured ten times a second beside a load. No durable commit can be faster, and the
// times tell a bad moment of the machine from one of the product.

import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './side-by-side.js';

const intervalMs = 100;
/** A page of the size that PostgreSQL writes at once. */
const page = Buffer.alloc(8_192, 1);

export interface SyncTimes {
  p50Ms: number;
  p99Ms: number;
}

export class DiskProbe implements AsyncDisposable {
  private readonly stopping = new AbortController();
  private readonly asking: Promise<void>;
  private timesMs: number[] = [];

  private constructor(private readonly file: FileHandle) {
    this.asking = this.ask();
  }

  /** Writes to a file in `folder`, until it is disposed of. */
  static async start(folder: string): Promise<DiskProbe> {
    return new DiskProbe(await open(join(folder, 'disk-probe'), 'w'));
  }

  /** Drops the times measured so far. */
  forget(): void {
    this.timesMs = [];
  }

  /** The times since `forget`. @throws RangeError before the first one */
  read(): SyncTimes {
    const sorted = Float64Array.from(this.timesMs).sort();
    return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.asking;
    await this.file.close();
  }

  private async ask(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const startedAtMs = performance.now();
      await this.file.write(page, 0, page.length, 0);
      await this.file.datasync();
      this.timesMs.push(performance.now() - startedAtMs);
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
