// Reads national writings of numbers, by libphonenumber's metadata and by writings that these lack. written-number.ts decides which writing
// counts.

import { Metadata, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { Country } from './country.js';
import { isValidNumber } from './number-validity.js';

export interface NationalNumber {
  /** 7 to 15 digits with country code. */
  digits: string;
  isValid: boolean;
}

/** Reads a number as people in `country` dial it, and adds its calling code. Undefined if the country has no numbers of this length. */
export function readNational(compact: string, country: Country): NationalNumber | undefined {
  const usual = parseNational(compact, country);
  if (usual?.isValid === true) return usual;
  for (const writing of otherWritings(compact, country)) {
    const other = parseNational(writing, country);
    if (other?.isValid === true) return other;
  }
  return usual;
}

function parseNational(compact: string, country: Country): NationalNumber | undefined {
  const number = parsePhoneNumberFromString(compact, { defaultCountry: country, extract: false });
  if (number === undefined || number.countryCallingCode !== getCountryCallingCode(country)) return undefined;
  const digits = number.number.slice(1);
  if (digits.length < 7 || digits.length > 15) return undefined;
  const isValid = isValidNumber(digits);
  return isValid || number.isPossible() ? { digits, isValid } : undefined;
}

/** Writings that the metadata do not know any more, or never did. */
function otherWritings(compact: string, country: Country): string[] {
  if (country === 'MX') return [compact.replace(/^(?:01|04[45]|1)(?=\d{10}$)/, '')];
  // The 15 of mobiles stands behind an area code of two to four digits, also where the 9 is written too.
  if (country !== 'AR') return [];
  const digits = compact.replace(/^0?9?(?=\d{12}$)/, '');
  return [2, 3, 4].flatMap((length) =>
    digits.length === 12 && digits.startsWith('15', length)
      ? [`9${digits.slice(0, length)}${digits.slice(length + 2)}`]
      : [],
  );
}

/** Returns the countries by their calling code, which the digits begin with; none where no country has it. */
function countriesOf(digits: string): readonly Country[] {
  for (let length = 1; length <= 3; length += 1) {
    const countries: readonly Country[] | undefined = metadata.country_calling_codes[digits.slice(0, length)];
    if (countries !== undefined) return countries;
  }
  return [];
}

/**
 * Returns the valid number of a national writing behind a country code: `44 07911 …`, `55 011 …`, `7 8 912 …`. A form that adds the code to
 * a number with its code makes `55 5511 …`: there the number is what follows.
 * @param digits with country code, not valid as they are
 */
export function withoutTrunkPrefix(digits: string): string | undefined {
  for (const country of countriesOf(digits)) {
    const code = getCountryCallingCode(country);
    const repeated = digits.slice(code.length).replace(/^00/, '');
    if (repeated.startsWith(code) && isValidNumber(repeated)) return repeated;
    const national = readNational(digits.slice(code.length), country);
    // The library may add the area code to a local number: the number that was written has no such digits.
    if (national?.isValid === true && national.digits.length < digits.length) return national.digits;
  }
  return undefined;
}

interface DiallingHabits {
  exitCode: RegExp | undefined;
  /** Digits of the shortest fixed line or mobile number. */
  least: number;
}

const habitsByCountry = new Map<Country, DiallingHabits>();

/** The methods of the library's plan; its declarations name only some of them. */
interface LibraryPlan {
  IDDPrefix: () => string | undefined;
  possibleLengths: () => number[];
  type: (name: string) => { possibleLengths: () => number[] | undefined } | undefined;
}

function habitsOf(country: Country): DiallingHabits {
  const known = habitsByCountry.get(country);
  if (known !== undefined) return known;
  const library = new Metadata();
  library.selectNumberingPlan(country);
  const plan = library.numberingPlan as unknown as LibraryPlan;
  const lengths = ['FIXED_LINE', 'MOBILE'].flatMap((type) => plan.type(type)?.possibleLengths() ?? []);
  const exitCode = plan.IDDPrefix();
  const habits = {
    exitCode: exitCode === undefined || exitCode === '' ? undefined : new RegExp(`^(?:${exitCode})`),
    least: Math.min(...(lengths.length === 0 ? plan.possibleLengths() : lengths)),
  };
  habitsByCountry.set(country, habits);
  return habits;
}

/** Removes the prefix with which `country` dials abroad: `0011` in Australia, `011` in the United States. */
export function behindExitCode(compact: string, country: Country): string | undefined {
  const exitCode = habitsOf(country).exitCode?.exec(compact)?.[0];
  return exitCode === undefined ? undefined : compact.slice(exitCode.length);
}

/** Returns whether digits that are no valid number are fewer than the shortest fixed line or mobile number of `country`. */
export function lacksAreaCode(compact: string, country: Country): boolean {
  // In Argentina the 15 of a mobile is no area code.
  const local = compact.replace(country === 'AR' ? /^0?(?:15)?/ : /^0/, '');
  return local.length < habitsOf(country).least;
}
