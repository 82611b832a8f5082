// The statements by which an operator cancels or retries messages, one or those of a bulk send.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { hasReplyWindow } from '../chat-instances/chat-instance.sql.js';
import { isWindowClosed } from '../messages/reply-window/reply-window.sql.js';
import { refusesMessage } from '../consent/consent.sql.js';
import { snapshotColumns } from '../messages/message.sql.js';
import { mayHaveLeft, outboxEntry, raiseEarlier } from './outbox.sql.js';

/** True if an outbox entry `o` is not claimed. A lease that has ended means that its worker died: the message may have been sent. */
export const isUntaken = '(o.lease_until IS NULL AND o.unconfirmed_since IS NULL)';

/** True if a message `m` of tenant $1 that is not claimed was certainly not sent: each attempt has an answer that says so. */
export const isUnsent = `(m.status = 'QUEUED' OR (m.status = 'SENDING' AND NOT ${mayHaveLeft()}))`;

/** $1 tenant, $2 message → its place in the outbox, which no worker can take until the transaction ends. */
export const lockWaiting: NamedStatement = {
  name: 'lock-waiting-message',
  text: `SELECT ${isUntaken} AS "isUntaken" FROM outbox_entries o
    WHERE o.tenant_id = $1 AND o.message_id = $2 FOR UPDATE`,
};

/** $1 tenant, $2 bulk send → its messages that may be in the outbox, in the order in which they are locked. */
export const selectOpenOfBulkSend = `SELECT id FROM messages
  WHERE tenant_id = $1 AND bulk_send_id = $2 AND status IN ('QUEUED', 'SENDING') ORDER BY id`;

/**
 * For a transaction that cancels many messages. Where the statistics are behind, as after a tenant's first bulk send, PostgreSQL expects a
 * few rows of the tenant. It would then compare each message with each.
 */
export const joinByHash = 'SET LOCAL enable_nestloop = off';

/**
 * $1 tenant, $2 messages → those that wait for their turn, their time or their next attempt and are not claimed, locked. Under the
 * tenant lock no claim is under way, so what this waits for is short.
 */
export const lockUntaken = `SELECT o.message_id AS id FROM outbox_entries o
  WHERE o.tenant_id = $1 AND o.message_id = ANY($2::uuid[]) AND ${isUntaken}
  ORDER BY o.message_id FOR UPDATE`;

export const canceledColumns = new Columns<{ id: string }>({
  id: ['uuid', ({ id }) => id],
  transition_id: ['uuid', newRecordId],
});

/**
 * $1 tenant, `canceledColumns` of messages that are locked in the outbox → those that are canceled. A message that was attempted is
 * canceled only if each attempt has an answer that says that it was not sent. Not prepared: the plan depends on the number of messages. The
 * ids stand at each table once more, so that no join reads more rows than these.
 */
export const cancelUnsent = `WITH target AS (
      SELECT m.id, m.status, i.transition_id FROM ${canceledColumns.rows('i')}
      JOIN messages m ON m.tenant_id = $1 AND m.id = i.id
      WHERE m.id = ANY(${canceledColumns.array('id')}) AND ${isUnsent} ORDER BY m.id FOR NO KEY UPDATE OF m
    ), canceled AS (
      UPDATE messages m SET status = 'CANCELED', error_code = NULL, error_message = NULL FROM target t
      WHERE m.tenant_id = $1 AND m.id = t.id AND m.id = ANY(${canceledColumns.array('id')}) RETURNING m.*
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, detail, occurred_at)
      SELECT $1, transition_id, id, status, 'CANCELED', 'user', 'canceled', now() FROM target
    ), left_the_outbox AS (
      DELETE FROM outbox_entries o USING target t
      WHERE o.tenant_id = $1 AND o.message_id = t.id AND o.message_id = ANY(${canceledColumns.array('id')})
    )
    SELECT ${snapshotColumns} FROM canceled m ORDER BY m.id`;

/** $1 tenant, $2 message → nothing where there is none. */
export const lockMessage: NamedStatement = {
  name: 'lock-message',
  text: 'SELECT id FROM messages WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
};

