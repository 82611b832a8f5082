// The marks of a widget: each shown value with its label, and the way to read its rows.

import { unitOf, type Unit } from './metric-rules.js';
import type { Bucket, Dimension, Metric, WidgetDataFragment, WidgetPlanFragment } from './operations.js';

export type WidgetPlan = WidgetPlanFragment;
export type WidgetData = WidgetDataFragment;
/** The values of a figure in the buckets of its range. */
export type Course = NonNullable<Extract<WidgetData, { figure: unknown }>['figure']['course']>;

interface Measure {
  metric: Metric;
  value: number | null;
  count: number;
  total: number;
}

/** The part of the widget that a mark's rows are read for. */
export type MarkTarget =
  | { kind: 'value' }
  | { kind: 'previous' }
  | { kind: 'point'; at: string }
  | { kind: 'slice'; key: string | null }
  | { kind: 'other' }
  | { kind: 'cell'; metric: Metric; key: string | null };

export interface Mark extends Measure {
  /** The mark's id in the address. */
  id: string;
  label: string;
  /** A shorter label for an axis. */
  tick: string;
  unit: Unit;
  /** True for the sum of all slices that are not shown. */
  isRest: boolean;
  start?: string;
  end?: string;
}

/** The functions and words that make the labels. */
export interface Naming {
  key(dimension: Dimension, key: string | null, label: string): string;
  keyTick(dimension: Dimension, key: string | null, label: string): string;
  bucket(bucket: Bucket, start: string, end: string): string;
  bucketTick(bucket: Bucket, start: string): string;
  period(from: string, to: string): string;
  value: string;
  rest: string;
}

const prefix = 'key:';
const none = 'none';

const keyPart = (key: string | null) => (key === null ? none : `${prefix}${key}`);
const keyOf = (part: string): string | null | undefined =>
  part === none ? null : part.startsWith(prefix) ? part.slice(prefix.length) : undefined;

export const cellId = (metric: Metric, key: string | null): string => `cell:${metric}:${keyPart(key)}`;

/** Returns undefined if the address contains no valid mark. */
export function targetOf(id: string): MarkTarget | undefined {
  if (id === 'value' || id === 'previous' || id === 'other') return { kind: id };
  if (id.startsWith('at:')) {
    const at = id.slice(3);
    return Number.isNaN(Date.parse(at)) ? undefined : { kind: 'point', at };
  }
  const cell = /^cell:([A-Z0-9_]+):(.*)$/s.exec(id);
  const key = keyOf(cell === null ? id : (cell[2] ?? ''));
  if (key === undefined) return undefined;
  return cell === null ? { kind: 'slice', key } : { kind: 'cell', metric: cell[1] as Metric, key };
}

function markOf({ metric, value, count, total }: Measure, own: Pick<Mark, 'id' | 'label'> & Partial<Mark>): Mark {
  return { tick: own.label, unit: unitOf(metric), isRest: false, metric, value, count, total, ...own };
}

/** Returns the marks in the order shown. A table's marks follow line by line. */
export function marksOf(plan: WidgetPlan, data: WidgetData, naming: Naming): Mark[] {
  if ('figure' in data) {
    const { figure } = data;
    const now = markOf(figure, { id: 'value', label: naming.value });
    const { previous } = figure;
    if (previous === null) return [now];
    return [now, markOf(previous, { id: 'previous', label: naming.period(previous.from, previous.to) })];
  }
  if ('series' in data) {
    const bucket = 'bucket' in plan ? plan.bucket : 'DAY';
    return data.series.points.map((point) =>
      markOf(point, {
        id: `at:${point.start}`,
        label: naming.bucket(bucket, point.start, point.end),
        tick: naming.bucketTick(bucket, point.start),
        start: point.start,
        end: point.end,
      }),
    );
  }
  const dimension = 'dimension' in plan ? plan.dimension : 'SOURCE';
  if ('breakdown' in data) {
    const { slices, other } = data.breakdown;
    const marks = slices.map((slice) =>
      markOf(slice, {
        id: keyPart(slice.key),
        label: naming.key(dimension, slice.key, slice.label),
        tick: naming.keyTick(dimension, slice.key, slice.label),
      }),
    );
    return other === null ? marks : [...marks, markOf(other, { id: 'other', label: naming.rest, isRest: true })];
  }
  return data.table.lines.flatMap(({ key, label, cells }) =>
    cells
      // Two columns with the same metric have the same values, so the second adds no mark.
      .filter(({ metric }, index) => cells.findIndex((cell) => cell.metric === metric) === index)
      .map((cell) => markOf(cell, { id: cellId(cell.metric, key), label: naming.key(dimension, key, label) })),
  );
}

/** Returns true if there is nothing to draw: a breakdown without slices, or a series of zeros and gaps. */
export const isEmpty = (marks: readonly Mark[]): boolean => marks.every(({ total }) => total === 0);

/** Finds the mark with this id. The data may have changed since the address was made, so the mark may be gone. */
export const markWith = (marks: readonly Mark[], id: string | undefined): Mark | undefined =>
  marks.find((mark) => mark.id === id);
