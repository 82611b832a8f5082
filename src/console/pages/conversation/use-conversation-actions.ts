// The actions on a conversation: close, reopen, snooze, mark unread and assign. Each says what became of it.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import {
  AssignLeadDocument,
  CloseConversationDocument,
  MarkUnreadDocument,
  ReopenConversationDocument,
  SnoozeConversationDocument,
} from './operations.js';
import { conversationTexts } from './texts.js';

export function useConversationActions(conversation: Conversation, lead: ConversationLead, onKeepUnread: () => void) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const [isBusy, setBusy] = useState(false);
  const leadId = lead.id;
  /** @returns true if the call succeeded */
  const run = async (call: () => Promise<Partial<ConversationLead>>): Promise<boolean> => {
    setBusy(true);
    try {
      conversation.changeLead(await call());
      return true;
    } catch (error) {
      notifyFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const reopen = () => run(async () => (await ask(ReopenConversationDocument, { leadId })).reopenConversation);
  return {
    isBusy,
    reopen,
    close: async () => {
      const isDone = await run(async () => (await ask(CloseConversationDocument, { leadId })).closeConversation);
      if (!isDone) return false;
      const remove = notify(texts.closedNotice(lead.name), {
        action: {
          label: texts.takeBack,
          run: () => {
            remove();
            return reopen();
          },
        },
      });
      return true;
    },
    snooze: (at: Date) => {
      const until = at.toISOString();
      void run(async () => (await ask(SnoozeConversationDocument, { leadId, until })).snoozeConversation).then(
        (isDone) => isDone && notify(texts.snoozedUntil(formats.full(until))),
      );
    },
    markUnread: () => {
      onKeepUnread();
      void run(async () => (await ask(MarkUnreadDocument, { leadId })).markLeadUnread).then(
        (isDone) => isDone && notify(texts.markedUnread),
      );
    },
    assign: (userId: string | null) =>
      void run(async () => (await ask(AssignLeadDocument, { id: leadId, userId })).assignLead),
  };
}
