// The conversations of one inbox view: pages from the server, kept current by the feed. While the list is held (pointer or focus in it, or
// scrolled), rows change in place, and new or moved rows wait.

import type { FeedSubscription, InboxOrder, LeadRowFragment } from '../api/operations.js';
import { Store } from '../app/store.js';
import { matches, sortKeyOf, type InboxQuery } from './inbox-filter.js';

type FeedEvent = FeedSubscription['events'];

export interface InboxPage {
  rows: { row: LeadRowFragment; cursor: string }[];
  hasMore: boolean;
}

export interface InboxState {
  /** The rows in the order shown. */
  rows: readonly LeadRowFragment[];
  /** The number of conversations that wait to appear or to move up. */
  waiting: number;
  isLoading: boolean;
  hasMore: boolean;
  error?: unknown;
}

interface Entry {
  row: LeadRowFragment;
  key: number;
  /** True if the row belongs to the view. */
  isIn: boolean;
  /** The cursor of the row's page. Rows from the feed have none. */
  cursor?: string;
}

/** A list that is not scrolled drops rows beyond this number. */
const maxKept = 400;
const searchPauseMs = 1_000;

export class InboxStore {
  readonly state = new Store<InboxState>({ rows: [], waiting: 0, isLoading: true, hasMore: false });
  private readonly entries = new Map<string, Entry>();
  private shown: string[] = [];
  private isHeld = false;
  private hasMore = false;
  private wasRead = false;
  private reading: Promise<void> | undefined;
  /** Events that arrived while a page was being read. */
  private meanwhile: FeedEvent[] | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly query: InboxQuery,
    /** Reads a page. `wanted` is how many rows are shown: a page may have more, and has fewer where that is too many for one. */
    private readonly read: (after: string | undefined, wanted: number) => Promise<InboxPage>,
  ) {}

  /** Reads the first page again. The shown rows stay until the answer. */
  load(): Promise<void> {
    return this.readPage(undefined);
  }

  /** Reads all the pages again that are shown, so that a list that was read on stays as long. */
  readAgain(): Promise<void> {
    return this.readPage(undefined, this.entries.size);
  }

  loadMore(): Promise<void> {
    if (this.reading !== undefined || !this.hasMore) return this.reading ?? Promise.resolve();
    return this.readPage(this.lastCursor());
  }

  /** Shows the rows of an earlier visit until the first answer. */
  restore(rows: readonly LeadRowFragment[]): void {
    if (this.wasRead || this.entries.size > 0) return;
    this.enter(rows.map((row) => ({ row })));
    this.arrange();
    this.publish();
  }

  /** @param isHeld true if rows must stay in their places */
  hold(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    if (!isHeld) this.show();
  }

  /** Shows the waiting rows, even while the list is held. */
  bringIn(): void {
    this.arrange();
    this.publish();
  }

  receive(event: FeedEvent): void {
    if (this.meanwhile !== undefined) this.meanwhile.push(event);
    if (this.apply(event)) this.show();
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async readPage(after: string | undefined, wanted = 0): Promise<void> {
    // Another reading that has waited too may begin first.
    while (this.reading !== undefined) await this.reading;
    this.meanwhile = [];
    this.state.update((now) => ({ ...now, isLoading: true, error: undefined }));
    this.reading = this.readRows(after, wanted)
      .then((page) => this.take(page, after === undefined))
      .catch((error: unknown) => this.state.update((now) => ({ ...now, isLoading: false, error })))
      .finally(() => {
        this.reading = undefined;
        this.meanwhile = undefined;
      });
    return this.reading;
  }

  private async readRows(after: string | undefined, wanted: number): Promise<InboxPage> {
    const page = await this.read(after, wanted);
    const missing = wanted - page.rows.length;
    const last = page.rows.at(-1);
    if (missing <= 0 || !page.hasMore || last === undefined) return page;
    const next = await this.readRows(last.cursor, missing);
    return { rows: [...page.rows, ...next.rows], hasMore: next.hasMore };
  }

  private take({ rows, hasMore }: InboxPage, isFirst: boolean): void {
    if (isFirst) this.entries.clear();
    this.wasRead = true;
    this.hasMore = hasMore;
    this.enter(rows);
    for (const event of this.meanwhile ?? []) this.apply(event);
    if (!this.isHeld || this.shown.length === 0) this.arrange();
    else this.shown = this.stay(isFirst ? [] : rows.map(({ row }) => row.id));
    this.publish(false);
  }

  private enter(rows: readonly Pick<Entry, 'row' | 'cursor'>[]): void {
    let before = -Number.MAX_VALUE;
    for (const entry of rows) {
      const { row } = entry;
      // A bulk message does not move its lead. Such a row keeps the place that the server gave it.
      const key = isMoved(row, this.query.orderBy) ? sortKeyOf(row, this.query.orderBy) : before;
      before = Math.max(before, key);
      this.entries.set(row.id, { ...entry, key, isIn: true });
    }
  }

  /** Keeps the shown rows in their places and appends new ones. */
  private stay(more: readonly string[]): string[] {
    const kept = this.shown.filter((id) => this.entries.has(id));
    return [...kept, ...more.filter((id) => !kept.includes(id))];
  }

  private lastCursor(): string | undefined {
    return this.shown.map((id) => this.entries.get(id)?.cursor).findLast((cursor) => cursor !== undefined);
  }

  /** @returns true if the shown list may have changed */
  private apply({ type, lead, leadId }: FeedEvent): boolean {
    if (leadId !== null && (type === 'LEAD_DELETED' || lead?.mergedInto != null)) {
      this.drop(leadId);
      return true;
    }
    if (lead === null) return false;
    const { filter, orderBy } = this.query;
    const known = this.entries.get(lead.id);
    const fits = matches(lead, filter);
    if (fits === 'unknown') {
      if (known === undefined) this.readSoon();
      else known.row = lead;
      return known !== undefined;
    }
    if (known === undefined) {
      if (!fits || !isMoved(lead, orderBy) || this.isBehind(lead)) return false;
      this.entries.set(lead.id, { row: lead, key: sortKeyOf(lead, orderBy), isIn: true });
      return true;
    }
    // A lead without messages has nothing to show: they were the other's, from whom it was separated.
    if (lead.lastMessage === null) {
      this.drop(lead.id);
      return true;
    }
    known.row = lead;
    known.isIn = fits;
    if (isMoved(lead, orderBy)) known.key = sortKeyOf(lead, orderBy);
    return true;
  }

  // A row behind the pages read so far will come with its own page.
  private isBehind(row: LeadRowFragment): boolean {
    if (!this.hasMore) return false;
    const last = this.shown.at(-1);
    const entry = last === undefined ? undefined : this.entries.get(last);
    return entry !== undefined && sortKeyOf(row, this.query.orderBy) > entry.key;
  }

  private drop(id: string): void {
    this.entries.delete(id);
    this.shown = this.shown.filter((one) => one !== id);
  }

  private readSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.readAgain();
    }, searchPauseMs);
  }

  private show(): void {
    if (!this.isHeld) this.arrange();
    this.publish();
  }

  private inOrder(): string[] {
    return [...this.entries]
      .filter(([, { isIn }]) => isIn)
      .toSorted(([oneId, one], [otherId, other]) => one.key - other.key || (oneId < otherId ? 1 : -1))
      .map(([id]) => id);
  }

  private arrange(): void {
    this.shown = this.inOrder();
    if (!this.isHeld && this.shown.length > maxKept) {
      this.shown = this.shown.slice(0, maxKept);
      this.hasMore = true;
    }
    const kept = new Set(this.shown);
    for (const id of this.entries.keys()) if (!kept.has(id)) this.entries.delete(id);
  }

  private publish(isLoading = this.state.value.isLoading): void {
    const rows = this.shown.flatMap((id) => this.entries.get(id)?.row ?? []);
    this.state.set({ rows, waiting: this.countWaiting(), isLoading, hasMore: this.hasMore });
  }

  /** Counts the rows that are not shown yet, and the rows with an inbound message that stand lower than they belong. */
  private countWaiting(): number {
    const places = new Map(this.shown.map((id, place) => [id, place]));
    let lowest = Number.MAX_SAFE_INTEGER;
    let count = 0;
    // The loop goes from the last row of the true order upwards. Each shown row should stand above the rows before it in the loop.
    for (const id of this.inOrder().toReversed()) {
      const place = places.get(id);
      if (place !== undefined && place < lowest) lowest = place;
      else if (place === undefined || this.entries.get(id)?.row.lastMessage?.direction === 'INBOUND') count += 1;
    }
    return count;
  }
}

/** Returns true if the row's own data decides its place in the order. */
function isMoved({ lastMessage, waitingSince, lastInboundAt }: LeadRowFragment, orderBy: InboxOrder): boolean {
  if (orderBy === 'LONGEST_WAITING' && waitingSince !== null) return true;
  if (orderBy === 'NEWEST_INBOUND' && lastInboundAt !== null) return true;
  return lastMessage !== null && lastMessage?.origin !== 'BULK';
}
