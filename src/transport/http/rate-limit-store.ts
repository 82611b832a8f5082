// The store of the rate limits' counts: Redis, shared by all processes, or this process's memory while Redis is away. The connection
// belongs to platform/events/redis-link.ts, limits and subjects to rate-limit.ts.

import { hash } from 'node:crypto';
import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { RedisLink, type RedisLog } from '../../platform/events/redis-link.js';
import type { RedisClient } from '../../platform/events/redis-client.js';
import { MemoryHitCounter, isOpen, type MemoryHitCounterOptions, type Hits } from './memory-hit-counter.js';

/** The time that a request waits for Redis before it is counted in memory. */
const defaultAnswerTimeoutMs = 250;
// The names of the keys stay as they were, so that versions that run together share the counts.
const probeKey = 'leadwire:throttle:probe';
/** Characters of a hash: 132 bits, so that no two people share a count. */
const hashLength = 22;

/** The connection that all limits share. @throws TypeError where the URL is malformed */
export function rateLimitLink(url: string, log: RedisLog, answerTimeoutMs = defaultAnswerTimeoutMs): RedisLink {
  return new RedisLink({
    url,
    answerTimeoutMs,
    prove: (client) => client.command(probeKey, 'SET', probeKey, '1', 'PX', '1000'),
    log,
    sentences: {
      away: 'Redis is away: each process counts rate limits for itself until it is back',
      back: 'Redis is back: rate limits are shared by all processes again',
    },
  });
}

export interface RateLimitStoreOptions extends MemoryHitCounterOptions {
  /** The prefix of this limiter's counts in Redis; has to be unique. */
  prefix: string;
  /** Undefined: all counts stay in this process. */
  link: RedisLink | undefined;
  /** True if the subjects are numbers or ids of people: Redis is given a part of their SHA-256. */
  isPersonal?: boolean;
}

/**
 * The counts of one limiter, in fixed windows that start with a subject's first hit. Its promises never reject: hits that Redis cannot
 * count are counted in memory. Memory counts from nothing, as it does not know what the other processes saw.
 */
export class RateLimitStore implements Store {
  readonly prefix: string;
  readonly link: RedisLink | undefined;
  readonly localKeys: boolean;
  readonly #windowMs: number;
  readonly #isPersonal: boolean;
  readonly #memory: MemoryHitCounter;
  #shared: { client: RedisClient; store: Promise<RedisStore> } | undefined;

  constructor(options: RateLimitStoreOptions) {
    this.prefix = options.prefix;
    this.link = options.link;
    this.localKeys = options.link === undefined;
    this.#windowMs = options.windowMs;
    this.#isPersonal = options.isPersonal === true;
    this.#memory = new MemoryHitCounter(options);
  }

  /** Counts one hit of a subject that belongs to no tenant's share. `resetTime` is when the subject's window ends. */
  async increment(key: string): Promise<ClientRateLimitInfo> {
    const { count: totalHits, resetAtMs } = await this.hit(key);
    return { totalHits, resetTime: new Date(resetAtMs) };
  }

  /** Counts a hit like `increment`. */
  async hit(key: string): Promise<Hits> {
    const [hits] = await countAll([{ store: this, share: '', key, hits: 1 }]);
    return hits ?? this.countInMemory({ share: '', key, hits: 1 });
  }

  /** Counts hits that no other process sees. */
  countInMemory({ share, key, hits }: Pick<Counting, 'share' | 'key' | 'hits'>): Hits {
    return this.#memory.count(share, key, hits);
  }

  /** @throws when Redis does not answer as it should */
  async countInRedis(client: RedisClient, key: string, hits: number): Promise<Hits> {
    const store = await this.#sharedStore(client);
    const name = this.#nameOf(key);
    // The commands leave together; Redis answers them in this order.
    const answers = await Promise.all(Array.from({ length: hits }, () => store.increment(name)));
    const last = answers.at(-1);
    return { count: last?.totalHits ?? 0, resetAtMs: last?.resetTime?.getTime() ?? Date.now() };
  }

  /** Gives the result of `countInMemory`, with nothing counted. */
  peekInMemory({ share, key, hits }: Pick<Counting, 'share' | 'key' | 'hits'>): Hits {
    return this.#memory.peek(share, key, hits);
  }

  /** Gives the result of `countInRedis`, with nothing counted. */
  async peekInRedis(client: RedisClient, key: string, hits: number): Promise<Hits> {
    const store = await this.#sharedStore(client);
    const known = await store.get(this.#nameOf(key));
    const resetAtMs = known?.resetTime?.getTime() ?? 0;
    if (known === undefined || !isOpen(resetAtMs, this.#windowMs))
      return { count: hits, resetAtMs: Date.now() + this.#windowMs };
    return { count: known.totalHits + hits, resetAtMs };
  }

  #nameOf(key: string): string {
    return this.#isPersonal ? hash('sha256', key, 'base64url').slice(0, hashLength) : key;
  }

  /** Part of the library's interface; nothing here takes a hit back. */
  decrement(): void {}

  /** Part of the library's interface; nothing here forgets a subject. */
  resetKey(): void {}

  // A RedisStore whose initialisation failed once fails for ever, so each connection gets its own.
  #sharedStore(client: RedisClient): Promise<RedisStore> {
    if (this.#shared?.client !== client) this.#shared = { client, store: this.#openShared(client) };
    return this.#shared.store;
  }

  async #openShared(client: RedisClient): Promise<RedisStore> {
    const store = new RedisStore({
      prefix: this.prefix,
      sendCommandCluster: ({ key, command }) => client.command<RedisReply>(key, ...command),
    });
    // `init` reads nothing but the window; its parameter is typed as the whole configuration of a limiter.
    await store.init({ windowMs: this.#windowMs } as Parameters<RedisStore['init']>[0]);
    return store;
  }
}

/** Hits of one subject that are to be counted together. */
export interface Counting {
  store: RateLimitStore;
  /** The owner of the room that remembers the subject: a tenant, or, where it is empty, all others together. */
  share: string;
  key: string;
  hits: number;
}

/**
 * Counts hits of many subjects, of one link's stores, in one round trip to Redis: the client sends the commands of one turn together. Never
 * rejects: hits that Redis cannot count are counted in memory.
 * @returns the hits that each subject has now, in their order
 */
export async function countAll(countings: readonly Counting[]): Promise<Hits[]> {
  const link = countings[0]?.store.link;
  const count = (client: RedisClient) =>
    Promise.all(countings.map(({ store, key, hits }) => store.countInRedis(client, key, hits)));
  const shared = link === undefined ? undefined : await link.attempt(count);
  return shared ?? countings.map((counting) => counting.store.countInMemory(counting));
}

/** Gives the result of `countAll`, with nothing counted. Never rejects. */
export async function peekAll(countings: readonly Counting[]): Promise<Hits[]> {
  const link = countings[0]?.store.link;
  const peek = (client: RedisClient) =>
    Promise.all(countings.map(({ store, key, hits }) => store.peekInRedis(client, key, hits)));
  const shared = link === undefined ? undefined : await link.attempt(peek);
  return shared ?? countings.map((counting) => counting.store.peekInMemory(counting));
}
