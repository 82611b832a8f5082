// GraphQL types of what dashboards show: figures, and the records that they counted.

import { Extensions, Field, Float, ID, Int, InterfaceType, ObjectType, createUnionType } from 'type-graphql';
import { enumOf } from '../../platform/enum.type.js';
import type { ClassType } from 'type-graphql';
import { countedConnectionType, listSizeExtension } from '../../platform/relay.type.js';
import { Lead } from '../leads/lead.type.js';
import { Message } from '../messages/message.type.js';
import { MetricEnum } from './dashboard.type.js';
import type {
  BreakdownRecord,
  CountedRecord,
  MeasureRecord,
  PointRecord,
  SliceRecord,
  TableLineRecord,
  TableRecord,
} from './widget-result.service.js';
import type { Metric } from './metric.js';

export const RowsOfEnum = enumOf('RowsOf', 'Which records of a figure.', {
  COUNTED: 'Those that `count` counts.',
  TOTAL: 'Those that `total` counts, among which the others are.',
});

export const DashboardRecordUnion = createUnionType({
  name: 'DashboardRecord',
  description: 'A record that a figure counts. Of a turn of a conversation, the message that opened it.',
  types: () => [Message, Lead] as const,
  resolveType: (record: object) => ('direction' in record ? 'Message' : 'Lead'),
});

// A union is no class, and stands where one is asked for all the same.
export const DashboardRecordConnection = countedConnectionType<CountedRecord>(
  DashboardRecordUnion as unknown as ClassType<CountedRecord>,
  'DashboardRecord',
);

@InterfaceType({ description: 'A value with what it was made of.', autoRegisterImplementations: true })
export abstract class Measure implements Pick<MeasureRecord, 'metric' | 'value' | 'count' | 'total'> {
  @Field(() => MetricEnum, { description: 'What was measured.' })
  metric!: Metric;

  @Field(() => Float, {
    nullable: true,
    description: 'The value, in its unit; null where there is nothing to make it of.',
  })
  value!: number | null;

  @Field(() => Int, {
    description:
      'How many records it was made of: what was counted, the numerator of a rate, what has a length of time.',
  })
  count!: number;

  @Field(() => Int, {
    description: 'Among how many: the denominator of a rate; turns or leads without a reply included.',
  })
  total!: number;
}

@ObjectType({ implements: Measure, description: 'A single figure.' })
export class Figure extends Measure {}

@ObjectType({ implements: Measure, description: 'The same figure for the time before, of the same length.' })
export class PreviousFigure extends Measure {
  @Field(() => Date, { description: 'From then on.' })
  from!: Date;

  @Field(() => Date, { description: 'Up to then, not included.' })
  to!: Date;
}

@ObjectType({ implements: Measure, description: 'The figure of one bucket.' })
export class SeriesPoint extends Measure implements Pick<PointRecord, 'start' | 'end'> {
  @Field(() => Date, { description: 'When the bucket begins; the first one not before the range.' })
  start!: Date;

  @Field(() => Date, { description: 'When it ends, not included; the last one with the range.' })
  end!: Date;
}

@ObjectType({ description: 'A figure for each bucket, the empty ones included.' })
export class Series {
  @Extensions({ [listSizeExtension]: 100 })
  @Field(() => [SeriesPoint], { description: 'In the order of time, without gap or overlap.' })
  points!: PointRecord[];
}

@ObjectType({ implements: Measure, description: 'The figure of one value of the dimension.' })
export class BreakdownSlice extends Measure implements Pick<SliceRecord, 'key' | 'label'> {
  @Field(() => ID, { nullable: true, description: 'The value, or the id of what it is; null for none.' })
  key!: string | null;

  @Field(() => String, { description: 'The same to show: a name, where it is an id.' })
  label!: string;
}

@ObjectType({ implements: Measure, description: 'All that has no slice. Of lengths of time there is no value.' })
export class BreakdownRest extends Measure {}

@ObjectType({ description: 'A figure for each value of a dimension.' })
export class Breakdown implements Pick<BreakdownRecord, 'slices' | 'other'> {
  @Field(() => [BreakdownSlice], {
    description: 'The largest `total` first; hours and days of the week are all there, in their order.',
  })
  slices!: SliceRecord[];

  @Field(() => BreakdownRest, { nullable: true, description: 'What is left beyond the limit; null where nothing is.' })
  other!: MeasureRecord | null;
}

@ObjectType({ implements: Measure, description: 'One figure of a table.' })
export class TableCell extends Measure {}

@ObjectType({ description: 'The figures of one value of the dimension.' })
export class TableLine implements Pick<TableLineRecord, 'key' | 'label' | 'cells'> {
  @Field(() => ID, { nullable: true, description: 'The value, or the id of what it is; null for none.' })
  key!: string | null;

  @Field(() => String, { description: 'The same to show: a name, where it is an id.' })
  label!: string;

  @Field(() => [TableCell], { description: 'One for each metric, in their order.' })
  cells!: MeasureRecord[];
}

@ObjectType({ description: 'Several figures for each value of a dimension.' })
export class Table implements Pick<TableRecord, 'lines' | 'omittedCount'> {
  @Field(() => [TableLine], {
    description:
      'The largest `total` of the first metric first; hours and days of the week are all there, in their order.',
  })
  lines!: TableLineRecord[];

  @Field(() => Int, {
    description:
      'How many lines there are beyond the limit; of more than 200 values of the dimension, at least so many.',
  })
  omittedCount!: number;
}
