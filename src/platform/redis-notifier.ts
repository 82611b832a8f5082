// Short texts from process to process through Redis. It counts as up while this process hears its own beat come back: a Redis that
// accepts connections and says nothing is down as well.

import { randomUUID } from 'node:crypto';
import type { Logger } from './logger.js';
import type { NotificationSource } from './notification-source.js';

type Redis = typeof import('redis');
type RedisClient = ReturnType<Redis['createClient']>;

const channel = 'leadwire:events';
const beatPrefix = 'beat ';
const connectTimeoutMs = 2_000;
const beatIntervalMs = 1_000;
/** Without a beat for this long it is down, and tried anew. */
const silenceMs = 3_000;

interface Link {
  publisher: RedisClient;
  subscriber: RedisClient;
  isOpen: boolean;
  /** When it was begun, or the last beat came back, by the process's own clock. */
  heardAtMs: number;
}

export class RedisNotifier implements NotificationSource {
  private readonly beat = `${beatPrefix}${randomUUID()}`;
  private redis: Redis | undefined;
  private link: Link | undefined;
  private up = false;
  private isDegraded = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private onText: (text: string) => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly log: Pick<Logger, 'info' | 'warn'>,
  ) {}

  /** Whether what is sent now is likely to be heard. */
  get isUp(): boolean {
    return this.up;
  }

  /** Resolves after the first attempt, well or not: within 2 s. */
  async start(onText: (text: string) => void): Promise<void> {
    this.onText = onText;
    // A process without Redis never loads its client, which takes a tenth of its start.
    this.redis = await import('redis');
    if (this.stopped) return;
    this.timer = setInterval(() => this.look(), beatIntervalMs);
    await this.open();
  }

  stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.close();
    return Promise.resolve();
  }

  async send(text: string): Promise<void> {
    const { link } = this;
    if (link === undefined) throw new Error('Redis is away');
    try {
      await link.publisher.publish(channel, text);
    } catch (error) {
      this.lose(link, error);
      throw error;
    }
  }

  private async open(): Promise<void> {
    if (this.redis === undefined) throw new Error('start comes first');
    const clients = { publisher: this.connect(this.redis), subscriber: this.connect(this.redis) };
    const link: Link = { ...clients, isOpen: false, heardAtMs: performance.now() };
    this.link = link;
    try {
      await Promise.all([link.publisher.connect(), link.subscriber.connect()]);
      await link.subscriber.subscribe(channel, (text) => this.hear(link, text));
      link.isOpen = true;
      await link.publisher.publish(channel, this.beat);
    } catch (error) {
      this.lose(link, error);
    }
  }

  private connect({ createClient }: Redis): RedisClient {
    const client: RedisClient = createClient({
      url: this.url,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      // Whether to try again is decided by the beat.
      socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
    });
    client.on('error', (error: unknown) => {
      const { link } = this;
      if (link?.publisher === client || link?.subscriber === client) this.lose(link, error);
    });
    return client;
  }

  private hear(link: Link, text: string): void {
    if (link !== this.link) return;
    if (!text.startsWith(beatPrefix)) return this.onText(text);
    if (text !== this.beat) return;
    link.heardAtMs = performance.now();
    this.up = true;
    if (!this.isDegraded) return;
    this.isDegraded = false;
    this.log.info({}, 'Redis is back: it carries live events to other processes again');
  }

  private look(): void {
    const { link } = this;
    if (link === undefined) return void this.open();
    if (performance.now() - link.heardAtMs > silenceMs)
      return this.lose(link, new Error('Redis does not give back what it is told'));
    if (link.isOpen) link.publisher.publish(channel, this.beat).catch((error: unknown) => this.lose(link, error));
  }

  private lose(link: Link, error: unknown): void {
    // One failure is reported by both clients and by whatever was under way.
    if (link !== this.link) return;
    this.close();
    if (this.isDegraded || this.stopped) return;
    this.isDegraded = true;
    this.log.warn(
      { err: error },
      'Redis is away: live events reach other processes through PostgreSQL until it is back',
    );
  }

  private close(): void {
    const { link } = this;
    this.link = undefined;
    this.up = false;
    for (const client of [link?.publisher, link?.subscriber]) {
      try {
        client?.destroy();
      } catch {
        // It was never open, or is closed already.
      }
    }
  }
}
