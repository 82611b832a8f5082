// How long the disk takes to keep what is written to it, asked ten times a second beside a load: what no figure of a database that
// commits durably can be better than, and what tells a machine's bad moment from the product's.

import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './side-by-side.js';

const intervalMs = 100;
/** As much as PostgreSQL writes at once. */
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

  /** What it has seen until now counts no longer. */
  forget(): void {
    this.timesMs = [];
  }

  /** Since `forget`. @throws RangeError before it has asked once */
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
