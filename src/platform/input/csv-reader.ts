// Reads CSV as spreadsheets and other products write it: rows from bytes as they come. csv-parse reads the format; file-format.ts
// recognises other formats.

import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { withoutDefusing } from './csv.js';
import { AppError } from '../errors.js';
import { hasCode } from '../observability/fault.js';
import { otherFormat } from './file-format.js';
import { validationFailed } from './input.js';

/** A record of a CSV text. */
export interface CsvRow {
  /** The line of its beginning as an editor shows it, from 1. */
  line: number;
  cells: string[];
}

/** A record above this is refused: no file of rows has one. */
const maxRecordBytes = 64 * 1024;
/** The rarest in prose come first: they count where lines do not tell. */
const delimiters = ['\t', '|', ';', ','];
/** The lines that tell the delimiter. Titles above the header have any of them, and so have cells. */
const tellingLines = 10;
/** Excel's own first line, which names the delimiter. */
const delimiterLine = /^"?sep=([,;|\t])"?[ ,;|\t]*(?:\r\n|\r|\n|$)/i;
const endMark = '\u001A';
/** This end is kept back until its continuation is known: a formula's sign before its quotation mark, or the end mark of old systems. */
const undecidedEnd = new RegExp(`(?:=|${endMark}[${endMark}\\s]*)$`);

/**
 * Reads the rows of a UTF-8 text; rows of empty cells are left out. The delimiter is a comma, semicolon, tab or bar. A first line `sep=`
 * names it; without one, it is the one that most of the first lines have, outside quotes. A cell that `csvOf` defused comes back as it was,
 * and so does `="text"`.
 * @throws AppError BAD_REQUEST where the text is not UTF-8, or of another format, which the error names; VALIDATION_FAILED naming the line
 *   where it is not CSV
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const text = decode(bytes);
  const { start, delimiter, linesBefore } = beginningOf((await text.next()).value ?? '');
  const whole = Readable.from(plainCells(startingWith(start, text), delimiter));
  // The parser may notice a mistake before the rows above were taken.
  let last: Line = { lines: linesBefore, emptyLines: 0 };
  /** The beginnings of rows that were parsed and not taken yet. */
  const begins: number[] = [];
  /** Breaks of two characters inside quotes, which the parser counts as two lines. */
  let doubleBreaks = 0;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    on_record: (cells: string[], { lines, empty_lines }) => {
      const breaks = cells.reduce((sum, cell) => sum + (cell.match(/[\r\n]/g)?.length ?? 0), 0);
      begins.push(lines - breaks - doubleBreaks + linesBefore);
      doubleBreaks += cells.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0);
      last = { lines: lines - doubleBreaks + linesBefore, emptyLines: empty_lines };
      return cells;
    },
  });
  whole.on('error', (error) => parser.destroy(error));
  try {
    for await (const cells of whole.pipe(parser) as AsyncIterable<string[]>) {
      const line = begins.shift() ?? 0;
      if (cells.some((cell) => cell.trim() !== '')) yield { line, cells: cells.map(withoutDefusing) };
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, last) : error;
  } finally {
    whole.destroy();
  }
}

/** The line on which the newest row ended, and how many lines were empty by then. */
interface Line {
  lines: number;
  emptyLines: number;
}

const doubled = 'put the whole cell in quotation marks, and write each one inside it twice';
const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened in this row and not closed',
  CSV_MAX_RECORD_SIZE: `the row has more than ${maxRecordBytes / 1024} KiB: a quotation mark in it may not be closed`,
  CSV_INVALID_CLOSING_QUOTE: `a cell of this row goes on after a closing quotation mark: ${doubled}`,
  INVALID_OPENING_QUOTE: `a quotation mark stands inside a cell of this row: ${doubled}`,
};

// The error names the line on which the row begins: an unclosed quotation mark is noticed far below.
function notCsv(error: CsvError, last: Line): AppError {
  const emptyLines = 'empty_lines' in error ? Number(error.empty_lines) : 0;
  const line = last.lines + 1 + emptyLines - last.emptyLines;
  const problem = problems[error.code] ?? `the row is not valid CSV (${error.code})`;
  return validationFailed([{ path: '', message: `line ${line}: ${problem}` }]);
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let isFirst = true;
  try {
    for await (const chunk of bytes) {
      const format = isFirst ? otherFormat(chunk) : undefined;
      if (format !== undefined) throw new AppError('BAD_REQUEST', format);
      isFirst = false;
      yield decoder.decode(chunk, { stream: true });
    }
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

/** Splits the first piece of a text from the mark and the line `sep=` before its header. */
function beginningOf(first: string): { start: string; delimiter: string; linesBefore: number } {
  const text = first.replace(/^\uFEFF+/, '');
  const named = delimiterLine.exec(text);
  if (named === null) return { start: text, delimiter: commonestDelimiter(text), linesBefore: 0 };
  return { start: text.slice(named[0].length), delimiter: named[1] ?? ',', linesBefore: 1 };
}

function commonestDelimiter(start: string): string {
  const lines = start
    .replaceAll(/"[^"]*"/g, '""')
    .split(/[\r\n]+/)
    .filter((line) => /[^\s,;|]/.test(line))
    .slice(0, tellingLines);
  const [best = ','] = delimiters.toSorted((one, other) => compareCounts(countsIn(lines, other), countsIn(lines, one)));
  return best;
}

/** How many lines have a delimiter, the least that such a line has of it, and how often it stands in the first of them. */
function countsIn(lines: readonly string[], delimiter: string): [lines: number, least: number, first: number] {
  const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
  return [counts.length, counts.length === 0 ? 0 : Math.min(...counts), counts[0] ?? 0];
}

function compareCounts(one: readonly number[], other: readonly number[]): number {
  return one.map((count, index) => count - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Drops the end mark of old systems, and writes `="text"` as `"text"`: spreadsheets write it so that text stays text. */
async function* plainCells(pieces: AsyncIterable<string>, delimiter: string): AsyncGenerator<string> {
  let isQuoted = false;
  let held = '';
  /** The last character that was given on; a text begins like a line. */
  let previous = '\n';
  for await (const piece of pieces) {
    const text = held + piece;
    held = undecidedEnd.exec(text)?.[0] ?? '';
    const parts = text.slice(0, text.length - held.length).split('"');
    const written = parts.map((part, index) => {
      if (index > 0) isQuoted = !isQuoted;
      const before = part.length > 1 ? part.at(-2) : index === 0 ? previous : '"';
      const isSign = !isQuoted && index < parts.length - 1 && part.endsWith('=');
      return isSign && (before === delimiter || before === '\n' || before === '\r') ? part.slice(0, -1) : part;
    });
    const plain = written.join('"');
    previous = plain.at(-1) ?? previous;
    yield plain;
  }
  yield held.replaceAll('\x1A', '');
}
