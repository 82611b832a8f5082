// The fast path's statements: one statement writes a batch of calls, with their journal entries and events. It leaves out items that it
// cannot settle. Arrays are tested with ANY, because PostgreSQL would compare two WITH queries of a batch row by row.

import { Columns, type Column } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { namedInstance } from '../chat-instances/chat-instance.sql.js';
import { broughtColumns, broughtNames, intakeSql } from '../leads/lead-fields.js';
import { reopenedJson } from '../leads/conversation/conversation.sql.js';
import { heldLeads, positionBehind } from '../leads/conversation/position.js';
import { lastErasure, mayBeSuppressed } from '../leads/identity/erased-identity.service.js';
import {
  contactIdentity,
  knownContacts,
  takesName,
  type ContactIdentity,
} from '../leads/identity/find-or-create.sql.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import { judgeNumber } from '../../platform/phone-numbers/number-validity.js';
import { hasParkedChange } from '../messages/changes/change.sql.js';
import { mayWantToStop, snapshotJson, waitsForContent } from '../messages/message.sql.js';
import { applyReported, reportColumns } from '../messages/status-rank.sql.js';
import { bodyOf, choiceOf, mediaOf, typedKeyOf, type StatusReport } from '../messages/reported.js';
import type { ReportedMessage, ReportedStatus } from '../../providers/reported.js';
import type { DryRunItemKind } from './call-dry-run-items.js';
import { callColumns, tookMs } from './journal-writer.js';
import type { LeadIntake, ReadWebhookCall } from './webhook-call.js';

/** A call with its only item. */
export interface FastPathCall<Payload> extends Pick<ReadWebhookCall, 'call' | 'dialect'> {
  payload: Payload;
}

/** An item, and the instance that its call names; null is the default one. */
export interface ItemPayload<Item> {
  item: Item;
  instance: string | null;
  /** The number of the line itself, where the call says it. */
  ownNumber: string | undefined;
  /** The id of the message if it is new. */
  messageId: string;
}

/** A status, with the change that it makes. */
export interface StatusCall extends Omit<StatusReport, 'instanceId'> {
  entry: FastPathCall<ItemPayload<ReportedStatus>>;
}

const instanceColumns = <Item>(payloadOf: (item: Item) => ItemPayload<unknown>): Record<string, Column<Item>> => ({
  instance: ['text', (item) => payloadOf(item).instance],
  own_number: ['text', (item) => payloadOf(item).ownNumber],
});

/**
 * Joins the instance of each item `i`, as `line`. The general path refuses an item without one, and stores a number that is not known yet.
 */
const joinedLine = `CROSS JOIN LATERAL ${namedInstance('i.instance', 'id, number')} line
      WHERE (i.own_number IS NULL OR line.number IS NOT NULL)`;

export const messageColumns = new Columns<FastPathCall<ItemPayload<ReportedMessage>>>({
  ...callColumns((entry) => entry),
  ...instanceColumns(({ payload }) => payload),
  id: ['uuid', ({ payload }) => payload.messageId],
  name: ['text', ({ payload }) => payload.item.name],
  type: ['text', ({ payload }) => payload.item.type],
  body: ['text', ({ payload }) => bodyOf(payload.item)],
  media: ['jsonb', ({ payload }) => mediaOf(payload.item)],
  external_id: ['text', ({ payload }) => payload.item.externalId],
  reply_to: ['text', ({ payload }) => payload.item.replyTo],
  written_at: ['timestamptz', ({ payload }) => payload.item.timestamp],
  consent_key: ['text', ({ payload }) => typedKeyOf(payload.item)],
  choice: ['jsonb', ({ payload }) => choiceOf(payload.item)],
  is_forwarded: ['boolean', ({ payload }) => payload.item.isForwarded],
});

export const contactColumns = new Columns<ContactIdentity>(contactIdentity, messageColumns.next);

export const statusColumns = new Columns<StatusCall>({
  ...callColumns(({ entry }) => entry),
  ...instanceColumns(({ entry }) => entry.payload),
  ...reportColumns,
});

/** A posted lead, with the digest of `digestOfOptOut`. */
export interface PostedLead {
  entry: FastPathCall<LeadIntake>;
  optOutDigest: string | null;
}

