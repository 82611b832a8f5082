// Messages in the product's own shape, written by SQL: as many as a bench needs to start from, in seconds. Foreign keys are not
// checked, because millions of rows are written; the rows are whole all the same.

import type pg from 'pg';
import { hasColumn, withClient } from './postgres.js';
import { matchKeyOfNumber } from '../../src/platform/phone-numbers/match-key.js';

// The statement writes the transitions of sending. No status report reads the other rows of sending, so they are left out.
const insertSends = `
  WITH lead AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM leads WHERE tenant_id = $1
  ), sent AS (
    INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, external_id, sent_at)
    SELECT $1, uuidv7(), lead.id, i.id, 'OUTBOUND', 'SENT', 'text', $2, s.external_id, now()
    FROM unnest($3::text[]) WITH ORDINALITY AS s (external_id, position)
    JOIN lead ON lead.position = s.position % (SELECT count(*) FROM lead)
    JOIN chat_instances i ON i.tenant_id = $1 AND i.is_default
    RETURNING id
  )
  INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
  SELECT $1, uuidv7(), sent.id, t.from_status::message_status, t.to_status::message_status, t.source, now()
  FROM sent
  CROSS JOIN (VALUES (NULL, 'QUEUED', 'user'), ('QUEUED', 'SENDING', 'worker'), ('SENDING', 'SENT', 'worker'))
    AS t (from_status, to_status, source)`;

/** Stores messages that have been sent from the tenant's default instance, one for each provider id, over its leads in turn. */
export async function storeProductSends(
  url: string,
  { tenantId, text, externalIds }: { tenantId: string; text: string; externalIds: readonly string[] },
): Promise<void> {
  await withClient(url, (client) => client.query(insertSends, [tenantId, text, externalIds]));
}

export interface StoredInbound {
  tenantId: string;
  /** The numbers of the leads, one for each. */
  chatNumbers: readonly string[];
  messageCount: number;
  /** The path in the journal. */
  route: string;
  /** Ends the work early. */
  signal: AbortSignal;
}

/** Replaces everything that came in for the tenant with `messageCount` messages, each from a call of its own. */
export async function replaceInbound(
  url: string,
  { tenantId, chatNumbers, messageCount, route, signal }: StoredInbound,
): Promise<void> {
  const matchKeys = chatNumbers.map(matchKeyOfNumber);
  const replace = async (client: pg.Client) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query('TRUNCATE leads, messages, events, event_heads, webhook_deliveries CASCADE');
    await client.query(insertLeads, [tenantId, chatNumbers, matchKeys]);
    await client.query(draftMessages, [tenantId, messageCount]);
    await client.query(insertMessages, [tenantId]);
    await client.query(updateLeads(await hasColumn(client, 'messages', 'position')));
    await client.query(insertDeliveries, [tenantId, route]);
    await client.query(insertEvents, [tenantId]);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
  };
  await withClient(url, replace, signal);
}

const insertLeads = `
  WITH created AS (
    INSERT INTO leads (tenant_id, id, name, chat, source, created_at, updated_at)
    SELECT $1, uuidv7(interval '-1 day'), 'Lead ' || chat, chat, 'webhook', now() - interval '1 day', now()
    FROM unnest($2::text[]) AS chat
    RETURNING id, chat
  )
  INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
  SELECT $1, 'PHONE', w.match_key, w.chat, created.id
  FROM created JOIN unnest($2::text[], $3::text[]) AS w (chat, match_key) USING (chat)`;

// Messages come one a millisecond until a minute ago, from the leads in turn. Ids rise with time and provider ids are random, as in use.
const draftMessages = `
  CREATE TEMPORARY TABLE draft ON COMMIT DROP AS
  SELECT n.number, uuidv7(n.age) AS id, l.id AS lead_id, l.chat, now() + n.age AS at,
    '3EB0' || upper(substr(md5(random()::text || n.number), 1, 18)) AS external_id,
    'Bom dia! Ainda tem a casa da rua ' || n.number || '? Posso visitar amanhã às 15h.' AS body
  FROM (SELECT number, (number - $2 - 60000) * interval '1 ms' AS age FROM generate_series(1, $2::bigint) AS number) n
  JOIN (SELECT id, chat, row_number() OVER (ORDER BY id) - 1 AS position FROM leads WHERE tenant_id = $1) l
    ON l.position = n.number % (SELECT count(*) FROM leads WHERE tenant_id = $1)
  ORDER BY n.number`;

const insertMessages = `
  INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, external_id, provider_timestamp,
    received_at, created_at)
  SELECT $1, d.id, d.lead_id, i.id, 'INBOUND', 'text', d.body, d.external_id, d.at, d.at, d.at
  FROM draft d JOIN chat_instances i ON i.tenant_id = $1 AND i.is_default
  ORDER BY d.number`;

// A version before messages had positions keeps the newest inbound message by its id.
const updateLeads = (hasPositions: boolean) => `
  UPDATE leads l SET last_message_id = d.id, unread_count = d.unread, last_inbound_at = d.at, waiting_since = d.waiting_since,
    ${hasPositions ? `(last_message_position, last_inbound_position) = (SELECT position, position FROM messages m WHERE m.tenant_id = l.tenant_id AND m.id = d.id)` : 'last_inbound_id = d.id'}
  FROM (SELECT DISTINCT ON (lead_id) lead_id, id, at, count(*) OVER (PARTITION BY lead_id) AS unread,
      min(at) OVER (PARTITION BY lead_id) AS waiting_since
    FROM draft ORDER BY lead_id, id DESC) d
  WHERE l.id = d.lead_id`;

const insertDeliveries = `
  INSERT INTO webhook_deliveries (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, result, received_at)
  SELECT $1, uuidv7(d.at - now()), $2, 'neutral', jsonb_build_object('content-type', 'application/json',
      'x-signature', 'sha256=' || encode(sha256(b.body), 'hex')), b.body, length(b.body), 'processed',
    jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
      jsonb_build_object('messageId', d.id, 'leadId', d.lead_id, 'duplicate', false))), d.at
  FROM draft d CROSS JOIN LATERAL (
    SELECT convert_to(json_build_object('messageId', d.external_id, 'from', d.chat, 'name', 'Lead ' || d.chat, 'type', 'text',
      'text', d.body, 'timestamp', extract(epoch FROM d.at)::bigint)::text, 'UTF8') AS body) b
  ORDER BY d.number`;

const insertEvents = `
  WITH told AS (
    INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, occurred_at)
    SELECT $1, row_number() OVER (ORDER BY at), type, lead_id, message_id, instance_id, at FROM (
      SELECT 'LEAD_CREATED' AS type, id AS lead_id, NULL::uuid AS message_id, NULL::uuid AS instance_id, created_at AS at
      FROM leads WHERE tenant_id = $1
      UNION ALL
      SELECT 'MESSAGE_RECEIVED', lead_id, id, instance_id, received_at FROM messages WHERE tenant_id = $1
    ) happened
    RETURNING seq
  )
  INSERT INTO event_heads (tenant_id, last_seq) SELECT $1, max(seq) FROM told`;
