// The table of leads with filters, order, columns and further pages, and the actions to add, import and export leads.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { usePages } from '../../api/use-pages.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { nameOf } from '../../parts/name-of.js';
import { Page } from '../../parts/page.js';
import { nameOfSource } from '../../parts/source-name.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { Table } from '../../parts/table.js';
import { selectionTexts } from '../../parts/selection/texts.js';
import { clickOf } from '../../parts/selection/use-selection.js';
import { AddLeadDialog } from './add-lead-dialog.js';
import { ExportButton } from './export-button.js';
import { ImportDialog } from './import-dialog.js';
import { LeadFilters } from './lead-filters.js';
import { leadFilterOf, leadOrderOf } from './lead-search.js';
import styles from './leads.module.css';
import { LeadsSelectionBar, useLeadsSelection } from './leads-selection-bar.js';
import { LeadCountDocument, LeadsDocument, type LeadLineFragment } from './operations.js';
import { leadsTexts } from './texts.js';

const pageSize = 50;
export const columnNames = [
  'number',
  'status',
  'tags',
  'source',
  'assignee',
  'created',
  'lastInbound',
  'fields',
] as const;
export type ColumnName = (typeof columnNames)[number];

const columnsKey = 'leadwire.lead-columns';
/** An import creates many leads a second, so they are read together. */
const readNewAfterMs = 2_000;

export function LeadsPage() {
  const texts = useTexts(leadsTexts);
  const formats = useFormats();
  const search = useSearch({ from: '/signed-in/leads' });
  const navigate = useNavigate();
  const [open, setOpen] = useState<'add' | 'import'>();
  const [columns, setColumns] = useColumns();
  const filter = leadFilterOf(search);
  const orderBy = leadOrderOf(search);
  const key = JSON.stringify([filter, orderBy]);
  const pages = usePages(key, async (after) => {
    const variables = { first: pageSize, filter, orderBy, ...(after !== undefined && { after }) };
    return (await askAgain(LeadsDocument, variables)).leads;
  });
  const count = useLoaded(
    JSON.stringify(filter),
    async () => (await askAgain(LeadCountDocument, { filter })).leads.totalCount,
  );
  useLiveLines(pages, count.reload);
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
        const id =
          document.querySelector<HTMLElement>('tr:focus-within, tr:hover')?.dataset['lead'] ?? pages.nodes[0]?.id;
        if (id !== undefined) selection.toggle(id);
      },
    },
    { id: 'import-leads', title: texts.import, group: texts.title, run: () => setOpen('import') },
  ]);
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <Page
      title={texts.title}
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
      bar={<LeadFilters search={search} columns={columns} onColumns={setColumns} />}
    >
      <p className={styles.count} role="status">
        {count.data === undefined ? '' : texts.count(formats.number(count.data))}
      </p>
      {pages.nodes.length > 0 && (
        <Table
          label={texts.title}
          columns={[
            { name: column, isNameHidden: true },
            { name: texts.name },
            ...columns.map((name) => ({ name: texts[name] })),
          ]}
        >
          {pages.nodes.map((lead) => (
            <Line
              key={lead.id}
              lead={lead}
              columns={columns}
              isSelected={selection.has(lead.id)}
              onSelect={(way) => selection[way](lead.id)}
            />
          ))}
        </Table>
      )}
      {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
      {pages.isLoading && pages.nodes.length === 0 && <Loading shape="table" />}
      {!pages.isLoading && pages.nodes.length === 0 && pages.error === undefined && (
        <EmptyState title={isFiltered ? texts.nothing : texts.empty} {...(!isFiltered && { hint: texts.emptyHint })}>
          {isFiltered && <Button onClick={() => void navigate({ to: '/leads', search: {} })}>{texts.clear}</Button>}
        </EmptyState>
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

/** A row has one line: the lead's page shows all tags. */
const maxTags = 2;

function Time({ iso }: { iso: string }) {
  const formats = useFormats();
  return (
    <time dateTime={iso} title={formats.full(iso)}>
      {formats.short(iso)}
    </time>
  );
}

interface LineProps {
  lead: LeadLineFragment;
  columns: readonly ColumnName[];
  isSelected: boolean;
  onSelect: (way: 'toggle' | 'extendTo') => void;
}

function Line({ lead, columns, isSelected, onSelect }: LineProps) {
  const texts = useTexts(leadsTexts);
  const { select } = useTexts(selectionTexts);
  const { id, name, chat, source, tags, customFields, conversationStatus, createdAt, lastInboundAt, optOut, assignee } =
    lead;
  const cells: Record<ColumnName, React.ReactNode> = {
    number: chat === null ? '' : `+${chat}`,
    status: texts[conversationStatus],
    tags: (
      <span className={styles.tags} title={tags.join(', ')}>
        {tags.slice(0, maxTags).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {tags.length > maxTags && <Badge>+{tags.length - maxTags}</Badge>}
      </span>
    ),
    source: nameOfSource(source),
    assignee: assignee === null ? '' : nameOf(assignee),
    created: <Time iso={createdAt} />,
    lastInbound: lastInboundAt === null ? '' : <Time iso={lastInboundAt} />,
    fields: <span dir="auto">{printFields(customFields)}</span>,
  };
  return (
    <tr data-lead={id}>
      <td>
        <input
          type="checkbox"
          aria-label={select(name)}
          checked={isSelected}
          onChange={({ nativeEvent }) => onSelect(clickOf(nativeEvent as MouseEvent) ?? 'toggle')}
        />
      </td>
      <td className={styles.name}>
        <Link to="/leads/$id" params={{ id }} dir="auto">
          {name}
        </Link>{' '}
        {optOut !== null && <Badge kind="danger">{texts.optedOut}</Badge>}
      </td>
      {columns.map((column) => (
        <td key={column}>{cells[column]}</td>
      ))}
    </tr>
  );
}

function printFields(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
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
  useFeed(({ type, lead, leadId }) => {
    if (type === 'LEAD_DELETED') {
      change((lines) => lines.filter(({ id }) => id !== leadId));
      readSoon();
    }
    if (lead === null) return;
    change((lines) => lines.map((line) => (line.id === lead.id ? { ...line, ...lead } : line)));
    if (type === 'LEAD_CREATED') readSoon();
  }, reload);
}

function useColumns() {
  const [columns, setColumns] = useState<readonly ColumnName[]>(() => {
    const stored = localStorage.getItem(columnsKey);
    const wanted: readonly string[] = stored === null ? columnNames.slice(0, -1) : (JSON.parse(stored) as string[]);
    return columnNames.filter((name) => wanted.includes(name));
  });
  const choose = (chosen: readonly ColumnName[]) => {
    localStorage.setItem(columnsKey, JSON.stringify(chosen));
    setColumns(columnNames.filter((name) => chosen.includes(name)));
  };
  return [columns, choose] as const;
}
