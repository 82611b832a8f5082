// The statements of bulk sends. Their messages are written by the outbox.

import { Row } from '../../platform/database/columns.js';
import type { NamedStatement, Prisma } from '../../platform/database/database.js';

export type BulkSendRow = Prisma.BulkSendGetPayload<object>;

const columns = `tenant_id AS "tenantId", id, template_id AS "templateId", template_version AS "templateVersion",
  instance_id AS "instanceId", author_id AS "authorId", idempotency_key AS "idempotencyKey", content_hash AS "contentHash",
  channel_template AS "channelTemplate", total, skipped, scheduled_for AS "scheduledFor",
  created_at AS "createdAt", canceled_at AS "canceledAt"`;

export const newBulkSend = new Row<
  Omit<BulkSendRow, 'tenantId' | 'scheduledFor' | 'createdAt' | 'canceledAt' | 'channelTemplate'> & {
    channelTemplate: string | null;
  }
>({
  id: ['uuid', ({ id }) => id],
  template_id: ['uuid', ({ templateId }) => templateId],
  template_version: ['int', ({ templateVersion }) => templateVersion],
  // The value is already written as JSON.
  channel_template: ['jsonb', ({ channelTemplate }) => channelTemplate],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  author_id: ['uuid', ({ authorId }) => authorId],
  idempotency_key: ['text', ({ idempotencyKey }) => idempotencyKey],
  content_hash: ['bytea', ({ contentHash }) => contentHash],
  total: ['int', ({ total }) => total],
  skipped: ['int', ({ skipped }) => skipped],
});

const sendAt = `$${newBulkSend.next}::timestamptz`;

/**
 * $1 tenant, `newBulkSend`, the time to leave → the row; nothing if the key is taken. The time is stored only while it lies ahead. Waits
 * for the end of a transaction that uses the key.
 */
export const insertBulkSend: NamedStatement = {
  name: 'insert-bulk-send',
  text: `INSERT INTO bulk_sends (tenant_id, ${newBulkSend.names}, scheduled_for)
    VALUES ($1, ${newBulkSend.values}, CASE WHEN ${sendAt} > now() THEN ${sendAt} END)
    ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${columns}`,
};

/** $1 tenant, $2 id. The time of the first call stays. */
export const markCanceled: NamedStatement = {
  name: 'mark-bulk-send-canceled',
  text: `UPDATE bulk_sends SET canceled_at = coalesce(canceled_at, now()) WHERE tenant_id = $1 AND id = $2
    RETURNING ${columns}`,
};

/** $1 tenant, $2 bulk sends → the number of their messages by status. */
export const countByStatus: NamedStatement = {
  name: 'count-bulk-sends-by-status',
  // A bulk send whose recipients were all erased has one row, without a status.
  text: `SELECT b.id, counted.status, counted.count FROM bulk_sends b
    LEFT JOIN LATERAL (
      SELECT m.status, count(*)::int AS count FROM messages m
      WHERE m.tenant_id = b.tenant_id AND m.bulk_send_id = b.id GROUP BY m.status
    ) counted ON true
    WHERE b.tenant_id = $1 AND b.id = ANY ($2::uuid[])`,
};

/** The time for which a watch goes on after the last change: a slow bulk send leaves for longer than that. */
const watchedFor = `interval '7 days'`;

/**
 * $1 tenant, $2 the time when the messages may leave, null for now. Delivery statuses may arrive for days afterwards. A watch that had
 * ended begins at the head of the event log, because what lies between is of no bulk send that is watched.
 */
export const watchBulkSends: NamedStatement = {
  name: 'watch-bulk-sends',
  text: `INSERT INTO bulk_send_watches AS w (tenant_id, seq, told_at, active_until)
    SELECT $1, coalesce((SELECT h.last_seq FROM event_heads h WHERE h.tenant_id = $1), 0), '-infinity',
      greatest($2::timestamptz, now()) + ${watchedFor}
    ON CONFLICT (tenant_id) DO UPDATE SET active_until = greatest(w.active_until, EXCLUDED.active_until),
      seq = CASE WHEN w.active_until > now() THEN w.seq ELSE EXCLUDED.seq END`,
};

/** $1 ms → tenants with bulk sends, unread events, and no progress event for that time. */
export const selectWatchedTenants: NamedStatement = {
  name: 'select-watched-bulk-send-tenants',
  text: `SELECT w.tenant_id AS "tenantId" FROM bulk_send_watches w JOIN event_heads h ON h.tenant_id = w.tenant_id
    WHERE w.active_until > now() AND h.last_seq > w.seq AND w.told_at <= now() - $1::int * interval '1 ms'`,
};

/** $1 tenant, $2 most events, $3 ms → the range of events to read; nothing if another process holds the watch. */
export const holdBulkSendWatch: NamedStatement = {
  name: 'hold-bulk-send-watch',
  text: `SELECT w.seq, least(h.last_seq, w.seq + $2::int) AS "untilSeq"
    FROM bulk_send_watches w JOIN event_heads h ON h.tenant_id = w.tenant_id
    WHERE w.tenant_id = $1 AND h.last_seq > w.seq AND w.told_at <= now() - $3::int * interval '1 ms'
    FOR UPDATE OF w SKIP LOCKED`,
};

/** $1 tenant; events after $2 up to $3 → the bulk sends whose messages have changed. */
export const selectBulkSendsOfEvents: NamedStatement = {
  name: 'select-bulk-sends-of-events',
  text: `SELECT DISTINCT m.bulk_send_id AS id FROM events e
    JOIN messages m ON m.tenant_id = e.tenant_id AND m.id = e.message_id
    WHERE e.tenant_id = $1 AND e.seq > $2::bigint AND e.seq <= $3::bigint AND e.type = 'MESSAGE_STATUS_CHANGED'
      AND m.bulk_send_id IS NOT NULL`,
};

/** $1 tenant, $2 the last event that was read, $3 true if progress was emitted. */
export const setBulkSendWatch: NamedStatement = {
  name: 'set-bulk-send-watch',
  text: `UPDATE bulk_send_watches SET seq = $2::bigint, told_at = CASE WHEN $3::bool THEN now() ELSE told_at END,
      active_until = CASE WHEN $3::bool THEN greatest(active_until, now() + ${watchedFor}) ELSE active_until END
    WHERE tenant_id = $1`,
};
