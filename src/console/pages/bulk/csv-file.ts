// A CSV file of recipients, as spreadsheets write it: commas, semicolons or tabs, quotation marks, a first line with the names.

export interface CsvTable {
  columns: readonly string[];
  /** Cells by column; the line of the file is its place plus 2, where no cell has a line break. */
  rows: readonly Readonly<Record<string, string>>[];
}

export type CsvProblem = 'emptyFile' | 'noColumn' | 'tooManyRows' | 'notClosed';

export const maxRows = 10_000;
const bom = '\uFEFF';

/** The columns that say who a recipient is: a number, or the id of a lead. */
const numberColumns = ['chat', 'number', 'phone'] as const;
const idColumns = ['id', 'leadId', 'lead_id'] as const;

export function readCsvTable(text: string): CsvTable | { problem: CsvProblem } {
  const lines = parseLines(text.startsWith(bom) ? text.slice(1) : text);
  if (lines === undefined) return { problem: 'notClosed' };
  const [head, ...body] = lines;
  if (head === undefined || body.length === 0) return { problem: 'emptyFile' };
  const columns = head.map((name) => name.trim());
  if (whoColumnOf(columns) === undefined) return { problem: 'noColumn' };
  if (body.length > maxRows) return { problem: 'tooManyRows' };
  const rows = body.map((cells) =>
    Object.fromEntries(columns.map((name, index) => [name, cells[index]?.trim() ?? ''])),
  );
  return { columns, rows };
}

/** The column that names the recipient, and how. A lead's id is surer than its number. */
export function whoColumnOf(columns: readonly string[]): { column: string; kind: 'id' | 'number' } | undefined {
  const find = (names: readonly string[]) =>
    columns.find((column) => names.some((name) => name.toLowerCase() === column.toLowerCase()));
  const id = find(idColumns);
  if (id !== undefined) return { column: id, kind: 'id' };
  const number = find(numberColumns);
  return number === undefined ? undefined : { column: number, kind: 'number' };
}

/** Lines without any cell are left out. @returns undefined where a quotation mark is not closed */
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

/** The one that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: first.split(separator).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.separator ?? ',';
}
