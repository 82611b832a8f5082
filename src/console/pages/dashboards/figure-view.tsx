// A single large value with its course and its change since the period before. Value and change open their records.

import { Fragment } from 'react';
import { useTexts } from '../../i18n/language.js';
import { Icon } from '../../parts/icon.js';
import type { ChartProps } from './column-chart.js';
import styles from './dashboards.module.css';
import type { Course, Mark } from './marks.js';
import { SparkLine } from './spark-line.js';
import { trendOf, type Trend } from './summary.js';
import { dashboardTexts } from './texts.js';
import { useMarks } from './use-marks.js';
import type { ValueFormats } from './value-formats.js';

interface FigureProps extends ChartProps {
  /** Null for a value of now, which has no course. */
  course: Course | null;
}

export function FigureView({ marks, formats, onOpen, course }: FigureProps) {
  const texts = useTexts(dashboardTexts);
  const { group, propsOf } = useMarks(
    marks.map(({ id }) => id),
    onOpen,
  );
  const [now, before] = marks;
  if (now === undefined) return null;
  const value = formats.value(now.value, now.unit);
  const trend = trendOf(now, before);
  return (
    <div ref={group} className={styles.figure}>
      <button
        type="button"
        className={styles.large}
        aria-label={`${now.label}: ${now.value === null ? texts.noValue : value}`}
        {...propsOf(now.id)}
      >
        <UnitsSmaller text={value} />
      </button>
      {course !== null && <SparkLine course={course} unit={now.unit} formats={formats} />}
      {trend !== undefined && before !== undefined && (
        <Change {...{ trend, before, formats }} own={propsOf(before.id)} />
      )}
    </div>
  );
}

/** The words beside the numbers of a value are smaller: 9 min 13 sec. */
function UnitsSmaller({ text }: { text: string }) {
  if (!/\d/.test(text)) return text;
  const parts = text.match(/\d[\d.,\s]*\d|\d|\D+/gu) ?? [];
  return parts.map((part, index) =>
    /\d/.test(part) ? <Fragment key={index}>{part}</Fragment> : <small key={index}>{part}</small>,
  );
}

interface ChangeProps {
  trend: Trend;
  before: Mark;
  formats: ValueFormats;
  own: object;
}

function Change({ trend, before, formats, own }: ChangeProps) {
  const texts = useTexts(dashboardTexts);
  const { direction, isGood } = trend;
  const words = wordsOf(trend, before.unit, formats, texts);
  const was = `${texts.beforeButton(formats.value(before.value, before.unit))}, ${before.label}`;
  return (
    <button
      type="button"
      className={styles.change}
      data-good={isGood}
      aria-label={`${words}: ${was}`}
      title={was}
      {...own}
    >
      {direction !== 'same' && <Icon name={direction === 'up' ? 'sort-up' : 'sort-down'} />}
      {words}
    </button>
  );
}

function wordsOf(
  { direction, amount, isShare }: Trend,
  unit: Mark['unit'],
  formats: ValueFormats,
  texts: (typeof dashboardTexts)['en'],
): string {
  if (direction === 'same') return texts.noChange;
  const isMore = direction === 'up';
  if (unit === 'COUNT')
    return (isMore ? texts.moreBy : texts.fewerBy)(isShare ? formats.share(amount) : formats.value(amount, unit));
  if (unit === 'RATIO') return (isMore ? texts.pointsMore : texts.pointsLess)(formats.value(amount, 'COUNT'), amount);
  return (isMore ? texts.slower : texts.faster)(formats.value(amount, 'SECONDS'));
}
