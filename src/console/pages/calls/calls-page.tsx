// The journal of calls from other systems, live, each with what it brought and what became of it, and the form for a new call.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { AdminsOnly } from '../../app/page-fallbacks.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { timeOf } from '../../i18n/local-time.js';
import { useTexts } from '../../i18n/language.js';
import { connection } from '../../live/feed.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { ListEnd } from '../../parts/list-end.js';
import { Page } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { CallDetails, useCall } from './call-details.js';
import { CallFilters, toInput, type CallCounts, type CallFilter } from './call-filters.js';
import { CallRow, useCallColumns, useCallWords, type CallColumn } from './call-row.js';
import styles from './calls.module.css';
import { CallCountsDocument, CallsDocument, type CallRowFragment } from './operations.js';
import { callRowTexts } from './row-texts.js';
import { callsTexts } from './texts.js';
import { TryCall, type CallToTry } from './try-call.js';
import { useLiveCalls } from './use-live-calls.js';

export function CallsPage() {
  const { user } = useStore(sessionState);
  if (user === undefined) return null;
  return user.role === 'ADMIN' ? <Calls tenantId={user.tenantId} /> : <AdminsOnly />;
}

function Calls({ tenantId }: { tenantId: string }) {
  const texts = useTexts(callsTexts);
  const navigate = useNavigate();
  const { id, ...filter }: CallFilter & { id?: string } = useSearch({ from: '/signed-in/calls' });
  const [trying, setTrying] = useState<{ first?: CallToTry }>();
  const key = JSON.stringify(filter);
  const pages = usePages(
    key,
    async (after) => (await askAgain(CallsDocument, { after, filter: toInput(filter) })).webhookDeliveries,
  );
  const still = useStillness();
  const isLive = isOpenAtItsEnd(filter);
  const fresh = useLiveCalls(pages, {
    key,
    isLive,
    isHeld: id !== undefined || still.isStill,
    read: async (since) => {
      const given = toInput(filter);
      const from = [given.since, since]
        .filter((time) => time != null)
        .sort()
        .at(-1);
      const wanted = { ...given, ...(from !== undefined && { since: from }) };
      return (await ask(CallsDocument, { filter: wanted })).webhookDeliveries;
    },
  });
  const counts = useCallCounts(filter, pages.nodes[0]?.id);
  const open = (next: string | undefined) =>
    void navigate({ to: '/calls', search: { ...filter, ...(next !== undefined && { id: next }) }, replace: true });
  useCommands([{ id: 'try-call', title: texts.tryCall, group: texts.calls, run: () => setTrying({}) }]);
  // A link may lead to a call that stands further down, or that the filter leaves out.
  const isListed = pages.nodes.some((call) => call.id === id);
  const linked = useCall(id === undefined || isListed || pages.isLoading ? undefined : id);
  const rows = linked.data == null ? pages.nodes : [linked.data, ...pages.nodes];
  const columns = useCallColumns();
  const wordsOf = useCallWords();
  const detailsOf = (call: CallRowFragment) => (
    <CallDetails
      key={call.id}
      id={call.id}
      what={wordsOf(call).what}
      onOpen={open}
      onReplayed={pages.reload}
      onTry={(first) => {
        open(undefined);
        setTrying({ first });
      }}
    />
  );
  return (
    <Page
      title={texts.calls}
      {...(isLive && { count: <Live /> })}
      actions={
        <Button kind="primary" icon="send" onClick={() => setTrying({})}>
          {texts.tryCall}
        </Button>
      }
      bar={<CallFilters filter={filter} seen={pages.nodes.map(({ route }) => route)} counts={counts} />}
    >
      {rows.length > 0 && (
        <div className={styles.sheet} {...still.handlers}>
          <CallTable columns={columns}>
            {fresh.count > 0 && <Fresh {...fresh} width={columns.length + 1} />}
            {rows.map((call) => (
              <Fragment key={call.id}>
                <CallRow
                  call={call}
                  columns={columns}
                  isOpen={call.id === id}
                  onToggle={() => open(call.id === id ? undefined : call.id)}
                />
                {call.id === id && (
                  <tr className={styles.opened}>
                    <td colSpan={columns.length + 1}>{detailsOf(call)}</td>
                  </tr>
                )}
              </Fragment>
            ))}
          </CallTable>
        </div>
      )}
      {linked.data === null && <p role="status">{texts.removed}</p>}
      {!pages.isLoading && pages.error === undefined && rows.length === 0 && (
        <EmptyState title={texts.none} hint={Object.keys(filter).length > 0 ? texts.noneFits : texts.noneHint} />
      )}
      <ListEnd pages={pages} />
      {trying !== undefined && (
        <TryCall tenantId={tenantId} first={trying.first} onClose={() => setTrying(undefined)} onTried={pages.reload} />
      )}
    </Page>
  );
}

