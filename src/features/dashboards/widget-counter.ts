// Counts what figures are made of, each question once in a reading. Of groups of which there may be any number, the largest are told
// apart, and the others count together.

import type { Database } from '../../platform/database.js';
import type { Principal } from '../../platform/principal.js';
import type { BreakdownWidget, TableWidget, Widget } from './dashboard.schema.js';
import { statesOf } from './group.js';
import { filterFields, sourceOf, valueOf } from './metric.js';
import type { Counted, Dimension, FilterField, MessageTally, Metric, MetricValue } from './metric.js';
import type { StatementBudget } from './statement-budget.js';
import {
  isOpenEnded,
  largestGroups,
  stateColumns,
  tallyMessages,
  tallyQueue,
  tallyReplies,
} from './widget-result.sql.js';
import type { BuiltStatement, KeyFilter, RecordScope, Span, TallySpans } from './widget-result.sql.js';

/** What all questions of one reading share. */
export interface Counting {
  readonly principal: Pick<Principal, 'tenantId'>;
  readonly timeZone: string;
  readonly budget: StatementBudget;
  /** What was counted already, by what was asked. */
  readonly counted: Map<string, Promise<Group[]>>;
}

export interface Group extends Counted {
  /** From 1. */
  segment: number;
  /** Null for those that are not told apart. */
  key: string | null;
  /** How many they are. */
  groups?: number;
}

type MessageGroup = MessageTally & Omit<Group, 'tally'>;

/** What a metric is for each key that has records. */
export interface KeyedValues {
  values: Map<string, MetricValue>;
  /** Keys that are not told apart, as one; null where all are. */
  others: { keys: number; value: MetricValue } | null;
}

/** What a statement counts. */
export interface Question {
  metric: Metric;
  bounds: readonly Date[];
  dimension?: Dimension | undefined;
}

// Sorting a quarter of a million waits in memory takes half of what it takes on disk. Compiling the plan takes longer than running it.
const sortingSettings = "SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";

export class WidgetCounter {
  constructor(private readonly database: Database) {}

  /** The value of each key that has records. */
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

  /** A column's values of these keys: those that it did not tell apart are counted by themselves. */
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

  /** Counts once what several widgets ask for. */
  count(reading: Counting, { filter }: Pick<Widget, 'filter'>, wanted: Question): Promise<Group[]> {
    const { metric, bounds, dimension } = wanted;
    const source = sourceOf(metric);
    // Which groups are told apart depends on the metric's records.
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
    if (first === undefined || end === undefined) throw new Error('a range without an end');
    const starts = bounds.slice(0, -1);
    const source = sourceOf(metric);
    const isOpen = dimension !== undefined && isOpenEnded(dimension);
    const bounded = (statement: BuiltStatement, columns: Parameters<typeof largestGroups>[1]) =>
      isOpen ? largestGroups(statement, columns) : statement;
    if (source.from === 'queue') {
      const statement = bounded(tallyQueue(scope, dimension), { total: ['total'], sums: ['total'] });
      return this.run<Group>(reading, statement);
    }
    if (source.from !== 'messages') {
      const percentiles = 'percentile' in source;
      const parted = percentiles ? ['median', 'p90'] : [];
      const statement = bounded(tallyReplies(scope, { starts, end, dimension, percentiles }), {
        total: ['total'],
        sums: ['total', 'answered'],
        parted,
      });
      return percentiles ? this.runSorting<Group>(reading, statement) : this.run<Group>(reading, statement);
    }
    const spans = planTallies(scope.filter, dimension, [first, ...others]);
    const statement = bounded(tallyMessages(scope, { starts, spans, dimension }), {
      total: source.base,
      sums: stateColumns,
    });
    const rows = await this.run<MessageGroup>(reading, statement);
    return rows.map(({ segment, key, groups, ...tally }) => ({ segment, key, tally, ...(groups && { groups }) }));
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

/** By which filter a dimension's keys are let through. */
function fieldOf(dimension: Dimension): FilterField | undefined {
  return (Object.keys(filterFields) as FilterField[]).find((field) => filterFields[field] === dimension);
}

const quarterMs = 900_000;
const storedDimensions: readonly Dimension[] = ['SOURCE', 'ASSIGNEE', 'INSTANCE', 'AUTHOR', 'TEMPLATE'];

/** @param bounds two or more, rising: the segments lie between them */
export function planTallies(
  filter: KeyFilter,
  dimension: Dimension | undefined,
  bounds: readonly [Date, ...Date[]],
): TallySpans {
  const whole: Span = { from: bounds[0], to: bounds.at(-1) ?? bounds[0] };
  const by = new Set([...filter.keys(), ...(dimension && storedDimensions.includes(dimension) ? [dimension] : [])]);
  const [from, to] = [quarterFrom(whole.from, Math.ceil), quarterFrom(whole.to, Math.floor)];
  if (by.size > 1 || from >= to) return { stored: null, live: [whole] };
  // A bound within a quarter of an hour parts what is counted there.
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
