// Lets the bytes of files through at a bounded rate, so that all other work of the process keeps its usual speed. Tenants take turns, chunk
// by chunk. A sender or reader that has nothing to pass takes no turn.

import { FairQueue } from '../../platform/jobs/fair-semaphore.js';
import { YoungGarbage } from '../../platform/observability/young-garbage.js';

export interface FilePaceLimit {
  /** The interval at which bytes are let through, in milliseconds. A busy event loop comes to it later, and so lets less through. */
  intervalMs: number;
  /** The bytes of all files in an interval. The last chunk may exceed it, and the next interval has less. */
  bytes: number;
}

/** Garbage is collected after this many bytes: six times a second at the usual pace. */
const garbageBytes = 8 * 1024 * 1024;

/** The default limit: about 50 MB a second. */
const defaultFilePaceLimit: FilePaceLimit = { intervalMs: 1, bytes: 64 * 1024 };

interface Waiting {
  bytes: number;
  pass: () => void;
}

export class FilePace {
  private readonly waiting = new FairQueue<string, Waiting>();
  private readonly garbage = new YoungGarbage(garbageBytes);
  private left: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limit: FilePaceLimit = defaultFilePaceLimit) {
    this.left = limit.bytes;
  }

  /** Yields the same chunks, each in its tenant's turn. A reader that stops early ends the source. */
  async *chunks(tenantId: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      await this.pass(tenantId, chunk.byteLength);
      yield chunk;
      this.garbage.add(chunk.byteLength);
    }
  }

  private pass(tenantId: string, bytes: number): Promise<void> | undefined {
    this.timer ??= setInterval(() => this.refill(), this.limit.intervalMs);
    if (this.left > 0 && this.waiting.ownerCount === 0) {
      this.left -= bytes;
      return undefined;
    }
    return new Promise((pass) => this.waiting.add(tenantId, { bytes, pass }));
  }

  private refill(): void {
    if (this.left === this.limit.bytes) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    this.left = Math.min(this.left + this.limit.bytes, this.limit.bytes);
    while (this.left > 0) {
      const next = this.waiting.take();
      if (next === undefined) return;
      this.left -= next.bytes;
      next.pass();
    }
  }
}
