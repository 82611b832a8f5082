// The statements of find-or-create. The hot ones take and return sets, so that one statement serves a whole batch.

import type { NamedStatement } from '../../../platform/database/database.js';
import { hasSuppressed } from './erased-identity.service.js';

const intakeColumns = `l.id, l.name, l.chat, l.number_validity AS "numberValidity", l.source, l.metadata, l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;

/**
 * $1 tenant, $2 kinds, $3 match keys → the leads known under them. An identity never leads to a lead that was merged. Each is looked up by
 * itself: the LIMIT keeps the planner from reading tables whole, as it does while their statistics are young.
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
 * $1 tenant; columns of identities: $2 kinds, $3 match keys, $4 values, $5 their leads; columns of the leads among these that are new: $6
 * ids, $7 names, $8 chats, $9 sources, $10 metadata, $11 validities, $12 their sources where the tenant has no label of its own; $13 the
 * source where none of these names one → the identities that were written, each with its lead where that one was created.
 * The identity decides: the transaction that inserts it owns it, others wait for that commit and find it. A new lead that gets none of its
 * identities is not created. Foreign keys are checked when the statement ends, so the identities may go first. They are sorted, so that two
 * batches never lock in opposite order.
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
      INSERT INTO leads (tenant_id, id, name, chat, number_validity, source, metadata, updated_at)
      SELECT $1, n.id, n.name, n.chat, n.validity, coalesce(n.source, t.webhook_source_label, n.usual_source, $13), n.metadata, now()
      FROM unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::jsonb[], $11::number_validity[], $12::text[])
        AS n (id, name, chat, source, metadata, validity, usual_source)
      JOIN tenants t ON t.id = $1
      WHERE n.id IN (SELECT lead_id FROM identified)
      RETURNING *
    )
    SELECT i.kind, i.match_key AS "matchKey", i.lead_id AS "leadId", l.id IS NOT NULL AS "isNewLead", ${hasSuppressed} AS "mayBeSuppressed", ${intakeColumns}
    FROM identified i LEFT JOIN created l ON l.id = i.lead_id`,
};

/** $1 tenant; columns of leads that are locked: $2 ids, $3 names, $4 chats, $5 their validities. */
export const updateKnownLeads: NamedStatement = {
  name: 'update-known-leads',
  text: `UPDATE leads l SET name = w.name, chat = w.chat, number_validity = w.validity, updated_at = now()
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::number_validity[]) AS w (id, name, chat, validity)
    WHERE l.tenant_id = $1 AND l.id = w.id`,
};

/** $1 tenant, $2 a lead that this transaction created, whose identities were given to another lead since. */
export const deleteNewLead: NamedStatement = {
  name: 'delete-new-lead',
  text: 'DELETE FROM leads WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 from, $3 to. */
export const moveIdentities: NamedStatement = {
  name: 'move-identities',
  text: 'UPDATE lead_identities SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2',
};

/** $1 tenant, $2 ids, $3 lead ids, $4 sources, $5 metadata, $6 the source where neither the touch nor the tenant names one. */
export const insertLeadTouches: NamedStatement = {
  name: 'insert-lead-touches',
  text: `INSERT INTO lead_touches (tenant_id, id, lead_id, source, metadata)
    SELECT $1, n.id, n.lead_id, coalesce(n.source, t.webhook_source_label, $6), n.metadata
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[]) AS n (id, lead_id, source, metadata)
    JOIN tenants t ON t.id = $1`,
};

/** $1 tenant; columns: $2 leads, $3 when they came: dates the leads and their touches back. */
export const dateLeadsBack: NamedStatement = {
  name: 'date-leads-back',
  text: `WITH dated AS (
      SELECT * FROM unnest($2::uuid[], $3::timestamptz[]) AS d (id, came_at)
    ), touched AS (
      UPDATE lead_touches t SET created_at = d.came_at FROM dated d WHERE t.tenant_id = $1 AND t.lead_id = d.id
    )
    UPDATE leads l SET created_at = d.came_at FROM dated d WHERE l.tenant_id = $1 AND l.id = d.id`,
};
