// The statements by which operators change a lead: each on a lead whose row is locked.

import type { NamedStatement } from '../../platform/database.js';
import { leadColumns } from './lead-row.js';

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
