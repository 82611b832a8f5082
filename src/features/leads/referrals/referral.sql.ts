// The statements of referrals. They stand in touches, so that merges, their undoing and erasure move them with everything else of a lead.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import type { Referral } from '../../../providers/referral.js';

/** A message that came through an ad, post or product. */
export interface ReferralTouch {
  /** The touch gets the message's id: one touch for each message. */
  messageId: string;
  leadId: string;
  /** Counts if the tenant has no label of its own. */
  source: string;
  referral: Referral;
  /** The time at which a message from a history was written. Left out: now. */
  cameAt?: Date | undefined;
}

export const referralTouchColumns = new Columns<ReferralTouch>({
  id: ['uuid', ({ messageId }) => messageId],
  lead_id: ['uuid', ({ leadId }) => leadId],
  source: ['text', ({ source }) => source],
  referral: ['jsonb', ({ referral }) => JSON.stringify(referral)],
  came_at: ['timestamptz', ({ cameAt }) => cameAt],
});

/** $1 tenant, `referralTouchColumns`. A message that has its touch already makes none. */
export const insertReferralTouches: NamedStatement = {
  name: 'insert-referral-touches',
  text: `INSERT INTO lead_touches (tenant_id, id, lead_id, source, referral, created_at)
    SELECT $1, n.id, n.lead_id, coalesce(t.webhook_source_label, n.source), n.referral, least(coalesce(n.came_at, now()), now())
    FROM ${referralTouchColumns.rows('n')} JOIN tenants t ON t.id = $1
    ON CONFLICT DO NOTHING`,
};

export interface FirstReferralRow {
  leadId: string;
  referral: Referral;
}

/** $1 tenant, $2 leads → the oldest referral of each; leads without any are left out. */
export const selectFirstReferrals: NamedStatement = {
  name: 'select-first-referrals',
  text: `SELECT w.lead_id AS "leadId", found.referral FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
      SELECT t.referral FROM lead_touches t
      WHERE t.tenant_id = $1 AND t.lead_id = w.lead_id AND t.referral IS NOT NULL ORDER BY t.id LIMIT 1
    ) found`,
};

/** $1 tenant, $2 source ids → `id`, and as `name` the headline that was seen last; ids without one are left out. */
export const selectAdNames: NamedStatement = {
  name: 'select-ad-names',
  text: `SELECT w.id, found.name FROM unnest($2::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT t.referral ->> 'headline' AS name FROM lead_touches t
      WHERE t.tenant_id = $1 AND t.referral IS NOT NULL AND t.referral ->> 'sourceId' = w.id AND t.referral ? 'headline'
      ORDER BY t.id DESC LIMIT 1
    ) found`,
};

/** The leads of tenant $1 that have a referral, as a subquery. */
export const referredLeads = 'SELECT t.lead_id FROM lead_touches t WHERE t.tenant_id = $1 AND t.referral IS NOT NULL';

/** The leads of tenant $1 whose first referral has a source id, as a subquery. @param sourceId the id, in SQL */
export function leadsReferredBy(sourceId: string): string {
  return `${referredLeads} AND t.referral ->> 'sourceId' = ${sourceId} AND NOT EXISTS (
      SELECT FROM lead_touches e
      WHERE e.tenant_id = $1 AND e.lead_id = t.lead_id AND e.referral IS NOT NULL AND e.id < t.id)`;
}

/** `lead_id` and `source_id` of the first referrals of a tenant, as a table. @param tenant its id, in SQL */
export function firstSources(tenant: string): string {
  return `(SELECT DISTINCT ON (t.lead_id) t.lead_id, t.referral ->> 'sourceId' AS source_id FROM lead_touches t
      WHERE t.tenant_id = ${tenant} AND t.referral IS NOT NULL ORDER BY t.lead_id, t.id)`;
}
