// The statements of rounds: which messages are news, whom they concern, and what became of the notifications.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';

/** A stretch of a tenant's log that is this process's until its lease ends; bigints, as text. */
export interface Stretch {
  afterSeq: string;
  untilSeq: string;
}

/** A message that came in. */
export interface News {
  seq: string;
  messageId: string;
  occurredAt: Date;
}

/** A browser, and one of the newest conversations of which it is notified, the latest first. A browser without any has one row of nulls. */
export interface BrowserNews extends Omit<Recipient, 'leadId'> {
  leadId: string | null;
}

export interface Recipient {
  deviceId: string;
  endpoint: string;
  publicKey: string;
  secret: string;
  language: string;
  isFailing: boolean;
  leadId: string;
  leadName: string;
  /** The new messages of the conversation in this round. */
  count: number;
  /** The conversations of which this browser is to be notified in this round, those without a row included. */
  conversations: number;
  /**
   * The beginning of the newest, one character longer than is told where it has more; null where the tenant tells no texts, or it has none.
   */
  text: string | null;
}

/** Messages older than this are no news: the worker was away. */
const newsForMinutes = 10;
/** The most events, of whatever type, that are looked through in one round, and the most messages among them. */
const maxSeen = 20_000;
export const maxNews = 500;
/** The most browsers that one statement reads. */
export const browsersAtOnce = 250;
/** A browser gets a notification for so many conversations in one round, and one more that counts the others. */
export const maxConversationsPerDevice = 3;
/** The longest text in a notification, in characters. */
export const maxPushedText = 160;

/**
 * $1 tenant: what comes from now on is news. A tenant that has a browser already stays where it is. Call it before a browser is kept: a
 * tenant without browsers is not followed, and what it would have to catch up on is no news.
 */
export const beginProgress: NamedStatement = {
  name: 'begin-push-progress',
  text: `INSERT INTO push_progress (tenant_id, last_seq)
    SELECT $1, coalesce((SELECT last_seq FROM event_heads WHERE tenant_id = $1), 0)
    ON CONFLICT (tenant_id) DO UPDATE SET last_seq = greatest(push_progress.last_seq, EXCLUDED.last_seq), leased_until = NULL
    WHERE NOT EXISTS (SELECT FROM push_devices d WHERE d.tenant_id = $1 AND d.expires_at > now())`,
};

/** → active tenants with browsers, and whether there are events that were not read for them. */
export const selectPushedTenants: NamedStatement = {
  name: 'select-pushed-tenants',
  text: `SELECT p.tenant_id AS "tenantId", coalesce(h.last_seq > p.last_seq, false) AS "hasNews"
    FROM push_progress p JOIN tenants t ON t.id = p.tenant_id AND t.is_active
      LEFT JOIN event_heads h ON h.tenant_id = p.tenant_id
    WHERE EXISTS (SELECT FROM push_devices d WHERE d.tenant_id = p.tenant_id AND d.expires_at > now())`,
};

/** $1 tenant, $2 lease in ms → the next stretch; nothing where there is none, or another process has it. */
export const claimStretch: NamedStatement = {
  name: 'claim-push-stretch',
  text: `UPDATE push_progress p SET leased_until = now() + $2::int * interval '1 ms'
    FROM event_heads h
    WHERE p.tenant_id = $1 AND h.tenant_id = p.tenant_id AND h.last_seq > p.last_seq
      AND (p.leased_until IS NULL OR p.leased_until < now())
    RETURNING p.last_seq::text AS "afterSeq", least(h.last_seq, p.last_seq + ${maxSeen})::text AS "untilSeq"`,
};

/**
 * $1 tenant, $2 and $3 after and up to which event → the messages that came in lately: old ones take no place of news. The limit is written
 * out, as for other readers.
 */
export const selectNews: NamedStatement = {
  name: 'select-news-to-push',
  text: `SELECT e.seq::text, e.message_id AS "messageId", e.occurred_at AS "occurredAt" FROM events e
    WHERE e.tenant_id = $1 AND e.seq > $2::bigint AND e.seq <= $3::bigint AND e.type = 'MESSAGE_RECEIVED' AND e.message_id IS NOT NULL
      AND e.occurred_at > now() - interval '${newsForMinutes} minutes'
    ORDER BY e.seq LIMIT ${maxNews}`,
};

