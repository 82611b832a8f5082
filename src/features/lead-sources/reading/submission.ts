// One filled-in form, whatever it came through, and the lead that a mapping makes of it.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FieldError } from '../../../platform/errors.js';
import { fieldErrors, storableText, text } from '../../../platform/input.js';
import { restorePlus } from '../../leads/identity/written-number.js';
import { createLeadSchema } from '../../leads/lead.schema.js';
import type { LeadBody } from '../../leads/lead.schema.js';
import type { Country } from '../../tenants/country.js';
import { removeAt, valueAt } from './mapping.js';
import type { LeadTarget, Mapping } from './mapping.js';

/** Whether a person ticked a box. */
export interface Disclaimer {
  key: string;
  isChecked: boolean;
}

export interface Submission {
  /** The source's own id of it; null: it has none. */
  externalId: string | null;
  /** What a mapping's pointers lead into. */
  document: Record<string, unknown>;
  formId: string | null;
  disclaimers: readonly Disclaimer[];
  /** By the clock of the source. */
  submittedAt?: Date | undefined;
  /** Somebody tries the form out: it makes no lead. */
  isTest: boolean;
  /** It came as `application/x-www-form-urlencoded`, where a `+` that was not encoded has become a blank. */
  isUrlEncoded?: boolean;
}

/** A submission as it is taken in. */
export interface SourcePosting {
  sourceId: string;
  /** Of the source and what it repeats: the same submission has the same key. */
  key: string;
  externalId: string | null;
  lead: LeadBody;
  formId: string | null;
  disclaimers: readonly Disclaimer[];
  submittedAt?: Date | undefined;
}

/** What a reading needs to know of the source. */
export interface ReadingSource {
  sourceId: string;
  name: string;
  mapping: Mapping;
  /** Whose numbers national writings are. */
  country: Country | undefined;
}

export type ReadPosting = { posting: SourcePosting } | { errors: FieldError[] };

const maxExternalIdLength = 255;
const maxDisclaimers = 50;
const maxDisclaimerKeyLength = 255;

const externalIdSchema = text(maxExternalIdLength);

/** SHA-256 in Base64 for URLs: what a source's own id is looked up by. */
export function keyOf(part: string | Uint8Array): string {
  return createHash('sha256').update(part).digest('base64url');
}

/** @param whole what is hashed where the source has no id of the submission */
export function readPosting(submission: Submission, source: ReadingSource, whole: string | Uint8Array): ReadPosting {
  const { document, formId, submittedAt } = submission;
  const { fields } = source.mapping;
  const found = new Map([...fields].map(([target, pointers]) => [target, textAt(document, pointers)]));
  const externalId = externalIdSchema.nullish().safeParse(found.get('externalId') ?? submission.externalId);
  const parsed = createLeadSchema(source.country).safeParse({
    chat: submission.isUrlEncoded === true ? plusBefore(document, fields.get('chat')) : found.get('chat'),
    country: found.get('country'),
    name: found.get('name') ?? joinedName(found),
    source: found.get('source') ?? source.name,
    metadata: metadataOf(document, source.mapping, found),
  });
  if (!parsed.success || !externalId.success) {
    const errors = [
      ...(externalId.success ? [] : fieldErrors(externalId.error, 'externalId')),
      ...(parsed.success ? [] : fieldErrors(parsed.error).map((error) => withPlace(error, fields))),
    ];
    return { errors };
  }
  const { chat, reading, name, source: label, metadata } = parsed.data;
  const id = externalId.data ?? null;
  return {
    posting: {
      sourceId: source.sourceId,
      key: id === null ? keyOf(whole) : keyOf(`id ${id}`),
      externalId: id,
      lead: { chat, reading, name, source: label, metadata: metadata ?? undefined },
      formId,
      disclaimers: [...submission.disclaimers, ...mappedConsents(document, source.mapping)].slice(0, maxDisclaimers),
      submittedAt,
    },
  };
}

/** The key of a submission that is known by its id only. */
export function keyOfExternalId(externalId: string): string {
  return keyOf(`id ${externalId}`);
}

