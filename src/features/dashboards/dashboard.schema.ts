// Bounds and formats of dashboards: names, widgets, time ranges.

import { z } from 'zod';
import type { FieldError } from '../../platform/errors.js';
import { keysOf, text, uuid } from '../../platform/input.js';
import { dimensionNames, filterFields, isBrokenDownBy, metricNames, sourceOf } from './metric.js';
import type { Dimension, FilterField, Metric } from './metric.js';
import { buckets, fitsPoints, isTimeZone, maxPoints, rangePresets } from './time-range.js';
import type { Bucket, RangePreset, TimeRange } from './time-range.js';

/** Most dashboards of a tenant. */
export const maxDashboards = 100;
/** Most widgets of a dashboard. */
export const maxWidgets = 24;
/** Most metrics of a table. */
export const maxTableMetrics = 8;
/** Most slices of a breakdown, and lines of a table. */
export const maxGroups = 50;
export const defaultGroups = 10;
/** Most values of one field of a filter. */
export const maxFilterValues = 50;
/** Longest range, in days. */
export const maxRangeDays = 1_096;

export const widgetTypes = {
  FIGURE: 'A single figure, with the one of the time before.',
  SERIES: 'A figure for each bucket of time.',
  BREAKDOWN: 'A figure for each value of a dimension.',
  TABLE: 'Several figures for each value of a dimension.',
} as const;

export type WidgetType = keyof typeof widgetTypes;

const earliestMs = Date.UTC(2000, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);
const time = z
  .date('has to be a time')
  .refine((value) => value.getTime() >= earliestMs && value.getTime() <= latestMs, {
    message: 'has to lie between the years 2000 and 2100',
  });

/** A preset alone, or both times. */
export const timeRangeSchema = z
  .strictObject({ preset: z.enum(keysOf(rangePresets)).nullish(), from: time.nullish(), to: time.nullish() })
  .transform(({ preset, from, to }, context): TimeRange => {
    const problem = rangeProblem(preset, from, to);
    if (problem !== undefined) context.addIssue({ code: 'custom', ...problem });
    if (preset != null) return { preset };
    return { from: from?.toISOString() ?? '', to: to?.toISOString() ?? '' };
  });

function rangeProblem(
  preset: RangePreset | null | undefined,
  from: Date | null | undefined,
  to: Date | null | undefined,
): { path: string[]; message: string } | undefined {
  if (preset != null)
    return from == null && to == null
      ? undefined
      : { path: ['preset'], message: 'cannot be combined with from and to' };
  if (from == null) return { path: ['from'], message: 'is required without a preset' };
  if (to == null) return { path: ['to'], message: 'is required without a preset' };
  if (to <= from) return { path: ['to'], message: 'has to be later than from' };
  if (to.getTime() - from.getTime() > maxRangeDays * 86_400_000)
    return { path: ['to'], message: `has to be within ${maxRangeDays} days of from` };
  return undefined;
}

export const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, 'has to be a time zone of the IANA database, as Europe/Berlin');

const values = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(maxFilterValues).nullish();

/** Fields that are left out, or null, let everything through; of a list, each value. */
const widgetFilterSchema = z.strictObject({
  sources: values(text(100)),
  assigneeIds: values(uuid),
  instanceIds: values(uuid),
  authorIds: values(uuid),
  templateIds: values(uuid),
});

export type WidgetFilter = z.output<typeof widgetFilterSchema>;

const wantedWidgetSchema = z.strictObject({
  id: uuid.nullish(),
  type: z.enum(keysOf(widgetTypes)),
  title: text(100),
  metric: z.enum(metricNames).nullish(),
  metrics: z.array(z.enum(metricNames)).min(1).max(maxTableMetrics).nullish(),
  dimension: z.enum(dimensionNames).nullish(),
  bucket: z.enum(keysOf(buckets)).nullish(),
  limit: z.number().int().min(1).max(maxGroups).nullish(),
  filter: widgetFilterSchema.nullish(),
});

/** A widget that was checked. */
export type WantedWidget = z.output<typeof wantedWidgetSchema>;

interface WidgetBase {
  /** Made when the widget is first stored, and kept where a change names it. */
  id: string;
  title: string;
  filter: WidgetFilter;
}

export type FigureWidget = WidgetBase & { type: 'FIGURE'; metric: Metric };
export type SeriesWidget = WidgetBase & { type: 'SERIES'; metric: Metric; bucket: Bucket };
export type BreakdownWidget = WidgetBase & { type: 'BREAKDOWN'; metric: Metric; dimension: Dimension; limit: number };
export type TableWidget = WidgetBase & { type: 'TABLE'; metrics: Metric[]; dimension: Dimension; limit: number };

/** As it is stored. */
export type Widget = FigureWidget | SeriesWidget | BreakdownWidget | TableWidget;

