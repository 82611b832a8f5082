// Reads the rows of a file of leads in batches, each with the leads of its rows and the rows that are refused.

import { readCsv, type CsvRow } from '../../../platform/input/csv-reader.js';
import { invalidField } from '../../../platform/errors.js';
import type { UploadedFile } from '../../../platform/http/uploaded-file.js';
import type { Country } from '../../../platform/phone-numbers/country.js';
import { matchKeyOfNumber } from '../../../platform/phone-numbers/match-key.js';
import { readColumns, type ImportColumns } from './lead-import-columns.js';
import { isEmpty } from './lead-import-preview.js';
import { noteOnTitles, withoutTitles, type FileRow } from './lead-import-header-row.js';
import { matchKeyOfRow, maxImportErrors, maxImportRows, readRow, type ImportedLead } from './lead-import.schema.js';
import type { ImportError, RefusedRow } from './lead-import.sql.js';

const rowsPerBatch = 500;
/** A batch ends sooner where its rows are long, because it goes to PostgreSQL in one piece. */
const charactersPerBatch = 512 * 1024;
/** A file, and how its rows are read. */
export interface ImportedFile {
  file: UploadedFile;
  columns: ImportColumns;
  /** The line of the header: the rows below it are read. */
  headerLine: number;
  /** The country of national writings in rows that name none. */
  country: Country | undefined;
}

export interface Batch {
  rows: number;
  characters: number;
  leads: { lead: ImportedLead; line: number; cells: string[] }[];
  refusedRows: (RefusedRow & { matchKey: string | undefined })[];
  duplicates: number;
  refused: number;
  errors: ImportError[];
}

/**
 * Checks the whole file before any of its rows counts. The import parses it once more, which takes a fiftieth of its time. Rows that were
 * kept instead would take more memory than their file, for eight files at once.
 */
export async function lookThrough(
  file: UploadedFile,
  given: Readonly<Record<string, string | null>>,
): Promise<{ totalRows: number } & Pick<ImportedFile, 'columns' | 'headerLine'>> {
  let header: FileRow | undefined;
  let totalRows = 0;
  const filled = new Set<number>();
  for await (const row of withoutTitles(readCsv(file.read()), given)) {
    if (header === undefined) {
      header = row;
      continue;
    }
    totalRows += 1;
    if (totalRows > maxImportRows) throw invalidField('rows', `must not be more than ${maxImportRows}`);
    for (const [index, cell] of row.cells.entries()) if (cell !== '' && cell.trim() !== '') filled.add(index);
  }
  if (header === undefined) throw isEmpty();
  const { columns, problem } = readColumns(header.cells, { given, filled });
  if (problem !== undefined) throw invalidField(problem.path, problem.message);
  const note = noteOnTitles(header);
  if (note !== undefined) columns.notes.unshift({ header: '', message: note });
  return { totalRows, columns, headerLine: header.line };
}

async function* rowsOf({ file, headerLine }: Pick<ImportedFile, 'file' | 'headerLine'>): AsyncGenerator<CsvRow> {
  for await (const row of readCsv(file.read())) if (row.line > headerLine) yield row;
}

export async function* batchesOf({ file, columns, headerLine, country }: ImportedFile): AsyncGenerator<Batch> {
  const seen = new Map<string, number>();
  let batch = emptyBatch();
  for await (const row of rowsOf({ file, headerLine })) {
    addRow(batch, row, { seen, country, columns });
    if (batch.rows < rowsPerBatch && batch.characters < charactersPerBatch) continue;
    yield batch;
    batch = emptyBatch();
  }
  if (batch.rows > 0) yield batch;
}

function emptyBatch(): Batch {
  return { rows: 0, characters: 0, leads: [], refusedRows: [], duplicates: 0, refused: 0, errors: [] };
}

/** @param seen the people of the rows before, with the line of the first row of each, which is the row that counts */
function addRow(
  batch: Batch,
  { line, cells }: CsvRow,
  { seen, country, columns }: { seen: Map<string, number>; country: Country | undefined; columns: ImportColumns },
): void {
  batch.rows += 1;
  for (const cell of cells) batch.characters += cell.length;
  const read = readRow(columns, cells, country);
  if ('problems' in read) {
    batch.refused += 1;
    const untold = maxImportErrors - batch.errors.length;
    batch.errors.push(...read.problems.slice(0, untold).map((problem) => ({ line, ...problem })));
    const reason = read.problems
      .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
      .join('; ');
    batch.refusedRows.push({ line, cells, reason, matchKey: matchKeyOfRow(columns, cells, country) });
    return;
  }
  const key = matchKeyOfNumber(read.lead.chat);
  const firstLine = seen.get(key);
  if (firstLine === undefined) {
    seen.set(key, line);
    batch.leads.push({ lead: read.lead, line, cells });
    return;
  }
  batch.duplicates += 1;
  batch.errors.push({ line, field: 'chat', message: `is the number of line ${firstLine}, which counts` });
}

/** Returns the batch with further rows refused: those that cannot change their known leads. */
export function withRefused(
  batch: Batch,
  problems: ReadonlyMap<ImportedLead, { field: string; message: string }>,
): Batch {
  if (problems.size === 0) return batch;
  const refused = { ...batch, errors: [...batch.errors], refusedRows: [...batch.refusedRows] };
  refused.leads = batch.leads.filter(({ lead }) => !problems.has(lead));
  for (const { lead, line, cells } of batch.leads) {
    const problem = problems.get(lead);
    if (problem === undefined) continue;
    refused.refused += 1;
    refused.errors.push({ line, ...problem });
    const reason = `${problem.field}: ${problem.message}`;
    refused.refusedRows.push({ line, cells, reason, matchKey: matchKeyOfNumber(lead.chat) });
  }
  return refused;
}
