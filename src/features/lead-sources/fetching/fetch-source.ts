// The parts of a source that fetching needs, from the row of a claim.

import type { LeadAccess } from '../../../clients/meta-leads.js';
import type { SecretBox } from '../../../platform/secret-box.js';
import { toCountry } from '../../tenants/country.js';
import { openAccessToken, type SourceToFetch } from '../lead-source.sql.js';
import { mappingOf } from '../reading/mapping.js';
import type { ReadingSource } from '../reading/submission.js';

export function readingOf({ sourceId, kind, name, mapping, defaultCountry }: SourceToFetch): ReadingSource {
  return { sourceId, name, mapping: mappingOf(kind, mapping), country: toCountry(defaultCountry) };
}

/** @throws Error if the token cannot be decrypted */
export function accessOf(
  box: SecretBox,
  { sourceId, baseUrl, accessTokenCiphertext }: Pick<SourceToFetch, 'sourceId' | 'baseUrl' | 'accessTokenCiphertext'>,
): LeadAccess {
  return { baseUrl, token: openAccessToken(box, sourceId, accessTokenCiphertext) };
}

/** Returns the delay after an attempt, from 1. The last delay repeats. @param leastSeconds a minimum, itself at most 6 hours */
export function delayAfter(delaysMs: readonly number[], attempt: number, leastSeconds = 0): number {
  const delayMs = delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
  return Math.max(delayMs, Math.min(leastSeconds, maxLeastSeconds) * 1_000);
}

const maxLeastSeconds = 6 * 60 * 60;
