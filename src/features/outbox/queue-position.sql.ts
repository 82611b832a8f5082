// The statements that find why messages wait: two for any number of messages, each of which reads a bounded part of the queue.

import type { NamedStatement } from '../../platform/database/database.js';
import { isOut, isPaused } from './outbox.sql.js';

/** A waiting message, and what it waits for. All times are by the database's clock. */
export interface WaitingRow {
  messageId: string;
  now: Date;
  scheduledAt: Date | null;
  dueAt: Date;
  unconfirmedSince: Date | null;
  /** Messages of the tenant that stand before it, at most as many as are counted; those of a paused instance only for its own messages. */
  place: number;
  isTenantActive: boolean;
  /** Null: no limit. */
  max: number | null;
  durationMs: number | null;
  instance: InstanceState;
  /** The earliest message of its lead that waits; null where that is the message itself. */
  earlier: { dueAt: Date; instance: InstanceState } | null;
  /** Attempts that count. */
  attempts: number;
  /** The gateway's answer to the last of them. */
  lastAnswer: string | null;
}

/** A message's chat instance. */
export interface InstanceState {
  name: string;
  isPaused: boolean;
  /** Null: unknown. */
  pausedUntil: Date | null;
  /** `CONNECTED`, …, or `DELETED`. */
  status: string;
  reason: string | null;
}

// The state is JSON, so that its times have to be parsed.
const stateOf = (instance: string) => `jsonb_build_object('name', ${instance}.name, 'isPaused', ${instance}.paused,
  'pausedUntil', ${instance}.paused_until, 'status', ${instance}.status, 'reason', ${instance}.reason)`;

/**
 * $1 tenant, $2 messages, $3 how many places are counted → those that wait for something, which a claimed message does not.
 * Messages leave by priority and position over all instances, so one pass along the queue, as far as the last message in question, gives
 * the places of all: each instance's first entries in the order of its index, and the messages in question among them, each before its
 * own entry (a join of the two is slow where the planner does not know how many there are).
 */
export const selectWaiting: NamedStatement = {
  name: 'select-waiting',
  text: `WITH asked AS MATERIALIZED (
      SELECT found.* FROM unnest($2::uuid[]) AS w (id) CROSS JOIN LATERAL (
        SELECT o.* FROM outbox_entries o
        WHERE o.tenant_id = $1 AND o.message_id = w.id AND (o.lease_until IS NULL OR o.lease_until <= now()) LIMIT 1
      ) found
    ), instance AS MATERIALIZED (
      SELECT i.id, i.instance_name AS name, ${isPaused} AS paused,
        CASE WHEN NOT ${isOut} THEN i.outbound_paused_until END AS paused_until,
        CASE WHEN i.deleted_at IS NULL THEN i.status::text ELSE 'DELETED' END AS status,
        CASE WHEN i.outbound_paused_until > now() THEN i.outbound_pause_reason ELSE i.last_error END AS reason
      FROM chat_instances i WHERE i.tenant_id = $1
    ), last AS (
      SELECT priority, position FROM asked WHERE scheduled_at IS NULL ORDER BY priority DESC, position DESC LIMIT 1
    ), queue AS (
      SELECT q.priority, q.position, l.id AS instance_id, l.paused, NULL::uuid AS asked_id
      FROM last CROSS JOIN instance l CROSS JOIN LATERAL (
        SELECT o.priority, o.position FROM outbox_entries o
        WHERE o.tenant_id = $1 AND o.instance_id = l.id AND o.scheduled_at IS NULL
          AND (o.lease_until IS NULL OR o.lease_until <= now())
          AND (o.priority, o.position) <= (last.priority, last.position)
        ORDER BY o.priority, o.position LIMIT $3::int + 1
      ) q
      UNION ALL
      SELECT priority, position, instance_id, NULL, message_id FROM asked WHERE scheduled_at IS NULL
    ), place AS MATERIALIZED (
      SELECT asked_id, moving, own FROM (
        SELECT asked_id, count(*) FILTER (WHERE asked_id IS NULL AND NOT paused) OVER (ORDER BY priority, position, asked_id) AS moving,
          count(*) FILTER (WHERE asked_id IS NULL) OVER (PARTITION BY instance_id ORDER BY priority, position, asked_id) AS own
        FROM queue
      ) counted
      WHERE asked_id IS NOT NULL
    ), earliest AS MATERIALIZED (
      SELECT d.lead_id, e.* FROM (SELECT DISTINCT lead_id FROM asked WHERE scheduled_at IS NULL) d CROSS JOIN LATERAL (
        SELECT o.message_id, o.due_at, o.instance_id FROM outbox_entries o
        WHERE o.tenant_id = $1 AND o.lead_id = d.lead_id AND o.scheduled_at IS NULL ORDER BY o.position LIMIT 1
      ) e
    )
    SELECT a.message_id AS "messageId", now() AS now, a.scheduled_at AS "scheduledAt", a.due_at AS "dueAt",
      a.unconfirmed_since AS "unconfirmedSince", t.is_active AS "isTenantActive", t.chat_rate_max AS max,
      t.chat_rate_duration_ms AS "durationMs",
      least($3::int, coalesce(p.moving + CASE WHEN l.paused THEN p.own ELSE 0 END, 0))::int AS place,
      ${stateOf('l')} AS instance,
      CASE WHEN e.message_id <> a.message_id THEN jsonb_build_object('dueAt', e.due_at, 'instance', ${stateOf('el')}) END AS earlier,
      s.attempts, s.last_answer AS "lastAnswer"
    FROM asked a
    JOIN tenants t ON t.id = $1
    JOIN instance l ON l.id = a.instance_id
    LEFT JOIN place p ON p.asked_id = a.message_id
    LEFT JOIN earliest e ON e.lead_id = a.lead_id AND a.scheduled_at IS NULL
    LEFT JOIN instance el ON el.id = e.instance_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS attempts, (array_agg(c.detail ORDER BY c.number DESC))[1] AS last_answer FROM send_attempts c
      WHERE c.tenant_id = $1 AND c.message_id = a.message_id AND coalesce(c.outcome, '') NOT IN ('paused', 'retried')
    ) s`,
};

/**
 * $1 tenant, $2 window in ms, $3 lease in ms, $4 how many → how many sends the window of the tenant's limit holds, and in how many ms the
 * first of them leave it. A send that has no answer yet is taken as answered now, or when its lease ended.
 */
export const selectWindow: NamedStatement = {
  name: 'select-window',
  text: `WITH held AS (
      SELECT extract(epoch FROM coalesce(a.finished_at, least(a.granted_at + $3::int * interval '1 ms', now())) - now())::float8 * 1000
        + $2::int AS leaves_in_ms
      FROM send_attempts a
      WHERE a.tenant_id = $1 AND a.granted_at > now() - ($2::int + $3::int) * interval '1 ms' AND a.granted_at > '-infinity'
        AND (a.finished_at IS NULL OR a.finished_at > now() - $2::int * interval '1 ms')
    )
    SELECT (SELECT count(*)::int FROM held) AS held,
      ARRAY(SELECT leaves_in_ms FROM held ORDER BY leaves_in_ms LIMIT $4::int) AS "leavesInMs"`,
};
