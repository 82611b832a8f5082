// Which open conversations have unread messages: the count in the window's title, on every page.

import { askAgain } from '../api/client.js';
import { UnreadLeadsDocument } from '../api/operations.js';
import { Store } from '../app/store.js';
import { feed } from './feed.js';
import type { FeedEvent } from './feed.js';

const ids = new Set<string>();

export const unreadCount = new Store(0);

/** @returns ends it */
export function followUnread(): () => void {
  const read = async () => {
    const { inbox } = await askAgain(UnreadLeadsDocument);
    ids.clear();
    for (const { node } of inbox.edges) ids.add(node.id);
    unreadCount.set(ids.size);
  };
  const readQuietly = () => void read().catch(() => undefined);
  readQuietly();
  const leave = feed.listen({ onEvent: take, onResync: readQuietly });
  return () => {
    leave();
    ids.clear();
    unreadCount.set(0);
  };
}

function take({ leadId, lead }: FeedEvent): void {
  if (leadId !== null) ids.delete(leadId);
  if (lead !== null) {
    if (lead.unreadCount > 0 && lead.conversationStatus === 'OPEN') ids.add(lead.id);
    else ids.delete(lead.id);
  }
  unreadCount.set(ids.size);
}