export const leadColumns = new Columns<PostedLead>({
  ...callColumns(({ entry }) => entry),
  touch_id: ['uuid', newRecordId],
  new_id: ['uuid', newRecordId],
  match_key: ['text', ({ entry: { payload } }) => matchKeyOf({ kind: 'PHONE', value: payload.lead.chat })],
  number: ['text', ({ entry: { payload } }) => payload.lead.chat],
  validity: ['number_validity', ({ entry: { payload } }) => judgeNumber(payload.lead.chat)],
  posted_name: ['text', ({ entry: { payload } }) => payload.lead.name],
  posted_source: ['text', ({ entry: { payload } }) => payload.lead.source],
  ...broughtColumns<PostedLead>(({ entry: { payload } }) => payload.lead),
  default_source: ['text', ({ entry: { payload } }) => payload.defaultSource],
  opt_out_digest: ['text', ({ optOutDigest }) => optOutDigest],
});

// Writes a time like JSON.stringify.
const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The journal's entries of `settled`, whose rows are calls with their `result`. The content of a call is in SQL, for a row of `settled`.
 */
const journalOf = (
  columns: Pick<Columns<never>, 'bytes'>,
  { kind, reported = '', instanceId = 'NULL' }: { kind: DryRunItemKind; reported?: string; instanceId?: string },
) => `journal AS (
      INSERT INTO webhook_deliveries
        (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, result, received_at, kinds, reported, instance_id, took_ms)
      SELECT $1, call_id, route, dialect, headers, ${columns.bytes('raw')}, raw_bytes, 'processed', result, arrived_at,
        '{${kind}}', ARRAY[${reported}]::text[], ${instanceId}::uuid, ${tookMs}
      FROM settled
    )`;

/**
 * The events of `logged_changes`, in the order of its `position`. They are written last: every writer of the tenant waits for the head of
 * the log, which stays locked only for the commit.
 */
const events = `head AS (
      INSERT INTO event_heads AS h (tenant_id, last_seq)
      SELECT $1, count(*) FROM logged_changes HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE
        SET last_seq = h.last_seq + EXCLUDED.last_seq, logged_on = greatest(h.logged_on, EXCLUDED.logged_on)
      RETURNING last_seq, logged_on
    ), logged AS (
      INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, data, logged_on)
      SELECT $1, head.last_seq + 1 - row_number() OVER (ORDER BY t.position DESC), t.type, t.lead_id, t.message_id,
        t.instance_id, t.data, head.logged_on
      FROM logged_changes t, head
    )`;

/**
 * $1 tenant, `messageColumns`: inbound messages, one for each call; `contactColumns`: the identities of their people, by the call's
 * position from 1 → the settled messages by their position from 0. Left out are:
 * - a call whose instance is unknown, or is told its number
 * - a person who is new, or who gains an identity or a name
 * - a message from before the tenant's last erasure
 * - a keyword that opts out or in
 * - a message that another transaction is writing
 * - a message that was reacted to, edited or deleted before it came
 * - the content of a message that came without it
 * - a message of a lead that is being merged at this moment
 * The leads are locked before their messages are written, so that each message stands behind those that are recorded. A conversation that
 * was closed or snoozed is open again. The lead keeps which message opened it, because only the update itself knows the status before.
 */
