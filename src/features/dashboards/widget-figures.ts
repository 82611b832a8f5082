// Counts records for widget results, and counts equal questions of one reading only once. A dimension with any number of values is
// counted for its largest values; all other values count together.

import type { Database } from '../../platform/database/database.js';
import type { Principal } from '../../platform/principal.js';
import type { BreakdownWidget, TableWidget, Widget } from './dashboard.schema.js';
import { statesOf } from './dimension-keys.js';
import {
  filterFields,
  messageStates,
  sourceOf,
  valueOf,
  type Counted,
  type Dimension,
  type FilterField,
  type CountsByState,
  type Metric,
  type MetricValue,
} from './metric.js';
import type { StatementBudget } from './dashboard-reading.js';
import {
  isOpenEnded,
  largestGroups,
  countMessages,
  countQueue,
  countReplies,
  countWaiting,
  type BuiltStatement,
  type KeyFilter,
  type RecordScope,
  type Span,
  type CountPlan,
} from './widget-result.sql.js';

/** The shared state of the questions of one reading. */
export interface Counting {
  readonly principal: Pick<Principal, 'tenantId'>;
  readonly timeZone: string;
  readonly budget: StatementBudget;
  /** Answers by question. */
  readonly counted: Map<string, Promise<Group[]>>;
}

export interface Group extends Counted {
  /** The bucket of time, from 1. */
  segment: number;
  /** Null for all groups beyond the largest ones, as one. */
  key: string | null;
  /** The number of groups in this one. */
  groups?: number;
}

type MessageGroup = CountsByState & Omit<Group, 'byState'>;

/** The values of a metric by key. Keys without records are left out. */
export interface KeyedValues {
  values: Map<string, MetricValue>;
  /** All keys beyond the largest ones, as one; null if there are none. */
  others: { keys: number; value: MetricValue } | null;
}

/** A metric to count, with its times and dimension. */
export interface Question {
  metric: Metric;
  bounds: readonly Date[];
  dimension?: Dimension | undefined;
}

// Sorting 250,000 waits in memory takes half as long as on disk. JIT compilation takes longer than it saves.
const sortingSettings = "SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";

export class WidgetFigures {
  constructor(private readonly database: Database) {}

  /** Returns the values of a metric by the widget's dimension. */
  async countBy(
    reading: Counting,
    widget: BreakdownWidget | TableWidget,
    metric: Metric,
    { from, to }: Span,
  ): Promise<KeyedValues> {
    const { dimension } = widget;
    const states = statesOf(dimension);
    if (states !== undefined) {
      const [group] = await this.count(reading, widget, { metric, bounds: [from, to] });
      const values = [...states].map(([key, ofKey]) => [key, valueOf(metric, group, ofKey)] as const);
      return { values: new Map(values.filter(([, { total }]) => total > 0)), others: null };
    }
    const groups = await this.count(reading, widget, { metric, bounds: [from, to], dimension });
    const values = groups.flatMap(({ key, ...group }): [string, MetricValue][] =>
      key === null ? [] : [[key, valueOf(metric, group)]],
    );
    const others = groups.find(({ key }) => key === null);
    return {
      values: new Map(values.filter(([, { total }]) => total > 0)),
      others: others === undefined ? null : { keys: others.groups ?? 0, value: valueOf(metric, others) },
    };
  }

  /** Returns the values of a table's column for these keys. A second statement counts the keys that are not among its largest. */
  async valuesOf(
    reading: Counting,
    widget: TableWidget,
    {
      metric,
      column,
      keys,
      span,
    }: {
      metric: Metric;
      column: KeyedValues | undefined;
      keys: readonly string[];
      span: Span;
    },
  ): Promise<ReadonlyMap<string, MetricValue>> {
    const values = column?.values ?? new Map<string, MetricValue>();
    const missing = keys.filter((key) => !values.has(key));
    const field = fieldOf(widget.dimension);
    if (column?.others == null || field === undefined || missing.length === 0) return values;
    const only = { ...widget, filter: { ...widget.filter, [field]: missing } };
    const counted = await this.countBy(reading, only, metric, span);
    return new Map([...values, ...counted.values]);
  }

  /** Counts a question once, also if several widgets ask it. */
  count(reading: Counting, { filter }: Pick<Widget, 'filter'>, wanted: Question): Promise<Group[]> {
    const { metric, bounds, dimension } = wanted;
    const source = sourceOf(metric);
    // The metric's records decide which groups are the largest.
    const isByBase = dimension !== undefined && isOpenEnded(dimension) && source.from === 'messages';
    const base = isByBase ? source.base : undefined;
    const question = JSON.stringify([source.from, 'percentile' in source, filter, bounds, dimension, base]);
    const known = reading.counted.get(question);
    if (known !== undefined) return known;
    const counted = this.countNow(reading, scopeOf(reading, filter, source.from), wanted);
    reading.counted.set(question, counted);
    return counted;
  }

