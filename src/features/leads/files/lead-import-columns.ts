// Assigns the columns of a file to fields of a lead, as the caller says. Other columns are guessed by their headers.

import { fieldKey, isOtherWord, isPartOfName, mayBeTitle, nameParts, rankOf, withoutRemark } from '../field-names.js';
import { exportColumns, textFields } from '../lead-fields.js';
import { mayBeNumberPart } from '../number-fields.js';
import { isUnfilled, namesNumber } from '../posted-field.js';
import { isOfOthers } from '../whose-field.js';
import { maxCustomFields, fieldNameSchema } from '../lead.schema.js';
import { referralColumns } from '../referrals/referral.js';

/** The most columns of a header, those that do not count included. */
const maxImportColumns = 1_000;
/** The prefix of a custom field's name, where an export writes it. */
export const fieldPrefix = 'field:';
const customPrefix = 'customFields.';
const metadataPrefix = 'metadata.';

export const importFields = ['chat', 'country', ...textFields, 'tags'] as const;

type LeadField = (typeof importFields)[number];

/** The file with the refused rows has these columns beside their own. */
export const refusedColumns = ['refusedLine', 'refusedReason'];

/** An export writes these columns, which nobody can import. */
const ignoredColumns = new Set(
  [...exportColumns, ...referralColumns, 'otherFields', ...refusedColumns]
    .filter((column) => !importFields.some((field) => field === column))
    .map((column) => column.toLowerCase()),
);

const invisible = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

/**
 * A column that counts, with the field that it fills. `spareRank`: how well it could be the number, where a row has no other.
 * `completesNumber`: it may hold a part of the number.
 */
export type ImportColumn = { index: number; header: string } & (
  { field: LeadField } | { customField: string; spareRank?: number; completesNumber?: boolean } | { metadata: string }
);

export interface ColumnNote {
  /** Empty where the note is on the file as a whole. */
  header: string;
  message: string;
}

/** The columns that count, and how many the file has in all. */
export interface ImportColumns {
  columns: ImportColumn[];
  width: number;
  /** The headers in the writing of the file. */
  headers: string[];
  /** For each header its field as a caller names it; null: left out. */
  fields: (string | null)[];
  /** The same fields by header. */
  readAs: Record<string, string | null>;
  notes: ColumnNote[];
}

/** The problem for which a file with these columns is refused. */
interface ColumnProblem {
  /** The faulty input: the file's header, or the caller's `columns`. */
  path: 'columns' | 'header';
  message: string;
}

/** The columns of a file, and the problem for which it is refused. The problem stands alone where the columns cannot be read. */
type ReadColumns =
  | { columns: ImportColumns; problem?: undefined }
  | { columns: ImportColumns; problem: ColumnProblem }
  | { columns?: undefined; problem: ColumnProblem };

type Assigned = Map<number, ImportColumn | null>;

/**
 * Assigns the columns of a file. Columns that the caller does not name are guessed; a column without a name is left out.
 * @param given header to field, as callers write it
 * @param filled the columns in which a row has a value; where there are too many columns, empty ones are left out
 */
export function readColumns(
  headers: readonly string[],
  { given, filled }: { given: Readonly<Record<string, string | null>>; filled: ReadonlySet<number> },
): ReadColumns {
  if (headers.length > maxImportColumns)
    return { problem: { path: 'header', message: `has more than ${maxImportColumns} columns` } };
  const plain = headers.map(plainHeader);
  const assigned: Assigned = new Map();
  const unknown = assignGiven(assigned, plain, given);
  if (unknown !== undefined) return { problem: { path: 'columns', message: unknown } };
  assignExact(assigned, plain);
  const notes = importFields.flatMap((field) => assignBest(assigned, plain, field));
  assignLabelled(assigned, plain);
  assignNames(assigned, plain);
  assignCustom(assigned, plain);
  notes.push(...leaveOutEmpty(assigned, plain, filled));
  const columns = [...assigned.values()].filter((column) => column !== null).toSorted((a, b) => a.index - b.index);
  notes.push(...completingNotes(columns));
  const fields = plain.map((_header, index) => fieldOf(assigned.get(index)));
  const entries = plain.map((header, index) => [storable(header), fields[index] ?? null] as const);
  const readAs = Object.fromEntries(entries.filter(([header]) => header !== ''));
  const read = { columns, width: headers.length, headers: [...headers], fields, readAs, notes };
  const message = columnProblem(columns, new Set(Object.keys(given).map(plainHeader)));
  return message === undefined ? { columns: read } : { columns: read, problem: { path: 'header', message } };
}

/** A header as people see it. */
export function plainHeader(header: string): string {
  return header.replaceAll(invisible, '').trim();
}

// PostgreSQL keeps no zero byte.
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

