// GraphQL types of stored dashboards, and their inputs. Results are in widget-result.type.ts.

import { Field, ID, InputType, Int, InterfaceType, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { countedConnectionType } from '../../platform/graphql/relay.type.js';
import {
  defaultGroups,
  maxFilterValues,
  maxGroups,
  maxRangeDays,
  maxTableMetrics,
  maxWidgets,
  widgetTypes,
  type BreakdownWidget as BreakdownShape,
  type CreateDashboardInput as CreateDashboardShape,
  type FigureWidget as FigureShape,
  type SeriesWidget as SeriesShape,
  type TableWidget as TableShape,
  type UpdateDashboardInput as UpdateDashboardShape,
  type Widget as WidgetShape,
  type WidgetFilter as WidgetFilterShape,
  type WidgetType,
} from './dashboard.schema.js';
import type { DashboardRecord } from './dashboard.service.js';
import type { Reading } from './widget-result.service.js';
import { dimensions, metricUnits, metrics, type Dimension, type Metric } from './metric.js';
import { buckets, maxPoints, rangePresets, type Bucket, type RangePreset } from './time-range.js';
import { Dated } from '../../platform/graphql/dated.type.js';

export const MetricEnum = enumOf(
  'Metric',
  'What a widget measures. Messages and leads count by the time at which they were stored, with their status and fields as they are now.',
  Object.fromEntries(Object.entries(metrics).map(([name, { description }]) => [name, description])),
);
export const MetricUnitEnum = enumOf('MetricUnit', 'The unit of a value.', metricUnits);
const DimensionEnum = enumOf('Dimension', 'The field that records are grouped by.', dimensions);
export const BucketEnum = enumOf('Bucket', 'Periods of a series, by the calendar of the time zone.', buckets);
const RangePresetEnum = enumOf('RangePreset', 'Ranges by the calendar of the time zone.', rangePresets);
const WidgetTypeEnum = enumOf('WidgetType', 'The kind of a widget.', widgetTypes);

/** A dashboard with the reading of this query. */
export interface DashboardView extends DashboardRecord {
  reading: Reading;
}

/** A widget with the reading of this query. */
export type WidgetView<Shape extends WidgetShape = WidgetShape> = Shape & { reading: Reading };

@ObjectType({ description: 'The time range of a dashboard, resolved in its time zone now.' })
export class DashboardRange {
  @Field(() => RangePresetEnum, {
    nullable: true,
    description: 'The preset, which moves with the current day. Null for a fixed range.',
  })
  preset!: RangePreset | null;

  @Field(() => Date, { description: 'The start, included.' })
  from!: Date;

  @Field(() => Date, { description: 'The end, not included.' })
  to!: Date;
}

@ObjectType({
  description: 'Which records count. All conditions have to hold, each with one of its values.',
})
export class WidgetFilter implements Partial<WidgetFilterShape> {
  @Field(() => [String], { nullable: true, description: "The lead's source." })
  sources?: string[] | null;

  @Field(() => [ID], { nullable: true, description: "The lead's assignee." })
  assigneeIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'First brought by one of these ads, posts or products: their `sourceId`.',
  })
  adIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'The chat instance.' })
  instanceIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'The user who wrote the message; for turns and leads, the reply.' })
  authorIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'The template of the message.' })
  templateIds?: string[] | null;
}

const widgetTypeNames = {
  FIGURE: 'FigureWidget',
  SERIES: 'SeriesWidget',
  BREAKDOWN: 'BreakdownWidget',
  TABLE: 'TableWidget',
} as const satisfies Record<WidgetType, string>;

@InterfaceType({
  description: 'A part of a dashboard.',
  resolveType: ({ type }: WidgetShape) => widgetTypeNames[type],
})
export abstract class Widget implements Pick<WidgetShape, 'id' | 'type' | 'title'> {
  @Field(() => ID, { description: 'UUID v7. It stays the same in changes that name it.' })
  id!: string;

  @Field(() => WidgetTypeEnum, { description: 'The kind of widget.' })
  type!: WidgetType;

  @Field(() => String, { description: 'The title.' })
  title!: string;

  @Field(() => WidgetFilter, { description: 'Which records count; all by default.' })
  filter!: WidgetFilterShape;
}

@ObjectType({ implements: Widget, description: 'A single value.' })
export class FigureWidget extends Widget implements Omit<FigureShape, 'type'> {
  @Field(() => MetricEnum, { description: 'The metric.' })
  metric!: Metric;
}

@ObjectType({ implements: Widget, description: 'A value for each bucket of time.' })
export class SeriesWidget extends Widget implements Omit<SeriesShape, 'type'> {
  @Field(() => MetricEnum, { description: 'The metric.' })
  metric!: Metric;

  @Field(() => BucketEnum, { description: 'The length of a bucket.' })
  bucket!: Bucket;
}

@ObjectType({ implements: Widget, description: 'A value for each value of a dimension.' })
export class BreakdownWidget extends Widget implements Omit<BreakdownShape, 'type'> {
  @Field(() => MetricEnum, { description: 'The metric.' })
  metric!: Metric;

  @Field(() => DimensionEnum, { description: 'The field that records are grouped by.' })
  dimension!: Dimension;

