// The statements of the intake that is written by hand and keeps the product's promises, on the product's own tables: one statement for
// each call, which is its transaction. A row of the journal, the change, the inbox and the event are written together or not at all.

import { snapshotJson } from '../../../src/features/messages/message.sql.js';

/** A statement that PostgreSQL plans once for each connection. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * Prepares the tables for writers that may not wait for one another. A sequence orders a tenant's events, and a reader leaves out all
 * events after the oldest transaction that is still open. The product's tables also compute dashboards and a search index, which this
 * intake does not promise.
 */
export const prepareTables = `
  CREATE SEQUENCE event_seq;
  SELECT setval('event_seq', greatest(1, coalesce((SELECT max(seq) FROM events), 0)));
  ALTER TABLE events ADD COLUMN written_by xid8 NOT NULL DEFAULT pg_current_xact_id();
  ALTER TABLE messages DISABLE TRIGGER ALL;
  ALTER TABLE leads DISABLE TRIGGER ALL;`;

/** $1 tenant, $2 id of the call, $3 headers, $4 body, $5 time of arrival: writes the journal's entry, with the `result` of `answered`. */
const journalOf = (route: string, dialect: string) => `journal AS (
    INSERT INTO webhook_deliveries (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, result, received_at)
    SELECT $1, $2::uuid, '${route}', '${dialect}', $3::jsonb, $4::bytea, length($4::bytea), 'processed', result, $5::timestamptz FROM answered
  )`;

/** @param lead parts of a WITH that name its `lead` @param inbox parts that change its inbox position and name the change `inbox` */
const receiveMessageOf = (lead: string, inbox: string) => `WITH ${lead}, written AS (
    INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, external_id, provider_timestamp, received_at)
    SELECT $1, $6::uuid, lead.id, $8::uuid, 'INBOUND', $10, $11, $9, $12::timestamptz, now() FROM lead
    ON CONFLICT (tenant_id, instance_id, external_id) DO NOTHING
    RETURNING id, lead_id, position
  ), ${inbox}, event AS (
    INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id)
    SELECT $1, nextval('event_seq'), 'MESSAGE_RECEIVED', id, $6::uuid, $8::uuid FROM inbox
  ), stored AS (
    SELECT id, lead_id, false AS duplicate FROM written
    UNION ALL
    SELECT m.id, m.lead_id, true FROM messages m, lead
    WHERE m.tenant_id = $1 AND m.instance_id = $8::uuid AND m.external_id = $9 AND NOT EXISTS (SELECT FROM written)
  ), answered AS (
    SELECT s.*, jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
      jsonb_build_object('messageId', id, 'leadId', lead_id, 'duplicate', duplicate))) AS result
    FROM stored s
  ), ${journalOf('/webhooks/chat/gateway/inbound', 'neutral')}
  SELECT id AS "messageId", lead_id AS "leadId", duplicate FROM answered`;

/**
 * The journal's parameters, then $6 message, $7 match key, $8 instance, $9 provider's id, $10 type, $11 text, $12 when it was written → the
 * message. Returns and writes nothing when the lead is unknown.
 */
export const receiveMessage: PreparedStatement = {
  name: 'receive-message',
  text: receiveMessageOf(
    `lead AS (
    SELECT lead_id AS id FROM lead_identities WHERE tenant_id = $1 AND kind = 'PHONE' AND match_key = $7
  )`,
    `inbox AS (
    UPDATE leads l SET
      last_message_id = CASE WHEN w.position < l.last_message_position THEN l.last_message_id ELSE w.id END,
      last_message_position = greatest(l.last_message_position, w.position),
      unread_count = l.unread_count + 1,
      last_inbound_position = greatest(l.last_inbound_position, w.position),
      last_inbound_at = CASE WHEN w.position < l.last_inbound_position THEN l.last_inbound_at ELSE now() END,
      waiting_since = CASE WHEN w.position < l.last_answer_position THEN l.waiting_since ELSE least(l.waiting_since, now()) END,
      conversation_status = 'OPEN',
      snoozed_until = NULL,
      updated_at = now()
    FROM written w WHERE l.tenant_id = $1 AND l.id = w.lead_id
    RETURNING l.id
  )`,
  ),
};

