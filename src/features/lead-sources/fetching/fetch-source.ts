// The parts of a source that fetching needs, from the row of a claim.

import type { LeadAccess } from '../../../providers/meta/leads.js';
import type { SecretBox } from '../../../platform/secret-box.js';
import { toCountry } from '../../../platform/phone-numbers/country.js';
import type { SourceToFetch } from '../lead-source.sql.js';
import { openAccessToken } from '../lead-source-secrets.js';
import type { ArrivalEntry } from '../calls/source-lead-intake.js';
import { mappingOf } from '../reading/mapping.js';
import { readMetaLead } from '../reading/meta-lead.js';
import { keyOfExternalId, readPosting, type ReadingSource, type ReadPosting } from '../reading/submission.js';

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

/** A lead that was fetched, as an entry of an arrival. */
type FetchedEntry = ReadPosting | Extract<ArrivalEntry, { test: unknown }>;

/** The reason where Meta gave a lead that cannot be read. */
export const noAnswers = 'Meta gave no answers.';

/** Returns the entry that a fetched lead makes: a test makes none, whatever its answers are. Undefined for a lead without answers. */
export function readFetchedLead(
  lead: Record<string, unknown>,
  leadgenId: string,
  source: ReadingSource,
): FetchedEntry | undefined {
  const submission = readMetaLead({ ...lead, id: leadgenId });
  if (submission === undefined) return undefined;
  const read = readPosting(submission, source, leadgenId);
  if (!submission.isTest) return read;
  return { test: { key: keyOfExternalId(leadgenId), ...('posting' in read && { posting: read.posting }) } };
}

/** Returns the delay after an attempt, from 1. The last delay repeats. @param leastSeconds a minimum, itself at most 6 hours */
export function delayAfter(delaysMs: readonly number[], attempt: number, leastSeconds = 0): number {
  const delayMs = delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
  return Math.max(delayMs, Math.min(leastSeconds, maxLeastSeconds) * 1_000);
}

const maxLeastSeconds = 6 * 60 * 60;
