// Tables of values: the table of a TABLE widget, and the table that replaces a chart.

import { useTexts } from '../../i18n/language.js';
import { Table } from '../../parts/table.js';
import type { ChartProps } from './column-chart.js';
import styles from './dashboards.module.css';
import { cellId, type Mark, type Naming } from './marks.js';
import type { Dimension, Metric } from './operations.js';
import { dashboardTexts } from './texts.js';
import { useMarks } from './use-marks.js';
import { noValue } from './value-formats.js';
import { widgetTexts } from './widget-texts.js';

interface ValueProps {
  mark: Mark;
  label: string;
  text: string;
  own: object;
}

function Value({ mark, label, text, own }: ValueProps) {
  return (
    <td className={styles.number}>
      <button type="button" className={styles.cell} aria-label={`${label}: ${text}`} data-metric={mark.metric} {...own}>
        {text}
      </button>
    </td>
  );
}

/** Replaces a chart: each mark becomes a line with its numbers of records. */
export function MarksTable({ marks, formats, onOpen, title }: ChartProps & { title: string }) {
  const texts = useTexts(dashboardTexts);
  const metrics = useTexts(widgetTexts);
  const { group, propsOf } = useMarks(
    marks.map(({ id }) => id),
    onOpen,
  );
  const [first] = marks;
  const isCount = first?.unit === 'COUNT';
  const numbers = isCount ? [] : [texts.counted, texts.among];
  const columns = [
    { name: texts.label },
    ...[first === undefined ? texts.value : metrics[first.metric], ...numbers].map((name) => ({
      name,
      isNumber: true,
    })),
  ];
  return (
    <div ref={group} className={styles.tall}>
      <Table label={title} columns={columns}>
        {marks.map((mark) => (
          <tr key={mark.id}>
            <th scope="row" className={styles.rowName} dir="auto">
              {mark.label}
            </th>
            <Value mark={mark} label={mark.label} text={formats.value(mark.value, mark.unit)} own={propsOf(mark.id)} />
            {!isCount && <td className={styles.number}>{formats.value(mark.count, 'COUNT')}</td>}
            {!isCount && <td className={styles.number}>{formats.value(mark.total, 'COUNT')}</td>}
          </tr>
        ))}
      </Table>
    </div>
  );
}

interface LinesProps extends ChartProps {
  title: string;
  dimension: Dimension;
  metrics: readonly Metric[];
  lines: readonly { key: string | null; label: string }[];
  omittedCount: number;
  naming: Naming;
}

/** A TABLE widget: a line for each value of its dimension, and a column for each metric. */
export function LinesTable({
  marks,
  formats,
  onOpen,
  title,
  dimension,
  metrics,
  lines,
  omittedCount,
  naming,
}: LinesProps) {
  const texts = useTexts(dashboardTexts);
  const words = useTexts(widgetTexts);
  const { group, propsOf } = useMarks(
    marks.map(({ id }) => id),
    onOpen,
    metrics.length,
  );
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  const columns = [{ name: words[dimension] }, ...metrics.map((metric) => ({ name: words[metric], isNumber: true }))];
  return (
    <div ref={group} className={styles.tall}>
      <Table label={title} columns={columns}>
        {lines.map(({ key, label }) => {
          const name = naming.key(dimension, key, label);
          return (
            <tr key={key ?? ''}>
              <th scope="row" className={styles.rowName} dir="auto">
                {name}
              </th>
              {metrics.map((metric) => {
                const id = cellId(metric, key);
                const mark = byId.get(id);
                if (mark === undefined) return <td key={metric}>{noValue}</td>;
                const text = formats.value(mark.value, mark.unit);
                return (
                  <Value key={metric} mark={mark} label={`${name}, ${words[metric]}`} text={text} own={propsOf(id)} />
                );
              })}
            </tr>
          );
        })}
      </Table>
      {omittedCount > 0 && <small className={styles.quiet}>{texts.omitted(omittedCount)}</small>}
    </div>
  );
}
