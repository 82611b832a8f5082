// A breakdown as a ranked list: each name with its value, and a bar below them that compares it with the greatest.

import { useTexts } from '../../i18n/language.js';
import styles from './chart.module.css';
import type { ChartProps } from './column-chart.js';
import { heightOf } from './scale.js';
import { dashboardTexts } from './texts.js';
import { useMarks } from './use-marks.js';

export function BarChart({ marks, formats, onOpen }: ChartProps) {
  const texts = useTexts(dashboardTexts);
  const { group, propsOf } = useMarks(
    marks.map(({ id }) => id),
    onOpen,
  );
  const top = Math.max(0, ...marks.map(({ value }) => value ?? 0));
  return (
    <div ref={group} role="group" aria-label={texts.marks} className={styles.slices}>
      {marks.map((mark) => (
        <button
          key={mark.id}
          type="button"
          className={styles.slice}
          data-rest={mark.isRest || undefined}
          aria-label={`${mark.label}: ${mark.value === null ? texts.noValue : formats.value(mark.value, mark.unit)}`}
          title={mark.label}
          {...propsOf(mark.id)}
        >
          <span className={styles.sliceName} dir="auto">
            {mark.label}
          </span>{' '}
          <strong>{formats.value(mark.value, mark.unit)}</strong>
          <span className={styles.track}>
            <i style={{ width: `${heightOf(mark.value, top, 100)}%` }} />
          </span>
        </button>
      ))}
    </div>
  );
}
