// Reads a number as people and systems write it. A gateway's number is always international (parseChatNumber). A caller's number may also
// be a national writing, read with the country that the call names or the tenant's default.

import { getCountryCallingCode } from 'libphonenumber-js/max';
import type { Country } from './country.js';
import { behindExitCode, lacksAreaCode, readNational, withoutTrunkPrefix } from './national-number.js';
import { isValidNumber, maxDigits, minDigits } from './number-validity.js';
import { toPresentPlan } from './numbering-change.js';
import { findAmongWords, takeApart, withLostPlus } from './number-parts.js';

/** Every rule by which a number can be read, with its meaning. */
export const readingRules = {
  INTERNATIONAL: 'It begins with `+` or `00`, or stands in an address that is international.',
  TRUNK_DROPPED:
    'It has a country code and then a national prefix, or the code again, without which alone it is valid.',
  EXIT_CODE: 'It begins with the prefix with which the country dials abroad.',
  OWN_CODE: "Its bare digits begin with the country's own calling code, and are valid with it.",
  NATIONAL: 'It is a valid national number of the country.',
  WITH_CODE: 'Its bare digits are valid with the country code that they begin with.',
  NEW_PLAN: 'It is of a former numbering plan, and became the number that follows it.',
  POSSIBLE: 'It is a national writing of the country, with a length of its numbers, and not valid.',
  KEPT: 'Nothing else fits: its digits are kept as they are.',
} as const;

export type ReadingRule = keyof typeof readingRules;

/** The rule by which a number was read. */
export interface NumberReading {
  rule: ReadingRule;
  /** The country whose numbers the rule has asked for, ISO 3166-1 alpha-2; null where it needs no country. */
  country: string | null;
}

export type ChatNumber = { digits: string } | { problem: string };

/** A number that a caller wrote, and what else stands in the field. */
export interface ReadNumber {
  digits: string;
  reading: NumberReading;
  extension?: string;
  /** The other numbers: with country code where they can be read, otherwise as they are written. */
  otherNumbers?: string[];
  /** The words around the number. */
  words?: string;
}

// Blanks, dots, hyphens of every kind, slashes, tildes, underscores and brackets: what people and forms put between digits. The mark U+30FC
// is on Japanese keyboards where others have a hyphen.
const separators =
  /[\s.()[\]/~_\u00AD\u00B7\u30FB\u30FC\u2010-\u2015\u2212\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF-]/g;
