// The statements that merge leads and take a merge back. Whoever gives a lead identities, or takes away what is a lead's, holds
// the lead's row lock (lockLeads); whoever adds messages takes it afterwards (recordLeadMessages) and follows a merge it has missed.

import type { NamedStatement } from '../../../platform/database.js';

/** $1 tenant, $2 ids → the leads that have everything of theirs now; ids that name no lead are left out. */
export const selectCurrentLeads: NamedStatement = {
  name: 'select-current-leads',
  text: `SELECT id AS "wantedId", coalesce(merged_into_id, id) AS id FROM leads
    WHERE tenant_id = $1 AND id = ANY($2::uuid[])`,
};

/**
 * $1 tenant, $2 ids → these leads and those that were merged into them: a merge writes to them too. In the order of the ids, like
 * every statement that locks leads. References to them need not wait.
 */
export const lockLeads: NamedStatement = {
  name: 'lock-leads',
  text: `SELECT id, merged_into_id AS "mergedIntoId" FROM leads
    WHERE tenant_id = $1 AND (id = ANY($2::uuid[]) OR merged_into_id = ANY($2::uuid[])) ORDER BY id FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 ids → what a merge needs to know of them. Read after they were locked: a lock's own statement can be too early. */
export const selectLeadStates: NamedStatement = {
  name: 'select-lead-states',
  text: `SELECT l.id, l.name, l.chat, l.assignee_id AS "assigneeId", l.unread_count AS "unreadCount", l.tags,
      l.custom_fields AS "customFields",
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

// Each moves what one lead has to another: $1 tenant, $2 from, $3 to, $4 only these (null: everything) → what was moved.

export const moveMessages: NamedStatement = {
  name: 'move-messages',
  text: `WITH moved AS (
      UPDATE messages SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2 AND ($4::uuid[] IS NULL OR id = ANY($4)) RETURNING id
    )
    SELECT coalesce(array_agg(id ORDER BY id), '{}') AS moved FROM moved`,
};

/** Named by their messages. */
export const moveOutboxEntries: NamedStatement = {
  name: 'move-outbox-entries',
  text: `WITH moved AS (
      UPDATE outbox_entries SET lead_id = $3
      WHERE tenant_id = $1 AND lead_id = $2 AND ($4::uuid[] IS NULL OR message_id = ANY($4)) RETURNING message_id
    )
    SELECT coalesce(array_agg(message_id ORDER BY message_id), '{}') AS moved FROM moved`,
};

export const moveTouches: NamedStatement = {
  name: 'move-touches',
  text: `WITH moved AS (
      UPDATE lead_touches SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2 AND ($4::uuid[] IS NULL OR id = ANY($4)) RETURNING id
    )
    SELECT coalesce(array_agg(id ORDER BY id), '{}') AS moved FROM moved`,
};

export const moveNotes: NamedStatement = {
  name: 'move-notes',
  text: `WITH moved AS (
      UPDATE lead_notes SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2 AND ($4::uuid[] IS NULL OR id = ANY($4)) RETURNING id
    )
    SELECT coalesce(array_agg(id ORDER BY id), '{}') AS moved FROM moved`,
};

/** As `KIND:match_key`. */
export const moveIdentities: NamedStatement = {
  name: 'move-identities',
  text: `WITH moved AS (
      UPDATE lead_identities SET lead_id = $3
      WHERE tenant_id = $1 AND lead_id = $2 AND ($4::text[] IS NULL OR kind::text || ':' || match_key = ANY($4))
      RETURNING kind::text || ':' || match_key AS key
    )
    SELECT coalesce(array_agg(key ORDER BY key), '{}') AS moved FROM moved`,
};

/** Leads that were merged into the one before: they lead to the other then. */
export const moveMergedLeads: NamedStatement = {
  name: 'move-merged-leads',
  text: `WITH moved AS (
      UPDATE leads SET merged_into_id = $3
      WHERE tenant_id = $1 AND merged_into_id = $2 AND ($4::uuid[] IS NULL OR id = ANY($4)) RETURNING id
    )
    SELECT coalesce(array_agg(id ORDER BY id), '{}') AS moved FROM moved`,
};

/**
 * $1 tenant, $2 id, $3 name, $4 chat, $5 assignee, $6 unread, $7 the lead it is merged into, $8 tags, $9 custom fields. Its newest
 * messages, bulk and not, are looked up.
 */
export const writeLeadState: NamedStatement = {
  name: 'write-lead-state',
  text: `UPDATE leads SET name = $3, chat = $4, assignee_id = $5, unread_count = $6, merged_into_id = $7, tags = $8,
      custom_fields = $9, updated_at = now(),
      last_message_id = (SELECT id FROM messages WHERE tenant_id = $1 AND lead_id = $2 AND bulk_send_id IS NULL
        ORDER BY id DESC LIMIT 1),
      last_bulk_message_id = (SELECT id FROM messages WHERE tenant_id = $1 AND lead_id = $2 AND bulk_send_id IS NOT NULL
        ORDER BY id DESC LIMIT 1)
    WHERE tenant_id = $1 AND id = $2`,
};

/** $1 tenant, $2 lead, $3 its unread messages, $4 ids → how many inbound messages it has, and how many of the unread are among the ids. */
export const countInbound: NamedStatement = {
  name: 'count-inbound-of-lead',
  text: `SELECT count(*)::int AS inbound, (count(*) FILTER (WHERE m.position <= $3::int AND m.id = ANY($4::uuid[])))::int AS "unreadAmong"
    FROM (
      SELECT id, row_number() OVER (ORDER BY id DESC) AS position FROM messages
      WHERE tenant_id = $1 AND lead_id = $2 AND direction = 'INBOUND'
    ) m`,
};

/**
 * $1 tenant, $2 id, $3 survivor, $4 merged, $5 reason, $6 user, $7 messages, $8 touches, $9 identities, $10 fields before, $11 notes.
 * Stamped under the leads' locks, so that merges of one lead stand in their order.
 */
export const insertLeadMerge: NamedStatement = {
  name: 'insert-lead-merge',
  text: `INSERT INTO lead_merges
      (tenant_id, id, survivor_id, merged_id, reason, user_id, message_ids, touch_ids, identities, before, note_ids, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp())`,
};

/** $1 tenant, $2 id → the merge, with the lead that its merged lead leads to, and whether the survivor has a later one in effect. */
export const selectLeadMerge: NamedStatement = {
  name: 'select-lead-merge',
  text: `SELECT g.id, g.survivor_id AS "survivorId", g.merged_id AS "mergedId", g.message_ids AS "messageIds",
      g.touch_ids AS "touchIds", coalesce(g.note_ids, '{}') AS "noteIds", g.identities, g.before, g.undone_at AS "undoneAt", m.merged_into_id AS "mergedIntoId",
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
