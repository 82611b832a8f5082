// The messages of a conversation, newest at the bottom. The page contains only the rows near the screen.

import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { Virtualizer, type CacheSnapshot, type VirtualizerHandle } from 'virtua';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { isBehind, type ChatMessage, type ConversationLead } from '../../live/conversation-store.js';
import type { Conversation } from '../../live/conversations.js';
import { heldSends } from '../../live/outgoing.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { saidAtArrival } from './arrival.js';
import { HeldItem } from './held-item.js';
import { toRows, type Row } from './log-rows.js';
import { MessageItem } from './message-item.js';
import styles from './log.module.css';
import { NoteItem } from './note-item.js';
import { NoticeItem } from './notice-item.js';
import { conversationTexts } from './texts.js';
import { useWaiting } from './use-waiting.js';

interface MessageLogProps {
  conversation: Conversation;
  lead: ConversationLead;
  /** The user's name, for held messages. */
  author: string;
  /** The message that the log scrolls to. */
  messageId: string | undefined;
  onQuote: (message: ChatMessage) => void;
  onJump: (id: string) => void;
  onTakeBack: (key: string) => void;
  onAtNewest: (isAtNewest: boolean) => void;
}

const nearEdgePx = 400;
const atEndPx = 24;
const highlightMs = 2_000;
/** A scroll within this time after a touch, key or wheel event counts as the user's. A fling continues for a while. */
const scrollsForMs = 1_000;

