// Through which instance the answer leaves: the one that was chosen, that of the quote, or the one that answers by itself.

import { useEffect } from 'react';
import { askAgain } from '../../api/client.js';
import { ChatInstancesDocument } from '../../api/operations.js';
import type { ChatInstancesQuery } from '../../api/operations.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Draft } from '../../live/drafts.js';
import { WindowOfInstanceDocument } from './operations.js';

export type Instance = ChatInstancesQuery['chatInstances'][number];

export interface SendingInstance {
  instanceId: string | undefined;
  instance: Instance | undefined;
  instances: readonly Instance[];
  /** Whether the instances are read. */
  isKnown: boolean;
  hasChannelTemplates: boolean;
  window: { isOpen: boolean; closesAt: string | null } | undefined;
}

// Between conversations the list stays; events and each reading bring it up to date.
let lastKnown: readonly Instance[] = [];

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

/** Those in use, as they are now. */
function useInstances(): Pick<SendingInstance, 'instances' | 'isKnown'> {
  const { data, reload, change } = useLoaded('chat instances', () => askAgain(ChatInstancesDocument));
  useFeed(({ chatInstance }) => {
    if (chatInstance === null) return;
    change(({ chatInstances }) => ({
      chatInstances: chatInstances.map((one) => (one.id === chatInstance.id ? { ...one, ...chatInstance } : one)),
    }));
  }, reload);
  useEffect(() => {
    if (data !== undefined) lastKnown = data.chatInstances;
  }, [data]);
  const instances = (data?.chatInstances ?? lastKnown).filter(({ status }) => status !== 'INACTIVE');
  return { instances, isKnown: data !== undefined };
}
