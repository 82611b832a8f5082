// Finds the row that names the columns of a file: titles may stand above it.

import type { CsvRow } from '../../../platform/input/csv-reader.js';
import { isNumberHeader, plainHeader } from './lead-import-columns.js';

/** The rows among which the header is looked for. */
const maxLeadingRows = 10;
/** The most cells of a row above the header. So no more than one wide row is looked at. */
const maxTitleCells = 10;
const leastDigits = 7;

/** A row of a file. The header, which comes first, says how many rows with content stand above it. */
export interface FileRow extends CsvRow {
  rowsAbove?: number;
}

/** Yields the header of a file, and then the rows below it. @param given header to field, as callers write it */
export async function* withoutTitles(
  rows: AsyncIterable<CsvRow>,
  given: Readonly<Record<string, string | null>>,
): AsyncGenerator<FileRow> {
  const leading: CsvRow[] = [];
  let isFound = false;
  for await (const row of rows) {
    if (isFound) yield row;
    else leading.push(row);
    if (isFound || leading.length < maxLeadingRows) continue;
    isFound = true;
    yield* fromHeader(leading, given);
  }
  if (!isFound) yield* fromHeader(leading, given);
}

function fromHeader(leading: readonly CsvRow[], given: Readonly<Record<string, string | null>>): FileRow[] {
  const found = headerIndex(leading, given);
  return leading.slice(found).map((row, index) => (index === 0 ? { ...row, rowsAbove: found } : row));
}

/**
 * The header is the first row that names a column of numbers, otherwise the first that has several cells. Above it only titles may stand,
 * so that no row of data is lost. Where there is no such row, the first row is the header, and the file is refused as it says.
 */
function headerIndex(rows: readonly CsvRow[], given: Readonly<Record<string, string | null>>): number {
  const wanted = new Map(Object.entries(given).map(([written, field]) => [plainHeader(written), field]));
  const candidates = rows.filter((row, index) => !holdsData(row) && rows.slice(0, index).every(isTitleOver(row)));
  const headers = candidates.map(({ cells }) => cells.map(plainHeader));
  const hasWanted = (names: readonly string[]) => [...wanted.keys()].every((name) => names.includes(name));
  const isNumber = (name: string) => (wanted.has(name) ? wanted.get(name) === 'chat' : isNumberHeader(name));
  const named = headers.findIndex((names) => hasWanted(names) && names.some(isNumber));
  const wide = headers.findIndex((names) => hasWanted(names) && names.filter((name) => name !== '').length > 1);
  const header = candidates[named === -1 ? wide : named];
  return header === undefined ? 0 : rows.indexOf(header);
}

/** A title has one cell, or fewer than the header below it, and never many. */
function isTitleOver(header: CsvRow): (row: CsvRow) => boolean {
  return (row) => {
    const filled = filledCells(row);
    return !holdsData(row) && (filled === 1 || (filled <= maxTitleCells && filled < filledCells(header)));
  };
}

const filledCells = ({ cells }: CsvRow) => cells.filter((cell) => cell.trim() !== '').length;

const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D|$)/;
const numberAlone = /^[\d\s()+\-./]+$/;
const email = /^[^\s@]+@[^\s@]+$/;

/** Returns whether a row has a number or an e-mail address in a cell of its own, as the row of a person has. */
function holdsData({ cells }: CsvRow): boolean {
  return cells.some((written) => {
    const cell = written.trim();
    if (email.test(cell)) return true;
    return numberAlone.test(cell) && !date.test(cell) && cell.replaceAll(/\D/g, '').length >= leastDigits;
  });
}

/** Says that rows stand above the header; undefined where none do. */
export function noteOnTitles({ line, rowsAbove = 0 }: FileRow): string | undefined {
  return rowsAbove === 0 ? undefined : `Line ${line} names the columns: what stands above it is left out`;
}