export const MessageLog = memo(function MessageLog(props: MessageLogProps) {
  const { conversation, lead, messageId, onAtNewest } = props;
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
  const sizes = useKnownSizes(conversation, rows, view.handle);
  const waiting = useWaiting(lead.id, messages);
  const activeKey = activeKeyOf(rows, view.activeKey);
  const isAtNewest = view.isAtEnd && !hasNewer;
  const unseen = useUnseen(messages, isAtNewest);

  const onScroll = (offset: number) => {
    view.onScroll(offset);
    if (status !== 'ready' || view.handle.current === null) return;
    const { scrollSize, viewportSize } = view.handle.current;
    if (offset < nearEdgePx) void store.loadOlder();
    if (offset > scrollSize - viewportSize - nearEdgePx) void store.loadNewer();
  };
  const toNewest = async () => {
    view.stick();
    if (hasNewer) await store.show();
  };

  return (
    <div className={styles.frame}>
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
      {!isAtNewest && status === 'ready' && (
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
  const { status, error, hasOlder, isLoadingOlder } = useStore(store.state);
  if (status === 'loading') return <Loading shape="bubbles" />;
  if (status === 'failed') return <LoadFailed error={error} onRetry={() => void store.show(messageId)} />;
  if (isEmpty) return <EmptyState title={texts.noMessages} hint={texts.noMessagesHint} />;
  if (isLoadingOlder) return <p className={styles.older}>{texts.loadingOlder}</p>;
  if (error === undefined || !hasOlder) return null;
  return (
    <p className={styles.older} role="alert">
      {texts.olderFailed} <Button onClick={() => void store.loadOlder()}>{texts.tryAgain}</Button>
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
  const { conversation, lead, author, onQuote, onJump, onTakeBack } = props;
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
      {...{ isFollowUp, isFollowed, isActive, isHighlighted, onQuote, onJump }}
    />
  );
}

interface LogViewOptions {
  rows: readonly Row[];
  hasNewer: boolean;
  messageId: string | undefined;
  isReady: boolean;
  onAtNewest: (isAtNewest: boolean) => void;
}

/** Manages the scroll position and the row that keyboard navigation has reached. */
function useLogView({ rows, hasNewer, messageId, isReady, onAtNewest }: LogViewOptions) {
  const handle = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const sticks = useRef(messageId === undefined);
  const focusAfter = useRef<string | undefined>(undefined);
  const firstKey = useRef<string | undefined>(undefined);
  const touchedAt = useRef(-Infinity);
  const lastSize = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);
  const [activeKey, setActive] = useState<string>();
  const [highlightedKey, setHighlighted] = useState<string>();
  const [jumped, setJumped] = useState<string>();

  // The scroll position is kept relative to the end if older messages are added or cut off above.
  const first = rows.find(({ kind }) => kind === 'message')?.key;
  const isPrepended = firstKey.current !== undefined && first !== firstKey.current && !sticks.current;
  useLayoutEffect(() => {
    firstKey.current = first;
  });

  const toEnd = () => {
    if (rows.length > 0) handle.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  };
  useLayoutEffect(() => {
    if (isReady && sticks.current && !hasNewer) toEnd();
  }, [rows, isReady, hasNewer]);

  const stick = () => {
    sticks.current = true;
    touchedAt.current = -Infinity;
    setAtEnd(true);
    toEnd();
  };
  useOwnMessages(rows, stick);

  useEffect(() => onAtNewest(isAtEnd && !hasNewer && isReady), [isAtEnd, hasNewer, isReady]);

  // Scrolls to the message in the address, once it is loaded.
  useEffect(() => {
    if (messageId === undefined || !isReady || jumped === messageId) return;
    const index = rows.findIndex(({ key }) => key === messageId);
    if (index < 0) return;
    sticks.current = false;
    setJumped(messageId);
    setActive(messageId);
    setHighlighted(messageId);
    requestAnimationFrame(() => handle.current?.scrollToIndex(index, { align: 'center' }));
  }, [messageId, isReady, rows, jumped]);
  useEffect(() => {
    if (messageId === undefined) setJumped(undefined);
  }, [messageId]);
  useEffect(() => {
    if (highlightedKey === undefined) return undefined;
    const timer = setTimeout(() => setHighlighted(undefined), highlightMs);
    return () => clearTimeout(timer);
  }, [highlightedKey]);

  const focusPending = () => {
    const key = focusAfter.current;
    if (key !== undefined && focusRow(scroller.current, key)) focusAfter.current = undefined;
  };
  useEffect(focusPending);

  const moveTo = (index: number) => {
    const key = rows[index]?.key;
    if (key === undefined) return;
    focusAfter.current = key;
    setActive(key);
    sticks.current = index === rows.length - 1 && !hasNewer;
    handle.current?.scrollToIndex(index, { align: 'nearest' });
    requestAnimationFrame(focusPending);
  };
  const onKeyDown = (event: KeyboardEvent, from: string | undefined) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    focusAfter.current = undefined;
    // Arrow keys also work on the buttons of a row. Media players use the arrows themselves.
    const isRow = target instanceof HTMLElement && target.matches('[data-message], [data-message] :is(button, a)');
    if (!isRow || ctrlKey || metaKey || altKey) return;
    const keys = rows.flatMap((row, index) => (row.kind === 'day' ? [] : [index]));
    const at = keys.findIndex((index) => rows[index]?.key === from);
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: keys.length - 1 }[key];
    if (next === undefined) return;
    event.preventDefault();
    moveTo(keys[Math.min(Math.max(next, 0), keys.length - 1)] ?? -1);
  };

  return {
    handle,
    scroller,
    isAtEnd,
    isPrepended,
    activeKey,
    highlightedKey,
    setActive,
    onKeyDown,
    /** Keeps the row that Tab reaches and the row with the focus in the page. */
    keepMounted: (key: string | undefined) => {
      const focused = focusedKeyIn(scroller.current);
      return rows.flatMap((row, index) => (row.key === key || row.key === focused ? [index] : []));
    },
    onScroll: (offset: number) => {
      const { scrollSize = 0, viewportSize = 0 } = handle.current ?? {};
      const isEnd = offset >= scrollSize - viewportSize - atEndPx;
      // Measured rows and loaded pictures move the end without any scrolling by the user. The log then returns to the end.
      const isByHand = scrollSize === lastSize.current || performance.now() - touchedAt.current < scrollsForMs;
      lastSize.current = scrollSize;
      if (isEnd || isByHand) sticks.current = isEnd && !hasNewer;
      else if (sticks.current && !hasNewer) requestAnimationFrame(toEnd);
      setAtEnd(isEnd);
    },
    onTouch: () => {
      touchedAt.current = performance.now();
    },
    onResize: () => {
      focusPending();
      if (sticks.current && !hasNewer) toEnd();
      // A log that is already at the end sends no scroll event, so the state is read here.
      requestAnimationFrame(() => scroller.current !== null && setAtEnd(isScrolledToEnd(scroller.current)));
    },
    stick,
  };
}

/** The user's own new message comes into view wherever the log stands. Those that were held before the log opened do not move it. */
function useOwnMessages(rows: readonly Row[], show: () => void): void {
  const held = rows.findLast(({ kind }) => kind === 'held');
  const shownAt = useRef(held?.at ?? '');
  useLayoutEffect(() => {
    if (held === undefined || held.at <= shownAt.current) return;
    shownAt.current = held.at;
    show();
  }, [held]);
}

// Returns false if the row is not measured yet: it is hidden then and takes no focus. The caller repeats the attempt.
function focusRow(scroller: HTMLElement | null, key: string): boolean {
  const element = scroller?.querySelector<HTMLElement>(`[data-message="${CSS.escape(key)}"]`);
  element?.focus({ preventScroll: true });
  return element != null && element === document.activeElement;
}

function isScrolledToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= atEndPx;
}

function focusedKeyIn(scroller: HTMLElement | null): string | undefined {
  const focused = document.activeElement;
  if (scroller === null || !scroller.contains(focused)) return undefined;
  return focused?.closest<HTMLElement>('[data-message]')?.dataset['message'];
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
