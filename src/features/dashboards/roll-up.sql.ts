// The statements that compute the data of dashboards: counts of messages for each quarter of an hour, and reply times. Triggers note
// changes in the transaction that makes them.

import type { NamedStatement } from '../../platform/database/database.js';

/** $1 tenant. The lock lasts until the transaction ends: one computation at a time for each tenant. */
export const lockRollUp: NamedStatement = {
  name: 'lock-roll-up',
  text: `SELECT pg_advisory_xact_lock(hashtext('leadwire dashboards'), hashtext($1::text))`,
};

/** $1 tenant → true if there are changes. */
export const hasChanges: NamedStatement = {
  name: 'has-dashboard-changes',
  text: 'SELECT EXISTS (SELECT FROM dashboard_changes WHERE tenant_id = $1) AS behind',
};

/** Selects tenants with changes, by one index step for each. */
export const selectChangedTenants: NamedStatement = {
  name: 'select-changed-tenants',
  text: `WITH RECURSIVE changed AS (
      (SELECT tenant_id FROM dashboard_changes ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.tenant_id FROM dashboard_changes d WHERE d.tenant_id > c.tenant_id ORDER BY d.tenant_id LIMIT 1)
      FROM changed c WHERE c.tenant_id IS NOT NULL
    )
    SELECT tenant_id AS "tenantId" FROM changed WHERE tenant_id IS NOT NULL`,
};

/** $1 tenant, $2 limit → the oldest changes, with the quarters and leads to compute. */
export const selectChanges: NamedStatement = {
  name: 'select-dashboard-changes',
  text: `WITH change AS MATERIALIZED (
      SELECT id, quarters, lead_ids FROM dashboard_changes WHERE tenant_id = $1 ORDER BY id LIMIT $2
    )
    SELECT ARRAY(SELECT id FROM change) AS ids,
      ARRAY(SELECT DISTINCT q FROM change, unnest(quarters) AS q ORDER BY q) AS quarters,
      ARRAY(SELECT DISTINCT l FROM change, unnest(lead_ids) AS l ORDER BY l) AS "leadIds"`,
};

/** $1 tenant, $2 ids of changes that are computed. Lower ids are not deleted along, because others may have been noted under them. */
export const deleteChanges: NamedStatement = {
  name: 'delete-dashboard-changes',
  text: 'DELETE FROM dashboard_changes WHERE tenant_id = $1 AND id = ANY($2::bigint[])',
};

/** Raises the memory until the transaction ends. Grouping a month's messages takes more than the default. */
export const raiseMemory: NamedStatement = { name: 'raise-work-mem', text: "SET LOCAL work_mem = '64MB'" };

/** $1 tenant, $2 quarters: deletes their counts. */
export const deleteCounts: NamedStatement = {
  name: 'delete-message-counts',
  text: `DELETE FROM message_counts WHERE tenant_id = $1 AND quarter = ANY($2::timestamptz[])
    AND dimension IN ('TOTAL', 'INSTANCE', 'SOURCE', 'ASSIGNEE', 'AUTHOR', 'TEMPLATE')`,
};

const countOf = (condition: string) => `coalesce(sum(m.count) FILTER (WHERE ${condition}), 0)`;

/**
 * $1 tenant, $2 quarters, whose counts were deleted. It reads quarter by quarter and lead by lead, and OFFSET 0 keeps it so: a plan for an
 * unknown number of quarters would read all of a tenant's messages for one. A lead's equal messages are counted before it is looked up.
 */
export const insertCounts: NamedStatement = {
  name: 'insert-message-counts',
  text: `INSERT INTO message_counts
      (tenant_id, quarter, dimension, key, received, queued, sending, sent, delivered, read, failed, canceled)
    SELECT $1::uuid, q.quarter,
      CASE WHEN grouping(m.instance_id) = 0 THEN 'INSTANCE' WHEN grouping(l.source) = 0 THEN 'SOURCE'
        WHEN grouping(l.assignee_id) = 0 THEN 'ASSIGNEE' WHEN grouping(m.author_id) = 0 THEN 'AUTHOR'
        WHEN grouping(m.template_id) = 0 THEN 'TEMPLATE' ELSE 'TOTAL' END,
      coalesce(m.instance_id::text, l.source, l.assignee_id::text, m.author_id::text, m.template_id::text, ''),
      ${countOf("m.direction = 'INBOUND'")}, ${countOf("m.status = 'QUEUED'")}, ${countOf("m.status = 'SENDING'")},
      ${countOf("m.status = 'SENT'")}, ${countOf("m.status = 'DELIVERED'")}, ${countOf("m.status = 'READ'")},
      ${countOf("m.status = 'FAILED'")}, ${countOf("m.status = 'CANCELED'")}
    FROM unnest($2::timestamptz[]) AS q (quarter)
    CROSS JOIN LATERAL (
      SELECT lead_id, direction, status, instance_id, author_id, template_id, count(*) AS count FROM messages
      WHERE tenant_id = $1 AND created_at >= q.quarter AND created_at < q.quarter + interval '15 minutes' AND NOT is_notice
      GROUP BY lead_id, direction, status, instance_id, author_id, template_id OFFSET 0
    ) m
    CROSS JOIN LATERAL (SELECT source, assignee_id FROM leads WHERE tenant_id = $1 AND id = m.lead_id OFFSET 0) l
    GROUP BY GROUPING SETS ((q.quarter), (q.quarter, m.instance_id), (q.quarter, l.source), (q.quarter, l.assignee_id),
      (q.quarter, m.author_id), (q.quarter, m.template_id))`,
};

