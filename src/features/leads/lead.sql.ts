// The statements that read leads by their ids, and those by which operators change one. Lists belong to lead-list.sql.ts, find-or-create to
// identity/find-or-create.sql.ts.

import type { NamedStatement } from '../../platform/database/database.js';
import { notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { selectColumns } from '../../platform/database/sql-text.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { editedColumns, leadFields, type LeadRow, type newestMessageFields } from './lead-fields.js';

/**
 * $1 tenant, columns: $2 leads, $3 their newest bulk messages, $4 the positions of these → leads that were merged or got another message
 * meanwhile, for which nothing was recorded. Records the messages of many leads in one statement. Not prepared: the plan depends on the
 * number of leads.
 */
export const recordBulkMessages = `WITH held AS (
    SELECT n.lead_id, n.message_id, n.position, l.merged_into_id IS NULL
      AND n.position > coalesce(greatest(l.last_message_position, l.last_bulk_message_position), 0) AS is_newest
    FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS n (lead_id, message_id, position)
    JOIN leads l ON l.tenant_id = $1 AND l.id = n.lead_id
    ORDER BY n.lead_id FOR NO KEY UPDATE OF l
  ), recorded AS (
    UPDATE leads l SET last_bulk_message_id = h.message_id, last_bulk_message_position = h.position, updated_at = now() FROM held h
    WHERE l.tenant_id = $1 AND l.id = h.lead_id AND h.is_newest
  )
  SELECT lead_id AS "leadId" FROM held WHERE NOT is_newest`;

export type { LeadRow } from './lead-fields.js';

/** Returns the newest message of either side, bulk included. */
export function newestMessageOf({
  lastMessageId,
  lastMessagePosition,
  lastBulkMessageId,
  lastBulkMessagePosition,
}: Pick<LeadRow, (typeof newestMessageFields)[number]>): { id: string; position: bigint } | null {
  const [single, bulk] = [BigInt(lastMessagePosition ?? 0), BigInt(lastBulkMessagePosition ?? 0)];
  if (lastBulkMessageId !== null && bulk > single) return { id: lastBulkMessageId, position: bulk };
  return lastMessageId === null ? null : { id: lastMessageId, position: single };
}

/** The id of the newest message of a lead, bulk included, in SQL. */
export const newestMessageId = `CASE WHEN last_bulk_message_position > coalesce(last_message_position, 0) THEN last_bulk_message_id ELSE last_message_id END`;

/** The e-mail address of a lead, from whichever field has it, in SQL. Its index finds the beginning of an address. */
export const emailOf = (lead: string) => `email_of_lead(${lead}.custom_fields, ${lead}.metadata)`;

/** `LeadRow` of a lead `l`. */
export const leadColumns = selectColumns(leadFields);

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
const lockCurrentLead: NamedStatement = {
  name: 'lock-current-lead',
  text: `SELECT ${leadColumns} FROM leads l
    WHERE l.tenant_id = $1 AND l.id = (SELECT coalesce(merged_into_id, id) FROM leads WHERE tenant_id = $1 AND id = $2)
    FOR NO KEY UPDATE`,
};

const plainNames = editedColumns.names.filter((name) => name !== 'id' && name !== 'tags');

/** $1 tenant, `editedColumns` of leads that are locked. */
export const updateLeads: NamedStatement = {
  name: 'update-leads',
  text: `UPDATE leads l SET ${plainNames.map((name) => `${name} = w.${name}`).join(', ')},
      tags = ARRAY(SELECT jsonb_array_elements_text(w.tags)), updated_at = now()
    FROM ${editedColumns.rows('w')} WHERE l.tenant_id = $1 AND l.id = w.id AND l.id = ANY(${editedColumns.array('id')})
    RETURNING ${leadColumns}`,
};

/** $1 tenant, $2 lead, $3 unread. Reading is no change of the lead. */
export const setUnreadCount: NamedStatement = {
  name: 'set-unread-count',
  text: `UPDATE leads l SET unread_count = $3 WHERE l.tenant_id = $1 AND l.id = $2 RETURNING ${leadColumns}`,
};

/** $1 tenant, $2 leads → one row: e-mail addresses that their metadata, touches and custom fields mention, and their numbers. */
export const selectKnownContacts: NamedStatement = {
  name: 'select-known-contacts',
  text: `WITH said AS (
      SELECT concat(metadata, ' ', custom_fields) AS text FROM leads WHERE tenant_id = $1 AND id = ANY ($2::uuid[])
      UNION ALL
      SELECT metadata::text FROM lead_touches WHERE tenant_id = $1 AND lead_id = ANY ($2::uuid[])
    )
    SELECT
      ARRAY(SELECT DISTINCT lower(found[1]) FROM said, regexp_matches(text, '[^[:space:]"<>(),;:]+@[^[:space:]"<>(),;:]+', 'g') AS found) AS emails,
      ARRAY(SELECT value FROM lead_identities WHERE tenant_id = $1 AND lead_id = ANY ($2::uuid[]) AND kind = 'PHONE') AS numbers`,
};

/** $1 tenant, $2 lead → it and those that were merged into it, locked against every transaction that refers to them. */
export const lockLeadsToDelete: NamedStatement = {
  name: 'lock-leads-to-delete',
  text: `SELECT id FROM leads
    WHERE tenant_id = $1 AND (id = $2 OR merged_into_id = $2) ORDER BY id FOR UPDATE`,
};

/** $1 tenant, $2 leads: deletes them with everything that is theirs, by the tables' own rules. */
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
