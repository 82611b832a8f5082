// The scroll position of a conversation's log, and the row that keyboard navigation has reached.

import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Row } from './log-rows.js';

const atEndPx = 24;
const highlightMs = 2_000;
/** A scroll within this time after a touch, key or wheel event counts as the user's. A fling continues for a while. */
const scrollsForMs = 1_000;

interface LogViewOptions {
  rows: readonly Row[];
  hasNewer: boolean;
  messageId: string | undefined;
  isReady: boolean;
  onAtNewest: (isAtNewest: boolean) => void;
}

/** Manages the scroll position and the row that keyboard navigation has reached. */
export function useLogView({ rows, hasNewer, messageId, isReady, onAtNewest }: LogViewOptions) {
  const handle = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const sticks = useRef(messageId === undefined);
  const focusAfter = useRef<string | undefined>(undefined);
  const firstKey = useRef<string | undefined>(undefined);
  const touchedAt = useRef(-Infinity);
  const lastSize = useRef({ whole: 0, shown: 0 });
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
    if (key === 'Enter' && target.matches('[data-message]')) return openFile(event, target);
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
    onScroll: () => {
      // The browser moves the end as soon as the log's height changes, and the virtualizer measures that height later.
      if (scroller.current === null) return;
      const { scrollHeight, clientHeight } = scroller.current;
      const isEnd = isScrolledToEnd(scroller.current);
      // Measured rows, loaded pictures and a composer that grows move the end without any scrolling by the user. The log then returns to
      // it.
      const isMoved = scrollHeight !== lastSize.current.whole || clientHeight !== lastSize.current.shown;
      const isByHand = !isMoved || performance.now() - touchedAt.current < scrollsForMs;
      lastSize.current = { whole: scrollHeight, shown: clientHeight };
      if (isEnd || isByHand) sticks.current = isEnd && !hasNewer;
      else if (sticks.current && !hasNewer) requestAnimationFrame(() => sticks.current && toEnd());
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

/** Opens the file of a message: a picture and a document as by a click, and what can be heard plays or pauses. */
function openFile(event: KeyboardEvent, message: HTMLElement): void {
  const file = message.querySelector<HTMLElement>('[data-file]');
  if (file === null) return;
  event.preventDefault();
  if (!(file instanceof HTMLMediaElement)) return file.click();
  // A file that cannot be played says so in its place.
  if (file.paused) file.play().catch(() => undefined);
  else file.pause();
}

/** The user's own new message comes into view wherever the log stands. Those that were held before the log opened do not move it. */
export function useOwnMessages(rows: readonly Row[], show: () => void): void {
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
