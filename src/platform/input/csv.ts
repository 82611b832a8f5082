// Lists as CSV that spreadsheets read: text from pages of a list. csv-reader.ts reads it back.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeysetSource } from '../database/page.js';

const rowsPerPage = 200;
/** The rows of the first page, while their length is unknown; later pages are measured by the one before. */
const firstRows = 20;
const charactersPerPage = 1024 * 1024;
/** A page is written in pieces of about this size, with a turn for other work in between. */
const charactersPerPiece = 64 * 1024;
// Excel takes a file for UTF-8 only with this mark.
const byteOrderMark = '\uFEFF';

/**
 * The places in a text where a spreadsheet may find a formula, each with the apostrophes in front of the formula's sign. They are the
 * start, and every place after a character that some spreadsheet takes for the end of a cell. Excel takes the list separator of the user's
 * region, which is often a semicolon, and then honours none of our quotes. One more apostrophe defuses such a place and moves no other, so
 * that taking one away gives the text back.
 */
const formulaPlaces = /^'*(?=[\t\r\n])|(?<=^|[;\t\r\n])(?:"|[^\S\t\r\n])*'*(?=[-=+@\uFF1D\uFF0B\uFF0D\uFF20])/g;

function defuse(text: string): string {
  return text.replace(formulaPlaces, "$&'");
}

/** Gives a cell back as it was before `csvOf` defused it. */
export function withoutDefusing(cell: string): string {
  if (!cell.includes("'")) return cell;
  return cell.replace(formulaPlaces, (place) => (place.endsWith("'") ? place.slice(0, -1) : place));
}

export type CsvCell = string | number | boolean | Date | null;

/**
 * Writes a whole list as CSV in UTF-8, page by page: a page is read when the one before it was taken. Text that a spreadsheet could run as
 * a formula, in any part of a cell, gets an apostrophe in front; `withoutDefusing` takes it away. Times are ISO 8601.
 * @param toRows the cells of a page's rows, in the columns' order
 */
export async function* csvOf<Row>(
  source: Pick<KeysetSource<Row>, 'read' | 'keyOf'>,
  columns: readonly string[],
  toRows: (rows: Row[]) => Promise<CsvCell[][]> | CsvCell[][],
): AsyncGenerator<string> {
  let piece = byteOrderMark + csvLine(columns);
  let from: string | undefined;
  let limit = firstRows;
  for (;;) {
    const rows = await source.read({ direction: 'forward', from, limit });
    let characters = 0;
    for (const cells of await toRows(rows)) {
      const line = csvLine(cells);
      characters += line.length;
      piece += line;
      if (piece.length < charactersPerPiece) continue;
      yield piece;
      piece = '';
      await nextTurn();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) break;
    from = source.keyOf(last);
    limit = Math.min(rowsPerPage, Math.max(1, Math.floor((charactersPerPage * rows.length) / characters)));
  }
  yield piece;
}

function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(written).join(',')}\r\n`;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const text = defuse(cell);
  // A character that ends a cell or a row for some reader needs quotes, though only a comma and a break end one for ours.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
