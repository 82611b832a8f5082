// The statements that compute the data of dashboards: counts of messages for each quarter of an hour, and reply times. Triggers note
// changes in the transaction that makes them.

import type { NamedStatement } from '../../platform/database/database.js';
import { messageStates, type MessageState } from './metric.js';

/** $1 tenant. The lock lasts until the transaction ends: one computation at a time for each tenant. */
export const lockRollUp: NamedStatement = {
  name: 'lock-roll-up',
  text: `SELECT pg_advisory_xact_lock(hashtext('leadwire dashboards'), hashtext($1::text))`,
};

/** $1 tenant → whether there are changes, and whether there are counts to move. */
export const hasChanges: NamedStatement = {
  name: 'has-dashboard-changes',
  text: `SELECT EXISTS (SELECT FROM dashboard_changes WHERE tenant_id = $1) AS "hasChanges",
      EXISTS (SELECT FROM counts_to_move WHERE tenant_id = $1) AS "hasMoves"`,
};

/** Selects the tenants of a table, by one index step for each. */
const tenantsOf = (table: string) => `(WITH RECURSIVE changed AS (
      (SELECT tenant_id FROM ${table} ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.tenant_id FROM ${table} d WHERE d.tenant_id > c.tenant_id ORDER BY d.tenant_id LIMIT 1)
      FROM changed c WHERE c.tenant_id IS NOT NULL
    )
    SELECT tenant_id AS "tenantId" FROM changed WHERE tenant_id IS NOT NULL)`;

/** Selects tenants with changes. */
export const selectChangedTenants: NamedStatement = {
  name: 'select-changed-tenants',
  text: `${tenantsOf('dashboard_changes')} UNION ${tenantsOf('counts_to_move')}`,
};

/** The reply times of leads that changed within this time are computed from there on. */
const recentMinutes = 60;
/** The most messages of the tenant since then: more are not read for the leads that changed. */
const mostRecentMessages = 5_000;

/**
 * A condition: a reply of the newest turns of lead `l` has failed or was taken back, and a scheduled message may take its place, which was
 * stored long before it was sent.
 */
const hasLostReply = `EXISTS (
        SELECT FROM (
          (SELECT reply_id, opened_at FROM reply_times WHERE tenant_id = $1 AND lead_id = l.id AND kind = 'TURN'
            ORDER BY opened_at DESC LIMIT 10)
          UNION ALL (SELECT reply_id, opened_at FROM reply_times WHERE tenant_id = $1 AND kind = 'LEAD' AND id = l.id)
        ) k JOIN messages m ON m.tenant_id = $1 AND m.id = k.reply_id AND m.status IN ('CANCELED', 'FAILED')
        WHERE EXISTS (SELECT FROM messages s
          WHERE s.tenant_id = $1 AND s.lead_id = l.id AND s.created_at >= k.opened_at AND s.scheduled_for IS NOT NULL))`;

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
      SELECT l.id, coalesce(l.since >= r.since AND r.is_short, false) AND NOT ${hasLostReply} AS is_recent FROM lead l, recent r
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

/**
 * Raises the memory until the transaction ends: grouping a month's messages takes more than the default. It also tells a trigger that
 * counts are not written by a version that cannot move them.
 */
export const prepareCounting: NamedStatement = {
  name: 'prepare-counting',
  text: "SELECT set_config('work_mem', '64MB', true), set_config('leadwire.counts_move', 'on', true)",
};

/** $1 tenant, $2 quarters: deletes their counts. */
export const deleteCounts: NamedStatement = {
  name: 'delete-message-counts',
  text: `DELETE FROM message_counts WHERE tenant_id = $1 AND quarter = ANY($2::timestamptz[])
    AND dimension IN ('TOTAL', 'INSTANCE', 'SOURCE', 'ASSIGNEE', 'AUTHOR', 'TEMPLATE')`,
};

