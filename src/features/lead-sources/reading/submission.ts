// A filled-in form, from any kind of source, and the lead that a mapping makes of it.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FieldError } from '../../../platform/errors.js';
import { exceedsLength, fieldErrors, storableText } from '../../../platform/input/input.js';
import { isAgreement } from '../../consent/agreement.js';
import { nameParts } from '../../leads/field-names.js';
import { createLeadSchema } from '../../leads/lead.schema.js';
import { needsCountryCode, readWrittenNumber, restorePlus } from '../../../platform/phone-numbers/written-number.js';
import { isNumberIn, withAreaCode } from '../../leads/number-fields.js';
import type { LabelledLeadBody } from '../../leads/lead.service.js';
import { saysNothing } from '../../leads/posted-field.js';
import { toCountry, type Country } from '../../../platform/phone-numbers/country.js';
import { countryNamed } from '../../../platform/phone-numbers/country-names.js';
import { looksEmpty, withoutMisleadingMarks } from '../../../platform/input/shown-name.js';
import { cutText, storableMetadata } from './kept-metadata.js';
import { readLabels, type MappedLabels } from './mapped-labels.js';
import type { LeadTarget, Mapping } from './mapping.js';
import { DocumentReader, removeAt } from './pointer.js';
import { findEmail, textAt } from './texts.js';
import { withUsualNames } from './usual-names.js';

/** A person's answer to a box in the form. */
export interface Disclaimer {
  key: string;
  isChecked: boolean;
  /** The text of the field. */
  value: string;
}

export interface Submission {
  /** The source's own id of the submission; null if it has none. */
  externalId: string | null;
  /** The document that a mapping's pointers lead into. */
  document: Record<string, unknown>;
  formId: string | null;
  disclaimers: readonly Disclaimer[];
  /** The time by the source's clock. */
  submittedAt?: Date | undefined;
  /** True for a test of the form, which makes no lead. */
  isTest: boolean;
  /** Set if a `+` that was not encoded has become a blank. */
  mayLackPlus?: true | undefined;
}

interface ReadSubmission {
  sourceId: string;
  /** The key within the source. The same submission has the same key. */
  key: string;
  externalId: string | null;
  formId: string | null;
  disclaimers: readonly Disclaimer[];
  submittedAt?: Date | undefined;
}

/** A submission that can be taken in. */
export interface SourcePosting extends ReadSubmission {
  lead: LabelledLeadBody;
}

/** A lead without its number. */
export type SourceLead = Omit<LabelledLeadBody, 'chat'>;

/** A submission that waits for a number. */
export interface HeldPosting extends ReadSubmission {
  lead: SourceLead;
  email: string;
  /** The text of the number's field; null if it was empty. */
  writtenNumber: string | null;
  /** The fault of the number, as a sentence. */
  problem: string;
  /** The submission's country, in which a national number is read. */
  country: string | null;
}

/** The fields of a source that a reading needs. */
export interface ReadingSource {
  sourceId: string;
  name: string;
  mapping: Mapping;
  /** The country in which national numbers are read, if the submission names none. */
  country: Country | undefined;
}

export type ReadPosting = { posting: SourcePosting } | { held: HeldPosting } | { errors: FieldError[] };

const maxWrittenNumberLength = 100;

const maxExternalIdLength = 255;
const maxDisclaimers = 50;
const maxDisclaimerKeyLength = 255;
const maxDisclaimerValueLength = 255;
const maxNameLength = 200;
const maxSourceLength = 100;

/** Returns a SHA-256 in Base64 for URLs. A submission is looked up by it. */
export function keyOf(part: string | Uint8Array): string {
  return createHash('sha256').update(part).digest('base64url');
}

/**
 * Makes a lead of a submission. An empty optional field counts as left out, and a text that is too long is cut.
 * @param whole the content to hash if the source has no id of the submission
 * @returns `held` if there is an e-mail address, and no usable number
 */
