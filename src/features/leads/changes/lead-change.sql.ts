// The statements by which many leads change at once, each lead with its row locked.

import type { NamedStatement } from '../../../platform/database/database.js';

/** $1 tenant, $2 ids → each id that names a lead, with the lead that it stands for now: itself, or the one that it was merged into. */
export const selectCurrentLeads: NamedStatement = {
  name: 'select-leads-to-change',
  text: `SELECT id AS "wantedId", coalesce(merged_into_id, id) AS "leadId" FROM leads WHERE tenant_id = $1 AND id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 ids → `ChangeableLead` of each that is not merged, locked in the order of their ids. */
export const lockChangeableLeads: NamedStatement = {
  name: 'lock-changeable-leads',
  text: `SELECT l.id, l.assignee_id AS "assigneeId", l.tags, l.conversation_status AS "conversationStatus",
      l.snoozed_until AS "snoozedUntil", l.is_reminder AS "isReminder",
      l.last_inbound_position AS "lastInboundPosition"
    FROM leads l WHERE l.tenant_id = $1 AND l.id = ANY($2::uuid[]) AND l.merged_into_id IS NULL
    ORDER BY l.id FOR NO KEY UPDATE`,
};

/** $1 tenant; columns of locked leads: $2 ids, $3 assignees. */
export const setAssignees: NamedStatement = {
  name: 'set-assignees',
  text: `UPDATE leads l SET assignee_id = w.assignee_id, updated_at = now()
    FROM unnest($2::uuid[], $3::uuid[]) AS w (id, assignee_id)
    WHERE l.tenant_id = $1 AND l.id = w.id AND l.id = ANY($2::uuid[])`,
};

/** $1 tenant; columns of locked leads: $2 ids, $3 tags as JSON. */
export const setTags: NamedStatement = {
  name: 'set-tags',
  text: `UPDATE leads l SET tags = ARRAY(SELECT jsonb_array_elements_text(w.tags)), updated_at = now()
    FROM unnest($2::uuid[], $3::jsonb[]) AS w (id, tags)
    WHERE l.tenant_id = $1 AND l.id = w.id AND l.id = ANY($2::uuid[])`,
};

/** $1 tenant; columns of locked leads: $2 ids, $3 statuses, $4 until when they are snoozed, $5 whether that is a reminder. */
export const setConversationStatuses: NamedStatement = {
  name: 'set-conversation-statuses',
  text: `UPDATE leads l SET conversation_status = w.status::conversation_status, snoozed_until = w.snoozed_until,
      is_reminder = w.is_reminder, updated_at = now()
    FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::boolean[]) AS w (id, status, snoozed_until, is_reminder)
    WHERE l.tenant_id = $1 AND l.id = w.id AND l.id = ANY($2::uuid[])`,
};
