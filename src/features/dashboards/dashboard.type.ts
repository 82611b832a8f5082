// GraphQL types of dashboards: what is stored, and the inputs. The figures are widget-result.type.ts's.

import { Field, ID, InputType, Int, InterfaceType, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/enum.type.js';
import { countedConnectionType } from '../../platform/relay.type.js';
import {
  defaultGroups,
  maxFilterValues,
  maxGroups,
  maxRangeDays,
  maxTableMetrics,
  maxWidgets,
  widgetTypes,
} from './dashboard.schema.js';
import type {
  BreakdownWidget as BreakdownShape,
  CreateDashboardInput as CreateDashboardShape,
  FigureWidget as FigureShape,
  SeriesWidget as SeriesShape,
  TableWidget as TableShape,
  UpdateDashboardInput as UpdateDashboardShape,
  Widget as WidgetShape,
  WidgetFilter as WidgetFilterShape,
  WidgetType,
} from './dashboard.schema.js';
import type { DashboardRecord } from './dashboard.service.js';
import type { Reading } from './widget-result.service.js';
import { dimensions, metricUnits, metrics } from './metric.js';
import type { Dimension, Metric } from './metric.js';
import { buckets, maxPoints, rangePresets } from './time-range.js';
import type { Bucket, RangePreset } from './time-range.js';

export const MetricEnum = enumOf(
  'Metric',
  'What is measured. Messages and leads count by the time at which they were stored, with their status and fields as they are now.',
  Object.fromEntries(Object.entries(metrics).map(([name, { description }]) => [name, description])),
);
export const MetricUnitEnum = enumOf('MetricUnit', 'What a value says.', metricUnits);
export const DimensionEnum = enumOf('Dimension', 'By what records are told apart.', dimensions);
export const BucketEnum = enumOf('Bucket', 'Lengths of time, by the calendar of the time zone.', buckets);
export const RangePresetEnum = enumOf('RangePreset', 'Ranges by the calendar of the time zone.', rangePresets);
export const WidgetTypeEnum = enumOf('WidgetType', 'What a widget shows.', widgetTypes);

/** A dashboard as it is looked at. */
export interface DashboardView extends DashboardRecord {
  reading: Reading;
}

/** A widget as it is looked at. */
export type WidgetView<Shape extends WidgetShape = WidgetShape> = Shape & { reading: Reading };

@ObjectType({ description: 'The time that a dashboard shows, as it falls in its time zone now.' })
export class DashboardRange {
  @Field(() => RangePresetEnum, {
    nullable: true,
    description: 'The range that moves with the present day; null for a fixed one.',
  })
  preset!: RangePreset | null;

  @Field(() => Date, { description: 'From then on.' })
  from!: Date;

  @Field(() => Date, { description: 'Up to then, not included.' })
  to!: Date;
}

@ObjectType({
  description: 'What of the records is counted: all given conditions have to hold, each with one of its values.',
})
export class WidgetFilter implements Partial<WidgetFilterShape> {
  @Field(() => [String], { nullable: true, description: "The lead's source." })
  sources?: string[] | null;

  @Field(() => [ID], { nullable: true, description: "The lead's assignee." })
  assigneeIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'The chat instance.' })
  instanceIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Who wrote the message; of turns and leads, the reply.' })
  authorIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'The template that the message was made of.' })
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
  @Field(() => ID, { description: 'Kept as long as changes of the dashboard name it.' })
  id!: string;

  @Field(() => WidgetTypeEnum, { description: 'What it shows.' })
  type!: WidgetType;

  @Field(() => String, { description: 'What stands above it.' })
  title!: string;

  @Field(() => WidgetFilter, { description: 'What is counted; everything where nothing is given.' })
  filter!: WidgetFilterShape;
}

@ObjectType({ implements: Widget, description: 'A single figure.' })
export class FigureWidget extends Widget implements Omit<FigureShape, 'type'> {
  @Field(() => MetricEnum, { description: 'What is measured.' })
  metric!: Metric;
}

@ObjectType({ implements: Widget, description: 'A figure for each bucket of time.' })
export class SeriesWidget extends Widget implements Omit<SeriesShape, 'type'> {
  @Field(() => MetricEnum, { description: 'What is measured.' })
  metric!: Metric;

  @Field(() => BucketEnum, { description: 'How long a bucket is.' })
  bucket!: Bucket;
}

@ObjectType({ implements: Widget, description: 'A figure for each value of a dimension.' })
export class BreakdownWidget extends Widget implements Omit<BreakdownShape, 'type'> {
  @Field(() => MetricEnum, { description: 'What is measured.' })
  metric!: Metric;

