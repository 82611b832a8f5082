// Stretches of a tenant's event log as its readers take them. What many read at once, as after a restart, is read once: older
// stretches begin at fixed places and are kept for a while.

import { LRUCache } from 'lru-cache';
import type { EventLog, LoggedEvent } from '../../platform/event-log.js';
import type { EventRecords } from '../events/event-records.js';

/** An event with its records. `RESYNC_REQUIRED` is in no log: it stands where the log does not reach back to. */
export interface FeedEvent extends Omit<LoggedEvent, 'type'> {
  readonly type: LoggedEvent['type'] | 'RESYNC_REQUIRED';
  readonly records: EventRecords;
}

/** Everything after `fromSeq` up to `toSeq`. */
export interface EventPage {
  /** Unique in this process. */
  readonly id: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly events: readonly FeedEvent[];
  /** What is between a reader's place and `toSeq` is not there any more: the one event says so. */
  readonly isResync: boolean;
  /** When it was read, by the process's own clock. */
  readonly readAtMs: number;
}

export interface EventPagesOptions {
  eventLog: EventLog;
  recordsOf: (tenantId: string, events: readonly LoggedEvent[]) => EventRecords;
  /** How old a page may be for who comes later, in milliseconds, as its records are of that time; 5,000 by default. */
  keptForMs?: number;
}

/** Events of an older stretch. */
const stretchSize = 100;
const keptStretches = 50;
const defaultKeptForMs = 5_000;

export class EventPages {
  private lastId = 0;
  private readonly stretches: LRUCache<string, Promise<EventPage>>;
  private readonly keptForMs: number;

  constructor(private readonly options: EventPagesOptions) {
    this.keptForMs = options.keptForMs ?? defaultKeptForMs;
    this.stretches = new LRUCache({ max: keptStretches, ttl: this.keptForMs });
  }

  /** Whether a page may be used again: its records say what they were when it was read. */
  isFresh({ readAtMs }: EventPage): boolean {
    return performance.now() - readAtMs < this.keptForMs;
  }

  /** What was kept of a tenant is read anew: a record has been erased. */
  forget(tenantId: string): void {
    for (const key of this.stretches.keys()) if (key.startsWith(tenantId)) this.stretches.delete(key);
  }

  /** What is new after `seq`, at most `limit` events; undefined where nothing is. */
  async readNew(tenantId: string, seq: number, limit: number): Promise<EventPage | undefined> {
    const { headSeq, events } = await this.options.eventLog.readAfter(tenantId, seq, limit);
    if (headSeq === seq) return undefined;
    const follows = events[0]?.seq === seq + 1;
    return follows ? this.pageOf(tenantId, seq, events) : this.resyncPage(tenantId, headSeq);
  }

  /** A stretch with what comes right after `seq`, which is known to be there or to have been removed; it may begin earlier. */
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
    // One that is not complete yet says too little by the next time.
    reading.then(({ toSeq }) => toSeq < fromSeq + stretchSize && forget(), forget);
    return reading;
  }

  private async readStretchAt(tenantId: string, fromSeq: number): Promise<EventPage> {
    const { events } = await this.options.eventLog.readAfter(tenantId, fromSeq, stretchSize);
    // Where its beginning was removed, what was read goes on into the next one.
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
 * What the subscription's field is resolved from for an event; undefined: the event does not concern the view. Asked for one event
 * after the other, in their order.
 */
type RootOf = (event: FeedEvent) => object | undefined | Promise<object | null | undefined>;

export interface LiveSourceOptions {
  tenantId: string;
  /** Sources of one tenant with the same name show the same. */
  name: string;
  /** The last event that was seen; undefined: from now on. */
  afterSeq?: number | undefined;
  /** The argument that `afterSeq` was given as: it says where to begin, and nothing of what is shown. */
  positionArgument?: string;
  rootOf: RootOf;
}

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
