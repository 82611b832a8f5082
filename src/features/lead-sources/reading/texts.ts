// Finds texts in a submission: the values of pointers, and its e-mail address.

import { withoutEntities } from '../../../platform/input/html-entities.js';
import { isPlainObject, isStorable } from '../../../platform/input/input.js';
import { callingCodeNamed } from '../../../platform/phone-numbers/country-names.js';
import { nameKey } from '../../leads/name-key.js';
import { numberPartOf, withAreaCode } from '../../leads/number-fields.js';
import { isUnfilled } from '../../leads/posted-field.js';
import { isOfOthers } from '../../leads/whose-field.js';
import type { Mapping } from './mapping.js';
import type { DocumentReader } from './pointer.js';

/**
 * Returns the first text or number that the pointers lead to; for a list, the first that is not empty; for an object with the parts of a
 * name or a number, the whole. Texts keep their blanks.
 * @param isName joins a list with the parts of a name
 */
export function textAt(reader: DocumentReader, pointers: readonly string[], isName = false): string | undefined {
  for (const pointer of pointers) {
    const text = textIn(reader.valueAt(pointer), isName);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The most elements of a list that are looked at: anybody may send a long one. */
const maxListed = 200;

/** Returns the text that `textAt` finds at this value. */
export function textIn(written: unknown, isName = false): string | undefined {
  const value = typedValue(written);
  const values = Array.isArray(value) ? (value as unknown[]).slice(0, maxListed) : [value];
  return (
    (isName ? joinedWords(values) : undefined) ??
    joinedPieces(values) ??
    values
      .filter((each) => !isFax(each) && !(Array.isArray(value) && kindOf(each).some(isOfOthers)))
      .toSorted((a, b) => preferenceOf(b) - preferenceOf(a))
      .map((each) => joinedParts(partsInLines(each)) ?? textOf(each))
      .find((each) => each !== undefined)
  );
}

/** A property of Notion has its value under the name of its type: `{"type": "title", "title": […]}`. */
function typedValue(value: unknown): unknown {
  if (!isPlainObject(value) || typeof value.type !== 'string') return value;
  return Object.hasOwn(value, value.type) ? value[value.type] : value;
}

/** Formatted text comes in pieces, and a number in the digits of its input fields: `["212", "555", "0123"]`. */
function joinedPieces(values: readonly unknown[]): string | undefined {
  const pieces = values.map((value) => (isPlainObject(value) ? value.plain_text : undefined));
  if (pieces.length > 0 && pieces.every((piece) => typeof piece === 'string')) return textOf(pieces.join(''));
  const texts = values.flatMap((value) => textOf(value)?.trim() ?? []);
  const digits = texts.join('').replaceAll(/\D/g, '').length;
  const isSplit = /^\+?\d{1,5}$/.test(texts[0] ?? '') && texts.every((text) => /^\+?[\d-]{1,12}$/.test(text));
  return isSplit && texts.length <= maxPieces && digits >= 7 && digits <= 15 ? texts.join(' ') : undefined;
}

/** Country, area, exchange and line. */
const maxPieces = 4;

/** Squarespace gives a name as `["Ann", "Lee"]`. Two texts of several words are two people, and one within another is a repetition. */
function joinedWords(values: readonly unknown[]): string | undefined {
  const words = values.flatMap((value) => textOf(value)?.trim() ?? []);
  if (words.length < 2 || words.length > maxPieces) return undefined;
  const isSplit = words.every(
    (word) => isPartOfName(word) && words.filter((other) => other.includes(word)).length === 1,
  );
  const isOne = words.filter((word) => /\s/.test(word)).length < 2;
  return isSplit && isOne ? words.join(' ') : undefined;
}

const isPartOfName = (word: string) => /^[\p{L}\p{M}\s.'’-]{1,60}$/u.test(word);

const kindFields = 'type label tag category kind tipo phoneType phone_type'.split(' ');

/** The words by which a list of numbers says the kind of each. */
export const kindOf = (value: unknown) =>
  isPlainObject(value) ? kindFields.map((field) => value[field]).filter((kind) => typeof kind === 'string') : [];

export const isFax = (value: unknown): boolean => kindOf(value).some((kind) => faxKind.test(kind.trim()));
/** `Fax machines` is what somebody asks for, and `Tel/Fax` is a number. */
const faxKind =
  /^(?:(?:home|work|office|business|company|other|main|private?|personal)[\s_-]*)?(?:tele)?fax(?:[\s_-]*(?:home|work|office|business|other|number|phone|no|nr|nummer))?$/i;

/** A mobile comes before other numbers, unless another one is the first choice of the person. */
function preferenceOf(value: unknown): number {
  if (isPlainObject(value) && [value.primary, value.is_primary, value.isPrimary].includes(true)) return 2;
  return kindOf(value).some((kind) => /mobil|cell|celul|m[oó]vil|whats/i.test(kind)) ? 1 : 0;
}

/** The parts in which forms give a number or a name, by their keys, in the order in which they are written. */
const wholeParts = 'full value e164 e164phone internationalnumber international'.split(' ');
const numberParts = ['area areacode ddd', 'phone number phonenumber numero nationalnumber national formatted raw'].map(
  (keys) => keys.split(' '),
);
const nameParts = ['first firstname givenname', 'middle middlename', 'last lastname familyname surname'].map((keys) =>
  keys.split(' '),
);
const exchangeParts = ['prefix', 'exchange'];
const lineParts = ['line', 'linenumber', 'suffix'];
const maxParts = 12;

/** Formstack writes the parts of a name in lines of a text: `first = Ana`. */
function partsInLines(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\w{1,20} = .*(?:\n\w{1,20} = .*){1,11}$/.test(value)) return value;
  return Object.fromEntries(value.split('\n').map((line) => line.split(' = ', 2)));
}

function joinedParts(value: unknown): string | undefined {
  const entries = isPlainObject(value) ? Object.entries(value) : [];
  if (entries.length === 0 || entries.length > maxParts) return undefined;
  const parts = new Map(entries.map(([name, part]) => [nameKey(name), textOf(part)?.trim()]));
  // A form's field may be an object that has its parts under `value`.
  const inner = entries.find(([name]) => nameKey(name) === 'value')?.[1];
  if (isPlainObject(inner) && !('value' in inner)) return joinedParts(inner);
  const first = (keys: readonly string[]) => keys.map((key) => parts.get(key)).find((part) => part !== undefined);
  const whole = first(wholeParts);
  if (whole !== undefined) return whole;
  const [area, phone] = numberParts.map(first);
  if (phone !== undefined) return joinedNumber(callingCodeIn(parts), area, phone);
  // Beside a line, a prefix is that of the area or of its exchange, and no country's.
  const local = [area, first(exchangeParts)].filter((part) => part !== undefined);
  const line = first(lineParts);
  if (local.length > 0 && line !== undefined && /^\d{2,8}$/.test(line)) {
    const country = [...parts].filter(([name]) => !exchangeParts.includes(name));
    return joinedNumber(callingCodeIn(new Map(country)), local[0], [...local.slice(1), line].join(''));
  }
  const names = nameParts.flatMap((keys) => first(keys) ?? []);
  return names.length === 0 ? first(['text', 'fullname', 'displayname', 'name', 'answer']) : names.join(' ');
}

/** Pickers give the calling code, the letters of the country, or both. */
function callingCodeIn(parts: ReadonlyMap<string, string | undefined>): string | undefined {
  const countries = [...parts].flatMap(([name, text]) =>
    text !== undefined && isCountryPart(name, text) ? [text] : [],
  );
  const codes = countries.map((text) => callingCodeNamed(text));
  // A calling code comes first: the country beside it may be that of the visitor.
  return codes[countries.findIndex((text) => /\d/.test(text))] ?? codes[0];
}

const isCountryPart = (name: string, text: string) => numberPartOf(name, text) === 'country';

/** The code of a country stands in front of a number without one only. */
function joinedNumber(code: string | undefined, area: string | undefined, phone: string): string {
  const national = area === undefined ? phone : withAreaCode(phone, area);
  return code !== undefined && !/^\s*(?:\+|00)/.test(national) ? `+${code} ${national}` : national;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const text = withoutEntities(value);
    return text.trim() === '' || isUnfilled(text) ? undefined : text;
  }
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

const emailForm = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,180}\.[^\s@<>",;.]{2,63}$/;
/** Ids of the network look like addresses: `…-1600000000@g.us`. */
const networkDomain = /@(?:[cg]\.us|(?:.*\.)?(?:whatsapp|msging)\.net)$/i;
const emailName = /e-?mail|correo/i;
/** The most values of a submission that are searched. */
const maxVisited = 2_000;

/** Finds the e-mail address of a submission: by the mapping, then in a field whose name suggests one, then in any other, last of others. */
export function findEmail(reader: DocumentReader, document: unknown, { metadata }: Mapping): string | undefined {
  const pointer = metadata.get('email');
  const mapped = pointer === undefined ? undefined : asEmail(reader.valueAt(pointer));
  return mapped ?? searchEmail(reader, document, isOfOthers) ?? searchEmail(reader, document, () => false);
}

function searchEmail(
  reader: DocumentReader,
  document: unknown,
  isLeftOut: (name: string) => boolean,
): string | undefined {
  let other: string | undefined;
  let visited = 0;
  const waiting: [name: string, value: unknown][] = [['', document]];
  for (let next = waiting.shift(); next !== undefined && visited < maxVisited; next = waiting.shift()) {
    visited += 1;
    const [name, value] = next;
    if (isLeftOut(name)) continue;
    const email = asEmail(value);
    if (email !== undefined && emailName.test(name)) return email;
    other ??= email;
    if (Array.isArray(value)) waiting.push(...(value as unknown[]).slice(0, maxVisited).map(under(name)));
    else if (isPlainObject(value)) waiting.push(...Object.entries(value).slice(0, maxVisited));
    else if (typeof value === 'string' && name !== '') waiting.push(...fieldsOfText(reader, value));
  }
  return other;
}

const under =
  (name: string) =>
  (value: unknown): [string, unknown] => [name, value];

// JSON within a text is searched as part of the submission, but not JSON within a text of that JSON.
function fieldsOfText(reader: DocumentReader, text: string): [string, unknown][] {
  const parsed = reader.parse(text);
  if (!isPlainObject(parsed)) return [];
  return Object.entries(parsed)
    .slice(0, maxVisited)
    .filter(([, value]) => typeof value !== 'string' || !/^\s*[[{]/.test(value));
}

export const isEmail = (value: unknown): boolean => asEmail(value) !== undefined;

function asEmail(value: unknown): string | undefined {
  const text = typeof value === 'string' && value.length <= 320 ? value.trim() : '';
  return emailForm.test(text) && !networkDomain.test(text) && isStorable(text) ? text : undefined;
}
