// The statements that count records, and those that list the counted records, built from the same conditions. All SQL text comes from
// this file; callers' values are parameters.

import { isUuid } from '../../platform/input/input.js';
import { travelOf, type KeyRange } from '../../platform/database/page.js';
import { firstSources } from '../leads/referrals/referral.sql.js';
import { originKey } from '../messages/message-list.sql.js';
import { messageStates, type Dimension, type MessageState, type MetricSource } from './metric.js';

/** A statement with its values. */
export interface BuiltStatement {
  text: string;
  values: unknown[];
}

/** The permitted values by dimension. */
export type KeyFilter = ReadonlyMap<Dimension, readonly string[]>;

/** The records of a tenant that a statement reads. */
export interface RecordScope {
  tenantId: string;
  from: MetricSource['from'];
  filter: KeyFilter;
  /** The time zone of hours and weekdays. */
  timeZone: string;
}

/** A half-open span of time: `to` is not included. */
export interface Span {
  from: Date;
  to: Date;
}

/** Collects the values of a statement, and returns their placeholders. */
class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

const tables: Record<RecordScope['from'], string> = {
  messages: 'messages r',
  turns: 'reply_times r',
  leads: 'reply_times r',
  // Opt-outs have the columns of replies, without a wait.
  optOuts:
    '(SELECT tenant_id, lead_id AS id, lead_id, opted_out_at AS opened_at, NULL::bigint AS wait_ms FROM opt_outs) r',
  queue:
    'messages r JOIN outbox_entries o ON o.tenant_id = r.tenant_id AND o.message_id = r.id AND o.scheduled_at IS NULL',
  waiting: 'leads r',
};

const times: Record<RecordScope['from'], string> = {
  messages: 'r.created_at',
  turns: 'r.opened_at',
  leads: 'r.opened_at',
  optOuts: 'r.opened_at',
  queue: 'r.created_at',
  waiting: 'r.waiting_since',
};

const states = `CASE WHEN r.direction = 'INBOUND' THEN 'received' ELSE lower(r.status::text) END`;

// Inbound messages have no status. The status is compared as its own type, because a comparison as text takes longer.
function isInState(state: MessageState): string {
  return state === 'received' ? "r.direction = 'INBOUND'" : `r.status IS NOT DISTINCT FROM '${state.toUpperCase()}'`;
}

// An empty key means that the record has no value.
const keyColumns: Partial<Record<Dimension, string>> = {
  SOURCE: 'l.source',
  ASSIGNEE: "coalesce(l.assignee_id::text, '')",
  AD: "coalesce(ad.source_id, '')",
  INSTANCE: "coalesce(r.instance_id::text, '')",
  AUTHOR: "coalesce(r.author_id::text, '')",
  TEMPLATE: "coalesce(r.template_id::text, '')",
};

function hourKey(at: string, zone: string): string {
  return `extract(hour FROM ${at} AT TIME ZONE ${zone})::text`;
}

function weekdayKey(at: string, zone: string): string {
  return `extract(isodow FROM ${at} AT TIME ZONE ${zone})::text`;
}

/** Returns the key of a record in a dimension. Statuses and directions are counted by state, not by key. */
function keyOf(dimension: Dimension | undefined, at: string, parameters: Parameters, timeZone: string): string {
  if (dimension === 'HOUR_OF_DAY') return hourKey(at, parameters.add(timeZone, 'text'));
  if (dimension === 'WEEKDAY') return weekdayKey(at, parameters.add(timeZone, 'text'));
  if (dimension === 'HOUR_OF_WEEK') {
    const zone = parameters.add(timeZone, 'text');
    return `${weekdayKey(at, zone)} || '-' || ${hourKey(at, zone)}`;
  }
  if (dimension === 'ORIGIN') return originKey('r');
  return (dimension && keyColumns[dimension]) ?? "''";
}

const leadDimensions: readonly (Dimension | undefined)[] = ['SOURCE', 'ASSIGNEE'];

function fromClause(
  { tenantId, from, filter }: RecordScope,
  dimension: Dimension | undefined,
  parameters: Parameters,
): string {
  const wanted = [dimension, ...filter.keys()];
  const leadId = from === 'waiting' ? 'r.id' : 'r.lead_id';
  const needsLead = wanted.some((one) => leadDimensions.includes(one));
  const joins = [
    ...(needsLead ? [`JOIN leads l ON l.tenant_id = r.tenant_id AND l.id = ${leadId}`] : []),
    ...(wanted.includes('AD')
      ? [`LEFT JOIN ${firstSources(parameters.add(tenantId, 'uuid'))} ad ON ad.lead_id = ${leadId}`]
      : []),
  ];
  return [tables[from], ...joins].join(' ');
}

