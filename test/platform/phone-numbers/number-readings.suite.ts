// Numbers of every country and type in twelve writings, with several default countries. The suite counts how many are read as another valid
// number than the one that was written.

import fc from 'fast-check';
import { Metadata, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { readFileSync } from 'node:fs';
import { isValidNumber } from '../../../src/platform/phone-numbers/number-validity.js';
import { readWrittenNumber } from '../../../src/platform/phone-numbers/written-number.js';
import type { Country } from '../../../src/platform/phone-numbers/country.js';
import { matchKeyOfNumber } from '../../../src/platform/phone-numbers/match-key.js';

const types = [
  'MOBILE',
  'FIXED_LINE',
  'VOIP',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
];
const otherCountries: readonly Country[] = ['BR', 'US', 'DE', 'IN', 'JP', 'MX'];
const numbersOfType = 2;
const seed = 20_261_127;

interface Example {
  country: Country;
  digits: string;
  code: string;
  national: string;
  formatted: string;
  trunk: string;
}

interface Plan {
  nationalPrefix: () => string | undefined;
  type: (name: string) => { pattern: () => string | undefined } | undefined;
}

/** The metadata ship examples of mobiles alone, so numbers of every type are made from their patterns. */
function examplesOf(country: Country): Example[] {
  const library = new Metadata();
  library.selectNumberingPlan(country);
  const plan = library.numberingPlan as unknown as Plan;
  return types.flatMap((type) => {
    const pattern = plan.type(type)?.pattern();
    if (pattern === undefined || pattern === '') return [];
    const numbers = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { numRuns: numbersOfType, seed });
    return numbers.flatMap((national) => {
      const number = parsePhoneNumberFromString(national, { defaultCountry: country, extract: false });
      if (number === undefined || number.nationalNumber !== national || number.country !== country) return [];
      const digits = number.number.slice(1);
      if (!isValidNumber(digits)) return [];
      const code = number.countryCallingCode;
      const trunk = plan.nationalPrefix() ?? '';
      return [{ country, digits, code, national, formatted: number.formatNational(), trunk }];
    });
  });
}

const inScript = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const threes = (digits: string) => digits.replace(/(\d{3})(?=\d)/g, '$1 ');

const international: Record<string, (example: Example) => string> = {
  'international, with blanks': ({ code, national }) => `+${code} ${threes(national)}`,
  'with `00`': ({ digits }) => `00${digits}`,
  'with dots and dashes': ({ code, national }) => `+${code}.${threes(national).replaceAll(' ', '-')}`,
  'with a zero in brackets': ({ code, national }) => `+${code} (0)${national}`,
  'Arabic-Indic digits': ({ digits }) => inScript(0x660)(`+${digits}`),
  'Devanagari digits': ({ digits }) => inScript(0x966)(`+${digits}`),
  '`tel:`': ({ digits }) => `tel:+${digits}`,
  '`wa.me`': ({ digits }) => `https://wa.me/${digits}`,
};
const bare: Record<string, (example: Example) => string> = {
  'bare digits': ({ digits }) => digits,
  'bare digits, full width': ({ digits }) => inScript(0xff10)(digits),
};
const national: Record<string, (example: Example) => string> = {
  national: ({ formatted }) => formatted,
  'national, with the trunk prefix': ({ trunk, national: digits }) => `${trunk}${digits}`,
};

interface Count {
  read: number;
  others: number;
}

function otherNumberIn(text: string, country: Country | undefined, example: Example): string | undefined {
  const number = readWrittenNumber(text, country);
  if (!('digits' in number) || !isValidNumber(number.digits)) return undefined;
  if (matchKeyOfNumber(number.digits) === matchKeyOfNumber(example.digits)) return undefined;
  return `${number.digits}, ${number.reading.rule}`;
}

/** Counts all readings, and those that give another valid number. */
function count(
  examples: readonly Example[],
  writings: Record<string, (example: Example) => string>,
  countriesOf: (example: Example) => readonly (Country | undefined)[],
): Count & { misread: string[] } {
  const misread: string[] = [];
  let read = 0;
  for (const example of examples) {
    const written = Object.entries(writings).map(([name, write]) => [name, write(example)] as const);
    const attempts = countriesOf(example).flatMap((country) =>
      written.map(([name, text]) => ({ country, name, text })),
    );
    read += attempts.length;
    for (const { country, name, text } of attempts) {
      const other = otherNumberIn(text, country, example);
      if (other !== undefined) misread.push(`${example.country} ${name} ${text} with ${country ?? 'none'}: ${other}`);
    }
  }
  return { read, others: misread.length, misread };
}

const none = () => [undefined];
const own = ({ country }: Example) => [country];
const five = ({ country }: Example) => otherCountries.filter((other) => other !== country).slice(0, 5);

const kinds = { international, bare, national };
const places = { none, own, five };

export function describeNumberReadings(): void {
  test('the counts stand in the guide, and no writing that names its country is read as another number', () => {
    const examples = getCountries().flatMap(examplesOf);
    const rows = Object.entries(kinds).map(([kind, writings]) => {
      const cells = Object.values(places).map((place) => count(examples, writings, place));
      if (process.env['SHOW_MISREAD'] !== undefined) console.log(cells.map(({ misread }) => misread.slice(0, 25)));
      return `| ${kind} | ${cells.map(({ read, others }) => `${others} of ${read.toLocaleString('en')}`).join(' | ')} |`;
    });
    const guide = readFileSync('src/docs/numbers.md', 'utf8');
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });
}
