// CSV as text: written text comes back unchanged, and no spreadsheet takes it for a formula. Neither writing nor reading blocks other work.

import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readCsv } from '../../../src/platform/input/csv-reader.js';
import { csvOf, type CsvCell } from '../../../src/platform/input/csv.js';
import { UploadedFile } from '../../../src/platform/http/uploaded-file.js';

const columns = ['first', 'second', 'third'];

async function writeAll(rows: CsvCell[][]): Promise<string> {
  const pages = [rows];
  const source = { read: async () => pages.shift() ?? [], keyOf: () => '' };
  const pieces: string[] = [];
  for await (const piece of csvOf(source, columns, (page) => page)) pieces.push(piece);
  return pieces.join('');
}

/** @param isSlow the text arrives byte by byte after its first 20 bytes */
async function readAll(text: string, isSlow = false): Promise<string[][]> {
  const rows: string[][] = [];
  const bytes = Buffer.from(text);
  const pieces = isSlow ? [bytes.subarray(0, 20), ...bytes.subarray(20)] : [bytes];
  const chunks = pieces.map((piece) => (typeof piece === 'number' ? Buffer.from([piece]) : piece));
  for await (const { cells } of readCsv(Readable.from(chunks))) rows.push(cells);
  return rows;
}

/** Texts of separators, quotes, apostrophes and signs that begin a formula; the alphabet is small, so that they often meet. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('=', '+', '-', '@', '＝', '－', "'", '"', ',', ';', '\t', '\r', '\n', ' ', '\u00A0', 'a', '1'),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join('').toWellFormed());
// The reader skips an empty row, so one cell of each row is never empty.
const hostileRow = fc.tuple(hostileText, hostileText, fc.constant('last'));

const formula = /^[\s"]*[-=+@\uFF1D\uFF0B\uFF0D\uFF20]/;

export function describeCsv(): void {
  test('every text comes back as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileRow, { maxLength: 4 }), async (rows) => {
        expect(await readAll(await writeAll(rows))).toEqual([columns, ...rows]);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["'=x", "''=x"],
    ['=x', "'=x"],
    ['oi;=1+1', `"oi;'=1+1"`],
    ['oi; ""@x', `"oi; """"'@x"`],
    ['a\n-1', `"a\n'-1"`],
    ['\t=1', `"'\t'=1"`],
    ["it's 1-1", "it's 1-1"],
    ["a;'b", `"a;'b"`],
  ])('%j is written as %j', async (text, written) => {
    expect(await writeAll([[text, 1, null]])).toBe(`\uFEFFfirst,second,third\r\n${written},1,\r\n`);
  });

  test('numbers, times and booleans are written as they are', async () => {
    expect(await writeAll([[-1.5, new Date(0), false]])).toContain('\r\n-1.5,1970-01-01T00:00:00.000Z,false\r\n');
  });

  describe('no cell begins like a formula', () => {
    test('for a reader that honours quotes and knows the comma', async () => {
      await fc.assert(
        fc.asyncProperty(hostileRow, async (row) => {
          // Parse like other readers, which do not remove the apostrophe.
          const [, cells = []] = parseByTheBook(await writeAll([row]));
          expect(cells.filter((cell) => formula.test(cell))).toEqual([]);
          expect(cells).toHaveLength(row.length);
        }),
        { numRuns: 1_000 },
      );
    });

    test('for a reader that splits at semicolons, tabs and breaks, whatever is quoted', async () => {
      await fc.assert(
        fc.asyncProperty(hostileRow, async (row) => {
          const cells = (await writeAll([row])).split(/[;\t\r\n]/);
          expect(cells.filter((cell) => formula.test(cell))).toEqual([]);
        }),
        { numRuns: 1_000 },
      );
    });
  });

  /** Parses by RFC 4180, character by character. */
  function parseByTheBook(text: string): string[][] {
    const rows: string[][] = [['']];
    let isQuoted = false;
    for (let at = 1; at < text.length; at += 1) {
      const cells = rows.at(-1) as string[];
      const character = text.charAt(at);
      if (character === '"' && isQuoted && text.charAt(at + 1) === '"')
        cells[cells.length - 1] += text.charAt((at += 1));
      else if (character === '"') isQuoted = !isQuoted;
      else if (!isQuoted && character === ',') cells.push('');
      else if (!isQuoted && text.startsWith('\r\n', at)) rows.push(['']);
      else if (isQuoted || character !== '\n') cells[cells.length - 1] += character;
    }
    return rows;
  }

  test.each([',', ';', '\t', '|'])(
    'the delimiter %j is told by the first line, whatever its quotes hold',
    async (delimiter) => {
      const others = [',', ';', '\t', '|'].filter((other) => other !== delimiter).join('');
      const header = ['chat', `"${others.repeat(9)}"`, '"two\nlines"'].join(delimiter);
      expect(await readAll(`${header}\n1${delimiter}2${delimiter}3\n`)).toEqual([
        ['chat', others.repeat(9), 'two\nlines'],
        ['1', '2', '3'],
      ]);
    },
  );

  test.each([
    ['Clients, November\nName;Phone\nSilva, Ana;1\nLima, Bia;2', ';'],
    ['Name;Address, number;Phone\nAna;Rua A, 5, ap 3, Olinda;1\nBia;Rua B, 7, Recife;2', ';'],
    ['Name;Phone;City;Note\nAna;1;Olinda, PE\nBia;2\nEva;3;Recife, PE;x, y', ';'],
    ['Report: 3|4\nName,Phone\nAna,1\nBia,2', ','],
  ])('titles and cells with other delimiters do not matter: %j', async (text, delimiter) => {
    expect((await readAll(text)).slice(1)).toEqual(
      text
        .split('\n')
        .slice(1)
        .map((line) => line.split(delimiter)),
    );
  });

  describe('what spreadsheets and other products write', () => {
    test.each([
      [
        'a line that names the separator',
        'sep=;\r\na;b,c\r\n1;2,3',
        [
          ['a', 'b,c'],
          ['1', '2,3'],
        ],
      ],
      [
        'that line in quotes, behind a mark',
        '\uFEFF"sep=|"\na|b\n1|2',
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
      [
        'rows of empty cells',
        ',,\na,b\n,,\n" ",\n1,2\n,,\n',
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
      [
        'text that is written as a formula',
        'a,b\n="0011",="x,y"\n"=""12""",z=',
        [
          ['a', 'b'],
          ['0011', 'x,y'],
          ['="12"', 'z='],
        ],
      ],
      [
        'the same inside a text',
        'a,b\n"say ,=""1""",2',
        [
          ['a', 'b'],
          ['say ,="1"', '2'],
        ],
      ],
      [
        'the end mark of old systems',
        'a,b\r\n1,"2"\x1A',
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
      ['that mark on a line of its own', 'a\r\n1\r\n\x1A\r\n', [['a'], ['1']]],
    ])('%s', async (_case, text, rows) => {
      expect(await readAll(text)).toEqual(rows);
      expect(await readAll(text, true)).toEqual(rows);
    });

    test.each(['\n', '\r\n', '\r'])('lines are counted as an editor shows them, with breaks of %j', async (end) => {
      const text = ['a,b', '"x', 'y",1', '', '"p', '', 'q","r', 's"', ',', 'z,2'].join(end);
      const lines: number[] = [];
      for await (const { line } of readCsv(Readable.from([Buffer.from(text)]))) lines.push(line);
      expect(lines).toEqual([1, 2, 5, 10]);
      const wrong = readAll(`sep=,${end}${text}${end}"open`);
      await expect(wrong).rejects.toMatchObject({ errors: [{ message: expect.stringMatching(/^line 12: /) }] });
    });

    test.each([
      ['a workbook', Buffer.from('PK\x03\x04\x14\x00'), 'workbook'],
      ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'workbook'],
      ['a web page', Buffer.from('\uFEFF\n<!DOCTYPE html><html><table>'), 'web page'],
      ['UTF-16 with a mark', Buffer.from('\uFEFFchat,name\n', 'utf16le'), 'UTF-16'],
      ['UTF-16 without one', Buffer.from('chat,name\n1,2', 'utf16le'), 'UTF-16'],
      ['UTF-16 of the other order', Buffer.from('\uFEFFchat,name\n', 'utf16le').swap16(), 'UTF-16'],
      ['a PDF', Buffer.from('%PDF-1.7'), 'PDF'],
    ])('%s is named', async (_case, bytes, word) => {
      const reading = readCsv(Readable.from([bytes])).next();
      await expect(reading).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining(word) });
    });
  });

  /** Runs `work`, and counts the turns that other work got meanwhile. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work();
    isOver = true;
    return turns;
  }

  test('others get a turn between pieces of a long page', async () => {
    const page = Array.from({ length: 200 }, (): string[] => Array.from({ length: 50 }, () => '"'.repeat(1_000)));
    // The page has 20 MB, written in pieces of 64 KB or little more.
    expect(await turnsDuring(() => writeAll(page))).toBeGreaterThan(100);
  });

  test('others get a turn between stretches of an uploaded file', async () => {
    const file = await UploadedFile.receive(Readable.from([Buffer.from('1\n'.repeat(200_000))]), 1_000_000);
    try {
      let rows = 0;
      const turns = await turnsDuring(async () => {
        for await (const _row of readCsv(file.read())) rows += 1;
      });
      expect(rows).toBe(200_000);
      // At most 8,192 rows are read at a time, whatever the file's content.
      expect(turns).toBeGreaterThan(200_000 / 8_192);
    } finally {
      await file.close();
    }
  });

  test('the length of the rows decides how many are read at a time', async () => {
    const limitsOf = async (text: string) => {
      const limits: number[] = [];
      const read = async ({ limit }: { limit: number }) => {
        limits.push(limit);
        return Array.from({ length: limits.length < 4 ? limit : 0 }, () => [text]);
      };
      for await (const _piece of csvOf({ read, keyOf: () => '' }, ['text'], (page) => page));
      return limits;
    };
    expect(await limitsOf('short')).toEqual([20, 200, 200, 200]);
    const long = await limitsOf('x'.repeat(100_000));
    expect(Math.max(...long.slice(1))).toBeLessThanOrEqual(10);
    expect(Math.min(...long)).toBeGreaterThan(0);
  });
}