// The conditions are those of the index of the inbox by waiting, so that it can be used.
const ofWhoWaits = [
  "r.conversation_status IN ('OPEN', 'SNOOZED')",
  'r.waiting_since IS NOT NULL',
  'r.last_message_id IS NOT NULL',
];

function conditionsOf({ tenantId, from, filter }: RecordScope, parameters: Parameters): string[] {
  const kinds = {
    messages: ['NOT r.is_notice'],
    turns: ["r.kind = 'TURN'"],
    leads: ["r.kind = 'LEAD'"],
    waiting: ofWhoWaits,
  };
  const kind = from in kinds ? kinds[from as keyof typeof kinds] : [];
  const filters = [...filter].map(([dimension, keys]) => {
    return `${keyColumns[dimension]} = ANY(${parameters.add(keys, 'text[]')})`;
  });
  return [`r.tenant_id = ${parameters.add(tenantId, 'uuid')}`, ...kind, ...filters];
}

/** The spans to read from `message_counts`, and the spans in which messages are counted one by one. */
export interface CountPlan {
  /**
   * The dimension and keys (null for all) of `message_counts`. Bounds are whole quarters of an hour, and those of `without` are left out.
   */
  stored: (Span & { dimension: string; keys: readonly string[] | null; without: readonly Date[] }) | null;
  live: readonly Span[];
}

/** Counts messages by segment, key and state. @param starts the starts of the segments; each record falls into one of them, from 1 */
export function countMessages(
  scope: RecordScope,
  { starts, spans, dimension }: { starts: readonly Date[]; spans: CountPlan; dimension: Dimension | undefined },
): BuiltStatement {
  const parameters = new Parameters();
  const segment = `width_bucket(f.at, ${parameters.add(starts, 'timestamptz[]')})`;
  // Stored counts have a key even if the dimension is only a filter. Hours and weekdays do not use it: they follow from the time of a
  // count.
  const isOfRecord = dimension !== undefined && (dimension in keyColumns || dimension === 'ORIGIN');
  const key = isOfRecord ? 'f.key' : keyOf(dimension, 'f.at', parameters, scope.timeZone);
  const facts = [
    ...(spans.stored === null ? [] : [storedCounts(scope, spans.stored, parameters)]),
    ...spans.live.map((span) => liveCounts(scope, span, isOfRecord ? dimension : undefined, parameters)),
  ];
  const sums = messageStates.map((state) => `sum(f.${state})::float8 AS ${state}`).join(', ');
  const text = `SELECT ${segment} AS segment, ${key} AS key, ${sums} FROM (${facts.join(' UNION ALL ')}) f GROUP BY 1, 2`;
  return { text, values: parameters.values };
}

function storedCounts(
  { tenantId }: RecordScope,
  { dimension, keys, from, to, without }: NonNullable<CountPlan['stored']>,
  parameters: Parameters,
): string {
  const conditions = [
    `tenant_id = ${parameters.add(tenantId, 'uuid')}`,
    `dimension = ${parameters.add(dimension, 'text')}`,
    `quarter >= ${parameters.add(from, 'timestamptz')}`,
    `quarter < ${parameters.add(to, 'timestamptz')}`,
    ...(without.length === 0 ? [] : [`quarter <> ALL(${parameters.add(without, 'timestamptz[]')})`]),
    ...(keys === null ? [] : [`key = ANY(${parameters.add(keys, 'text[]')})`]),
  ];
  return `SELECT quarter AS at, key, ${messageStates.join(', ')} FROM message_counts WHERE ${conditions.join(' AND ')}`;
}

// Each span has a statement of its own, so that the planner knows how few messages it has.
function liveCounts(
  scope: RecordScope,
  { from, to }: Span,
  dimension: Dimension | undefined,
  parameters: Parameters,
): string {
  const conditions = [
    ...conditionsOf(scope, parameters),
    `r.created_at >= ${parameters.add(from, 'timestamptz')}`,
    `r.created_at < ${parameters.add(to, 'timestamptz')}`,
  ];
  const key = keyOf(dimension, times.messages, parameters, scope.timeZone);
  const columns = messageStates.map((state) => `(${isInState(state)})::int AS ${state}`).join(', ');
  return `SELECT r.created_at AS at, ${key} AS key, ${columns}
    FROM ${fromClause(scope, dimension, parameters)} WHERE ${conditions.join(' AND ')}`;
}

