// Computes widget results, and lists the records that each value counted. All results of one reading use the same range and time zone.
// Changes before the reading are computed first (roll-up.service.ts).

import type { Database } from '../../platform/database/database.js';
import { parseInput } from '../../platform/input/input.js';
import { readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import {
  readingSchema,
  type BreakdownWidget,
  type FigureWidget,
  type ReadingInput,
  type SeriesWidget,
  type TableWidget,
  type Widget,
} from './dashboard.schema.js';
import type { DashboardRecord } from './dashboard.service.js';
import { WidgetFigures, scopeOf, type Counting } from './widget-figures.js';
import {
  isPlaceKey,
  listRecords,
  placeKeyOf,
  type RecordPlace,
  type RecordSelection,
  type Span,
} from './widget-result.sql.js';
import { largestKeys, everyKey, labelledBy, statesOf, type GroupNames } from './dimension-keys.js';
import { isOfNow, sourceOf, sumOf, valueOf, type Metric, type MetricValue } from './metric.js';
import { Snapshot, StatementBudget } from './dashboard-reading.js';
import type { RollUpService } from './roll-up.service.js';
import { courseBucketOf, type Bucket, type ResolvedRange, type TimeRange } from './time-range.js';

/** The settings and shared state of a dashboard's reading. */
export interface Reading extends Counting {
  readonly principal: UserPrincipal;
  readonly timeRange: TimeRange;
  readonly snapshot: Snapshot;
}

/** A value with the parts that list the records it counted. */
export interface MeasureRecord extends MetricValue {
  metric: Metric;
  reading: Reading;
  filter: Widget['filter'];
  selection: Pick<RecordSelection, 'span' | 'keys'>;
}

export interface PointRecord extends MeasureRecord {
  start: Date;
  end: Date;
}

/** The values of a figure in the buckets of its range, up to now. */
export interface CourseRecord {
  bucket: Bucket;
  starts: Date[];
  values: (number | null)[];
}

export interface SliceRecord extends MeasureRecord {
  key: string | null;
  label: string;
}

export interface BreakdownRecord {
  slices: SliceRecord[];
  other: MeasureRecord | null;
}

export interface TableLineRecord {
  key: string | null;
  label: string;
  cells: MeasureRecord[];
}

export interface TableRecord {
  lines: TableLineRecord[];
  omittedCount: number;
}

/** The records of a value to list: those that `count` counts, or those that `total` counts. */
export type RowsOf = 'COUNTED' | 'TOTAL';

export type CountedRecord = MessageRow | LeadRow;

interface ReadOptions {
  /** The operation, whose readings share a budget. */
  operation: object;
  /** The snapshot to read from; a new one by default. */
  snapshot?: Snapshot | undefined;
  /** The range and time zone to use instead of the stored ones. */
  wanted?: ReadingInput | undefined;
}

export interface WidgetResultOptions {
  database: Database;
  rollUps: RollUpService;
  messages: MessageService;
  leads: LeadService;
  names: GroupNames;
}

export class WidgetResultService {
  private readonly counter: WidgetFigures;
  private readonly budgets = new WeakMap<object, StatementBudget>();

  constructor(private readonly options: WidgetResultOptions) {
    this.counter = new WidgetFigures(options.database);
  }

  /** Creates a snapshot that the dashboards of one query share. */
  snapshot({ tenantId }: UserPrincipal): Snapshot {
    const { database, rollUps } = this.options;
    return new Snapshot({ tenantId, database, rollUps });
  }

  /**
   * Starts a reading of a dashboard; nothing is computed yet.
   * @throws AppError VALIDATION_FAILED for a range or zone out of bounds
   */
  read(principal: UserPrincipal, dashboard: DashboardRecord, { operation, snapshot, wanted }: ReadOptions): Reading {
    const input = parseInput(readingSchema, wanted ?? {});
    return {
      principal,
      timeZone: input.timeZone ?? dashboard.timeZone,
      timeRange: input.range ?? dashboard.timeRange,
      budget: this.budgetOf(operation),
      snapshot: snapshot ?? this.snapshot(principal),
      counted: new Map(),
    };
  }

  private budgetOf(operation: object): StatementBudget {
    const budget = this.budgets.get(operation) ?? new StatementBudget();
    this.budgets.set(operation, budget);
    return budget;
  }

  rangeOf({ snapshot, timeRange, timeZone }: Reading): Promise<ResolvedRange> {
    return snapshot.range(timeRange, timeZone);
  }

  async figure(reading: Reading, widget: FigureWidget): Promise<MeasureRecord> {
    const { from, to } = await this.rangeOf(reading);
    return this.single(reading, widget, { from, to });
  }

  /** Returns the value of the time before; null if the metric has no history. */
  async previousFigure(reading: Reading, widget: FigureWidget): Promise<(MeasureRecord & Span) | null> {
    if (isOfNow(widget.metric)) return null;
    const { previousFrom, previousTo } = await this.rangeOf(reading);
    const span = { from: previousFrom, to: previousTo };
    return { ...(await this.single(reading, widget, span)), ...span };
  }

  /** Returns the figure's values in the buckets that have begun, by one statement; null if the metric has no history. */
  async course(reading: Reading, widget: FigureWidget): Promise<CourseRecord | null> {
    if (isOfNow(widget.metric)) return null;
    const bucket = courseBucketOf(await this.rangeOf(reading));
    const points = await this.series(reading, { ...widget, type: 'SERIES', bucket });
    // A bucket of the future has no value yet, which is something else than none.
    const now = new Date();
    const begun = points.filter(({ start }) => start <= now);
    return { bucket, starts: begun.map(({ start }) => start), values: begun.map(({ value }) => value) };
  }

  /** Returns every bucket of the range, empty ones included. */
  async series(reading: Reading, widget: SeriesWidget): Promise<PointRecord[]> {
    const range = await this.rangeOf(reading);
    const bounds = await reading.snapshot.buckets(range, widget.bucket, reading.timeZone);
    reading.budget.show(bounds.length - 1);
    const groups = new Map(
      (await this.counter.count(reading, widget, { metric: widget.metric, bounds })).map((group) => [
        group.segment,
        group,
      ]),
    );
    await reading.budget.pause();
    return bounds.slice(0, -1).map((start, index) => {
      const end = bounds[index + 1] ?? range.to;
      const value = valueOf(widget.metric, groups.get(index + 1));
      return { ...measure(reading, widget, widget.metric, value, { span: { from: start, to: end } }), start, end };
    });
  }

  /** Returns the slices with the most records, with labels; `other` is the rest. */
  async breakdown(reading: Reading, widget: BreakdownWidget): Promise<BreakdownRecord> {
    const { from, to } = await this.rangeOf(reading);
    const { metric, dimension, limit } = widget;
    const { values: groups, others: beyond } = await this.counter.countBy(reading, widget, metric, { from, to });
    const { shown, rest } = largestKeys(everyKey(dimension, groups), limit);
    reading.budget.show(shown.length);
    const label = await labelledBy(this.options.names, reading.principal, dimension, shown);
    await reading.budget.pause();
    const sliceOf = (keys: readonly string[], others = false) => ({
      span: { from, to },
      keys: { dimension, keys, others },
    });
    const slices = shown.map((key) => ({
      ...measure(reading, widget, metric, groups.get(key) ?? valueOf(metric, undefined), sliceOf([key])),
      key: key === '' ? null : key,
      label: label(key),
    }));
    const left = [...rest.flatMap((key) => groups.get(key) ?? []), ...(beyond === null ? [] : [beyond.value])];
    if (left.length === 0) return { slices, other: null };
    const value = sumOf(metric, left);
    return { slices, other: measure(reading, widget, metric, value, sliceOf(shown, true)) };
  }

  /** Returns the lines with the most records of the first metric. */
  async table(reading: Reading, widget: TableWidget): Promise<TableRecord> {
    const { from, to } = await this.rangeOf(reading);
    const { metrics, dimension, limit } = widget;
    const columns = await Promise.all(
      metrics.map((metric) => this.counter.countBy(reading, widget, metric, { from, to })),
    );
    const keys = new Map(
      columns.flatMap(({ values }) => [...values.keys()]).map((key) => [key, columns[0]?.values.get(key) ?? nothing]),
    );
    const { shown, rest } = largestKeys(everyKey(dimension, keys), limit);
    reading.budget.show(shown.length * metrics.length);
    const cells = await Promise.all(
      metrics.map((metric, index) =>
        this.counter.valuesOf(reading, widget, { metric, column: columns[index], keys: shown, span: { from, to } }),
      ),
    );
    const label = await labelledBy(this.options.names, reading.principal, dimension, shown);
    await reading.budget.pause();
    const lines = shown.map((key) => ({
      key: key === '' ? null : key,
      label: label(key),
      cells: metrics.map((metric, index) => {
        const selection = { span: { from, to }, keys: { dimension, keys: [key], others: false } };
        return measure(reading, widget, metric, cells[index]?.get(key) ?? valueOf(metric, undefined), selection);
      }),
    }));
    // The number is a lower bound: beyond the largest groups, only the keys of the longest column are known.
    const known = Math.max(...columns.map(({ values, others }) => values.size + (others?.keys ?? 0)));
    return { lines, omittedCount: Math.max(rest.length, known - shown.length) };
  }

  /** Returns exactly the records that `count` or `total` of a value counts, newest first. */
  async rows(
    measured: MeasureRecord,
    args: Pick<PageArgs, 'first' | 'after'>,
    of: RowsOf,
  ): Promise<Page<CountedRecord>> {
    const { reading } = measured;
    const { from } = sourceOf(measured.metric);
    const scope = scopeOf(reading, measured.filter, from);
    const selection = selectionOf(measured, of);
    const areLeads = from === 'leads' || from === 'optOuts' || from === 'waiting';
    const page = await readPage<RecordPlace>(args, {
      list: areLeads ? 'dashboard-leads' : 'dashboard-messages',
      keyOf: placeKeyOf,
      isKey: isPlaceKey,
      read: (range) => this.counter.run<RecordPlace>(reading, listRecords(scope, selection, range)),
      count: () => Promise.resolve(of === 'COUNTED' ? measured.count : measured.total),
    });
    return this.load(reading.principal, areLeads, page);
  }

  // Records that were deleted after the page was read are left out. The page's cursors stay valid.
  private async load(
    principal: UserPrincipal,
    areLeads: boolean,
    page: Page<RecordPlace>,
  ): Promise<Page<CountedRecord>> {
    const { leads, messages } = this.options;
    const ids = page.edges.map(({ node }) => node.id);
    const records = areLeads ? await leads.listByIds(principal, ids) : await messages.listByIds(principal, ids);
    const byId = new Map(records.map((record): [string, CountedRecord] => [record.id, record]));
    const edges = page.edges.flatMap(({ node: { id }, cursor }) => {
      const node = byId.get(id);
      return node === undefined ? [] : [{ node, cursor }];
    });
    return { ...page, edges };
  }

  private async single(reading: Reading, widget: FigureWidget, span: Span): Promise<MeasureRecord> {
    const [group] = await this.counter.count(reading, widget, { metric: widget.metric, bounds: [span.from, span.to] });
    return measure(reading, widget, widget.metric, valueOf(widget.metric, group), { span });
  }
}

const nothing: MetricValue = { value: null, count: 0, total: 0 };

function measure(
  reading: Reading,
  { filter }: Pick<Widget, 'filter'>,
  metric: Metric,
  value: MetricValue,
  selection: MeasureRecord['selection'],
): MeasureRecord {
  return { ...value, metric, reading, filter, selection };
}

function selectionOf({ metric, selection }: MeasureRecord, of: RowsOf): RecordSelection {
  const source = sourceOf(metric);
  if (source.from === 'queue' || source.from === 'waiting') return { keys: selection.keys };
  if (source.from === 'messages') {
    const states = of === 'COUNTED' ? source.counted : source.base;
    const { keys, ...rest } = selection;
    const ofKeys = keys && statesOf(keys.dimension);
    if (keys === undefined || ofKeys === undefined) return { ...selection, states };
    const named = new Set(keys.keys.flatMap((key) => ofKeys.get(key) ?? []));
    return { ...rest, states: states.filter((state) => named.has(state) !== keys.others) };
  }
  if (of === 'TOTAL' || source.counted === 'all') return selection;
  return { ...selection, answered: source.counted === 'answered' };
}
