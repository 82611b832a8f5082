// Notifies every process that a tenant has new events: this one at once, the others through Redis where there is one, and through
// LISTEN/NOTIFY otherwise. A notification carries no data and may be lost: listeners also poll the log.

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../observability/logger.js';
import { PostgresNotifier } from './postgres-notifier.js';
import { RedisNotifier } from './redis-notifier.js';
import { outsideOfRequests } from '../observability/request-scope.js';

export type NotificationListener = (tenantId: string) => void;

// Under load the other processes are notified this often, each time of all that happened meanwhile.
const sendIntervalMs = 5;
// NOTIFY payloads end at 8000 bytes; a UUID and its separator take 37.
const maxTenantsPerText = 200;

export interface NotifierOptions {
  /** Connection for LISTEN and NOTIFY; session-pinned, so not through a transaction-pooling proxy. */
  url: string;
  /** Unset: LISTEN/NOTIFY is used alone. */
  redisUrl?: string | undefined;
  /** The time that a new connection to Redis may take until it is proven, in milliseconds. Default 2,000. */
  redisOpenTimeoutMs?: number | undefined;
  log: Logger;
}

export class Notifier {
  private readonly listeners = new Set<NotificationListener>();
  private readonly waiting = new Set<string>();
  private readonly postgres: PostgresNotifier;
  private readonly redis: RedisNotifier | undefined;
  private sending = false;
  private stopped = false;

  constructor(private readonly options: NotifierOptions) {
    const { url, redisUrl, redisOpenTimeoutMs, log } = options;
    this.postgres = new PostgresNotifier(url, log);
    this.redis = redisUrl === undefined ? undefined : new RedisNotifier(redisUrl, log, redisOpenTimeoutMs);
  }

  /** Listens to both ways, so that a process that has lost Redis still reaches the others. */
  async start(): Promise<void> {
    const hear = (text: string) => {
      for (const tenantId of text.split(',')) this.callListeners(tenantId);
    };
    await Promise.all([this.postgres.start(hear), this.redis?.start(hear)]);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.postgres.stop(), this.redis?.stop()]);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: NotificationListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** True if Redis is configured and away. */
  get isDegraded(): boolean {
    return this.redis?.isUp === false;
  }

  /**
   * Calls the listeners in this process at once, and wakes those in the others soon after. Call it after the commit. Never throws; the
   * readers' timers make up for notifications that do not get through.
   */
  wakeAll(tenantId: string): void {
    this.callListeners(tenantId);
    this.waiting.add(tenantId);
    if (!this.sending) void outsideOfRequests(() => this.send());
  }

  private callListeners(tenantId: string): void {
    for (const listener of this.listeners) listener(tenantId);
  }

  // NOTIFY takes a lock that is global to the server at commit: one statement at a time carries all that came meanwhile.
  private async send(): Promise<void> {
    this.sending = true;
    try {
      while (this.waiting.size > 0 && !this.stopped) {
        const tenantIds = [...this.waiting].slice(0, maxTenantsPerText);
        for (const tenantId of tenantIds) this.waiting.delete(tenantId);
        await this.sendText(tenantIds.join(','));
        await delay(sendIntervalMs);
      }
    } catch (error) {
      this.waiting.clear();
      this.options.log.warn({ err: error }, 'other processes could not be notified: their subscribers will hear late');
    } finally {
      this.sending = false;
    }
  }

  private async sendText(text: string): Promise<void> {
    if (this.redis?.isUp === true) {
      const sent = await this.redis.send(text).then(
        () => true,
        () => false,
      );
      if (sent) return;
    }
    await this.postgres.send(text);
  }
}
