// What a file of leads may look like: its columns, its rows, its size.

import { z } from 'zod';
import { text } from '../../../platform/input.js';
import { countrySchema } from '../../tenants/country.js';
import type { Country } from '../../tenants/country.js';
import { createLeadSchema, fieldNameSchema, maxCustomFields } from '../lead.schema.js';
import { referralColumns } from '../referrals/referral.js';

export const maxImportBytes = 50 * 1024 * 1024;
export const maxImportRows = 100_000;
/** Of the first line, those that do not count included. */
const maxImportColumns = 1_000;
/** Wrong rows that are listed; all of them are counted. */
export const maxImportErrors = 100;

/** Strict: a dry run whose name is misspelt would be none. */
export const importQuerySchema = z.strictObject({
  dryRun: z.enum(['true', 'false'], 'has to be true or false').default('false'),
  fileName: text(255).optional(),
  country: countrySchema.optional(),
});

/** What an export writes about a lead that nobody can import. */
const ignoredColumns = new Set([
  'id',
  'numbervalidity',
  'assignee',
  'unreadcount',
  'createdat',
  'lastmessageat',
  'metadata',
  'optedoutat',
  'optoutsource',
  ...referralColumns.map((column) => column.toLowerCase()),
  'otherfields',
]);
const leadFields = new Set(['chat', 'country', 'name', 'source', 'tags']);
/** In front of a custom field's name, where an export writes it. */
export const fieldPrefix = 'field:';

/** A column that counts: a field of the lead, or a custom field by its name. */
export type ImportColumn = { index: number; header: string } & ({ field: string } | { customField: string });

/** The columns that count, and how many the file has in all. */
export interface ImportColumns {
  columns: ImportColumn[];
  width: number;
}

/** The columns of a file, or what is wrong with its first line. Columns without a name are left out. */
export function readColumns(headers: readonly string[]): ImportColumns | { problem: string } {
  if (headers.length > maxImportColumns) return { problem: `has more than ${maxImportColumns} columns` };
  const columns = headers.flatMap((written, index): ImportColumn[] => {
    const header = written.trim();
    const lower = header.toLowerCase();
    if (header === '' || ignoredColumns.has(lower)) return [];
    if (leadFields.has(lower)) return [{ index, header, field: lower }];
    const customField = lower.startsWith(fieldPrefix) ? header.slice(fieldPrefix.length) : header;
    return [{ index, header, customField }];
  });
  const problem = columnProblem(columns);
  return problem === undefined ? { columns, width: headers.length } : { problem };
}

function columnProblem(columns: readonly ImportColumn[]): string | undefined {
  const customFields = columns.filter((column) => 'customField' in column);
  if (customFields.length > maxCustomFields) return `has more than ${maxCustomFields} columns for custom fields`;
  for (const { index, customField } of customFields) {
    const { error } = fieldNameSchema.safeParse(customField);
    if (error !== undefined) return `names a custom field in column ${index + 1} whose name ${firstMessageOf(error)}`;
  }
  const seen = new Set<string>();
  for (const column of columns) {
    const name = 'field' in column ? column.field : `${fieldPrefix}${column.customField}`;
    if (seen.has(name)) return `has the column ${name} twice`;
    seen.add(name);
  }
  return seen.has('chat') ? undefined : 'has no column named chat';
}

function firstMessageOf(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'is wrong';
}

export type ImportedLead = z.output<ReturnType<typeof createLeadSchema>>;

/**
 * A row as it is imported, or what is wrong with it: each time the column and why. Empty cells count as left out.
 * @param country what national writings are read with where the row names no country
 */
export function readRow(
  { columns, width }: ImportColumns,
  cells: readonly string[],
  country?: Country,
): { lead: ImportedLead } | { problems: { field: string; message: string }[] } {
  // An unquoted comma has moved what follows it: none of the cells can be trusted.
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    return { problems: [{ field: '', message: `has more than the ${width} cells of the first line` }] };
  const given = columns.flatMap((column) => {
    const cell = cells[column.index]?.trim() ?? '';
    return cell === '' ? [] : [[column, cell] as const];
  });
  const fields = given.flatMap(([column, cell]) => ('field' in column ? [[column.field, cell] as const] : []));
  const customFields = given.flatMap(([column, cell]) =>
    'customField' in column ? [[column.customField, cell] as const] : [],
  );
  const { tags, ...others } = Object.fromEntries(fields);
  const input = { ...others, tags: splitTags(tags), customFields: Object.fromEntries(customFields) };
  const parsed = createLeadSchema(country).safeParse(input);
  if (parsed.success) return { lead: parsed.data };
  const problems = parsed.error.issues.map(({ path: [field, name], message }) => ({
    field: field === 'customFields' && name !== undefined ? String(name) : String(field),
    message,
  }));
  return { problems };
}

function splitTags(written: string | undefined): string[] | undefined {
  return written
    ?.split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