const isInState: Record<MessageState, string> = {
  received: "m.direction = 'INBOUND'",
  queued: "m.status = 'QUEUED'",
  sending: "m.status = 'SENDING'",
  sent: "m.status = 'SENT'",
  delivered: "m.status = 'DELIVERED'",
  read: "m.status = 'READ'",
  failed: "m.status = 'FAILED'",
  canceled: "m.status = 'CANCELED'",
};
/** A value for each state of messages, in the order of the columns. */
const eachState = (valueOf: (state: MessageState) => string) => messageStates.map(valueOf).join(', ');
const columns = messageStates.join(', ');

/**
 * $1 tenant, $2 quarters, whose counts were deleted. It reads quarter by quarter and lead by lead, and OFFSET 0 keeps it so: a plan for an
 * unknown number of quarters would read all of a tenant's messages for one. A lead's equal messages are counted before it is looked up.
 * If the lead has counts to move, the messages count as those that have been counted.
 */
export const insertCounts: NamedStatement = {
  name: 'insert-message-counts',
  text: `INSERT INTO message_counts
      (tenant_id, quarter, dimension, key, ${columns})
    SELECT $1::uuid, q.quarter,
      CASE WHEN grouping(m.instance_id) = 0 THEN 'INSTANCE' WHEN grouping(l.source) = 0 THEN 'SOURCE'
        WHEN grouping(l.assignee_id) = 0 THEN 'ASSIGNEE' WHEN grouping(m.author_id) = 0 THEN 'AUTHOR'
        WHEN grouping(m.template_id) = 0 THEN 'TEMPLATE' ELSE 'TOTAL' END,
      coalesce(m.instance_id::text, l.source, l.assignee_id::text, m.author_id::text, m.template_id::text, ''),
      ${eachState((state) => `coalesce(sum(m.count) FILTER (WHERE ${isInState[state]}), 0)`)}
    FROM unnest($2::timestamptz[]) AS q (quarter)
    CROSS JOIN LATERAL (
      SELECT lead_id, direction, status, instance_id, author_id, template_id, count(*) AS count FROM messages
      WHERE tenant_id = $1 AND created_at >= q.quarter AND created_at < q.quarter + interval '15 minutes' AND NOT is_notice
      GROUP BY lead_id, direction, status, instance_id, author_id, template_id OFFSET 0
    ) m
    CROSS JOIN LATERAL (
      SELECT CASE WHEN c.id IS NULL THEN l.source ELSE c.source END AS source,
        CASE WHEN c.id IS NULL THEN l.assignee_id ELSE c.assignee_id END AS assignee_id
      FROM leads l LEFT JOIN LATERAL (
        SELECT id, source, assignee_id FROM counts_to_move WHERE tenant_id = $1 AND lead_id = m.lead_id ORDER BY id LIMIT 1
      ) c ON true
      WHERE l.tenant_id = $1 AND l.id = m.lead_id OFFSET 0
    ) l
    GROUP BY GROUPING SETS ((q.quarter), (q.quarter, m.instance_id), (q.quarter, l.source), (q.quarter, l.assignee_id),
      (q.quarter, m.author_id), (q.quarter, m.template_id))`,
};

/** Leads whose counts move in one transaction. */
export const leadsMovedAtOnce = 50;

/**
 * $1 tenant → the number of leads whose counts moved to their source and assignee of now; `leadsMovedAtOnce` if there may be more. It reads
 * the messages of these leads only. A quarter with noted changes is left out, because its counts are not those of its messages. It is noted
 * again, so that it is counted after this.
 */
