// Intake by one statement for a batch: what the call says, its journal entry and its event are written together, or not at all.
// An item that such a statement cannot settle by itself is left out of it whole. Membership is asked of arrays: joined, two WITH
// queries of a batch are compared row by row.

import type { NamedStatement } from '../../platform/database.js';
import { applyStatuses, lockReported, snapshotJson } from '../messages/message.sql.js';

// $1 tenant; of the calls: $2 ids, $3 routes, $4 dialects, $5 headers, $6 bodies, $7 body lengths, $8 times of arrival.
const calls = `unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::bytea[], $7::int[], $8::timestamptz[])`;
const callColumns = 'call_id, route, dialect, headers, raw, raw_bytes, arrived_at';

// As JSON.stringify writes a time.
const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The journal's entries of `settled`, whose rows are calls with their `result`. */
const journal = `journal AS (
      INSERT INTO webhook_deliveries
        (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, result, received_at)
      SELECT $1, call_id, route, dialect, headers, raw, raw_bytes, 'processed', result, arrived_at FROM settled
    )`;

/**
 * The events of `told`, in the order of its `position`. It is read last, so that the head of the tenant's log, which every writer
 * waits for, is held no longer than the commit takes.
 */
const events = `head AS (
      INSERT INTO event_heads AS h (tenant_id, last_seq)
      SELECT $1, count(*) FROM told HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE
        SET last_seq = h.last_seq + EXCLUDED.last_seq, logged_on = greatest(h.logged_on, EXCLUDED.logged_on)
      RETURNING last_seq, logged_on
    ), logged AS (
      INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, data, logged_on)
      SELECT $1, head.last_seq + 1 - row_number() OVER (ORDER BY t.position DESC), t.type, t.lead_id, t.message_id,
        t.instance_id, t.data, head.logged_on
      FROM told t, head
    )`;

/**
 * Inbound messages of leads that are known, one for each call. After the calls' columns: $9 message ids, $10 instances, $11 and
 * $12 kinds and match keys of the senders' identities, $13 the leads that these are believed to lead to, $14 types, $15 bodies,
 * $16 media, $17 provider ids, $18 the ids they reply to, $19 times → the settled ones by their position from 0. Left out: an
 * identity that leads elsewhere by now, and a message that another transaction is writing. A lead that is being merged at this
 * moment fails the statement (`leads_merged_unread_check`).
 */
export const receiveKnownMessages: NamedStatement = {
  name: 'receive-known-messages',
  text: `WITH item AS (
      SELECT * FROM ROWS FROM (${calls}, unnest($9::uuid[], $10::uuid[], $11::identity_kind[], $12::text[], $13::uuid[], $14::text[],
        $15::text[], $16::jsonb[], $17::text[], $18::text[], $19::timestamptz[]))
        WITH ORDINALITY AS i (${callColumns}, id, instance_id, kind, match_key, lead_id, type, body, media, external_id, reply_to,
          written_at, position)
    ), known AS (
      SELECT i.* FROM item i CROSS JOIN LATERAL (
        SELECT FROM lead_identities d
        WHERE d.tenant_id = $1 AND d.kind = i.kind AND d.match_key = i.match_key AND d.lead_id = i.lead_id LIMIT 1
      ) identity
    ), written AS (
      INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, media, external_id, reply_to_external_id,
        provider_timestamp, received_at)
      SELECT $1, id, lead_id, instance_id, 'INBOUND', type, body, media, external_id, reply_to, written_at, now() FROM known
      ORDER BY instance_id, external_id
      ON CONFLICT (tenant_id, instance_id, external_id) DO NOTHING
      RETURNING id, lead_id, instance_id
    ), inbox AS (
      UPDATE leads l SET
        last_message_id = greatest(l.last_message_id, n.newest),
        unread_count = l.unread_count + n.unread,
        updated_at = now()
      FROM (
        SELECT lead_id, (array_agg(id ORDER BY id DESC))[1] AS newest, count(*)::int AS unread
        FROM written GROUP BY lead_id ORDER BY lead_id
      ) n
      WHERE l.tenant_id = $1 AND l.id = n.lead_id AND l.id = ANY($13::uuid[])
      RETURNING l.id
    ), sorted AS (
      SELECT k.*, k.id <> ALL (ARRAY(SELECT id FROM written)) AS duplicate FROM known k
    ), answered AS (
      SELECT k.*, coalesce(s.id, k.id) AS message_id, coalesce(s.lead_id, k.lead_id) AS message_lead_id
      FROM sorted k LEFT JOIN LATERAL (
        SELECT m.id, m.lead_id FROM messages m
        WHERE k.duplicate AND m.tenant_id = $1 AND m.instance_id = k.instance_id AND m.external_id = k.external_id LIMIT 1
      ) s ON true
      WHERE s.id IS NOT NULL OR NOT k.duplicate
    ), settled AS (
      SELECT a.*, jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
        jsonb_build_object('messageId', message_id, 'leadId', message_lead_id, 'duplicate', duplicate))) AS result
      FROM answered a
    ), told AS (
      SELECT position, 'MESSAGE_RECEIVED' AS type, lead_id, id AS message_id, instance_id, NULL::jsonb AS data
      FROM settled WHERE NOT duplicate AND lead_id = ANY(ARRAY(SELECT id FROM inbox))
    ), ${journal}, ${events}
    SELECT position::int - 1 AS position, message_id AS "messageId", message_lead_id AS "leadId", duplicate FROM settled`,
};

