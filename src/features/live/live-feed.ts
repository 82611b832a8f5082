// Follows the event log of each tenant that has subscribers in this process, with one TenantTail for each tenant. Notifications start
// a read; a poll finds events whose notification was lost.

import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { outsideOfRequests } from '../../platform/observability/request-scope.js';
import type { Notifier } from '../../platform/events/notifier.js';
import { beginningOfLog, isSamePosition, type LogPosition } from '../../platform/events/event-log.js';
import { EventPages, type EventPagesOptions } from './event-pages.js';
import { FrameCache } from './frame-cache.js';
import { TenantTail, type FeedReader } from './tenant-tail.js';

export interface LiveFeedOptions extends EventPagesOptions {
  notifier: Pick<Notifier, 'subscribe'>;
  log: Logger;
  metrics: Metrics;
  /** The time between two polls for events without a notification, in milliseconds. */
  pollIntervalMs: number;
}

export class LiveFeed {
  private readonly tails = new Map<string, TenantTail>();
  private readonly pages: EventPages;
  private readonly frames = new FrameCache();
  private unsubscribe: (() => void) | undefined;
  private pollTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LiveFeedOptions) {
    this.pages = new EventPages(options);
  }

  start(): void {
    // Notifications arrive within a request that wrote an event, but the reads do not belong to that request.
    const wake = (tenantId: string) => outsideOfRequests(() => this.tails.get(tenantId)?.wake());
    this.unsubscribe = this.options.notifier.subscribe(wake);
    this.pollTimer = setInterval(() => void this.poll(), this.options.pollIntervalMs);
  }

  /** Ends every reader. */
  stop(): void {
    this.unsubscribe?.();
    clearInterval(this.pollTimer);
    for (const tail of this.tails.values()) tail.stop();
    this.tails.clear();
  }

  /**
   * Gives a reader the tenant's events, each once and in order: those after a position, or new ones only.
   * @returns a function that ends it; safe to repeat
   */
  async follow(tenantId: string, reader: FeedReader, after?: LogPosition): Promise<() => void> {
    const { eventLog, log, metrics } = this.options;
    const { pages, frames } = this;
    const tail = this.tails.get(tenantId) ?? new TenantTail({ tenantId, eventLog, pages, frames, log, metrics });
    this.tails.set(tenantId, tail);
    const forgetIdle = () => {
      if (tail.isIdle && this.tails.get(tenantId) === tail) this.tails.delete(tenantId);
    };
    try {
      const leave = await tail.follow(reader, after);
      return () => {
        leave();
        forgetIdle();
      };
    } catch (error) {
      forgetIdle();
      throw error;
    }
  }

  /** The number of a tenant's subscribers in this process, once they miss no event. */
  subscriberCount(tenantId: string): number {
    return this.tails.get(tenantId)?.size ?? 0;
  }

  /** The number of tenants with subscribers in this process, and of their subscriptions. */
  get audience(): { tenants: number; subscriptions: number } {
    let subscriptions = 0;
    for (const tail of this.tails.values()) subscriptions += tail.readerCount;
    return { tenants: this.tails.size, subscriptions };
  }

  private async poll(): Promise<void> {
    this.frames.dropStale();
    try {
      const heads = await this.options.eventLog.headsOf([...this.tails.keys()]);
      for (const [tenantId, tail] of this.tails) {
        const { position } = tail;
        if (position === undefined || !isSamePosition(heads.get(tenantId) ?? beginningOfLog, position)) tail.wake();
      }
    } catch (error) {
      this.options.log.warn({ err: error }, 'event heads could not be read; the next poll tries again');
    }
  }
}
