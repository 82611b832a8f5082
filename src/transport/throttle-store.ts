// Where the rate limits keep their counts: in Redis, shared by all processes, or in this process's memory while Redis is away.
// RedisLink owns the connection and says when it may be used; ThrottleStore counts. Limits and subjects: throttle.ts.

import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import { RedisStore, type RedisReply } from 'rate-limit-redis';

/** Milliseconds a request may wait for Redis before it is counted in memory. */
const COMMAND_TIMEOUT_MS = 250;
/** Milliseconds for a new connection to be made and to prove itself. */
const OPEN_TIMEOUT_MS = 2_000;
/** Milliseconds after a failure during which Redis is left alone. */
const COOL_DOWN_MS = 1_000;
/** Subjects one memory counter keeps (a few hundred bytes each); beyond it the one idle for longest is forgotten. */
const MAX_SUBJECTS = 50_000;
const PROBE_KEY = 'leadwire:throttle:probe';

export interface ThrottleLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

type RedisClient = ReturnType<typeof import('redis').createClient>;

/**
 * One connection to Redis that never makes a caller wait for a server known to be failing. After any failure (refused,
 * dropped, silent for 250 ms, an error reply) it is thrown away, and a new one is tried 1 s later, as often as it takes.
 * It counts as working only once it has taken a write, so a replica, a full or a loading Redis stays out of use.
 * Logs one warning when Redis goes away and one line when it is back. Throws only on a malformed URL.
 */
export class RedisLink {
  /** Settles when the first attempt to connect has ended, well or not: within 2 s. Never rejects. */
  readonly firstAttempt: Promise<void>;
  readonly #url: string;
  readonly #log: ThrottleLog;
  #client: RedisClient | undefined;
  #isProven = false;
  #isDegraded = false;
  #isClosed = false;
  #reopenTimer: NodeJS.Timeout | undefined;

  constructor(url: string, log: ThrottleLog) {
    // The client, once it is loaded, would say so too late.
    if (!/^rediss?:$/.test(new URL(url).protocol)) throw new TypeError(`not a redis:// URL: ${url.split(':', 1)[0]}:`);
    this.#url = url;
    this.#log = log;
    this.firstAttempt = this.#open();
  }

  /** The result of `work`, or undefined when Redis is away, failed or took longer than 250 ms. Never rejects. */
  async attempt<T>(work: (client: RedisClient) => Promise<T>): Promise<T | undefined> {
    const client = this.#client;
    if (client === undefined || !this.#isProven) return undefined;
    try {
      return await withTimeout(work(client), COMMAND_TIMEOUT_MS);
    } catch (error) {
      this.#lose(client, error);
      return undefined;
    }
  }

  /** Drops the connection and stops trying; `attempt` then answers undefined. Safe to repeat. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#reopenTimer);
    this.#client?.destroy();
    this.#client = undefined;
  }

  async #open(): Promise<void> {
    // A process without Redis never loads its client, which takes a tenth of its start.
    const { createClient } = await import('redis');
    if (this.#isClosed) return;
    const client: RedisClient = createClient({
      url: this.#url,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      // The client's own reconnecting never gives up on a server that accepts connections and says nothing.
      socket: { connectTimeout: OPEN_TIMEOUT_MS, reconnectStrategy: false },
    });
    client.on('error', (error: unknown) => this.#lose(client, error));
    this.#client = client;
    this.#isProven = false;
    return this.#prove(client);
  }

  async #prove(client: RedisClient): Promise<void> {
    try {
      await withTimeout(
        client.connect().then(() => client.set(PROBE_KEY, '1', { PX: COOL_DOWN_MS })),
        OPEN_TIMEOUT_MS,
      );
    } catch (error) {
      this.#lose(client, error);
      return;
    }
    if (this.#client !== client) return;
    this.#isProven = true;
    if (!this.#isDegraded) return;
    this.#isDegraded = false;
    this.#log.info({}, 'Redis is back: rate limits are shared by all processes again');
  }

  #lose(client: RedisClient, error: unknown): void {
    // One failure is reported by the socket and by every command that was under way.
    if (this.#client !== client) return;
    this.#client = undefined;
    client.destroy();
    this.#reopenTimer = setTimeout(() => void this.#open(), COOL_DOWN_MS).unref();
    if (this.#isDegraded || this.#isClosed) return;
    this.#isDegraded = true;
    this.#log.warn({ err: error }, 'Redis is away: each process counts rate limits for itself until it is back');
  }
}

export interface ThrottleStoreOptions {
  /** Tells this limiter's counts from every other's in Redis; has to be unique. */
  prefix: string;
  windowMs: number;
  /** Undefined: all counts stay in this process. */
  link: RedisLink | undefined;
  /** Subjects kept in memory, 50,000 by default. */
  maxSubjects?: number;
}

/**
 * Counts hits of one limiter in fixed windows that start with a subject's first hit. Its promises never reject: what
 * Redis cannot count is counted in memory, from nothing, as memory does not know what the other processes saw.
 */
export class ThrottleStore implements Store {
  readonly prefix: string;
  readonly localKeys: boolean;
  readonly #windowMs: number;
  readonly #link: RedisLink | undefined;
  readonly #memory: MemoryCounter;
  #shared: { client: RedisClient; store: Promise<RedisStore> } | undefined;

