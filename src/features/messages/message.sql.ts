// The hot statements of messages: intake, status changes, sending.

import type { NamedStatement } from '../../platform/database.js';

/** A message's fields that change after it was written, as events keep them. */
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

const snapshotColumns = `m.id, m.lead_id AS "leadId", m.status, m.external_id AS "externalId",
  m.error_code AS "errorCode", m.error_message AS "errorMessage", m.sent_at AS "sentAt",
  m.delivered_at AS "deliveredAt", m.read_at AS "readAt", m.failed_at AS "failedAt"`;

/**
 * $1 tenant, then columns of the messages → what was written; a message whose provider id the instance has
 * already is left out.
 */
export const insertInboundMessages: NamedStatement = {
  name: 'insert-inbound-messages',
  text: `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, media, external_id,
      reply_to_external_id, provider_timestamp, received_at)
    SELECT $1, id, lead_id, instance_id, 'INBOUND', type, body, media, external_id, reply_to, sent_at, now()
    FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::text[], $10::timestamptz[])
      AS i (id, lead_id, instance_id, type, body, media, external_id, reply_to, sent_at)
    ORDER BY instance_id, external_id
    ON CONFLICT (tenant_id, instance_id, external_id) DO NOTHING
    RETURNING id, lead_id AS "leadId", instance_id AS "instanceId", external_id AS "externalId"`,
};

/** $1 tenant, $2 instance ids, $3 provider ids → the messages that have them. */
export const selectMessagesByExternalId: NamedStatement = {
  name: 'select-messages-by-external-id',
  text: `SELECT m.id, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.external_id AS "externalId"
    FROM unnest($2::uuid[], $3::text[]) AS w (instance_id, external_id)
    JOIN messages m ON m.tenant_id = $1 AND m.instance_id = w.instance_id AND m.external_id = w.external_id`,
};

/**
 * One conditional update: $1 tenant, $2 status, $3 occurred at, $4 provider code, $5 detail, $6 transition id, $7 source,
 * and the target's keys. The target is locked first, so that concurrent reports are judged one after the other.
 * → no row when there is no such message; `applied` false when the rank does not rise. A reporter's clock may run ahead:
 * no time is later than now. DELIVERED and READ prove arrival, so they take an earlier failure back.
 */
function changeStatus(name: string, targetPredicate: string): NamedStatement {
  return {
    name,
    text: `WITH target AS (
        SELECT id, status FROM messages WHERE tenant_id = $1 AND ${targetPredicate} FOR NO KEY UPDATE
      ), changed AS (
        UPDATE messages m SET
          status = r.status,
          sent_at = CASE WHEN r.status = 'SENT' THEN r.occurred_at ELSE m.sent_at END,
          delivered_at = CASE WHEN r.status IN ('DELIVERED', 'READ') THEN coalesce(m.delivered_at, r.occurred_at) ELSE m.delivered_at END,
          read_at = CASE WHEN r.status = 'READ' THEN r.occurred_at ELSE m.read_at END,
          failed_at = CASE WHEN r.status = 'FAILED' THEN r.occurred_at END,
          error_code = CASE WHEN r.status = 'FAILED' THEN $4 END,
          error_message = CASE WHEN r.status = 'FAILED' THEN $5 END
        FROM target t, (SELECT $2::message_status AS status, least($3::timestamptz, now()) AS occurred_at) r
        WHERE m.tenant_id = $1 AND m.id = t.id AND message_status_rises(t.status, r.status)
        RETURNING m.*
      ), explained AS (
        INSERT INTO message_status_transitions
          (tenant_id, id, message_id, from_status, to_status, source, provider_code, detail, occurred_at)
        SELECT $1, $6::uuid, t.id, t.status, m.status, $7, $4, $5, least($3::timestamptz, now())
        FROM changed m JOIN target t ON t.id = m.id
      )
      SELECT t.id AS "targetId", m.id IS NOT NULL AS applied, ${snapshotColumns}
      FROM target t LEFT JOIN changed m ON m.id = t.id`,
  };
}

/** $8 instance, $9 provider id. */
export const changeStatusByExternalId = changeStatus(
  'change-status-by-external-id',
  'instance_id = $8 AND external_id = $9',
);

/** $8 message id. */
export const changeStatusById = changeStatus('change-status-by-id', 'id = $8');

/** Held until the transaction ends by whoever parks a status for a provider id or stores that id: neither misses the other. */
export const lockExternalId: NamedStatement = {
  name: 'lock-external-id',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text || $2, 0))`,
};

/** $1 tenant, $2 id, $3 instance, $4 provider id, $5 status, $6 provider code, $7 detail, $8 occurred at. */
export const insertParkedStatus: NamedStatement = {
  name: 'insert-parked-status',
  text: `INSERT INTO parked_statuses (tenant_id, id, instance_id, external_id, status, provider_code, detail, occurred_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** $1 tenant, $2 instance, $3 provider id → what was parked, lowest status first. */
export const takeParkedStatuses: NamedStatement = {
  name: 'take-parked-statuses',
  text: `WITH taken AS (
      DELETE FROM parked_statuses WHERE tenant_id = $1 AND instance_id = $2 AND external_id = $3
      RETURNING id, status, provider_code AS "providerCode", detail, occurred_at AS "occurredAt"
    ) SELECT * FROM taken ORDER BY status, id`,
};

/**
 * $1 tenant, $2 message, $3 provider id. A provider id that another message of the instance has already is not stored
 * twice: the message is sent all the same, and its statuses go to the one that had the id first.
 */
export const storeExternalId: NamedStatement = {
  name: 'store-external-id',
  text: `UPDATE messages m SET external_id = $3 WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (
      SELECT 1 FROM messages o WHERE o.tenant_id = $1 AND o.instance_id = m.instance_id AND o.external_id = $3)`,
};

/** $1 tenant, $2 id, $3 lead, $4 instance, $5 type, $6 body, $7 media, $8 author, $9 idempotency key, $10 content hash. */
export const insertOutboundMessage: NamedStatement = {
  name: 'insert-outbound-message',
  text: `INSERT INTO messages AS m (tenant_id, id, lead_id, instance_id, direction, status, type, body, media, author_id,
      idempotency_key, content_hash)
    VALUES ($1, $2, $3, $4, 'OUTBOUND', 'QUEUED', $5, $6, $7, $8, $9, $10)
    ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING ${snapshotColumns}`,
};

/** $1 tenant, $2 message, $3 lead, $4 instance, $5 transition id. */
export const insertOutboxEntry: NamedStatement = {
  name: 'insert-outbox-entry',
  text: `WITH explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
      VALUES ($1, $5, $2, 'QUEUED', 'user', now())
    )
    INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id) VALUES ($1, $2, $3, $4)`,
};
