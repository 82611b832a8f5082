// Chooses the instance that sends the answer: the quoted message's, else the user's choice, else the lead's reply instance.

import { askAgain } from '../../api/client.js';
import { useInstances, type Instance } from '../../api/use-instances.js';
import { useLoaded } from '../../api/use-loaded.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Draft } from '../../live/drafts.js';
import { providers } from '../../parts/providers.js';
import { WindowOfInstanceDocument } from './operations.js';

export interface SendingInstance {
  instanceId: string | undefined;
  instance: Instance | undefined;
  instances: readonly Instance[];
  /** True once the instances are read. */
  isKnown: boolean;
  hasChannelTemplates: boolean;
  window: { isOpen: boolean; closesAt: string | null } | undefined;
  /** Returns the change of a draft that chooses this instance. The lead's own is no choice: it follows the lead. */
  choice: (instanceId: string) => Pick<Draft, 'instanceId'>;
}

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
  const hasChannelTemplates = instance !== undefined && providers[instance.provider]?.hasTemplates === true;
  const choice = (chosen: string) => ({ instanceId: chosen === replyId ? undefined : chosen });
  return { instanceId, instance, instances, isKnown, hasChannelTemplates, window: window ?? undefined, choice };
}

const defaultMaxTextLength = 65_536;

/** Returns by how many characters the text is too long for the instance; 0 if it can be sent. */
export function excessOf(text: string, { instance }: Pick<SendingInstance, 'instance'>): number {
  const { maxTextLength = defaultMaxTextLength } = providers[instance?.provider ?? ''] ?? {};
  return Math.max(0, text.length - maxTextLength);
}
