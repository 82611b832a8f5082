// Reads the head of a file of leads: its columns with examples, and its first rows as an import would read them. Nothing is stored.

import type { Readable } from 'node:stream';
import { readCsv, type CsvRow } from '../../../platform/input/csv-reader.js';
import { invalidField, type AppError } from '../../../platform/errors.js';
import type { Country } from '../../../platform/phone-numbers/country.js';
import type { NumberReading } from '../../../platform/phone-numbers/written-number.js';
import { noteOnTitles, withoutTitles, type FileRow } from './lead-import-header-row.js';
import { numberColumnOf, plainHeader, readColumns, type ImportColumns } from './lead-import-columns.js';
import { importQuerySchema, readRow } from './lead-import.schema.js';

/** The most bytes that are read of a file. A last row that this limit cuts is left out. */
export const maxHeadBytes = 256 * 1024;
/** Rows that are shown as they would be read. */
export const maxHeadRows = 5;
/** Values that are shown of a column. */
export const maxColumnExamples = 3;
/** The most characters of a value that are shown. */
const maxExampleLength = 100;
/** Small, because the parser works through a whole piece without a pause. */
const pieceBytes = 8 * 1024;

export const headQuerySchema = importQuerySchema.pick({ columns: true, country: true });

interface HeadColumn {
  /** The header as the file has it, without invisible characters; empty where the column has no name. */
  header: string;
  /** The field as callers name it; null where the column is left out. */
  field: string | null;
  note: string | null;
  /** The first values that differ. */
  examples: string[];
}

interface HeadRow {
  line: number;
  /** The number as it is written. */
  written: string;
  /** Digits with country code; null where the row would be refused. */
  chat: string | null;
  reading: NumberReading | null;
  problems: { field: string; message: string }[];
}

export interface ImportHead {
  columns: HeadColumn[];
  /** The problem for which such a file is refused as a whole. */
  problem: string | null;
  /** A sentence on what stands above the header, and is left out. */
  note: string | null;
  rows: HeadRow[];
}

interface Manner {
  /** Header to field, as a caller names them. */
  given: Readonly<Record<string, string | null>>;
  country: Country | undefined;
}

export function isEmpty(): AppError {
  return invalidField('header', 'is missing: the file is empty');
}

/** The first bytes of an upload, without the row that they cut. The stream stays open: the caller still has to get its answer. */
export async function receiveHead(upload: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of upload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxHeadBytes) break;
  }
  const head = Buffer.concat(chunks).subarray(0, maxHeadBytes);
  return head.length < maxHeadBytes ? head : withoutCutRow(head);
}

/** @throws AppError VALIDATION_FAILED, BAD_REQUEST: like an import of a file that it cannot read */
export async function readHead(head: Buffer, { given, country }: Manner): Promise<ImportHead> {
  let header: FileRow | undefined;
  const rows: CsvRow[] = [];
  const examples: Set<string>[] = [];
  const filled = new Set<number>();
  for await (const row of withoutTitles(readCsv(piecesOf(head)), given)) {
    if (header === undefined) {
      header = row;
      continue;
    }
    if (rows.length < maxHeadRows) rows.push(row);
    for (const [index, cell] of row.cells.slice(0, header.cells.length).entries()) {
      const value = cell.trim();
      if (value === '') continue;
      filled.add(index);
      const shown = (examples[index] ??= new Set());
      if (shown.size < maxColumnExamples) shown.add(value.slice(0, maxExampleLength));
    }
  }
  if (header === undefined) throw isEmpty();
  const { columns, problem } = readColumns(header.cells, { given, filled });
  if (columns === undefined) throw invalidField(problem.path, problem.message);
  return {
    columns: headColumns(columns, examples),
    problem: problem?.message ?? null,
    note: noteOnTitles(header) ?? null,
    rows: problem === undefined ? rows.map((row) => readHeadRow(columns, row, country)) : [],
  };
}

function headColumns({ headers, fields, notes }: ImportColumns, examples: readonly (Set<string> | undefined)[]) {
  return headers.map((written, index): HeadColumn => {
    const header = plainHeader(written);
    const note = notes.find((one) => one.header === header)?.message ?? null;
    return { header, field: fields[index] ?? null, note, examples: [...(examples[index] ?? [])] };
  });
}

function readHeadRow(columns: ImportColumns, { line, cells }: CsvRow, country: Country | undefined): HeadRow {
  const number = numberColumnOf(columns.columns, cells);
  const written = number === undefined ? '' : (cells[number.index] ?? '').trim();
  const read = readRow(columns, cells, country);
  const row = { line, written: written.slice(0, maxExampleLength) };
  if ('problems' in read) return { ...row, chat: null, reading: null, problems: read.problems };
  return { ...row, chat: read.lead.chat, reading: read.lead.reading, problems: [] };
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Cuts behind the last end of a line outside quotes: an even number of quotation marks stands before it. */
function withoutCutRow(head: Buffer): Buffer {
  let end = 0;
  let isQuoted = false;
  for (const [index, byte] of head.entries())
    if (byte === quote) isQuoted = !isQuoted;
    else if (!isQuoted && (byte === lineFeed || byte === carriageReturn)) end = index + 1;
  return end === 0 ? head : head.subarray(0, end);
}
