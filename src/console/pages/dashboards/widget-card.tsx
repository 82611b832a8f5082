// A widget: its chart or table, its export, and the tools that the editor adds.

import { useId, useState, type ReactNode } from 'react';
import { RequestError, explain, requestLine } from '../../api/request-error.js';
import { useTexts } from '../../i18n/language.js';
import { dayOfTime } from '../../i18n/local-time.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { BarChart } from './bar-chart.js';
import { ColumnChart } from './column-chart.js';
import { fileNameOf, toCsv, type Cell } from './csv.js';
import styles from './dashboards.module.css';
import { FigureView } from './figure-view.js';
import { HeatMap } from './heat-map.js';
import { isEmpty, marksOf, type Mark, type Naming, type WidgetData, type WidgetPlan } from './marks.js';
import { isOfNow, timeDimensions } from './metric-rules.js';
import type { Dimension } from './operations.js';
import { figureSummary, summaryOf } from './summary.js';
import { dashboardTexts } from './texts.js';
import type { ValueFormats } from './value-formats.js';
import { LinesTable, MarksTable } from './values-table.js';
import { widgetTexts } from './widget-texts.js';

interface CardProps {
  plan: WidgetPlan;
  data: WidgetData | undefined;
  failure: unknown;
  readAt: string;
  formats: ValueFormats;
  naming: Naming;
  onOpen: (mark: string) => void;
  onRetry: () => void;
  /** The tools that are shown while the dashboard is edited. */
  tools?: ReactNode;
}

export function WidgetCard({ plan, data, failure, readAt, formats, naming, onOpen, onRetry, tools }: CardProps) {
  const texts = useTexts(dashboardTexts);
  const heading = useId();
  const isOfNowHint = metricsOf(plan).some(isOfNow) ? texts.nowHint(formats.time(readAt)) : undefined;
  // After a change of the type, the old values do not fit until the next reading.
  const shown = failure === undefined && data !== undefined && fits(plan, data) ? data : undefined;
  const marks = shown === undefined ? [] : marksOf(plan, shown, naming);
  const [isTable, setIsTable] = useState(false);
  const isChart = plan.type === 'FIGURE' || (plan.type !== 'TABLE' && !isEmpty(marks));
  return (
    <article
      className={styles.card}
      data-type={plan.type}
      data-wide={('dimension' in plan && isOfClock(plan.dimension)) || undefined}
      data-widget={plan.id}
      aria-labelledby={heading}
    >
      <header>
        <h2 id={heading} dir="auto">
          {plan.title}
        </h2>
        {isOfNowHint !== undefined && <Badge title={isOfNowHint}>{texts.now}</Badge>}
        {shown !== undefined && isChart && (
          <IconButton
            icon={isTable ? 'chart' : 'table'}
            label={isTable ? texts.showChart : texts.showTable}
            onClick={() => setIsTable(!isTable)}
          />
        )}
        {shown !== undefined && <Export plan={plan} marks={marks} />}
      </header>
      {failure !== undefined && <Failed error={failure} onRetry={onRetry} />}
      {failure === undefined && shown === undefined && <p className={styles.quiet}>{texts.updating}…</p>}
      {shown !== undefined &&
        (isTable && isChart ? (
          <MarksTable marks={marks} formats={formats} onOpen={onOpen} title={plan.title} />
        ) : (
          <Shown {...{ plan, marks, formats, naming, onOpen }} data={shown} />
        ))}
      {isOfNowHint !== undefined && <small className={styles.quiet}>{isOfNowHint}</small>}
      {tools}
    </article>
  );
}

const dataOf = { FIGURE: 'figure', SERIES: 'series', BREAKDOWN: 'breakdown', TABLE: 'table' } as const;
const fits = ({ type }: WidgetPlan, data: WidgetData) => dataOf[type] in data;

const metricsOf = (plan: WidgetPlan) => ('metrics' in plan ? plan.metrics : [plan.metric]);

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const texts = useTexts(dashboardTexts);
  const isTooLong = error instanceof RequestError && error.fields.some(({ path }) => path === 'bucket');
  return (
    <div className={styles.failed} role="alert">
      <strong>{texts.widgetFailed}</strong>
      <p>{isTooLong ? texts.tooManyPoints : explain(error)}</p>
      {!isTooLong && <small>{requestLine(error)}</small>}
      {!isTooLong && <Button onClick={onRetry}>{texts.tryAgain}</Button>}
    </div>
  );
}

interface ViewProps {
  plan: WidgetPlan;
  marks: readonly Mark[];
  formats: ValueFormats;
  naming: Naming;
  onOpen: (mark: string) => void;
}

function Shown({ plan, data, marks, formats, naming, onOpen }: ViewProps & { data: WidgetData }) {
  const texts = useTexts(dashboardTexts);
  const print = (value: number | null, unit: Mark['unit']) => formats.value(value, unit);
  const facts = { title: plan.title, marks, words: texts, print };
  const chart = { marks, formats, onOpen };
  if ('figure' in data)
    return (
      <figure aria-label={figureSummary(facts)}>
        <FigureView {...chart} course={data.figure.course} />
      </figure>
    );
  if (isEmpty(marks)) return <p className={styles.quiet}>{texts.nothing}</p>;
  if ('table' in data && 'metrics' in plan) {
    const { lines, omittedCount } = data.table;
    const { title, dimension, metrics } = plan;
    const columns = { metrics: [...new Set(metrics)], lines, omittedCount };
    return <LinesTable {...chart} {...columns} title={title} dimension={dimension} naming={naming} />;
  }
  const dimension = 'dimension' in plan ? plan.dimension : undefined;
  const isOfWeek = dimension === 'HOUR_OF_WEEK';
  const isColumns = 'series' in data || isOfClock(dimension);
  return (
    <figure aria-label={summaryOf(facts)}>
      {isOfWeek && <HeatMap {...chart} />}
      {!isOfWeek && isColumns && <ColumnChart {...chart} isLine={'series' in data && marks[0]?.unit !== 'COUNT'} />}
      {!isOfWeek && !isColumns && <BarChart {...chart} />}
    </figure>
  );
}

const isOfClock = (dimension: Dimension | undefined) => dimension !== undefined && timeDimensions.includes(dimension);

function Export({ plan, marks }: Pick<ViewProps, 'plan' | 'marks'>) {
  const texts = useTexts(dashboardTexts);
  const words = useTexts(widgetTexts);
  const save = () => {
    const head = [texts.label, texts.start, texts.end, texts.metric, texts.value, texts.counted, texts.among];
    const rows = marks.map(({ label, start, end, metric, value, count, total }): Cell[] => [
      label,
      start ?? '',
      end ?? '',
      words[metric],
      value,
      count,
      total,
    ]);
    const url = URL.createObjectURL(new Blob([toCsv([head, ...rows])], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = fileNameOf(plan.title, dayOfTime(new Date().toISOString()));
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return <IconButton icon="download" label={texts.exportNamed(plan.title)} onClick={save} />;
}
