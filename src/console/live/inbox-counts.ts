// The store counts the conversations that wait, are mine, belong to nobody or are unread. The navigation and the title show it.

import { askAgain } from '../api/client.js';
import { InboxCountsDocument, type LeadRowFragment } from '../api/operations.js';
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

const ids: Readonly<Record<Counted, Set<string>>> = {
  unread: new Set(),
  waiting: new Set(),
  mine: new Set(),
  unassigned: new Set(),
};
const maxOf = (kind: Counted) => (kind === 'unread' ? maxUnread : maxCounted);
let timer: ReturnType<typeof setTimeout> | undefined;

/** @returns a function that ends the updates */
export function followInboxCounts(): () => void {
  const read = async () => {
    const userId = sessionState.value.user?.id ?? '';
    const found = await askAgain(InboxCountsDocument, { userId });
    for (const kind of counted) {
      ids[kind].clear();
      for (const { node } of found[kind].edges) ids[kind].add(node.id);
    }
    publish();
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
    const full = counted.filter((kind) => ids[kind].size === maxOf(kind));
    take(event);
    // The store does not know the conversations beyond the maximum, so it reads again.
    if (full.some((kind) => ids[kind].size < maxOf(kind))) readSoon();
  };
  const leave = feed.listen({ onEvent, onResync: readQuietly });
  return () => {
    leave();
    clearTimeout(timer);
    timer = undefined;
    for (const kind of counted) ids[kind].clear();
    publish();
  };
}

function take({ leadId, lead }: FeedEvent): void {
  for (const kind of counted) {
    if (leadId !== null) ids[kind].delete(leadId);
    if (lead === null) continue;
    if (!belongs(kind, lead)) ids[kind].delete(lead.id);
    else if (ids[kind].size < maxOf(kind)) ids[kind].add(lead.id);
  }
  publish();
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
