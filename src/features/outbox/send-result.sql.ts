// The statements that store what a gateway answered.

import type { NamedStatement } from '../../platform/database.js';
import { snapshotColumns } from '../messages/message.sql.js';

/**
 * $1 tenant; columns: $2 messages, $3 their instances, $4 provider ids, $5 attempts, $6 transition ids, $7 how many ms
 * ago the answers came → those that became SENT. A provider id that another message of the instance has already is not stored
 * twice: the message is sent all the same, and its statuses go to the one that had the id first. Under the locks of the provider ids.
 */
export const storeAccepted: NamedStatement = {
  name: 'store-accepted',
  text: `WITH item AS (
      SELECT $1::uuid AS tenant_id, i.*
      FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::uuid[], $7::float[])
        AS i (id, instance_id, external_id, attempt, transition_id, ago_ms)
    ), target AS (
      SELECT i.*, m.status AS from_status, message_status_rises(m.status, 'SENT') AS rises
      FROM item i JOIN messages m ON m.tenant_id = $1 AND m.id = i.id AND m.id = ANY($2::uuid[])
      ORDER BY m.id FOR NO KEY UPDATE OF m
    ), named AS (
      SELECT t.*, row_number() OVER (PARTITION BY t.instance_id, t.external_id ORDER BY t.id) = 1 AND NOT EXISTS (
        SELECT FROM messages o WHERE o.tenant_id = $1 AND o.instance_id = t.instance_id AND o.external_id = t.external_id
      ) AS takes_id
      FROM target t
    ), changed AS (
      UPDATE messages m SET
        external_id = CASE WHEN n.takes_id THEN n.external_id ELSE m.external_id END,
        status = CASE WHEN n.rises THEN 'SENT' ELSE m.status END,
        sent_at = CASE WHEN n.rises THEN now() ELSE coalesce(m.sent_at, now()) END,
        error_code = CASE WHEN n.rises THEN NULL ELSE m.error_code END,
        error_message = CASE WHEN n.rises THEN NULL ELSE m.error_message END
      FROM named n
      WHERE m.tenant_id = n.tenant_id AND m.id = n.id
      RETURNING m.*, n.rises, n.from_status, n.transition_id
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
      SELECT $1, transition_id, id, from_status, 'SENT', 'worker', now() FROM changed WHERE rises
    ), finished AS (
      UPDATE send_attempts a SET finished_at = clock_timestamp() - i.ago_ms * interval '1 ms', outcome = 'accepted' FROM item i
      WHERE a.tenant_id = i.tenant_id AND a.message_id = i.id AND a.number = i.attempt
    ), left_the_outbox AS (
      DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = ANY($2::uuid[])
    )
    SELECT ${snapshotColumns} FROM changed m WHERE m.rises ORDER BY m.id`,
};

/** $1 tenant, columns: $2 messages, $3 their instances, $4 provider ids → what was parked of these, lowest status first. */
export const takeParkedOfMany: NamedStatement = {
  name: 'take-parked-of-many',
  text: `WITH taken AS (
      DELETE FROM parked_statuses p USING unnest($2::uuid[], $3::uuid[], $4::text[]) AS w (message_id, instance_id, external_id)
      WHERE p.tenant_id = $1 AND p.instance_id = w.instance_id AND p.external_id = w.external_id
      RETURNING w.message_id, p.id, p.status, p.provider_code, p.detail, p.occurred_at
    )
    SELECT message_id AS "messageId", status, provider_code AS "providerCode", detail, occurred_at AS "occurredAt"
    FROM taken ORDER BY status, id`,
};

/** $1 tenant, $2 message, $3 attempt, $4 outcome, $5 detail, $6 how many ms ago the answer came. */
export const finishAttempt: NamedStatement = {
  name: 'finish-attempt',
  text: `UPDATE send_attempts SET finished_at = clock_timestamp() - $6::float * interval '1 ms', outcome = $4, detail = $5
    WHERE tenant_id = $1 AND message_id = $2 AND number = $3`,
};

/** $1 tenant, $2 message. */
export const deleteOutboxEntry: NamedStatement = {
  name: 'delete-outbox-entry',
  text: 'DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = $2',
};

/** $1 tenant, $2 message, $3 attempt → a row unless a later attempt has the message in its hands. */
export const lockOutboxEntry: NamedStatement = {
  name: 'lock-outbox-entry',
  text: `SELECT message_id FROM outbox_entries
    WHERE tenant_id = $1 AND message_id = $2 AND attempt_count = $3 FOR UPDATE`,
};

/** $1 tenant, $2 message, $3 delay in ms, $4 whether it may have been sent all the same: then from when this attempt was granted on. */
export const postponeOutboxEntry: NamedStatement = {
  name: 'postpone-outbox-entry',
  text: `UPDATE outbox_entries o SET lease_until = NULL, due_at = now() + $3::int * interval '1 ms',
      unconfirmed_since = CASE WHEN $4 THEN coalesce(o.unconfirmed_since, (
        SELECT granted_at FROM send_attempts
        WHERE tenant_id = o.tenant_id AND message_id = o.message_id AND number = o.attempt_count), now()) END
    WHERE o.tenant_id = $1 AND o.message_id = $2`,
};

/** $1 tenant; columns: $2 messages, $3 attempts → attempts that were granted and not made, unless a later one has the message. */
export const releaseClaims: NamedStatement = {
  name: 'release-claims',
  text: `WITH unused AS (
      UPDATE send_attempts a SET finished_at = clock_timestamp(), outcome = 'retried', detail = 'not sent: the worker ended'
      FROM unnest($2::uuid[], $3::int[]) AS w (message_id, attempt)
      WHERE a.tenant_id = $1 AND a.message_id = w.message_id AND a.number = w.attempt
    )
    UPDATE outbox_entries o SET lease_until = NULL FROM unnest($2::uuid[], $3::int[]) AS w (message_id, attempt)
    WHERE o.tenant_id = $1 AND o.message_id = w.message_id AND o.attempt_count = w.attempt`,
};

/** $1 tenant, $2 message, $3 code, $4 detail → a message that waits for somebody's decision, where it has not got on by itself. */
export const leaveUnconfirmed: NamedStatement = {
  name: 'leave-unconfirmed',
  text: `UPDATE messages m SET error_code = $3, error_message = $4
    WHERE m.tenant_id = $1 AND m.id = $2 AND m.status = 'SENDING' RETURNING ${snapshotColumns}`,
};

/** $1 tenant, $2 instance, $3 pause in ms, $4 why. A pause that lasts longer stays. */
export const pauseInstance: NamedStatement = {
  name: 'pause-instance',
  text: `UPDATE chat_instances SET outbound_paused_until = now() + $3::int * interval '1 ms', outbound_pause_reason = $4
    WHERE tenant_id = $1 AND id = $2
      AND (outbound_paused_until IS NULL OR outbound_paused_until < now() + $3::int * interval '1 ms')`,
};

/**
 * $1 tenant, $2 instances: what was sent through them shows that they are back. A pause that has begun since, because a send from before
 * was turned away, goes on.
 */
export const endPauses: NamedStatement = {
  name: 'end-pauses',
  text: `UPDATE chat_instances SET outbound_paused_until = NULL, outbound_pause_reason = NULL
    WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND outbound_paused_until <= now()`,
};
