// What fetching needs to know of a source, from the row that a claim gives.

import type { LeadAccess } from '../../../clients/meta-leads.js';
import type { SecretBox } from '../../../platform/secret-box.js';
import { toCountry } from '../../tenants/country.js';
import { openAccessToken } from '../lead-source.sql.js';
import type { SourceToFetch } from '../lead-source.sql.js';
import { mappingOf } from '../reading/mapping.js';
import type { ReadingSource } from '../reading/submission.js';

export function readingOf({ sourceId, kind, name, mapping, defaultCountry }: SourceToFetch): ReadingSource {
  return { sourceId, name, mapping: mappingOf(kind, mapping), country: toCountry(defaultCountry) };
}

/** @throws Error where the token cannot be decrypted */
export function accessOf(
  box: SecretBox,
  { sourceId, baseUrl, accessTokenCiphertext }: Pick<SourceToFetch, 'sourceId' | 'baseUrl' | 'accessTokenCiphertext'>,
): LeadAccess {
  return { baseUrl, token: openAccessToken(box, sourceId, accessTokenCiphertext) };
}

/** After the first attempt, the second, and so on; the last one again and again. */
export function delayAfter(delaysMs: readonly number[], attempt: number, leastSeconds = 0): number {
  const delayMs = delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
  return Math.max(delayMs, Math.min(leastSeconds, maxLeastSeconds) * 1_000);
}

const maxLeastSeconds = 6 * 60 * 60;
