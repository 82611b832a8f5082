// The statements that judge the numbers of leads from before numbers were judged. A lead created since has its validity already.

import type { NamedStatement } from '../../../platform/database/database.js';

// This id sorts before every other.
const firstId = '00000000-0000-0000-0000-000000000000';

/** → the tenants whose leads are not all judged. */
export const selectUncheckedTenants: NamedStatement = {
  name: 'select-unchecked-tenants',
  text: 'SELECT tenant_id AS "tenantId" FROM number_checks ORDER BY tenant_id',
};

/** Leads that another transaction holds are left to the next run, so that other tenants need not wait. */
export const waitBriefly: NamedStatement = { name: 'wait-briefly', text: "SET LOCAL lock_timeout = '1s'" };

/**
 * $1 tenant, $2 limit → its next leads behind the position; none where another run has ended the tenant. Leads that need no judging are
 * without `chat`, but move the position.
 */
export const selectUncheckedLeads: NamedStatement = {
  name: 'select-unchecked-leads',
  text: `SELECT l.id, CASE WHEN l.number_validity = 'UNKNOWN' THEN l.chat END AS chat
    FROM number_checks c JOIN leads l ON l.tenant_id = c.tenant_id AND l.id > coalesce(c.position, '${firstId}')
    WHERE c.tenant_id = $1 ORDER BY l.id LIMIT $2`,
};

/**
 * $1 tenant, $2 leads, $3 the numbers that were judged, $4 their validities. A number that has changed meanwhile was judged by the change.
 * Locks leads in the order of their ids, as every statement does. Clients see no change of the lead.
 */
export const writeValidities: NamedStatement = {
  name: 'write-number-validities',
  text: `WITH judged AS (
      SELECT l.id, w.validity FROM unnest($2::uuid[], $3::text[], $4::number_validity[]) AS w (id, chat, validity)
      JOIN leads l ON l.tenant_id = $1 AND l.id = w.id AND l.chat = w.chat AND l.number_validity = 'UNKNOWN'
      ORDER BY l.id FOR NO KEY UPDATE OF l
    )
    UPDATE leads l SET number_validity = j.validity FROM judged j
    WHERE l.tenant_id = $1 AND l.id = j.id AND l.id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 the last lead that was looked at. Never goes back. */
export const moveNumberCheck: NamedStatement = {
  name: 'move-number-check',
  text: 'UPDATE number_checks SET position = greatest(position, $2::uuid) WHERE tenant_id = $1',
};

/** $1 tenant, whose leads are all judged. */
export const endNumberCheck: NamedStatement = {
  name: 'end-number-check',
  text: 'DELETE FROM number_checks WHERE tenant_id = $1',
};
