// Finds the people whom the body of a webhook call names, and removes those who were erased. It searches raw texts, not the fields of a
// dialect, because a refused call names people too.

import { exceedsDepth, isPlainObject, maxJsonDepth } from '../../platform/input/input.js';
import { nameOfIdentity } from '../leads/identity/lead-identity.js';
import { maxDigits, minDigits } from '../../platform/phone-numbers/number-validity.js';
import { readWrittenNumber } from '../../platform/phone-numbers/written-number.js';
import { maxWrittenLength } from '../../platform/phone-numbers/number-parts.js';
import type { Country } from '../../platform/phone-numbers/country.js';
import { providers } from '../../providers/registry.js';
import type { DialectName } from './webhook-call.js';

/** A call as the journal keeps it. */
export interface KeptCall {
  body: Buffer;
  dialect: DialectName | null;
  /** The answer of the call. */
  result?: unknown;
}

/** The most names that are checked in one body. A call names fewer, and a hostile call must not occupy the process. */
const maxLooks = 50_000;

// Lists whose elements stand for themselves. In any other list the elements belong together: the answers of a form are one person's.
const chatLists: ReadonlySet<string> = new Set([
  'messages',
  'statuses',
  'contacts',
  'records',
  'data',
  'entry',
  'changes',
]);
const separableLists = new Map<DialectName, ReadonlySet<string>>(providers.map(({ dialect }) => [dialect, chatLists]));

const writtenNumbers = /\d(?:[\s().\u00A0/-]{0,3}\d){6,}/g;
const maxGroupedDigits = maxDigits + 2;
const hiddenId = /(?<!\d)\d{8,20}(?!\d)/g;
const businessScopedId = /(?<![A-Za-z\d])[A-Z]{2}\.[\w.-]{3,250}/g;

/**
 * Returns every number and id by which a call may name a person, in the form of `nameOfIdentity`. Reads at most 50,000.
 * @param country the country whose national writings may occur
 */
export function namesInCall({ body, result }: KeptCall, country: Country | undefined): Set<string> {
  const names = new Set<string>();
  let left = maxLooks;
  for (const text of [...textsOf(body), ...scalarsOf(result)])
    for (const name of namesIn(text, country)) {
      names.add(name);
      left -= 1;
      if (left === 0) return names;
    }
  return names;
}

/** Returns a check whether a text has one of these names, which `namesInCall` has found. */
export function textNamesOneOf(names: ReadonlySet<string>, country: Country | undefined): (text: string) => boolean {
  return (text) => {
    let left = maxLooks;
    for (const name of namesIn(text, country)) {
      left -= 1;
      if (names.has(name)) return true;
      if (left === 0) return false;
    }
    return false;
  };
}

/**
 * Removes these people from a body. Only their items go from a chat webhook with several items, or from a list of submissions. Any other
 * body goes as a whole, and so does one whose people cannot be told apart.
 * @param isOfThem returns whether a text or a number of the body names one of these people
 * @returns an empty body where nothing stays
 */
export function bodyWithout({ body, dialect }: KeptCall, isOfThem: (text: string) => boolean): Buffer {
  const parsed = parse(body);
  if (parsed === undefined) return Buffer.alloc(0);
  const lists = dialect === null ? undefined : separableLists.get(dialect);
  const isTheirs = (value: unknown) => scalarsOf(value).some(isOfThem);
  // The answer or a reader of the dialect named these people, but this search does not find them in the body. So the whole body goes.
  if (!isTheirs(parsed.json)) return Buffer.alloc(0);
  const kept =
    dialect === 'form' && Array.isArray(parsed.json)
      ? withoutElements(parsed.json, (element) => (isTheirs(element) ? undefined : element))
      : withoutItems(parsed.json, lists ?? new Set(), isTheirs);
  return kept === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(kept));
}

/** @returns undefined where nothing stays */
function withoutItems(value: unknown, lists: ReadonlySet<string>, isTheirs: (value: unknown) => boolean): unknown {
  if (!isTheirs(value)) return value;
  if (!isPlainObject(value)) return undefined;
  const kept: [string, unknown][] = [];
  let isAnythingLeft = false;
  for (const [key, field] of Object.entries(value)) {
    const isList = lists.has(key) && Array.isArray(field);
    const clean = (element: unknown) => withoutItems(element, lists, isTheirs);
    const left = isList ? (withoutElements(field, clean) ?? []) : clean(field);
    if (left === undefined || isTheirs(key)) return undefined;
    isAnythingLeft ||= isList ? !isEmpty(left) : isTheirs(field);
    kept.push([key, left]);
  }
  return isAnythingLeft ? Object.fromEntries(kept) : undefined;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function withoutElements(list: readonly unknown[], clean: (element: unknown) => unknown): unknown[] | undefined {
  const kept = list.map(clean).filter((element) => element !== undefined);
  return kept.length === 0 ? undefined : kept;
}

/** @returns undefined for a body that is no JSON, or that nests deeper than any accepted call */
function parse(body: Buffer): { json: unknown } | undefined {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return exceedsDepth(json, maxJsonDepth) ? undefined : { json };
  } catch {
    return undefined;
  }
}

function textsOf(body: Buffer): string[] {
  const parsed = parse(body);
  if (parsed !== undefined) return scalarsOf(parsed.json);
  const text = body.toString('utf8');
  return text.includes('%') ? [text, ...text.split('&').map(decodeField)] : [text];
}

/** A field of `application/x-www-form-urlencoded`, of which only the value matters. */
function decodeField(field: string): string {
  const value = field.slice(field.indexOf('=') + 1).replaceAll('+', ' ');
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns every text and number, keys included. */
function scalarsOf(value: unknown): string[] {
  if (value === null || value === undefined || typeof value === 'boolean') return [];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object') return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap((element) => scalarsOf(element));
  return Object.entries(value).flatMap(([key, field]) => [key, ...scalarsOf(field)]);
}

function* namesIn(text: string, country: Country | undefined): Generator<string> {
  if (!/\p{Nd}/u.test(text)) return;
  if (text.length <= maxWrittenLength) {
    const read = readWrittenNumber(text, country);
    const values = 'digits' in read ? [read.digits, ...(read.otherNumbers ?? [])] : [];
    yield* values.filter(isNumber).map(nameOfNumber);
  }
  for (const [value] of text.matchAll(hiddenId)) yield nameOfIdentity({ kind: 'LID', value });
  for (const [value] of text.matchAll(businessScopedId)) yield nameOfIdentity({ kind: 'BSUID', value });
  for (const [written] of text.matchAll(writtenNumbers))
    for (const digits of groupedDigits(written)) {
      const value = digits.replace(/^00/, '');
      if (isNumber(value)) yield nameOfNumber(value);
    }
}

function nameOfNumber(value: string): string {
  return nameOfIdentity({ kind: 'PHONE', value });
}

function isNumber(digits: string): boolean {
  return digits.length >= minDigits && digits.length <= maxDigits && /^[1-9]\d*$/.test(digits);
}

/** Yields each row of neighbouring groups that is as long as a number, because two numbers may stand beside each other. */
function* groupedDigits(written: string): Generator<string> {
  const groups = written.split(/\D+/);
  for (const [start] of groups.entries()) {
    let digits = '';
    for (const group of groups.slice(start, start + maxGroupedDigits)) {
      digits += group;
      if (digits.length > maxGroupedDigits) break;
      if (digits.length >= minDigits) yield digits;
    }
  }
}
