// The bounds and formats of a file of leads: its columns, its rows, its size.

import { z } from 'zod';
import { keysOf, text } from '../../../platform/input/input.js';
import { isNumberIn, numberPartOf, withAreaCode, type NumberPart } from '../number-fields.js';
import { isUnfilled, saysNothing } from '../posted-field.js';
import { countrySchema, type Country } from '../../../platform/phone-numbers/country.js';
import { createLeadSchema } from '../lead.schema.js';
import { countryNamed } from '../../../platform/phone-numbers/country-names.js';
import { numberColumnOf, type ImportColumns } from './lead-import-columns.js';
import { importUpdates } from './lead-import.sql.js';
import { matchKeyOfNumber } from '../../../platform/phone-numbers/match-key.js';

export const maxImportBytes = 50 * 1024 * 1024;
export const maxImportRows = 100_000;
/** Wrong rows that are listed; all of them are counted. */
export const maxImportErrors = 100;

const maxColumnsCharacters = 12_000;

/** The schema is strict, because a misspelt `dryRun` would import the file. */
export const importQuerySchema = z.strictObject({
  dryRun: z.enum(['true', 'false'], 'has to be true or false').default('false'),
  fileName: text(255).optional(),
  country: countrySchema.optional(),
  update: z.enum(keysOf(importUpdates), 'has to be FILL or OVERWRITE').optional(),
  columns: z
    .string('has to be given once')
    .max(maxColumnsCharacters)
    .transform(parseColumns)
    .pipe(z.record(z.string(), z.string().max(200).nullable(), 'has to be a JSON object: header → field, or null'))
    .optional(),
});

function parseColumns(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return undefined;
  }
}

export type ImportedLead = z.output<ReturnType<typeof createLeadSchema>>;

/**
 * Reads a row as it is imported, or the problems with it: each with its column and the reason. Empty cells count as left out.
 * @param country the country of national writings in rows that name none
 */
export function readRow(
  { columns, width }: ImportColumns,
  cells: readonly string[],
  country?: Country,
): { lead: ImportedLead } | { problems: { field: string; message: string }[] } {
  // An unquoted comma has moved the cells behind it, so none of the cells can be trusted.
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    return { problems: [{ field: '', message: `has more than the ${width} columns of the header` }] };
  const input = inputOf(columns, cells);
  const parsed = createLeadSchema(country).safeParse(input);
  if (parsed.success) return { lead: parsed.data };
  const problems = parsed.error.issues.map(({ path: [field, name], message }) => ({
    field: (field === 'customFields' || field === 'metadata') && name !== undefined ? String(name) : String(field),
    message,
  }));
  return { problems };
}

/**
 * Empty cells count as left out, and so do names and numbers that a spreadsheet failed to fill in. The parts of a name stand in their
 * order.
 */
function inputOf(columns: ImportColumns['columns'], cells: readonly string[]) {
  const fields = new Map<string, string>();
  const customFields: [string, string][] = [];
  const metadata: [string, string][] = [];
  const parts = new Map<NumberPart, string>();
  const number = numberColumnOf(columns, cells);
  for (const column of columns) {
    const cell = cells[column.index]?.trim() ?? '';
    if (cell === '') continue;
    if (column === number) fields.set('chat', cell);
    else if ('customField' in column) {
      customFields.push([column.customField, cell]);
      const part = column.completesNumber === true ? numberPartOf(column.header, cell) : undefined;
      if (part !== undefined) parts.set(part, cell);
    } else if ('metadata' in column) metadata.push([column.metadata, cell]);
    else if (!isUnfilled(cell)) fields.set(column.field, [fields.get(column.field) ?? [], cell].flat().join(' '));
  }
  const { chat: written, country, tags, name, ...others } = Object.fromEntries(fields);
  // Spreadsheets write an apostrophe in front of digits that are text.
  const chat = withAreaCode(written?.replace(/^['’]+/, '') ?? '', parts.get('area') ?? '');
  const beside = parts.get('country');
  const named = beside === undefined ? undefined : countryNamed(beside);
  const dialled = named !== undefined && isNumberIn(chat, named) ? named : undefined;
  return {
    ...others,
    name: saysNothing(name) ? undefined : name,
    chat: written === undefined ? undefined : chat,
    country: country === undefined ? dialled : (countryNamed(country) ?? country),
    tags: splitTags(tags),
    customFields: Object.fromEntries(customFields),
    metadata: metadata.length === 0 ? undefined : Object.fromEntries(metadata),
  };
}

/** Returns the match key of a refused row's person, where its number can be read. */
export function matchKeyOfRow(
  { columns }: ImportColumns,
  cells: readonly string[],
  country?: Country,
): string | undefined {
  const { chat, country: own } = inputOf(columns, cells);
  const parsed = createLeadSchema(country).safeParse({ chat, country: own });
  const read = parsed.success ? parsed : createLeadSchema(country).safeParse({ chat });
  return read.success ? matchKeyOfNumber(read.data.chat) : undefined;
}

function splitTags(written: string | undefined): string[] | undefined {
  return (
    written
      ?.split(/[,;|]|:::/)
      // Google marks its own labels with an asterisk.
      .map((tag) => tag.trim().replace(/^\* /, ''))
      .filter((tag) => tag !== '')
  );
}
