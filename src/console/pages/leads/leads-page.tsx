// The table of leads with filters, order, columns and further pages, and the actions to add, import and export leads.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import type { Page as ListPage } from '../../api/read-in-turn.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { leadList, type LeadList } from '../../live/lead-list.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { Table, type Column } from '../../parts/table.js';
import { selectionTexts } from '../../parts/selection/texts.js';
import { AddLeadDialog } from './add-lead-dialog.js';
import { ExportButton } from './export-button.js';
import { ImportDialog } from './import-dialog.js';
import { columnsIn, roomOf, timeColumns, useColumns, type ColumnName } from './lead-columns.js';
import { LeadFilters } from './lead-filters.js';
import { LeadLine } from './lead-line.js';
import { LeadViewLinks } from './lead-view-links.js';
import { leadFilterOf, leadOrderOf, orderNameOf, type LeadSearch, type OrderName } from './lead-search.js';
import styles from './leads.module.css';
import { LeadsSelectionBar, useLeadsSelection } from './leads-selection-bar.js';
import { LeadCountDocument, LeadsDocument, type LeadLineFragment } from './operations.js';
import { leadsTexts } from './texts.js';
import { useLeadViews } from './use-lead-views.js';

// Most visits show no view of one's own.
const LeadViewMenu = lazy(async () => {
  const { LeadViewMenu: component } = await import('./lead-view-menu.js');
  return { default: component };
});

const pageSize = 50;
/** An import creates many leads a second, so they are read together. */
const readNewAfterMs = 2_000;

