// A breakdown as horizontal bars, each with its name on the left and its value on the right.

import { useTexts } from '../../i18n/language.js';
import styles from './chart.module.css';
import type { ChartProps } from './column-chart.js';
import { heightOf, shortenTo } from './scale.js';
import { dashboardTexts } from './texts.js';
import { useMarks, useSize } from './use-marks.js';

const lowRow = 30;
/** The height of a row whose name stands above its bar, for lack of room beside it. */
const highRow = 46;
const characterWidth = 7.4;

export function BarChart({ marks, formats, onOpen, patternId }: ChartProps & { patternId: string }) {
  const texts = useTexts(dashboardTexts);
  const { group, propsOf } = useMarks(
    marks.map(({ id }) => id),
    onOpen,
  );
  const { width } = useSize(group);
  const top = Math.max(0, ...marks.map(({ value }) => value ?? 0));
  const values = marks.map(({ value, unit }) => formats.value(value, unit));
  const longest = Math.max(1, ...marks.map(({ label }) => Array.from(label).length));
  const wantedWidth = longest * characterWidth + 14;
  const besideWidth = Math.min(Math.max(60, width * 0.38), 190);
  const isAbove = wantedWidth > besideWidth;
  const rowHeight = isAbove ? highRow : lowRow;
  const labelWidth = isAbove ? 4 : wantedWidth;
  const valueWidth = Math.max(...values.map(({ length }) => length)) * characterWidth + 8;
  const room = Math.max(10, width - labelWidth - valueWidth - 8);
  const lengths = marks.map(({ value }) => heightOf(value, top, room));
  const shortLabels = marks.map(({ label }) => shortenTo(label, isAbove ? width - 8 : labelWidth - 8, characterWidth));
  return (
    <div ref={group} className={styles.chart}>
      {width > 0 && (
        <svg
          width={width}
          height={marks.length * rowHeight}
          role="group"
          aria-label={texts.marks}
          className={styles.svg}
        >
          <defs>
            <pattern id={patternId} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect className={styles.stripe} width={3} height={6} />
            </pattern>
          </defs>
          {marks.map((mark, index) => (
            <g
              key={mark.id}
              role="button"
              aria-label={`${mark.label}: ${mark.value === null ? texts.noValue : (values[index] ?? '')}`}
              className={styles.mark}
              {...propsOf(mark.id)}
            >
              {shortLabels[index] !== mark.label && <title>{mark.label}</title>}
              <rect
                className={styles.hit}
                x={1}
                y={index * rowHeight + 1}
                width={Math.max(0, width - 2)}
                height={rowHeight - 2}
                rx={4}
              />
              <rect
                className={mark.isRest ? styles.rest : styles.bar}
                {...(mark.isRest && { fill: `url(#${patternId})` })}
                x={labelWidth}
                y={(index + 1) * rowHeight - lowRow + 7}
                width={lengths[index] ?? 0}
                height={lowRow - 14}
                rx={2}
              />
            </g>
          ))}
          <g aria-hidden className={styles.over}>
            {marks.map(({ id }, index) => (
              <g key={id}>
                <text className={styles.label} x={4} y={index * rowHeight + 19}>
                  {shortLabels[index]}
                </text>
                <text
                  className={styles.amount}
                  x={labelWidth + (lengths[index] ?? 0) + 6}
                  y={(index + 1) * rowHeight - lowRow + 19}
                >
                  {values[index]}
                </text>
              </g>
            ))}
          </g>
        </svg>
      )}
    </div>
  );
}
