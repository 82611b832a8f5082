// The tail of one tenant's log in this process, and its readers: the subscriptions that follow it. Each new page goes to all readers that
// are up to date, unless their group is too slow for it. A reader that is behind (resuming, slow or failing) takes pages by itself until it
// has caught up: those that the tail has kept, those that such readers share, or the log's.

import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../platform/errors.js';
import { beginningOfLog, isSamePosition, type EventLog, type LogPosition } from '../../platform/events/event-log.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { Operation, inOperation } from '../../platform/database/operation.js';
import { bytesOf, Shares, type FeedGroup, type Frame, type FrameCache, type Frames } from './frame-cache.js';
import { positionIn, type EventPage, type EventPages } from './event-pages.js';

/** A subscription, from the feed's side. */
export interface FeedReader {
  /** Readers that are shown the same have the same group: transport/sockets/fan-out.ts decides it. */
  readonly group: FeedGroup;
  /**
   * Writes the frames after `afterSeq`, synchronously.
   * @returns the seq of the last frame that was written, if the reader can take no more; `undefined` if all were written
   */
  write(frames: readonly Frame[], afterSeq: number): number | undefined;
  /** Resolves with true when it can take more, with false if it never will. */
  whenReady(): Promise<boolean>;
  /** Ends the subscription. */
  end(error?: Error): void;
}

export interface TailOptions {
  tenantId: string;
  eventLog: EventLog;
  pages: EventPages;
  frames: FrameCache;
  log: Logger;
  metrics: Metrics;
}

interface Entry {
  readonly reader: FeedReader;
  position: LogPosition;
  gone: boolean;
}

const maxPageSize = 512;
const minPageSize = 8;
/** The most writes for one page, before other work gets its turn. Above 2,500 readers, a page has 8 events all the same, and takes more. */
const writesPerPage = 20_000;
/** The number of newest events whose pages are kept for readers that are a little behind: a full page at least. */
const keptEvents = maxPageSize;
/** The time that the readers wait for a slow group, in milliseconds. After it, the other groups go on. */
const patienceMs = 100;
/** The most bytes of frames of one page, for all groups together. */
const maxRenderedBytes = 8 * 1024 * 1024;
const retryDelayMs = 500;
const maxFailures = 60;

export class TenantTail {
  private readonly entries = new Set<Entry>();
  /** The entries that are up to date. */
  private readonly live = new Set<Entry>();
  private readonly shares = new Shares();
  private newest: EventPage[] = [];
  private handedOut: LogPosition | undefined;
  private starting: Promise<LogPosition> | undefined;
  private isReading = false;
  private isWoken = false;
  /** The operation that reads, for the tenant's share of connections. */
  private readonly operation: Operation;

  constructor(private readonly options: TailOptions) {
    this.operation = new Operation({ tenantId: options.tenantId });
  }

  /** The number of readers, once they miss no event. */
  get size(): number {
    return this.handedOut === undefined ? 0 : this.entries.size;
  }

  /** The number of readers, including those that are still starting. */
  get readerCount(): number {
    return this.entries.size;
  }

  /** True if there is no reader, and none is starting. */
  get isIdle(): boolean {
    return this.entries.size === 0;
  }

  /** The last event that was handed out; undefined until the head of the log is read. */
  get position(): LogPosition | undefined {
    return this.handedOut;
  }

  /**
   * Adds a reader.
   * @param after undefined for new events only
   * @returns a function that takes the reader out, and does not end it; safe to repeat
   */
  async follow(reader: FeedReader, after: LogPosition | undefined): Promise<() => void> {
    const entry: Entry = { reader, position: after ?? beginningOfLog, gone: false };
    this.entries.add(entry);
    try {
      entry.position = after ?? (await this.start());
    } catch (error) {
      this.leave(entry);
      throw error;
    }
    // A reader that resumes needs no head to begin: step() asks for it again.
    if (this.handedOut === undefined) await this.start().catch(() => undefined);
    void this.catchUp(entry);
    return () => this.leave(entry);
  }

