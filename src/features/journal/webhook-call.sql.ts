// The statements that read the journal. A separate statement reads bodies, because a page of them may be large.

import type { NamedStatement } from '../../platform/database/database.js';
import { maxRefusedBodyBytes } from '../intake/journal-writer.js';
import type { KeyBound } from '../../platform/database/page.js';
import { firstIdAt } from '../../platform/database/record-id.js';
import type { WebhookCallFilter, WebhookCallOutcome } from './webhook-call.schema.js';
import type { DryRunItemKind } from '../intake/call-dry-run-items.js';
import type { CallSource, DialectName } from '../intake/webhook-call.js';

/** A call in the journal, without its body. */
export interface WebhookCallRecord {
  id: string;
  route: string;
  dialect: DialectName | null;
  headers: Record<string, unknown>;
  /** The size of the body when the call arrived. */
  bodyBytes: number;
  /** True if the body can run again: nothing was cut off, and an erasure did not empty it. */
  isBodyComplete: boolean;
  outcome: WebhookCallOutcome;
  reason: string | null;
  result: unknown;
  replayOfId: string | null;
  receivedAt: Date;
  source: CallSource;
  /** The time when the body lost the data of an erased person. */
  erasedAt: Date | null;
  /** Empty where nothing of it could be read, and in calls of versions before. So is `reported`. */
  kinds: DryRunItemKind[];
  reported: string[];
  instanceId: string | null;
  tookMs: number | null;
}

export interface WebhookCallBody {
  id: string;
  body: Buffer;
}

// A stored body may be shorter than the one that arrived although nothing was cut off, because keys are taken out.
const columns = `d.id, d.route, d.dialect, d.headers, d.body_bytes AS "bodyBytes",
  (d.outcome <> 'refused' OR d.body_bytes <= ${maxRefusedBodyBytes}) AND (d.erased_at IS NULL OR octet_length(d.body) > 0) AS "isBodyComplete", d.outcome, d.reason, d.result, d.replay_of_id AS "replayOfId",
  d.received_at AS "receivedAt", d.source, d.erased_at AS "erasedAt",
  coalesce(d.kinds, '{}') AS kinds, coalesce(d.reported, '{}') AS reported, d.instance_id AS "instanceId", d.took_ms AS "tookMs"`;

