// The page of a conversation with a lead: its messages and the composer.

import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type DragEvent } from 'react';
import { useMe } from '../../api/use-me.js';
import { useCommands } from '../../app/commands.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { takeTyped, typeAhead, writable } from '../../app/typed-ahead.js';
import { useStable } from '../../app/use-stable.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import type { ChatMessage, ConversationLead } from '../../live/conversation-store.js';
import { conversations, reopenConversation, type Conversation } from '../../live/conversations.js';
import { emptyDraft } from '../../live/drafts.js';
import { withoutMessage } from '../../live/inbox-filter.js';
import { neighbourOf, nextWaitingAfter } from '../../live/neighbours.js';
import { drafts, heldSends, startOutgoing } from '../../live/outgoing.js';
import { Button } from '../../parts/button.js';
import { isInOtherLayer } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { nameOf } from '../../parts/name-of.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { composerTexts } from './composer-texts.js';
import { Composer, writeOn } from './composer.js';
import { ConversationHeader } from './conversation-header.js';
import styles from './conversation.module.css';
import { LeadBeside } from './lead-beside.js';
import { MessageLog } from './message-log.js';
import { AddNoteDialog } from './note-item.js';
import { conversationTexts } from './texts.js';
import { uploadFiles } from './uploads.js';
import { useConversationActions } from './use-conversation-actions.js';
import { useMarkRead } from './use-mark-read.js';
import { usePresence } from './use-presence.js';
import { useSendingInstance } from './use-sending-instance.js';
import { authorOf } from './words.js';

export function ConversationPage() {
  const { leadId } = useParams({ from: '/signed-in/inbox/$leadId' });
  return <ConversationOf key={leadId} id={leadId} />;
}

function ConversationOf({ id }: { id: string }) {
  const texts = useTexts(conversationTexts);
  const navigate = useNavigate();
  // The page selects only this parameter, so that another view of the list does not render the page again.
  const messageId = useSearch({ from: '/signed-in/inbox/$leadId', select: ({ message }) => message });
  const conversation = useMemo(() => conversations.get(id), [id]);
  const { status, lead, mergedInto, error } = useStore(conversation.lead);
  useEffect(startOutgoing, []);
  useEffect(() => conversation.open(messageId), [conversation, messageId]);
  // Nothing can be written where no conversation comes.
  useEffect(() => {
    if (status === 'gone' || status === 'failed') takeTyped();
  }, [status]);
  // The address of a merged lead is replaced by the address of the lead that stays.
  const stays = mergedInto ?? lead;
  useEffect(() => {
    if (stays === undefined || stays.id === id) return;
    drafts.move(id, stays.id);
    notify(texts.mergedInto(stays.name));
    void navigate({ to: '/inbox/$leadId', params: { leadId: stays.id }, search: (now) => now, replace: true });
  }, [stays?.id, id]);

  if (status === 'gone')
    return (
      <EmptyState title={texts.gone} hint={texts.goneHint} role="status">
        <Button onClick={() => void navigate({ to: '/inbox', search: withoutMessage })}>{texts.toInbox}</Button>
      </EmptyState>
    );
  if (lead !== undefined) return <Shown conversation={conversation} lead={lead} messageId={messageId} />;
  return status === 'failed' ? (
    <LoadFailed error={error} onRetry={() => void conversation.readLead()} />
  ) : (
    <Loading shape="bubbles" />
  );
}

/** The conversation that opens because of an answer in another. Its text field takes the focus, so that writing goes on. */
let writesOn: string | undefined;

function addTyped(leadId: string, typed: string | undefined): void {
  if (typed === undefined || typed === '') return;
  const begun = drafts.get(leadId);
  drafts.set(leadId, { ...begun, text: begun.text + typed });
}

interface ShownProps {
  conversation: Conversation;
  lead: ConversationLead;
  messageId: string | undefined;
}

