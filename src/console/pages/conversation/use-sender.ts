// The draft of a conversation and the actions that send it.

import type { ChannelTemplateInput } from '../../api/operations.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { emptyDraft, type Draft } from '../../live/drafts.js';
import { drafts, heldSends } from '../../live/outgoing.js';
import { notify } from '../../parts/notices.js';
import { composerTexts } from './composer-texts.js';
import { toParts, toTemplatePart, type Part } from './outgoing-parts.js';
import { uploads } from './uploads.js';
import { excessOf, type SendingInstance } from './use-sending-instance.js';

interface SenderOptions {
  conversation: Conversation;
  lead: ConversationLead;
  sending: SendingInstance;
  isWindowClosed: boolean;
}

export type Sender = ReturnType<typeof useSender>;

/** Holds the draft and the actions that send it. */
export function useSender({ conversation, lead, sending, isWindowClosed }: SenderOptions) {
  const texts = useTexts(composerTexts);
  const draft = useStore(drafts.all).get(lead.id) ?? emptyDraft;
  const { status, hasNewer } = useStore(conversation.messages.state);
  const isUploading = useStore(uploads).some(({ leadId }) => leadId === lead.id);
  const { instanceId } = sending;
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0;
  const tooLongBy = excessOf(draft.text, sending);
  const isReady = status === 'ready' && !isUploading && !isWindowClosed && instanceId !== undefined;

  /** @returns the key of the first message; undefined if none is held */
  const hold = (parts: readonly Part[], closes = false): string | undefined => {
    if (hasNewer) {
      void conversation.messages.show();
      notify(texts.newestFirst);
      return undefined;
    }
    return heldSends.hold(lead.id, parts, conversation.messages.newestShownId, closes);
  };
  return {
    draft,
    canSend: isReady && !isEmpty && tooLongBy === 0,
    /** The first part of the draft, which files may split into several messages. */
    first: toParts(draft, { leadId: lead.id, instanceId, sendAt: undefined })[0]?.input,
    change: (changed: Partial<Draft>) => drafts.set(lead.id, { ...drafts.get(lead.id), ...changed }),
    /** @returns the key of the first message; undefined if none is held */
    send: ({ sendAt, closes }: { sendAt?: Date; closes?: boolean } = {}): string | undefined => {
      if (isUploading) notify(texts.stillUploading);
      if (!isReady || isEmpty || tooLongBy > 0) return undefined;
      const key = hold(toParts(draft, { leadId: lead.id, instanceId, sendAt }), closes);
      if (key !== undefined) drafts.set(lead.id, { ...emptyDraft, instanceId: draft.instanceId });
      return key;
    },
    /** @returns false if it is not held, so that its values stay to be sent once the newest messages are shown */
    sendTemplate: (template: ChannelTemplateInput, shown: string): boolean =>
      hold([toTemplatePart(template, shown, { leadId: lead.id, instanceId })]) !== undefined,
  };
}