  @Field(() => DimensionEnum, { description: 'By what records are told apart.' })
  dimension!: Dimension;

  @Field(() => Int, { description: 'Most slices.' })
  limit!: number;
}

@ObjectType({ implements: Widget, description: 'Several figures for each value of a dimension.' })
export class TableWidget extends Widget implements Omit<TableShape, 'type'> {
  @Field(() => [MetricEnum], { description: 'What is measured: the columns.' })
  metrics!: Metric[];

  @Field(() => DimensionEnum, { description: 'By what records are told apart: the lines.' })
  dimension!: Dimension;

  @Field(() => Int, { description: 'Most lines.' })
  limit!: number;
}

@ObjectType({ description: 'Figures on leads and messages, put together to be looked at again and again.' })
export class Dashboard implements Omit<DashboardRecord, 'tenantId' | 'timeRange' | 'widgets' | 'timeZone'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => String, { description: 'Name, unique in the tenant.' })
  name!: string;

  @Field(() => Date, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

export const DashboardConnection = countedConnectionType(Dashboard, 'Dashboard');

@InputType({ description: 'A time range: a preset alone, or from and to.' })
export class TimeRangeInput {
  @Field(() => RangePresetEnum, { nullable: true, description: 'A range that moves with the present day.' })
  preset?: RangePreset | null;

  @Field(() => Date, { nullable: true, description: 'From then on.' })
  from?: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: `Up to then, not included; at most ${maxRangeDays.toLocaleString('en')} days after from.`,
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

  @Field(() => [ID], { nullable: true, description: `The chat instance: ${upToValues}` })
  instanceIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: `Who wrote the message; of turns and leads, the reply: ${upToValues}`,
  })
  authorIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: `The template that the message was made of: ${upToValues}` })
  templateIds?: string[] | null;
}

type WidgetInputShape = CreateDashboardShape['widgets'][number];

@InputType({ description: 'A widget. Which fields it has depends on its type; any other is refused.' })
export class WidgetInput implements WidgetInputShape {
  @Field(() => ID, {
    nullable: true,
    description: 'In a change: the widget that it is. It gets a new id where none of the dashboard is named.',
  })
  id?: string | null;

  @Field(() => WidgetTypeEnum, { description: 'What it shows.' })
  type!: WidgetType;

  @Field(() => String, { description: 'What stands above it, at most 100 characters.' })
  title!: string;

  @Field(() => MetricEnum, { nullable: true, description: 'What is measured. Required, but of TABLE.' })
  metric?: Metric | null;

  @Field(() => [MetricEnum], { nullable: true, description: `TABLE, required: its columns, 1 to ${maxTableMetrics}.` })
  metrics?: Metric[] | null;

  @Field(() => DimensionEnum, {
    nullable: true,
    description: 'BREAKDOWN and TABLE, required: by what records are told apart. Not every metric has every dimension.',
  })
  dimension?: Dimension | null;

  @Field(() => BucketEnum, {
    nullable: true,
    description: `SERIES, required: how long a bucket is. A range has at most ${maxPoints} of them.`,
  })
  bucket?: Bucket | null;

  @Field(() => Int, {
    nullable: true,
    description: `BREAKDOWN and TABLE: most slices or lines, ${defaultGroups} by default, ${maxGroups} at most.`,
  })
  limit?: number | null;

  @Field(() => WidgetFilterInput, { nullable: true, description: 'What is counted; everything where none is given.' })
  filter?: WidgetFilterInput | null;
}

const zoneDescription = 'A time zone of the IANA database, as `America/Sao_Paulo`.';

@InputType({ description: 'A new dashboard.' })
export class CreateDashboardInput implements CreateDashboardShape {
  @Field(() => String, { description: 'Name, unique in the tenant, at most 100 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: `${zoneDescription} UTC by default.` })
  timeZone?: string | null;

  @Field(() => TimeRangeInput, { nullable: true, description: 'The time that it shows; the last 30 days by default.' })
  range?: TimeRangeInput | null;

  @Field(() => [WidgetInput], { description: `In their order, at most ${maxWidgets}.` })
  widgets!: WidgetInput[];
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateDashboardInput implements UpdateDashboardShape {
  @Field(() => String, { nullable: true, description: 'Name, unique in the tenant, at most 100 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: zoneDescription })
  timeZone?: string;

  @Field(() => TimeRangeInput, { nullable: true, description: 'The time that it shows.' })
  range?: TimeRangeInput;

  @Field(() => [WidgetInput], {
    nullable: true,
    description: `All widgets, in their order, at most ${maxWidgets}: what is not among them is gone.`,
  })
  widgets?: WidgetInput[];
}
