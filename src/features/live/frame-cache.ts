// Has the frames of a page rendered once for all readers of a group, and keeps them for readers that come a little later. Bounds how much
// of a tenant is rendered at a time. transport/sockets/frame-renderer.ts renders.

import { LRUCache } from 'lru-cache';
import type { EventPage, FeedEvent } from './event-pages.js';

/** An event as bytes to write to a socket. */
export interface Frame {
  readonly seq: number;
  readonly payload: Buffer;
}

/** Readers that get the same frames. */
export interface FeedGroup {
  /** A number that is unique in this process. */
  readonly id: number;
  /** The number of events to execute at once, which bounds time and memory. It may decrease. */
  readonly eventsAtOnce: number;
  /** Renders the events that the group shows, in their order. Rejects if a dependency is down; the caller retries. */
  render(events: readonly FeedEvent[]): Promise<readonly Frame[]>;
}

/** The memory that frames take. */
export function bytesOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { payload }) => sum + payload.length, 0);
}

/** The frames of a part of a page. */
export interface Frames {
  readonly frames: readonly Frame[];
  /** The last event of that part. */
  readonly toSeq: number;
}

const maxKeptBytes = 32 * 1024 * 1024;
const defaultKeptForMs = 5_000;
/** The approximate memory of an entry without its payloads. */
const entryBytes = 500;

export class FrameCache {
  private readonly kept: LRUCache<string, Frames>;
  private readonly rendering = new Map<string, Promise<Frames>>();

  constructor(keptForMs: number = defaultKeptForMs) {
    this.kept = new LRUCache({
      maxSize: maxKeptBytes,
      ttl: keptForMs,
      sizeCalculation: ({ frames }) => bytesOf(frames) + entryBytes,
    });
  }

  /**
   * Returns the frames right after `seq`, for as many events of the page as the group executes at once. They may start before `seq`.
   * @param shares the bound on the work of a tenant's groups: together they do as much at a time as one group
   */
  async framesOf(group: FeedGroup, page: EventPage, seq: number, shares: Shares): Promise<Frames> {
    const index = page.events.findIndex((event) => event.seq > seq);
    const start = Math.max(0, index - (index % group.eventsAtOnce));
    const key = `${page.id}:${group.id}:${start}`;
    return this.kept.get(key) ?? this.rendering.get(key) ?? this.render(key, page, start, group, shares);
  }

  /** Removes expired frames from memory. Otherwise they stay until others replace them. */
  dropStale(): void {
    this.kept.purgeStale();
  }

  /** The number of cached entries. */
  get keptCount(): number {
    return this.kept.size;
  }

  private render(key: string, page: EventPage, start: number, group: FeedGroup, shares: Shares): Promise<Frames> {
    const { eventsAtOnce } = group;
    const events = page.events.slice(start, start + eventsAtOnce);
    const toSeq = page.events[start + eventsAtOnce - 1]?.seq ?? page.to.seq;
    const rendered = shares
      .run(Math.max(1, events.length) / eventsAtOnce, () => group.render(events))
      .then((frames) => {
        this.kept.set(key, { frames, toSeq });
        return { frames, toSeq };
      });
    this.rendering.set(key, rendered);
    const forget = () => this.rendering.delete(key);
    rendered.then(forget, forget);
    return rendered;
  }
}

interface Waiting {
  readonly part: number;
  readonly begin: () => void;
}

/** Runs work in parallel as long as its parts add up to at most 1; the rest waits in order. */
export class Shares {
  private taken = 0;
  private running = 0;
  private readonly waiting: Waiting[] = [];

  /** @param part the part of the whole, above 0 and at most 1 */
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
    // Sums of fractions drift, so an idle state resets the sum.
    this.taken = this.running === 0 ? 0 : this.taken - part;
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.part); next = this.waiting[0]) {
      this.waiting.shift();
      this.take(next.part);
      next.begin();
    }
  }
}
