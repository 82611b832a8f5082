// The reasons and sending times of queued messages. They are read while any queued message is shown.

import { useEffect, useState } from 'react';
import { ask } from '../../api/client.js';
import type { ChatMessage } from '../../live/conversation-store.js';
import { WaitingMessagesDocument, type WaitingMessagesQuery } from './operations.js';

export type Waiting = WaitingMessagesQuery['messages']['edges'][number]['node'];

const firstAskMs = 800;
const askEveryMs = 5_000;
const none: ReadonlyMap<string, Waiting> = new Map();

export function useWaiting(leadId: string, messages: readonly ChatMessage[]): ReadonlyMap<string, Waiting> {
  const [waiting, setWaiting] = useState(none);
  const key = messages
    .filter(({ status }) => status === 'QUEUED' || status === 'SENDING')
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (key === '') return setWaiting(none);
    let isOver = false;
    const read = async () => {
      if (document.visibilityState !== 'visible') return;
      const { messages: found } = await ask(WaitingMessagesDocument, { leadId });
      if (!isOver) setWaiting(new Map(found.edges.map(({ node }) => [node.id, node])));
    };
    // Most messages leave at once, so only messages that stay cause a call.
    const first = setTimeout(() => void read().catch(() => undefined), firstAskMs);
    const timer = setInterval(() => void read().catch(() => undefined), askEveryMs);
    return () => {
      isOver = true;
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [leadId, key]);
  return waiting;
}
