// Building blocks of input schemas, and the way from a schema's findings to VALIDATION_FAILED naming each field.

import { z } from 'zod';
import { AppError, maxFieldErrors, type FieldError } from '../errors.js';

// Zod's findings as sentences that follow the field's name: "must not be longer than 200 characters".

type RawIssue = z.core.$ZodRawIssue;

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a time',
};

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an ISO 8601 time with its zone',
  date: 'a date as YYYY-MM-DD',
};

const maxNamesShown = 5;

/** Zod's error map for schemas that say nothing themselves. */
export function sentenceOf(issue: RawIssue): string {
  if (issue.input === undefined && isAboutType(issue.code)) return 'is required';
  const say = sentences[issue.code] as ((issue: RawIssue) => string) | undefined;
  return say?.(issue) ?? 'is not valid';
}

type Of<Code extends RawIssue['code']> = Extract<RawIssue, { code: Code }>;

const sentences: { [Code in RawIssue['code']]?: (issue: Of<Code>) => string } = {
  invalid_type: ({ expected }) => `has to be ${types[expected] ?? expected}`,
  invalid_format: ({ format }) => `has to be ${formats[format] ?? 'of the documented format'}`,
  invalid_value: ({ values }) => `has to be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`,
  too_big: tooBig,
  too_small: tooSmall,
  not_multiple_of: ({ divisor }) => `has to be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => unknownFields(keys),
  invalid_union: () => 'has none of the forms that are taken here',
};

function isAboutType(code: RawIssue['code']): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

function unknownFields(keys: readonly string[]): string {
  const more = keys.length > maxNamesShown ? ` and ${keys.length - maxNamesShown} more` : '';
  const names = keys.slice(0, maxNamesShown).map((key) => key.slice(0, 50));
  return `must not have ${keys.length === 1 ? 'the field' : 'the fields'} ${names.join(', ')}${more}`;
}

function tooBig(issue: Of<'too_big'>): string {
  const most = String(issue.maximum);
  if (issue.origin === 'string') return `must not be longer than ${most} characters`;
  if (isList(issue)) return `must not have more than ${most} entries`;
  return issue.inclusive === false ? `must be less than ${most}` : `must not be more than ${most}`;
}

function tooSmall(issue: Of<'too_small'>): string {
  const least = String(issue.minimum);
  if (issue.origin === 'string') return `must have at least ${least} characters`;
  if (isList(issue)) return `must have at least ${least} ${least === '1' ? 'entry' : 'entries'}`;
  return issue.inclusive === false ? `must be more than ${least}` : `must not be less than ${least}`;
}

function isList({ origin }: Of<'too_big'> | Of<'too_small'>): boolean {
  return origin === 'array' || origin === 'set' || origin === 'map';
}

// Every schema's own sentence comes first; this map speaks where a schema has none.
z.config({ localeError: sentenceOf });

/** The depth to which JSON from outside may nest; deeper JSON is refused before anything walks it by recursion. */
export const maxJsonDepth = 32;

/** PostgreSQL stores neither NUL characters nor lone surrogates in text or in jsonb. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

const unstorable = 'must not contain NUL characters or lone surrogates';
const inexact = 'is a number that cannot be kept exactly: send it as text';

/** Text of 1 to `maxLength` characters (code points) after trimming, storable in PostgreSQL. */
export function text(maxLength: number) {
  return z.string().trim().min(1, 'must not be empty').max(maxLength).refine(isStorable, unstorable);
}

/** Text that is kept as it is (a message's body): blanks at the ends are part of it. Blanks alone are no text: networks refuse them. */
export function verbatimText(maxLength: number) {
  return z
    .string()
    .min(1, { error: 'must not be empty', abort: true })
    .max(maxLength)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine(isStorable, unstorable);
}

export const maxExternalIdLength = 255;

/** A provider's message id. It is the same wherever it comes from, or a status would not find its message. */
export const externalId = text(maxExternalIdLength);

/** An http or https URL of at most `maxLength` characters, storable in PostgreSQL. */
export function httpUrl(maxLength: number) {
  const schema = z.url({ protocol: /^https?$/, error: 'has to be an http or https URL', abort: true });
  return schema.max(maxLength, `must not be longer than ${maxLength} characters`).refine(isStorable, unstorable);
}

/** Returns whether a text has more characters than this, in the count of `text`. */
export function exceedsLength(value: string, maxLength: number): boolean {
  // A character is one or two UTF-16 units: only lengths in between have to be counted.
  return value.length > maxLength && (value.length > 2 * maxLength || Array.from(value).length > maxLength);
}

/**
 * Makes text of a foreign system fit to be stored and shown: characters that PostgreSQL cannot hold are replaced, and a text of more UTF-16
 * units is cut at a whole character.
 */
export function storableText(value: string, maxLength: number): string {
  const end = splitsCharacter(value, maxLength) ? maxLength - 1 : maxLength;
  return value.slice(0, end).toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** Returns whether a cut at this place goes through a character of two UTF-16 units. */
function splitsCharacter(value: string, place: number): boolean {
  return place > 0 && place < value.length && (value.codePointAt(place - 1) ?? 0) > 0xffff;
}

/** A UUID in any letter case, given back in lower case. */
export const uuid = z.guid('has to be a UUID').transform((value) => value.toLowerCase());

/** The keys of a table, as `z.enum` takes them. */
export const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

/** A time, as a Date or, from JSON, as ISO 8601 with its zone. */
export const time = z.union([z.date(), z.iso.datetime({ offset: true }).transform((written) => new Date(written))], {
  error: 'has to be a time',
});

/** A JSON object of at most `maxBytes` as UTF-8, storable as jsonb. */
export function jsonObject(maxBytes: number) {
  return z.custom<Record<string, unknown>>(isPlainObject, 'has to be an object').superRefine((value, context) => {
    const problem = jsonProblem(value, maxBytes);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.message, path: problem.path });
  });
}

/**
 * Parses values that come as JSON in query parameters. A parameter of another name is refused: a filter whose name is misspelt would let
 * everything through.
 * @throws AppError VALIDATION_FAILED on each wrong parameter
 */
export function parseJsonParameters<Name extends string>(
  query: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  const unknown = Object.keys(query).filter((name) => !(names as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw validationFailed(unknown.map((path) => ({ path, message: `is none of ${names.join(', ')}` })));
  const given = names.filter((name) => !isLeftOut(query[name]));
  return Object.fromEntries(given.map((name) => [name, parseJson(query[name], name)])) as Partial<
    Record<Name, unknown>
  >;
}

function parseJson(written: unknown, path: string): unknown {
  const problem = { path, message: 'has to be JSON, once' };
  if (typeof written !== 'string') throw validationFailed([problem]);
  try {
    return JSON.parse(written) as unknown;
  } catch {
    throw validationFailed([problem]);
  }
}

/** Returns whether an optional field says nothing: it is missing, null, or text of blanks. */
export function isLeftOut(value: unknown): boolean {
  return value == null || (typeof value === 'string' && value.trim() === '');
}

/** Copies fields without those of these names that say nothing: on REST and webhook paths an empty optional field counts as left out. */
export function withoutEmpty(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const given = { ...fields };
  for (const name of names) if (isLeftOut(given[name])) delete given[name];
  return given;
}

/** Returns whether an id from outside is a UUID at all: anything else names no record. */
export function isUuid(value: string): boolean {
  return z.guid().safeParse(value).success;
}

/** @throws AppError VALIDATION_FAILED with every wrong field; `root` is put before each path */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, root = ''): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw validationFailed(fieldErrors(parsed.error, root));
}

/** @param unlistedErrors the number of wrong fields beyond `errors` */
export function validationFailed(errors: readonly FieldError[], unlistedErrors = 0): AppError {
  const detail = errors
    .slice(0, maxFieldErrors)
    .map((error) => (error.path === '' ? error.message : `${error.path}: ${error.message}`))
    .join('; ');
  return new AppError('VALIDATION_FAILED', detail, { errors, unlistedErrors });
}

export function fieldErrors(error: z.ZodError, root = ''): FieldError[] {
  return error.issues.map((issue) => {
    const path = [root, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    return { path, message: issue.message };
  });
}

/** Copies a change without its undefined fields, so that spreading it keeps their values. Null stays: it takes a value away. */
export function withoutUndefined<Change extends object>(
  change: Change,
): {
  [Key in keyof Change]: Exclude<Change[Key], undefined>;
} {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof Change]: Exclude<Change[Key], undefined> };
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a parsed JSON value nests deeper than `limit` levels. It looks no deeper, so that no depth can exhaust the stack. */
export function exceedsDepth(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const item of items) if (limit === 0 || (typeof item === 'object' && exceedsDepth(item, limit - 1))) return true;
  return false;
}

function jsonProblem(value: object, maxBytes: number): { path: string[]; message: string } | undefined {
  if (exceedsDepth(value, maxJsonDepth))
    return { path: [], message: `must not nest deeper than ${maxJsonDepth} levels` };
  const found = findUnstorable(value);
  if (found !== undefined) return found;
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    return { path: [], message: `must not exceed ${maxBytes} bytes` };
  return undefined;
}

function findUnstorable(value: unknown): { path: string[]; message: string } | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: [], message: unstorable };
  if (typeof value === 'number') return isExact(value) ? undefined : { path: [], message: inexact };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!isStorable(key)) return { path: [storableText(key, 100)], message: unstorable };
    const found = findUnstorable(item);
    if (found !== undefined) return { path: [key, ...found.path], message: found.message };
  }
  return undefined;
}

// JSON.parse rounds a larger integer, and makes infinity of 1e400. Such a number is refused rather than changed in silence.
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