export const newsColumns = new Columns<News>(
  {
    id: ['uuid', ({ messageId }) => messageId],
    at: ['timestamptz', ({ occurredAt }) => occurredAt],
  },
  4,
);

/**
 * $1 tenant, $2 the last browser that was read, null for none, $3 whether those are wanted that were not reached, `newsColumns` → the next
 * browsers, `browsersAtOnce` at most, each with the
 * conversations of which it is notified, `maxConversationsPerDevice` at most. A message concerns the browsers of the assignee, or of
 * everybody where there is none. What somebody has read meanwhile is no news, nor is a message from before the browser was kept. A tenant
 * may allow that its text is told too.
 */
export const selectRecipients: NamedStatement = {
  name: 'select-push-recipients',
  text: `WITH news AS (
      SELECT m.lead_id, count(*)::int AS count, max(n.at) AS at,
        (array_agg(CASE WHEN m.deleted_at IS NULL THEN left(m.body, ${maxPushedText + 1}) END ORDER BY m.id DESC))[1] AS text
      FROM ${newsColumns.rows('n')} JOIN messages m ON m.tenant_id = $1 AND m.id = n.id
      WHERE NOT m.is_notice AND n.at > now() - interval '${newsForMinutes} minutes' GROUP BY m.lead_id
    ), conversation AS MATERIALIZED (
      SELECT l.id, l.name, l.assignee_id, news.count, news.at, CASE WHEN t.pushes_text THEN nullif(btrim(news.text), '') END AS text
      FROM news JOIN tenants t ON t.id = $1 JOIN leads l ON l.tenant_id = $1 AND l.id = news.lead_id AND l.unread_count > 0
    ), browser AS MATERIALIZED (
      SELECT d.* FROM push_devices d JOIN users u ON u.tenant_id = $1 AND u.id = d.user_id AND u.is_active
      WHERE d.tenant_id = $1 AND d.expires_at > now() AND (d.failing_since IS NOT NULL) = $3::bool
        AND ($2::uuid IS NULL OR d.id > $2) ORDER BY d.id LIMIT ${browsersAtOnce}
    )
    SELECT d.id AS "deviceId", d.endpoint, d.public_key AS "publicKey", d.secret, d.language,
      d.failing_since IS NOT NULL AS "isFailing", c.id AS "leadId", c.name AS "leadName", c.count, c.text, c.conversations
    FROM browser d LEFT JOIN LATERAL (
      SELECT c.*, (count(*) OVER ())::int AS conversations FROM conversation c
      WHERE d.created_at <= c.at
        AND CASE WHEN c.assignee_id IS NULL THEN d.notifies_unassigned ELSE d.user_id = c.assignee_id AND d.notifies_mine END
      ORDER BY c.at DESC, c.id LIMIT ${maxConversationsPerDevice}
    ) c ON true
    ORDER BY d.id, c.at DESC, c.id`,
};

/** $1 tenant, $2 event: the stretch up to it is done. */
export const finishStretch: NamedStatement = {
  name: 'finish-push-stretch',
  text: `UPDATE push_progress SET last_seq = greatest(last_seq, $2::bigint), leased_until = NULL WHERE tenant_id = $1`,
};

/** $1 tenant: gives the stretch back, so that the next round reads it again. */
export const releaseStretch: NamedStatement = {
  name: 'release-push-stretch',
  text: 'UPDATE push_progress SET leased_until = NULL WHERE tenant_id = $1',
};

/** $1 tenant, $2 browsers whose addresses are gone, $3 those that were reached again. */
export const settleReached: NamedStatement = {
  name: 'settle-reached-push-devices',
  text: `WITH gone AS (DELETE FROM push_devices WHERE tenant_id = $1 AND id = ANY($2::uuid[]))
    UPDATE push_devices SET failing_since = NULL WHERE tenant_id = $1 AND id = ANY($3::uuid[]) AND failing_since IS NOT NULL`,
};

/** $1 tenant, $2 browsers that were not reached, $3 after how many days of that one is deleted. */
export const settleFailing: NamedStatement = {
  name: 'settle-failing-push-devices',
  text: `WITH lost AS (
      DELETE FROM push_devices WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND failing_since < now() - make_interval(days => $3::int)
    )
    UPDATE push_devices SET failing_since = now() WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND failing_since IS NULL`,
};