export function LeadsPage() {
  const texts = useTexts(leadsTexts);
  const search = useSearch({ from: '/signed-in/leads' });
  const [open, setOpen] = useState<'add' | 'import'>();
  const kept = useLeadViews(search);
  const [remembered, remember] = useColumns();
  // A kept view has columns of its own.
  const columns =
    kept.shown === undefined || kept.shown.columns.length === 0 ? remembered : columnsIn(kept.shown.columns);
  const filter = leadFilterOf(search);
  const orderBy = leadOrderOf(search);
  const key = JSON.stringify([filter, orderBy]);
  const read = async (after: string | undefined): Promise<ListPage<LeadLineFragment>> => {
    const variables = { first: pageSize, filter, orderBy, ...(after !== undefined && { after }) };
    return (await askAgain(LeadsDocument, variables)).leads;
  };
  const pages = usePages(key, read);
  const count = useLoaded(
    JSON.stringify(filter),
    async () => (await askAgain(LeadCountDocument, { filter })).leads.totalCount,
  );
  useLiveLines(pages, count.reload);
  useLeadList(pages, count.data, search, read);
  const { selectRow, column } = useTexts(selectionTexts);
  const selection = useLeadsSelection(pages.nodes, filter);
  useCommands([
    { id: 'add-lead', title: texts.add, group: texts.title, run: () => setOpen('add') },
    {
      id: 'select',
      title: selectRow,
      keys: 'x',
      group: texts.title,
      run: () => {
        const id = pointedLead() ?? pages.nodes[0]?.id;
        if (id !== undefined) selection.toggle(id);
      },
    },
    { id: 'next', title: texts.next, keys: 'j', group: texts.title, canRepeat: true, run: () => step(1) },
    { id: 'previous', title: texts.previous, keys: 'k', group: texts.title, canRepeat: true, run: () => step(-1) },
    { id: 'import-leads', title: texts.import, group: texts.title, run: () => setOpen('import') },
  ]);
  const headings = useHeadings(search, columns);

  return (
    <Page
      title={texts.title}
      count={count.data !== undefined && <LeadCount of={count.data} />}
      actions={
        <>
          <Button kind="primary" icon="plus" onClick={() => setOpen('add')}>
            {texts.add}
          </Button>
          <Button icon="upload" onClick={() => setOpen('import')}>
            {texts.import}
          </Button>
          <ExportButton filter={filter} orderBy={orderBy} />
        </>
      }
      bar={
        <TableBar
          search={search}
          kept={kept}
          columns={columns}
          onColumns={(chosen) =>
            kept.shown === undefined ? remember(chosen) : kept.chooseColumns(kept.shown.id, chosen)
          }
        />
      }
    >
      {pages.nodes.length > 0 && (
        <div className={styles.sheet}>
          <Table label={texts.title} columns={[{ name: column, isNameHidden: true }, ...headings]}>
            {pages.nodes.map((lead) => (
              <LeadLine
                key={lead.id}
                lead={lead}
                columns={columns}
                isSelected={selection.has(lead.id)}
                onSelect={(way) => selection[way](lead.id)}
              />
            ))}
          </Table>
        </div>
      )}
      {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
      {pages.isLoading && pages.nodes.length === 0 && <Loading shape="table" />}
      {!pages.isLoading && pages.nodes.length === 0 && pages.error === undefined && (
        <NoLeads isFiltered={Object.keys(filter).length > 0} />
      )}
      {pages.hasMore && (
        <div className={styles.more}>
          <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
            {texts.more}
          </Button>
        </div>
      )}
      <LeadsSelectionBar selection={selection} leads={pages.nodes} filter={filter} count={count.data} />
      {open === 'add' && <AddLeadDialog onClose={() => setOpen(undefined)} />}
      {open === 'import' && (
        <ImportDialog
          onClose={() => {
            setOpen(undefined);
            pages.reload();
            count.reload();
          }}
        />
      )}
    </Page>
  );
}

function NoLeads({ isFiltered }: { isFiltered: boolean }) {
  const texts = useTexts(leadsTexts);
  const navigate = useNavigate();
  if (!isFiltered) return <EmptyState title={texts.empty} hint={texts.emptyHint} />;
  return (
    <EmptyState title={texts.nothing} hint={texts.nothingHint}>
      <Button onClick={() => void navigate({ to: '/leads', search: {} })}>{texts.clear}</Button>
    </EmptyState>
  );
}

/** Tells the page of a lead which leads stand beside it. */
function useLeadList(
  { nodes, after }: ReturnType<typeof usePages<LeadLineFragment>>,
  count: number | undefined,
  search: LeadSearch,
  read: (after: string) => Promise<ListPage<LeadLineFragment>>,
): void {
  useEffect(() => {
    const onFrom = (cursor: string | undefined): LeadList['readOn'] =>
      cursor === undefined
        ? undefined
        : async () => {
            const { edges, pageInfo } = await read(cursor);
            const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
            return { ids: edges.map(({ node }) => node.id), readOn: onFrom(next) };
          };
    leadList.set({ ids: nodes.map(({ id }) => id), count, search, readOn: onFrom(after) });
  }, [nodes, after, count, JSON.stringify(search)]);
}

/** The row with the focus goes before the one under a pointer that rests. */
const pointedLead = () =>
  ['tr[data-lead]:focus-within', 'tr[data-lead]:hover'].flatMap((row) => {
    const lead = document.querySelector<HTMLElement>(row)?.dataset['lead'];
    return lead === undefined ? [] : [lead];
  })[0];

/** Moves the focus to the name in the next row, or in the first one. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-lead]')];
  const at = rows.findIndex((row) => row.matches(':focus-within'));
  const next = at === -1 ? rows[0] : rows[at + by];
  next?.querySelector('a')?.focus();
}

function LeadCount({ of: count }: { of: number }) {
  const texts = useTexts(leadsTexts);
  const formats = useFormats();
  return (
    <>
      {formats.number(count)}
      <span className="visually-hidden"> {texts.leads(count)}</span>
    </>
  );
}

interface TableBarProps {
  search: LeadSearch;
  kept: ReturnType<typeof useLeadViews>;
  columns: readonly ColumnName[];
  onColumns: (columns: readonly ColumnName[]) => void;
}

/** The user's views, and what the table shows. */
function TableBar({ search, kept, columns, onColumns }: TableBarProps) {
  const isAll = Object.keys(leadFilterOf(search)).length === 0 && orderNameOf(search) === 'newest';
  const canKeep = search.q === undefined && !isAll;
  return (
    <>
      {kept.views.length > 0 && <LeadViewLinks views={kept.views} shown={kept.shown} isAll={isAll} />}
      <LeadFilters
        search={search}
        columns={columns}
        onColumns={onColumns}
        viewMenu={
          (kept.shown !== undefined || canKeep) && (
            <Suspense>
              <LeadViewMenu kept={kept} columns={columns} canKeep={canKeep} />
            </Suspense>
          )
        }
      />
    </>
  );
}

type SortedColumn = 'name' | 'created' | 'lastMessage';

/** The orders of a heading: the first click brings the first one, the next click the other. */
const ordersOf: Record<SortedColumn, readonly [OrderName, OrderName]> = {
  name: ['name', 'nameDown'],
  created: ['newest', 'oldest'],
  lastMessage: ['recent', 'quiet'],
};

function useSort(search: LeadSearch) {
  const navigate = useNavigate();
  const now = orderNameOf(search);
  return (column: SortedColumn): NonNullable<Column['sort']> => {
    const [first, other] = ordersOf[column];
    const next = now === first ? other : first;
    const isUp = leadOrderOf(search).direction === 'ASC';
    return {
      direction: now !== first && now !== other ? undefined : isUp ? 'ascending' : 'descending',
      onSort: () => void navigate({ to: '/leads', search: { ...search, order: next }, replace: true }),
    };
  };
}

function useHeadings(search: LeadSearch, columns: readonly ColumnName[]): Column[] {
  const texts = useTexts(leadsTexts);
  const sort = useSort(search);
  return [
    { name: texts.name, sort: sort('name') },
    ...columns.map((name) => ({
      name: texts[name],
      isNumber: timeColumns.includes(name),
      room: roomOf[name],
      ...withSort(name, sort),
    })),
  ];
}

function withSort(name: ColumnName, sort: ReturnType<typeof useSort>): Pick<Column, 'sort'> {
  return name === 'created' || name === 'lastMessage' ? { sort: sort(name) } : {};
}

/** Keeps the shown lines current. New leads appear while the table is not scrolled; their count is always current. */
function useLiveLines({ change, reload }: ReturnType<typeof usePages<LeadLineFragment>>, onCount: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ reload, onCount });
  latest.current = { reload, onCount };
  const readSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current.onCount();
      // The page's main area scrolls, not the window.
      if ((document.querySelector('#main')?.scrollTop ?? 0) === 0) latest.current.reload();
    }, readNewAfterMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  /** The leads that left the table by a merge. */
  const merged = useRef(new Set<string>());
  useFeed(({ type, lead, leadId }) => {
    if (leadId !== null && (type === 'LEAD_DELETED' || lead?.mergedInto != null)) {
      if (type !== 'LEAD_DELETED') merged.current.add(leadId);
      change((lines) => lines.filter(({ id }) => id !== leadId));
      return readSoon();
    }
    if (lead === null) return;
    // Its merge was undone.
    if (merged.current.delete(lead.id)) readSoon();
    change((lines) => lines.map((line) => (line.id === lead.id ? { ...line, ...lead } : line)));
    if (type === 'LEAD_CREATED') readSoon();
  }, reload);
}
