// The statements that queue many messages at once, and take back those that no worker has taken.

import type { NamedStatement } from '../../platform/database.js';
import { isUnsent, isUntaken } from './cancel-retry.sql.js';
import { snapshotColumns } from '../messages/message.sql.js';

/**
 * $1 tenant; columns in the order of acceptance: $2 ids, $3 leads, $4 texts, $5 transition ids; of all of them: $6 instance, $7 author,
 * $8 template, $9 its version, $10 bulk send, $11 priority, $12 when to leave (null, or past: at once); $13 column: the network's
 * templates that they are, or null → the first one's place in the queue.
 */
export const insertQueuedTexts: NamedStatement = {
  name: 'insert-queued-texts',
  text: `WITH item AS (
      SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $13::jsonb[])
        AS i (id, lead_id, body, transition_id, channel_template)
    ), written AS (
      INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, author_id, template_id,
        template_version, bulk_send_id, scheduled_for, channel_template)
      SELECT $1, id, lead_id, $6, 'OUTBOUND', 'QUEUED', CASE WHEN channel_template IS NULL THEN 'text' ELSE 'template' END, body,
        $7, $8, $9, $10, CASE WHEN $12::timestamptz > now() THEN $12::timestamptz END, channel_template FROM item
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
      SELECT $1, transition_id, id, 'QUEUED', 'user', now() FROM item
    ), waiting AS (
      INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, priority, scheduled_at)
      SELECT $1, id, lead_id, $6, $11, CASE WHEN $12::timestamptz > now() THEN $12::timestamptz END FROM item
      RETURNING position
    )
    SELECT min(position) AS position FROM waiting`,
};

/**
 * $1 tenant, $2 priority, $3 place in the queue → the leads with a reply that was accepted while messages of that priority were being
 * queued, from that place on, and its priority and place. Under the locks of their leads.
 */
export const selectRepliesSince: NamedStatement = {
  name: 'select-replies-since',
  text: `SELECT o.lead_id AS "leadId", min(o.priority) AS priority, max(o.position) AS position
    FROM chat_instances i CROSS JOIN LATERAL (
      SELECT lead_id, priority, position FROM outbox_entries
      WHERE tenant_id = $1 AND instance_id = i.id AND scheduled_at IS NULL AND priority < $2 AND position > $3
    ) o
    WHERE i.tenant_id = $1 GROUP BY o.lead_id`,
};

/**
 * $1 tenant, $2 bulk send → its messages that wait for their turn, their time or their next attempt and are not claimed, locked.
 * Under the tenant lock no claim is under way, so what this waits for is short.
 */
export const lockUntakenOfBulkSend = `SELECT o.message_id AS id FROM messages m
  JOIN outbox_entries o ON o.tenant_id = m.tenant_id AND o.message_id = m.id
  WHERE m.tenant_id = $1 AND m.bulk_send_id = $2 AND m.status IN ('QUEUED', 'SENDING') AND ${isUntaken}
  ORDER BY m.id FOR UPDATE OF o`;

/**
 * $1 tenant, columns of messages that are locked in the outbox: $2 ids, $3 transition ids → those that are canceled now. Of those that
 * were tried, none that may have been sent.
 */
export const cancelUntaken = `WITH target AS (
    SELECT m.id, m.status, i.transition_id FROM unnest($2::uuid[], $3::uuid[]) AS i (id, transition_id)
    JOIN messages m ON m.tenant_id = $1 AND m.id = i.id
    WHERE ${isUnsent} ORDER BY m.id FOR NO KEY UPDATE OF m
  ), canceled AS (
    UPDATE messages m SET status = 'CANCELED', error_code = NULL, error_message = NULL FROM target t
    WHERE m.tenant_id = $1 AND m.id = t.id RETURNING m.*
  ), explained AS (
    INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, detail, occurred_at)
    SELECT $1, transition_id, id, status, 'CANCELED', 'user', 'canceled', now() FROM target
  ), left_the_outbox AS (
    DELETE FROM outbox_entries o USING target t WHERE o.tenant_id = $1 AND o.message_id = t.id
  )
  SELECT ${snapshotColumns} FROM canceled m ORDER BY m.id`;
