// Reads a CSV file of recipients as spreadsheets write it: commas, semicolons or tabs, quotation marks, and a line with the names of
// columns.

export interface CsvTable {
  columns: readonly string[];
  who: WhoColumn;
  /** Cells by column name. */
  rows: readonly Readonly<Record<string, string>>[];
}

/** The column that identifies the recipients, and its kind. */
export interface WhoColumn {
  column: string;
  kind: 'id' | 'number';
}

export type CsvProblem = 'emptyFile' | 'noColumn' | 'tooManyRows' | 'notClosed';

export const maxRows = 10_000;
const tellingLines = 10;
const bom = '\uFEFF';

/** The column names that identify a recipient, by number or by lead id. */
const numberColumns = ['chat', 'number', 'phone'] as const;
const idColumns = ['id', 'leadId', 'lead_id'] as const;

/**
 * @param numberColumn the name of the column of numbers, where the API has recognized it: it may be any word, and titles may stand above it
 */
export function readCsvTable(text: string, numberColumn?: string): CsvTable | { problem: CsvProblem } {
  const lines = parseLines(text.startsWith(bom) ? text.slice(1) : text);
  if (lines === undefined) return { problem: 'notClosed' };
  const place = numberColumn === undefined ? 0 : lines.findIndex((cells) => cells.map(plain).includes(numberColumn));
  const [head, ...body] = lines.slice(Math.max(0, place));
  if (head === undefined || body.length === 0) return { problem: 'emptyFile' };
  const columns = head.map(plain);
  const who = whoColumnOf(columns, numberColumn);
  if (who === undefined) return { problem: 'noColumn' };
  if (body.length > maxRows) return { problem: 'tooManyRows' };
  const rows = body.map((cells) =>
    Object.fromEntries(columns.map((name, index) => [name, cells[index]?.trim() ?? ''])),
  );
  return { columns, who, rows };
}

const plain = (name: string) => name.replaceAll(/\p{Cf}/gu, '').trim();

/** The lead's id wins, because it is more reliable than a number. */
function whoColumnOf(columns: readonly string[], numberColumn: string | undefined): WhoColumn | undefined {
  const find = (names: readonly string[]) =>
    columns.find((column) => names.some((name) => name.toLowerCase() === column.toLowerCase()));
  const id = find(idColumns);
  if (id !== undefined) return { column: id, kind: 'id' };
  const number = numberColumn ?? find(numberColumns);
  return number === undefined ? undefined : { column: number, kind: 'number' };
}

/** Splits the text into lines of cells and drops empty lines. @returns undefined if a quotation mark is not closed */
function parseLines(text: string): string[][] | undefined {
  const separator = separatorOf(text);
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endLine = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) lines.push(cells);
    [cells, cell] = [[], ''];
  };
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[place + 1] === '"') {
        cell += '"';
        place += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') endLine();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) return undefined;
  endLine();
  return lines;
}

/** Returns the separator that occurs most often in the first lines, of which some may be titles. */
function separatorOf(text: string): string {
  const first = text.split('\n', tellingLines).join('\n');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: first.split(separator).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.separator ?? ',';
}