  private async countNow(
    reading: Counting,
    scope: RecordScope,
    { metric, bounds, dimension }: Question,
  ): Promise<Group[]> {
    const [first, ...others] = bounds;
    const end = others.at(-1);
    if (first === undefined || end === undefined) throw new Error('a range has no end');
    const starts = bounds.slice(0, -1);
    const source = sourceOf(metric);
    const isOpen = dimension !== undefined && isOpenEnded(dimension);
    const bounded = (statement: BuiltStatement, columns: Parameters<typeof largestGroups>[1]) =>
      isOpen ? largestGroups(statement, columns) : statement;
    if (source.from === 'queue') {
      const statement = bounded(countQueue(scope, dimension), { total: ['total'], sums: ['total'] });
      return this.run<Group>(reading, statement);
    }
    if (source.from === 'waiting') {
      const columns = { total: ['total'], sums: ['total'], parted: ['longest'] };
      return this.run<Group>(reading, bounded(countWaiting(scope, dimension), columns));
    }
    if (source.from !== 'messages') {
      const percentiles = 'percentile' in source;
      const parted = percentiles ? ['median', 'p90'] : [];
      const statement = bounded(countReplies(scope, { starts, end, dimension, percentiles }), {
        total: ['total'],
        sums: ['total', 'answered'],
        parted,
      });
      return percentiles ? this.runSorting<Group>(reading, statement) : this.run<Group>(reading, statement);
    }
    const spans = planCounts(scope.filter, dimension, [first, ...others]);
    const statement = bounded(countMessages(scope, { starts, spans, dimension }), {
      total: source.base,
      sums: messageStates,
    });
    const rows = await this.run<MessageGroup>(reading, statement);
    return rows.map(({ segment, key, groups, ...byState }) => ({ segment, key, byState, ...(groups && { groups }) }));
  }

  run<Row>({ budget }: Counting, { text, values }: BuiltStatement): Promise<Row[]> {
    return budget.run(() => this.database.query<Row>(text, values));
  }

  private runSorting<Row>({ budget }: Counting, { text, values }: BuiltStatement): Promise<Row[]> {
    return budget.run(() =>
      this.database.transaction(
        async (sql) => {
          await sql.query(sortingSettings);
          return sql.query<Row>(text, values);
        },
        { kind: 'read' },
      ),
    );
  }
}

export function scopeOf(
  { principal, timeZone }: Counting,
  filter: Widget['filter'],
  from: RecordScope['from'],
): RecordScope {
  const given = Object.entries(filter) as [FilterField, readonly string[] | null | undefined][];
  const keys: KeyFilter = new Map(
    given.flatMap(([field, values]) => (values == null ? [] : [[filterFields[field], values]])),
  );
  return { tenantId: principal.tenantId, from, filter: keys, timeZone };
}

function fieldOf(dimension: Dimension): FilterField | undefined {
  return (Object.keys(filterFields) as FilterField[]).find((field) => filterFields[field] === dimension);
}

const quarterMs = 900_000;
const storedDimensions: readonly Dimension[] = ['SOURCE', 'ASSIGNEE', 'INSTANCE', 'AUTHOR', 'TEMPLATE'];
// Stored counts have no key of these dimensions. Those of time are not among them: they follow from the time of a count.
const unstoredDimensions: readonly Dimension[] = ['ORIGIN', 'AD'];

/**
 * Decides for which spans `message_counts` has the counts, and in which spans the messages are counted one by one.
 * @param bounds two or more, rising: the limits of the segments
 */
function planCounts(
  filter: KeyFilter,
  dimension: Dimension | undefined,
  bounds: readonly [Date, ...Date[]],
): CountPlan {
  const whole: Span = { from: bounds[0], to: bounds.at(-1) ?? bounds[0] };
  const by = new Set([...filter.keys(), ...(dimension && storedDimensions.includes(dimension) ? [dimension] : [])]);
  const isUnstored = [dimension, ...by].some((wanted) => wanted !== undefined && unstoredDimensions.includes(wanted));
  const [from, to] = [quarterFrom(whole.from, Math.ceil), quarterFrom(whole.to, Math.floor)];
  if (by.size > 1 || isUnstored || from >= to) return { stored: null, live: [whole] };
  // A quarter of an hour with a bound inside is counted message by message.
  const parted = bounds.filter((bound) => bound > from && bound < to && bound.getTime() % quarterMs !== 0);
  const without = [...new Set(parted.map((bound) => quarterFrom(bound, Math.floor).getTime()))].map(
    (ms) => new Date(ms),
  );
  const [own] = by;
  const stored = { dimension: own ?? 'TOTAL', keys: (own && filter.get(own)) ?? null, from, to, without };
  const edges = [
    { from: whole.from, to: from },
    ...without.map((start) => ({ from: start, to: new Date(start.getTime() + quarterMs) })),
    { from: to, to: whole.to },
  ];
  return { stored, live: edges.filter((edge) => edge.from < edge.to) };
}

function quarterFrom(time: Date, round: (value: number) => number): Date {
  return new Date(round(time.getTime() / quarterMs) * quarterMs);
}
