// Reads submissions of forms as a lead source does, without a server.

import type { LeadSourceKind } from '../../../src/features/lead-sources/lead-source-kind.js';
import { mappingOf } from '../../../src/features/lead-sources/reading/mapping.js';
import { readPosting } from '../../../src/features/lead-sources/reading/submission.js';
import type { Country } from '../../../src/platform/phone-numbers/country.js';

export interface ReadOptions {
  mapping?: Record<string, unknown> | null;
  /** Default: FORM. */
  kind?: LeadSourceKind;
  /** The default country of the tenant. Default: BR. */
  country?: Country;
}

export function readSubmission(
  document: Record<string, unknown>,
  { mapping = null, kind = 'FORM', country = 'BR' }: ReadOptions = {},
) {
  const submission = { externalId: null, formId: null, disclaimers: [], isTest: false, document };
  return readPosting(
    submission,
    { sourceId: 'x', name: 'A form', mapping: mappingOf(kind, mapping), country },
    'whole',
  );
}

/** @throws Error with what was read, where it is no lead */
export function readLead(...given: Parameters<typeof readSubmission>) {
  const posting = readSubmission(...given);
  if (!('posting' in posting)) throw new Error(JSON.stringify(posting));
  const { chat, name, metadata } = posting.posting.lead;
  return { chat, name, metadata };
}
