// The use that leads make of referrals: the source of a lead, and the columns of exports.

import type { Referral, ReferralKind } from '../../../providers/referral.js';

const sources: Readonly<Partial<Record<ReferralKind, string>>> = { AD: 'ad', POST: 'post', PRODUCT: 'product' };

/** The source of a lead that a referral brings, where the tenant has no label of its own; undefined: that of any message. */
export function sourceOfReferral(referral: Referral | undefined): string | undefined {
  return referral === undefined ? undefined : sources[referral.kind];
}

/** Exports have these columns of a referral. Imports leave them out. */
export const referralColumns = ['referralKind', 'referralSourceId', 'referralHeadline', 'referralClickId'] as const;

/** Returns the cells in the order of `referralColumns`. */
export function referralCells(referral: Referral | null | undefined): (string | null)[] {
  const { kind, sourceId, headline, clickId }: Partial<Referral> = referral ?? {};
  return [kind ?? null, sourceId ?? null, headline ?? null, clickId ?? null];
}
