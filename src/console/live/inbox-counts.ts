// The store counts the conversations that wait, are mine, belong to nobody or are unread. The navigation and the title show it.

import { askAgain } from '../api/client.js';
import { Meanwhile, type Change } from '../api/meanwhile.js';
import { InboxCountsDocument, type LeadRowFragment } from '../api/operations.js';
import { RequestError } from '../api/request-error.js';
import { sessionState } from '../app/session.js';
import { Store } from '../app/store.js';
import { feed, type FeedEvent } from './feed.js';

/** The maximum of one reading: a higher number is shown as this one with a plus. */
export const maxUnread = 200;
export const maxCounted = 100;
const readAfterMs = 2_000;

const counted = ['unread', 'waiting', 'mine', 'unassigned'] as const;
export type Counted = (typeof counted)[number];

/** At most `maxUnread` unread ones, and `maxCounted` of each other kind. */
export const inboxCounts = new Store<Readonly<Record<Counted, number>>>(countsOf(() => 0));

type Ids = Readonly<Record<Counted, Set<string>>>;

const noIds = (): Ids => ({ unread: new Set(), waiting: new Set(), mine: new Set(), unassigned: new Set() });

let ids = noIds();
const maxOf = (kind: Counted) => (kind === 'unread' ? maxUnread : maxCounted);
let timer: ReturnType<typeof setTimeout> | undefined;
/** The newest reading. The answers of older ones are not taken. */
let run = 0;
const meanwhile = new Meanwhile<Ids>();

/** @returns a function that ends the updates */
export function followInboxCounts(): () => void {
  const update = (from: Ids, change: Change<Ids>) => {
    const full = counted.filter((kind) => from[kind].size === maxOf(kind));
    ids = change(from);
    publish();
    // The store does not know the conversations beyond the maximum, so it reads again.
    if (full.some((kind) => ids[kind].size < maxOf(kind))) readSoon();
  };
  const read = async () => {
    const own = (run += 1);
    // Without waiting, changes between the answer and the first event would be missed.
    await feed.whenReady();
    if (own !== run) return;
    meanwhile.begin();
    const userId = sessionState.value.user?.id ?? '';
    const found = await askAgain(InboxCountsDocument, { userId }).catch((error: unknown) => {
      if (own !== run) return undefined;
      meanwhile.end();
      if (error instanceof RequestError && error.isTemporary) readSoon();
      return undefined;
    });
    if (own !== run || found === undefined) return;
    const next = noIds();
    for (const kind of counted) for (const { node } of found[kind].edges) next[kind].add(node.id);
    update(next, meanwhile.end());
  };
  const readQuietly = () => void read().catch(() => undefined);
  const readSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      readQuietly();
    }, readAfterMs);
  };
  readQuietly();
  const onEvent = (event: FeedEvent) => {
    const change = (now: Ids) => take(now, event);
    meanwhile.add(change);
    update(ids, change);
  };
  const leave = feed.listen({ onEvent, onResync: readQuietly });
  return () => {
    leave();
    run += 1;
    clearTimeout(timer);
    timer = undefined;
    ids = noIds();
    publish();
  };
}

function take(now: Ids, { leadId, lead }: FeedEvent): Ids {
  for (const kind of counted) {
    if (leadId !== null) now[kind].delete(leadId);
    if (lead === null) continue;
    if (!belongs(kind, lead)) now[kind].delete(lead.id);
    else if (now[kind].size < maxOf(kind)) now[kind].add(lead.id);
  }
  return now;
}

function belongs(kind: Counted, lead: LeadRowFragment): boolean {
  if (lead.conversationStatus !== 'OPEN' || lead.lastMessage === null) return false;
  if (kind === 'unread') return lead.unreadCount > 0;
  if (kind === 'waiting') return lead.waitingSince !== null;
  return kind === 'unassigned' ? lead.assignee === null : lead.assignee?.id === sessionState.value.user?.id;
}

function publish(): void {
  const next = countsOf((kind) => ids[kind].size);
  if (counted.some((kind) => next[kind] !== inboxCounts.value[kind])) inboxCounts.set(next);
}

function countsOf(count: (kind: Counted) => number): Readonly<Record<Counted, number>> {
  return { unread: count('unread'), waiting: count('waiting'), mine: count('mine'), unassigned: count('unassigned') };
}
