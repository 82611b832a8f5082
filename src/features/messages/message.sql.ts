// The hot statements of messages as they are taken in, and the state of a message that events store.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { heldLeads, positionBehind } from '../leads/conversation/position.js';
import { bodyOf, choiceOf, isPlaceholder, mediaOf, typedKeyOf, type ExternalKey, type NewMessage } from './reported.js';
import type { ReportedStatus } from '../../providers/reported.js';
import { maxShortWords } from '../tenants/keyword-form.js';
import { optOutKeys } from '../tenants/tenant.sql.js';

/** A message's fields that change after it was written. Events store them. */
export interface MessageSnapshot {
  id: string;
  leadId: string;
  status: string | null;
  externalId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
}

/** A snapshot with the instance of its message. The instance never changes, so events name it beside the snapshot. */
export interface MessageAtChange extends MessageSnapshot {
  instanceId: string;
}

/** A message whose status has changed. */
export interface ChangedMessage extends MessageAtChange {
  /** True if the message becomes an answer to its lead, or stops being one. */
  movesAnswer: boolean;
}

/** The `MessageSnapshot` of a message `m` as jsonb. */
export const snapshotJson = `jsonb_build_object('id', m.id, 'leadId', m.lead_id, 'status', m.status, 'externalId', m.external_id,
  'errorCode', m.error_code, 'errorMessage', m.error_message, 'sentAt', m.sent_at, 'deliveredAt', m.delivered_at,
  'readAt', m.read_at, 'failedAt', m.failed_at)`;

/** The parts of a snapshot that sending sets. */
export const unsent = {
  externalId: null,
  errorCode: null,
  errorMessage: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
};

/** The columns of `MessageAtChange`, for a message `m`. */
export const snapshotColumns = `m.id, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.status, m.external_id AS "externalId",
  m.error_code AS "errorCode", m.error_message AS "errorMessage", m.sent_at AS "sentAt",
  m.delivered_at AS "deliveredAt", m.read_at AS "readAt", m.failed_at AS "failedAt"`;

/**
 * A condition for tenant $1: a text is short and holds a keyword that opts out, but is no keyword itself.
 * @param key the message's `typedKeyOf`, in SQL
 */
export function mayWantToStop(key: string): string {
  return `coalesce(length(${key}) - length(replace(${key}, ' ', '')) < ${maxShortWords} AND EXISTS (
    SELECT FROM unnest(${optOutKeys}) k WHERE ${key} <> k AND strpos(' ' || ${key} || ' ', ' ' || k || ' ') > 0), false)`;
}

export const newMessageColumns = new Columns<NewMessage>({
  id: ['uuid', ({ id }) => id],
  lead_id: ['uuid', ({ leadId }) => leadId],
  past_position: ['bigint', ({ pastPosition }) => pastPosition],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  direction: ['message_direction', ({ message }) => message.direction],
  type: ['text', ({ message }) => message.type],
  body: ['text', ({ message }) => bodyOf(message)],
  media: ['jsonb', ({ message }) => mediaOf(message)],
  external_id: ['text', ({ message }) => message.externalId],
  reply_to: ['text', ({ message }) => message.replyTo],
  written_at: ['timestamptz', ({ message }) => message.timestamp],
  transition_id: ['uuid', ({ message }) => (message.direction === 'OUTBOUND' ? newRecordId() : null)],
  stored_at: ['timestamptz', ({ recoveredFrom }) => recoveredFrom],
  choice: ['jsonb', ({ message }) => choiceOf(message)],
  is_forwarded: ['boolean', ({ message }) => message.isForwarded ?? false],
  is_notice: ['boolean', ({ message }) => message.isNotice ?? false],
  is_placeholder: ['boolean', ({ message }) => isPlaceholder(message)],
  typed_key: ['text', ({ message }) => typedKeyOf(message)],
  referral: ['jsonb', ({ message }) => (message.referral === undefined ? null : JSON.stringify(message.referral))],
});

