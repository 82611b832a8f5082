// The list of conversations. It reorders only while it has no pointer, no focus and no scroll offset.

import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { LeadRowFragment } from '../../api/operations.js';
import { useInstances, type Instance } from '../../api/use-instances.js';
import { useCommands } from '../../app/commands.js';
import { isCompact } from '../../app/density.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { narrows, withoutMessage } from '../../live/inbox-filter.js';
import type { InboxStore } from '../../live/inbox-store.js';
import { neighbourOf, stepFrom } from '../../live/neighbours.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { behindNotices } from '../../parts/notices.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import selectionStyles from '../../parts/selection/selection.module.css';
import { selectionTexts } from '../../parts/selection/texts.js';
import { useSelection, type Selection } from '../../parts/selection/use-selection.js';
import { ConversationRow, optionId } from './conversation-row.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

/** Rows with states or tags are higher, which the list measures. */
const rowHeight = { roomy: 64, compact: 54 };
/** The next page is read this many rows before the end. */
const readAhead = 10;

// The bar loads with the first selection.
const SelectionBar = lazy(async () => {
  const { SelectionBar: component } = await import('../../parts/selection/selection-bar.js');
  return { default: component };
});

export function ConversationList({ store, openId }: { store: InboxStore; openId: string | undefined }) {
  const texts = useTexts(inboxTexts);
  const { rows, waiting, hasMore } = useStore(store.state);
  const navigate = useNavigate();
  const list = useRef<VListHandle>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const hold = useHold(store);
  const density = useStore(isCompact) ? 'compact' : 'roomy';
  const { instances } = useInstances();
  const current = activeId ?? openId;
  const selection = useSelection(rows.map(({ id }) => id));
  const latestSelection = useRef(selection);
  latestSelection.current = selection;

  const open = (id: string | undefined) => {
    if (id === undefined) return;
    setActiveId(undefined);
    void navigate({ to: '/inbox/$leadId', params: { leadId: id }, search: withoutMessage });
  };
  const place = rows.findIndex(({ id }) => id === current);
  const move = (by: 1 | -1, isExtending = false) => {
    const next = stepFrom(current, by);
    if (next === undefined) return;
    if (isExtending) selection.extendTo(next);
    setActiveId(next);
    const to = rows.findIndex(({ id }) => id === next);
    bringIntoView(list.current, { place: to, id: optionId(next) });
  };
  useListCommands({
    onMove: (by) => {
      // The focus goes with the keys, so that a screen reader says the row and Tab goes on from it. Without a row of its own the focus
      // chooses one, which the step then overrules.
      frame.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true });
      move(by);
    },
    onSelect: () => {
      const id = activeId ?? pointedAt() ?? openId ?? rows[0]?.id;
      if (id !== undefined) selection.toggle(id);
    },
    onOpen: () => open(current),
  });

  const readMore = () => {
    const { scrollOffset = 0, viewportSize = 0, scrollSize = 0 } = list.current ?? {};
    if (hasMore && scrollSize - scrollOffset - viewportSize < readAhead * rowHeight[density]) void store.loadMore();
  };
  const bringIn = () => {
    store.bringIn();
    list.current?.scrollTo(0);
  };

  if (rows.length === 0) return <NoRows store={store} />;
  return (
    <div ref={frame} className={styles.listFrame} {...hold.frame}>
      {waiting > 0 && (
        <Button kind="primary" className={styles.fresh ?? ''} onClick={bringIn}>
          {texts.fresh(waiting)}
        </Button>
      )}
      <VList
        ref={list}
        role="listbox"
        aria-label={texts.conversations}
        tabIndex={0}
        aria-activedescendant={place === -1 ? undefined : optionId(rows[place]!.id)}
        // The active option's element must exist, even if it is scrolled out of sight.
        keepMounted={place === -1 ? [] : [place]}
        className={`${styles.list} ${selection.ids.length > 0 ? selectionStyles.above : ''}`}
        data-density={density}
        itemSize={rowHeight[density]}
        data={rows}
        onScroll={(offset) => {
          hold.onScroll(offset);
          readMore();
        }}
        onFocus={({ target, currentTarget }) =>
          target === currentTarget && place === -1 && setActiveId(neighbourOf(current)?.id)
        }
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1, event.shiftKey);
          else if (event.key === 'ArrowUp') move(-1, event.shiftKey);
          else if (event.key === 'Enter' || event.key === ' ') open(current);
          else return;
          event.preventDefault();
        }}
      >
        {(row) => (
          <ConversationRow
            key={row.id}
            row={row}
            // With one number alone, its name says nothing.
            line={instances.length > 1 ? lineOf(instances, row) : undefined}
            isOpen={row.id === openId}
            isActive={row.id === current}
            isSelected={selection.has(row.id)}
            // Rows that have not changed keep an earlier function.
            onSelect={(way) => latestSelection.current[way](row.id)}
            onOpen={() => open(row.id)}
          />
        )}
      </VList>
      {selection.ids.length > 0 && <ActsOnSelected selection={selection} rows={rows} />}
    </div>
  );
}

