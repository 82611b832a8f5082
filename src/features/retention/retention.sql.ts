// The statements that remove what is old and does not go with a partition, a chunk each. Rows that somebody else has locked are passed over: two may prune at
// once. The rows are named by an array, so that the planner never thinks of reading the whole table for them.

import type { NamedStatement } from '../../platform/database.js';

/** $1 days → that long ago, by the database's clock. */
export const selectTimeAgo: NamedStatement = {
  name: 'select-time-ago',
  text: 'SELECT now() - make_interval(days => $1::int) AS "before"',
};

export const selectTenantIds: NamedStatement = {
  name: 'select-tenant-ids',
  text: 'SELECT id AS "tenantId" FROM tenants ORDER BY id',
};

/**
 * $1 tenant, $2 lowest id that stays, $3 limit → how many went. What waits stays, however long its endpoint is disabled: the endpoint's
 * position is past it, and nothing would tell that it is missing.
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

/** In one partition: $1 tenant, $2 lowest id that stays, $3 limit → how many went. */
export function deleteOldDeliveries(partition: string): NamedStatement {
  return {
    name: `delete-old-${partition}`,
    text: `WITH gone AS (
      DELETE FROM partitions.${partition} WHERE tenant_id = $1 AND id = ANY (ARRAY(
        SELECT d.id FROM partitions.${partition} d WHERE d.tenant_id = $1 AND d.id < $2::uuid ORDER BY d.id LIMIT $3
        FOR UPDATE SKIP LOCKED
      )) RETURNING id
    ) SELECT count(*)::int AS count FROM gone`,
  };
}

/**
 * $1 tenant, $2 hours, $3 limit → how many went. A message that still waits keeps its attempts. Nobody writes to an attempt
 * of another day, so that the place of its row holds for the length of the statement.
 */
export const deleteOldSendAttempts: NamedStatement = {
  name: 'delete-old-send-attempts',
  text: `WITH gone AS (
      DELETE FROM send_attempts WHERE ctid = ANY (ARRAY(
        SELECT a.ctid FROM send_attempts a
        WHERE a.tenant_id = $1 AND a.granted_at < now() - make_interval(hours => $2::int) AND a.granted_at > '-infinity'
          AND NOT EXISTS (
          SELECT FROM outbox_entries o WHERE o.tenant_id = a.tenant_id AND o.message_id = a.message_id)
        ORDER BY a.granted_at LIMIT $3 FOR UPDATE OF a SKIP LOCKED
      )) RETURNING message_id
    ) SELECT count(*)::int AS count FROM gone`,
};

/**
 * In one partition: $1 tenant, $2 the first time that stays, $3 limit → how many went. From the log's beginning on, so that what is
 * left has no gaps: times are those of transactions' beginnings, and not quite in the order of the log.
 * @param age of what is before the first partition `occurred_at`; of what has none `logged_on`, which partitions are dropped by
 */
export function deleteOldEvents(partition: string, age: 'occurred_at' | 'logged_on'): NamedStatement {
  return {
    name: `delete-old-${partition}`,
    text: `WITH oldest AS (
      SELECT e.seq, e.${age} AS age FROM partitions.${partition} e WHERE e.tenant_id = $1 ORDER BY e.seq LIMIT $3
    ), gone AS (
      DELETE FROM partitions.${partition} WHERE tenant_id = $1
        AND seq <= (SELECT max(o.seq) FROM oldest o WHERE o.age < $2::timestamptz${age === 'logged_on' ? '::date' : ''})
        AND seq >= (SELECT min(o.seq) FROM oldest o) RETURNING seq
    ) SELECT count(*)::int AS count FROM gone`,
  };
}

/** Whether a partition has rows. */
export function selectHasRows(partition: string): string {
  return `SELECT EXISTS (SELECT FROM partitions.${partition}) AS "hasRows"`;
}

/**
 * $1 hours, $2 limit, $3 most characters of a reason → how many went. What their calls in the journal were told stands behind
 * the reason they have; of a call that is gone nobody is told.
 */
export const expireParkedStatuses: NamedStatement = {
  name: 'expire-parked-statuses',
  text: `WITH gone AS (
      DELETE FROM parked_statuses WHERE ctid = ANY (ARRAY(
        SELECT p.ctid FROM parked_statuses p WHERE p.created_at < now() - make_interval(hours => $1::int)
        ORDER BY p.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING tenant_id, id, delivery_id, external_id, status
    ), told AS (
      SELECT tenant_id, delivery_id,
        string_agg('status ' || status || ' of ' || external_id || ': no message of that id within ' || $1::int || ' h', '; '
          ORDER BY id) AS reason
      FROM gone GROUP BY tenant_id, delivery_id
    ), delivery AS (
      SELECT w.tenant_id, w.id, t.reason
      FROM told t JOIN webhook_deliveries w ON w.tenant_id = t.tenant_id AND w.id = t.delivery_id
      ORDER BY w.tenant_id, w.id FOR NO KEY UPDATE OF w
    ), noted AS (
      UPDATE webhook_deliveries w SET reason = left(concat_ws('; ', w.reason, d.reason), $3) FROM delivery d
      WHERE w.tenant_id = d.tenant_id AND w.id = d.id
    )
    SELECT count(*)::int AS count FROM gone`,
};
