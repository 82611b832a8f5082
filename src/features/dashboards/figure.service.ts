// What dashboards show: each widget's figures, and the records that each figure counted. Everything of one reading goes by the same
// range and zone, and what has changed before it is computed first (roll-up.service.ts).

import type { Database } from '../../platform/database.js';
import { parseInput } from '../../platform/input.js';
import { readPage } from '../../platform/page.js';
import type { Page, PageArgs } from '../../platform/page.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import { readingSchema } from './dashboard.schema.js';
import type {
  BreakdownWidget,
  FigureWidget,
  ReadingInput,
  SeriesWidget,
  TableWidget,
  Widget,
} from './dashboard.schema.js';
import type { DashboardRecord } from './dashboard.service.js';
import { isPlaceKey, listRecords, placeKeyOf, tallyMessages, tallyQueue, tallyReplies } from './figure.sql.js';
import type { BuiltStatement, KeyFilter, RecordPlace, RecordScope, RecordSelection, Span } from './figure.sql.js';
import { bestGroups, everyKey, labelledBy, statesOf } from './group.js';
import type { GroupNames } from './group.js';
import { filterFields, sourceOf, valueOf } from './metric.js';
import type { Counted, Dimension, FilterField, MessageTally, Metric, MetricValue } from './metric.js';
import { Moment } from './moment.js';
import type { RollUpService } from './roll-up.service.js';
import type { StatementBudget } from './statement-budget.js';
import { planTallies } from './tally-plan.js';
import type { ResolvedRange, TimeRange } from './time-range.js';

/** One look at a dashboard. */
export interface Reading {
  readonly principal: UserPrincipal;
  readonly timeZone: string;
  readonly timeRange: TimeRange;
  readonly budget: StatementBudget;
  readonly moment: Moment;
  /** What was counted already, by what was asked. */
  readonly counted: Map<string, Promise<Group[]>>;
}

/** A figure, and what it takes to find the records that it counted. */
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

/** Which of a measure's records: those that it counted, or those that it counted them among. */
export type RowsOf = 'COUNTED' | 'TOTAL';

export type CountedRecord = MessageRow | LeadRow;

interface Group extends Counted {
  /** From 1. */
  segment: number;
  key: string;
}

type MessageGroup = MessageTally & { segment: number; key: string };

export interface FigureOptions {
  database: Database;
  rollUps: RollUpService;
  messages: MessageService;
  leads: LeadService;
  names: GroupNames;
}

// Sorting a quarter of a million waits in memory takes half of what it takes on disk. Compiling the plan takes longer than running it.
const sortingSettings = "SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";

export class FigureService {
  constructor(private readonly options: FigureOptions) {}

  /** For the dashboards that are looked at together. */
  moment({ tenantId }: UserPrincipal): Moment {
    const { database, rollUps } = this.options;
    return new Moment({ tenantId, database, rollUps });
  }

  /** @throws AppError VALIDATION_FAILED for a range or zone out of bounds */
  read(
    principal: UserPrincipal,
    dashboard: DashboardRecord,
    { budget, moment }: { budget: StatementBudget; moment: Moment },
    wanted: ReadingInput,
  ): Reading {
    const input = parseInput(readingSchema, wanted);
    const timeZone = input.timeZone ?? dashboard.timeZone;
    const timeRange = input.range ?? dashboard.timeRange;
    return { principal, timeZone, timeRange, budget, moment, counted: new Map() };
  }

  /** The time that is looked at. */
  rangeOf({ moment, timeRange, timeZone }: Reading): Promise<ResolvedRange> {
    return moment.range(timeRange, timeZone);
  }

  async figure(reading: Reading, widget: FigureWidget): Promise<MeasureRecord> {
    const { from, to } = await this.rangeOf(reading);
    return this.single(reading, widget, { from, to });
  }

  /** The same for the time before; null for what has no history. */
  async previousFigure(reading: Reading, widget: FigureWidget): Promise<(MeasureRecord & Span) | null> {
    if (sourceOf(widget.metric).from === 'queue') return null;
    const { previousFrom, from } = await this.rangeOf(reading);
    const span = { from: previousFrom, to: from };
    return { ...(await this.single(reading, widget, span)), ...span };
  }

