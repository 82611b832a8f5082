// The hot statements of lead intake. All take and return sets, so that one statement serves a whole batch.

import type { NamedStatement, Prisma } from '../../platform/database.js';
import { notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input.js';
import type { Transaction } from '../../platform/transaction.js';

const intakeColumns = `l.id, l.name, l.chat, l.source, l.metadata, l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;

/**
 * $1 tenant, $2 kinds, $3 match keys → the leads known under them. An identity never leads to a lead that was merged. One by one
 * (the LIMIT keeps the planner from reading tables whole, as it does while their statistics are young).
 */
export const selectLeadsByIdentity: NamedStatement = {
  name: 'select-leads-by-identity',
  text: `SELECT w.kind, w.match_key AS "matchKey", found.* FROM unnest($2::identity_kind[], $3::text[]) AS w (kind, match_key)
    CROSS JOIN LATERAL (
      SELECT ${intakeColumns} FROM lead_identities i JOIN leads l ON l.tenant_id = i.tenant_id AND l.id = i.lead_id
      WHERE i.tenant_id = $1 AND i.kind = w.kind AND i.match_key = w.match_key LIMIT 1
    ) found`,
};

/**
 * $1 tenant; columns of identities: $2 kinds, $3 match keys, $4 values, $5 their leads; columns of the leads among these that are
 * new: $6 ids, $7 names, $8 chats, $9 sources, $10 metadata; $11 the source where neither they nor the tenant name one → the
 * identities that were written, each with its lead where that one was created. The identity decides: whoever inserts it has it,
 * everyone else waits for that commit and finds it; a new lead that gets none of its identities is not created. Foreign keys are
 * checked when the statement ends, so the identities may go first. Sorted, so that two batches never lock in opposite order.
 */
export const insertIdentitiesAndLeads: NamedStatement = {
  name: 'insert-identities-and-leads',
  text: `WITH identified AS (
      INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
      SELECT $1, kind, match_key, value, lead_id
      FROM unnest($2::identity_kind[], $3::text[], $4::text[], $5::uuid[]) AS w (kind, match_key, value, lead_id)
      ORDER BY kind, match_key
      ON CONFLICT DO NOTHING
      RETURNING kind, match_key, lead_id
    ), created AS (
      INSERT INTO leads (tenant_id, id, name, chat, source, metadata, updated_at)
      SELECT $1, n.id, n.name, n.chat, coalesce(n.source, t.webhook_source_label, $11), n.metadata, now()
      FROM unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::jsonb[]) AS n (id, name, chat, source, metadata)
      JOIN tenants t ON t.id = $1
      WHERE n.id IN (SELECT lead_id FROM identified)
      RETURNING *
    )
    SELECT i.kind, i.match_key AS "matchKey", i.lead_id AS "leadId", l.id IS NOT NULL AS "isNewLead", ${intakeColumns}
    FROM identified i LEFT JOIN created l ON l.id = i.lead_id`,
};

/** $1 tenant; columns of leads that are locked: $2 ids, $3 names, $4 chats. */
export const updateKnownLeads: NamedStatement = {
  name: 'update-known-leads',
  text: `UPDATE leads l SET name = w.name, chat = w.chat, updated_at = now()
    FROM unnest($2::uuid[], $3::text[], $4::text[]) AS w (id, name, chat)
    WHERE l.tenant_id = $1 AND l.id = w.id`,
};

/** $1 tenant, $2 a lead that this transaction created, whose identities were given to another since. */
export const deleteNewLead: NamedStatement = {
  name: 'delete-new-lead',
  text: 'DELETE FROM leads WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 ids, $3 lead ids, $4 sources, $5 metadata, $6 the source where neither the touch nor the tenant names one. */
export const insertLeadTouches: NamedStatement = {
  name: 'insert-lead-touches',
  text: `INSERT INTO lead_touches (tenant_id, id, lead_id, source, metadata)
    SELECT $1, n.id, n.lead_id, coalesce(n.source, t.webhook_source_label, $6), n.metadata
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[]) AS n (id, lead_id, source, metadata)
    JOIN tenants t ON t.id = $1`,
};

/**
 * $1 tenant, $2 lead ids, $3 newest message ids, $4 how many of them are unread, $5 whether they are bulk, which keeps the leads where
 * they are in the inbox → those that were merged meanwhile, with their survivors, for which nothing was recorded. Message ids are UUID v7, so the greatest is the newest, whichever batch commits
 * last.
 */
export const recordLeadMessages: NamedStatement = {
  name: 'record-lead-messages',
  text: `WITH changed AS (
      SELECT c.*, l.merged_into_id FROM unnest($2::uuid[], $3::uuid[], $4::int[]) AS c (lead_id, message_id, unread)
      JOIN leads l ON l.tenant_id = $1 AND l.id = c.lead_id
      WHERE l.id = ANY($2::uuid[])
      ORDER BY c.lead_id
      FOR NO KEY UPDATE OF l
    ), recorded AS (
      UPDATE leads l SET
        last_message_id = CASE WHEN $5::bool THEN l.last_message_id ELSE greatest(l.last_message_id, c.message_id) END,
        last_bulk_message_id = CASE WHEN $5::bool THEN greatest(l.last_bulk_message_id, c.message_id) ELSE l.last_bulk_message_id END,
        unread_count = l.unread_count + c.unread,
        updated_at = now()
      FROM changed c
      WHERE l.tenant_id = $1 AND l.id = c.lead_id AND l.id = ANY($2::uuid[]) AND c.merged_into_id IS NULL
    )
    SELECT lead_id AS "leadId", merged_into_id AS "survivorId" FROM changed WHERE merged_into_id IS NOT NULL`,
};

/** $1 tenant, $2 message ids, $3 their leads. */
export const moveMessagesToLeads: NamedStatement = {
  name: 'move-messages-to-leads',
  text: `WITH wanted AS (
      SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS w (message_id, lead_id)
    ), moved AS (
      UPDATE messages m SET lead_id = w.lead_id FROM wanted w WHERE m.tenant_id = $1 AND m.id = w.message_id
    )
    UPDATE outbox_entries o SET lead_id = w.lead_id FROM wanted w WHERE o.tenant_id = $1 AND o.message_id = w.message_id`,
};

export type LeadRow = Prisma.LeadGetPayload<object>;

/** The newest message of either side, bulk included; ids of messages are UUID v7. */
export function newestMessageIdOf({ lastMessageId, lastBulkMessageId }: LeadRow): string | null {
  if (lastMessageId === null || lastBulkMessageId === null) return lastMessageId ?? lastBulkMessageId;
  return lastBulkMessageId > lastMessageId ? lastBulkMessageId : lastMessageId;
}

/** `LeadRow` of a lead `l`. */
export const leadColumns = `l.tenant_id AS "tenantId", l.id, l.name, l.chat, l.source, l.metadata, l.tags,
  l.custom_fields AS "customFields", l.assignee_id AS "assigneeId", l.last_message_id AS "lastMessageId",
  l.last_bulk_message_id AS "lastBulkMessageId",
  l.unread_count AS "unreadCount", l.merged_into_id AS "mergedIntoId", l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;

