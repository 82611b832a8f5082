// Judges whether a number can exist, by libphonenumber's full metadata. Its patterns are compiled once for each calling code: the library
// compiles them for each question. written-number.ts reads writings, and match-key.ts matches numbers.

import { Metadata, type CountryCode } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import { NumberValidity } from '../prisma/enums.js';
import { matchKeyOfNumber } from './match-key.js';

/**
 * Judges whether the full metadata know the number as one that can be given out, in one of its writings. Networks write Brazilian mobiles
 * without their ninth digit, and Mexican ones with a 1. Takes about a microsecond.
 * @param digits with country code; null while the number is hidden, which is UNKNOWN
 */
export function judgeNumber(digits: string | null): NumberValidity {
  if (digits === null) return NumberValidity.UNKNOWN;
  return isAssignable(digits) || otherWritingsOf(digits).some(isAssignable)
    ? NumberValidity.VALID
    : NumberValidity.INVALID;
}

/** 7 digits is the shortest number in use with its country code, 15 the most that ITU-T E.164 allows. */
export const minDigits = 7;
export const maxDigits = 15;

/** Returns whether digits with country code are 7 to 15 and VALID. Some plans allow more, which no network carries. */
export function isValidNumber(digits: string): boolean {
  return digits.length >= minDigits && digits.length <= maxDigits && judgeNumber(digits) === NumberValidity.VALID;
}

/** Returns the other writings of a number that its match key makes equal. */
function otherWritingsOf(digits: string): string[] {
  const key = matchKeyOfNumber(digits);
  const withNinthDigit = key.replace(/^(55\d{2})([6-9]\d{7})$/, '$19$2');
  return [...new Set([key, withNinthDigit])].filter((writing) => writing !== digits);
}

/** The numbers of a country, or of a service with a calling code of its own. */
interface NumberingPlan {
  /** The pattern of every number. */
  general: RegExp;
  /** Mobiles, fixed lines, and so on: a number has to be of one type. Undefined: the general pattern decides. */
  types: { pattern: RegExp; lengths: ReadonlySet<number> | undefined }[] | undefined;
}

const maxCallingCodeLength = 3;
const plansByCallingCode = new Map<string, NumberingPlan[]>();

function isAssignable(digits: string): boolean {
  for (let length = 1; length <= maxCallingCodeLength; length += 1) {
    const plans = plansOf(digits.slice(0, length));
    // No calling code is the beginning of another.
    if (plans.length > 0) return plans.some((plan) => matches(plan, digits.slice(length)));
  }
  return false;
}

function matches({ general, types }: NumberingPlan, national: string): boolean {
  if (!general.test(national)) return false;
  if (types === undefined) return true;
  return types.some(({ pattern, lengths }) => lengths?.has(national.length) !== false && pattern.test(national));
}

function plansOf(callingCode: string): NumberingPlan[] {
  const known = plansByCallingCode.get(callingCode);
  if (known !== undefined) return known;
  const plans = owners(callingCode).map(readPlan);
  // At most a thousand: codes have up to three digits.
  plansByCallingCode.set(callingCode, plans);
  return plans;
}

/** The countries of a calling code, or the code itself where it belongs to none. */
function owners(callingCode: string): string[] {
  const countries: readonly string[] | undefined = metadata.country_calling_codes[callingCode];
  if (countries !== undefined) return [...countries];
  return Object.hasOwn(metadata.nonGeographic, callingCode) ? [callingCode] : [];
}

/** The methods of the library's plan; its declarations name only some of them. */
interface LibraryPlan {
  nationalNumberPattern: () => string;
  hasTypes: () => boolean;
  type: (
    name: string,
  ) => { pattern: () => string | undefined; possibleLengths: () => number[] | undefined } | undefined;
}

// The types of numbers, the most common first.
const typeNames = [
  'MOBILE',
  'FIXED_LINE',
  'VOIP',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

function readPlan(owner: string): NumberingPlan {
  const library = new Metadata();
  library.selectNumberingPlan(owner as CountryCode);
  const plan = library.numberingPlan as unknown as LibraryPlan;
  const types = typeNames.flatMap((name) => {
    const type = plan.type(name);
    const pattern = type?.pattern();
    // A type that shares the pattern of another has none of its own.
    if (type === undefined || pattern === undefined || pattern === '') return [];
    const lengths = type.possibleLengths();
    return [{ pattern: whole(pattern), lengths: lengths === undefined ? undefined : new Set(lengths) }];
  });
  return { general: whole(plan.nationalNumberPattern()), types: plan.hasTypes() ? types : undefined };
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
