// GraphQL types of widget results, and of the records behind each value.

import {
  Extensions,
  Field,
  Float,
  ID,
  Int,
  InterfaceType,
  ObjectType,
  createUnionType,
  type ClassType,
} from 'type-graphql';
import { enumOf } from '../../platform/graphql/enum.type.js';
import { countedConnectionType, listSizeExtension } from '../../platform/graphql/relay.type.js';
import { Lead } from '../leads/lead.type.js';
import { Message } from '../messages/message.type.js';
import { BucketEnum, MetricEnum } from './dashboard.type.js';
import type {
  BreakdownRecord,
  CountedRecord,
  CourseRecord,
  MeasureRecord,
  PointRecord,
  SliceRecord,
  TableLineRecord,
  TableRecord,
} from './widget-result.service.js';
import type { Metric } from './metric.js';
import type { Bucket } from './time-range.js';

export const RowsOfEnum = enumOf('RowsOf', 'Which records of a value.', {
  COUNTED: 'The records that `count` counts.',
  TOTAL: 'The records that `total` counts. They include the counted ones.',
});

const DashboardRecordUnion = createUnionType({
  name: 'DashboardRecord',
  description: 'A record that a value counts. For a turn, the message that opened it.',
  types: () => [Message, Lead] as const,
  resolveType: (record: object) => ('direction' in record ? 'Message' : 'Lead'),
});

// The function expects a class, and works with a union too.
export const DashboardRecordConnection = countedConnectionType<CountedRecord>(
  DashboardRecordUnion as unknown as ClassType<CountedRecord>,
  'DashboardRecord',
);

@InterfaceType({ description: 'A value, and the number of records behind it.', autoRegisterImplementations: true })
export abstract class Measure implements Pick<MeasureRecord, 'metric' | 'value' | 'count' | 'total'> {
  @Field(() => MetricEnum, { description: 'The metric.' })
  metric!: Metric;

  @Field(() => Float, {
    nullable: true,
    description: 'The value, in its unit. Null if there are no records to compute it from.',
  })
  value!: number | null;

  @Field(() => Int, {
    description: 'The number of records that count: of a rate the numerator, of a duration the records that have one.',
  })
  count!: number;

  @Field(() => Int, {
    description:
      'The number of records among which they count: of a rate the denominator; turns or leads without a reply included.',
  })
  total!: number;
}

@ObjectType({ implements: Measure, description: 'The result of a FIGURE widget.' })
export class Figure extends Measure {}

@ObjectType({ implements: Measure, description: 'The same value for the time before.' })
export class PreviousFigure extends Measure {
  @Field(() => Date, { description: 'From then on.' })
  from!: Date;

  @Field(() => Date, { description: 'Up to then, not included.' })
  to!: Date;
}

@ObjectType({ description: 'The values of a figure in the buckets of its range, in order of time, without gaps.' })
export class FigureCourse implements CourseRecord {
  @Field(() => BucketEnum, { description: 'The length of a bucket, by the calendar of the time zone.' })
  bucket!: Bucket;

  @Field(() => [Date], {
    description: 'The starts of the buckets that have begun. The first one starts with the range.',
  })
  starts!: Date[];

  @Field(() => [Float], {
    nullable: 'items',
    description:
      'A value for each of them, in the unit of the figure. Null if there are no records to compute it from.',
  })
  values!: (number | null)[];
}

@ObjectType({ implements: Measure, description: 'The value of one bucket.' })
export class SeriesPoint extends Measure implements Pick<PointRecord, 'start' | 'end'> {
  @Field(() => Date, { description: 'The start of the bucket. The first bucket starts with the range.' })
  start!: Date;

  @Field(() => Date, { description: 'The end of the bucket, not included. The last bucket ends with the range.' })
  end!: Date;
}

@ObjectType({ description: 'A value for each bucket, empty ones included.' })
export class Series {
  @Extensions({ [listSizeExtension]: 100 })
  @Field(() => [SeriesPoint], { description: 'In order of time, without gaps or overlaps.' })
  points!: PointRecord[];
}

const DimensionKey = Field(() => ID, {
  nullable: true,
  description: 'The value of the dimension, or its id. Null for records without a value.',
});
const DimensionLabel = Field(() => String, { description: 'A label to show: the name, if the key is an id.' });

@ObjectType({ implements: Measure, description: 'The result for one value of the dimension.' })
export class BreakdownSlice extends Measure implements Pick<SliceRecord, 'key' | 'label'> {
  @DimensionKey
  key!: string | null;

  @DimensionLabel
  label!: string;
}

@ObjectType({
  implements: Measure,
  description: 'All records without a slice of their own. Durations have no value here.',
})
export class BreakdownRest extends Measure {}

@ObjectType({ description: 'A value for each value of a dimension.' })
export class Breakdown implements Pick<BreakdownRecord, 'slices' | 'other'> {
  @Field(() => [BreakdownSlice], {
    description: 'The largest `total` first. Hours and weekdays are complete and in their order.',
  })
  slices!: SliceRecord[];

  @Field(() => BreakdownRest, { nullable: true, description: 'The rest beyond the limit. Null if there is none.' })
  other!: MeasureRecord | null;
}

@ObjectType({ implements: Measure, description: 'One value of a table.' })
export class TableCell extends Measure {}

@ObjectType({ description: 'The values for one value of the dimension.' })
export class TableLine implements Pick<TableLineRecord, 'key' | 'label' | 'cells'> {
  @DimensionKey
  key!: string | null;

  @DimensionLabel
  label!: string;

  @Field(() => [TableCell], { description: 'One for each metric, in the same order.' })
  cells!: MeasureRecord[];
}

@ObjectType({ description: 'Several values for each value of a dimension.' })
export class Table implements Pick<TableRecord, 'lines' | 'omittedCount'> {
  @Field(() => [TableLine], {
    description: 'The largest `total` of the first metric first. Hours and weekdays are complete and in their order.',
  })
  lines!: TableLineRecord[];

  @Field(() => Int, {
    description: 'The number of lines beyond the limit. A lower bound if the dimension has more than 200 values.',
  })
  omittedCount!: number;
}
