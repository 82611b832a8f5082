// A cache whose entries give their memory back when they end. Left to lru-cache, an entry that nobody asks for stays until others
// take its place: with 10,000 tenants that is all day. One timer for all entries, which runs only while there are any.

import { LRUCache } from 'lru-cache';
import { outsideOfRequests } from './request-scope.js';

export interface ExpiringCacheOptions {
  max: number;
  /** In milliseconds; `set` may be given another one. */
  ttl: number;
  /** How often the clock is looked at, in milliseconds. Default: once in a millisecond, by a timer of its own. */
  ttlResolution?: number;
  /** How often what has ended is removed, in milliseconds. Default: as long as an entry lasts, but 5 s at least and 60 s at most. */
  tidyIntervalMs?: number;
}

const minIntervalMs = 5_000;
const maxIntervalMs = 60_000;

export class ExpiringCache<Value extends {}> extends LRUCache<string, Value> {
  private readonly tidyIntervalMs: number;
  private tidyTimer: NodeJS.Timeout | undefined;

  constructor({ tidyIntervalMs, ...options }: ExpiringCacheOptions) {
    super({ ttlResolution: 1, ...options });
    this.tidyIntervalMs = tidyIntervalMs ?? Math.min(maxIntervalMs, Math.max(minIntervalMs, options.ttl));
  }

  override set(key: string, value: Value, options?: { ttl?: number; noUpdateTTL?: boolean }): this {
    super.set(key, value, options);
    this.tidyLater();
    return this;
  }

  // A timer keeps what belongs to the request that set it.
  private tidyLater(): void {
    this.tidyTimer ??= outsideOfRequests(() => setTimeout(() => this.tidy(), this.tidyIntervalMs).unref());
  }

  private tidy(): void {
    this.tidyTimer = undefined;
    this.purgeStale();
    if (this.size > 0) this.tidyLater();
  }
}
