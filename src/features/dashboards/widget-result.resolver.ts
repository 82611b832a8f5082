// GraphQL resolvers of widget results, and of the records behind each value.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import { selectedOfNodes, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { LeadService } from '../leads/lead.service.js';
import { withoutErased } from '../messages/message-lead.loader.js';
import type {
  BreakdownWidget as BreakdownShape,
  FigureWidget as FigureShape,
  SeriesWidget as SeriesShape,
  TableWidget as TableShape,
} from './dashboard.schema.js';
import {
  BreakdownWidget,
  FigureWidget,
  MetricEnum,
  MetricUnitEnum,
  SeriesWidget,
  TableWidget,
  type WidgetView,
} from './dashboard.type.js';
import type {
  BreakdownRecord,
  CountedRecord,
  CourseRecord,
  WidgetResultService,
  MeasureRecord,
  PointRecord,
  RowsOf,
  SliceRecord,
  TableLineRecord,
  TableRecord,
} from './widget-result.service.js';
import {
  Breakdown,
  BreakdownSlice,
  DashboardRecordConnection,
  Figure,
  Measure,
  FigureCourse,
  PreviousFigure,
  RowsOfEnum,
  Series,
  SeriesPoint,
  Table,
  TableCell,
  TableLine,
} from './widget-result.type.js';
import { maxCoursePoints } from './time-range.js';
import { unitOf, type Metric, type MetricUnit } from './metric.js';

/** The value of a FIGURE widget, with its widget. */
interface FigureView extends MeasureRecord {
  widget: WidgetView<FigureShape>;
}

@Resolver(() => Measure)
export class MeasureResolver {
  constructor(
    private readonly service: WidgetResultService,
    private readonly leads: LeadService,
  ) {}

  @FieldResolver(() => MetricUnitEnum, { description: 'The unit of the value.' })
  unit(@Root() { metric }: MeasureRecord): MetricUnit {
    return unitOf(metric);
  }

  @FieldResolver(() => DashboardRecordConnection, {
    description: 'Exactly the records that were counted, newest first.',
  })
  async rows(
    @Root() measure: MeasureRecord,
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('of', () => RowsOfEnum, { defaultValue: 'COUNTED', description: 'Which records.' }) of: RowsOf,
  ): Promise<ConnectionValue<CountedRecord>> {
    const rows = toConnection(await this.service.rows(measure, args, of));
    return withoutErased(context, this.leads, rows, selectedOfNodes(info));
  }
}

@Resolver(() => Figure)
export class FigureResolver {
  constructor(private readonly service: WidgetResultService) {}

  @FieldResolver(() => PreviousFigure, {
    nullable: true,
    description:
      'The value of the time before: the previous day or month, or the same duration. While the range goes on, only as much of it as has passed of the range. Null for metrics of now, such as QUEUE_DEPTH.',
  })
  previous(@Root() { reading, widget }: FigureView): Promise<MeasureRecord | null> {
    return this.service.previousFigure(reading, widget);
  }

  @FieldResolver(() => FigureCourse, {
    nullable: true,
    description: `The values in the range up to now, for a line: by hours, days, weeks or months, whichever is the shortest with at most ${maxCoursePoints} of them. Null for metrics of now, such as QUEUE_DEPTH.`,
  })
  course(@Root() { reading, widget }: FigureView): Promise<CourseRecord | null> {
    return this.service.course(reading, widget);
  }
}

@Resolver(() => FigureWidget)
export class FigureWidgetResolver {
  constructor(private readonly service: WidgetResultService) {}

  @FieldResolver(() => Figure, { description: 'The result.' })
  async data(@Root() widget: WidgetView<FigureShape>): Promise<FigureView> {
    return { ...(await this.service.figure(widget.reading, widget)), widget };
  }
}

@Resolver(() => SeriesWidget)
export class SeriesWidgetResolver {
  constructor(private readonly service: WidgetResultService) {}

  @FieldResolver(() => Series, { description: 'The result.' })
  async data(@Root() widget: WidgetView<SeriesShape>): Promise<{ points: PointRecord[] }> {
    return { points: await this.service.series(widget.reading, widget) };
  }
}

@Resolver(() => BreakdownWidget)
export class BreakdownWidgetResolver {
  constructor(private readonly service: WidgetResultService) {}

  @FieldResolver(() => Breakdown, { description: 'The result.' })
  data(@Root() widget: WidgetView<BreakdownShape>): Promise<BreakdownRecord> {
    return this.service.breakdown(widget.reading, widget);
  }
}

@Resolver(() => TableWidget)
export class TableWidgetResolver {
  constructor(private readonly service: WidgetResultService) {}

  @FieldResolver(() => Table, { description: 'The result.' })
  data(@Root() widget: WidgetView<TableShape>): Promise<TableRecord> {
    return this.service.table(widget.reading, widget);
  }
}

@Resolver(() => Series)
export class SeriesResolver {
  @FieldResolver(() => SeriesPoint, {
    nullable: true,
    description: 'The point that contains a time. Null outside of the range.',
  })
  point(
    @Root() { points }: { points: PointRecord[] },
    @Arg('at', () => Date, { description: 'The time.' }) at: Date,
  ): PointRecord | null {
    return points.find(({ start, end }) => start <= at && at < end) ?? null;
  }
}

@Resolver(() => Breakdown)
export class BreakdownResolver {
  @FieldResolver(() => BreakdownSlice, {
    nullable: true,
    description: 'The slice with this key. Null if there is none.',
  })
  slice(
    @Root() { slices }: BreakdownRecord,
    @Arg('key', () => ID, { nullable: true, description: 'The key. By default, the slice of records without a value.' })
    key?: string | null,
  ): SliceRecord | null {
    return slices.find((slice) => slice.key === (key ?? null)) ?? null;
  }
}

@Resolver(() => Table)
export class TableResolver {
  @FieldResolver(() => TableLine, { nullable: true, description: 'The line with this key. Null if there is none.' })
  line(
    @Root() { lines }: TableRecord,
    @Arg('key', () => ID, { nullable: true, description: 'The key. By default, the line of records without a value.' })
    key?: string | null,
  ): TableLineRecord | null {
    return lines.find((line) => line.key === (key ?? null)) ?? null;
  }
}

@Resolver(() => TableLine)
export class TableLineResolver {
  @FieldResolver(() => TableCell, {
    nullable: true,
    description: 'The value of this metric. Null if the table does not have it.',
  })
  cell(
    @Root() { cells }: TableLineRecord,
    @Arg('metric', () => MetricEnum, { description: 'The metric.' }) metric: Metric,
  ): MeasureRecord | null {
    return cells.find((cell) => cell.metric === metric) ?? null;
  }
}