/**
 * $1 tenant, `newMessageColumns` → the inserted messages. Locks their leads, so that each message stands behind those that are recorded, in
 * the order of the rows. A message is left out if its instance already has its provider id. A message that
 * was written on the phone (OUTBOUND) is SENT. A message of a history counts as stored when it was written, so that it is counted and
 * answered among the messages of that time; `received_at` has the time of its arrival. It stands where its reading has placed it, or by
 * that time.
 */
export const insertReportedMessages: NamedStatement = {
  name: 'insert-reported-messages',
  text: `WITH ${heldLeads(newMessageColumns.array('lead_id'))}, written AS (
      INSERT INTO messages (tenant_id, id, lead_id, position, instance_id, direction, status, type, body, media, external_id,
        reply_to_external_id, provider_timestamp, received_at, sent_at, created_at, choice, is_forwarded, is_notice, is_placeholder,
        may_want_to_stop, referral)
      SELECT $1, i.id, lead_id, coalesce(past_position, CASE WHEN stored_at IS NOT NULL THEN message_position(least(stored_at, now())) END,
          ${positionBehind('coalesce(h.last, message_position(now()))', 'row_number() OVER (PARTITION BY lead_id ORDER BY i.position)')}),
        instance_id, direction, CASE WHEN direction = 'OUTBOUND' THEN 'SENT'::message_status END, type,
        body, media, external_id, reply_to, written_at, CASE WHEN direction = 'INBOUND' THEN now() END,
        CASE WHEN direction = 'OUTBOUND' THEN least(written_at, now()) END, least(coalesce(stored_at, now()), now()),
        choice, is_forwarded, is_notice, is_placeholder, ${mayWantToStop('typed_key')}, referral
      FROM ${newMessageColumns.numberedRows('i')} LEFT JOIN held h ON h.id = i.lead_id
      ORDER BY instance_id, external_id
      ON CONFLICT (tenant_id, instance_id, external_id) DO NOTHING
      RETURNING id, lead_id, position, instance_id, external_id, direction, sent_at
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, detail, occurred_at)
      SELECT $1, t.transition_id, w.id, 'SENT', 'gateway', 'written on the phone', coalesce(w.sent_at, now())
      FROM written w JOIN ${newMessageColumns.rows('t', ['id', 'transition_id'])} ON t.id = w.id
      WHERE w.direction = 'OUTBOUND'
    )
    SELECT id, lead_id AS "leadId", instance_id AS "instanceId", external_id AS "externalId", position, sent_at AS "sentAt" FROM written`,
};

export const echoColumns = new Columns<NewMessage>({
  lead_id: ['uuid', ({ leadId }) => leadId],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ message }) => message.externalId],
  body: ['text', ({ message }) => bodyOf(message)],
  has_media: ['boolean', ({ message }) => mediaOf(message) !== null],
  written_at: ['timestamptz', ({ message }) => message.timestamp],
});

/** The clocks of a network and of our database may differ by this much. */
const clockDifference = "interval '5 minutes'";

/**
 * $1 tenant, `echoColumns` → the send of each echo, by the echo's position from 0. The send went to that lead, may have left by an attempt
 * that is no later than the echo, has the same text, a file or none as well, and no provider id yet. If several sends are alike, the oldest
 * gets the first echo. An echo has no send if a message has its id already.
 * @param mayHaveLeft a condition for a message `m` and the time of an echo in `writtenAt`
 */
