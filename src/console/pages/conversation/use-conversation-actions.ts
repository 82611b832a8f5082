// The actions on a conversation: close, reopen, snooze, mark unread and assign. Each says what became of it.

import { useState } from 'react';
import { ask } from '../../api/client.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import { reopenConversation, type Conversation } from '../../live/conversations.js';
import { holdMs } from '../../live/outgoing.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import {
  AssignLeadDocument,
  CloseConversationDocument,
  MarkUnreadDocument,
  RemindIfNoReplyDocument,
  SnoozeConversationDocument,
} from './operations.js';
import { conversationTexts } from './texts.js';

export function useConversationActions(conversation: Conversation, lead: ConversationLead, onKeepUnread: () => void) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  const [isBusy, setBusy] = useState(false);
  const leadId = lead.id;
  /** @returns true if the call succeeded */
  const run = async (call: () => Promise<Partial<ConversationLead> | void>): Promise<boolean> => {
    setBusy(true);
    try {
      conversation.changeLead((await call()) ?? {});
      return true;
    } catch (error) {
      notifyFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const reopen = () => run(() => reopenConversation(leadId));
  return {
    isBusy,
    reopen,
    /** @param sent takes back the answer with which the conversation is closed */
    close: async (sent?: { takeBack: () => unknown }) => {
      const isDone = await run(async () => (await ask(CloseConversationDocument, { leadId })).closeConversation);
      if (!isDone) return false;
      if (sent === undefined) notify(texts.closedNotice(lead.name), { undo: reopen });
      else notify(texts.sentAndClosed(lead.name), { undo: sent.takeBack, forMs: holdMs });
      return true;
    },
    /** @returns true if it is put aside */
    snooze: async (at: Date) => {
      const until = at.toISOString();
      const isDone = await run(
        async () => (await ask(SnoozeConversationDocument, { leadId, until })).snoozeConversation,
      );
      if (isDone) notify(texts.snoozedUntil(formats.near(until)), { undo: reopen });
      return isDone;
    },
    /** @returns true if it is put aside: a reply that is not on the screen yet has ended the wait for one */
    remind: async (at: Date) => {
      const when = at.toISOString();
      const expectedLastMessageId = conversation.messages.newestShownId;
      let isAside = false;
      await run(async () => {
        const shown = { leadId, at: when, ...(expectedLastMessageId !== undefined && { expectedLastMessageId }) };
        const { remindIfNoReply: changed } = await ask(RemindIfNoReplyDocument, shown);
        isAside = changed.conversationStatus === 'SNOOZED';
        if (isAside) notify(texts.remindsAt(formats.near(when)), { undo: reopen });
        else notify(texts.hasReplied(lead.name));
        return changed;
      });
      return isAside;
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
