// The readers of one tenant's events in this process. Those who have seen everything are written to together, at each new page;
// who is behind (resuming, slow, or failing) reads the log for itself until it has caught up.

import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../platform/errors.js';
import type { EventLog } from '../../platform/event-log.js';
import type { Logger } from '../../platform/logger.js';
import type { Metrics } from '../../platform/metrics.js';
import { Operation, inOperation } from '../../platform/operation.js';
import { bytesOf, Shares } from './frames.js';
import type { EventPage, EventPages } from './event-pages.js';
import type { FeedGroup, Frame, FrameMaker, Frames } from './frames.js';

/** One subscription, as the feed sees it. */
export interface FeedReader {
  /** May change: what comes next is made for the new one. */
  readonly group: FeedGroup;
  /**
   * Writes out what comes after `afterSeq`, at once.
   * @returns the seq of the last frame that was written where it can take no more, `undefined` where all of it was written
   */
  write(frames: readonly Frame[], afterSeq: number): number | undefined;
  /** Resolves once it can take more; false where it never will. */
  whenReady(): Promise<boolean>;
  /** It gets nothing any more. */
  end(error?: Error): void;
}

export interface TailOptions {
  tenantId: string;
  eventLog: EventLog;
  pages: EventPages;
  frames: FrameMaker;
  log: Logger;
  metrics: Metrics;
}

interface Entry {
  readonly reader: FeedReader;
  seq: number;
  gone: boolean;
}

const maxPageSize = 512;
const minPageSize = 8;
/** Writes that a page may ask for before others get their turn. */
const writesPerPage = 20_000;
/** Events of the newest pages that are kept for who is a little behind. */
const keptEvents = 500;
/** What takes longer for one group is not waited for with the others. */
const patienceMs = 100;
/** What is made of a page for all groups together, before it is written out. */
const maxMadeBytes = 8 * 1024 * 1024;
const retryDelayMs = 500;
const maxFailures = 60;

export class TenantTail {
  private readonly entries = new Set<Entry>();
  /** Of these, those who have seen everything. */
  private readonly live = new Set<Entry>();
  private readonly shares = new Shares();
  private newest: EventPage[] = [];
  /** The last event that was handed out; undefined until the log's head was read. */
  private seq: number | undefined;
  private starting: Promise<number> | undefined;
  private reading = false;
  private again = false;
  /** Reading for its subscriptions counts against the tenant's share of connections. */
  private readonly reader: Operation;

  constructor(private readonly options: TailOptions) {
    this.reader = new Operation({ tenantId: options.tenantId });
  }

  /** How many read, and miss nothing from now on. */
  get size(): number {
    return this.seq === undefined ? 0 : this.entries.size;
  }

  /** How many read, those included that are behind. */
  get readerCount(): number {
    return this.entries.size;
  }

  /** Whether nobody reads, or is about to. */
  get isIdle(): boolean {
    return this.entries.size === 0;
  }

  /** The last event that was handed out; undefined before it has begun. */
  get position(): number | undefined {
    return this.seq;
  }

  /** @param afterSeq undefined: from now on @returns a function that ends it; safe to repeat */
  async follow(reader: FeedReader, afterSeq: number | undefined): Promise<() => void> {
    const entry: Entry = { reader, seq: afterSeq ?? 0, gone: false };
    this.entries.add(entry);
    try {
      entry.seq = afterSeq ?? (await this.start());
    } catch (error) {
      this.leave(entry);
      throw error;
    }
    if (this.seq === undefined) await this.start().catch(() => undefined);
    void this.catchUp(entry);
    return () => this.leave(entry);
  }

  /** There may be new events. */
  wake(): void {
    if (this.seq === undefined) return;
    this.again = true;
    if (!this.reading) void this.read();
  }

  stop(): void {
    for (const entry of this.entries) {
      this.leave(entry);
      entry.reader.end();
    }
  }

  private async start(): Promise<number> {
    if (this.seq !== undefined) return this.seq;
    this.starting ??= this.options.eventLog.headOf(this.options.tenantId);
    try {
      this.seq ??= await this.starting;
    } finally {
      this.starting = undefined;
    }
    // What was written while the head was being read has woken nobody.
    this.wake();
    return this.seq;
  }

  private leave(entry: Entry): void {
    entry.gone = true;
    this.entries.delete(entry);
    this.live.delete(entry);
  }

  private async read(): Promise<void> {
    const { pages, tenantId, log } = this.options;
    this.reading = true;
    try {
      while (this.again && this.entries.size > 0) {
        this.again = false;
        const limit = pageSizeFor(this.live.size);
        const page = await inOperation(this.reader, () => pages.readNew(tenantId, this.seq ?? 0, limit));
        if (page === undefined) continue;
        await this.handOut(page);
        this.again ||= page.events.length >= limit;
        if (this.again) await nextTurn();
      }
    } catch (error) {
      log.warn({ err: error, tenantId }, 'events could not be read; the timer tries again');
    } finally {
      this.reading = false;
    }
  }

