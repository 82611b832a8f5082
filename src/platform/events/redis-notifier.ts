// Short texts from process to process through Redis. Redis counts as up while this process hears its own heartbeat come back: a Redis that
// accepts connections and says nothing is down as well.

import { randomUUID } from 'node:crypto';
import { RedisLink, type RedisLog } from './redis-link.js';
import type { RedisClient } from './redis-client.js';

const channel = 'leadwire:events';
const heartbeatPrefix = 'beat ';
const heartbeatIntervalMs = 1_000;
/** Without a heartbeat for this long Redis is down. */
const silenceMs = 3_000;

export class RedisNotifier {
  private readonly heartbeat = `${heartbeatPrefix}${randomUUID()}`;
  private heard = Promise.withResolvers<void>();
  private link: RedisLink | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly log: RedisLog,
    /** The milliseconds that a new connection may take until it is proven. Default 2,000. */
    private readonly openTimeoutMs?: number,
  ) {}

  /** True if a text that is sent now is likely to be heard. */
  get isUp(): boolean {
    return this.link?.isUp === true;
  }

  /** Resolves after the first attempt, well or not: within the time for opening. */
  async start(onText: (text: string) => void): Promise<void> {
    const link = new RedisLink({
      url: this.url,
      answerTimeoutMs: silenceMs,
      openTimeoutMs: this.openTimeoutMs,
      prove: async (client, open) => {
        const subscriber = await open();
        await subscriber.subscribe(channel, (text) => this.hear(text, onText));
        await this.beat(client);
      },
      log: this.log,
      sentences: {
        away: 'Redis is away: live events reach other processes through PostgreSQL until it is back',
        back: 'Redis is back: it carries live events to other processes again',
      },
    });
    this.link = link;
    this.timer = setInterval(() => void link.attempt((client) => this.beat(client)), heartbeatIntervalMs);
    await link.firstAttempt;
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    this.link?.close();
    return Promise.resolve();
  }

  async send(text: string): Promise<void> {
    const receivers = await this.link?.attempt((client) => client.command<number>(undefined, 'PUBLISH', channel, text));
    if (receivers === undefined) throw new Error('Redis is away');
  }

  /** Resolves once the heartbeat has come back. */
  private async beat(client: RedisClient): Promise<void> {
    const { heard } = this;
    await client.command(undefined, 'PUBLISH', channel, this.heartbeat);
    await heard.promise;
  }

  private hear(text: string, onText: (text: string) => void): void {
    if (!text.startsWith(heartbeatPrefix)) return onText(text);
    if (text !== this.heartbeat) return;
    this.heard.resolve();
    this.heard = Promise.withResolvers();
  }
}