  /** Reads the log, because there may be new events. */
  wake(): void {
    if (this.handedOut === undefined) return;
    this.isWoken = true;
    if (!this.isReading) void this.read();
  }

  stop(): void {
    for (const entry of this.entries) {
      this.leave(entry);
      entry.reader.end();
    }
  }

  private async start(): Promise<LogPosition> {
    if (this.handedOut !== undefined) return this.handedOut;
    this.starting ??= this.options.eventLog.headOf(this.options.tenantId);
    try {
      this.handedOut ??= await this.starting;
    } finally {
      this.starting = undefined;
    }
    // Notifications that came while the head was being read started no read.
    this.wake();
    return this.handedOut;
  }

  private leave(entry: Entry): void {
    entry.gone = true;
    this.entries.delete(entry);
    this.live.delete(entry);
  }

  private async read(): Promise<void> {
    const { tenantId, log } = this.options;
    this.isReading = true;
    try {
      let nextPage: Promise<EventPage | undefined> | undefined;
      while ((this.isWoken || nextPage !== undefined) && this.entries.size > 0) {
        const limit = pageSizeFor(this.live.size);
        const page = await (nextPage ?? this.readPage(this.handedOut ?? beginningOfLog, limit));
        nextPage = undefined;
        if (page === undefined) continue;
        // While the frames of a page are rendered and written, the next one is read.
        if (this.isWoken || page.events.length >= limit) nextPage = this.readPage(page.to, limit);
        await this.handOut(page);
        if (this.isWoken || nextPage !== undefined) await nextTurn();
      }
    } catch (error) {
      log.warn({ err: error, tenantId }, 'events could not be read; the next poll tries again');
    } finally {
      this.isReading = false;
    }
  }

  private readPage(position: LogPosition, limit: number): Promise<EventPage | undefined> {
    const { pages, tenantId } = this.options;
    this.isWoken = false;
    const page = inOperation(this.operation, () => pages.readNew(tenantId, position, limit));
    // The read may fail while the earlier page is handed out, so its rejection is handled here too.
    page.catch(() => undefined);
    return page;
  }

  private async handOut(page: EventPage): Promise<void> {
    const rendered = await this.renderForAll(page);
    // Synchronous from here on: every live reader is up to date before and after.
    this.handedOut = page.to;
    this.keep(page);
    this.countLag(page);
    let delivered = 0;
    for (const entry of this.live) {
      const frames = rendered.get(entry.reader.group);
      const isTaken = frames !== undefined && followsFrom(entry, page) && this.write(entry, frames, page);
      if (isTaken && entry.position.seq >= page.to.seq) {
        delivered += frames.frames.length;
        continue;
      }
      this.live.delete(entry);
      void this.catchUp(entry);
    }
    this.options.metrics.liveEvents.inc(delivered);
  }

  // Clocks of machines differ, so a negative lag counts as none.
  private countLag({ events: [oldest], isResync }: EventPage): void {
    if (oldest === undefined || isResync || this.live.size === 0) return;
    this.options.metrics.liveLag.observe(Math.max(0, Date.now() - oldest.occurredAt.getTime()) / 1_000);
  }

  // A group that is slow or exceeds the memory is left out, and its readers read the page by themselves. A group that executes fewer events
  // at once gets the first part, and its readers read the rest by themselves.
  private async renderForAll(page: EventPage): Promise<Map<FeedGroup, Frames>> {
    const groups = new Set<FeedGroup>();
    for (const { reader } of this.live) groups.add(reader.group);
    const rendered = new Map<FeedGroup, Frames>();
    let room = maxRenderedBytes;
    const render = async (group: FeedGroup) => {
      try {
        const frames = await this.options.frames.framesOf(group, page, page.from.seq, this.shares);
        room -= bytesOf(frames.frames);
        if (room >= 0) rendered.set(group, frames);
      } catch {
        // The readers of the group are now behind; catchUp handles the failure.
      }
    };
    await Promise.race([Promise.all([...groups].map(render)), delay(patienceMs)]);
    // A group that is ready later is left out: its readers read the page by themselves.
    room = -1;
    return rendered;
  }

