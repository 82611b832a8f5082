// Recognises the format of a file that was taken for CSV, and says how to turn it into CSV.

const saveAsCsv = 'Open it there and save it as "CSV UTF-8"';

/** The first bytes of formats that have some of their own. */
const signatures: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], `The file is a workbook (Excel, LibreOffice or Numbers), not CSV. ${saveAsCsv}`],
  [[0xd0, 0xcf, 0x11, 0xe0], `The file is a workbook of an older Excel, not CSV. ${saveAsCsv}`],
  [[0xff, 0xfe], `The file is in UTF-16, as "Unicode text" is. ${saveAsCsv}`],
  [[0xfe, 0xff], `The file is in UTF-16, as "Unicode text" is. ${saveAsCsv}`],
  [[0x25, 0x50, 0x44, 0x46], 'The file is a PDF, not CSV. Export the list as CSV'],
  [[0x1f, 0x8b], 'The file is compressed. Unpack it first'],
];

const webPage = /^[\s\uFEFF]*<(?:!doctype html|html|head|body|table|meta|!--|\?xml)/i;

/**
 * Returns a sentence for people on the file's format and what to do, or undefined where the file may be CSV.
 * @param start its first bytes; a few hundred are enough
 */
export function otherFormat(start: Uint8Array): string | undefined {
  const found = signatures.find(([bytes]) => bytes.every((byte, index) => start[index] === byte));
  if (found !== undefined) return found[1];
  if (isUtf16(start)) return `The file is in UTF-16, as "Unicode text" is. ${saveAsCsv}`;
  const text = Buffer.from(start.subarray(0, 200)).toString('utf8');
  if (!webPage.test(text)) return undefined;
  return 'The file is a web page, not CSV. Some products name such a file .xls: open it in a spreadsheet and save it as "CSV UTF-8"';
}

/** Recognises UTF-16 without a mark: every other byte of Latin text is zero. */
function isUtf16(start: Uint8Array): boolean {
  const sample = start.subarray(0, 64);
  if (sample.length < 4) return false;
  const zeros = [0, 1].map((offset) => sample.filter((byte, index) => index % 2 === offset && byte === 0).length);
  const [even = 0, odd = 0] = zeros;
  return Math.max(even, odd) > sample.length / 4 && Math.min(even, odd) === 0;
}
