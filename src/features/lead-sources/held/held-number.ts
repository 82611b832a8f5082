// Whether the number of a held submission is one of a person's numbers. Most of these numbers cannot be read in full, or nothing would have
// held them.

import { getCountryCallingCode } from 'libphonenumber-js/max';
import { readWrittenNumber } from '../../../platform/phone-numbers/written-number.js';
import { toCountry } from '../../../platform/phone-numbers/country.js';
import { matchKeyOfNumber } from '../../../platform/phone-numbers/match-key.js';

export interface HeldNumber {
  written: string;
  /** The country of the submission, else the tenant's default. */
  country: string | null;
}

/** The fewest digits that say something about a person where the country or the area code is missing. */
const minLocalDigits = 8;

const international = /^\D*(?:\+|00)/;

/**
 * A number that can be read in full belongs to the person who has it. A national number whose country or area code nothing says belongs to
 * everybody whose number ends with it, within the country if that is known.
 * @param numbers the person's numbers, with country code
 */
export function belongsTo({ written, country: stored }: HeldNumber, numbers: readonly string[]): boolean {
  const country = toCountry(stored);
  const read = readWrittenNumber(written, country);
  if ('digits' in read && read.reading.rule !== 'KEPT') {
    const keys = new Set([read.digits, ...(read.otherNumbers ?? [])].map(matchKeyOfNumber));
    return numbers.some((number) => keys.has(matchKeyOfNumber(number)));
  }
  if (international.test(written)) return false;
  const local = written.replaceAll(/\D/g, '').replace(/^0+/, '');
  const code = country === undefined ? '' : getCountryCallingCode(country);
  return local.length >= minLocalDigits && numbers.some((number) => number.startsWith(code) && number.endsWith(local));
}
