// Pages of a tenant's event log for its readers, and the sources that subscriptions are resolved from. When many readers resume at
// once, as after a restart, they share pages: older pages start at fixed positions and are cached.

import {
  isSamePosition,
  positionOf,
  type EventLog,
  type LoggedEvent,
  type LogPosition,
} from '../../platform/events/event-log.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import type { EventRecords } from '../events/event-records.js';

/** An event with its records. `RESYNC_REQUIRED` is never logged: it replaces events that the log no longer has. */
export interface FeedEvent extends Omit<LoggedEvent, 'type'> {
  readonly type: LoggedEvent['type'] | 'RESYNC_REQUIRED';
  /** A reader that has seen the event goes on here. */
  readonly position: LogPosition;
  readonly records: EventRecords;
}

/** All events after `from` up to `to`. */
export interface EventPage {
  /** A number that is unique in this process. */
  readonly id: number;
  readonly from: LogPosition;
  readonly to: LogPosition;
  readonly events: readonly FeedEvent[];
  /** True if the log does not go on from the reader's position to `to`. The page then has one event, which says so. */
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

  /** Returns the events after a position, at most `limit`; undefined if there are none. */
  async readNew(tenantId: string, position: LogPosition, limit: number): Promise<EventPage | undefined> {
    const { eventLog } = this.options;
    const { from, isTorn, events } = await eventLog.readAfter(tenantId, position, limit);
    if (isTorn) return this.resyncPage(tenantId, await eventLog.headOf(tenantId));
    return events.length === 0 ? undefined : this.pageOf(tenantId, from, events);
  }

  /** Returns a cached page with the events right after a position; it may start earlier. It is empty at the head of the log. */
  async readStretch(tenantId: string, position: LogPosition): Promise<EventPage> {
    const { seq } = position;
    const page = await this.stretchAt(tenantId, seq - (seq % stretchSize));
    const hasNext = page.to.seq > seq && (page.events[0]?.seq ?? Infinity) <= seq + 1;
    if (hasNext && isSamePosition(positionIn(page, seq), position)) return page;
    return (
      (await this.readNew(tenantId, position, stretchSize)) ?? { ...page, from: position, to: position, events: [] }
    );
  }

  private async stretchAt(tenantId: string, fromSeq: number): Promise<EventPage> {
    const key = `${tenantId}:${fromSeq}`;
    const known = this.stretches.get(key);
    if (known !== undefined) return known;
    const reading = this.readStretchAt(tenantId, fromSeq);
    this.stretches.set(key, reading);
    const forget = () => this.stretches.delete(key);
    // An incomplete page is not reused: the log goes on.
    reading.then(({ to }) => to.seq < fromSeq + stretchSize && forget(), forget);
    return reading;
  }

  private async readStretchAt(tenantId: string, fromSeq: number): Promise<EventPage> {
    const { from, events } = await this.options.eventLog.readAfter(tenantId, { seq: fromSeq }, stretchSize);
    // If its first events were removed, the page extends into the next one.
    return this.pageOf(tenantId, from, events);
  }

  private pageOf(tenantId: string, from: LogPosition, logged: readonly LoggedEvent[]): EventPage {
    const records = this.options.recordsOf(tenantId, logged);
    const events = logged.map((event) => ({ ...event, position: positionOf(event), records }));
    return this.numbered({ from, to: events.at(-1)?.position ?? from, events, isResync: false });
  }

  private resyncPage(tenantId: string, head: LogPosition): EventPage {
    const records = this.options.recordsOf(tenantId, []);
    const nothing = { leadId: null, messageId: null, instanceId: null, data: null };
    const about = { tenantId, seq: head.seq, position: head, occurredAt: new Date(), records };
    const event = { ...about, ...nothing, type: 'RESYNC_REQUIRED' } as const;
    return this.numbered({ from: head, to: head, events: [event], isResync: true });
  }

  private numbered(page: Omit<EventPage, 'id' | 'readAtMs'>): EventPage {
    this.lastId += 1;
    return { ...page, id: this.lastId, readAtMs: performance.now() };
  }
}

/** Returns the position at `seq` as a page shows it. The time of its event is unknown outside of the page. */
export function positionIn({ from, to, events: [first], events }: EventPage, seq: number): LogPosition {
  if (seq === to.seq) return to;
  if (seq === from.seq) return from;
  return (first === undefined ? undefined : events[seq - first.seq]?.position) ?? { seq };
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
  after?: LogPosition | undefined;
  /** The name of the argument that `after` comes from. The argument decides only the start, not which events are shown. */
  positionArgument?: string;
  rootOf: RootOf;
}

/** A source of root values that the socket transport follows through the feed, not by iteration. */
export class LiveSource implements AsyncIterable<object> {
  readonly tenantId: string;
  readonly name: string;
  readonly after: LogPosition | undefined;
  readonly positionArgument: string | undefined;
  readonly rootOf: RootOf;

  constructor({ tenantId, name, after, positionArgument, rootOf }: LiveSourceOptions) {
    this.tenantId = tenantId;
    this.name = name;
    this.after = after;
    this.positionArgument = positionArgument;
    this.rootOf = rootOf;
  }

  [Symbol.asyncIterator](): AsyncIterator<object> {
    return { next: () => Promise.reject(new Error('a live source is followed through the feed')) };
  }
}
