// The records that a value counts, with links to them.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { adviceFor, failureTexts } from '../../parts/failure-texts.js';
import { Select } from '../../parts/field.js';
import { LeadName, PhoneNumber } from '../../parts/phone-number.js';
import { nameOfSource } from '../../parts/source-name.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { Table } from '../../parts/table.js';
import styles from './dashboards.module.css';
import { targetOf, type Mark, type WidgetPlan } from './marks.js';
import type { RowsOf } from './operations.js';
import type { Reading } from './reading.js';
import { readRows, type Row } from './rows.js';
import { dashboardTexts } from './texts.js';
import type { ValueFormats } from './value-formats.js';
import { widgetTexts } from './widget-texts.js';

interface RowsDialogProps {
  dashboardId: string;
  plan: WidgetPlan;
  mark: Mark | undefined;
  reading: Reading;
  formats: ValueFormats;
  onClose: () => void;
}

export function RowsDialog({ plan, mark, onClose, ...rest }: RowsDialogProps) {
  const texts = useTexts(dashboardTexts);
  const words = useTexts(widgetTexts);
  const target = mark === undefined ? undefined : targetOf(mark.id);
  const label = mark === undefined ? '' : target?.kind === 'cell' ? `${mark.label}, ${words[mark.metric]}` : mark.label;
  return (
    <Dialog isOpen onClose={onClose} title={mark === undefined ? plan.title : texts.rowsOf(plan.title, label)} isWide>
      {mark === undefined || target === undefined ? (
        <EmptyState title={texts.markGone} hint={texts.markGoneHint} />
      ) : (
        <Rows {...rest} widget={plan.id} mark={mark} target={target} />
      )}
    </Dialog>
  );
}

interface RowsProps extends Pick<RowsDialogProps, 'dashboardId' | 'reading' | 'formats'> {
  widget: string;
  mark: Mark;
  target: NonNullable<ReturnType<typeof targetOf>>;
}

function Rows({ dashboardId, widget, mark, target, reading, formats }: RowsProps) {
  const texts = useTexts(dashboardTexts);
  const [of, setOf] = useState<RowsOf>('COUNTED');
  const key = JSON.stringify([dashboardId, widget, mark.id, reading, of]);
  const pages = usePages<Row>(key, (after) =>
    readRows(target, { id: dashboardId, widget, of, ...reading, ...(after !== undefined && { after }) }),
  );
  const count = (value: number) => formats.value(value, 'COUNT');
  const isDone = !pages.isLoading && pages.error === undefined;
  return (
    <div className={styles.rows}>
      <p>
        <strong>{formats.value(mark.value, mark.unit)}</strong>
      </p>
      {mark.count !== mark.total && (
        <Select
          label={texts.which}
          value={of}
          options={[
            { value: 'COUNTED', label: texts.countedRows(count(mark.count)) },
            { value: 'TOTAL', label: texts.totalRows(count(mark.total)) },
          ]}
          onChoose={(chosen) => setOf(chosen === 'TOTAL' ? 'TOTAL' : 'COUNTED')}
        />
      )}
      {pages.nodes.length > 0 && <RowsTable rows={pages.nodes} formats={formats} />}
      {pages.error !== undefined && <LoadFailed error={pages.error} onRetry={pages.reload} />}
      {pages.isLoading && <Loading />}
      {isDone && pages.nodes.length === 0 && <EmptyState title={texts.noRows} />}
      {pages.hasMore && (
        <Button isBusy={pages.isLoading} onClick={pages.loadMore}>
          {texts.more}
        </Button>
      )}
    </div>
  );
}

function RowsTable({ rows, formats }: { rows: readonly Row[]; formats: ValueFormats }) {
  const texts = useTexts(dashboardTexts);
  const words = useTexts(widgetTexts);
  const failures = useTexts(failureTexts);
  const areLeads = rows[0]?.__typename === 'Lead';
  const names = areLeads
    ? [texts.lead, texts.number, texts.source, texts.when]
    : [texts.message, texts.lead, texts.status, texts.when];
  return (
    <Table label={texts.rows} columns={names.map((name) => ({ name }))}>
      {rows.map((row) => (
        <tr key={row.id}>
          {row.__typename === 'Lead' ? (
            <>
              <td className={styles.rowName}>
                <Link to="/leads/$id" params={{ id: row.id }} dir="auto">
                  <LeadName name={row.name} />
                </Link>
              </td>
              <td>{row.chat !== null && <PhoneNumber of={row.chat} />}</td>
              <td dir="auto">{nameOfSource(row.source)}</td>
            </>
          ) : (
            <>
              <td className={styles.text}>
                <Link to="/inbox/$leadId" params={{ leadId: row.lead.id }} search={{ message: row.id }} dir="auto">
                  {shortened(row.body) ?? (row.type === 'text' ? texts.deletedText : texts.file)}
                </Link>
              </td>
              <td className={styles.rowName}>
                <Link to="/leads/$id" params={{ id: row.lead.id }} dir="auto">
                  <LeadName name={row.lead.name} />
                </Link>
              </td>
              <td className={styles.state}>
                {row.messageStatus === null ? words.received : words[row.messageStatus]}
                {row.messageStatus === 'FAILED' && (
                  <small>
                    {adviceFor(row.error?.code, failures)}
                    {row.error != null && ` · ${row.error.message}`}
                  </small>
                )}
              </td>
            </>
          )}
          <td className={styles.when}>
            <time dateTime={row.createdAt}>{formats.full(row.createdAt)}</time>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function shortened(body: string | null): string | undefined {
  const text = body?.trim() ?? '';
  if (text === '') return undefined;
  const characters = Array.from(text);
  return characters.length > 120 ? `${characters.slice(0, 119).join('')}…` : text;
}