function Shown({ conversation, lead, messageId }: ShownProps) {
  const texts = useTexts(conversationTexts);
  const composer = useTexts(composerTexts);
  const navigate = useNavigate();
  const foundBy = useSearch({ from: '/signed-in/inbox/$leadId', select: ({ q }) => q });
  const field = useRef<HTMLTextAreaElement>(null);
  const [isAtNewest, setAtNewest] = useState(false);
  const [isAnswering, setAnswering] = useState(false);
  const [isAddingNote, setAddingNote] = useState(false);
  const { user } = useStore(sessionState);
  const me = useMe();
  const draft = useStore(drafts.all).get(lead.id) ?? emptyDraft;
  const sending = useSendingInstance(lead, draft);
  const isWindowClosed = useWindowClosed(sending.window);
  const drop = useFileDrop(lead.id, field);
  usePresence(lead.id, isAnswering);
  const keepUnread = useMarkRead(conversation, lead, isAtNewest);
  const takeBack = useTakeBack(field);
  const actions = useConversationActions(conversation, lead, keepUnread);
  useEffect(() => {
    const typed = takeTyped();
    addTyped(lead.id, typed);
    if (typed !== undefined || writesOn === lead.id) writeOn(field.current);
    if (writesOn === lead.id) writesOn = undefined;
    writable.set(lead.id);
    return () => writable.set(undefined);
  }, []);

  const show = (place: { id: string; message?: string | undefined } | undefined, replace = false) => {
    if (place === undefined) return;
    const { id: leadId, message } = place;
    void navigate({ to: '/inbox/$leadId', params: { leadId }, search: (now) => ({ ...now, message }), replace });
  };
  const quote = useStable((message: ChatMessage) => {
    const { id, instance, body, media } = message;
    const author = authorOf(message, { lead: lead.name, phone: texts.phone, system: texts.system });
    const text = body ?? media?.caption ?? media?.fileName ?? texts.quotedFile;
    drafts.set(lead.id, { ...drafts.get(lead.id), quote: { id, author, text, instanceId: instance.id } });
    field.current?.focus();
  });
  const jump = useStable((message: string) => show({ id: lead.id, message }));
  const moveOn = useStable(() => messageId !== undefined && show({ id: lead.id }, true));
  const goBack = useStable(() => void navigate({ to: '/inbox', search: withoutMessage }));
  const isOpen = () => location.pathname === `/inbox/${lead.id}`;
  const isInText = () => document.activeElement === field.current;
  const prepareNext = useStable(() => {
    const next = neighbourOf(lead.id);
    const [wasInText, before] = [isInText(), drafts.get(lead.id)];
    // While the conversation closes, the operator may go on to another, begin to write, or open a dialog.
    const isIdle = () => !isInOtherLayer() && (!isInText() || (wasInText && drafts.get(lead.id) === before));
    return () => isOpen() && isIdle() && show(next);
  });
  const closeAfter = async (key: string) => {
    const next = nextWaitingAfter(lead.id);
    // An answer that has left meanwhile stays, and its conversation opens again.
    const undo = () => takeBack(key) || actions.reopen();
    // The letters that follow the key belong to the next answer, and not to this conversation while it closes.
    if (next !== undefined) typeAhead(composer.message);
    if (!(await actions.close({ takeBack: undo }))) return addTyped(lead.id, takeTyped());
    if (!isOpen()) return;
    writesOn = next?.id;
    show(next);
  };

  return (
    <div className={styles.beside}>
      <section className={styles.page} aria-label={texts.conversation} {...drop.handlers}>
        <ConversationHeader
          conversation={conversation}
          lead={lead}
          onBack={goBack}
          prepareNext={prepareNext}
          onKeepUnread={keepUnread}
          isWriting={draft.text.trim() !== '' || draft.files.length > 0}
        />
        <Banners lead={lead} window={sending.window} isWindowClosed={isWindowClosed} />
        <MessageLog
          conversation={conversation}
          lead={lead}
          author={me === undefined ? (user?.email ?? texts.someone) : nameOf(me)}
          messageId={messageId}
          foundBy={foundBy}
          onQuote={quote}
          onJump={jump}
          onTakeBack={takeBack}
          onAtNewest={setAtNewest}
          onMoveOn={moveOn}
        />
        <Composer
          conversation={conversation}
          lead={lead}
          field={field}
          sending={sending}
          isWindowClosed={isWindowClosed}
          onAnswering={setAnswering}
          onAddNote={() => setAddingNote(true)}
          onSentToClose={(key) => void closeAfter(key)}
        />
        {isAddingNote && (
          <AddNoteDialog
            leadId={lead.id}
            onClose={() => setAddingNote(false)}
            onChanged={() => void conversation.readLead()}
          />
        )}
        {drop.isOver && (
          <div className={styles.drop} aria-hidden>
            {composer.dropHere}
          </div>
        )}
      </section>
      <LeadBeside conversation={conversation} lead={lead} />
    </div>
  );
}

