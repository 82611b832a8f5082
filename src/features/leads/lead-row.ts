// A lead as it is stored, and the columns that make one in SQL.

import type { NamedStatement, Prisma } from '../../platform/database.js';

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
