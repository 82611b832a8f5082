// Divides a number into groups that are easily read and compared: the calling code, then groups by country, else by length.

const shortCodes = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** The sizes of the groups in some countries, by the beginning of the number. A hyphen stands for one before the last group. */
const groupsOf: readonly (readonly [beginning: RegExp, sizes: string])[] = [
  [/^1/, '334'],
  [/^31/, '12222'],
  [/^33/, '12222'],
  [/^442/, '244'],
  [/^441(1|\d1)/, '334'],
  [/^44/, '433'],
  [/^45/, '2222'],
  [/^46/, '2322'],
  [/^52/, '244'],
  [/^549/, '1244'],
  [/^54/, '244'],
  [/^55/, '254-'],
  [/^55/, '244-'],
  [/^56/, '144'],
  [/^7/, '3322'],
  [/^91/, '55'],
];

/** By the count of digits behind the calling code. */
const sizesOf: Readonly<Record<number, string>> = {
  6: '33',
  7: '34',
  8: '44',
  9: '333',
  10: '334',
  11: '344',
  12: '444',
  13: '3334',
};

/**
 * @param number digits, with the calling code first
 * @returns the groups in their order; the last one of a Brazilian number begins with its hyphen
 */
export function groupsOfNumber(number: string): string[] {
  const code = codeOf(number);
  const rest = number.slice(code.length);
  const own = groupsOf.find(([beginning, sizes]) => beginning.test(number) && sumOf(sizes) === rest.length);
  const sizes = own?.[1] ?? sizesOf[rest.length];
  if (sizes === undefined) return [code, rest].filter((group) => group !== '');
  const groups = [code];
  let from = 0;
  for (const size of digitsOf(sizes)) {
    groups.push(rest.slice(from, from + size));
    from += size;
  }
  const last = groups.pop() ?? '';
  return [...groups, sizes.includes('-') ? `-${last}` : last];
}

/**
 * Prints a number where only plain text can stand, and nothing is copied: the choices of a field, and tips.
 * @param number digits, without a plus
 */
export const printNumber = (number: string): string =>
  `+${groupsOfNumber(number).join('\u00a0').replace('\u00a0-', '-')}`;

function codeOf(number: string): string {
  if (number.startsWith('1') || number.startsWith('7')) return number.slice(0, 1);
  return number.slice(0, shortCodes.has(number.slice(0, 2)) ? 2 : 3);
}

const digitsOf = (sizes: string) => Array.from(sizes.replace('-', ''), Number);
const sumOf = (sizes: string) => digitsOf(sizes).reduce((sum, size) => sum + size, 0);

/** Returns true for the name of a lead that has none: its number stands in its place. */
export const isNumber = (name: string): boolean => /^\d{8,15}$/.test(name);