/** A condition: a message was not taken back and has not failed, and, where it was scheduled, it was sent. */
const isSaid = `(status IS NULL OR status NOT IN ('CANCELED', 'FAILED') AND (scheduled_for IS NULL OR status NOT IN ('QUEUED', 'SENDING')))`;

/** The time that counts for a reply: that of its sending where it was scheduled. */
const leftAt = `CASE WHEN scheduled_for IS NULL THEN created_at ELSE coalesce(sent_at, delivered_at, read_at, created_at) END`;

/**
 * $1 tenant, $2 leads. A turn opens with an inbound message that follows an outbound one, or is the first. The next outbound message is the
 * reply. Bulk sends, automatic, canceled and failed messages do not count, nor scheduled ones before they were sent. Unchanged rows are not
 * written. Leads and messages are looked up one by one: before the tables are analyzed, another plan would compare each lead with each
 * message.
 */
export const computeReplyTimes: NamedStatement = {
  name: 'compute-reply-times',
  text: `WITH message AS MATERIALIZED (
      SELECT m.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT id, lead_id, instance_id, direction, created_at, author_id, ${leftAt} AS left_at,
          bulk_send_id IS NOT NULL OR is_automatic AS is_unasked FROM messages
        WHERE tenant_id = $1 AND lead_id = w.lead_id AND NOT is_notice AND ${isSaid}
        OFFSET 0
      ) m
    ), lead AS MATERIALIZED (
      SELECT l.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT id, created_at FROM leads WHERE tenant_id = $1 AND id = w.lead_id AND merged_into_id IS NULL OFFSET 0
      ) l
    ), spoken AS (
      SELECT m.*, lag(m.direction) OVER w AS before FROM message m WHERE m.direction = 'INBOUND' OR NOT m.is_unasked
      WINDOW w AS (PARTITION BY m.lead_id ORDER BY m.created_at, m.id)
    ), turn AS (
      SELECT id, lead_id, instance_id, direction, created_at, lead(id) OVER w AS reply_id,
        lead(left_at) OVER w AS replied_at, lead(author_id) OVER w AS author_id
      FROM spoken WHERE before IS DISTINCT FROM direction WINDOW w AS (PARTITION BY lead_id ORDER BY created_at, id)
    ), computed AS MATERIALIZED (
      SELECT 'TURN' AS kind, id, lead_id, instance_id, created_at AS opened_at, reply_id, replied_at, author_id
      FROM turn WHERE direction = 'INBOUND'
      UNION ALL
      SELECT 'LEAD', l.id, l.id, NULL, l.created_at, c.id, c.left_at, c.author_id
      FROM lead l LEFT JOIN LATERAL (
        SELECT id, created_at, author_id, left_at FROM (
          SELECT id, created_at, author_id, ${leftAt} AS left_at FROM messages
          WHERE tenant_id = $1 AND lead_id = l.id AND direction = 'OUTBOUND' AND ${isSaid}
          OFFSET 0
        ) m
        WHERE created_at >= l.created_at ORDER BY created_at, id LIMIT 1
      ) c ON true
    ), known AS MATERIALIZED (
      SELECT k.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT kind, id, ctid AS place FROM reply_times WHERE tenant_id = $1 AND lead_id = w.lead_id OFFSET 0
      ) k
    ), removed AS (
      DELETE FROM reply_times r WHERE r.tenant_id = $1 AND r.ctid = ANY(ARRAY(
        SELECT k.place FROM known k WHERE NOT EXISTS (SELECT FROM computed c WHERE c.kind = k.kind AND c.id = k.id)))
    )
    INSERT INTO reply_times AS r (tenant_id, kind, id, lead_id, instance_id, opened_at, reply_id, wait_ms, author_id)
    SELECT $1::uuid, kind, id, lead_id, instance_id, opened_at, reply_id,
      (extract(epoch FROM replied_at - opened_at) * 1000)::bigint, author_id FROM computed
    ON CONFLICT (tenant_id, kind, id) DO UPDATE SET lead_id = excluded.lead_id, instance_id = excluded.instance_id,
      opened_at = excluded.opened_at, reply_id = excluded.reply_id, wait_ms = excluded.wait_ms, author_id = excluded.author_id
    WHERE (r.lead_id, r.instance_id, r.opened_at, r.reply_id, r.wait_ms, r.author_id) IS DISTINCT FROM
      (excluded.lead_id, excluded.instance_id, excluded.opened_at, excluded.reply_id, excluded.wait_ms, excluded.author_id)`,
};