  constructor(options: ThrottleStoreOptions) {
    this.prefix = options.prefix;
    this.localKeys = options.link === undefined;
    this.#windowMs = options.windowMs;
    this.#link = options.link;
    this.#memory = new MemoryCounter(options.windowMs, options.maxSubjects ?? MAX_SUBJECTS);
  }

  /** Counts one hit. `resetTime` is when the subject's window ends. */
  async increment(key: string): Promise<ClientRateLimitInfo> {
    const shared = await this.#withShared((store) => store.increment(key));
    return shared ?? this.#memory.increment(key);
  }

  /** Takes one hit back, in Redis and in memory. */
  async decrement(key: string): Promise<void> {
    await this.#withShared((store) => store.decrement(key));
    this.#memory.decrement(key);
  }

  /** Forgets the subject, in Redis and in memory. Safe to repeat. */
  async resetKey(key: string): Promise<void> {
    await this.#withShared((store) => store.resetKey(key));
    this.#memory.reset(key);
  }

  async #withShared<T>(work: (store: RedisStore) => Promise<T>): Promise<T | undefined> {
    return this.#link?.attempt(async (client) => work(await this.#sharedStore(client)));
  }

  // A RedisStore whose initialisation failed once fails for ever, so each connection gets its own.
  #sharedStore(client: RedisClient): Promise<RedisStore> {
    if (this.#shared?.client !== client) this.#shared = { client, store: this.#openShared(client) };
    return this.#shared.store;
  }

  async #openShared(client: RedisClient): Promise<RedisStore> {
    const sendCommand = (...command: string[]) => client.sendCommand<RedisReply>(command);
    const store = new RedisStore({ prefix: this.prefix, sendCommand });
    // `init` reads nothing but the window; its parameter is typed as the whole configuration of a limiter.
    await store.init({ windowMs: this.#windowMs } as Parameters<RedisStore['init']>[0]);
    return store;
  }
}

interface Hits {
  count: number;
  resetAtMs: number;
}

/**
 * Fixed windows in memory. express-rate-limit's MemoryStore keeps every subject of the last two windows, however many:
 * here the number is capped, so that callers who cycle addresses push each other out instead of filling the memory.
 */
class MemoryCounter {
  readonly #windowMs: number;
  readonly #hits: LRUCache<string, Hits>;

  constructor(windowMs: number, maxSubjects: number) {
    this.#windowMs = windowMs;
    this.#hits = new LRUCache({ max: maxSubjects });
  }

  increment(key: string): ClientRateLimitInfo {
    const hits = this.#current(key) ?? this.#begin(key);
    hits.count += 1;
    return { totalHits: hits.count, resetTime: new Date(hits.resetAtMs) };
  }

  decrement(key: string): void {
    const hits = this.#current(key);
    if (hits !== undefined && hits.count > 0) hits.count -= 1;
  }

  reset(key: string): void {
    this.#hits.delete(key);
  }

  #current(key: string): Hits | undefined {
    const hits = this.#hits.get(key);
    return hits !== undefined && isOpen(hits.resetAtMs, this.#windowMs) ? hits : undefined;
  }

  #begin(key: string): Hits {
    const hits = { count: 0, resetAtMs: Date.now() + this.#windowMs };
    this.#hits.set(key, hits);
    return hits;
  }
}

/** Whether a window is under way; one that ends later than any that began now is over: the clock was set back. */
export function isOpen(resetAtMs: number, windowMs: number): boolean {
  const leftMs = resetAtMs - Date.now();
  return leftMs > 0 && leftMs <= windowMs;
}

/** The outcome of `work`, or a rejection after `timeoutMs`; what `work` does later is ignored, its rejection too. */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Error(`No answer from Redis within ${timeoutMs} ms`));
    // After a busy spell the timers run before the sockets are read: an answer that has arrived still counts.
    timer = setTimeout(() => setImmediate(expire), timeoutMs);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
