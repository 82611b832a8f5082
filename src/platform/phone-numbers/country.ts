// A country as tenants and callers name it: ISO 3166-1 alpha-2, as far as its numbers are known. A call's own `country` overrules the
// default of its tenant: lead.schema.ts chooses, and written-number.ts reads the number in it.

import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import { z } from 'zod';

export type Country = CountryCode;

const unknownCountry = 'has to be a country of ISO 3166-1 in two letters, such as BR';

/** Two letters in any case. Antarctica and other places without numbers of their own are refused. */
export const countrySchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{2}$/, unknownCountry)
  .transform((written) => written.toUpperCase())
  .refine(isSupportedCountry, unknownCountry)
  .describe('ISO 3166-1 alpha-2, such as `BR`.')
  .meta({ examples: ['BR'] });

/** A country as it is stored; undefined for one whose numbers are not known any more. */
export function toCountry(stored: string | null | undefined): Country | undefined {
  return stored != null && isSupportedCountry(stored) ? stored : undefined;
}
