// What is made of events for the readers of one group, made once for all of them, and kept for a while for those that come later.

import { LRUCache } from 'lru-cache';
import type { EventPage } from './event-pages.js';

/** What one event became, ready to be written out. */
export interface Frame {
  readonly seq: number;
  readonly payload: Buffer;
}

/** Readers who get the same of every event. */
export interface FeedGroup {
  /** Unique in this process. */
  readonly id: number;
  /** Frames of the events that concern the group, in their order. Rejects where a dependency is down: then it is tried again. */
  make(page: EventPage): Promise<readonly Frame[]>;
}

const maxKeptBytes = 32 * 1024 * 1024;
const keptForMs = 5_000;
/** What an entry takes beside its payloads, roughly. */
const entryBytes = 500;

export class FrameMaker {
  private readonly kept = new LRUCache<string, readonly Frame[]>({
    maxSize: maxKeptBytes,
    ttl: keptForMs,
    sizeCalculation: (frames) => frames.reduce((sum, { payload }) => sum + payload.length, entryBytes),
  });
  private readonly making = new Map<string, Promise<readonly Frame[]>>();

  async framesOf(group: FeedGroup, page: EventPage): Promise<readonly Frame[]> {
    const key = `${page.id}:${group.id}`;
    return this.kept.get(key) ?? this.making.get(key) ?? this.make(key, group, page);
  }

  private make(key: string, group: FeedGroup, page: EventPage): Promise<readonly Frame[]> {
    const made = group.make(page).then((frames) => {
      this.kept.set(key, frames);
      return frames;
    });
    this.making.set(key, made);
    const forget = () => this.making.delete(key);
    made.then(forget, forget);
    return made;
  }
}