export function readPosting(submission: Submission, source: ReadingSource, whole: string | Uint8Array): ReadPosting {
  const { document, formId, submittedAt } = submission;
  const reader = new DocumentReader(document);
  const restored = (text: string) => (submission.mayLackPlus === true ? restorePlus(text) : text);
  const isNumber = (text: string, own?: Country) =>
    own === undefined ? isUsableNumber(restored(text), source.country) : isNumberIn(restored(text), own);
  const {
    mapping,
    joined,
    areaCode,
    country: countryBeside,
    hint,
  } = withUsualNames(reader, { document, mapping: source.mapping, isNumber });
  const found = new Map(
    [...mapping.fields].map(([target, pointers]) => [target, textAt(reader, pointers, target === 'name')]),
  );
  const writtenCountry = found.get('country')?.trim();
  const namedCountry = writtenCountry === undefined ? undefined : countryNamed(writtenCountry);
  // A country that nobody knows stays in the metadata.
  if (namedCountry === undefined) found.delete('country');
  const country = namedCountry ?? countryBeside;
  const given = joined ?? found.get('chat');
  const number = given === undefined ? undefined : restored(given);
  const chat = number === undefined || areaCode === undefined ? number : withAreaCode(number, areaCode);
  const id = found.get('externalId')?.trim() ?? submission.externalId;
  const name = shownName(found.get('name') ?? joinedName(found));
  const labels = readLabels(reader, mapping);
  const lead: SourceLead = {
    name: name === undefined ? undefined : cutText(name, maxNameLength),
    source: cutText(shownName(found.get('source')) ?? source.name, maxSourceLength),
    metadata: metadataOf(document, reader, mapping, { found, labels, name }),
    ...givenLabels(labels),
  };
  const known = {
    sourceId: source.sourceId,
    key: id === null ? keyOf(whole) : keyOfExternalId(id),
    externalId: id === null ? null : cutText(id, maxExternalIdLength),
    formId: formId === null ? null : cutText(formId, maxExternalIdLength),
    disclaimers: [
      ...submission.disclaimers,
      ...[...mapping.consents].flatMap(([key, pointer]) => disclaimerOf(key, reader.valueAt(pointer))),
    ].slice(0, maxDisclaimers),
    submittedAt,
  };
  return judgeNumber(
    { ...known, lead },
    { chat, country: country ?? writtenCountry, reader, document, hint },
    { ...source, mapping },
  );
}

interface WrittenNumber {
  chat: string | undefined;
  /** Two letters, or the text that is no known country. */
  country: string | undefined;
  reader: DocumentReader;
  document: Record<string, unknown>;
  /** A sentence on fields that may hold the number. */
  hint: string | undefined;
}

/** Judges the number. A usable number makes a lead; without one, an e-mail address makes a submission that waits. */
function judgeNumber(
  known: ReadSubmission & { lead: SourceLead },
  { chat, country, reader, document, hint }: WrittenNumber,
  { mapping, ...source }: ReadingSource,
): ReadPosting {
  const parsed = createLeadSchema(source.country).safeParse({ chat, country });
  if (parsed.success) return withNumber(known, parsed.data);
  const read = readWithoutCountry(chat, country);
  if (read !== undefined) return withNumber(known, read);
  const errors = fieldErrors(parsed.error)
    .map((error) => withPlace(error, mapping.fields))
    .map((error) => withHint(error, hint));
  const email = findEmail(reader, document, mapping);
  if (email === undefined) return { errors };
  const problem = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const writtenNumber = chat === undefined ? null : storableText(chat.trim(), maxWrittenNumberLength);
  return { held: { ...known, email, writtenNumber, problem, country: toCountry(country) ?? null } };
}

export type NumberOfLead = Pick<z.output<ReturnType<typeof createLeadSchema>>, 'chat' | 'reading' | 'metadata'>;

function withNumber(known: ReadSubmission & { lead: SourceLead }, number: NumberOfLead): { posting: SourcePosting } {
  return { posting: { ...known, lead: leadWithNumber(known.lead, number) } };
}

/** Returns the lead with its number. Its metadata get what stood beside the number, such as an extension or another number. */
export function leadWithNumber(lead: SourceLead, { chat, reading, metadata }: NumberOfLead): LabelledLeadBody {
  const beside = metadata == null ? {} : { metadata: { ...metadata, ...lead.metadata } };
  return { ...lead, ...beside, chat, reading };
}

/** Reads a number that needs no country, where the given one is not known. */
function readWithoutCountry(chat: string | undefined, country: string | undefined) {
  if (country === undefined || countryNamed(country) !== undefined) return undefined;
  const { data } = createLeadSchema().safeParse({ chat });
  return data?.reading.rule === 'KEPT' ? undefined : data;
}

function givenLabels({ tags, customFields }: MappedLabels): Pick<SourceLead, 'tags' | 'customFields'> {
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(Object.keys(customFields).length > 0 ? { customFields } : {}),
  };
}