/** Returns whether a column of this header is guessed to be the number. */
export function isNumberHeader(header: string): boolean {
  return header.toLowerCase() === 'chat' || rankOf('chat', fieldKey(header)) >= 0;
}

function fieldOf(column: ImportColumn | null | undefined): string | null {
  if (column == null) return null;
  if ('field' in column) return column.field;
  return storable('metadata' in column ? metadataPrefix + column.metadata : customPrefix + column.customField);
}

function assignGiven(
  assigned: Assigned,
  headers: readonly string[],
  given: Readonly<Record<string, string | null>>,
): string | undefined {
  for (const [written, field] of Object.entries(given)) {
    const header = plainHeader(written);
    const indexes = headers.flatMap((name, index) => (name === header ? [index] : []));
    if (header === '' || indexes.length === 0)
      return `names "${header.slice(0, 100)}", which the file has no column of`;
    for (const index of indexes) {
      const column = field === null ? null : columnOf(field, { index, header });
      if (column === undefined)
        return `has to name for "${header.slice(0, 100)}" one of ${importFields.join(', ')}, ${metadataPrefix}<name>, ${customPrefix}<name> or null`;
      assigned.set(index, column);
    }
  }
  return undefined;
}

function columnOf(field: string, place: { index: number; header: string }): ImportColumn | undefined {
  const leadField = importFields.find((known) => known === field);
  if (leadField !== undefined) return { ...place, field: leadField };
  if (field.startsWith(customPrefix)) return customColumn(place, field.slice(customPrefix.length).trim());
  if (field.startsWith(metadataPrefix)) return { ...place, metadata: field.slice(metadataPrefix.length).trim() };
  return undefined;
}

/** Assigns the headers of our own exports and of the documentation. */
function assignExact(assigned: Assigned, headers: readonly string[]): void {
  for (const [index, header] of headers.entries()) {
    if (assigned.has(index)) continue;
    const lower = header.toLowerCase();
    const field = importFields.find((known) => known === lower);
    if (header === '' || ignoredColumns.has(lower)) assigned.set(index, null);
    else if (lower.startsWith(fieldPrefix))
      assigned.set(index, { index, header, customField: header.slice(fieldPrefix.length) });
    else if (field !== undefined && !isGivenElsewhere(assigned, field, headers) && !isOfOrder(field, headers))
      assigned.set(index, { index, header, field });
  }
}

/** Beside the name of who buys, `Name` is that of the order, as in files of Shopify. */
function isOfOrder(field: LeadField, headers: readonly string[]): boolean {
  return field === 'name' && headers.some((header) => fieldKey(header) === 'customername');
}

/** Returns whether the caller has named another column for a field. That column is the one that counts. */
function isGivenElsewhere(assigned: Assigned, field: LeadField, headers: readonly string[]): boolean {
  return [...assigned.values()].some(
    (column) =>
      column !== null && 'field' in column && column.field === field && headers[column.index]?.toLowerCase() !== field,
  );
}

