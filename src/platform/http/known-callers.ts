// Callers of webhooks that the path names, before the call is known to be genuine. Each id is looked up once for a few seconds, also if no
// caller has it. The look-up is passed in.

import { LRUCache } from 'lru-cache';
import { boundedTo, ExpiringCache } from '../expiring-cache.js';
import { isUuid } from '../input/input.js';

// A replaced secret may still pass for this long, on a process that has used it.
const cacheMs = 3_000;
const cacheSize = 10_000;
// An unknown id is not looked up again within missMs, and does not count as news within newMissMs.
const missMs = 3_000;
const newMissMs = 60_000;

export class KnownCallers<Caller extends object> {
  private readonly callers = new ExpiringCache<Caller>({ max: cacheSize, ttl: cacheMs });
  /** The time at which each unknown id was last looked up, by `performance.now()`. */
  private readonly misses = new ExpiringCache<number>({ max: cacheSize, ttl: newMissMs });
  private readonly looking = new Map<string, Promise<Caller | undefined>>();
  private readonly familiar = new LRUCache<string, true>(boundedTo(cacheSize));

  /** @param load gets the id in lower case */
  constructor(private readonly load: (id: string) => Promise<Caller | undefined>) {}

  /** @returns undefined where no caller has this id */
  async find(callerId: string): Promise<Caller | undefined> {
    if (!isUuid(callerId)) return undefined;
    const id = callerId.toLowerCase();
    const known = this.callers.get(id);
    if (known !== undefined) return known;
    const missedAtMs = this.misses.get(id);
    if (missedAtMs !== undefined && performance.now() - missedAtMs < missMs) return undefined;
    const looking = this.looking.get(id) ?? this.load(id).finally(() => this.looking.delete(id));
    this.looking.set(id, looking);
    const found = await looking;
    if (found === undefined) this.misses.set(id, performance.now());
    else this.callers.set(id, found);
    return found;
  }

  /** Forgets a caller that was changed or deleted: the next call looks it up again. Other processes do so within seconds. */
  forget(id: string): void {
    this.callers.delete(id.toLowerCase());
  }

  /** Returns whether no call for this unknown id came within the last minute. A deleted caller may be called for days. */
  isNews(id: string): boolean {
    return !this.misses.has(id.toLowerCase());
  }

  /** Returns whether this process has seen a genuine call of the caller before. */
  isFamiliar(id: string): boolean {
    return this.familiar.has(id.toLowerCase());
  }

  /** Call it after a genuine call. */
  noteFamiliar(id: string): void {
    this.familiar.set(id.toLowerCase(), true);
  }
}
