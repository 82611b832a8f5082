// Counts hits in fixed windows, in this process's memory. Tenants have shares of the room: one that fills its share loses its own subjects,
// never those of another.

import { outsideOfRequests } from '../../platform/observability/request-scope.js';

/** Hits of one subject in its window. */
export interface Hits {
  count: number;
  resetAtMs: number;
}

export interface MemoryHitCounterOptions {
  windowMs: number;
  /** A subject beyond this is the last of its share to be forgotten: nobody buys a new window with other subjects. */
  limit: number;
  /**
   * The most subjects of all shares, a few hundred bytes each. A share may hold as many as are free: a single share half, two a third each.
   */
  maxSubjects: number;
}

type Share = Map<string, Hits>;

/** The most subjects beyond the limit that are passed over before one of them is forgotten after all. */
const maxSpared = 8;
/** The most ended windows that are removed for each subject that is new: more than one, so that they become fewer. */
const maxRemoved = 4;
/** The time after its end within which a timer removes a window that nobody counts in, in milliseconds. */
const maxTidyMs = 60_000;

export class MemoryHitCounter {
  // Shares, and the subjects of each, in the order in which they were last hit.
  private readonly shares = new Map<string, Share>();
  private size = 0;
  /** Runs only while there are subjects. */
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: MemoryHitCounterOptions) {}

  /** The number of subjects that are remembered. */
  get subjectCount(): number {
    return this.size;
  }

  /** Counts hits of a subject; its window starts with the first. */
  count(shareName: string, key: string, hits: number): Hits {
    const share = this.shares.get(shareName) ?? new Map<string, Hits>();
    const known = share.get(key);
    const entry = known !== undefined && this.isOpen(known) ? known : this.begin();
    if (known === undefined) this.makeRoom(share);
    touch(share, key, entry);
    touch(this.shares, shareName, share);
    if (known === undefined) this.size += 1;
    this.tidyLater();
    entry.count += hits;
    // The caller gets a copy: others count on before it has looked at the entry.
    return { ...entry };
  }

  /** Gives the result of `count`, with nothing counted. */
  peek(shareName: string, key: string, hits: number): Hits {
    const known = this.shares.get(shareName)?.get(key);
    const { count, resetAtMs } = known !== undefined && this.isOpen(known) ? known : this.begin();
    return { count: count + hits, resetAtMs };
  }

  private begin(): Hits {
    return { count: 0, resetAtMs: Date.now() + this.options.windowMs };
  }

  private makeRoom(share: Share): void {
    const [stalest] = this.shares;
    if (stalest !== undefined) {
      this.removeEnded(stalest[1]);
      if (stalest[1].size === 0) this.shares.delete(stalest[0]);
    }
    this.removeEnded(share);
    const free = this.options.maxSubjects - this.size;
    if (share.size < free) return;
    // Two are forgotten where the share holds more than that, so that it shrinks while others grow.
    const excess = Math.min(2, share.size - free + 1);
    for (let forgotten = 0; forgotten < excess; forgotten += 1)
      this.forgetOne(share.size > 0 || stalest === undefined ? share : stalest[1]);
  }

  private tidyLater(): void {
    const intervalMs = Math.min(this.options.windowMs, maxTidyMs);
    this.timer ??= outsideOfRequests(() => setTimeout(() => this.tidy(), intervalMs).unref());
  }

  private tidy(): void {
    this.timer = undefined;
    for (const [name, share] of this.shares) {
      this.removeEnded(share, Infinity);
      if (share.size === 0) this.shares.delete(name);
    }
    if (this.size > 0) this.tidyLater();
  }

  // Removes windows up to the first that is open. Others that have ended may follow it, until it ends too.
  private removeEnded(share: Share, most = maxRemoved): void {
    let removed = 0;
    for (const [key, hits] of share) {
      if (removed === most || this.isOpen(hits)) return;
      share.delete(key);
      this.size -= 1;
      removed += 1;
    }
  }

  private forgetOne(share: Share): void {
    let spared = 0;
    for (const [key, hits] of share) {
      share.delete(key);
      if (spared === maxSpared || hits.count <= this.options.limit) {
        this.size -= 1;
        return;
      }
      share.set(key, hits);
      spared += 1;
    }
  }

  private isOpen({ resetAtMs }: Hits): boolean {
    return isOpen(resetAtMs, this.options.windowMs);
  }
}

function touch<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Returns whether a window is under way. A window that ends later than any that began now is over: the clock was set back. */
export function isOpen(resetAtMs: number, windowMs: number): boolean {
  const leftMs = resetAtMs - Date.now();
  return leftMs > 0 && leftMs <= windowMs;
}