  @Field(() => Int, { description: 'The greatest number of slices.' })
  limit!: number;
}

@ObjectType({ implements: Widget, description: 'Several values for each value of a dimension.' })
export class TableWidget extends Widget implements Omit<TableShape, 'type'> {
  @Field(() => [MetricEnum], { description: 'The metrics, one for each column.' })
  metrics!: Metric[];

  @Field(() => DimensionEnum, { description: 'The field that records are grouped by, one line for each value.' })
  dimension!: Dimension;

  @Field(() => Int, { description: 'The greatest number of lines.' })
  limit!: number;
}

@ObjectType({ description: 'A list of widgets with statistics of leads and messages.' })
export class Dashboard
  extends Dated
  implements Omit<DashboardRecord, 'tenantId' | 'timeRange' | 'widgets' | 'timeZone'>
{
  @Field(() => String, { description: 'Name, unique in the tenant.' })
  name!: string;
}

export const DashboardConnection = countedConnectionType(Dashboard, 'Dashboard');

@InputType({ description: 'A time range: a preset alone, or from and to.' })
export class TimeRangeInput {
  @Field(() => RangePresetEnum, { nullable: true, description: 'A range that moves with the current day.' })
  preset?: RangePreset | null;

  @Field(() => Date, { nullable: true, description: 'The start, included.' })
  from?: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: `The end, not included; at most ${maxRangeDays.toLocaleString('en')} days after from.`,
  })
  to?: Date | null;
}

const upToValues = `1 to ${maxFilterValues} of them.`;

@InputType({ description: 'What is counted: all given conditions have to hold, each with one of its values.' })
export class WidgetFilterInput implements Partial<WidgetFilterShape> {
  @Field(() => [String], { nullable: true, description: `The lead's source: ${upToValues}` })
  sources?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `The lead's assignee: ${upToValues}` })
  assigneeIds?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: `First brought by one of these ads, posts or products (their \`sourceId\`): ${upToValues}`,
  })
  adIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `The chat instance: ${upToValues}` })
  instanceIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: `The user who wrote the message; for turns and leads, the reply: ${upToValues}`,
  })
  authorIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `The template of the message: ${upToValues}` })
  templateIds?: string[] | null;
}

type WidgetInputShape = CreateDashboardShape['widgets'][number];

@InputType({ description: 'A widget. Its type decides which fields it has; other fields are refused.' })
export class WidgetInput implements WidgetInputShape {
  @Field(() => ID, {
    nullable: true,
    description:
      'In a change: the id of an existing widget, which it keeps. Without one, or with an unknown one, it gets a new id.',
  })
  id?: string | null;

  @Field(() => WidgetTypeEnum, { description: 'The kind of widget.' })
  type!: WidgetType;

  @Field(() => String, { description: 'The title, at most 100 characters.' })
  title!: string;

  @Field(() => MetricEnum, { nullable: true, description: 'The metric. Required, except for TABLE.' })
  metric?: Metric | null;

  @Field(() => [MetricEnum], {
    nullable: true,
    description: `TABLE, required: the metrics of its columns, 1 to ${maxTableMetrics}.`,
  })
  metrics?: Metric[] | null;

  @Field(() => DimensionEnum, {
    nullable: true,
    description: 'BREAKDOWN and TABLE, required: the field to group records by. Not every metric has every dimension.',
  })
  dimension?: Dimension | null;

  @Field(() => BucketEnum, {
    nullable: true,
    description: `SERIES, required: the length of a bucket. A range has at most ${maxPoints} buckets.`,
  })
  bucket?: Bucket | null;

  @Field(() => Int, {
    nullable: true,
    description: `BREAKDOWN and TABLE: the greatest number of slices or lines, ${defaultGroups} by default, ${maxGroups} at most.`,
  })
  limit?: number | null;

  @Field(() => WidgetFilterInput, { nullable: true, description: 'Which records count; all by default.' })
  filter?: WidgetFilterInput | null;
}

const zoneDescription = 'A time zone of the IANA database, for example `America/Sao_Paulo`.';

@InputType({ description: 'A new dashboard.' })
export class CreateDashboardInput implements CreateDashboardShape {
  @Field(() => String, { description: 'Name, unique in the tenant, at most 100 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: `${zoneDescription} UTC by default.` })
  timeZone?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'The time range that it shows; the last 30 days by default.',
  })
  range?: TimeRangeInput | null;

  @Field(() => [WidgetInput], { description: `The widgets, in their order, at most ${maxWidgets}.` })
  widgets!: WidgetInput[];
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateDashboardInput implements UpdateDashboardShape {
  @Field(() => String, { nullable: true, description: 'Name, unique in the tenant, at most 100 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: zoneDescription })
  timeZone?: string;

  @Field(() => TimeRangeInput, { nullable: true, description: 'The time range that it shows.' })
  range?: TimeRangeInput;

  @Field(() => [WidgetInput], {
    nullable: true,
    description: `All widgets, in their order, at most ${maxWidgets}. Widgets that are not in the list are removed.`,
  })
  widgets?: WidgetInput[];

  @Field(() => Date, {
    nullable: true,
    description: 'The `updatedAt` that the change was made for: CONFLICT where the dashboard has been changed since.',
  })
  expectedUpdatedAt?: Date | null;
}