/**
 * Statuses of messages that are known, one for each call and each of another message. After the calls' columns: $9 instances,
 * $10 provider ids, $11 statuses, $12 times, $13 provider codes, $14 details, $15 transition ids → those whose message is there, by
 * their position from 0; `applied` false when the rank does not rise.
 */
export const reportKnownStatuses: NamedStatement = {
  name: 'report-known-statuses',
  text: `WITH report AS (
      SELECT ${callColumns}, instance_id, external_id, status, least(occurred_at, now()) AS occurred_at, provider_code, detail,
        transition_id, 'gateway' AS source, position
      FROM ROWS FROM (${calls}, unnest($9::uuid[], $10::text[], $11::message_status[], $12::timestamptz[], $13::text[],
        $14::text[], $15::uuid[]))
        WITH ORDINALITY AS i (${callColumns}, instance_id, external_id, status, occurred_at, provider_code, detail,
          transition_id, position)
    ), ${lockReported}, ${applyStatuses}, settled AS (
      SELECT j.*, jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
        jsonb_build_object('messageId', id, 'externalId', external_id,
          'outcome', CASE WHEN applied THEN 'applied' ELSE 'ignored' END))) AS result
      FROM (SELECT t.*, t.id = ANY(ARRAY(SELECT id FROM changed)) AS applied FROM target t) j
    ), told AS (
      SELECT m.position, 'MESSAGE_STATUS_CHANGED' AS type, m.lead_id, m.id AS message_id, NULL::uuid AS instance_id,
        ${snapshotJson} AS data
      FROM changed m
    ), ${journal}, ${events}
    SELECT position::int - 1 AS position, id AS "messageId", external_id AS "externalId", applied FROM settled`,
};

/**
 * Leads as they are posted, found or created, one for each call. After the calls' columns: $9 touch ids, $10 ids for leads that are
 * new, $11 match keys, $12 numbers, $13 names, $14 sources, $15 metadata, $16 sources where neither the call nor the tenant names
 * one → the lead of each, by its position from 0. Left out: a number that another transaction is making a lead of.
 */
export const receivePostedLeads: NamedStatement = {
  name: 'receive-posted-leads',
  text: `WITH item AS (
      SELECT i.*, coalesce(i.posted_source, t.webhook_source_label, i.default_source) AS touch_source, known.lead_id AS known_id
      FROM ROWS FROM (${calls}, unnest($9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::text[], $15::jsonb[],
        $16::text[]))
        WITH ORDINALITY AS i (${callColumns}, touch_id, new_id, match_key, number, posted_name, posted_source, posted_metadata,
          default_source, position)
      JOIN tenants t ON t.id = $1
      LEFT JOIN LATERAL (
        SELECT d.lead_id FROM lead_identities d
        WHERE d.tenant_id = $1 AND d.kind = 'PHONE' AND d.match_key = i.match_key LIMIT 1
      ) known ON true
    ), identified AS (
      INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
      SELECT $1, 'PHONE', match_key, number, new_id FROM item WHERE known_id IS NULL ORDER BY match_key, position
      ON CONFLICT DO NOTHING
      RETURNING match_key, lead_id
    ), created AS (
      INSERT INTO leads (tenant_id, id, name, chat, source, metadata, updated_at)
      SELECT $1, i.new_id, coalesce(i.posted_name, i.number), i.number, i.touch_source, i.posted_metadata, now()
      FROM item i JOIN identified d ON d.lead_id = i.new_id
      RETURNING id, name, chat, source, metadata, created_at, updated_at
    ), answered AS (
      SELECT i.position, true AS is_new, c.*
      FROM item i JOIN identified d ON d.match_key = i.match_key JOIN created c ON c.id = d.lead_id
      UNION ALL
      SELECT i.position, false, l.id, l.name, l.chat, l.source, l.metadata, l.created_at, l.updated_at
      FROM item i CROSS JOIN LATERAL (SELECT * FROM leads WHERE tenant_id = $1 AND id = i.known_id LIMIT 1) l
    ), settled AS (
      SELECT i.*, a.id, a.name, a.chat, a.source, a.metadata, a.created_at, a.updated_at, a.is_new AND a.id = i.new_id AS created,
        jsonb_build_object('id', a.id, 'name', a.name, 'chat', a.chat, 'source', a.source, 'metadata', a.metadata,
          'createdAt', ${isoTime('a.created_at')}, 'updatedAt', ${isoTime('a.updated_at')}, 'created', a.is_new AND a.id = i.new_id) AS result
      FROM item i JOIN answered a ON a.position = i.position
    ), touched AS (
      INSERT INTO lead_touches (tenant_id, id, lead_id, source, metadata)
      SELECT $1, touch_id, id, touch_source, posted_metadata FROM settled
    ), told AS (
      SELECT position, 'LEAD_CREATED' AS type, id AS lead_id, NULL::uuid AS message_id, NULL::uuid AS instance_id,
        NULL::jsonb AS data
      FROM settled WHERE created
    ), ${journal}, ${events}
    SELECT position::int - 1 AS position, id, name, chat, source, metadata, created_at AS "createdAt", updated_at AS "updatedAt",
      created
    FROM settled`,
};
