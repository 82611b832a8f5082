// The statements that find and mark messages which the gateway accepted and never reported on.

import type { NamedStatement } from '../../platform/database.js';
import { snapshotColumns } from '../messages/message.sql.js';

/**
 * $1 deadline in minutes, $2 days, $3 and $4 the last send that was looked at (a time and an id; -infinity and the lowest at first),
 * $5 limit → what was sent since, the longest ago first, up to the deadline: `overdue` where no report came. What was written on the
 * phone is nobody's send. Those that were sent days before the deadline are left: a new deadline does not look back further.
 */
export const selectPastDeadline: NamedStatement = {
  name: 'select-messages-past-deadline',
  text: `SELECT tenant_id AS "tenantId", id, sent_at::text AS "sentAt", status = 'SENT' AND error_code IS NULL AS overdue FROM messages
    WHERE author_id IS NOT NULL
      AND sent_at < now() - make_interval(mins => $1::int)
      AND sent_at > now() - make_interval(mins => $1::int, days => $2::int)
      AND sent_at >= $3::timestamptz AND (sent_at, id) > ($3::timestamptz, $4::uuid)
    ORDER BY sent_at, id LIMIT $5`,
};

/** $1 tenant, $2 messages, $3 code, $4 detail → those that still have no report. */
export const markOverdue: NamedStatement = {
  name: 'mark-overdue-messages',
  text: `WITH target AS (
      SELECT id FROM messages WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE messages m SET error_code = $3, error_message = $4 FROM target t
    WHERE m.tenant_id = $1 AND m.id = t.id AND m.id = ANY($2::uuid[]) AND m.status = 'SENT' AND m.error_code IS NULL
    RETURNING ${snapshotColumns}`,
};