export const receiveKnownMessages: NamedStatement = {
  name: 'receive-known-messages',
  text: `WITH item AS (
      SELECT * FROM ${messageColumns.numberedRows('i')}
    ), ${knownContacts(contactColumns.rows('w'))}, known AS (
      SELECT i.*, line.id AS instance_id, c.lead_id FROM item i JOIN contact c ON c.place = i.position
      CROSS JOIN LATERAL (
        SELECT FROM leads l WHERE l.tenant_id = $1 AND l.id = c.lead_id AND NOT ${takesName('i.name')} LIMIT 1
      ) lead
      ${joinedLine} AND NOT ${hasParkedChange('line.id', 'i.external_id')}
        AND (i.written_at > ${lastErasure}) IS NOT false
        AND (i.consent_key IS NULL OR i.consent_key <> ALL ((SELECT t.consent_keys FROM tenants t WHERE t.id = $1)::text[]))
    ), ${heldLeads('ARRAY(SELECT lead_id FROM known)')}, written AS (
      INSERT INTO messages (tenant_id, id, lead_id, position, instance_id, direction, type, body, media, external_id,
        reply_to_external_id, provider_timestamp, received_at, choice, is_forwarded, may_want_to_stop)
      SELECT $1, k.id, lead_id, ${positionBehind('h.last', 'row_number() OVER (PARTITION BY lead_id ORDER BY k.position)')},
        instance_id, 'INBOUND', type, body, media, external_id, reply_to, written_at, now(),
        choice, is_forwarded IS TRUE, ${mayWantToStop('consent_key')}
      FROM known k JOIN held h ON h.id = k.lead_id
      ORDER BY instance_id, external_id
      ON CONFLICT (tenant_id, instance_id, external_id) DO NOTHING
      RETURNING id, lead_id, position, instance_id
    ), inbox AS (
      UPDATE leads l SET
        last_message_id = n.newest,
        last_message_position = n.position,
        unread_count = l.unread_count + n.unread,
        last_inbound_position = n.position,
        last_inbound_at = now(),
        waiting_since = least(l.waiting_since, now()),
        conversation_status = 'OPEN',
        snoozed_until = NULL,
        reopened_by_id = CASE WHEN l.conversation_status = 'OPEN' THEN l.reopened_by_id ELSE n.newest END,
        updated_at = now()
      FROM (
        SELECT lead_id, (array_agg(id ORDER BY position DESC))[1] AS newest, max(position) AS position, count(*)::int AS unread
        FROM written GROUP BY lead_id ORDER BY lead_id
      ) n
      WHERE l.tenant_id = $1 AND l.id = n.lead_id AND l.id = ANY(ARRAY(SELECT id FROM held))
      RETURNING l.id, l.reopened_by_id = n.newest AS is_reopened
    ), sorted AS (
      SELECT k.*, k.id <> ALL (ARRAY(SELECT id FROM written)) AS duplicate FROM known k
    ), answered AS (
      SELECT k.*, coalesce(s.id, k.id) AS message_id, coalesce(s.lead_id, k.lead_id) AS message_lead_id
      FROM sorted k LEFT JOIN LATERAL (
        SELECT m.id, m.lead_id FROM messages m
        WHERE k.duplicate AND m.tenant_id = $1 AND m.instance_id = k.instance_id AND m.external_id = k.external_id
          AND NOT ${waitsForContent} LIMIT 1
      ) s ON true
      WHERE s.id IS NOT NULL OR NOT k.duplicate
    ), settled AS (
      SELECT a.*, jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
        jsonb_build_object('messageId', message_id, 'leadId', message_lead_id, 'duplicate', duplicate))) AS result
      FROM answered a
    ), logged_changes AS (
      SELECT 2 * position AS position, 'MESSAGE_RECEIVED' AS type, lead_id, id AS message_id, instance_id, NULL::jsonb AS data
      FROM settled WHERE NOT duplicate AND lead_id = ANY(ARRAY(SELECT id FROM inbox))
      UNION ALL
      SELECT 2 * opening.position - 1, 'CONVERSATION_STATUS_CHANGED', o.id, NULL, NULL, ${reopenedJson}
      FROM inbox o CROSS JOIN LATERAL (
        SELECT min(position) AS position FROM settled WHERE lead_id = o.id AND NOT duplicate
      ) opening WHERE o.is_reopened
    ), ${journalOf(messageColumns, { kind: 'message', instanceId: 'instance_id' })}, ${events}
    SELECT position::int - 1 AS position, message_id AS "messageId", message_lead_id AS "leadId", duplicate FROM settled`,
};

/**
 * $1 tenant, `statusColumns`: one status for each call, each of another message → the statuses whose message exists, by their position from
 * 0. `applied` is false when the rank does not rise. Left out are an answer that failed, or that arrived after it had failed, a status that
 * another transaction overtakes, and a call that tells its instance a number.
 */