/**
 * $1 tenant, $2 message: takes it out of the outbox where it has failed by its gateway's report and waits there for another attempt, which
 * no worker has begun.
 */
export const endFailedWaiting: NamedStatement = {
  name: 'end-failed-waiting',
  text: `DELETE FROM outbox_entries o WHERE o.tenant_id = $1 AND o.message_id = $2 AND (o.lease_until IS NULL OR o.lease_until <= now())
    AND EXISTS (SELECT FROM messages m WHERE m.tenant_id = $1 AND m.id = $2 AND m.status = 'FAILED')`,
};

/** A message that an operator wants to retry. */
export interface RetriableRow {
  status: string | null;
  leadId: string;
  instanceId: string;
  externalId: string | null;
  errorCode: string | null;
  isWaiting: boolean;
  provider: string;
  isInstanceDeleted: boolean;
  /** The message is a free text, and the network takes none now. */
  isWindowClosed: boolean;
  /** The lead has opted out of the message. */
  isRefused: boolean;
  /** The source of its failure: `worker` or `gateway`. */
  failedBy: string | null;
  /** The gateway has accepted it at some time. */
  wasAccepted: boolean;
}

/** $1 tenant, $2 message that is locked. Its instance is not deleted meanwhile. */
export const selectRetriable: NamedStatement = {
  name: 'select-retriable-message',
  text: `SELECT m.status, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.external_id AS "externalId",
      m.sent_at IS NOT NULL AS "wasAccepted", m.error_code AS "errorCode", i.provider, i.deleted_at IS NOT NULL AS "isInstanceDeleted",
      ${refusesMessage('$1', 'm.lead_id', 'm.id')} AS "isRefused",
      CASE WHEN m.channel_template IS NULL AND ${hasReplyWindow('i')}
        THEN ${isWindowClosed('m.lead_id', 'm.instance_id')} ELSE false END AS "isWindowClosed",
      EXISTS (SELECT FROM outbox_entries o WHERE o.tenant_id = $1 AND o.message_id = $2) AS "isWaiting",
      (SELECT t.source FROM message_status_transitions t
        WHERE t.tenant_id = $1 AND t.message_id = $2 AND t.to_status = 'FAILED'
        ORDER BY t.recorded_at DESC, t.id DESC LIMIT 1) AS "failedBy"
    FROM messages m JOIN chat_instances i ON i.tenant_id = m.tenant_id AND i.id = m.instance_id
    WHERE m.tenant_id = $1 AND m.id = $2 FOR KEY SHARE OF i`,
};

/**
 * $1 tenant, $2 transition id, `outboxEntry`, $6 the status that the message has, $7 whether it keeps the provider id that was reserved for
 * it. It goes back to QUEUED, which the rank rule forbids elsewhere. The attempts that were made keep their place in the limit's window,
 * and no longer count towards giving up.
 */
export const requeueMessage: NamedStatement = {
  name: 'requeue-message',
  text: `WITH entry AS (
      SELECT NULL::timestamptz AS scheduled_at
    ), changed AS (
      UPDATE messages m SET status = 'QUEUED', external_id = CASE WHEN $7::boolean THEN m.external_id END, error_code = NULL, error_message = NULL, failed_at = NULL,
        sent_at = NULL
      WHERE m.tenant_id = $1 AND m.id = ${outboxEntry.value('message_id')} RETURNING m.*
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, detail, occurred_at)
      VALUES ($1, $2, ${outboxEntry.value('message_id')}, $6, 'QUEUED', 'user', 'to be sent again', now())
    ), attempted AS (
      UPDATE send_attempts SET outcome = 'retried' WHERE tenant_id = $1 AND message_id = ${outboxEntry.value('message_id')}
      RETURNING number
    ), ${raiseEarlier(outboxEntry.value('lead_id'))}, waiting AS (
      INSERT INTO outbox_entries (tenant_id, ${outboxEntry.names}, attempt_count)
      SELECT $1, ${outboxEntry.values}, coalesce(max(number) FILTER (WHERE number > 0), 0) FROM attempted
    )
    SELECT ${snapshotColumns} FROM changed m`,
};
