// The statements that find out which bulk sends have come further.

import type { NamedStatement } from '../../platform/database.js';

/** $1 tenant, $2 when the last of its messages may leave, null for now. Reports of them may come for days. */
export const watchBulkSends: NamedStatement = {
  name: 'watch-bulk-sends',
  text: `INSERT INTO bulk_send_watches AS w (tenant_id, seq, told_at, active_until)
    SELECT $1, coalesce((SELECT h.last_seq FROM event_heads h WHERE h.tenant_id = $1), 0), '-infinity',
      greatest($2::timestamptz, now()) + interval '7 days'
    ON CONFLICT (tenant_id) DO UPDATE SET active_until = greatest(w.active_until, EXCLUDED.active_until)`,
};

/** $1 ms → the tenants with bulk sends, and with events that were not looked at, who were told of nothing for so long. */
export const selectWatchedTenants: NamedStatement = {
  name: 'select-watched-bulk-send-tenants',
  text: `SELECT w.tenant_id AS "tenantId" FROM bulk_send_watches w JOIN event_heads h ON h.tenant_id = w.tenant_id
    WHERE w.active_until > now() AND h.last_seq > w.seq AND w.told_at <= now() - $1::int * interval '1 ms'`,
};

/** $1 tenant, $2 most events, $3 ms → from where to where to look; nothing where another process does. */
export const holdBulkSendWatch: NamedStatement = {
  name: 'hold-bulk-send-watch',
  text: `SELECT w.seq, least(h.last_seq, w.seq + $2::int) AS "untilSeq"
    FROM bulk_send_watches w JOIN event_heads h ON h.tenant_id = w.tenant_id
    WHERE w.tenant_id = $1 AND h.last_seq > w.seq AND w.told_at <= now() - $3::int * interval '1 ms'
    FOR UPDATE OF w SKIP LOCKED`,
};

/** $1 tenant, $2 and $3 after and up to which event → the bulk sends whose messages have changed. */
export const selectBulkSendsOfEvents: NamedStatement = {
  name: 'select-bulk-sends-of-events',
  text: `SELECT DISTINCT m.bulk_send_id AS id FROM events e
    JOIN messages m ON m.tenant_id = e.tenant_id AND m.id = e.message_id
    WHERE e.tenant_id = $1 AND e.seq > $2::bigint AND e.seq <= $3::bigint AND e.type = 'MESSAGE_STATUS_CHANGED'
      AND m.bulk_send_id IS NOT NULL`,
};

/** $1 tenant, $2 up to which event it was looked at, $3 whether something was told. */
export const setBulkSendWatch: NamedStatement = {
  name: 'set-bulk-send-watch',
  text: `UPDATE bulk_send_watches SET seq = $2::bigint, told_at = CASE WHEN $3::bool THEN now() ELSE told_at END
    WHERE tenant_id = $1`,
};
