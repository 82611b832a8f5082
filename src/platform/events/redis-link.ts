// A connection to Redis for parts that can do without it: no caller waits for a server that is known to fail. After any failure (refused,
// dropped, silent, an error reply) it is thrown away, and a new one is tried every second. The commands over it belong to its users.

import { within } from '../jobs/deadline.js';
import { openRedis, redisAddresses, type RedisClient } from './redis-client.js';

export interface RedisLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface RedisLinkOptions {
  url: string;
  /** The milliseconds that Redis may take for an answer. */
  answerTimeoutMs: number;
  /** The milliseconds that a new connection may take until it is proven. Default 2,000. */
  openTimeoutMs?: number | undefined;
  /**
   * Proves a new connection, which is not used before. A replica, a full or a loading Redis should fail here.
   * @param open opens another client, which ends with the connection
   */
  prove: (client: RedisClient, open: () => Promise<RedisClient>) => Promise<unknown>;
  log: RedisLog;
  /** The sentences of the log when Redis goes away, and when it is back. */
  sentences: { away: string; back: string };
}

const defaultOpenTimeoutMs = 2_000;
const coolDownMs = 1_000;

export class RedisLink {
  /** Settles when the first attempt to connect has ended, well or not: within the time for opening. Never rejects. */
  readonly firstAttempt: Promise<void>;
  /** The clients of the current connection. */
  private clients: RedisClient[] = [];
  /** The client that commands go through; undefined until it is proven. */
  private client: RedisClient | undefined;
  private isDegraded = false;
  private isClosed = false;
  private reopenTimer: NodeJS.Timeout | undefined;

  /** @throws TypeError where an address is malformed */
  constructor(private readonly options: RedisLinkOptions) {
    // The client would report a malformed address too late, once it is loaded.
    for (const { protocol } of redisAddresses(options.url).map((address) => new URL(address)))
      if (!/^rediss?:$/.test(protocol)) throw new TypeError(`not a redis:// URL: ${protocol}`);
    this.firstAttempt = this.open();
  }

  /** True if the connection is proven, and has not failed since. */
  get isUp(): boolean {
    return this.client !== undefined;
  }

  /** Returns the result of `work`, or undefined when Redis is away, failed or took too long. Never rejects. */
  async attempt<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result | undefined> {
    const { client, clients, options } = this;
    if (client === undefined) return undefined;
    try {
      return await answerOf(work(client), options.answerTimeoutMs);
    } catch (error) {
      this.lose(clients, error);
      return undefined;
    }
  }

  /** Drops the connection and stops trying; `attempt` then gives undefined. Safe to repeat. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.reopenTimer);
    this.drop();
  }

  private async open(): Promise<void> {
    if (this.isClosed) return;
    const clients: RedisClient[] = [];
    this.clients = clients;
    const openClient = async () => {
      if (this.clients !== clients) throw new Error('the connection was given up');
      const keep = (client: RedisClient) => void clients.push(client);
      return openRedis(this.options.url, keep, (error) => this.lose(clients, error));
    };
    const proven = async () => {
      const client = await openClient();
      await this.options.prove(client, openClient);
      return client;
    };
    try {
      const client = await answerOf(proven(), this.options.openTimeoutMs ?? defaultOpenTimeoutMs);
      if (this.clients === clients) this.use(client);
    } catch (error) {
      this.lose(clients, error);
    }
  }

  private use(client: RedisClient): void {
    this.client = client;
    if (!this.isDegraded) return;
    this.isDegraded = false;
    this.options.log.info({}, this.options.sentences.back);
  }

  private lose(clients: RedisClient[], error: unknown): void {
    // The same failure is reported by each socket and by every command that was under way.
    if (this.clients !== clients) return;
    this.drop();
    if (this.isClosed) return;
    this.reopenTimer = setTimeout(() => void this.open(), coolDownMs).unref();
    if (this.isDegraded) return;
    this.isDegraded = true;
    this.options.log.warn({ err: error }, this.options.sentences.away);
  }

  private drop(): void {
    const { clients } = this;
    this.clients = [];
    this.client = undefined;
    for (const client of clients) if (client.isOpen) client.destroy();
  }
}

function answerOf<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return within(timeoutMs, work, () => {
    throw new Error(`No answer from Redis within ${timeoutMs} ms`);
  });
}