export const adoptEchoes = (mayHaveLeft: (writtenAt: string) => string): NamedStatement => ({
  name: 'adopt-echoes',
  text: `WITH echo AS (
      SELECT e.*, row_number() OVER (PARTITION BY lead_id, instance_id, body ORDER BY position) AS place
      FROM ${echoColumns.numberedRows('e')}
      WHERE NOT EXISTS (
        SELECT FROM messages o WHERE o.tenant_id = $1 AND o.instance_id = e.instance_id AND o.external_id = e.external_id)
    ), send AS (
      SELECT m.id, m.lead_id, m.position, m.instance_id, coalesce(m.body, m.media->>'caption') AS body FROM messages m
      WHERE m.tenant_id = $1 AND m.lead_id = ANY(${echoColumns.array('lead_id')}) AND m.direction = 'OUTBOUND' AND m.status = 'SENDING'
        AND m.external_id IS NULL AND EXISTS (
          SELECT FROM echo e WHERE e.lead_id = m.lead_id AND e.instance_id = m.instance_id
            AND e.body IS NOT DISTINCT FROM coalesce(m.body, m.media->>'caption') AND e.has_media = (m.media IS NOT NULL)
            AND ${mayHaveLeft(`e.written_at + ${clockDifference}`)})
      ORDER BY m.id FOR NO KEY UPDATE
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY lead_id, instance_id, body ORDER BY position, id) AS place FROM send
    )
    SELECT e.position::int - 1 AS position, p.id FROM echo e
    JOIN placed p ON p.lead_id = e.lead_id AND p.instance_id = e.instance_id AND p.place = e.place
      AND p.body IS NOT DISTINCT FROM e.body`,
});

/**
 * A condition: a message `m` came without its content, and waits for it. Messages from before the mark are known by their type, unless they
 * were deleted.
 */
export const waitsForContent = `(m.is_placeholder OR (m.type = 'unknown' AND m.body IS NULL AND m.media IS NULL AND m.choice IS NULL
  AND m.deleted_at IS NULL))`;

export const externalKeyColumns = new Columns<ExternalKey>({
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ externalId }) => externalId],
});

/** A message in a gateway's history, with its status there. */
export interface PastPlace extends ExternalKey {
  status: ReportedStatus['status'] | null;
}

export const pastPlaceColumns = new Columns<PastPlace>({
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ externalId }) => externalId],
  status: ['message_status', ({ status }) => status],
});

/**
 * $1 tenant, `pastPlaceColumns` → the messages with these provider ids. `rises` is true if the status counts for an outbound message, and
 * `waitsForContent` if the message came without its content. For use outside of transactions.
 */
export const selectPlacesByExternalId: NamedStatement = {
  name: 'select-places-by-external-id',
  text: `SELECT found.* FROM ${pastPlaceColumns.rows('w')}
    CROSS JOIN LATERAL (
      SELECT m.id, m.position, m.external_id AS "externalId",
        coalesce(m.direction = 'OUTBOUND' AND message_status_rises(m.status, w.status), false) AS rises,
        ${waitsForContent} AS "waitsForContent"
      FROM messages m
      WHERE m.tenant_id = $1 AND m.instance_id = w.instance_id AND m.external_id = w.external_id LIMIT 1
    ) found`,
};

/** $1 tenant, `externalKeyColumns` → the messages with these keys. `waitsForContent` is true if a message came without its content. */
export const selectMessagesByExternalId: NamedStatement = {
  name: 'select-messages-by-external-id',
  text: `SELECT found.* FROM ${externalKeyColumns.rows('w')}
    CROSS JOIN LATERAL (
      SELECT m.id, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.external_id AS "externalId", m.direction,
        ${waitsForContent} AS "waitsForContent" FROM messages m
      WHERE m.tenant_id = $1 AND m.instance_id = w.instance_id AND m.external_id = w.external_id LIMIT 1
    ) found`,
};

/** $1 tenant, $2 message ids → the identities of their leads. */
export const selectRecipients: NamedStatement = {
  name: 'select-recipients',
  text: `SELECT m.id AS "messageId", i.kind, i.value, i.match_key AS "matchKey" FROM messages m
    JOIN lead_identities i ON i.tenant_id = m.tenant_id AND i.lead_id = m.lead_id
    WHERE m.tenant_id = $1 AND m.id = ANY($2::uuid[]) ORDER BY i.created_at, i.kind, i.match_key`,
};