  /** Every bucket of the range, the empty ones too. */
  async series(reading: Reading, widget: SeriesWidget): Promise<PointRecord[]> {
    const range = await this.rangeOf(reading);
    const bounds = await reading.moment.buckets(range, widget.bucket, reading.timeZone);
    reading.budget.show(bounds.length - 1);
    const groups = new Map(
      (await this.count(reading, widget, widget.metric, bounds)).map((group) => [group.segment, group]),
    );
    return bounds.slice(0, -1).map((start, index) => {
      const end = bounds[index + 1] ?? range.to;
      const value = valueOf(widget.metric, groups.get(index + 1));
      return { ...measure(reading, widget, widget.metric, value, { span: { from: start, to: end } }), start, end };
    });
  }

  /** The slices with the most records, each with its name; what is left is one more. */
  async breakdown(reading: Reading, widget: BreakdownWidget): Promise<BreakdownRecord> {
    const { from, to } = await this.rangeOf(reading);
    const { metric, dimension, limit } = widget;
    const groups = await this.countBy(reading, widget, metric, { from, to });
    const { shown, rest } = bestGroups(everyKey(dimension, groups), limit);
    reading.budget.show(shown.length);
    const label = await labelledBy(this.options.names, reading.principal, dimension, shown);
    const sliceOf = (keys: readonly string[], others = false) => ({
      span: { from, to },
      keys: { dimension, keys, others },
    });
    const slices = shown.map((key) => ({
      ...measure(reading, widget, metric, groups.get(key) ?? valueOf(metric, undefined), sliceOf([key])),
      key: key === '' ? null : key,
      label: label(key),
    }));
    if (rest.length === 0) return { slices, other: null };
    const value = sumOf(
      metric,
      rest.flatMap((key) => groups.get(key) ?? []),
    );
    return { slices, other: measure(reading, widget, metric, value, sliceOf(shown, true)) };
  }

  /** The lines with the most records of the first metric. */
  async table(reading: Reading, widget: TableWidget): Promise<TableRecord> {
    const { from, to } = await this.rangeOf(reading);
    const { metrics, dimension, limit } = widget;
    const columns = await Promise.all(metrics.map((metric) => this.countBy(reading, widget, metric, { from, to })));
    const keys = new Map(
      columns.flatMap((column) => [...column.keys()]).map((key) => [key, columns[0]?.get(key) ?? nothing]),
    );
    const { shown, rest } = bestGroups(everyKey(dimension, keys), limit);
    reading.budget.show(shown.length * metrics.length);
    const label = await labelledBy(this.options.names, reading.principal, dimension, shown);
    const lines = shown.map((key) => ({
      key: key === '' ? null : key,
      label: label(key),
      cells: metrics.map((metric, index) => {
        const selection = { span: { from, to }, keys: { dimension, keys: [key], others: false } };
        return measure(reading, widget, metric, columns[index]?.get(key) ?? valueOf(metric, undefined), selection);
      }),
    }));
    return { lines, omittedCount: rest.length };
  }

  /** Exactly the records that a figure counted, or counted among, the newest first. */
  async rows(figure: MeasureRecord, args: Pick<PageArgs, 'first' | 'after'>, of: RowsOf): Promise<Page<CountedRecord>> {
    const { reading } = figure;
    const { from } = sourceOf(figure.metric);
    const scope = scopeOf(reading, figure.filter, from);
    const selection = selectionOf(figure, of);
    const page = await readPage<RecordPlace>(args, {
      list: from === 'leads' ? 'dashboard-leads' : 'dashboard-messages',
      keyOf: placeKeyOf,
      isKey: isPlaceKey,
      read: (range) => this.run<RecordPlace>(reading, listRecords(scope, selection, range)),
      count: () => Promise.resolve(of === 'COUNTED' ? figure.count : figure.total),
    });
    return this.load(reading.principal, from === 'leads', page);
  }