/** Gives a field that has no column yet to the best candidate. @returns notes on the other candidates */
function assignBest(assigned: Assigned, headers: readonly string[], field: LeadField): ColumnNote[] {
  const keys = headers.map((header) => fieldKey(header));
  const hasParts = keys.some((key) => rankOf('firstName', key) >= 0);
  const candidates = headers
    .flatMap((header, index) => {
      const key = keys[index] ?? '';
      const isTitle = field === 'name' && hasParts && mayBeTitle(key);
      const rank = assigned.has(index) || isTitle ? -1 : rankOf(field, key);
      return rank < 0 ? [] : [{ index, header, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index);
  const taken = [...assigned.values()].find((column) => column !== null && 'field' in column && column.field === field);
  const [best, ...others] = taken == null ? candidates : [taken, ...candidates];
  if (best === undefined) return [];
  if (taken == null) assigned.set(best.index, { index: best.index, header: best.header, field });
  const spares = field === 'chat' && taken == null ? candidates.slice(1) : [];
  for (const { index, header, rank } of spares)
    assigned.set(index, { index, header, customField: header, spareRank: rank });
  const use = spares.length === 0 ? '' : ', and is in rows where that is empty';
  return others.map(({ header }) => ({
    header: storable(header),
    message: `could be ${field} as well, which "${storable(best.header)}" is${use}`,
  }));
}

/** Gives the number the only column whose name speaks of one, where no column is known: `Telefone (WhatsApp) com DDD`. */
function assignLabelled(assigned: Assigned, headers: readonly string[]): void {
  if ([...assigned.values()].some((column) => column !== null && isNumber(column))) return;
  const labelled = [...headers.entries()].filter(([index, header]) => !assigned.has(index) && isLabelled(header));
  const [only, ...others] = labelled;
  if (only !== undefined && others.length === 0)
    assigned.set(only[0], { index: only[0], header: only[1], field: 'chat' });
}

function isLabelled(header: string): boolean {
  const name = withoutRemark(header);
  return !isOfOthers(header) && namesNumber(name) && !mayBeNumberPart(header) && !fieldKey(header).endsWith('id');
}

/** Assigns first, middle and last names as parts of a name, where no column has the whole name. */
function assignNames(assigned: Assigned, headers: readonly string[]): void {
  const open = headers.flatMap((header, index) =>
    assigned.has(index) ? [] : [{ index, header, key: fieldKey(header) }],
  );
  const whole = [...assigned.values()].find(
    (column) => column !== null && 'field' in column && column.field === 'name',
  );
  const keys = open.map(({ key }) => key);
  if (whole != null && !isPartOfName(fieldKey(whole.header), keys)) return;
  const all = headers.map((header) => fieldKey(header));
  // An order has the first name twice: of who pays, and of who gets it.
  for (const part of nameParts) {
    const [best] = open
      .map((column) => ({ ...column, rank: rankOf(part, column.key) }))
      .filter(({ rank, key }) => rank >= 0 && !isOtherWord(key, all))
      .toSorted((a, b) => a.rank - b.rank || a.index - b.index);
    if (best !== undefined) assigned.set(best.index, { index: best.index, header: best.header, field: 'name' });
  }
}

function assignCustom(assigned: Assigned, headers: readonly string[]): void {
  for (const [index, header] of headers.entries())
    if (!assigned.has(index)) assigned.set(index, customColumn({ index, header }, header));
}

function customColumn(place: { index: number; header: string }, customField: string): ImportColumn {
  return { ...place, customField, completesNumber: mayBeNumberPart(place.header) };
}

function completingNotes(columns: readonly ImportColumn[]): ColumnNote[] {
  return columns.flatMap((column) =>
    'customField' in column && column.completesNumber === true
      ? [{ header: storable(column.header), message: 'completes numbers that lack it' }]
      : [],
  );
}

/** Returns the column with the number of a row: a spare one where the number's own is empty; undefined where all are. */
export function numberColumnOf(columns: readonly ImportColumn[], cells: readonly string[]): ImportColumn | undefined {
  return columns
    .filter((column) => spareRankOf(column) !== undefined && isFilled(cells[column.index] ?? ''))
    .toSorted((a, b) => (spareRankOf(a) ?? 0) - (spareRankOf(b) ?? 0))[0];
}

const isFilled = (cell: string) => cell.trim() !== '' && !isUnfilled(cell);

function spareRankOf(column: ImportColumn): number | undefined {
  if (isNumber(column)) return -1;
  return 'customField' in column ? column.spareRank : undefined;
}

/** Leaves out empty columns where there are too many: other products export a hundred columns, most of them empty. */
function leaveOutEmpty(assigned: Assigned, headers: readonly string[], filled: ReadonlySet<number>): ColumnNote[] {
  const custom = [...assigned.values()].filter((column) => column !== null && 'customField' in column);
  if (custom.length <= maxCustomFields || filled.size === 0) return [];
  const empty = custom.flatMap((column) => (column !== null && !filled.has(column.index) ? [column.index] : []));
  for (const index of empty) assigned.set(index, null);
  return empty.map((index) => ({ header: storable(headers[index] ?? ''), message: 'is empty, and left out' }));
}

function columnProblem(columns: readonly ImportColumn[], given: ReadonlySet<string>): string | undefined {
  const customFields = columns.filter((column) => 'customField' in column);
  if (customFields.length > maxCustomFields) return `has more than ${maxCustomFields} columns for custom fields`;
  for (const column of columns) {
    if ('field' in column) continue;
    const name = 'metadata' in column ? column.metadata : column.customField;
    const { error } = fieldNameSchema.safeParse(name);
    const kind = 'metadata' in column ? 'metadata' : 'a custom field';
    if (error !== undefined)
      return `names ${kind} in column ${column.index + 1} whose name ${error.issues[0]?.message ?? 'is wrong'}`;
  }
  return (
    repeated(columns, given) ??
    (columns.some(isNumber) ? undefined : 'has no column named chat, nor one that is known to be the number')
  );
}

function isNumber(column: ImportColumn): boolean {
  return 'field' in column && column.field === 'chat';
}

function repeated(columns: readonly ImportColumn[], given: ReadonlySet<string>): string | undefined {
  const seen = new Set<string>();
  for (const column of columns) {
    const field = fieldOf(column) ?? '';
    // A caller or another product may give a name in parts.
    if (field === 'name' && (given.has(column.header) || fieldKey(column.header) !== 'name')) continue;
    if (seen.has(field)) return `has the column ${field} twice`;
    seen.add(field);
  }
  return undefined;
}
