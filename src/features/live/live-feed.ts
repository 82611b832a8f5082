// Follows the event log of every tenant that somebody in this process watches: one reader a tenant, however many watch.
// Woken by wake-up.ts, and by a timer where a wake-up was lost: late, never lost.

import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog, LoggedEvent } from '../../platform/event-log.js';
import type { Logger } from '../../platform/logger.js';
import type { WakeUp } from '../../platform/wake-up.js';
import { Mailbox } from './mailbox.js';

export interface LiveFeedOptions {
  eventLog: EventLog;
  wakeUp: WakeUp;
  log: Logger;
  /** How often to look without being woken, in milliseconds. */
  pollIntervalMs: number;
}

interface Tail {
  /** The last event handed out; undefined until the log's head was read. */
  seq: number | undefined;
  readonly mailboxes: Set<Mailbox<LoggedEvent>>;
  reading: boolean;
  again: boolean;
}

/** A subscriber that is this many events behind is dropped. */
export const mailboxCapacity = 1_000;
const readBatchSize = 500;
const readStallMs = 2_000;
const readPatienceMs = 5_000;

export class LiveFeed {
  /** Called with each batch before it is handed out, so that what the readers need is read once for all. */
  onBatch: (tenantId: string, events: readonly LoggedEvent[]) => void = () => undefined;
  private readonly tails = new Map<string, Tail>();
  private unsubscribe: (() => void) | undefined;
  private pollTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LiveFeedOptions) {}

  start(): void {
    this.unsubscribe = this.options.wakeUp.subscribe((tenantId) => this.wake(tenantId));
    this.pollTimer = setInterval(() => void this.poll(), this.options.pollIntervalMs);
  }

  stop(): void {
    this.unsubscribe?.();
    clearInterval(this.pollTimer);
    for (const { mailboxes } of this.tails.values()) for (const mailbox of mailboxes) void mailbox.return();
  }

  /** The tenant's events from now on, in order. `return` ends it; a reader that falls behind gets an error. */
  async watch(tenantId: string): Promise<Mailbox<LoggedEvent>> {
    const tail = this.tails.get(tenantId) ?? { seq: undefined, mailboxes: new Set(), reading: false, again: false };
    this.tails.set(tenantId, tail);
    const mailbox: Mailbox<LoggedEvent> = new Mailbox(mailboxCapacity, () => this.leave(tenantId, tail, mailbox));
    tail.mailboxes.add(mailbox);
    if (tail.seq !== undefined) return mailbox;
    try {
      const head = await this.options.eventLog.headOf(tenantId);
      tail.seq ??= head;
    } catch (error) {
      void mailbox.return();
      throw error;
    }
    this.wake(tenantId);
    return mailbox;
  }

  /** How many watch a tenant through this process and miss nothing from now on. */
  subscriberCount(tenantId: string): number {
    const tail = this.tails.get(tenantId);
    return tail?.seq === undefined ? 0 : tail.mailboxes.size;
  }

  private leave(tenantId: string, tail: Tail, mailbox: Mailbox<LoggedEvent>): void {
    tail.mailboxes.delete(mailbox);
    if (tail.mailboxes.size === 0 && this.tails.get(tenantId) === tail) this.tails.delete(tenantId);
  }

  private wake(tenantId: string): void {
    const tail = this.tails.get(tenantId);
    if (tail?.seq === undefined) return;
    tail.again = true;
    if (!tail.reading) void this.read(tenantId, tail);
  }

  private async read(tenantId: string, tail: Tail): Promise<void> {
    tail.reading = true;
    try {
      while (tail.again && tail.mailboxes.size > 0) {
        tail.again = false;
        const events = await this.options.eventLog.listAfter(tenantId, tail.seq ?? 0, readBatchSize);
        if (events.length > 0) this.onBatch(tenantId, events);
        for (const event of events) this.deliver(tail, event);
        if (events.length === readBatchSize) {
          tail.again = true;
          await this.giveTimeToRead(tail);
        }
      }
    } catch (error) {
      this.options.log.warn({ err: error, tenantId }, 'events could not be read; the timer tries again');
    } finally {
      tail.reading = false;
    }
  }

  // A burst is handed out as fast as it is read. A reader that stalls, or is slow for long, holds the others up this once and
  // is dropped by the next batch.
  private async giveTimeToRead({ mailboxes }: Tail): Promise<void> {
    const room = mailboxCapacity - readBatchSize;
    const roomInAll = Promise.all([...mailboxes].map((mailbox) => mailbox.whenAtMost(room, readStallMs)));
    const patience = new AbortController();
    await Promise.race([
      roomInAll,
      delay(readPatienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }

  private deliver(tail: Tail, event: LoggedEvent): void {
    tail.seq = event.seq;
    for (const mailbox of tail.mailboxes) mailbox.push(event);
  }

  private async poll(): Promise<void> {
    try {
      const heads = await this.options.eventLog.headsOf([...this.tails.keys()]);
      for (const [tenantId, seq] of heads) if (seq > (this.tails.get(tenantId)?.seq ?? seq)) this.wake(tenantId);
    } catch (error) {
      this.options.log.warn({ err: error }, 'event heads could not be read; the timer tries again');
    }
  }
}
