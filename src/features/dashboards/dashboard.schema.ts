// Bounds and formats of dashboards: names, widgets, time ranges.

import { z } from 'zod';
import type { FieldError } from '../../platform/errors.js';
import { keysOf, text, uuid } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import {
  dimensionNames,
  filterFields,
  isBrokenDownBy,
  isOfNow,
  metricNames,
  type Dimension,
  type FilterField,
  type Metric,
} from './metric.js';
import {
  buckets,
  isTimeZone,
  rangePresets,
  tooManyBuckets,
  type Bucket,
  type RangePreset,
  type TimeRange,
} from './time-range.js';
import { maxReferralIdLength } from '../../providers/referral.js';

/** The most dashboards of a tenant. */
export const maxDashboards = 100;
/** The most widgets of a dashboard. */
export const maxWidgets = 24;
/** The most metrics of a table. */
export const maxTableMetrics = 8;
/** The most slices of a breakdown, and lines of a table. */
export const maxGroups = 50;
export const defaultGroups = 10;
/** The most values in each field of a filter. */
export const maxFilterValues = 50;
export const maxRangeDays = 1_096;

export const widgetTypes = {
  FIGURE: 'A single value, with the value of the time before.',
  SERIES: 'A value for each bucket of time.',
  BREAKDOWN: 'A value for each value of a dimension.',
  TABLE: 'Several values for each value of a dimension.',
} as const;

export type WidgetType = keyof typeof widgetTypes;

const earliestMs = Date.UTC(2000, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);
const time = z
  .date('has to be a time')
  .refine((value) => value.getTime() >= earliestMs && value.getTime() <= latestMs, {
    message: 'has to lie between the years 2000 and 2100',
  });

/** A time range: either a preset, or both times. */
const timeRangeSchema = z
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

const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, 'has to be a time zone of the IANA database, for example Europe/Berlin');

const values = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(maxFilterValues).nullish();

/** A record passes a field that is absent or null, or whose list has its value. */
const widgetFilterSchema = z.strictObject({
  sources: values(text(100)),
  assigneeIds: values(uuid),
  adIds: values(text(maxReferralIdLength)),
  instanceIds: values(uuid),
  authorIds: values(uuid),
  templateIds: values(uuid),
});

export type WidgetFilter = z.output<typeof widgetFilterSchema>;

const wantedWidgetSchema = z.strictObject({
  id: uuid.nullish(),
  type: z.enum(keysOf(widgetTypes)),
  title: shownName(100),
  metric: z.enum(metricNames).nullish(),
  metrics: z.array(z.enum(metricNames)).min(1).max(maxTableMetrics).nullish(),
  dimension: z.enum(dimensionNames).nullish(),
  bucket: z.enum(keysOf(buckets)).nullish(),
  limit: z.number().int().min(1).max(maxGroups).nullish(),
  filter: widgetFilterSchema.nullish(),
});

/** A widget of the input, checked. */
export type WantedWidget = z.output<typeof wantedWidgetSchema>;

interface WidgetBase {
  /** The widget's id. It is created with the widget, and kept by changes that name it. */
  id: string;
  title: string;
  filter: WidgetFilter;
}

export type FigureWidget = WidgetBase & { type: 'FIGURE'; metric: Metric };
export type SeriesWidget = WidgetBase & { type: 'SERIES'; metric: Metric; bucket: Bucket };
export type BreakdownWidget = WidgetBase & { type: 'BREAKDOWN'; metric: Metric; dimension: Dimension; limit: number };
export type TableWidget = WidgetBase & { type: 'TABLE'; metrics: Metric[]; dimension: Dimension; limit: number };

/** A stored widget. */
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
      return [{ path: [field], message: `is not a field of a ${widget.type} widget` }];
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
    if (type === 'SERIES' && isOfNow(name)) return [{ path, message: `${name} has no history` }];
    if (dimension != null && !isBrokenDownBy(name, dimension))
      return [{ path: ['dimension'], message: `${name} cannot be grouped by ${dimension}` }];
    return (Object.keys(filterFields) as FilterField[])
      .filter((field) => filter?.[field] != null && !isBrokenDownBy(name, filterFields[field]))
      .map((field) => ({ path: ['filter', field], message: `${name} cannot be filtered by this field` }));
  });
}

const widgetsSchema = z
  .array(widgetSchema)
  .max(maxWidgets)
  .superRefine((widgets, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of widgets.entries()) {
      if (id == null) continue;
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is used twice' });
      seen.add(id);
    }
  });

const dashboardFields = {
  name: shownName(100),
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

/** Absent fields stay as they are. Widgets are replaced as a whole. */
export const updateDashboardSchema = z.strictObject({
  name: dashboardFields.name.optional(),
  timeZone: dashboardFields.timeZone.optional(),
  range: dashboardFields.range.optional(),
  widgets: dashboardFields.widgets.optional(),
  expectedUpdatedAt: z.date('has to be a time').nullish(),
});

export type UpdateDashboardInput = z.input<typeof updateDashboardSchema>;

/** A range and time zone for one reading, instead of the stored ones. */
export const readingSchema = z.strictObject({ range: timeRangeSchema.nullish(), timeZone: timeZoneSchema.nullish() });

export type ReadingInput = z.input<typeof readingSchema>;

/** Returns errors for SERIES widgets whose bucket has too many points. */
export function pointProblems(widgets: readonly Widget[], hasTooMany: (bucket: Bucket) => boolean): FieldError[] {
  return widgets.flatMap((widget, index) => {
    if (widget.type !== 'SERIES' || !hasTooMany(widget.bucket)) return [];
    return [{ path: `widgets.${index}.bucket`, message: tooManyBuckets }];
  });
}

/** Returns the widget to store, with defaults. @param wanted has passed the schema */
export function toWidget(wanted: WantedWidget, id: string): Widget {
  const { type, title, metric, metrics, dimension, bucket, limit } = wanted;
  // The order of the fields is fixed, so that equal filters are stored in the same way.
  const given = (Object.keys(filterFields) as FilterField[]).map((field) => [field, wanted.filter?.[field]] as const);
  const base = { id, title, filter: Object.fromEntries(given.filter(([, list]) => list != null)) as WidgetFilter };
  const measured = metric ?? metricNames[0];
  const groups = { dimension: dimension ?? dimensionNames[0], limit: limit ?? defaultGroups };
  if (type === 'FIGURE') return { ...base, type, metric: measured };
  if (type === 'SERIES') return { ...base, type, metric: measured, bucket: bucket ?? 'DAY' };
  if (type === 'BREAKDOWN') return { ...base, type, metric: measured, ...groups };
  return { ...base, type, metrics: metrics ?? [measured], ...groups };
}
