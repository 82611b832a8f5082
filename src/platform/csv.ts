// CSV as spreadsheets read and write it: rows from bytes as they come, and text from pages of a list. csv-parse reads the format.

import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { AppError } from './errors.js';
import { hasCode } from './fault.js';
import { validationFailed } from './input.js';
import type { KeysetSource } from './page.js';

/** One record of a CSV text. */
export interface CsvRow {
  /** Where it begins, from 1. */
  line: number;
  cells: string[];
}

/** A record above this is refused: no file of rows has one. */
const maxRecordBytes = 64 * 1024;
const delimiters = [',', ';', '\t'];
const rowsPerPage = 200;
/** Of the first page, while nothing is known of the rows' length; later ones are measured by the one before. */
const firstRows = 20;
const charactersPerPage = 1024 * 1024;
/** A page is written in pieces of about this size, with a turn for everybody else in between. */
const charactersPerPiece = 64 * 1024;
// Excel takes a file for UTF-8 only with it.
const byteOrderMark = '\uFEFF';

/**
 * The places in a text where a spreadsheet may find a formula, each with the apostrophes in front of the formula's sign. They are
 * the start, and whatever follows what some spreadsheet takes for the end of a cell. Excel takes the list separator of the user's region, which
 * is often a semicolon, and then honours none of our quotes. One more apostrophe defuses such a place and moves no other, so that
 * taking one away gives the text back.
 */
const formulaPlaces = /^'*(?=[\t\r\n])|(?<=^|[;\t\r\n])(?:"|[^\S\t\r\n])*'*(?=[-=+@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * The rows of a UTF-8 text, empty lines left out. Its delimiter (comma, semicolon or tab) is the one that its first line has most
 * of outside quotes. A cell that `csvOf` defused comes back as it was.
 * @throws AppError BAD_REQUEST where it is not UTF-8, VALIDATION_FAILED naming the line where it is not CSV
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const text = decode(bytes);
  const first = await text.next();
  const start = first.value ?? '';
  const whole = Readable.from(startingWith(start, text));
  // As it is parsed: what is wrong may be noticed before the rows above were taken.
  let last: ParsedInfo = { lines: 0, empty_lines: 0 };
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(start),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    info: true,
    on_record: (record, { lines, empty_lines }) => {
      last = { lines, empty_lines };
      return record;
    },
  });
  whole.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of whole.pipe(parser) as AsyncIterable<ParsedRecord>) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      yield { line: info.lines - breaks, cells: record.map(withoutDefusing) };
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, last) : error;
  } finally {
    whole.destroy();
  }
}

interface ParsedRecord {
  record: string[];
  info: ParsedInfo;
}

/** Lines that were read by then, and how many of them were empty. */
interface ParsedInfo {
  lines: number;
  empty_lines: number;
}

const doubled = 'put the whole cell in quotation marks, and write each one inside it twice';
const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened in this row and not closed',
  CSV_MAX_RECORD_SIZE: `the row has more than ${maxRecordBytes / 1024} KiB: a quotation mark in it may not be closed`,
  CSV_INVALID_CLOSING_QUOTE: `a cell of this row goes on after a closing quotation mark: ${doubled}`,
  INVALID_OPENING_QUOTE: `a quotation mark stands inside a cell of this row: ${doubled}`,
};

// Named by the line on which the row begins: one that is not closed is noticed far below.
function notCsv(error: CsvError, last: ParsedInfo): AppError {
  const emptyLines = 'empty_lines' in error ? Number(error.empty_lines) : 0;
  const line = last.lines + 1 + emptyLines - last.empty_lines;
  const problem = problems[error.code] ?? `the row is not valid CSV (${error.code})`;
  return validationFailed([{ path: '', message: `line ${line}: ${problem}` }]);
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!hasCode(cause, 'ERR_ENCODING_INVALID_ENCODED_DATA')) throw cause;
    throw new AppError('BAD_REQUEST', 'The file is not valid UTF-8: save it as CSV UTF-8', { cause });
  }
}

async function* startingWith(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function delimiterOf(start: string): string {
  const [line = ''] = start.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const [most = ','] = delimiters.toSorted((one, other) => line.split(other).length - line.split(one).length);
  return most;
}

function defuse(text: string): string {
  return text.replace(formulaPlaces, "$&'");
}

function withoutDefusing(cell: string): string {
  if (!cell.includes("'")) return cell;
  return cell.replace(formulaPlaces, (place) => (place.endsWith("'") ? place.slice(0, -1) : place));
}

export type CsvCell = string | number | boolean | Date | null;

/**
 * A whole list as CSV in UTF-8, page by page: a page is read when the one before it was taken. What a spreadsheet could run as a
 * formula, in any part of a text, gets an apostrophe in front; `readCsv` takes it away. Times are ISO 8601.
 * @param toRows the cells of a page's rows, in the columns' order
 */
export async function* csvOf<Row>(
  source: Pick<KeysetSource<Row>, 'read' | 'keyOf'>,
  columns: readonly string[],
  toRows: (rows: Row[]) => Promise<CsvCell[][]> | CsvCell[][],
): AsyncGenerator<string> {
  let piece = byteOrderMark + lineOf(columns);
  let from: string | undefined;
  let limit = firstRows;
  for (;;) {
    const rows = await source.read({ direction: 'forward', from, limit });
    let characters = 0;
    for (const cells of await toRows(rows)) {
      const line = lineOf(cells);
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

function lineOf(cells: readonly CsvCell[]): string {
  return `${cells.map(written).join(',')}\r\n`;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const text = defuse(cell);
  // Whatever ends a cell or a row for some reader stands in quotes, though only a comma and a break do for ours.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Small, because a reader works through a whole chunk without a pause: one of 64 KiB can be 32,000 rows. */
const chunkBytes = 8 * 1024;

export class UploadedFile {
  private constructor(private readonly handle: FileHandle) {}

  /**
   * Keeps what comes, as fast as the disk takes it.
   * @throws AppError PAYLOAD_TOO_LARGE beyond `maxBytes`
   */
  static async receive(upload: Readable, maxBytes: number): Promise<UploadedFile> {
    const path = join(tmpdir(), `leadwire-upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
      let bytes = 0;
      // The stream stays open when this ends early: the caller still has to get the error.
      for await (const chunk of upload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw new AppError('PAYLOAD_TOO_LARGE', `The file exceeds ${maxBytes / (1_024 * 1_024)} MiB`);
        await handle.appendFile(chunk);
      }
      return new UploadedFile(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Its bytes from the beginning; as often as wanted. */
  read(): AsyncIterable<Uint8Array> {
    return this.handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes });
  }

  /** The file is gone then. */
  async close(): Promise<void> {
    await this.handle.close();
  }
}