  private async handOut(page: EventPage): Promise<void> {
    const made = await this.makeForAll(page);
    // From here to the end nothing waits: whoever is live has seen everything, before as after.
    this.seq = page.toSeq;
    this.keep(page);
    this.countLag(page);
    let delivered = 0;
    for (const entry of this.live) {
      const frames = made.get(entry.reader.group);
      if (frames !== undefined && this.write(entry, frames, page) && entry.seq >= page.toSeq) {
        delivered += frames.frames.length;
        continue;
      }
      this.live.delete(entry);
      void this.catchUp(entry);
    }
    this.options.metrics.liveEvents.inc(delivered);
  }

  // Clocks differ: what seems to come before it was written came at once.
  private countLag({ events: [oldest], isResync }: EventPage): void {
    if (oldest === undefined || isResync || this.live.size === 0) return;
    this.options.metrics.liveLag.observe(Math.max(0, Date.now() - oldest.occurredAt.getTime()) / 1_000);
  }

  // A group that takes long, makes fewer events in one go, or makes more than there is room for goes on by itself.
  private async makeForAll(page: EventPage): Promise<Map<FeedGroup, Frames>> {
    const groups = new Set<FeedGroup>();
    for (const { reader } of this.live) groups.add(reader.group);
    const made = new Map<FeedGroup, Frames>();
    let room = maxMadeBytes;
    const make = async (group: FeedGroup) => {
      try {
        const frames = await this.options.frames.framesOf(group, page, page.fromSeq, this.shares);
        room -= bytesOf(frames.frames);
        if (room >= 0) made.set(group, frames);
      } catch {
        // Its readers are behind from now on, and meet the failure again where it is dealt with.
      }
    };
    await Promise.race([Promise.all([...groups].map(make)), delay(patienceMs)]);
    room = -1;
    return made;
  }

  private keep(page: EventPage): void {
    const { pages, tenantId } = this.options;
    // Of whom was erased nothing is shown again.
    const hasErased = page.events.some(({ type }) => type === 'LEAD_DELETED');
    if (hasErased) pages.forget(tenantId);
    // Whoever is behind a gap has to be told of it, not handed what came after.
    if (hasErased || page.isResync) this.newest = [];
    if (!page.isResync) this.newest.push(page);
    let count = this.newest.reduce((sum, { events }) => sum + events.length, 0);
    while (count > keptEvents) count -= this.newest.shift()?.events.length ?? count;
  }

  /** @returns whether it has taken all of them */
  private write(entry: Entry, { frames, toSeq }: Frames, { isResync }: EventPage): boolean {
    if (isResync) this.options.metrics.resyncs.inc();
    const writtenSeq = entry.reader.write(frames, isResync ? -1 : entry.seq);
    entry.seq = writtenSeq ?? (isResync ? toSeq : Math.max(entry.seq, toSeq));
    return writtenSeq === undefined;
  }

  private async catchUp(entry: Entry): Promise<void> {
    for (let failures = 0; !entry.gone;) {
      if (!(await entry.reader.whenReady())) return this.leave(entry);
      if (entry.gone) return;
      if (this.seq !== undefined && entry.seq >= this.seq) {
        this.live.add(entry);
        return;
      }
      try {
        await this.step(entry);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures > maxFailures) return this.giveUp(entry, error);
        await delay(retryDelayMs);
      }
    }
  }

  private async step(entry: Entry): Promise<void> {
    const { pages, frames, tenantId } = this.options;
    if (this.seq === undefined) await this.start();
    const { seq } = entry;
    const page =
      this.newest.find((kept) => kept.fromSeq <= seq && seq < kept.toSeq && pages.isFresh(kept)) ??
      (await inOperation(this.reader, () => pages.readStretch(tenantId, seq)));
    const { group } = entry.reader;
    const made = await frames.framesOf(group, page, seq, this.shares);
    if (entry.gone || entry.reader.group !== group) return;
    this.write(entry, made, page);
    if (entry.seq === seq && !page.isResync) await delay(retryDelayMs);
  }

  private giveUp(entry: Entry, error: unknown): void {
    const { log, tenantId } = this.options;
    log.warn({ err: error, tenantId }, 'a subscription was ended: its events could not be made');
    this.leave(entry);
    entry.reader.end(new AppError('UNAVAILABLE', 'The events cannot be read now: subscribe again', { cause: error }));
  }
}

/** Powers of two: each size is a statement that a connection keeps. */
function pageSizeFor(readerCount: number): number {
  const wanted = Math.max(minPageSize, Math.min(maxPageSize, writesPerPage / (readerCount + 1)));
  return 2 ** Math.floor(Math.log2(wanted));
}
