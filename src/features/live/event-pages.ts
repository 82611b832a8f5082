// Pages of a tenant's event log for its readers, and the sources that subscriptions are resolved from. When many readers resume at
// once, as after a restart, they share pages: older pages start at fixed positions and are cached.

import type { EventLog, LoggedEvent } from '../../platform/events/event-log.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import type { EventRecords } from '../events/event-records.js';

/** An event with its records. `RESYNC_REQUIRED` is never logged: it replaces events that the log no longer has. */
export interface FeedEvent extends Omit<LoggedEvent, 'type'> {
  readonly type: LoggedEvent['type'] | 'RESYNC_REQUIRED';
  readonly records: EventRecords;
}

/** All events after `fromSeq` up to `toSeq`. */
export interface EventPage {
  /** A number that is unique in this process. */
  readonly id: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly events: readonly FeedEvent[];
  /** True if events between the reader's position and `toSeq` were removed. The page then has one event, which says so. */
  readonly isResync: boolean;
  /** The time of the read, by `performance.now()`. */
  readonly readAtMs: number;
}

export interface EventPagesOptions {
  eventLog: EventLog;
  recordsOf: (tenantId: string, events: readonly LoggedEvent[]) => EventRecords;
  /** The time for which a page may be reused. Its records are as old as the page. 5,000 by default. */
  keptForMs?: number;
}

/** The number of events of an older page. */
const stretchSize = 100;
const keptStretches = 50;
const defaultKeptForMs = 5_000;

export class EventPages {
  private lastId = 0;
  private readonly stretches: ExpiringCache<Promise<EventPage>>;
  private readonly keptForMs: number;

  constructor(private readonly options: EventPagesOptions) {
    this.keptForMs = options.keptForMs ?? defaultKeptForMs;
    this.stretches = new ExpiringCache({ max: keptStretches, ttl: this.keptForMs });
  }

  /** True if a page is new enough to be reused. */
  isFresh({ readAtMs }: EventPage): boolean {
    return performance.now() - readAtMs < this.keptForMs;
  }

  /** Drops the cached pages of a tenant, because a record was erased. */
  forget(tenantId: string): void {
    for (const key of this.stretches.keys()) if (key.startsWith(tenantId)) this.stretches.delete(key);
  }

  /** Returns the events after `seq`, at most `limit`; undefined if there are none. */
  async readNew(tenantId: string, seq: number, limit: number): Promise<EventPage | undefined> {
    const { headSeq, events } = await this.options.eventLog.readAfter(tenantId, seq, limit);
    if (headSeq === seq) return undefined;
    const follows = events[0]?.seq === seq + 1;
    return follows ? this.pageOf(tenantId, seq, events) : this.resyncPage(tenantId, headSeq);
  }

  /** Returns a cached page with the events right after `seq`; it may start earlier. Only for positions below the head of the log. */
  async readStretch(tenantId: string, seq: number): Promise<EventPage> {
    const fromSeq = seq - (seq % stretchSize);
    const page = await this.stretchAt(tenantId, fromSeq);
    if (page.toSeq > seq && (page.events[0]?.seq ?? Infinity) <= seq + 1) return page;
    return (await this.readNew(tenantId, seq, stretchSize)) ?? { ...page, fromSeq: seq, toSeq: seq, events: [] };
  }

  private async stretchAt(tenantId: string, fromSeq: number): Promise<EventPage> {
    const key = `${tenantId}:${fromSeq}`;
    const known = this.stretches.get(key);
    if (known !== undefined) return known;
    const reading = this.readStretchAt(tenantId, fromSeq);
    this.stretches.set(key, reading);
    const forget = () => this.stretches.delete(key);
    // An incomplete page is not reused: the log goes on.
    reading.then(({ toSeq }) => toSeq < fromSeq + stretchSize && forget(), forget);
    return reading;
  }

  private async readStretchAt(tenantId: string, fromSeq: number): Promise<EventPage> {
    const { events } = await this.options.eventLog.readAfter(tenantId, fromSeq, stretchSize);
    // If its first events were removed, the page extends into the next one.
    return this.pageOf(tenantId, fromSeq, events);
  }

  private pageOf(tenantId: string, fromSeq: number, events: readonly LoggedEvent[]): EventPage {
    const records = this.options.recordsOf(tenantId, events);
    const toSeq = events.at(-1)?.seq ?? fromSeq;
    return this.numbered({ fromSeq, toSeq, events: events.map((event) => ({ ...event, records })), isResync: false });
  }

  private resyncPage(tenantId: string, headSeq: number): EventPage {
    const records = this.options.recordsOf(tenantId, []);
    const nothing = { leadId: null, messageId: null, instanceId: null, data: null };
    const event = { tenantId, seq: headSeq, type: 'RESYNC_REQUIRED', occurredAt: new Date(), records } as const;
    return this.numbered({ fromSeq: headSeq, toSeq: headSeq, events: [{ ...event, ...nothing }], isResync: true });
  }

  private numbered(page: Omit<EventPage, 'id' | 'readAtMs'>): EventPage {
    this.lastId += 1;
    return { ...page, id: this.lastId, readAtMs: performance.now() };
  }
}

/**
 * Returns the root value of the subscription for an event; undefined if the source leaves the event out. Called for one event after the
 * other, in their order.
 */
type RootOf = (event: FeedEvent) => object | undefined | Promise<object | null | undefined>;

export interface LiveSourceOptions {
  tenantId: string;
  /** The source's name. Sources of one tenant with the same name produce the same values. */
  name: string;
  /** The last event that the subscriber saw; undefined for new events only. */
  afterSeq?: number | undefined;
  /** The name of the argument that `afterSeq` comes from. The argument decides only the start, not which events are shown. */
  positionArgument?: string;
  rootOf: RootOf;
}

/** A source of root values that the socket transport follows through the feed, not by iteration. */
export class LiveSource implements AsyncIterable<object> {
  readonly tenantId: string;
  readonly name: string;
  readonly afterSeq: number | undefined;
  readonly positionArgument: string | undefined;
  readonly rootOf: RootOf;

  constructor({ tenantId, name, afterSeq, positionArgument, rootOf }: LiveSourceOptions) {
    this.tenantId = tenantId;
    this.name = name;
    this.afterSeq = afterSeq;
    this.positionArgument = positionArgument;
    this.rootOf = rootOf;
  }

  [Symbol.asyncIterator](): AsyncIterator<object> {
    return { next: () => Promise.reject(new Error('a live source is followed through the feed')) };
  }
}