/** $1 tenant, $2 ids → the calls. */
export const selectCallsByIds: NamedStatement = {
  name: 'select-webhook-deliveries-by-ids',
  text: `SELECT ${columns} FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 ids → the sum of their bodies' bytes. */
export const sumCallBodies: NamedStatement = {
  name: 'sum-webhook-delivery-bodies',
  text: `SELECT coalesce(sum(octet_length(body)), 0)::int AS bytes FROM webhook_deliveries
    WHERE tenant_id = $1 AND id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 ids → their bodies. */
export const selectCallBodies: NamedStatement = {
  name: 'select-webhook-delivery-bodies',
  text: 'SELECT id, body FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
};

/** $1 tenant, $2 ids, $3 limit → the replays of these calls, the newest first, at most $3 for each call. */
export const selectReplays: NamedStatement = {
  name: 'select-webhook-replays',
  text: `SELECT r.* FROM unnest($2::uuid[]) AS o (id) CROSS JOIN LATERAL (
      SELECT ${columns} FROM webhook_deliveries d
      WHERE d.tenant_id = $1 AND d.replay_of_id = o.id ORDER BY d.id DESC LIMIT $3
    ) r ORDER BY r.id DESC`,
};

/** A tenant's calls beyond a cursor, in the order of their ids. */
export interface WebhookCallRange {
  tenantId: string;
  filter: WebhookCallFilter;
  bound: KeyBound;
  sort: 'asc' | 'desc';
  limit: number;
}

// The margin between a call's id and its time: the id is made a moment earlier, and a clock may be set back in between.
const clockMarginMs = 60_000;

/** A search for words, and a count, look through so many calls of a filter, the newest first. */
export const maxSearchedCalls = 10_000;
/** A search reads the beginning of a body. The rest is mostly a file. */
const maxSearchedBytes = 16_384;

type Use = (value: unknown) => string;

/** Selects a page of the journal. */
export function selectCalls(range: WebhookCallRange): { text: string; values: unknown[] } {
  const { filter, sort, limit } = range;
  const values: unknown[] = [];
  const use: Use = (value) => `$${values.push(value)}`;
  const where = conditionsOf(range, use).join(' AND ');
  const search = filter.search?.trim();
  const found = search ? ` WHERE ${contains(search, use)}` : '';
  const source = search
    ? `(SELECT * FROM webhook_deliveries d WHERE ${where} ORDER BY d.id ${sort} LIMIT ${maxSearchedCalls}) d${found}`
    : `webhook_deliveries d WHERE ${where}`;
  return { text: `SELECT ${columns} FROM ${source} ORDER BY d.id ${sort} LIMIT ${use(limit)}`, values };
}

export interface WebhookCallCounts {
  /** False if there may be more calls than were looked through. */
  isComplete: boolean;
  total: number;
  partial: number;
  refused: number;
  notSent: number;
  kinds: { kind: DryRunItemKind; count: number }[];
}

/** Counts calls by outcome and kind. A call counts once for each kind of its items. → one `WebhookCallCounts` */
export function countCalls(tenantId: string, filter: WebhookCallFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const use: Use = (value) => `$${values.push(value)}`;
  const where = conditionsOf({ tenantId, filter, bound: {} }, use).join(' AND ');
  const search = filter.search?.trim();
  const text = `WITH looked AS MATERIALIZED (
      SELECT d.outcome, d.kinds, d.reported, ${search ? contains(search, use) : 'true'} AS is_found
      FROM (SELECT * FROM webhook_deliveries d WHERE ${where} ORDER BY d.id DESC LIMIT ${maxSearchedCalls}) d
    ), found AS (
      SELECT * FROM looked WHERE is_found
    )
    SELECT (SELECT count(*) FROM looked) < ${maxSearchedCalls} AS "isComplete", count(*)::int AS total, count(*) FILTER (WHERE outcome = 'partial')::int AS partial,
      count(*) FILTER (WHERE outcome = 'refused')::int AS refused, count(*) FILTER (WHERE 'FAILED' = ANY(reported))::int AS "notSent",
      coalesce((SELECT jsonb_agg(k ORDER BY k.count DESC, k.kind) FROM (
        SELECT kind, count(*)::int AS count FROM found, unnest(kinds) AS kind GROUP BY kind) k), '[]') AS kinds
    FROM found`;
  return { text, values };
}

// Bounds on ids let a statement use the primary key; the exact bounds are on `received_at`.
function conditionsOf({ tenantId, filter, bound }: Pick<WebhookCallRange, 'tenantId' | 'filter' | 'bound'>, use: Use) {
  const when = <Value>(value: Value | null | undefined, condition: (value: Value) => string) =>
    value == null ? [] : [condition(value)];
  return [
    `d.tenant_id = ${use(tenantId)}`,
    ...outcomeConditions(filter, use),
    ...when(filter.route, (route) => `d.route = ${use(route)}`),
    ...when(filter.dialect, (dialect) => `d.dialect = ${use(dialect)}`),
    ...when(filter.kind, (kind) => `${use(kind)} = ANY(d.kinds)`),
    ...when(filter.reported, (reported) => `${use(reported)} = ANY(d.reported)`),
    ...when(filter.instanceId, (id) => `d.instance_id = ${use(id)}`),
    ...when(filter.source, (source) => `d.source = ${use(source)}`),
    ...when(filter.replayOfId, (id) => `d.replay_of_id = ${use(id)}`),
    ...when(filter.since, (at) => `d.id >= ${use(firstIdAt(at, -clockMarginMs))} AND d.received_at >= ${use(at)}`),
    ...when(filter.until, (at) => `d.id < ${use(firstIdAt(at, clockMarginMs))} AND d.received_at < ${use(at)}`),
    ...when(bound.gt, (id) => `d.id > ${use(id)}`),
    ...when(bound.gte, (id) => `d.id >= ${use(id)}`),
    ...when(bound.lt, (id) => `d.id < ${use(id)}`),
    ...when(bound.lte, (id) => `d.id <= ${use(id)}`),
  ];
}

// A body may hold any bytes, so bytes are compared: the words as written, in small letters, in capitals, and with capital initials.
function contains(search: string, use: Use): string {
  const words = `${use(search)}::text`;
  return `(d.id::text = lower(${words}) OR position(lower(${words}) IN lower(d.result::text)) > 0 OR EXISTS (
      SELECT FROM unnest(ARRAY[${words}, lower(${words}), upper(${words}), initcap(${words})]) AS w (form)
      WHERE position(convert_to(w.form, 'UTF8') IN substr(d.body, 1, ${maxSearchedBytes})) > 0))`;
}

// The text has `processed` as a literal, so that PostgreSQL can use the index of all other outcomes.
function outcomeConditions({ outcomes, troubled }: WebhookCallFilter, use: Use): string[] {
  const given = outcomes == null ? [] : [`d.outcome = ANY(${use(outcomes)}::text[])`];
  if (troubled === false) return [...given, `d.outcome = 'processed'`];
  const withoutProcessed = outcomes != null && !outcomes.includes('processed');
  return troubled === true || withoutProcessed ? [...given, `d.outcome <> 'processed'`] : given;
}
