// Marks the lead's messages as read once the newest is visible: at the end of the log, in a focused window.

import { useEffect, useRef, useState } from 'react';
import { ask } from '../../api/client.js';
import { MarkConversationReadDocument } from '../../api/operations.js';
import { useStore } from '../../app/store.js';
import { useStable } from '../../app/use-stable.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';

const settleMs = 300;

/** @returns a function that keeps the present messages unread */
export function useMarkRead(
  conversation: Conversation,
  lead: ConversationLead | undefined,
  isAtNewest: boolean,
): () => void {
  const { messages } = useStore(conversation.messages.state);
  const hasFocus = useWindowFocus();
  const keptUnread = useRef<string>(undefined);
  const newest = messages.findLast(({ direction }) => direction === 'INBOUND')?.id;
  const unread = lead?.unreadCount ?? 0;
  const leadId = lead?.id;
  useEffect(() => {
    if (leadId === undefined || unread === 0 || newest === undefined || !isAtNewest || !hasFocus) return undefined;
    if (keptUnread.current === newest) return undefined;
    const timer = setTimeout(() => {
      ask(MarkConversationReadDocument, { id: leadId, upToMessageId: newest }).then(
        ({ markLeadRead }) => conversation.changeLead({ unreadCount: markLeadRead.unreadCount }),
        // The next message or the next focus marks them again.
        () => undefined,
      );
    }, settleMs);
    return () => clearTimeout(timer);
  }, [leadId, unread, newest, isAtNewest, hasFocus]);
  return useStable(() => {
    keptUnread.current = newest;
  });
}

function useWindowFocus(): boolean {
  const read = () => document.visibilityState === 'visible' && document.hasFocus();
  const [hasFocus, setFocus] = useState(read);
  useEffect(() => {
    const look = () => setFocus(read());
    addEventListener('focus', look);
    addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return hasFocus;
}
