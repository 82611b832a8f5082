// Chooses the instance that sends the answer: the quoted message's, else the user's choice, else the lead's reply instance.

import { useEffect, useMemo } from 'react';
import { askAgain } from '../../api/client.js';
import { ChatInstancesDocument, type ChatInstancesQuery } from '../../api/operations.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { sessionState } from '../../app/session.js';
import { Store, useStore } from '../../app/store.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Draft } from '../../live/drafts.js';
import { feed, type FeedEvent } from '../../live/feed.js';
import { WindowOfInstanceDocument } from './operations.js';

export type Instance = ChatInstancesQuery['chatInstances'][number];

export interface SendingInstance {
  instanceId: string | undefined;
  instance: Instance | undefined;
  instances: readonly Instance[];
  /** True once the instances are read. */
  isKnown: boolean;
  hasChannelTemplates: boolean;
  window: { isOpen: boolean; closesAt: string | null } | undefined;
}

// The list survives a change of conversation, so that opening one neither reads nor renders it again. Events keep it current. A new
// instance has no event, so the list is also read from time to time.
const known = new Store<{ instances: readonly Instance[]; readAt: number }>({ instances: [], readAt: 0 });
const freshMs = 30_000;
/** Delays the reading until the conversation is on the screen. */
const readAfterMs = 100;

export function useSendingInstance(lead: ConversationLead, draft: Draft): SendingInstance {
  const { instances, isKnown } = useInstances();
  const replyId = lead.replyInstance?.id;
  const wanted = draft.quote?.instanceId ?? draft.instanceId;
  const instanceId = instances.some(({ id }) => id === wanted) ? wanted : replyId;
  const instance = instances.find(({ id }) => id === instanceId);
  const isOther = instanceId !== undefined && instanceId !== replyId;
  const other = useLoaded(isOther ? `window ${lead.id} ${instanceId} ${lead.lastInboundAt}` : undefined, () =>
    askAgain(WindowOfInstanceDocument, { id: lead.id, instanceId: instanceId ?? '' }),
  );
  const window = isOther ? other.data?.lead?.replyWindow : lead.replyWindow;
  const hasChannelTemplates = instance?.provider === 'cloud';
  return { instanceId, instance, instances, isKnown, hasChannelTemplates, window: window ?? undefined };
}

/** Returns the active instances with their current state. */
function useInstances(): Pick<SendingInstance, 'instances' | 'isKnown'> {
  const { instances, readAt } = useStore(known);
  useFeed(
    ({ chatInstance }) => chatInstance !== null && change(chatInstance),
    () => void read(),
  );
  useEffect(() => {
    const { value } = known;
    if (Date.now() - value.readAt < freshMs) return undefined;
    const timer = setTimeout(() => void read(), value.readAt === 0 ? 0 : readAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const inUse = useMemo(() => instances.filter(({ status }) => status !== 'INACTIVE'), [instances]);
  return { instances: inUse, isKnown: readAt > 0 };
}

async function read(): Promise<void> {
  try {
    await feed.whenReady();
    const { chatInstances } = await askAgain(ChatInstancesDocument);
    known.set({ instances: chatInstances, readAt: Date.now() });
  } catch {
    // The next conversation or reconnection reads the list again.
  }
}

type Change = NonNullable<FeedEvent['chatInstance']>;

// Most events of an instance only report a message that it carried. They change nothing, so nothing renders again.
function change(told: Change): void {
  known.update((now) => {
    const before = now.instances.find(({ id }) => id === told.id);
    const keys = Object.keys(told) as (keyof Change)[];
    if (before === undefined || keys.every((key) => before[key] === told[key])) return now;
    return { ...now, instances: now.instances.map((one) => (one === before ? { ...one, ...told } : one)) };
  });
}

// The list belongs to one user's session, so it is cleared when the session changes.
sessionState.subscribe(() => known.set({ instances: [], readAt: 0 }));