/** Returns the key of a submission of which only the id is known. */
export function keyOfExternalId(externalId: string): string {
  return keyOf(`id ${externalId}`);
}

export function disclaimerOf(key: unknown, value: unknown): Disclaimer[] {
  if (typeof key !== 'string' || key === '') return [];
  return [{ key: storableText(key, maxDisclaimerKeyLength), isChecked: isAgreement(value), value: rawValueOf(value) }];
}

// The raw value is kept as evidence, whatever it was read as.
function rawValueOf(value: unknown): string {
  return storableText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), maxDisclaimerValueLength);
}

/** Returns whether a text is a number that somebody may have, not only digits. It may lack its country. */
function isUsableNumber(text: string, country: Country | undefined): boolean {
  return isNumberIn(text, country) || readWrittenNumber(text, country) === needsCountryCode;
}

function shownName(written: string | undefined): string | undefined {
  return written === undefined || looksEmpty(written) ? undefined : withoutMisleadingMarks(written).trim();
}

function joinedName(found: ReadonlyMap<LeadTarget, string | undefined>): string | undefined {
  const parts = nameParts.flatMap((part) => found.get(part)?.trim() ?? []);
  return parts.length === 0 ? undefined : parts.join(' ');
}

const consumed: readonly LeadTarget[] = ['chat', 'name', ...nameParts, 'source', 'country'];

interface ReadFields {
  found: ReadonlyMap<LeadTarget, string | undefined>;
  labels: MappedLabels;
  name: string | undefined;
}

// Metadata gets all values that became no field of the lead.
function metadataOf(
  document: Record<string, unknown>,
  reader: DocumentReader,
  { fields, metadata }: Mapping,
  { found, labels, name }: ReadFields,
): Record<string, unknown> | undefined {
  const rest = structuredClone(document);
  for (const target of consumed) {
    const used = fields
      .get(target)
      ?.find((pointer) => textAt(reader, [pointer], target === 'name') === found.get(target));
    if (used === undefined || found.get(target) === undefined || hasFurther(reader.valueAt(used))) continue;
    removeAt(rest, used);
  }
  for (const pointer of labels.consumed) removeAt(rest, pointer);
  const named = [...metadata].flatMap(([key, pointer]): [string, unknown][] => {
    const value = reader.valueAt(pointer);
    if (value === undefined) return [];
    removeAt(rest, pointer);
    return [[key, value]];
  });
  const { answers } = rest;
  if (typeof answers === 'object' && answers !== null && Object.keys(answers).length === 0) delete rest['answers'];
  const cut = [
    ...wholeOf('fullName', name, maxNameLength),
    ...wholeOf('fullSource', found.get('source'), maxSourceLength),
  ];
  // The object is built from entries, so that a field named __proto__ is kept like any other field.
  const entries = [...Object.entries(rest), ...named, ...cut];
  return entries.length === 0 ? undefined : storableMetadata(entries);
}

/** A list with several values stays in the metadata, because all but one would be lost. */
const hasFurther = (value: unknown) => Array.isArray(value) && value.filter((each) => !saysNothing(each)).length > 1;

/** Returns a text that was cut, whole and under a name of its own. */
function wholeOf(name: string, value: string | undefined, maxLength: number): [string, string][] {
  return value !== undefined && exceedsLength(value, maxLength) ? [[name, value]] : [];
}

// The message says where a field was looked for: the ADMIN can correct the mapping, the form's owner the form.
function withPlace({ path, message }: FieldError, fields: Mapping['fields']): FieldError {
  const pointers = fields.get(path as LeadTarget);
  return { path, message: pointers === undefined ? message : `${message} (${pointers.join(', ')})` };
}

function withHint({ path, message }: FieldError, hint: string | undefined): FieldError {
  return { path, message: path !== 'chat' || hint === undefined ? message : `${message}; ${hint}` };
}

/** Joins a list of named values into an object. If a name repeats, all its values are kept. */
export function joinAnswers(pairs: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const joined = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    const before = joined.get(name);
    if (!joined.has(name)) joined.set(name, value);
    else joined.set(name, [...(Array.isArray(before) ? (before as unknown[]) : [before]), value]);
  }
  return Object.fromEntries(joined);
}

/** Returns a source's time; undefined if the value is no time, or lies ahead. */
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