/**
 * Counts turns, leads or opt-outs by segment and key like `countMessages`: their number, the number of answered ones, and, if wanted, the
 * percentiles of the wait.
 */
export function countReplies(
  scope: RecordScope,
  {
    starts,
    end,
    dimension,
    percentiles,
  }: { starts: readonly Date[]; end: Date; dimension: Dimension | undefined; percentiles: boolean },
): BuiltStatement {
  const parameters = new Parameters();
  // A single group is sorted by wait alone, which takes half as long.
  const isOne = starts.length === 1 && dimension === undefined;
  const segment = isOne ? '1' : `width_bucket(r.opened_at, ${parameters.add(starts, 'timestamptz[]')})`;
  const key = keyOf(dimension, times[scope.from], parameters, scope.timeZone);
  const conditions = [
    ...conditionsOf(scope, parameters),
    `r.opened_at >= ${parameters.add(starts[0], 'timestamptz')}`,
    `r.opened_at < ${parameters.add(end, 'timestamptz')}`,
  ];
  // The waits are sorted as integers: an ordered-set aggregate of floats takes twice as long.
  const waits = percentiles
    ? ', array_agg(r.wait_ms ORDER BY r.wait_ms) FILTER (WHERE r.wait_ms IS NOT NULL) AS waits'
    : '';
  const counted = `SELECT ${segment} AS segment, ${key} AS key, count(*)::float8 AS total, count(r.wait_ms)::float8 AS answered
    ${waits} FROM ${fromClause(scope, dimension, parameters)} WHERE ${conditions.join(' AND ')}${isOne ? '' : ' GROUP BY 1, 2'}`;
  const text = percentiles
    ? `SELECT segment, key, total, answered, ${percentileOf('0.5')} AS median, ${percentileOf('0.9')} AS p90 FROM (${counted}) c`
    : counted;
  return { text, values: parameters.values };
}

// Interpolates between the two nearest values, as percentile_cont does.
function percentileOf(fraction: string): string {
  const place = `(c.answered - 1) * ${fraction}`;
  const at = (index: string) => `c.waits[1 + ${index}::int]::float8`;
  const [below, above] = [at(`floor(${place})`), at(`ceil(${place})`)];
  return `${below} + (${above} - ${below}) * (${place} - floor(${place}))`;
}

/** Counts the current queue by key, in one segment. */
export function countQueue(scope: RecordScope, dimension: Dimension | undefined): BuiltStatement {
  const parameters = new Parameters();
  const key = keyOf(dimension, times.queue, parameters, scope.timeZone);
  const conditions = conditionsOf(scope, parameters).join(' AND ');
  const text = `SELECT 1 AS segment, ${key} AS key, count(*)::float8 AS total FROM ${fromClause(scope, dimension, parameters)}
    WHERE ${conditions} GROUP BY 2`;
  return { text, values: parameters.values };
}

/** Counts the leads that wait for an answer now, by key, with the longest wait. */
export function countWaiting(scope: RecordScope, dimension: Dimension | undefined): BuiltStatement {
  const parameters = new Parameters();
  const key = keyOf(dimension, times.waiting, parameters, scope.timeZone);
  const conditions = conditionsOf(scope, parameters).join(' AND ');
  // The wait is never negative, even after the clock was set back.
  const longest = `greatest(0, extract(epoch FROM now() - min(r.waiting_since)) * 1000)::float8`;
  const text = `SELECT 1 AS segment, ${key} AS key, count(*)::float8 AS total, ${longest} AS longest FROM ${fromClause(scope, dimension, parameters)}
    WHERE ${conditions} GROUP BY 2`;
  return { text, values: parameters.values };
}

/** The number of largest groups to count apart. It is more than a widget shows, and bounds dimensions with any number of values. */
const maxGroupsApart = 200;

/** True if a dimension may have any number of values. */
export function isOpenEnded(dimension: Dimension): boolean {
  return dimension in keyColumns;
}