  // What has gone since it was listed is left out; the page goes on behind it all the same.
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
    const [group] = await this.count(reading, widget, widget.metric, [span.from, span.to]);
    return measure(reading, widget, widget.metric, valueOf(widget.metric, group), { span });
  }

  /** The value of each key that has records. */
  private async countBy(
    reading: Reading,
    widget: BreakdownWidget | TableWidget,
    metric: Metric,
    { from, to }: Span,
  ): Promise<Map<string, MetricValue>> {
    const { dimension } = widget;
    const states = statesOf(dimension);
    if (states === undefined) {
      const groups = await this.count(reading, widget, metric, [from, to], dimension);
      return new Map(
        groups.map((group) => [group.key, valueOf(metric, group)] as const).filter(([, { total }]) => total > 0),
      );
    }
    const [group] = await this.count(reading, widget, metric, [from, to]);
    const values = [...states].map(([key, ofKey]) => [key, valueOf(metric, group, ofKey)] as const);
    return new Map(values.filter(([, { total }]) => total > 0));
  }

  /** Counts once what several widgets ask for. */
  private count(
    reading: Reading,
    { filter }: Pick<Widget, 'filter'>,
    metric: Metric,
    bounds: readonly Date[],
    dimension?: Dimension,
  ): Promise<Group[]> {
    const source = sourceOf(metric);
    const percentiles = 'percentile' in source;
    const question = JSON.stringify([source.from, percentiles, filter, bounds, dimension]);
    const known = reading.counted.get(question);
    if (known !== undefined) return known;
    const scope = scopeOf(reading, filter, source.from);
    const counted = this.countNow(reading, scope, { bounds, dimension, percentiles });
    reading.counted.set(question, counted);
    return counted;
  }

  private async countNow(
    reading: Reading,
    scope: RecordScope,
    {
      bounds,
      dimension,
      percentiles,
    }: { bounds: readonly Date[]; dimension: Dimension | undefined; percentiles: boolean },
  ): Promise<Group[]> {
    const [first, ...others] = bounds;
    const end = others.at(-1);
    if (first === undefined || end === undefined) throw new Error('a range without an end');
    const starts = bounds.slice(0, -1);
    if (scope.from === 'queue') return this.run<Group>(reading, tallyQueue(scope, dimension));
    if (scope.from !== 'messages') {
      const statement = tallyReplies(scope, { starts, end, dimension, percentiles });
      return percentiles ? this.runSorting<Group>(reading, statement) : this.run<Group>(reading, statement);
    }
    const spans = planTallies(scope.filter, dimension, [first, ...others]);
    const rows = await this.run<MessageGroup>(reading, tallyMessages(scope, { starts, spans, dimension }));
    return rows.map(({ segment, key, ...tally }) => ({ segment, key, tally }));
  }

  private run<Row>({ budget }: Reading, { text, values }: BuiltStatement): Promise<Row[]> {
    return budget.run(() => this.options.database.query<Row>(text, values));
  }

  private runSorting<Row>({ budget }: Reading, { text, values }: BuiltStatement): Promise<Row[]> {
    return budget.run(() =>
      this.options.database.transaction(
        async (sql) => {
          await sql.query(sortingSettings);
          return sql.query<Row>(text, values);
        },
        { kind: 'read' },
      ),
    );
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

function scopeOf({ principal, timeZone }: Reading, filter: Widget['filter'], from: RecordScope['from']): RecordScope {
  const given = Object.entries(filter) as [FilterField, readonly string[] | null | undefined][];
  const keys: KeyFilter = new Map(
    given.flatMap(([field, values]) => (values == null ? [] : [[filterFields[field], values]])),
  );
  return { tenantId: principal.tenantId, from, filter: keys, timeZone };
}

function selectionOf({ metric, selection }: MeasureRecord, of: RowsOf): RecordSelection {
  const source = sourceOf(metric);
  if (source.from === 'queue') return { keys: selection.keys };
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

// Of lengths of time there is no sum: only how many there are.
function sumOf(metric: Metric, values: readonly MetricValue[]): MetricValue {
  const add = (of: 'count' | 'total') => values.reduce((sum, value) => sum + value[of], 0);
  const [count, total] = [add('count'), add('total')];
  const source = sourceOf(metric);
  if (source.from === 'messages' && source.counted !== source.base)
    return { value: total === 0 ? null : count / total, count, total };
  return { value: 'percentile' in source ? null : count, count, total };
}