export const moveCounts: NamedStatement = {
  name: 'move-message-counts',
  text: `WITH chosen AS MATERIALIZED (
      SELECT DISTINCT lead_id FROM counts_to_move WHERE tenant_id = $1 ORDER BY lead_id LIMIT ${leadsMovedAtOnce}
    ), noted AS (
      DELETE FROM counts_to_move WHERE tenant_id = $1 AND lead_id = ANY(ARRAY(SELECT lead_id FROM chosen))
      RETURNING lead_id, id, source, assignee_id
    ), moved AS MATERIALIZED (
      SELECT n.lead_id, n.source AS source_before, n.assignee_id AS assignee_before, l.source, l.assignee_id
      FROM (SELECT DISTINCT ON (lead_id) * FROM noted ORDER BY lead_id, id) n
      CROSS JOIN LATERAL (SELECT source, assignee_id FROM leads WHERE tenant_id = $1 AND id = n.lead_id OFFSET 0) l
    ), move AS MATERIALIZED (
      SELECT lead_id, dimension, key, sign FROM moved CROSS JOIN LATERAL (
        SELECT 'SOURCE' AS dimension, key, sign FROM (VALUES (source_before, -1), (source, 1)) AS v (key, sign) WHERE source_before <> source
        UNION ALL
        SELECT 'ASSIGNEE', coalesce(key::text, ''), sign FROM (VALUES (assignee_before, -1), (assignee_id, 1)) AS v (key, sign)
        WHERE assignee_before IS DISTINCT FROM assignee_id
      ) k
    ), pending AS MATERIALIZED (
      SELECT DISTINCT q AS quarter FROM dashboard_changes, unnest(quarters) AS q WHERE tenant_id = $1
    ), counted AS MATERIALIZED (
      SELECT c.*, c.quarter IN (SELECT quarter FROM pending) AS is_pending
      FROM (SELECT DISTINCT lead_id FROM move) w CROSS JOIN LATERAL (
        SELECT m.lead_id, quarter_of(m.created_at) AS quarter,
          ${eachState((state) => `(count(*) FILTER (WHERE ${isInState[state]}))::int AS ${state}`)}
        FROM messages m WHERE m.tenant_id = $1 AND m.lead_id = w.lead_id AND NOT m.is_notice GROUP BY 1, 2 OFFSET 0
      ) c
    ), noted_again AS (
      INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids)
      SELECT $1::uuid, array_agg(DISTINCT quarter), '{}' FROM counted WHERE is_pending HAVING count(*) > 0
    ), difference AS MATERIALIZED (
      SELECT c.quarter, m.dimension, m.key, ${eachState((state) => `sum(m.sign * c.${state}) AS ${state}`)}
      FROM counted c JOIN move m ON m.lead_id = c.lead_id WHERE NOT c.is_pending GROUP BY 1, 2, 3
    ), result AS MATERIALIZED (
      SELECT d.quarter, d.dimension, d.key, c.place, ${eachState((state) => `coalesce(c.${state}, 0) + d.${state} AS ${state}`)}
      FROM difference d LEFT JOIN LATERAL (
        SELECT ctid AS place, ${columns} FROM message_counts
        WHERE tenant_id = $1 AND dimension = d.dimension AND quarter = d.quarter AND key = d.key OFFSET 0
      ) c ON true
    ), removed AS (
      DELETE FROM message_counts WHERE tenant_id = $1
        AND ctid = ANY(ARRAY(SELECT place FROM result WHERE (${columns}) = (${eachState(() => '0')})))
    ), written AS (
      INSERT INTO message_counts AS w (tenant_id, quarter, dimension, key, ${columns})
      SELECT $1::uuid, quarter, dimension, key, ${columns} FROM result WHERE (${columns}) <> (${eachState(() => '0')})
      ON CONFLICT (tenant_id, dimension, quarter, key) DO UPDATE SET ${eachState((state) => `${state} = excluded.${state}`)}
    )
    SELECT count(*)::int AS leads FROM chosen`,
};

/** A condition: a message was not taken back and has not failed, and, where it was scheduled, it was sent. */
const isSaid = `(status IS NULL OR status NOT IN ('CANCELED', 'FAILED') AND (scheduled_for IS NULL OR status NOT IN ('QUEUED', 'SENDING')))`;