export function disclaimerOf(key: unknown, value: unknown): Disclaimer[] {
  if (typeof key !== 'string' || key === '') return [];
  return [{ key: storableText(key, maxDisclaimerKeyLength), isChecked: isChecked(value) }];
}

const unchecked = new Set(['', '0', 'false', 'no', 'off', 'n', 'não', 'nao', 'null']);

function isChecked(value: unknown): boolean {
  if (typeof value === 'string') return !unchecked.has(value.trim().toLowerCase());
  return (
    value === true || (typeof value === 'number' && value !== 0) || (Array.isArray(value) && value.some(isChecked))
  );
}

function mappedConsents(document: unknown, { consents }: Mapping): Disclaimer[] {
  return [...consents].flatMap(([key, pointer]) => disclaimerOf(key, valueAt(document, pointer)));
}

/** The first text or number that the pointers lead to, trimmed; of a list, its first entry. */
function textAt(document: unknown, pointers: readonly string[]): string | undefined {
  return rawTextAt(document, pointers)?.trim();
}

/** The number, whose blank in front may be a lost `+`. */
function plusBefore(document: unknown, pointers: readonly string[] = []): string | undefined {
  const written = rawTextAt(document, pointers);
  return written === undefined ? undefined : restorePlus(written).trim();
}

function rawTextAt(document: unknown, pointers: readonly string[]): string | undefined {
  for (const pointer of pointers) {
    const value = valueAt(document, pointer);
    const single: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof single === 'string' && single.trim() !== '') return single;
    if (typeof single === 'number' && Number.isSafeInteger(single)) return String(single);
  }
  return undefined;
}

function joinedName(found: ReadonlyMap<LeadTarget, string | undefined>): string | undefined {
  const parts = [found.get('firstName'), found.get('lastName')].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

const consumed: readonly LeadTarget[] = ['chat', 'name', 'firstName', 'lastName', 'source', 'country'];

// Everything that became no field of the lead.
function metadataOf(
  document: Record<string, unknown>,
  { fields, metadata }: Mapping,
  found: ReadonlyMap<LeadTarget, string | undefined>,
): Record<string, unknown> | undefined {
  const rest = structuredClone(document);
  for (const target of consumed) {
    const used = fields.get(target)?.find((pointer) => textAt(document, [pointer]) === found.get(target));
    if (used !== undefined && found.get(target) !== undefined) removeAt(rest, used);
  }
  const named = [...metadata].flatMap(([name, pointer]): [string, unknown][] => {
    const value = valueAt(document, pointer);
    if (value === undefined) return [];
    removeAt(rest, pointer);
    return [[name, value]];
  });
  const { answers } = rest;
  if (typeof answers === 'object' && answers !== null && Object.keys(answers).length === 0) delete rest['answers'];
  // From entries, so that a field named __proto__ is kept as a field like any other.
  const entries = [...Object.entries(rest), ...named];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

// Says where a field was looked for: the ADMIN can correct the mapping, the form's owner the form.
function withPlace({ path, message }: FieldError, fields: Mapping['fields']): FieldError {
  const pointers = fields.get(path as LeadTarget);
  return { path, message: pointers === undefined ? message : `${message} (${pointers.join(', ')})` };
}

/** A list of named values as an object. Of a name that comes again, all values are kept. */
export function joinAnswers(pairs: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const joined = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    const before = joined.get(name);
    if (!joined.has(name)) joined.set(name, value);
    else joined.set(name, [...(Array.isArray(before) ? (before as unknown[]) : [before]), value]);
  }
  return Object.fromEntries(joined);
}

/** A time that a source gave; undefined where it is none, or lies ahead. */
export function timeOf(value: unknown): Date | undefined {
  const parsed = z.union([z.iso.datetime({ offset: true }), metaTime]).safeParse(value);
  if (!parsed.success) return undefined;
  const time = new Date(parsed.data);
  return Number.isNaN(time.getTime()) || time.getTime() > Date.now() ? undefined : time;
}

// Meta writes its zone without a colon: 2026-11-23T10:00:00+0000.
const metaTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/)
  .transform((written) => `${written.slice(0, -2)}:${written.slice(-2)}`);