/**
 * The parameters of `receiveMessage`, then $13 new lead, $14 number, $15 name, $16 validity. Returns nothing while another transaction is
 * creating the lead.
 */
export const receiveFirstMessage: PreparedStatement = {
  name: 'receive-first-message',
  text: receiveMessageOf(
    `identified AS (
    INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
    SELECT $1, 'PHONE', $7, $14, $13::uuid WHERE NOT EXISTS (
      SELECT FROM messages WHERE tenant_id = $1 AND instance_id = $8::uuid AND external_id = $9)
    ON CONFLICT DO NOTHING RETURNING lead_id
  ), lead AS (
    INSERT INTO leads (tenant_id, id, name, chat, number_validity, source, last_message_id, last_message_position, unread_count,
      last_inbound_position, last_inbound_at, waiting_since, updated_at)
    SELECT $1, lead_id, $15, $14, $16::number_validity, 'webhook', $6::uuid, message_position(now()), 1, message_position(now()), now(), now(), now() FROM identified
    RETURNING id
  ), created AS (
    INSERT INTO events (tenant_id, seq, type, lead_id) SELECT $1, nextval('event_seq'), 'LEAD_CREATED', id FROM lead
    RETURNING lead_id
  )`,
    'inbox AS (SELECT lead_id AS id FROM created)',
  ),
};

/** The journal's parameters, then $6 instance, $7 provider's id, $8 status, $9 when it was reached → the message; null without one. */
export const applyStatus: PreparedStatement = {
  name: 'apply-status',
  text: `WITH target AS (
      SELECT id, status AS from_status, least($9::timestamptz, now()) AS occurred_at FROM messages
      WHERE tenant_id = $1 AND instance_id = $6::uuid AND external_id = $7 FOR NO KEY UPDATE
    ), changed AS (
      UPDATE messages m SET
        status = $8::message_status,
        sent_at = CASE WHEN $8 = 'SENT' THEN t.occurred_at ELSE m.sent_at END,
        delivered_at = CASE WHEN $8 IN ('DELIVERED', 'READ') THEN coalesce(m.delivered_at, t.occurred_at) ELSE m.delivered_at END,
        read_at = CASE WHEN $8 = 'READ' THEN t.occurred_at ELSE m.read_at END,
        failed_at = CASE WHEN $8 = 'FAILED' THEN t.occurred_at END,
        error_code = NULL,
        error_message = NULL
      FROM target t
      WHERE m.tenant_id = $1 AND m.id = t.id AND message_status_rises(t.from_status, $8)
      RETURNING m.*, t.from_status, t.occurred_at
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
      SELECT $1, uuidv7(), id, from_status, status, 'gateway', occurred_at FROM changed
    ), event AS (
      INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, data)
      SELECT $1, nextval('event_seq'), 'MESSAGE_STATUS_CHANGED', m.lead_id, m.id, m.instance_id, ${snapshotJson} FROM changed m
    ), stored AS (
      SELECT t.id, EXISTS (SELECT FROM changed) AS applied FROM (VALUES (1)) AS call LEFT JOIN target t ON true
    ), answered AS (
      SELECT s.*, jsonb_build_object('accepted', 1, 'results', jsonb_build_array(jsonb_build_object('messageId', id, 'externalId', $7::text,
        'outcome', CASE WHEN applied THEN 'applied' ELSE 'ignored' END))) AS result
      FROM stored s
    ), ${journalOf('/webhooks/chat/gateway/status', 'neutral')}
    SELECT id AS "messageId", applied FROM answered`,
};

/**
 * The journal's parameters, then $6 new lead, $7 match key, $8 number, $9 name, $10 source, $11 other fields, $12 touch, $13 validity → the
 * lead. Returns nothing while another transaction is creating it.
 */