const fieldsOf: Record<WidgetType, readonly (keyof WantedWidget)[]> = {
  FIGURE: ['metric'],
  SERIES: ['metric', 'bucket'],
  BREAKDOWN: ['metric', 'dimension', 'limit'],
  TABLE: ['metrics', 'dimension', 'limit'],
};

const widgetSchema = wantedWidgetSchema.superRefine((widget, context) => {
  const problems = [...shapeProblems(widget), ...meaningProblems(widget)];
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
});

interface Problem {
  path: (string | number)[];
  message: string;
}

function shapeProblems(widget: WantedWidget): Problem[] {
  const fields = fieldsOf[widget.type];
  return (['metric', 'metrics', 'dimension', 'bucket', 'limit'] as const).flatMap((field): Problem[] => {
    const isGiven = widget[field] != null;
    if (isGiven && !fields.includes(field))
      return [{ path: [field], message: `is no field of a ${widget.type} widget` }];
    if (!isGiven && fields.includes(field) && field !== 'limit') return [{ path: [field], message: 'is required' }];
    return [];
  });
}

function meaningProblems({ type, metric, metrics, dimension, filter }: WantedWidget): Problem[] {
  const measured: [Metric, Problem['path']][] = [
    ...(metric == null ? [] : [[metric, ['metric']] as [Metric, Problem['path']]]),
    ...(metrics ?? []).map((name, index): [Metric, Problem['path']] => [name, ['metrics', index]]),
  ];
  return measured.flatMap(([name, path]): Problem[] => {
    if (type === 'SERIES' && sourceOf(name).from === 'queue') return [{ path, message: `${name} has no history` }];
    if (dimension != null && !isBrokenDownBy(name, dimension))
      return [{ path: ['dimension'], message: `${name} is not broken down by ${dimension}` }];
    return (Object.keys(filterFields) as FilterField[])
      .filter((field) => filter?.[field] != null && !isBrokenDownBy(name, filterFields[field]))
      .map((field) => ({ path: ['filter', field], message: `${name} is not filtered by it` }));
  });
}

const widgetsSchema = z
  .array(widgetSchema)
  .max(maxWidgets)
  .superRefine((widgets, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of widgets.entries()) {
      if (id == null) continue;
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'stands here twice' });
      seen.add(id);
    }
  });

const dashboardFields = {
  name: text(100),
  timeZone: timeZoneSchema,
  range: timeRangeSchema,
  widgets: widgetsSchema,
};

export const createDashboardSchema = z.strictObject({
  ...dashboardFields,
  timeZone: timeZoneSchema.nullish(),
  range: timeRangeSchema.nullish(),
});

export type CreateDashboardInput = z.input<typeof createDashboardSchema>;

/** Absent fields stay as they are; widgets are replaced as a whole. */
export const updateDashboardSchema = z.strictObject({
  name: dashboardFields.name.optional(),
  timeZone: dashboardFields.timeZone.optional(),
  range: dashboardFields.range.optional(),
  widgets: dashboardFields.widgets.optional(),
});

export type UpdateDashboardInput = z.input<typeof updateDashboardSchema>;

/** What a reading may put in the place of what is stored. */
export const readingSchema = z.strictObject({ range: timeRangeSchema.nullish(), timeZone: timeZoneSchema.nullish() });

export type ReadingInput = z.input<typeof readingSchema>;

/** Widgets whose series would have too many points over this range, as errors on their buckets. */
export function pointProblems(widgets: readonly Widget[], range: TimeRange): FieldError[] {
  return widgets.flatMap((widget, index) => {
    if (widget.type !== 'SERIES' || fitsPoints(range, widget.bucket)) return [];
    return [
      { path: `widgets.${index}.bucket`, message: `the range has more than ${maxPoints} buckets of this length` },
    ];
  });
}

/** What is kept of a widget. */
export function toWidget(wanted: WantedWidget, id: string): Widget {
  const { type, title, metric, metrics, dimension, bucket, limit } = wanted;
  // In one order, so that what is equal is stored alike.
  const given = (Object.keys(filterFields) as FilterField[]).map((field) => [field, wanted.filter?.[field]] as const);
  const base = { id, title, filter: Object.fromEntries(given.filter(([, list]) => list != null)) as WidgetFilter };
  const measured = metric ?? metricNames[0];
  const groups = { dimension: dimension ?? dimensionNames[0], limit: limit ?? defaultGroups };
  if (type === 'FIGURE') return { ...base, type, metric: measured };
  if (type === 'SERIES') return { ...base, type, metric: measured, bucket: bucket ?? 'DAY' };
  if (type === 'BREAKDOWN') return { ...base, type, metric: measured, ...groups };
  return { ...base, type, metrics: metrics ?? [measured], ...groups };
}
