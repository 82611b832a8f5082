// Reads a number as people and systems write it. What a gateway reports is international always (parseChatNumber); what a caller posts may
// also be a national writing, read with the country that the call names or the tenant's default.

import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Country } from '../../tenants/country.js';
import { judgeNumber } from './number-validity.js';

/** Longer writings are refused before anything reads them. In characters. */
export const maxWrittenLength = 64;

/** 7 digits is the shortest number in use with its country code, 15 the most that ITU-T E.164 allows. */
const minDigits = 7;
const maxDigits = 15;

// Blanks, dots, hyphens of every kind, slashes and brackets: what people and forms put between digits.
const separators = /[\s.()[\]/\u00AD\u2010-\u2015\u2212\u200B-\u200F\u202A-\u202E\u2060\uFEFF-]/g;
const internationalPrefix = /^(?:\+|00)/;
/** A zero behind an opening bracket that is not the first thing: `55 (0)41`, `+49 (0151)`. */
const bracketedZero = /(\d[^\d([]*[([]\s*)0/;
const bracketBeforeDigits = /^\D*[([]/;

export type ChatNumber = { digits: string } | { problem: string };

const notANumber = { problem: 'has to be a phone number: digits with country code' };
/** Of a national writing without a country. */
export const needsCountryCode: ChatNumber = { problem: 'needs a country code' };

/** An international number in any common writing: `+55 (11) 98888-7777`, `0055 11…`, `tel:+55…`, full-width digits, bare digits. */
export function parseChatNumber(written: string): ChatNumber {
  const compact = compactOf(normalized(written));
  const digits = compact?.replace(internationalPrefix, '');
  return digits === undefined || digits === '' ? notANumber : bounded(digits);
}

/**
 * A number as callers post it, by the first rule that fits:
 * 1. With `+` or `00` it is international. A trunk zero in brackets is dropped.
 * 2. A valid national number of `country` is national.
 * 3. Digits that are valid with their country code are international.
 * 4. A national writing (brackets, a leading zero) needs a country, of which it is kept even if it is not valid.
 * 5. Other digits are kept as they are.
 */
export function readWrittenNumber(written: string, country?: Country): ChatNumber {
  const text = normalized(written);
  const compact = compactOf(text);
  if (compact === undefined) return notANumber;
  const withoutZero = compactOf(text.replace(bracketedZero, '$1')) ?? compact;
  if (internationalPrefix.test(compact)) return bounded(readInternational(compact, withoutZero));
  const national = country === undefined ? undefined : readNational(compact, country);
  if (national?.isValid === true) return { digits: national.digits };
  const beginsNational = compact.startsWith('0') || bracketBeforeDigits.test(text);
  const candidates = beginsNational ? [] : [withoutZero, compact];
  const valid = candidates.find((digits) => judgeNumber(digits) === 'VALID');
  if (valid !== undefined) return { digits: valid };
  if (!compact.startsWith('0') && !/[([]/.test(text)) return bounded(compact);
  return national === undefined ? needsCountryCode : { digits: national.digits };
}

function normalized(written: string): string {
  return written.length > maxWrittenLength ? '' : written.normalize('NFKC').trim().replace(/^tel:/i, '');
}

/** Digits, with a `+` in front where one is written; undefined for anything else. */
function compactOf(text: string): string | undefined {
  const compact = text.replace(separators, '');
  return /^\+?\d+$/.test(compact) ? compact : undefined;
}

// In Italy the zero belongs to the number: it stays where the number is valid with it only.
function readInternational(compact: string, withoutZero: string): string {
  const [whole, short] = [compact, withoutZero].map((form) => form.replace(internationalPrefix, ''));
  if (whole === undefined || short === undefined || whole === short) return short ?? '';
  return judgeNumber(short) !== 'VALID' && judgeNumber(whole) === 'VALID' ? whole : short;
}

/** As somebody in `country` dials it, with its calling code; undefined where the country has no numbers of this length. */
function readNational(compact: string, country: Country): { digits: string; isValid: boolean } | undefined {
  const number = parsePhoneNumberFromString(compact, { defaultCountry: country, extract: false });
  if (number === undefined || number.countryCallingCode !== getCountryCallingCode(country)) return undefined;
  const digits = number.number.slice(1);
  if ('problem' in bounded(digits)) return undefined;
  const isValid = judgeNumber(digits) === 'VALID';
  return isValid || number.isPossible() ? { digits, isValid } : undefined;
}

function bounded(digits: string): ChatNumber {
  if (digits.startsWith('0')) return { problem: 'has to start with a country code, which never begins with 0' };
  if (digits.length < minDigits || digits.length > maxDigits)
    return { problem: `has to have ${minDigits} to ${maxDigits} digits, country code included` };
  return { digits };
}