/** $1 tenant, $2 ids. */
export const selectLeadsByIds: NamedStatement = {
  name: 'select-leads-by-ids',
  text: `SELECT ${leadColumns} FROM leads l WHERE l.tenant_id = $1 AND l.id = ANY($2::uuid[])`,
};

// The statements by which operators change a lead: each on a lead whose row is locked.

/**
 * $1 tenant, $2 id → the lead, or the one that it was merged into, locked; `mergedIntoId` is set where that one was merged as well
 * while its lock was waited for.
 */
export const lockCurrentLead: NamedStatement = {
  name: 'lock-current-lead',
  text: `SELECT ${leadColumns} FROM leads l
    WHERE l.tenant_id = $1 AND l.id = (SELECT coalesce(merged_into_id, id) FROM leads WHERE tenant_id = $1 AND id = $2)
    FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id, $3 name, $4 source, $5 tags, $6 custom fields, $7 assignee. */
export const updateLeadRecord: NamedStatement = {
  name: 'update-lead-record',
  text: `UPDATE leads l SET name = $3, source = $4, tags = $5, custom_fields = $6, assignee_id = $7, updated_at = now()
    WHERE l.tenant_id = $1 AND l.id = $2 RETURNING ${leadColumns}`,
};

/** $1 tenant, $2 user → whether the user is active, and stays so until the transaction ends. */
export const holdUser: NamedStatement = {
  name: 'hold-user',
  text: 'SELECT is_active AS "isActive" FROM users WHERE tenant_id = $1 AND id = $2 FOR SHARE',
};

/** $1 tenant, $2 lead, $3 message, $4 how many are unread → how many of these are newer, and whether the lead has the message. */
export const countUnreadAfter: NamedStatement = {
  name: 'count-unread-after',
  text: `SELECT
      EXISTS (SELECT FROM messages WHERE tenant_id = $1 AND id = $3 AND lead_id = $2) AS "isKnown",
      (SELECT count(*)::int FROM (
        SELECT FROM messages WHERE tenant_id = $1 AND lead_id = $2 AND id > $3 AND direction = 'INBOUND' LIMIT $4::int
      ) newer) AS unread`,
};

/** $1 tenant, $2 lead, $3 unread. Reading is no change of the lead. */
export const setUnreadCount: NamedStatement = {
  name: 'set-unread-count',
  text: `UPDATE leads l SET unread_count = $3 WHERE l.tenant_id = $1 AND l.id = $2 RETURNING ${leadColumns}`,
};

/** $1 tenant, $2 lead → it and those that were merged into it, locked against everybody who names them. */
export const lockLeadsToDelete: NamedStatement = {
  name: 'lock-leads-to-delete',
  text: `SELECT id FROM leads
    WHERE tenant_id = $1 AND (id = $2 OR merged_into_id = $2) ORDER BY id FOR UPDATE`,
};

/** $1 tenant, $2 lead → whether a worker has one of its messages in hands. Nobody takes one while merges are held. */
export const isBeingSent: NamedStatement = {
  name: 'is-lead-being-sent-to',
  text: `SELECT FROM outbox_entries
    WHERE tenant_id = $1 AND lead_id = $2 AND scheduled_at IS NULL AND lease_until > now() LIMIT 1`,
};

/** $1 tenant, $2 lead → how many messages it has. */
export const countMessagesOfLead: NamedStatement = {
  name: 'count-messages-of-lead',
  text: 'SELECT count(*)::int AS count FROM messages WHERE tenant_id = $1 AND lead_id = $2',
};

/** $1 tenant, $2 leads: with everything that is theirs, by the tables' own rules. */
export const deleteLeads: NamedStatement = {
  name: 'delete-leads',
  text: 'DELETE FROM leads WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
};

/**
 * The lead of this id, or the one that it was merged into, locked until the transaction ends.
 * @throws AppError NOT_FOUND for an id that names no lead of the tenant
 */
export async function lockLead(tx: Transaction, id: string): Promise<LeadRow> {
  const [lead] = isUuid(id) ? await tx.query<LeadRow>(lockCurrentLead, [tx.tenantId, id]) : [];
  if (lead === undefined) throw notFound('lead');
  return lead.mergedIntoId === null ? lead : lockLead(tx, lead.mergedIntoId);
}
