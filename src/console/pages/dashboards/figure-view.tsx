// A single large value with its course and the value of the previous period. Each value opens its records.

import { useTexts } from '../../i18n/language.js';
import type { ChartProps } from './column-chart.js';
import type { Course } from './marks.js';
import { SparkLine } from './spark-line.js';
import styles from './dashboards.module.css';
import { changeOf } from './summary.js';
import { dashboardTexts } from './texts.js';
import { useMarks } from './use-marks.js';

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
  const change = changeOf(now, before);
  const arrow = change === undefined || Math.abs(change) < 0.005 ? '' : change > 0 ? '▲ ' : '▼ ';
  return (
    <div ref={group} className={styles.figure}>
      <button
        type="button"
        className={styles.large}
        aria-label={`${now.label}: ${now.value === null ? texts.noValue : formats.value(now.value, now.unit)}`}
        {...propsOf(now.id)}
      >
        {formats.value(now.value, now.unit)}
      </button>
      {course !== null && <SparkLine course={course} unit={now.unit} formats={formats} />}
      {/* A value of now has nothing before it, and an empty value is not worth a line. */}
      {before !== undefined && before.value !== null && before.value !== 0 && (
        <p>
          {change !== undefined && (
            <span>
              <span aria-hidden>{arrow}</span>
              {formats.change(change)}
            </span>
          )}
          <button
            type="button"
            className={styles.before}
            aria-label={`${texts.beforeButton(formats.value(before.value, before.unit))}, ${before.label}`}
            {...propsOf(before.id)}
          >
            {texts.beforeButton(formats.value(before.value, before.unit))}
          </button>
        </p>
      )}
    </div>
  );
}
