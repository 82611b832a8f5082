// The messages of a conversation, newest at the bottom. The page contains only the rows near the screen.

import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Virtualizer, type CacheSnapshot, type VirtualizerHandle } from 'virtua';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { isBehind, type ChatMessage, type ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { foundPlace } from '../../live/found-place.js';
import { heldSends } from '../../live/outgoing.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { saidAtArrival } from './arrival.js';
import { FoundPlace } from './found-place.js';
import { HeldItem } from './held-item.js';
import { toRows, type Row } from './log-rows.js';
import { MessageItem } from './message-item.js';
import styles from './log.module.css';
import { NoteItem } from './note-item.js';
import { NoticeItem } from './notice-item.js';
import { conversationTexts } from './texts.js';
import { useLogView, useOwnMessages } from './use-log-view.js';
import { useWaiting } from './use-waiting.js';

interface MessageLogProps {
  conversation: Conversation;
  lead: ConversationLead;
  /** The user's name, for held messages. */
  author: string;
  /** The message that the log scrolls to. */
  messageId: string | undefined;
  /** The words by which a search found that message. */
  foundBy: string | undefined;
  onQuote: (message: ChatMessage) => void;
  onJump: (id: string) => void;
  onTakeBack: (key: string) => void;
  onAtNewest: (isAtNewest: boolean) => void;
  /** Is called when the user leaves the message that the log was opened at: by an own message, or for the newest. */
  onMoveOn: () => void;
}

const nearEdgePx = 400;

export const MessageLog = memo(function MessageLog(props: MessageLogProps) {
  const { conversation, lead, messageId, onAtNewest, onMoveOn } = props;
  const texts = useTexts(conversationTexts);
  const { user } = useStore(sessionState);
  const store = conversation.messages;
  const state = useStore(store.state);
  const allHeld = useStore(heldSends.list);
  const { messages, hasOlder, hasNewer, status } = state;
  const notes = lead.notes.edges;
  const userId = user?.id;
  const rows = useMemo(() => {
    const held = allHeld.filter((send) => send.leadId === lead.id || send.leadId === conversation.id);
    return toRows({ messages, hasOlder, hasNewer, held, userId, notes: notes.map(({ node }) => node) });
  }, [messages, hasOlder, hasNewer, notes, allHeld, lead.id, conversation.id, userId]);
  const view = useLogView({ rows, hasNewer, messageId, isReady: status === 'ready', onAtNewest });
  const moveOn = () => {
    view.stick();
    onMoveOn();
  };
  useOwnMessages(rows, moveOn);
  const sizes = useKnownSizes(conversation, rows, view.handle);
  const waiting = useWaiting(lead.id, messages);
  const activeKey = activeKeyOf(rows, view.activeKey);
  const isAtNewest = view.isAtEnd && !hasNewer;
  const unseen = useUnseen(messages, isAtNewest);
  const shown = useStore(foundPlace);
  const found = shown?.message === messageId ? shown : undefined;

  const onScroll = (offset: number) => {
    view.onScroll();
    if (status !== 'ready' || view.handle.current === null) return;
    const { scrollSize, viewportSize } = view.handle.current;
    if (offset < nearEdgePx) void store.loadOlder();
    if (offset > scrollSize - viewportSize - nearEdgePx) void store.loadNewer();
  };
  const toNewest = async () => {
    moveOn();
    // Without a message in the address the page itself shows the newest.
    if (hasNewer && messageId === undefined) await store.show();
  };

  return (
    <div className={styles.frame} data-found={found === undefined ? undefined : true}>
      <div
        ref={view.scroller}
        className={styles.log}
        role="log"
        aria-label={texts.messages}
        aria-live="off"
        aria-busy={status === 'loading' || undefined}
        onKeyDown={(event) => {
          view.onTouch();
          view.onKeyDown(event, activeKey);
        }}
        onWheel={view.onTouch}
        onTouchMove={view.onTouch}
        onPointerDown={view.onTouch}
        onPointerMove={({ buttons }) => buttons !== 0 && view.onTouch()}
        onFocus={({ target }) => {
          const key = target.closest<HTMLElement>('[data-message]')?.dataset['message'];
          if (key !== undefined) view.setActive(key);
        }}
      >
        <LogState conversation={conversation} isEmpty={rows.length === 0} messageId={messageId} />
        <div className={styles.spring} />
        {status === 'ready' && (
          <Virtualizer
            ref={view.handle}
            scrollRef={view.scroller}
            {...(sizes !== undefined && { cache: sizes })}
            shift={view.isPrepended}
            onScroll={onScroll}
            onResize={view.onResize}
            keepMounted={view.keepMounted(activeKey)}
          >
            {rows.map((row) => (
              <LogRow
                key={row.key}
                row={row}
                isActive={row.key === activeKey}
                isHighlighted={row.key === view.highlightedKey}
                waiting={waiting}
                {...props}
              />
            ))}
          </Virtualizer>
        )}
      </div>
      {found !== undefined && status === 'ready' && <FoundPlace found={found} onNewest={() => void toNewest()} />}
      {!isAtNewest && status === 'ready' && found === undefined && (
        <Button className={styles.toNewest ?? ''} icon="down" onClick={() => void toNewest()}>
          {unseen > 0 ? texts.newBelow(unseen) : texts.toNewest}
        </Button>
      )}
      <Arrivals conversation={conversation} leadName={lead.name} messages={messages} />
    </div>
  );
});

interface LogStateProps extends Pick<MessageLogProps, 'conversation' | 'messageId'> {
  isEmpty: boolean;
}

/** Shows the log's state in place of messages, or above them. */
function LogState({ conversation, messageId, isEmpty }: LogStateProps) {
  const texts = useTexts(conversationTexts);
  const store = conversation.messages;
  const { status, isKept, error, hasOlder, isLoadingOlder } = useStore(store.state);
  if (status === 'loading') return <Loading shape="bubbles" />;
  if (status === 'failed') return <LoadFailed error={error} onRetry={() => void store.show(messageId)} />;
  if (isEmpty) return <EmptyState title={texts.noMessages} hint={texts.noMessagesHint} />;
  if (isLoadingOlder) return <p className={styles.older}>{texts.loadingOlder}</p>;
  if (error === undefined || !hasOlder) return null;
  const retry = () => (isKept ? store.show(messageId) : store.loadOlder());
  return (
    <p className={styles.older} role="alert">
      {texts.olderFailed} <Button onClick={() => void retry()}>{texts.tryAgain}</Button>
    </p>
  );
}

interface LogRowProps extends MessageLogProps {
  row: Row;
  isActive: boolean;
  isHighlighted: boolean;
  waiting: ReturnType<typeof useWaiting>;
}

function LogRow({ row, isActive, isHighlighted, waiting, ...props }: LogRowProps) {
  const { conversation, lead, author, messageId, foundBy, onQuote, onJump, onTakeBack } = props;
  const formats = useFormats();
  if (row.kind === 'day')
    return (
      <div className={styles.day}>
        <span>{formats.day(row.at)}</span>
      </div>
    );
  if (row.kind === 'note')
    return <NoteItem note={row.note} isActive={isActive} onChanged={() => void conversation.readLead()} />;
  if (row.kind === 'held')
    return <HeldItem send={row.send} store={conversation.messages} {...{ author, isActive, onTakeBack }} />;
  if (row.message.isNotice)
    return <NoticeItem message={row.message} store={conversation.messages} {...{ isActive, isHighlighted }} />;
  const { isFollowUp, isFollowed } = row;
  return (
    <MessageItem
      message={row.message}
      leadId={lead.id}
      canOptOut={lead.optOut === null}
      conversation={conversation}
      leadName={lead.name}
      store={conversation.messages}
      waiting={waiting.get(row.message.id)}
      foundBy={row.message.id === messageId ? foundBy : undefined}
      {...{ isFollowUp, isFollowed, isActive, isHighlighted, onQuote, onJump }}
    />
  );
}

const knownSizes = new WeakMap<Conversation, { keys: string; sizes: CacheSnapshot }>();

/** Returns the row heights of the last visit. With them the log finds its end without measuring the rows first. */
function useKnownSizes(
  conversation: Conversation,
  rows: readonly Row[],
  handle: RefObject<VirtualizerHandle | null>,
): CacheSnapshot | undefined {
  const keys = rows.map(({ key }) => key).join(' ');
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(
    () => () => {
      // React removes the parent before its children, so the virtualizer is still here.
      if (handle.current !== null) knownSizes.set(conversation, { keys: latest.current, sizes: handle.current.cache });
    },
    [conversation],
  );
  const known = knownSizes.get(conversation);
  return known?.keys === keys ? known.sizes : undefined;
}

/** Counts the lead's messages since the end was last visible. */
function useUnseen(messages: readonly ChatMessage[], isAtNewest: boolean): number {
  const newest = messages.at(-1);
  const [seen, setSeen] = useState(newest);
  useEffect(() => {
    if (isAtNewest) setSeen(newest);
  }, [isAtNewest, newest]);
  return isAtNewest
    ? 0
    : messages.filter(
        (message) =>
          (seen === undefined || isBehind(message, seen)) && message.direction === 'INBOUND' && !message.isNotice,
      ).length;
}

/** Announces arrived messages to screen readers, but not those that scrolling loads. */
function Arrivals({
  conversation,
  leadName,
  messages,
}: {
  conversation: Conversation;
  leadName: string;
  messages: readonly ChatMessage[];
}) {
  const texts = useTexts(conversationTexts);
  const newest = messages.at(-1);
  const isNew = newest !== undefined && conversation.arrivedId === newest.id;
  return (
    <p className="visually-hidden" role="status">
      {isNew && saidAtArrival(newest, { leadName, texts })}
    </p>
  );
}

/** Returns the row that keyboard navigation has reached, if it still exists; else the newest row. */
function activeKeyOf(rows: readonly Row[], reached: string | undefined): string | undefined {
  const isHere = rows.some(({ key }) => key === reached);
  return isHere ? reached : rows.findLast(({ kind }) => kind !== 'day')?.key;
}
