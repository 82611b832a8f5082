// The statements of leases on leads.

import type { NamedStatement } from '../../../platform/database.js';

/** $1 tenant, $2 lead, $3 user, $4 intent, $5 seconds → whether others see something new: a mere renewal is none. */
export const claimLead: NamedStatement = {
  name: 'claim-lead',
  text: `INSERT INTO lead_presences AS p (tenant_id, lead_id, user_id, intent, expires_at)
    VALUES ($1, $2, $3, $4::presence_intent, now() + $5::int * interval '1 s')
    ON CONFLICT (tenant_id, lead_id, user_id) DO UPDATE SET intent = EXCLUDED.intent, expires_at = EXCLUDED.expires_at,
      since = CASE WHEN p.intent = EXCLUDED.intent AND p.expires_at > now() THEN p.since ELSE EXCLUDED.since END
    RETURNING since = now()::timestamptz(3) AS "isNew"`,
};

/** $1 tenant, $2 lead, $3 user → a row where there was a lease, ended or not. */
export const releaseLead: NamedStatement = {
  name: 'release-lead',
  text: 'DELETE FROM lead_presences WHERE tenant_id = $1 AND lead_id = $2 AND user_id = $3 RETURNING lead_id',
};

/** $1 tenant, $2 leads → the leases in effect, the oldest first. */
export const selectPresences: NamedStatement = {
  name: 'select-lead-presences',
  text: `SELECT lead_id AS "leadId", user_id AS "userId", intent, since, expires_at AS "expiresAt" FROM lead_presences
    WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[]) AND expires_at > now() ORDER BY since, user_id`,
};

/** The tenants with leases that have ended. */
export const selectTenantsWithEndedLeases: NamedStatement = {
  name: 'select-tenants-with-ended-leases',
  text: 'SELECT DISTINCT tenant_id AS "tenantId" FROM lead_presences WHERE expires_at <= now()',
};

/** $1 tenant, $2 limit → the leads whose leases went. What another process is removing is left to it. */
export const deleteEndedLeases: NamedStatement = {
  name: 'delete-ended-leases',
  text: `DELETE FROM lead_presences WHERE tenant_id = $1 AND (lead_id, user_id) IN (
      SELECT p.lead_id, p.user_id FROM lead_presences p WHERE p.tenant_id = $1 AND p.expires_at <= now()
      ORDER BY p.lead_id, p.user_id LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING lead_id AS "leadId"`,
};
