// The statements that merge leads and undo a merge. A transaction that gives a lead identities or takes rows from it first locks the lead
// (lockLeads). A transaction that adds messages locks it afterwards (recordLeadMessages), and follows a merge that it missed.

import type { NamedStatement } from '../../../platform/database/database.js';
import type { LeadRows, MessagesOfLead } from '../lead-content.js';
import { leadFields, mergedTexts } from '../lead-fields.js';

/** $1 tenant, $2 ids → the leads themselves, or their survivors; ids that name no lead are left out. */
export const selectCurrentLeads: NamedStatement = {
  name: 'select-current-leads',
  text: `SELECT id AS "wantedId", coalesce(merged_into_id, id) AS id FROM leads
    WHERE tenant_id = $1 AND id = ANY($2::uuid[])`,
};

/**
 * $1 tenant, $2 ids → these leads and those that were merged into them, because a merge writes to them too. Locked in the order of the ids,
 * like every statement that locks leads. References to them need not wait.
 */
export const lockLeads: NamedStatement = {
  name: 'lock-leads',
  text: `SELECT id, merged_into_id AS "mergedIntoId" FROM leads
    WHERE tenant_id = $1 AND (id = ANY($2::uuid[]) OR merged_into_id = ANY($2::uuid[])) ORDER BY id FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 ids → the states that a merge needs. Read them after the lock: the statement that locks can see an earlier state. */
export const selectLeadStates: NamedStatement = {
  name: 'select-lead-states',
  text: `SELECT l.id, l.name, l.chat, l.assignee_id AS "assigneeId", l.unread_count AS "unreadCount", l.tags,
      l.custom_fields AS "customFields", l.conversation_status AS "conversationStatus", l.snoozed_until AS "snoozedUntil", l.is_reminder AS "isReminder",
      l.last_inbound_position AS "lastInboundPosition", ${mergedTexts.map((field) => `${leadFields[field]} AS "${field}"`).join(', ')},
      (SELECT coalesce(json_agg(json_build_object('kind', i.kind, 'value', i.value) ORDER BY i.created_at, i.kind, i.match_key), '[]')
        FROM lead_identities i WHERE i.tenant_id = l.tenant_id AND i.lead_id = l.id) AS identities
    FROM leads l WHERE l.tenant_id = $1 AND l.id = ANY($2::uuid[])`,
};

/**
 * $1 tenant, $2 leads → pairs of them that a person has separated by undoing a merge, of themselves or of leads that are merged
 * into them now.
 */
export const selectSeparatedLeads: NamedStatement = {
  name: 'select-separated-leads',
  text: `WITH member AS (
      SELECT id, coalesce(merged_into_id, id) AS lead_id FROM leads
      WHERE tenant_id = $1 AND (id = ANY($2::uuid[]) OR merged_into_id = ANY($2::uuid[]))
    )
    SELECT s.lead_id AS "leadId", m.lead_id AS "otherId"
    FROM lead_merges g JOIN member s ON s.id = g.survivor_id JOIN member m ON m.id = g.merged_id
    WHERE g.tenant_id = $1 AND g.undone_at IS NOT NULL AND s.lead_id <> m.lead_id`,
};

/** $1 tenant, $2 from, $3 to → leads that were merged into the first lead point to the second. Returns their ids. */
export const moveMergedLeads: NamedStatement = {
  name: 'move-merged-leads',
  text: 'UPDATE leads SET merged_into_id = $3 WHERE tenant_id = $1 AND merged_into_id = $2 RETURNING id',
};

/** $1 tenant, $2 from, $3 to, $4 leads. Reverses `moveMergedLeads`. */
export const returnMergedLeads: NamedStatement = {
  name: 'return-merged-leads',
  text: 'UPDATE leads SET merged_into_id = $3 WHERE tenant_id = $1 AND merged_into_id = $2 AND id = ANY($4::uuid[])',
};

/** $1 tenant, $2 from, $3 to. */
export function moveRows({ table }: LeadRows): NamedStatement {
  return {
    name: `move-${table}`,
    text: `UPDATE ${table} SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2`,
  };
}

/** $1 tenant, $2 from, $3 to, $4 merge, which lists the moved rows. The ids stay in the database: there may be hundreds of thousands. */
export function moveListedRows({ table, key, listedIn }: LeadRows): NamedStatement {
  return {
    name: `move-listed-${table}`,
    text: `WITH moved AS (
      UPDATE ${table} SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2 RETURNING ${key} AS key
    )
    UPDATE lead_merges SET ${listedIn} = (SELECT coalesce(array_agg(key ORDER BY key), '{}') FROM moved)
    WHERE tenant_id = $1 AND id = $4`,
  };
}

/** $1 tenant, $2 from, $3 to, $4 merge: gives back the rows that the merge moved, where the survivor still has them. */
export function returnRows({ table, key, listedIn }: LeadRows): NamedStatement {
  return {
    name: `return-${table}`,
    text: `UPDATE ${table} SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2
      AND ${key} IN (SELECT unnest(${listedIn}) FROM lead_merges WHERE tenant_id = $1 AND id = $4)`,
  };
}

/** $1 tenant, $2 keys, $3 their leads. */
export function moveRowsByKey({ table, key }: LeadRows): NamedStatement {
  return {
    name: `move-${table}-by-key`,
    text: `UPDATE ${table} t SET lead_id = w.lead_id FROM unnest($2::uuid[], $3::uuid[]) AS w (key, lead_id)
      WHERE t.tenant_id = $1 AND t.${key} = w.key`,
  };
}

/**
 * $1 tenant, $2 id, $3 name, $4 chat, $5 assignee, $6 unread, $7 the lead it is merged into, $8 tags, $9 custom fields, $10 the chat's
 * validity, $11 status of the conversation, $12 until when it is snoozed, $13 whether that is a reminder, from $14 on the merged texts.
 * Looks up the newest messages, bulk and not, and since when the lead waits.
 */
export function writeLeadState({ newest, conversationOf }: MessagesOfLead): NamedStatement {
  return {
    name: 'write-lead-state',
    text: `UPDATE leads l SET name = $3, chat = $4, assignee_id = $5, unread_count = $6, merged_into_id = $7, tags = $8,
      custom_fields = $9, number_validity = $10, updated_at = now(), 
      last_message_id = (${newest('single', 'id')}), last_message_position = (${newest('single', 'position')}),
      last_bulk_message_id = (${newest('bulk', 'id')}), last_bulk_message_position = (${newest('bulk', 'position')}),
      conversation_status = $11::conversation_status, snoozed_until = $12, is_reminder = $13,
      ${mergedTexts.map((field, index) => `${leadFields[field].replace('l.', '')} = $${14 + index}`).join(', ')},
      last_inbound_position = c.last_inbound_position, last_answer_position = c.last_answer_position, last_inbound_at = c.last_inbound_at,
      waiting_since = c.waiting_since
    FROM (${conversationOf('$2')}) c
    WHERE l.tenant_id = $1 AND l.id = $2`,
  };
}

/** $1 tenant, $2 survivor, $3 merge: keeps how many inbound messages the survivor has now. */
export function keepInboundCount({ inbound }: MessagesOfLead): NamedStatement {
  return {
    name: 'keep-inbound-count-of-merge',
    text: `UPDATE lead_merges SET before = before || jsonb_build_object('inbound', (SELECT count(*) FROM (${inbound}) m))
    WHERE tenant_id = $1 AND id = $3`,
  };
}

/** $1 tenant, $2 lead, $3 its unread messages, $4 merge → its inbound messages, and how many of the unread ones the merge moved. */
export function countInbound({ inbound }: MessagesOfLead): NamedStatement {
  return {
    name: 'count-inbound-of-lead',
    text: `SELECT count(*)::int AS inbound, (count(*) FILTER (WHERE m.place <= $3::int AND m.id IN (
        SELECT unnest(message_ids) FROM lead_merges WHERE tenant_id = $1 AND id = $4)))::int AS "unreadAmong"
    FROM (${inbound}) m`,
  };
}

/**
 * $1 tenant, $2 id, $3 survivor, $4 merged, $5 reason, $6 user, $7 fields before. Stamped under the leads' locks, so that merges of one
 * lead stand in their order.
 */
export const insertLeadMerge: NamedStatement = {
  name: 'insert-lead-merge',
  text: `INSERT INTO lead_merges (tenant_id, id, survivor_id, merged_id, reason, user_id, before, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())`,
};

/** $1 tenant, $2 id → the merge, with the lead that its merged lead points to, and whether the survivor has a later one in effect. */
export const selectLeadMerge: NamedStatement = {
  name: 'select-lead-merge',
  text: `SELECT g.id, g.survivor_id AS "survivorId", g.merged_id AS "mergedId", g.before, g.undone_at AS "undoneAt",
      message_position(g.created_at - interval '1 ms') AS position, g.created_at - interval '1 ms' AS since,
      m.merged_into_id AS "mergedIntoId",
      EXISTS (
        SELECT FROM lead_merges o WHERE o.tenant_id = $1 AND o.survivor_id = g.survivor_id AND o.undone_at IS NULL
          AND (o.created_at, o.id) > (g.created_at, g.id)
      ) AS "isFollowed"
    FROM lead_merges g JOIN leads m ON m.tenant_id = $1 AND m.id = g.merged_id
    WHERE g.tenant_id = $1 AND g.id = $2`,
};

/** $1 tenant, $2 id. */
export const markMergeUndone: NamedStatement = {
  name: 'mark-merge-undone',
  text: 'UPDATE lead_merges SET undone_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2',
};
