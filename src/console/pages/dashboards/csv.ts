// Writes figures as CSV for spreadsheets, in the same way as the API's exports.

export type Cell = string | number | null;

const byteOrderMark = '\uFEFF';
// Matches the places where a spreadsheet may see the start of a formula. Each gets an apostrophe in front.
const formulaPlaces = /^'*(?=[\t\r\n])|(?<=^|[;\t\r\n])(?:"|[^\S\t\r\n])*'*(?=[-=+@\uFF1D\uFF0B\uFF0D\uFF20])/g;

export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return byteOrderMark + rows.map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
}

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell.replace(formulaPlaces, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a file name that every file system accepts. */
export function fileNameOf(title: string, day: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${plain.slice(0, 60) || 'widget'}-${day}.csv`;
}