export const reportKnownStatuses: NamedStatement = {
  name: 'report-known-statuses',
  text: `WITH report AS (
      SELECT i.*, line.id AS instance_id, least(reported_at, now()) AS occurred_at, 'gateway' AS source
      FROM ${statusColumns.numberedRows('i')} ${joinedLine}
    ), ${applyReported}, settled AS (
      SELECT j.*, jsonb_build_object('accepted', 1, 'results', jsonb_build_array(
        jsonb_build_object('messageId', id, 'externalId', external_id,
          'outcome', CASE WHEN applied THEN 'applied' ELSE 'ignored' END))) AS result
      FROM judged j
    ), logged_changes AS (
      SELECT m.position, 'MESSAGE_STATUS_CHANGED' AS type, m.lead_id, m.id AS message_id, m.instance_id,
        ${snapshotJson} AS data
      FROM changed m
    ), ${journalOf(statusColumns, { kind: 'status', reported: 'status', instanceId: 'instance_id' })}, ${events}
    SELECT position::int - 1 AS position, id AS "messageId", external_id AS "externalId", applied FROM settled`,
};

/**
 * $1 tenant, `leadColumns`: posted leads, one for each call, found or created → each lead by its position from 0. A number for which
 * another transaction is creating a lead is left out. So is a new number of a person who had opted out and was erased.
 */
export const receivePostedLeads: NamedStatement = {
  name: 'receive-posted-leads',
  text: `WITH item AS (
      SELECT i.*, coalesce(i.posted_source, t.webhook_source_label, i.default_source) AS touch_source, known.lead_id AS known_id
      FROM ${leadColumns.numberedRows('i')}
      JOIN tenants t ON t.id = $1
      LEFT JOIN LATERAL (
        SELECT d.lead_id FROM lead_identities d
        WHERE d.tenant_id = $1 AND d.kind = 'PHONE' AND d.match_key = i.match_key LIMIT 1
      ) known ON true
    ), identified AS (
      INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
      SELECT $1, 'PHONE', match_key, number, new_id FROM item WHERE known_id IS NULL AND NOT ${mayBeSuppressed('opt_out_digest')}
      ORDER BY match_key, position
      ON CONFLICT DO NOTHING
      RETURNING match_key, lead_id
    ), created AS (
      INSERT INTO leads (tenant_id, id, name, chat, number_validity, source, updated_at, ${broughtNames.join(', ')})
      SELECT $1, i.new_id, coalesce(i.posted_name, i.number), i.number, i.validity, i.touch_source, now(), ${broughtNames.join(', ')}
      FROM item i JOIN identified d ON d.lead_id = i.new_id
      RETURNING ${intakeSql((column) => column)}
    ), answered AS (
      SELECT i.position, true AS is_new, c.*
      FROM item i JOIN identified d ON d.match_key = i.match_key JOIN created c ON c.id = d.lead_id
      UNION ALL
      SELECT i.position, false, ${intakeSql((column) => `l.${column}`)}
      FROM item i CROSS JOIN LATERAL (SELECT * FROM leads WHERE tenant_id = $1 AND id = i.known_id LIMIT 1) l
    ), settled AS (
      SELECT i.*, ${intakeSql((column) => `a.${column} AS lead_${column}`)}, a.is_new AND a.id = i.new_id AS created,
        jsonb_build_object(${intakeSql((column, field) => `'${field}', ${field.endsWith('At') ? isoTime(`a.${column}`) : `a.${column}`}`)},
          'created', a.is_new AND a.id = i.new_id) AS result
      FROM item i JOIN answered a ON a.position = i.position
    ), touched AS (
      INSERT INTO lead_touches (tenant_id, id, lead_id, source, metadata)
      SELECT $1, touch_id, lead_id, touch_source, metadata FROM settled
    ), logged_changes AS (
      SELECT position, 'LEAD_CREATED' AS type, lead_id, NULL::uuid AS message_id, NULL::uuid AS instance_id,
        NULL::jsonb AS data
      FROM settled WHERE created
    ), ${journalOf(leadColumns, { kind: 'lead' })}, ${events}
    SELECT position::int - 1 AS position, ${intakeSql((column, field) => `lead_${column} AS "${field}"`)}, created FROM settled`,
};
