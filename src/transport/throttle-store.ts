// Where the rate limits keep their counts: in Redis, shared by all processes, or in this process's memory while Redis is away.
// RedisLink owns the connection and says when it may be used; counting in memory is hit-counter.ts's, limits and subjects throttle.ts's.

import { hash } from 'node:crypto';
import { HitCounter } from './hit-counter.js';
import type { HitCounterOptions, Hits } from './hit-counter.js';

/** Milliseconds a request may wait for Redis before it is counted in memory. */
const COMMAND_TIMEOUT_MS = 250;
/** Milliseconds for a new connection to be made and to prove itself. */
const OPEN_TIMEOUT_MS = 2_000;
/** Milliseconds after a failure during which Redis is left alone. */
const COOL_DOWN_MS = 1_000;
/** Characters of a hash: 132 bits, so that no two people share a count. */
const hashLength = 22;
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

export interface ThrottleStoreOptions extends HitCounterOptions {
  /** Tells this limiter's counts from every other's in Redis; has to be unique. */
  prefix: string;
  /** Undefined: all counts stay in this process. */
  link: RedisLink | undefined;
  /** The subjects are numbers or ids of people: Redis is given a part of their SHA-256. */
  isPersonal?: boolean;
}

/** One limiter's counts, in fixed windows that start with a subject's first hit. */
export class ThrottleStore {
  readonly windowMs: number;
  readonly link: RedisLink | undefined;
  readonly #prefix: string;
  readonly #isPersonal: boolean;
  readonly #memory: HitCounter;

  constructor(options: ThrottleStoreOptions) {
    this.windowMs = options.windowMs;
    this.link = options.link;
    this.#prefix = options.prefix;
    this.#isPersonal = options.isPersonal === true;
    this.#memory = new HitCounter(options);
  }

  /** Counts one hit of a subject that belongs to nobody's share. Never rejects. */
  async increment(key: string): Promise<Hits> {
    const [hits] = await countAll([{ store: this, share: '', key, hits: 1 }]);
    return hits ?? this.countInMemory({ share: '', key, hits: 1 });
  }

  /** Counts where no other process sees it. */
  countInMemory({ share, key, hits }: Pick<Counting, 'share' | 'key' | 'hits'>): Hits {
    return this.#memory.count(share, key, hits);
  }

  /** The key in Redis. */
  nameOf(key: string): string {
    return this.#prefix + (this.#isPersonal ? hash('sha256', key, 'base64url').slice(0, hashLength) : key);
  }
}

/** Hits of one subject that are to be counted together. */
export interface Counting {
  store: ThrottleStore;
  /** In whose room the subject is remembered: a tenant's, or, where it is empty, that of all others. */
  share: string;
  key: string;
  hits: number;
}

/**
 * Counts hits of many subjects, of one link's stores, in one round trip to Redis. Never rejects: what Redis cannot count is
 * counted in memory, from nothing, as memory does not know what the other processes saw.
 * @returns how many hits each subject has now, in their order
 */
export async function countAll(countings: readonly Counting[]): Promise<Hits[]> {
  const link = countings[0]?.store.link;
  const shared = link === undefined ? undefined : await link.attempt((client) => countInRedis(client, countings));
  return shared ?? countings.map((counting) => counting.store.countInMemory(counting));
}

async function countInRedis(client: RedisClient, countings: readonly Counting[]): Promise<Hits[]> {
  const keys = countings.map(({ store, key }) => store.nameOf(key));
  const values = countings.flatMap(({ store, hits }) => [String(store.windowMs), String(hits)]);
  const reply = await runScript(client, [String(keys.length), ...keys, ...values]);
  const now = Date.now();
  return countings.map((_, index) => {
    const [count, leftMs] = reply.slice(2 * index);
    if (count === undefined || leftMs === undefined) throw new Error('Redis answered with too few counts');
    return { count, resetAtMs: now + leftMs };
  });
}

// A key without an end cannot come from here: it would be counted for ever.
const script = `local answer = {}
for index, key in ipairs(KEYS) do
  local windowMs, hits = tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index])
  local leftMs = redis.call('PTTL', key)
  if leftMs <= 0 then
    redis.call('SET', key, hits, 'PX', windowMs)
    answer[2 * index - 1], answer[2 * index] = hits, windowMs
  else
    answer[2 * index - 1], answer[2 * index] = redis.call('INCRBY', key, hits), leftMs
  end
end
return answer`;
const scriptSha = hash('sha1', script);

async function runScript(client: RedisClient, parameters: readonly string[]): Promise<number[]> {
  try {
    return await client.sendCommand<number[]>(['EVALSHA', scriptSha, ...parameters]);
  } catch (error) {
    // A Redis that was restarted has forgotten it; EVAL has it remembered again.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.sendCommand<number[]>(['EVAL', script, ...parameters]);
  }
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