/** The time that counts for a reply: that of its sending where it was scheduled. */
const leftAt = `CASE WHEN scheduled_for IS NULL THEN created_at ELSE coalesce(sent_at, delivered_at, read_at, created_at) END`;

/** A message as reply times need it. */
const said = `SELECT id, lead_id, instance_id, direction, created_at, author_id, ${leftAt} AS left_at,
          bulk_send_id IS NOT NULL OR is_automatic AS is_unasked FROM messages
        WHERE tenant_id = $1 AND NOT is_notice AND ${isSaid}`;

const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;

/** A condition: the reply of a computed row `k` was there before $3. */
const isRepliedBefore = `EXISTS (SELECT FROM messages m WHERE m.tenant_id = $1 AND m.id = k.reply_id AND m.created_at < $3::timestamptz)`;

/**
 * $1 tenant, $2 leads, $3 time from which on their reply times are computed. A turn opens with an inbound message that follows an outbound
 * one, or is the first. The reply is the outbound message behind it that left first. Bulk sends, automatic, canceled and failed messages
 * do not count, nor scheduled ones before they were sent. Unchanged rows are not written.
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
      SELECT m.*, lag(m.direction) OVER w AS before,
        min(CASE WHEN m.direction = 'OUTBOUND' THEN ARRAY[lpad(${milliseconds('m.left_at')}::text, 15, '0'), m.id::text, m.author_id::text] END)
          OVER (PARTITION BY m.lead_id ORDER BY m.created_at DESC, m.id DESC) AS reply
      FROM (
        SELECT id, lead_id, instance_id, direction, created_at, author_id, left_at FROM message WHERE direction = 'INBOUND' OR NOT is_unasked
        UNION ALL
        SELECT id, lead_id, instance_id, 'INBOUND', opened_at, NULL, opened_at FROM open
      ) m
      WINDOW w AS (PARTITION BY m.lead_id ORDER BY m.created_at, m.id)
    ), answer AS (
      SELECT DISTINCT ON (m.lead_id) m.lead_id, m.id, m.left_at, m.author_id FROM message m JOIN lead l ON l.id = m.lead_id
      WHERE m.direction = 'OUTBOUND' AND m.created_at >= l.created_at ORDER BY m.lead_id, m.left_at, m.id
    ), answered AS MATERIALIZED (
      SELECT k.id FROM known k WHERE k.kind = 'LEAD' AND ${isRepliedBefore}
    ), computed AS MATERIALIZED (
      SELECT 'TURN' AS kind, id, lead_id, instance_id, created_at AS opened_at, reply[2]::uuid AS reply_id,
        reply[1]::bigint - ${milliseconds('created_at')} AS wait_ms, reply[3]::uuid AS author_id
      FROM spoken WHERE direction = 'INBOUND' AND before IS DISTINCT FROM 'INBOUND'
      UNION ALL
      SELECT 'LEAD', l.id, l.id, NULL, l.created_at, a.id, ${milliseconds('a.left_at')} - ${milliseconds('l.created_at')}, a.author_id
      FROM lead l LEFT JOIN answer a ON a.lead_id = l.id WHERE l.id <> ALL (ARRAY(SELECT id FROM answered))
    ), removed AS (
      DELETE FROM reply_times r WHERE r.tenant_id = $1 AND r.ctid = ANY(ARRAY(
        SELECT k.place FROM known k WHERE NOT EXISTS (SELECT FROM computed c WHERE c.kind = k.kind AND c.id = k.id)
          AND NOT (k.kind = 'LEAD' AND k.id = ANY (ARRAY(SELECT id FROM answered)) AND EXISTS (SELECT FROM lead l WHERE l.id = k.id))))
    )
    INSERT INTO reply_times AS r (tenant_id, kind, id, lead_id, instance_id, opened_at, reply_id, wait_ms, author_id)
    SELECT $1::uuid, kind, id, lead_id, instance_id, opened_at, reply_id, wait_ms, author_id FROM computed
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