  private keep(page: EventPage): void {
    const { pages, tenantId } = this.options;
    // Cached records of an erased person must not be shown again.
    const hasErased = page.events.some(({ type }) => type === 'LEAD_DELETED');
    if (hasErased) pages.forget(tenantId);
    // A reader behind a gap needs the RESYNC_REQUIRED event, not the events after the gap.
    if (hasErased || page.isResync) this.newest = [];
    if (!page.isResync) this.newest.push(page);
    let count = this.newest.reduce((sum, { events }) => sum + events.length, 0);
    while (count > keptEvents) count -= this.newest.shift()?.events.length ?? count;
  }

  /** @returns true if the reader took all frames */
  private write(entry: Entry, { frames, toSeq }: Frames, page: EventPage): boolean {
    const { isResync } = page;
    if (isResync) this.options.metrics.resyncs.inc();
    const { seq } = entry.position;
    const writtenSeq = entry.reader.write(frames, isResync ? -1 : seq);
    const reachedSeq = writtenSeq ?? (isResync ? toSeq : Math.max(seq, toSeq));
    if (isResync || reachedSeq !== seq) entry.position = positionIn(page, reachedSeq);
    return writtenSeq === undefined;
  }

  private async catchUp(entry: Entry): Promise<void> {
    for (let failures = 0; !entry.gone;) {
      if (!(await entry.reader.whenReady())) return this.leave(entry);
      if (entry.gone) return;
      if (this.handedOut !== undefined && isSamePosition(entry.position, this.handedOut)) {
        this.live.add(entry);
        return;
      }
      try {
        if (await this.step(entry)) return;
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures > maxFailures) return this.giveUp(entry, error);
        await delay(retryDelayMs);
      }
    }
  }

  /** @returns true where the reader has joined the live ones ahead of the tail; whether it has just caught up, the caller finds out */
  private async step(entry: Entry): Promise<boolean> {
    const { pages, frames, tenantId } = this.options;
    if (this.handedOut === undefined) await this.start();
    const { position } = entry;
    const page =
      this.newest.find((kept) => followsFrom(entry, kept) && position.seq < kept.to.seq && pages.isFresh(kept)) ??
      (await inOperation(this.operation, () => pages.readStretch(tenantId, position)));
    if (page.events.length === 0 && this.joinAhead(entry)) return true;
    const rendered = await frames.framesOf(entry.reader.group, page, position.seq, this.shares);
    if (entry.gone) return false;
    this.write(entry, rendered, page);
    // The socket had no room, or the log showed nothing new: asking again at once would give the same.
    if (entry.position.seq === position.seq && !page.isResync) await delay(retryDelayMs);
    return false;
  }

  // Another process has shown the reader events that this tail has still to read. The log has them, as the read at its head has shown.
  private joinAhead(entry: Entry): boolean {
    this.wake();
    if (entry.gone || entry.position.seq <= (this.handedOut?.seq ?? Infinity)) return false;
    this.live.add(entry);
    return true;
  }

  private giveUp(entry: Entry, error: unknown): void {
    const { log, tenantId } = this.options;
    log.warn({ err: error, tenantId }, 'a subscription was ended: its events could not be executed');
    this.leave(entry);
    entry.reader.end(new AppError('UNAVAILABLE', 'The events cannot be read now: subscribe again', { cause: error }));
  }
}

/** Returns whether a page goes on from what the reader has seen. If the page shows another event there, the log has lost the reader's. */
function followsFrom({ position }: Entry, page: EventPage): boolean {
  if (page.isResync || position.seq > page.to.seq) return true;
  return position.seq >= page.from.seq && isSamePosition(positionIn(page, position.seq), position);
}

/** Returns a page size that is a power of two, because connections keep a prepared statement for each size. */
function pageSizeFor(readerCount: number): number {
  const wanted = Math.max(minPageSize, Math.min(maxPageSize, writesPerPage / (readerCount + 1)));
  return 2 ** Math.floor(Math.log2(wanted));
}
