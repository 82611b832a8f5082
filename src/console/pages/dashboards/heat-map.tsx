// A breakdown by the hours of a week, as a map. Each weekday is a row, and a cell is darker the greater its value is.

import { useTexts } from '../../i18n/language.js';
import styles from './chart.module.css';
import { ChartTip, characterWidth, type ChartProps } from './column-chart.js';
import { labelStride, shadeOf, shades } from './scale.js';
import { dashboardTexts } from './texts.js';
import { useMarks, useSize } from './use-marks.js';

const days = 7;
const hours = 24;
const axisHeight = 20;
const gap = 2;
const hourWidth = 3 * characterWidth;

/** @param marks the hours of a week in their order, from Monday */
export function HeatMap({ marks, formats, onOpen }: ChartProps) {
  const texts = useTexts(dashboardTexts);
  const ids = marks.map(({ id }) => id);
  const { group, active, propsOf } = useMarks(ids, onOpen, hours);
  const { width, height } = useSize(group);
  const top = Math.max(0, ...marks.map(({ value }) => value ?? 0));
  const peak = marks.find(({ value }) => value === top);
  const names = Array.from({ length: days }, (_, day) => formats.weekday(String(day + 1), 'short'));
  const start = Math.ceil(Math.max(...names.map(({ length }) => length)) * characterWidth) + 8;
  const each = { width: Math.max(gap + 1, (width - start) / hours), height: (height - axisHeight) / days };
  const placeOf = (index: number) => ({
    x: start + (index % hours) * each.width,
    y: Math.floor(index / hours) * each.height,
  });
  const stride = [1, 2, 3, 6, 12].find((step) => step >= labelStride(hours, width - start, hourWidth)) ?? hours;
  const shown = ids.findIndex((id) => id === active);
  return (
    <>
      <p className={styles.legend}>
        <span>{peak !== undefined && texts.peak(peak.label, formats.zone)}</span>
        <span aria-hidden>
          {formats.tick(0, marks[0]?.unit ?? 'COUNT')}
          {Array.from({ length: shades + 1 }, (_, shade) => (
            <i key={shade} data-shade={shade} />
          ))}
          {formats.tick(top, marks[0]?.unit ?? 'COUNT')}
        </span>
      </p>
      <div ref={group} className={styles.chart}>
        {width > 0 && (
          <svg width={width} height={height} role="group" aria-label={texts.marks} className={styles.svg}>
            <g aria-hidden>
              {names.map((name, day) => (
                <text key={name} className={styles.axis} x={0} y={(day + 0.5) * each.height + 4}>
                  {name}
                </text>
              ))}
              {Array.from({ length: Math.ceil(hours / stride) }, (_, step) => (
                <text key={step} className={styles.axis} x={placeOf(step * stride).x + gap} y={height - 6}>
                  {step * stride}
                </text>
              ))}
            </g>
            {marks.map((mark, index) => (
              <rect
                key={mark.id}
                role="button"
                aria-label={`${mark.label}: ${mark.value === null ? texts.noValue : formats.value(mark.value, mark.unit)}`}
                className={styles.cell}
                data-shade={shadeOf(mark.value, top)}
                x={placeOf(index).x + gap / 2}
                y={placeOf(index).y + gap / 2}
                width={each.width - gap}
                height={Math.max(0, each.height - gap)}
                rx={3}
                {...propsOf(mark.id)}
              />
            ))}
          </svg>
        )}
        {marks[shown] !== undefined && (
          <ChartTip
            mark={marks[shown]}
            at={placeOf(shown).x + each.width / 2}
            half={each.width / 2}
            {...{ width, formats }}
          />
        )}
      </div>
    </>
  );
}
