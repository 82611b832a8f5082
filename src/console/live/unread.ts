// The open conversations with unread messages. Every page shows their number in the window's title.

import { askAgain } from '../api/client.js';
import { UnreadLeadsDocument } from '../api/operations.js';
import { Store } from '../app/store.js';
import { feed, type FeedEvent } from './feed.js';

/** The maximum of one reading: a higher number is shown as this one with a plus. */
export const maxUnread = 200;
const readAfterMs = 2_000;

const ids = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** At most `maxUnread`. */
export const unreadCount = new Store(0);

/** @returns a function that ends the updates */
export function followUnread(): () => void {
  const read = async () => {
    const { inbox } = await askAgain(UnreadLeadsDocument);
    ids.clear();
    for (const { node } of inbox.edges) ids.add(node.id);
    unreadCount.set(ids.size);
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
    const wasFull = ids.size === maxUnread;
    take(event);
    // The store does not know the conversations beyond the maximum, so it reads again.
    if (wasFull && ids.size < maxUnread) readSoon();
  };
  const leave = feed.listen({ onEvent, onResync: readQuietly });
  return () => {
    leave();
    clearTimeout(timer);
    timer = undefined;
    ids.clear();
    unreadCount.set(0);
  };
}

function take({ leadId, lead }: FeedEvent): void {
  if (leadId !== null) ids.delete(leadId);
  if (lead !== null) {
    if (lead.unreadCount === 0 || lead.conversationStatus !== 'OPEN') ids.delete(lead.id);
    else if (ids.size < maxUnread) ids.add(lead.id);
  }
  unreadCount.set(ids.size);
}