/** Takes held messages back: by their button, or by `Z` for the newest message of any conversation. */
function useTakeBack(field: { current: HTMLTextAreaElement | null }): (key: string) => boolean {
  const texts = useTexts(conversationTexts);
  const navigate = useNavigate();
  const { message } = useTexts(composerTexts);
  const held = useStore(heldSends.list);
  const takeBack = useStable((key: string): boolean => {
    const taken = heldSends.undo(key);
    if (taken === undefined) return false;
    drafts.putBack(taken.leadId, taken.drafts);
    if (taken.closes) void reopenConversation(taken.leadId).catch(notifyFailure);
    if (location.pathname === `/inbox/${taken.leadId}`) field.current?.focus();
    else {
      // The letters that follow the key belong to the answer.
      typeAhead(message);
      writesOn = taken.leadId;
      void navigate({ to: '/inbox/$leadId', params: { leadId: taken.leadId }, search: withoutMessage });
    }
    return true;
  });
  const isHeld = held.some(({ state }) => state === 'held');
  useCommands(
    isHeld
      ? [
          {
            id: 'undo-send',
            title: texts.undoSend,
            keys: 'z',
            group: texts.conversation,
            run: () => heldSends.lastHeld !== undefined && takeBack(heldSends.lastHeld.key),
          },
        ]
      : [],
  );
  return takeBack;
}

const lookEveryMs = 15_000;

type Window = { isOpen: boolean; closesAt: string | null } | undefined;

function isClosed(window: Window): boolean {
  if (window === undefined) return false;
  return !window.isOpen || (window.closesAt !== null && Date.parse(window.closesAt) <= Date.now());
}

function useWindowClosed(window: Window): boolean {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((times) => times + 1), lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  return isClosed(window);
}

interface BannersProps {
  lead: ConversationLead;
  window: { closesAt: string | null } | undefined;
  isWindowClosed: boolean;
}

function Banners({ lead, window, isWindowClosed }: BannersProps) {
  const texts = useTexts(conversationTexts);
  const formats = useFormats();
  return (
    <>
      {lead.optOut !== null && (
        <p className={styles.banner} data-kind="warning" role="note">
          <Icon name="warning" />
          {texts.optedOut(formats.full(lead.optOut.at))}
        </p>
      )}
      {isWindowClosed ? (
        <p className={styles.banner} data-kind="warning" role="note">
          <Icon name="clock" />
          {texts.windowClosed}
        </p>
      ) : (
        window?.closesAt != null && <p className={styles.banner}>{texts.windowCloses(formats.near(window.closesAt))}</p>
      )}
    </>
  );
}

function useFileDrop(leadId: string, field: { current: HTMLTextAreaElement | null }) {
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  const move = (event: DragEvent, by: number) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => move(event, 1),
      onDragLeave: (event: DragEvent) => move(event, -1),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        uploadFiles(leadId, [...event.dataTransfer.files]);
        field.current?.focus();
      },
    },
  };
}