const countAgainMs = 10_000;

/** Counts the calls that the filter leaves, whatever became of them, and again a while after a new one came. */
function useCallCounts(filter: CallFilter, newestId: string | undefined): CallCounts | undefined {
  const { outcome: _outcome, reported: _reported, ...others } = filter;
  const { data, reload } = useLoaded(
    JSON.stringify(others),
    async () => (await askAgain(CallCountsDocument, { filter: toInput(others) })).webhookDeliveryCounts,
  );
  const counted = useRef(newestId);
  const [isStale, setIsStale] = useState(false);
  useEffect(() => {
    if (counted.current !== undefined && newestId !== counted.current) setIsStale(true);
    counted.current = newestId;
  }, [newestId]);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => {
      setIsStale(false);
      reload();
    }, countAgainMs);
    return () => clearTimeout(timer);
  }, [isStale, reload]);
  return data;
}

const isOpenAtItsEnd = ({ until }: CallFilter) => {
  const end = timeOf(until);
  return end === undefined || Date.parse(end) > Date.now();
};

function Live() {
  const texts = useTexts(callRowTexts);
  const state = useStore(connection);
  return state === 'live' ? <span className={styles.live}>{texts.live}</span> : null;
}

function CallTable({ columns, children }: { columns: readonly CallColumn[]; children: ReactNode }) {
  const texts = useTexts(callRowTexts);
  const callTexts = useTexts(callsTexts);
  return (
    <Table
      label={callTexts.calls}
      columns={[
        { name: callTexts.details, isNameHidden: true },
        ...columns.map((name) => ({ name: texts[name], isNumber: name === 'took' })),
      ]}
    >
      {children}
    </Table>
  );
}

interface FreshProps {
  count: number;
  hasMore: boolean;
  /** The number of columns. */
  width: number;
  show: () => void;
}

function Fresh({ count, hasMore, width, show }: FreshProps) {
  const texts = useTexts(callRowTexts);
  const formats = useFormats();
  return (
    <tr className={styles.fresh}>
      <td colSpan={width}>
        <button type="button" onClick={show}>
          <Icon name="sort-up" size={14} />
          {texts.new(`${formats.number(count)}${hasMore ? '+' : ''}`)}
        </button>
      </td>
    </tr>
  );
}

/** Tells whether rows have to stand still: the pointer or the focus is among them, or the page is scrolled. */
function useStillness() {
  const [hasPointer, setHasPointer] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    // The page's main area scrolls, not the window.
    const area = document.querySelector('#main');
    const look = () => setIsScrolled((area?.scrollTop ?? 0) > 0);
    area?.addEventListener('scroll', look, { passive: true });
    return () => area?.removeEventListener('scroll', look);
  }, []);
  return {
    isStill: hasPointer || hasFocus || isScrolled,
    handlers: {
      onPointerEnter: () => setHasPointer(true),
      onPointerLeave: () => setHasPointer(false),
      onFocus: () => setHasFocus(true),
      onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) =>
        setHasFocus(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
    },
  };
}
