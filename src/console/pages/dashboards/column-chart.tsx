// Values side by side, as columns or as a line. It shows series, and breakdowns by hour or weekday.

import { useTexts } from '../../i18n/language.js';
import { Keys } from '../../parts/keys.js';
import styles from './chart.module.css';
import type { Mark } from './marks.js';
import { bandsOf, heightOf, labelStride, lineOf, ticksOf, type Band, type Place } from './scale.js';
import { dashboardTexts } from './texts.js';
import { useMarks, useSize } from './use-marks.js';
import type { ValueFormats } from './value-formats.js';

export interface ChartProps {
  marks: readonly Mark[];
  formats: ValueFormats;
  onOpen: (id: string) => void;
}

const edge = { top: 10, bottom: 26, end: 8 };
/** The mean width of a character on an axis, in pixels. */
export const characterWidth = 6.6;
const mostPoints = 60;
const tipDistance = 8;

export function ColumnChart({ marks, formats, onOpen, isLine }: ChartProps & { isLine: boolean }) {
  const texts = useTexts(dashboardTexts);
  const ids = marks.map(({ id }) => id);
  const { group, active, propsOf } = useMarks(ids, onOpen, 1);
  const { width, height } = useSize(group);
  const unit = marks[0]?.unit ?? 'COUNT';
  const ticks = ticksOf(Math.max(0, ...marks.map(({ value }) => value ?? 0)), unit);
  const top = ticks.at(-1) ?? 1;
  const tickTexts = ticks.map((tick) => formats.tick(tick, unit));
  const start = Math.ceil(Math.max(...tickTexts.map(({ length }) => length)) * characterWidth) + 10;
  const inner = { width: Math.max(10, width - start - edge.end), height: height - edge.top - edge.bottom };
  const each = inner.width / Math.max(1, marks.length);
  const bands = bandsOf(marks.length, inner.width);
  const longest = Math.max(1, ...marks.map(({ tick }) => tick.length));
  const stride = labelStride(marks.length, inner.width, longest * characterWidth + 10);
  const base = edge.top + inner.height;
  const yOf = (value: number) => base - heightOf(value, top, inner.height);
  const centerOf = ({ x, width: bandWidth }: Band) => start + x + bandWidth / 2;
  const places = marks.map(({ value }, index) => ({
    x: centerOf(bands[index] ?? { x: 0, width: 0 }),
    y: value === null ? null : yOf(value),
  }));
  const shown = marks.findIndex(({ id }) => id === active);
  return (
    <div ref={group} className={styles.chart}>
      {width > 0 && (
        <svg width={width} height={height} role="group" aria-label={texts.marks} className={styles.svg}>
          <g aria-hidden>
            {ticks.map((tick, index) => (
              <g key={tick}>
                <line className={styles.grid} x1={start} x2={width - edge.end} y1={yOf(tick)} y2={yOf(tick)} />
                <text className={styles.axis} x={start - 6} y={yOf(tick) + 4} textAnchor="end">
                  {tickTexts[index]}
                </text>
              </g>
            ))}
            {marks.map(
              ({ id, tick }, index) =>
                index % stride === 0 && (
                  <text
                    key={id}
                    className={styles.axis}
                    x={within(places[index]?.x ?? 0, (tick.length * characterWidth) / 2, width)}
                    y={height - 8}
                    textAnchor="middle"
                  >
                    {tick}
                  </text>
                ),
            )}
            {isLine && <path className={styles.line} d={lineOf(places)} />}
          </g>
          {marks.map((mark, index) => (
            <ColumnMark
              key={mark.id}
              mark={mark}
              text={mark.value === null ? texts.noValue : formats.value(mark.value, mark.unit)}
              area={{ x: start + index * each, y: edge.top, width: each, height: inner.height }}
              column={isLine ? undefined : { x: start + (bands[index]?.x ?? 0), width: bands[index]?.width ?? 0 }}
              place={isLine && (marks.length <= mostPoints || isAlone(places, index)) ? 'point' : 'hidden'}
              at={places[index] ?? { x: 0, y: null }}
              isActive={mark.id === active}
              own={propsOf(mark.id)}
            />
          ))}
        </svg>
      )}
      {marks[shown] !== undefined && (
        <ChartTip mark={marks[shown]} at={places[shown]?.x ?? 0} half={each / 2} {...{ width, formats }} />
      )}
    </div>
  );
}

interface TipProps {
  mark: Mark;
  /** The middle of the mark, from the left edge of the chart. */
  at: number;
  /** Half of the mark's width. */
  half: number;
  width: number;
  formats: ValueFormats;
}

/** Says what the mark under the pointer or the focus stands for. Screen readers have it as the mark's name. */
export function ChartTip({ mark, at, half, width, formats }: TipProps) {
  const texts = useTexts(dashboardTexts);
  // The tip stands beside its mark, on the side that has more room.
  const distance = half + tipDistance;
  const side = at > width / 2 ? { right: width - at + distance } : { left: at + distance };
  return (
    <div className={styles.tip} style={side} aria-hidden>
      <strong dir="auto">{mark.label}</strong>
      <span>{formats.value(mark.value, mark.unit)}</span>
      {mark.count > 0 && (
        <p>
          {texts.showRows(formats.value(mark.count, 'COUNT'))} <Keys keys="Enter" />
        </p>
      )}
    </div>
  );
}

// Centers a text at its place, but keeps it inside the chart.
const within = (x: number, half: number, width: number) => Math.max(half, Math.min(width - half, x));

interface ColumnMarkProps {
  mark: Mark;
  text: string;
  /** The area that reacts to the pointer. */
  area: { x: number; y: number; width: number; height: number };
  /** Undefined for a line chart. */
  column: Band | undefined;
  /** In a line chart, `hidden` shows the point only under the pointer or with the focus. */
  place: 'point' | 'hidden';
  at: Place;
  isActive: boolean;
  own: object;
}

function ColumnMark({ mark, text, area, column, place, at: { x, y }, isActive, own }: ColumnMarkProps) {
  const isPoint = column === undefined && (place === 'point' || isActive);
  const base = area.y + area.height;
  return (
    <g role="button" aria-label={`${mark.label}: ${text}`} className={styles.mark} {...own}>
      <rect className={styles.hit} {...area} />
      {isPoint && y !== null && <circle className={styles.point} cx={x} cy={y} r={isActive ? 5 : 3} />}
      {column !== undefined && y !== null && y < base && (
        <rect className={styles.bar} {...column} y={y} height={base - y} rx={Math.min(3, column.width / 3)} />
      )}
    </g>
  );
}

function isAlone(places: readonly { y: number | null }[], index: number): boolean {
  return (places[index - 1]?.y ?? null) === null && (places[index + 1]?.y ?? null) === null;
}
