// A cache whose entries give their memory back when they end. Left to lru-cache, an unused entry stays until others take its place: with
// 10,000 tenants that is all day. One timer serves all entries, and runs only while there are any.

import { LRUCache } from 'lru-cache';
import { outsideOfRequests } from './observability/request-scope.js';

export interface ExpiringCacheOptions {
  /** The most entries. Beyond them, the entry goes that was used the longest ago. */
  max: number;
  /** The life of an entry, in milliseconds; `set` may be given another one. */
  ttl: number;
  /** The time between looks at the clock, in milliseconds. Default: 1, by a timer of its own. */
  ttlResolution?: number;
  /** The time between removals of ended entries, in milliseconds. Default: as long as an entry lasts, but 5 s at least and 60 s at most. */
  tidyIntervalMs?: number;
}

const minIntervalMs = 5_000;
const maxIntervalMs = 60_000;

/**
 * Bounds an `LRUCache` to so many entries. With the option `max` the library reserves the places of all entries at once, which takes each
 * start of a process milliseconds and memory. A greatest sum of sizes, each of them 1, is the same bound without that.
 */
export const boundedTo = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 });

export class ExpiringCache<Value extends {}> extends LRUCache<string, Value> {
  private readonly tidyIntervalMs: number;
  private tidyTimer: NodeJS.Timeout | undefined;

  constructor({ tidyIntervalMs, max, ...options }: ExpiringCacheOptions) {
    super({ ttlResolution: 1, ...options, ...boundedTo(max) });
    this.tidyIntervalMs = tidyIntervalMs ?? Math.min(maxIntervalMs, Math.max(minIntervalMs, options.ttl));
  }

  override set(key: string, value: Value, options?: { ttl?: number; noUpdateTTL?: boolean }): this {
    super.set(key, value, options);
    this.tidyLater();
    return this;
  }

  // A timer keeps the scope of the request that set it, so it is set outside of requests.
  private tidyLater(): void {
    this.tidyTimer ??= outsideOfRequests(() => setTimeout(() => this.tidy(), this.tidyIntervalMs).unref());
  }

  private tidy(): void {
    this.tidyTimer = undefined;
    this.purgeStale();
    if (this.size > 0) this.tidyLater();
  }
}
