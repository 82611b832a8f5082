// What is made of events for the readers of one group, made once for all of them, and kept for a while for those that come later.

import { LRUCache } from 'lru-cache';
import type { EventPage, FeedEvent } from './event-pages.js';

/** What one event became, ready to be written out. */
export interface Frame {
  readonly seq: number;
  readonly payload: Buffer;
}

/** Readers who get the same of every event. */
export interface FeedGroup {
  /** Unique in this process. */
  readonly id: number;
  /** What is made of more events than this takes too long, and too much memory, for one go. It may become less. */
  readonly eventsAtOnce: number;
  /** Frames of the events that concern the group, in their order. Rejects where a dependency is down: then it is tried again. */
  make(events: readonly FeedEvent[]): Promise<readonly Frame[]>;
}

/** What frames take in memory. */
export function bytesOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { payload }) => sum + payload.length, 0);
}

/** What was made of a part of a page. */
export interface Frames {
  readonly frames: readonly Frame[];
  /** The last event that was looked at. */
  readonly toSeq: number;
}

const maxKeptBytes = 32 * 1024 * 1024;
const defaultKeptForMs = 5_000;
/** What an entry takes beside its payloads, roughly. */
const entryBytes = 500;

export class FrameMaker {
  private readonly kept: LRUCache<string, Frames>;
  private readonly making = new Map<string, Promise<Frames>>();

  constructor(keptForMs: number = defaultKeptForMs) {
    this.kept = new LRUCache({
      maxSize: maxKeptBytes,
      ttl: keptForMs,
      sizeCalculation: ({ frames }) => bytesOf(frames) + entryBytes,
    });
  }

  /**
   * What comes right after `seq`, which lies in the page; as much as the group makes in one go, and perhaps something before it.
   * @param shares what a tenant's groups make at a time: together as much as one group in one go
   */
  async framesOf(group: FeedGroup, page: EventPage, seq: number, shares: Shares): Promise<Frames> {
    const index = page.events.findIndex((event) => event.seq > seq);
    const start = Math.max(0, index - (index % group.eventsAtOnce));
    const key = `${page.id}:${group.id}:${start}`;
    return this.kept.get(key) ?? this.making.get(key) ?? this.make(key, page, start, group, shares);
  }

  /** Lets go of what nobody will be given any more; otherwise it would stay until something else takes its place. */
  dropStale(): void {
    this.kept.purgeStale();
  }

  /** How many pieces are kept. */
  get keptCount(): number {
    return this.kept.size;
  }

  private make(key: string, page: EventPage, start: number, group: FeedGroup, shares: Shares): Promise<Frames> {
    const { eventsAtOnce } = group;
    const events = page.events.slice(start, start + eventsAtOnce);
    const toSeq = page.events[start + eventsAtOnce - 1]?.seq ?? page.toSeq;
    const made = shares
      .run(Math.max(1, events.length) / eventsAtOnce, () => group.make(events))
      .then((frames) => {
        this.kept.set(key, { frames, toSeq });
        return { frames, toSeq };
      });
    this.making.set(key, made);
    const forget = () => this.making.delete(key);
    made.then(forget, forget);
    return made;
  }
}

interface Waiting {
  readonly part: number;
  readonly begin: () => void;
}

export class Shares {
  private taken = 0;
  private running = 0;
  private readonly waiting: Waiting[] = [];

  /** @param part of the whole, above 0 and at most 1 */
  async run<Result>(part: number, work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length === 0 && this.hasRoomFor(part)) this.take(part);
    else await new Promise<void>((begin) => this.waiting.push({ part, begin }));
    try {
      return await work();
    } finally {
      this.giveBack(part);
    }
  }

  private hasRoomFor(part: number): boolean {
    return this.running === 0 || this.taken + part <= 1;
  }

  private take(part: number): void {
    this.running += 1;
    this.taken += part;
  }

  private giveBack(part: number): void {
    this.running -= 1;
    // Sums of fractions drift.
    this.taken = this.running === 0 ? 0 : this.taken - part;
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.part); next = this.waiting[0]) {
      this.waiting.shift();
      this.take(next.part);
      next.begin();
    }
  }
}
