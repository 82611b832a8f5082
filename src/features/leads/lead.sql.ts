// The hot statements of lead intake. All take and return sets, so that one statement serves a whole batch.

import type { NamedStatement } from '../../platform/database.js';

/** $1 tenant, $2 kinds, $3 match keys → the leads known under them. */
export const selectLeadsByIdentity: NamedStatement = {
  name: 'select-leads-by-identity',
  text: `SELECT i.match_key AS "matchKey", l.id, l.name, l.chat, l.source, l.metadata,
      l.created_at AS "createdAt", l.updated_at AS "updatedAt"
    FROM unnest($2::identity_kind[], $3::text[]) AS w (kind, match_key)
    JOIN lead_identities i ON i.tenant_id = $1 AND i.kind = w.kind AND i.match_key = w.match_key
    JOIN leads l ON l.tenant_id = i.tenant_id AND l.id = i.lead_id`,
};

/**
 * $1 tenant, then columns of the wanted leads, $10 their source where neither they nor the tenant name one → the ones that
 * were created. The identity decides: whoever inserts it
 * creates the lead, everyone else waits for that commit and finds it. Foreign keys are checked when the statement ends,
 * so the identity may go first. Sorted, so that two batches never lock in opposite order.
 */
export const insertLeads: NamedStatement = {
  name: 'insert-leads',
  text: `WITH wanted AS (
      SELECT * FROM unnest($2::identity_kind[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::jsonb[])
        AS w (kind, match_key, value, lead_id, name, chat, source, metadata)
    ), identified AS (
      INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
      SELECT $1, kind, match_key, value, lead_id FROM wanted ORDER BY kind, match_key
      ON CONFLICT DO NOTHING
      RETURNING lead_id
    )
    INSERT INTO leads (tenant_id, id, name, chat, source, metadata, updated_at)
    SELECT $1, w.lead_id, w.name, w.chat, coalesce(w.source, t.webhook_source_label, $10), w.metadata, now()
    FROM identified JOIN wanted w USING (lead_id) JOIN tenants t ON t.id = $1
    RETURNING id`,
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
 * $1 tenant, $2 lead ids, $3 newest message ids, $4 how many of them are unread. Message ids are UUID v7, so the greatest
 * is the newest, whichever batch commits last.
 */
export const recordLeadMessages: NamedStatement = {
  name: 'record-lead-messages',
  text: `WITH changed AS (
      SELECT c.* FROM unnest($2::uuid[], $3::uuid[], $4::int[]) AS c (lead_id, message_id, unread)
      JOIN leads l ON l.tenant_id = $1 AND l.id = c.lead_id
      ORDER BY c.lead_id
      FOR NO KEY UPDATE OF l
    )
    UPDATE leads l SET
      last_message_id = CASE WHEN l.last_message_id IS NULL OR l.last_message_id < c.message_id THEN c.message_id ELSE l.last_message_id END,
      unread_count = l.unread_count + c.unread,
      updated_at = now()
    FROM changed c WHERE l.tenant_id = $1 AND l.id = c.lead_id`,
};