export const receiveLead: PreparedStatement = {
  name: 'receive-lead',
  text: `WITH known AS (
      SELECT lead_id AS id FROM lead_identities WHERE tenant_id = $1 AND kind = 'PHONE' AND match_key = $7
    ), identified AS (
      INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
      SELECT $1, 'PHONE', $7, $8, $6::uuid WHERE NOT EXISTS (SELECT FROM known)
      ON CONFLICT DO NOTHING RETURNING lead_id
    ), created AS (
      INSERT INTO leads (tenant_id, id, name, chat, number_validity, source, metadata, updated_at)
      SELECT $1, lead_id, coalesce($9, $8), $8, $13::number_validity, coalesce($10, 'webhook'), $11::jsonb, now() FROM identified
      RETURNING id, name, chat, number_validity, source, metadata, created_at, updated_at
    ), stored AS (
      SELECT c.*, true AS created FROM created c
      UNION ALL
      SELECT l.id, l.name, l.chat, l.number_validity, l.source, l.metadata, l.created_at, l.updated_at, false
      FROM known k JOIN leads l ON l.tenant_id = $1 AND l.id = k.id
    ), touched AS (
      INSERT INTO lead_touches (tenant_id, id, lead_id, source, metadata)
      SELECT $1, $12::uuid, id, coalesce($10, 'webhook'), $11::jsonb FROM stored
    ), event AS (
      INSERT INTO events (tenant_id, seq, type, lead_id) SELECT $1, nextval('event_seq'), 'LEAD_CREATED', id FROM created
    ), answered AS (
      SELECT s.*, jsonb_build_object('id', id, 'name', name, 'chat', chat, 'numberValidity', number_validity, 'source', source,
        'metadata', metadata, 'createdAt', created_at, 'updatedAt', updated_at, 'created', created) AS result
      FROM stored s
    ), ${journalOf('/webhooks/leads', 'lead')}
    SELECT id, name, chat, number_validity AS "numberValidity", source, metadata, created_at AS "createdAt", updated_at AS "updatedAt",
      created
    FROM answered`,
};

/** $1 hash of the key → its tenant. */
export const findTenant: PreparedStatement = {
  name: 'find-tenant',
  text: `SELECT tenant_id AS "tenantId" FROM tenant_api_keys
    WHERE hash = $1 AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
};

/** $1 tenant, $2 name → the instance. */
export const findInstance: PreparedStatement = {
  name: 'find-instance',
  text: 'SELECT id FROM chat_instances WHERE tenant_id = $1 AND instance_name = $2 AND deleted_at IS NULL',
};

/** $1 tenant → the messages that wait to be sent, in the order of acceptance. */
export const selectUnsent: PreparedStatement = {
  name: 'select-unsent',
  text: `SELECT m.id AS "messageId", l.chat AS to, m.body AS text, i.instance_name AS instance
    FROM messages m
    JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id
    JOIN chat_instances i ON i.tenant_id = m.tenant_id AND i.id = m.instance_id
    WHERE m.tenant_id = $1 AND m.status = 'QUEUED' ORDER BY m.id`,
};

/** $1 tenant, $2 message, $3 the gateway's id: stores the answer, with its transition and its event. */
export const storeSent: PreparedStatement = {
  name: 'store-sent',
  text: `WITH target AS (
      SELECT id, status AS from_status FROM messages WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE
    ), changed AS (
      UPDATE messages m SET status = 'SENT', sent_at = now(), external_id = $3
      FROM target t WHERE m.tenant_id = $1 AND m.id = t.id AND message_status_rises(t.from_status, 'SENT')
      RETURNING m.*, t.from_status
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
      SELECT $1, uuidv7(), id, from_status, status, 'worker', now() FROM changed
    )
    INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, data)
    SELECT $1, nextval('event_seq'), 'MESSAGE_STATUS_CHANGED', m.lead_id, m.id, m.instance_id, ${snapshotJson} FROM changed m`,
};