const internationalPrefix = /^(?:\+|00)/;
/** A zero behind an opening bracket that is not the first thing: `55 (0)41`, `+49 (0151)`. */
const bracketedZero = /(\d[^\d([]*[([]\s*)0/;
const bracketBeforeDigits = /^\D*[([]/;
/** The form of most numbers, in which nothing has to be taken apart. */
const plain = /^\+?[1-9]\d{6,14}$/;

const notANumber = { problem: 'has to be a phone number: digits with country code' };
/** The problem of a national writing without a country. */
export const needsCountryCode = { problem: 'needs a country code' };
const withoutAreaCode = {
  problem: 'is a national number without its area code: write it with area code, or with country code',
};

/** Reads an international number in any common writing: `+55 (11) 98888-7777`, `0055 11…`, `tel:+55…`, `…@c.us`, digits of any script. */
export function parseChatNumber(written: string): ChatNumber {
  if (plain.test(written)) return { digits: written.startsWith('+') ? written.slice(1) : written };
  const parts = takeApart(written);
  // A network reports one number, and nothing that is dialled behind it.
  if ('problem' in parts || parts.extension !== undefined || parts.others.length > 0) return notANumber;
  const digits = compactOf(parts.text)?.replace(internationalPrefix, '');
  return digits === undefined || digits === '' ? notANumber : bounded(digits);
}

/**
 * Reads a number as callers post it, by the first rule that fits:
 * 1. With `+`, `00` or in an address it is international. A trunk prefix behind the country code is dropped where it must be.
 * 2. Bare digits that begin with the calling code of `country` and are valid are international.
 * 3. A valid national number of `country` is national.
 * 4. Digits that are valid with their country code, or behind the exit code of `country`, are international.
 * 5. A national writing (brackets, a leading zero) needs a country. It is kept as a number of that country even if it is not valid.
 * 6. Other digits are kept as they are, but for those that lack the area code of `country`.
 */
export function readWrittenNumber(written: string, country?: Country): ReadNumber | { problem: string } {
  if (plain.test(written)) return settled(readText(written, country));
  const parts = takeApart(written);
  if ('problem' in parts) return parts;
  const read = readTwo(parts.text, country) ?? readAmongWords(parts.text, country);
  const whole = parts.undivided === undefined || isValid(read) ? undefined : readAmongWords(parts.undivided, country);
  if (isValid(whole)) return whole;
  if ('problem' in read) return read;
  if (parts.extension !== undefined) read.extension = parts.extension;
  const others = [...(read.otherNumbers ?? []), ...parts.others.map((other) => digitsOrText(other, country))];
  if (others.length > 0) read.otherNumbers = others;
  return read;
}

/**
 * Reads two numbers that nothing known separates, as `11988887777 11977776666` and `cell 212-555-0123 home 646-555-0199`: together they
 * have more digits than any number, and each is valid.
 */
function readTwo(text: string, country: Country | undefined): ReadNumber | undefined {
  const count = digitsIn(text);
  if (count <= maxDigits || count > 2 * maxDigits) return undefined;
  for (const { index } of text.matchAll(/(?<=\d)\D+(?=\d)/g)) {
    const before = digitsIn(text.slice(0, index));
    if (Math.min(before, count - before) < minDigits || Math.max(before, count - before) > maxDigits) continue;
    const [first, second] = [text.slice(0, index), text.slice(index)].map((part) => readAmongWords(part, country));
    if (isValid(first) && isValid(second) && namesOnlyKind(first.words))
      return { ...first, otherNumbers: [second.digits] };
  }
  return undefined;
}

/** Words before the first of two numbers may name another person, as in `mãe … meu …`, but for those that say its kind. */
const kindWord =
  /^(?:(?:tel|cel|mob|m[oó]v|fon|phon|whats|zap|wpp|trab|handy|priv|princip|n[uú]m)\p{L}*|home|house|casa|work|office|main|res|com|no|nr|)$/iu;
const namesOnlyKind = (words = '') => words.split(' ').every((word) => kindWord.test(word));

const digitsIn = (text: string) => text.replace(/\D/g, '').length;

const isValid = (read: ReadNumber | { problem: string } | undefined): read is ReadNumber =>
  read !== undefined && 'digits' in read && isValidNumber(read.digits);

/** Returns the value of a form field with the `+` that its encoding has lost, where its digits are valid with their country code. */
export function restorePlus(written: string): string {
  return withLostPlus(written, isValidNumber);
}

/** Reads a number that may have words around it. Among words only a valid number counts: other digits may mean anything. */
function readAmongWords(text: string, country: Country | undefined): ReadNumber | { problem: string } {
  const read = settled(readText(text, country));
  const found = compactOf(text) === undefined ? findAmongWords(text) : undefined;
  if (found === undefined) return read;
  const inner = settled(readText(found.number, country));
  if ('problem' in inner) return inner === needsCountryCode ? inner : read;
  if (!isValidNumber(inner.digits)) return read;
  return found.words === '' ? inner : { ...inner, words: found.words };
}

function digitsOrText(written: string, country: Country | undefined): string {
  const read = readAmongWords(written, country);
  return 'digits' in read ? read.digits : written;
}

type Read = { digits: string; rule: ReadingRule; country?: Country } | { problem: string };

function settled(read: Read): ReadNumber | { problem: string } {
  if ('problem' in read) return read;
  const bounds = bounded(read.digits);
  if ('problem' in bounds) return bounds;
  const digits = toPresentPlan(read.digits);
  const rule = digits === read.digits ? read.rule : 'NEW_PLAN';
  return { digits, reading: { rule, country: read.country ?? null } };
}

function readText(text: string, country: Country | undefined): Read {
  const compact = compactOf(text);
  if (compact === undefined) return notANumber;
  const withoutZero =
    text.length === compact.length ? compact : (compactOf(text.replace(bracketedZero, '$1')) ?? compact);
  const candidates = withoutZero === compact ? [compact] : [withoutZero, compact];
  if (internationalPrefix.test(compact)) return readInternational(compact, candidates, country);
  const isBare = !compact.startsWith('0') && !bracketBeforeDigits.test(text);
  const valid = isBare ? candidates.find(isValidNumber) : undefined;
  if (country === undefined) return readWithoutCountry(text, compact, valid);
  if (valid?.startsWith(getCountryCallingCode(country)) === true) return { digits: valid, rule: 'OWN_CODE', country };
  const national = readNational(compact, country);
  if (national?.isValid === true) return { digits: national.digits, rule: 'NATIONAL', country };
  if (valid !== undefined) return { digits: valid, rule: 'WITH_CODE' };
  return readDialled(compact, country) ?? readInvalid({ text, compact, isBare, country }, national?.digits);
}

function readWithoutCountry(text: string, compact: string, valid: string | undefined): Read {
  if (valid !== undefined) return { digits: valid, rule: 'WITH_CODE' };
  const isNational = compact.startsWith('0') || /[([]/.test(text);
  return isNational ? needsCountryCode : { digits: compact, rule: 'KEPT' };
}

function readInternational(compact: string, candidates: readonly string[], country: Country | undefined): Read {
  const forms = candidates.map((form) => form.replace(internationalPrefix, ''));
  // In Italy the zero belongs to the number: it stays where the number is valid with it only.
  const valid = forms.find(isValidNumber);
  if (valid !== undefined) return { digits: valid, rule: 'INTERNATIONAL' };
  const [kept = ''] = forms;
  const dialled =
    country === undefined || compact.startsWith('+') ? undefined : readDialledOrNational(compact, country);
  if (dialled !== undefined) return dialled;
  const dropped = withoutTrunkPrefix(forms.at(-1) ?? kept);
  return dropped === undefined ? { digits: kept, rule: 'INTERNATIONAL' } : { digits: dropped, rule: 'TRUNK_DROPPED' };
}

/** Reads a number behind an exit code, or a national number that begins with the same digits. */
function readDialledOrNational(compact: string, country: Country): Read | undefined {
  const dialled = readDialled(compact, country);
  if (dialled !== undefined) return dialled;
  const national = readNational(compact, country);
  return national?.isValid === true ? { digits: national.digits, rule: 'NATIONAL', country } : undefined;
}

function readDialled(compact: string, country: Country): Read | undefined {
  const abroad = behindExitCode(compact, country);
  return abroad !== undefined && isValidNumber(abroad) ? { digits: abroad, rule: 'EXIT_CODE', country } : undefined;
}

/** @param possible digits of a national number of the country that is not valid */
function readInvalid(
  { text, compact, isBare, country }: { text: string; compact: string; isBare: boolean; country: Country },
  possible: string | undefined,
): Read {
  const dropped =
    isBare && compact.startsWith(getCountryCallingCode(country)) ? withoutTrunkPrefix(compact) : undefined;
  if (dropped !== undefined) return { digits: dropped, rule: 'TRUNK_DROPPED', country };
  const hasBrackets = /[([]/.test(text);
  if (!hasBrackets && lacksAreaCode(compact, country)) return withoutAreaCode;
  if (!compact.startsWith('0') && !hasBrackets) return { digits: compact, rule: 'KEPT' };
  return possible === undefined ? needsCountryCode : { digits: possible, rule: 'POSSIBLE', country };
}

/** Returns the digits, with a `+` in front where one is written; undefined for anything else. */
function compactOf(text: string): string | undefined {
  const compact = text.replace(separators, '');
  return /^\+?\d+$/.test(compact) ? compact : undefined;
}

function bounded(digits: string): ChatNumber {
  if (digits.startsWith('0')) return { problem: 'has to start with a country code, which never begins with 0' };
  if (digits.length < minDigits || digits.length > maxDigits)
    return { problem: `has to have ${minDigits} to ${maxDigits} digits, country code included` };
  return { digits };
}
