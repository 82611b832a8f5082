// Deliveries as an ADMIN reads them, and the statements that replay them.

import type { NamedStatement } from '../../platform/database/database.js';
import type { KeyBound } from '../../platform/database/page.js';
import { SqlValues, whenGiven } from '../../platform/database/sql-text.js';
import type { DeliveryKind } from './endpoint-event.js';
import type { DeliveryState, EndpointDeliveryConditions } from './webhook-endpoint.schema.js';

export interface EndpointDeliveryRecord {
  id: string;
  endpointId: string;
  type: DeliveryKind;
  state: DeliveryState;
  leadId: string | null;
  messageId: string | null;
  instanceId: string | null;
  occurredAt: Date;
  attemptCount: number;
  lastAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
}

const columns = `d.id, d.endpoint_id AS "endpointId", d.type, d.state, d.lead_id AS "leadId", d.message_id AS "messageId",
  d.instance_id AS "instanceId", d.occurred_at AS "occurredAt", d.attempt_count AS "attemptCount",
  d.last_attempt_at AS "lastAttemptAt", d.last_status AS "lastStatus", d.last_error AS "lastError",
  d.due_at AS "nextAttemptAt", d.delivered_at AS "deliveredAt", d.created_at AS "createdAt"`;

/** A range of a tenant's deliveries beyond a cursor, in the order of their ids. */
export interface DeliveryRange {
  tenantId: string;
  filter: EndpointDeliveryConditions;
  bound: KeyBound;
  sort: 'asc' | 'desc';
  limit: number;
}

/** A page of the list. States are written out where a partial index can be used. */
export function selectDeliveries(range: DeliveryRange): { text: string; values: unknown[] } {
  const { tenantId, filter, bound, sort, limit } = range;
  const values = new SqlValues();
  const { use } = values;
  const conditions = [
    `d.tenant_id = ${use(tenantId)}`,
    ...whenGiven(filter.endpointId, (id) => `d.endpoint_id = ${use(id)}`),
    ...whenGiven(filter.states, (states) => `d.state IN (${states.map((state) => `'${state}'`).join(', ')})`),
    ...whenGiven(filter.types, (types) => `d.type = ANY(${use(types)}::text[])`),
    ...whenGiven(bound.gt, (id) => `d.id > ${use(id)}`),
    ...whenGiven(bound.gte, (id) => `d.id >= ${use(id)}`),
    ...whenGiven(bound.lt, (id) => `d.id < ${use(id)}`),
    ...whenGiven(bound.lte, (id) => `d.id <= ${use(id)}`),
  ];
  const where = conditions.join(' AND ');
  const text = `SELECT ${columns} FROM endpoint_deliveries d WHERE ${where} ORDER BY d.id ${sort} LIMIT ${use(limit)}`;
  return { text, values: values.list };
}

/** $1 tenant, $2 id. */
export const selectDelivery: NamedStatement = {
  name: 'select-endpoint-delivery',
  text: `SELECT ${columns} FROM endpoint_deliveries d WHERE d.tenant_id = $1 AND d.id = $2`,
};

/** $1 tenant, $2 id, $3 endpoint, $4 most of them that wait → the test delivery; nothing where there are so many. */
export const insertPing: NamedStatement = {
  name: 'insert-endpoint-ping',
  text: `INSERT INTO endpoint_deliveries AS d (tenant_id, id, endpoint_id, type, occurred_at)
    SELECT $1, $2, $3, 'PING', now() WHERE $4::int > (
      SELECT count(*) FROM endpoint_deliveries p
      WHERE p.tenant_id = $1 AND p.endpoint_id = $3 AND p.due_at IS NOT NULL AND p.type = 'PING')
    RETURNING ${columns}`,
};

const again = `state = 'PENDING', due_at = now(), lease_until = NULL, earlier_attempts = attempt_count, delivered_at = NULL`;

/** $1 tenant, $2 id → the delivery, due now with all its attempts before it. One that is being attempted stays as it is. */
export const replayDelivery: NamedStatement = {
  name: 'replay-endpoint-delivery',
  text: `UPDATE endpoint_deliveries d SET ${again}
    WHERE d.tenant_id = $1 AND d.id = $2 AND (d.lease_until IS NULL OR d.lease_until <= now()) RETURNING ${columns}`,
};

/** $1 tenant, $2 endpoint, $3 since when, $4 limit → how many, the oldest first, are due again. */
export const replayFailedDeliveries: NamedStatement = {
  name: 'replay-failed-endpoint-deliveries',
  text: `WITH failed AS (
      SELECT id FROM endpoint_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND state = 'FAILED' AND created_at >= $3::timestamptz
      ORDER BY id LIMIT $4 FOR UPDATE
    ), replayed AS (
      UPDATE endpoint_deliveries d SET ${again} FROM failed f WHERE d.tenant_id = $1 AND d.id = f.id RETURNING d.id
    ) SELECT count(*)::int AS count FROM replayed`,
};

// The rows to delete are named by an array, so that the planner never reads the whole table for them.

/**
 * $1 tenant, $2 lowest id that stays, $3 limit → how many were deleted. A delivery that waits stays, however long its endpoint is disabled:
 * the endpoint's position is past it, and nothing would tell that it is missing.
 */
export const deleteOldEndpointDeliveries: NamedStatement = {
  name: 'delete-old-endpoint-deliveries',
  text: `WITH gone AS (
      DELETE FROM endpoint_deliveries WHERE tenant_id = $1 AND id = ANY (ARRAY(
        SELECT d.id FROM endpoint_deliveries d
        WHERE d.tenant_id = $1 AND d.id < $2::uuid AND d.due_at IS NULL
        ORDER BY d.id LIMIT $3 FOR UPDATE SKIP LOCKED
      )) RETURNING id
    ) SELECT count(*)::int AS count FROM gone`,
};

/** Webhook endpoints that were deleted and have no deliveries any more. */
export const deleteOldEndpoints: NamedStatement = {
  name: 'delete-old-webhook-endpoints',
  text: `DELETE FROM webhook_endpoints e WHERE e.deleted_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM endpoint_deliveries d WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id)`,
};

/**
 * $1 most → for how long the oldest due delivery has been due, of so many webhook endpoints. Failing endpoints are left out: they get one
 * post at a time, and their tenants have to repair them.
 */
export const measureEndpoints = `SELECT coalesce(max(extract(epoch FROM now() - d.due_at)), 0)::float AS "oldestSeconds" FROM (
    SELECT e.tenant_id, e.id FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id WHERE e.is_enabled AND e.failing_since IS NULL AND t.is_active
    LIMIT $1::int
  ) e CROSS JOIN LATERAL (
    SELECT d.due_at FROM endpoint_deliveries d WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.due_at <= now()
    ORDER BY d.due_at LIMIT 1
  ) d`;
