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

/** The reply times of leads that changed within this time are computed from there on. */
const recentMinutes = 60;
/** The most messages of the tenant since then: more are not read for the leads that changed. */
const mostRecentMessages = 5_000;

/**
 * $1 tenant, $2 limit → the oldest changes, with the quarters and the leads to compute. The `recentLeadIds` did not change before
 * `recentSince`, so that what was computed of earlier messages holds.
 */
export const selectChanges: NamedStatement = {
  name: 'select-dashboard-changes',
  text: `WITH change AS MATERIALIZED (
      SELECT id, quarters, lead_ids, (SELECT min(q) FROM unnest(quarters) AS q) AS since
      FROM dashboard_changes WHERE tenant_id = $1 ORDER BY id LIMIT $2
    ), lead AS MATERIALIZED (
      SELECT l AS id, CASE WHEN bool_and(since IS NOT NULL) THEN min(since) END AS since FROM change, unnest(lead_ids) AS l GROUP BY l
    ), recent AS MATERIALIZED (
      SELECT r.since, (SELECT count(*) FROM (
          SELECT FROM messages WHERE tenant_id = $1 AND created_at >= r.since LIMIT ${mostRecentMessages} + 1
        ) m) <= ${mostRecentMessages} AS is_short
      FROM (SELECT min(since) AS since FROM lead WHERE since > now() - interval '${recentMinutes} minutes') r
    ), sorted AS MATERIALIZED (
      SELECT l.id, coalesce(l.since >= r.since AND r.is_short, false) AS is_recent FROM lead l, recent r
    )
    SELECT ARRAY(SELECT id FROM change) AS ids,
      ARRAY(SELECT DISTINCT q FROM change, unnest(quarters) AS q ORDER BY q) AS quarters,
      ARRAY(SELECT id FROM sorted WHERE NOT is_recent ORDER BY id) AS "leadIds",
      ARRAY(SELECT id FROM sorted WHERE is_recent ORDER BY id) AS "recentLeadIds", (SELECT since FROM recent) AS "recentSince"`,
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

/** A message as reply times need it. */
const said = `SELECT id, lead_id, instance_id, direction, created_at, author_id, ${leftAt} AS left_at,
          bulk_send_id IS NOT NULL OR is_automatic AS is_unasked FROM messages
        WHERE tenant_id = $1 AND NOT is_notice AND ${isSaid}`;

/** A condition: the reply of a computed row `k` was there before $3. */
const isRepliedBefore = `EXISTS (SELECT FROM messages m WHERE m.tenant_id = $1 AND m.id = k.reply_id AND m.created_at < $3::timestamptz)`;

/**
 * $1 tenant, $2 leads, $3 time from which on their reply times are computed. A turn opens with an inbound message that follows an outbound
 * one, or is the first. The next outbound message is the reply. Bulk sends, automatic, canceled and failed messages do not count, nor
 * scheduled ones before they were sent. Unchanged rows are not written.
 * @param messages those of the leads since then, in SQL
 */
const replyTimes = (messages: string) => `WITH message AS MATERIALIZED (
      ${messages}
    ), lead AS MATERIALIZED (
      SELECT l.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT id, created_at FROM leads WHERE tenant_id = $1 AND id = w.lead_id AND merged_into_id IS NULL OFFSET 0
      ) l
    ), known AS MATERIALIZED (
      SELECT k.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT kind, id, reply_id, ctid AS place FROM reply_times
        WHERE tenant_id = $1 AND lead_id = w.lead_id AND kind = 'TURN' AND opened_at >= $3::timestamptz
        UNION ALL
        SELECT kind, id, reply_id, ctid FROM reply_times WHERE tenant_id = $1 AND kind = 'LEAD' AND id = w.lead_id
        OFFSET 0
      ) k
    ), open AS MATERIALIZED (
      SELECT k.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT id, lead_id, instance_id, opened_at, reply_id FROM reply_times
        WHERE tenant_id = $1 AND lead_id = w.lead_id AND kind = 'TURN' AND opened_at < $3::timestamptz
        ORDER BY opened_at DESC, id DESC LIMIT 1
      ) k WHERE NOT ${isRepliedBefore}
    ), spoken AS (
      SELECT m.*, lag(m.direction) OVER w AS before FROM (
        SELECT id, lead_id, instance_id, direction, created_at, author_id, left_at FROM message WHERE direction = 'INBOUND' OR NOT is_unasked
        UNION ALL
        SELECT id, lead_id, instance_id, 'INBOUND', opened_at, NULL, opened_at FROM open
      ) m
      WINDOW w AS (PARTITION BY m.lead_id ORDER BY m.created_at, m.id)
    ), turn AS (
      SELECT id, lead_id, instance_id, direction, created_at, lead(id) OVER w AS reply_id,
        lead(left_at) OVER w AS replied_at, lead(author_id) OVER w AS author_id
      FROM spoken WHERE before IS DISTINCT FROM direction WINDOW w AS (PARTITION BY lead_id ORDER BY created_at, id)
    ), answer AS (
      SELECT DISTINCT ON (m.lead_id) m.lead_id, m.id, m.left_at, m.author_id FROM message m JOIN lead l ON l.id = m.lead_id
      WHERE m.direction = 'OUTBOUND' AND m.created_at >= l.created_at ORDER BY m.lead_id, m.created_at, m.id
    ), answered AS MATERIALIZED (
      SELECT k.id FROM known k WHERE k.kind = 'LEAD' AND ${isRepliedBefore}
    ), computed AS MATERIALIZED (
      SELECT 'TURN' AS kind, id, lead_id, instance_id, created_at AS opened_at, reply_id, replied_at, author_id
      FROM turn WHERE direction = 'INBOUND'
      UNION ALL
      SELECT 'LEAD', l.id, l.id, NULL, l.created_at, a.id, a.left_at, a.author_id
      FROM lead l LEFT JOIN answer a ON a.lead_id = l.id WHERE l.id <> ALL (ARRAY(SELECT id FROM answered))
    ), removed AS (
      DELETE FROM reply_times r WHERE r.tenant_id = $1 AND r.ctid = ANY(ARRAY(
        SELECT k.place FROM known k WHERE NOT EXISTS (SELECT FROM computed c WHERE c.kind = k.kind AND c.id = k.id)
          AND NOT (k.kind = 'LEAD' AND k.id = ANY (ARRAY(SELECT id FROM answered)) AND EXISTS (SELECT FROM lead l WHERE l.id = k.id))))
    )
    INSERT INTO reply_times AS r (tenant_id, kind, id, lead_id, instance_id, opened_at, reply_id, wait_ms, author_id)
    SELECT $1::uuid, kind, id, lead_id, instance_id, opened_at, reply_id,
      (extract(epoch FROM replied_at - opened_at) * 1000)::bigint, author_id FROM computed
    ON CONFLICT (tenant_id, kind, id) DO UPDATE SET lead_id = excluded.lead_id, instance_id = excluded.instance_id,
      opened_at = excluded.opened_at, reply_id = excluded.reply_id, wait_ms = excluded.wait_ms, author_id = excluded.author_id
    WHERE (r.lead_id, r.instance_id, r.opened_at, r.reply_id, r.wait_ms, r.author_id) IS DISTINCT FROM
      (excluded.lead_id, excluded.instance_id, excluded.opened_at, excluded.reply_id, excluded.wait_ms, excluded.author_id)`;

/**
 * $1 tenant, $2 leads, $3 `wholeConversation`: their reply times. Leads and messages are looked up one by one: before the tables are
 * analyzed, another plan would compare each lead with each message.
 */
export const computeReplyTimes: NamedStatement = {
  name: 'compute-reply-times',
  text: replyTimes(
    `SELECT m.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (${said} AND lead_id = w.lead_id OFFSET 0) m`,
  ),
};

/** The time before all messages. */
export const wholeConversation = '-infinity';

/**
 * $1 tenant, $2 leads, $3 time: their reply times from then on. They do not depend on the length of conversations: the turn that was open
 * is taken from what was computed before. Only the tenant's messages since then are read.
 */
export const computeRecentReplyTimes: NamedStatement = {
  name: 'compute-recent-reply-times',
  text: replyTimes(
    `SELECT m.* FROM (${said} AND created_at >= $3::timestamptz OFFSET 0) m WHERE m.lead_id = ANY($2::uuid[])`,
  ),
};