/** Scrolls to a row, and further where a notice would cover it. */
function bringIntoView(list: VListHandle | null, { place, id }: { place: number; id: string }): void {
  list?.scrollToIndex(place, { align: 'nearest' });
  requestAnimationFrame(() => {
    const row = document.getElementById(id);
    const hidden = row === null ? 0 : behindNotices(row);
    // Any further step ends the first one, which still measures the rows that were never shown.
    if (hidden > 0) list?.scrollBy(hidden);
  });
}

interface ListActs {
  onMove: (by: 1 | -1) => void;
  onSelect: () => void;
  onOpen: () => void;
}

function useListCommands({ onMove, onSelect, onOpen }: ListActs): void {
  const texts = useTexts(inboxTexts);
  const { selectRow } = useTexts(selectionTexts);
  const group = texts.title;
  useCommands([
    { id: 'next', title: texts.next, keys: 'j', group, canRepeat: true, run: () => onMove(1) },
    { id: 'previous', title: texts.previous, keys: 'k', group, canRepeat: true, run: () => onMove(-1) },
    { id: 'select', title: selectRow, keys: 'x', group, run: onSelect },
    { id: 'open', title: texts.open, keys: 'Enter', group, run: onOpen, isHidden: true },
  ]);
}

/** The bar, and before it is here its keys. */
function ActsOnSelected({ selection, rows }: { selection: Selection; rows: readonly LeadRowFragment[] }) {
  const early = useRef<string>(undefined);
  const areClosed = rows.every(({ id, conversationStatus }) => !selection.has(id) || conversationStatus === 'CLOSED');
  return (
    <Suspense fallback={<EarlyKeys onPress={(key) => (early.current ??= key)} />}>
      <SelectionBar
        early={early}
        count={selection.ids.length}
        leads={{ leadIds: [...selection.ids] }}
        areClosed={areClosed}
        onDone={selection.drop}
        onClear={selection.clear}
      />
    </Suspense>
  );
}

/** A key of the bar means what is selected before the bar is here too, and not the open conversation. */
function EarlyKeys({ onPress }: { onPress: (key: string) => void }) {
  const { close, assign, tag, snooze, selection: group } = useTexts(selectionTexts);
  const acts = Object.entries({ e: close, a: assign, t: tag, s: snooze });
  useCommands(
    acts.map(([keys, title]) => ({
      id: `early-${keys}`,
      title,
      keys,
      group,
      isOfSelection: true,
      run: () => onPress(keys),
    })),
  );
  return null;
}

/** Returns the lead whose row is under the pointer. */
function pointedAt(): string | undefined {
  return document.querySelector<HTMLElement>('[role=option]:hover')?.dataset['lead'];
}

function lineOf(instances: readonly Instance[], { lastMessage }: LeadRowFragment) {
  return instances.find(({ id }) => id === lastMessage?.instance.id);
}

function NoRows({ store }: { store: InboxStore }) {
  const { isLoading, error } = useStore(store.state);
  if (error !== undefined) return <LoadFailed error={error} onRetry={() => void store.load()} />;
  if (isLoading) return <Loading shape="rows" />;
  return (
    <div className={styles.nothing}>
      <NothingHere store={store} />
    </div>
  );
}

function NothingHere({ store: { query } }: { store: InboxStore }) {
  const texts = useTexts(inboxTexts);
  if (narrows(query.filter))
    return (
      <EmptyState icon="funnel" title={texts.noneFits}>
        <Link to="/inbox" search={{ view: query.view }}>
          {texts.withoutFilters}
        </Link>
      </EmptyState>
    );
  if (query.view === 'waiting')
    return (
      <EmptyState icon="inbox" title={texts.emptyWaiting} hint={texts.emptyWaitingHint}>
        <Link to="/inbox" search={{ view: 'all' }}>
          {texts.toAll}
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState icon="inbox" title={texts.empty} hint={texts.emptyHint}>
      {query.view === 'mine' && (
        <Link to="/inbox" search={{ view: 'unassigned' }}>
          {texts.toUnassigned}
        </Link>
      )}
    </EmptyState>
  );
}

/** Holds the list while it has the pointer or the focus, or is scrolled. */
function useHold(store: InboxStore) {
  const reasons = useRef({ pointer: false, focus: false, scroll: false });
  const change = (reason: Partial<typeof reasons.current>) => {
    Object.assign(reasons.current, reason);
    store.hold(Object.values(reasons.current).some(Boolean));
  };
  useEffect(() => {
    change({});
    return () => store.hold(false);
  }, [store]);
  return {
    frame: {
      onPointerEnter: ({ pointerType }: React.PointerEvent) => pointerType === 'mouse' && change({ pointer: true }),
      onPointerLeave: () => change({ pointer: false }),
      onFocus: () => change({ focus: true }),
      onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) =>
        !currentTarget.contains(relatedTarget) && change({ focus: false }),
    },
    onScroll: (offset: number) => change({ scroll: offset > 8 }),
  };
}
