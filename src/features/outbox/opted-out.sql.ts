// The statements that keep messages from leads that have opted out, and answer them.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { needsConsent } from '../consent/consent.sql.js';
import type { OptOutAnswer } from '../consent/consent-intake.service.js';
import { snapshotColumns } from '../messages/message.sql.js';
import { isUnsent } from './cancel-retry.sql.js';

/** $1 tenant, $2 leads → the messages to them that wait, need consent, and are no worker's now. */
export const selectWithoutConsent: NamedStatement = {
  name: 'select-waiting-without-consent',
  text: `SELECT o.message_id AS id FROM outbox_entries o JOIN messages m ON m.tenant_id = o.tenant_id AND m.id = o.message_id
    WHERE o.tenant_id = $1 AND o.lead_id = ANY($2::uuid[]) AND (o.lease_until IS NULL OR o.lease_until <= now()) AND ${needsConsent}
    ORDER BY o.message_id`,
};

/**
 * $1 tenant; columns: $2 messages that are not to be sent, $3 transition ids; $4 code, $5 detail; of those that may have been sent: $6
 * code, $7 detail → those that left the outbox: CANCELED, or, if an attempt has no answer that says that it was not sent, SENDING for an
 * operator to decide on. A message that a worker has now is left to it.
 */
export const endWaitingMessages: NamedStatement = {
  name: 'end-waiting-messages',
  text: `WITH held AS (
      SELECT o.message_id, o.unconfirmed_since, i.transition_id FROM unnest($2::uuid[], $3::uuid[]) AS i (message_id, transition_id)
      JOIN outbox_entries o ON o.tenant_id = $1 AND o.message_id = i.message_id
      WHERE o.message_id = ANY($2::uuid[]) AND (o.lease_until IS NULL OR o.lease_until <= now())
      ORDER BY o.message_id FOR UPDATE OF o
    ), target AS (
      SELECT m.id, m.status, h.transition_id, h.unconfirmed_since IS NULL AND ${isUnsent} AS is_unsent
      FROM held h JOIN messages m ON m.tenant_id = $1 AND m.id = h.message_id
      WHERE m.status IN ('QUEUED', 'SENDING') ORDER BY m.id FOR NO KEY UPDATE OF m
    ), ended AS (
      UPDATE messages m SET status = CASE WHEN t.is_unsent THEN 'CANCELED' ELSE m.status END,
        error_code = CASE WHEN t.is_unsent THEN $4 ELSE $6 END, error_message = CASE WHEN t.is_unsent THEN $5 ELSE $7 END
      FROM target t WHERE m.tenant_id = $1 AND m.id = t.id RETURNING m.*
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, provider_code, detail,
        occurred_at)
      SELECT $1, transition_id, id, status, 'CANCELED', 'system', $4, $5, now() FROM target WHERE is_unsent
    ), left_the_outbox AS (
      DELETE FROM outbox_entries o USING held h WHERE o.tenant_id = $1 AND o.message_id = h.message_id
    )
    SELECT ${snapshotColumns} FROM ended m ORDER BY m.id`,
};

/**
 * $1 tenant, $2 leads, $3 how many ms before the end of its lease a first attempt that needs consent has certainly ended → a row while one
 * of these leads' messages that need consent may be on its way.
 */
export const selectOnTheWay: NamedStatement = {
  name: 'select-without-consent-on-the-way',
  text: `SELECT FROM outbox_entries o JOIN messages m ON m.tenant_id = o.tenant_id AND m.id = o.message_id
    WHERE o.tenant_id = $1 AND o.lead_id = ANY($2::uuid[]) AND ${needsConsent}
      AND o.lease_until > clock_timestamp() + CASE WHEN o.attempt_count = 1 THEN $3::int ELSE 0 END * interval '1 ms' LIMIT 1`,
};

export const answerColumns = new Columns<OptOutAnswer>(
  {
    id: ['uuid', newRecordId],
    lead_id: ['uuid', ({ leadId }) => leadId],
    instance_id: ['uuid', ({ instanceId }) => instanceId],
    transition_id: ['uuid', newRecordId],
  },
  3,
);

/**
 * $1 tenant, $2 text, `answerColumns` → the queued messages, by lead. They have no author, and the transition at their beginning comes from
 * `system`. A lead without a number gets none.
 */
export const insertAnswers: NamedStatement = {
  name: 'insert-opt-out-answers',
  text: `WITH item AS (
      SELECT i.* FROM ${answerColumns.rows('i')}
      JOIN leads l ON l.tenant_id = $1 AND l.id = i.lead_id AND l.chat IS NOT NULL
      JOIN chat_instances c ON c.tenant_id = $1 AND c.id = i.instance_id AND c.deleted_at IS NULL
    ), written AS (
      INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, is_automatic)
      SELECT $1, id, lead_id, instance_id, 'OUTBOUND', 'QUEUED', 'text', $2, true FROM item
      RETURNING id, position
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, detail, occurred_at)
      SELECT $1, transition_id, id, 'QUEUED', 'system', 'answers an opt-out', now() FROM item
    ), waiting AS (
      INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id) SELECT $1, id, lead_id, instance_id FROM item
    )
    SELECT i.id, i.lead_id AS "leadId", i.instance_id AS "instanceId", w.position FROM item i JOIN written w ON w.id = i.id`,
};