/**
 * Reduces the groups of a counting statement to the largest ones, and one group for all others: its key is null, and `groups` is their
 * number. Groups without records are left out.
 * @param total the columns whose sum is a group's number of records
 * @param sums columns that add up
 * @param parted columns that are shown for single groups only
 */
export function largestGroups(
  { text, values }: BuiltStatement,
  { total, sums, parted = [] }: { total: readonly string[]; sums: readonly string[]; parted?: readonly string[] },
): BuiltStatement {
  const size = total.map((column) => `c.${column}`).join(' + ');
  const isApart = `g.place <= ${maxGroupsApart}`;
  const columns = [
    ...sums.map((column) => `sum(g.${column})::float8 AS ${column}`),
    ...parted.map((column) => `max(g.${column}) FILTER (WHERE ${isApart}) AS ${column}`),
  ];
  const ranked = `SELECT c.*, row_number() OVER (ORDER BY ${size} DESC, c.key COLLATE "C") AS place FROM (${text}) c WHERE ${size} > 0`;
  return {
    text: `SELECT 1 AS segment, CASE WHEN ${isApart} THEN g.key END AS key, count(*)::int AS groups, ${columns.join(', ')}
      FROM (${ranked}) g GROUP BY 2`,
    values,
  };
}

/** The records that were counted for one value. */
export interface RecordSelection {
  /** The span of time; absent for the queue and for waiting leads. */
  span?: Span | undefined;
  /** The states of messages. */
  states?: readonly MessageState[] | undefined;
  /** True for answered turns and leads, false for the others; absent for all. */
  answered?: boolean | undefined;
  /** The keys to list, or with `others` the keys to leave out. */
  keys?: { dimension: Dimension; keys: readonly string[]; others: boolean } | undefined;
}

/** A record, and the time that orders it in its list. The time never changes. */
export interface RecordPlace {
  id: string;
  at: Date;
}

/**
 * Lists places of messages (also for turns and the queue) or leads, newest first.
 * @param range its keys are those of `placeKeyOf`
 */
export function listRecords(scope: RecordScope, selection: RecordSelection, range: KeyRange): BuiltStatement {
  const parameters = new Parameters();
  const at = times[scope.from];
  const { sort, comparison } = travelOf(range, 'desc');
  const conditions = [
    ...conditionsOf(scope, parameters),
    ...selected(scope, selection, parameters),
    ...(range.from === undefined ? [] : [`(${at}, r.id) ${comparison} (${placeOf(range.from, parameters)})`]),
  ];
  const text = `SELECT r.id, ${at} AS at FROM ${fromClause(scope, selection.keys?.dimension, parameters)} WHERE ${conditions.join(' AND ')}
    ORDER BY ${at} ${sort}, r.id ${sort} LIMIT ${parameters.add(range.limit, 'int')}`;
  return { text, values: parameters.values };
}

/** Returns a key that does not need the record: the next page is found even if the record was deleted. */
export function placeKeyOf({ id, at }: RecordPlace): string {
  return `${at.getTime()} ${id}`;
}

export function isPlaceKey(text: string): boolean {
  const [, id = ''] = /^\d{1,13} (.+)$/.exec(text) ?? [];
  return isUuid(id);
}

function placeOf(key: string, parameters: Parameters): string {
  const [ms, id] = key.split(' ');
  return `${parameters.add(new Date(Number(ms)), 'timestamptz')}, ${parameters.add(id, 'uuid')}`;
}

function selected(
  scope: RecordScope,
  { span, states: wanted, answered, keys }: RecordSelection,
  parameters: Parameters,
): string[] {
  const at = times[scope.from];
  const conditions: string[] = [];
  if (span !== undefined)
    conditions.push(
      `${at} >= ${parameters.add(span.from, 'timestamptz')}`,
      `${at} < ${parameters.add(span.to, 'timestamptz')}`,
    );
  if (wanted !== undefined) conditions.push(`${states} = ANY(${parameters.add(wanted, 'text[]')})`);
  if (answered !== undefined) conditions.push(`(r.wait_ms IS NOT NULL) = ${parameters.add(answered, 'boolean')}`);
  if (keys !== undefined) {
    const key = keyOf(keys.dimension, at, parameters, scope.timeZone);
    const values = parameters.add(keys.keys, 'text[]');
    conditions.push(keys.others ? `${key} <> ALL(${values})` : `${key} = ANY(${values})`);
  }
  return conditions;
}
