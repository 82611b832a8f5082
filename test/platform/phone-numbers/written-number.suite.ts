// Numbers as callers write them, read with and without a country, and whether they can exist.

import fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { judgeNumber } from '../../../src/platform/phone-numbers/number-validity.js';
import {
  parseChatNumber,
  readWrittenNumber,
  restorePlus,
  type ReadingRule,
  type ReadNumber,
} from '../../../src/platform/phone-numbers/written-number.js';
import { createLeadSchema, leadBodySchema } from '../../../src/features/leads/lead.schema.js';
import type { Country } from '../../../src/platform/phone-numbers/country.js';
import { matchKeyOfNumber } from '../../../src/platform/phone-numbers/match-key.js';

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_123);

const bracketedZeros: [string, string][] = [
  ['+55 (0)41 99911-2233', '5541999112233'],
  ['0055 (0)41 99911-2233', '5541999112233'],
  ['+55 [0]41 99911-2233', '5541999112233'],
  ['+55 ( 0 ) 41 99911-2233', '5541999112233'],
  ['+55 (041) 99911-2233', '5541999112233'],
  ['+44 (0)20 7946 0958', '442079460958'],
  ['+49 (0) 151 23456789', '4915123456789'],
  ['+49 (0151) 234 567 89', '4915123456789'],
  ['+33 (0)6 12 34 56 78', '33612345678'],
  // In Italy, the zero belongs to the number.
  ['+39 (0)6 1234 5678', '390612345678'],
  ['+39 (06) 1234 5678', '390612345678'],
  // No country has this code, so no country's plan applies.
  ['+999 (0)12 345 678', '99912345678'],
];

const international: [string, string][] = [
  ['+5511988887777', '5511988887777'],
  ['005511988887777', '5511988887777'],
  ['tel:+55-11-98888-7777', '5511988887777'],
  ['(+55) 11 98888-7777', '5511988887777'],
  ['(0055) 11 98888-7777', '5511988887777'],
  ['＋５５１１９８８８８７７７７', '5511988887777'],
  ['\u202A+55 11 98888-7777\u202C', '5511988887777'],
  // Invalid numbers are kept.
  ['+55 11 12345', '551112345'],
  ['+999 123 4567', '9991234567'],
];

/** Numbers as the country writes them, and the digits that they become. */
const national: [Country, string, string][] = [
  ['BR', '(41) 99911-2233', '5541999112233'],
  ['BR', '41999112233', '5541999112233'],
  ['BR', '041 99911-2233', '5541999112233'],
  ['BR', '0 15 41 99911-2233', '5541999112233'],
  ['BR', '(41) 3322-1100', '554133221100'],
  // The number is from before the ninth digit came.
  ['BR', '(11) 8888-7777', '551188887777'],
  // The area code is the country's own code.
  ['BR', '(55) 99911-2233', '5555999112233'],
  ['BR', '55 99911-2233', '5555999112233'],
  ['AR', '011 15-2345-6789', '5491123456789'],
  ['AR', '011 4321-5678', '541143215678'],
  ['MX', '55 1234 5678', '525512345678'],
  ['CO', '300 1234567', '573001234567'],
  ['CL', '9 8765 4321', '56987654321'],
  ['US', '(415) 555-2671', '14155552671'],
  ['US', '415-555-2671', '14155552671'],
  ['US', '1 415 555 2671', '14155552671'],
  // Several countries share one plan.
  ['US', '(604) 555-1234', '16045551234'],
  ['CA', '(604) 555-1234', '16045551234'],
  ['GB', '07911 123456', '447911123456'],
  ['GB', '020 7946 0958', '442079460958'],
  ['IE', '085 012 3456', '353850123456'],
  ['FR', '06 12 34 56 78', '33612345678'],
  ['DE', '0151/23456789', '4915123456789'],
  ['DE', '0049 151 / 2345 6789', '4915123456789'],
  ['BR', '0049 (0) 151/2345 6789', '4915123456789'],
  ['US', '+49 (0)5151 / 1234567', '4951511234567'],
  ['AT', '00 43 664 / 123 45 67', '436641234567'],
  ['DE', '0043 1 / 234 / 56 78', '4312345678'],
  ['DE', '(030) 1234567', '49301234567'],
  ['AT', '0664 123456', '43664123456'],
  ['CH', '078 123 45 67', '41781234567'],
  ['NL', '06 12345678', '31612345678'],
  ['ES', '612 34 56 78', '34612345678'],
  ['PT', '912 345 678', '351912345678'],
  ['IT', '312 345 6789', '393123456789'],
  ['IT', '06 1234 5678', '390612345678'],
  ['PL', '512 345 678', '48512345678'],
  ['SE', '070-123 45 67', '46701234567'],
  ['RU', '8 (912) 345-67-89', '79123456789'],
  ['KZ', '8 771 000 9998', '77710009998'],
  ['TR', '0501 234 56 78', '905012345678'],
  ['IL', '050-234-5678', '972502345678'],
  ['AE', '050 123 4567', '971501234567'],
  ['IN', '081234 56789', '918123456789'],
  ['CN', '131 2345 6789', '8613123456789'],
  ['JP', '090-1234-5678', '819012345678'],
  ['ID', '0812-345-678', '62812345678'],
  ['AU', '0412 345 678', '61412345678'],
  ['NZ', '021 123 4567', '64211234567'],
  ['ZA', '071 123 4567', '27711234567'],
  ['NG', '0802 123 4567', '2348021234567'],
  ['EG', '0100 123 4567', '201001234567'],
];

const bare: [string, Country | undefined, string][] = [
  ['5511988887777', undefined, '5511988887777'],
  ['5511988887777', 'BR', '5511988887777'],
  ['551188887777', 'BR', '551188887777'],
  ['5511988887777', 'US', '5511988887777'],
  ['55 (11) 98888-7777', undefined, '5511988887777'],
  ['55 (0)11 98888-7777', undefined, '5511988887777'],
  ['1 (604) 555-1234', undefined, '16045551234'],
  ['4915123456789', 'BR', '4915123456789'],
  // Numbers that are valid nowhere are kept.
  ['1234567', undefined, '1234567'],
  ['123456789012345', undefined, '123456789012345'],
  ['999123456789', 'BR', '999123456789'],
  ['41999112233', undefined, '41999112233'],
];

const withoutAreaCode = 'is a national number without its area code: write it with area code, or with country code';

type Row = [written: string, country: Country | undefined, digits: string, rule: ReadingRule];

/** Writings of people, forms and files, and the rule by which each is read. */
const writings: Row[] = [
  // Bare digits may begin with the country's own code.
  ['4915123456789', 'DE', '4915123456789', 'OWN_CODE'],
  ['6281234567890', 'ID', '6281234567890', 'OWN_CODE'],
  ['38343123456', 'XK', '38343123456', 'OWN_CODE'],
  ['5511988887777', 'BR', '5511988887777', 'OWN_CODE'],
  ['11988887777', 'BR', '5511988887777', 'NATIONAL'],
  ['5511988887777', 'US', '5511988887777', 'WITH_CODE'],
  // Spreadsheets add decimals or an apostrophe.
  ['5511988887777.0', 'BR', '5511988887777', 'OWN_CODE'],
  ['5511988887777,00', undefined, '5511988887777', 'WITH_CODE'],
  ["'+5511988887777", undefined, '5511988887777', 'INTERNATIONAL'],
  // A national prefix may stand behind the country code.
  ['+44 07911 123456', undefined, '447911123456', 'TRUNK_DROPPED'],
  ['+44 020 7946 0958', 'BR', '442079460958', 'TRUNK_DROPPED'],
  ['+49 0151 23456789', undefined, '4915123456789', 'TRUNK_DROPPED'],
  ['+55 011 98888-7777', 'BR', '5511988887777', 'TRUNK_DROPPED'],
  ['+55 0xx11 98888-7777', undefined, '5511988887777', 'TRUNK_DROPPED'],
  ['+62 0812 3456 7890', undefined, '6281234567890', 'TRUNK_DROPPED'],
  ['+7 8 912 345 67 89', undefined, '79123456789', 'TRUNK_DROPPED'],
  ['+36 06 30 123 4567', undefined, '36301234567', 'TRUNK_DROPPED'],
  ['0044 07911 123456', 'DE', '447911123456', 'TRUNK_DROPPED'],
  ['49 0151 23456789', 'DE', '4915123456789', 'NATIONAL'],
  ['+39 06 1234 5678', undefined, '390612345678', 'INTERNATIONAL'],
  // Digits may come from other scripts.
  ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', undefined, '966501234567', 'INTERNATIONAL'],
  ['+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', undefined, '989123456789', 'INTERNATIONAL'],
  ['०८१२३४५६७८९', 'IN', '918123456789', 'NATIONAL'],
  ['𝟓𝟓𝟏𝟏𝟗𝟖𝟖𝟖𝟖𝟕𝟕𝟕𝟕', undefined, '5511988887777', 'WITH_CODE'],
  // Addresses contain the number.
  ['whatsapp:+5511988887777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['whatsapp://send?phone=5511988887777&text=oi', 'DE', '5511988887777', 'INTERNATIONAL'],
  ['https://wa.me/5511988887777?text=hi', 'US', '5511988887777', 'INTERNATIONAL'],
  ['wa.me/+5511988887777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['https://api.whatsapp.com/send?phone=5511988887777', 'BR', '5511988887777', 'INTERNATIONAL'],
  ['https://api.whatsapp.com/send/?text=a&phone=%2B5511988887777', 'BR', '5511988887777', 'INTERNATIONAL'],
  ['tel:863-1234;phone-context=+1-914', undefined, '19148631234', 'INTERNATIONAL'],
  ['sms:+5511988887777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['5511988887777:12@s.whatsapp.net', 'DE', '5511988887777', 'INTERNATIONAL'],
  ['5511988887777@c.us', undefined, '5511988887777', 'INTERNATIONAL'],
  // A number may begin with the prefix with which a country dials abroad.
  ['0011 1 415 555 2671', 'AU', '14155552671', 'EXIT_CODE'],
  ['011 44 20 7946 0958', 'US', '442079460958', 'EXIT_CODE'],
  ['010 1 415 555 2671', 'JP', '14155552671', 'EXIT_CODE'],
  ['0015 1 415 555 2671', 'BR', '14155552671', 'EXIT_CODE'],
  ['8~10 49 151 23456789', 'RU', '4915123456789', 'EXIT_CODE'],
  ['0055 31 98888-7777', 'BR', '5531988887777', 'INTERNATIONAL'],
  // Argentina, Mexico and Brazil have prefixes of their own.
  ['11 15 2345-6789', 'AR', '5491123456789', 'NATIONAL'],
  ['+54 11 15 2345-6789', undefined, '5491123456789', 'TRUNK_DROPPED'],
  ['+54 9 11 15 2345-6789', undefined, '5491123456789', 'TRUNK_DROPPED'],
  ['044 55 1234 5678', 'MX', '525512345678', 'NATIONAL'],
  ['045 55 1234 5678', 'MX', '525512345678', 'NATIONAL'],
  ['+52 1 55 1234 5678', undefined, '5215512345678', 'INTERNATIONAL'],
  ['+52 044 55 1234 5678', undefined, '525512345678', 'TRUNK_DROPPED'],
  ['0xx11 98888-7777', 'BR', '5511988887777', 'NATIONAL'],
  ['(0xx11) 98888-7777', 'BR', '5511988887777', 'NATIONAL'],
  // Numbers of former plans become those of the new plan.
  ['+229 97 12 34 56', undefined, '2290197123456', 'NEW_PLAN'],
  ['+229 01 97 12 34 56', undefined, '2290197123456', 'INTERNATIONAL'],
  ['97 12 34 56', 'BJ', '2290197123456', 'NEW_PLAN'],
  ['22997123456', undefined, '2290197123456', 'NEW_PLAN'],
  ['+225 07 12 34 56', undefined, '2250707123456', 'NEW_PLAN'],
  ['+225 44 12 34 56', undefined, '2250544123456', 'NEW_PLAN'],
  ['+225 40 12 34 56', undefined, '2250140123456', 'NEW_PLAN'],
  ['20 31 12 34', 'CI', '2252720311234', 'NEW_PLAN'],
  // A form adds a code or a plus to a number that has one.
  ['+55 5511988887777', undefined, '5511988887777', 'TRUNK_DROPPED'],
  ['+55 +55 11 98888-7777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['(+55) +5511988887777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['+55 +1 415 555 2671', 'BR', '14155552671', 'INTERNATIONAL'],
  ['+55 0055 11 98888-7777', undefined, '5511988887777', 'TRUNK_DROPPED'],
  ['++55 11 98888-7777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['+0055 11 98888-7777', undefined, '5511988887777', 'INTERNATIONAL'],
  // Here the area code is the country's own code.
  ['+55 55 99911-2233', undefined, '5555999112233', 'INTERNATIONAL'],
  // Other things stand around the number.
  ['p:+5511988887777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['sms:+5511988887777?body=Oi', undefined, '5511988887777', 'INTERNATIONAL'],
  ['"+5511988887777"', undefined, '5511988887777', 'INTERNATIONAL'],
  ['="5511988887777"', undefined, '5511988887777', 'WITH_CODE'],
  ['０９０ー１２３４ー５６７８', 'JP', '819012345678', 'NATIONAL'],
  ['11·98888·7777', 'BR', '5511988887777', 'NATIONAL'],
  ['+55_11_98888_7777', undefined, '5511988887777', 'INTERNATIONAL'],
  ['Tel.: (11) 98888-7777', 'BR', '5511988887777', 'NATIONAL'],
  ['Handy 0151 23456789', 'DE', '4915123456789', 'NATIONAL'],
  // Other numbers are kept as they are.
  ['(11) 1234-5678', 'BR', '551112345678', 'POSSIBLE'],
  ['999123456789', 'BR', '999123456789', 'KEPT'],
];

type Beside = { extension?: string; otherNumbers?: string[]; words?: string };

const several: [string, Country | undefined, string, Beside][] = [
  ['(41) 99911-2233 ext 5', 'BR', '5541999112233', { extension: '5' }],
  ['(41) 99911-2233 ramal 12', 'BR', '5541999112233', { extension: '12' }],
  ['+1 415 555 2671 x12', undefined, '14155552671', { extension: '12' }],
  ['+1 415 555 2671 #12', undefined, '14155552671', { extension: '12' }],
  ['tel:+1-415-555-2671;ext=12', undefined, '14155552671', { extension: '12' }],
  ['(11) 98888-7777; (21) 97777-6666', 'BR', '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['+5511988887777 / +5521977776666', undefined, '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['+5511988887777 +5521977776666', undefined, '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['11988887777 ou 21977776666', 'BR', '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['Link: https://wa.me/5511988887777', undefined, '5511988887777', { words: 'Link https wa me' }],
  ['11988887777 21977776666', 'BR', '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['(11)988887777(21)977776666', 'BR', '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['600123456 - 911234567', 'ES', '34600123456', { otherNumbers: ['34911234567'] }],
  ['ID +55 11 98888-7777', 'BR', '5511988887777', { words: 'ID' }],
  ['country code 55 11 98888-7777', 'BR', '5511988887777', { words: 'country code' }],
  ['cell 212-555-0123 home 646-555-0199', 'US', '12125550123', { words: 'cell', otherNumbers: ['16465550199'] }],
  ['11988887777 21977776666 e 1133334444', 'BR', '5511988887777', { otherNumbers: ['5521977776666', '551133334444'] }],
  ['+55 11 98888-7777 (Ana)', undefined, '5511988887777', { words: 'Ana' }],
  ['Ana José +55 11 98888-7777', undefined, '5511988887777', { words: 'Ana José' }],
  ['11 98888-7777 - casa', 'BR', '5511988887777', { words: 'casa' }],
  ['11 98888-7777 (só após as 18h)', 'BR', '5511988887777', { words: 'só após as 18h' }],
  ['11 98888-7777, das 9h às 18h', 'BR', '5511988887777', { words: 'das 9h às 18h' }],
  ['0151 23456789 ab 17 Uhr', 'DE', '4915123456789', { words: 'ab 17 Uhr' }],
  ['recado (11) 98888-7777 ramal 12', 'BR', '5511988887777', { words: 'recado', extension: '12' }],
  ['11 98888-7777 / recado 21 97777-6666', 'BR', '5511988887777', { otherNumbers: ['5521977776666'] }],
  ['+5511988887777, (21) 97777-6666', undefined, '5511988887777', { otherNumbers: ['(21) 97777-6666'] }],
];

const refused: [string, Country | undefined, string][] = [
  ['(41) 99911-2233', undefined, 'needs a country code'],
  ['041 99911-2233', undefined, 'needs a country code'],
  ['0151/23456789', undefined, 'needs a country code'],
  ['8 (912) 345-67-89', undefined, 'needs a country code'],
  // The digits alone are a number of Malaysia.
  ['(604) 555-1234', undefined, 'needs a country code'],
  // No number of this country has so many digits.
  ['(41) 99911-2233', 'US', 'needs a country code'],
  ['(11) 1234', 'BR', 'needs a country code'],
  ['+0 41 99911-2233', 'BR', 'has to start with a country code, which never begins with 0'],
  ['123456', undefined, 'has to have 7 to 15 digits, country code included'],
  ['1234567890123456', undefined, 'has to have 7 to 15 digits, country code included'],
  ['12345678901234567', 'DE', 'has to have 7 to 15 digits, country code included'],
  ['4915123456789012', 'DE', 'has to have 7 to 15 digits, country code included'],
  ['5.51E+12', 'BR', 'Excel has shortened this number: format the column as text'],
  ['5,51199E+12', undefined, 'Excel has shortened this number: format the column as text'],
  ['98888-7777', 'BR', withoutAreaCode],
  ['9991234', 'BR', withoutAreaCode],
  ['555-2671', 'US', withoutAreaCode],
  ['15 2345-6789', 'AR', withoutAreaCode],
  ['1234567890@lid', undefined, 'has to be a phone number: digits with country code'],
  // The digits of an id may be the number of a stranger.
  ['5511988887777@lid', 'BR', 'has to be a phone number: digits with country code'],
  ['lid:5511988887777', undefined, 'has to be a phone number: digits with country code'],
  ['5511988887777:12@lid', 'BR', 'has to be a phone number: digits with country code'],
  ['5511988887777@g.us', 'BR', 'has to be a phone number: digits with country code'],
  ['5511988887777@mail.example', 'BR', 'has to be a phone number: digits with country code'],
  ['https://site.example/5511988887777', 'BR', 'has to be a phone number: digits with country code'],
  ['CPF 123.456.789-09', 'BR', 'has to be a phone number: digits with country code'],
  ['RUT 22.345.678-5', 'CL', 'has to be a phone number: digits with country code'],
  ['Aadhaar 9876 5432 1012', 'IN', 'has to be a phone number: digits with country code'],
  ['Passport 612345678', 'ES', 'has to be a phone number: digits with country code'],
  ['Invoice no. 2125550123', 'US', 'has to be a phone number: digits with country code'],
  ['ID: 5511988887777', 'BR', 'has to be a phone number: digits with country code'],
  ['Fax 212-555-0123', 'US', 'has to be a phone number: digits with country code'],
  ['instagram.com/5511988887777', 'BR', 'has to be a phone number: digits with country code'],
  ['t.me/5511988887777', 'BR', 'has to be a phone number: digits with country code'],
  ['mãe 11977776666 meu 11988887777', 'BR', 'has to be a phone number: digits with country code'],
  ['Pedido 1132345678 tel 21977776666', 'BR', 'has to be a phone number: digits with country code'],
  ['wa.me/message/ABC1', undefined, 'has to be a phone number: digits with country code'],
  ['', 'BR', 'has to be a phone number: digits with country code'],
  ['+', 'BR', 'has to be a phone number: digits with country code'],
  ['1-800-FLOWERS', 'US', 'has to be a phone number: digits with country code'],
  ['+1 800 555 TALK', undefined, 'has to be a phone number: digits with country code'],
  ['1-415-555-2671-TALK', 'US', 'has to be a phone number: digits with country code'],
  ['41598888O777', 'BR', 'has to be a phone number: digits with country code'],
  // Words make a number of digits that are none doubtful.
  ['order 1234567', undefined, 'has to be a phone number: digits with country code'],
  ['order 1234567 of 11988887777', 'BR', 'has to be a phone number: digits with country code'],
  ['Tel.: (11) 98888-7777', undefined, 'needs a country code'],
  ['call me', 'BR', 'has to be a phone number: digits with country code'],
  ['0'.repeat(10_000), 'BR', 'has to be a phone number: digits with country code'],
  [`(${'1'.repeat(10_000)}`, 'BR', 'has to be a phone number: digits with country code'],
];

function digitsOf(read: ReturnType<typeof readWrittenNumber>): string | undefined {
  return 'digits' in read ? read.digits : undefined;
}

export function describeWrittenNumber(): void {
  describe('with + or 00', () => {
    const countries = [undefined, 'BR', 'US', 'DE', 'IT'] as const;
    test.each([...bracketedZeros, ...international])('%j is %s, whatever the country', (written, digits) => {
      for (const country of countries) expect(digitsOf(readWrittenNumber(written, country))).toEqual(digits);
    });
  });

  describe('with a country', () => {
    test.each(national)('%s: %j is %s', (country, written, digits) => {
      expect(digitsOf(readWrittenNumber(written, country))).toEqual(digits);
      expect(judgeNumber(digits)).toBe('VALID');
    });

    test('a national writing of a possible number that is not valid is kept, as a number of the country', () => {
      expect(digitsOf(readWrittenNumber('(11) 1234-5678', 'BR'))).toBe('551112345678');
      expect(judgeNumber('551112345678')).toBe('INVALID');
    });

    test('each country reads the example of its own number, with and without its trunk prefix', () => {
      for (const country of getCountries()) {
        const number = parsePhoneNumberFromString(examples[country], country)!;
        const digits = number.number.slice(1);
        for (const written of [number.formatNational(), number.format('INTERNATIONAL'), `00${digits}`])
          expect([country, written, digitsOf(readWrittenNumber(written, country))]).toEqual([country, written, digits]);
      }
    });
  });

  test.each(bare)('bare digits: %j with %s is %s', (written, country, digits) => {
    expect(digitsOf(readWrittenNumber(written, country))).toEqual(digits);
  });

  test.each(writings)('%j with %s is %s, by %s', (written, country, digits, rule) => {
    expect(readWrittenNumber(written, country)).toMatchObject({ digits, reading: { rule } });
  });

  test.each(several)('%j with %s is %s, and what stands beside it is kept', (written, country, digits, beside) => {
    const { reading: _reading, ...read } = readWrittenNumber(written, country) as ReadNumber;
    expect(read).toEqual({ digits, ...beside });
  });

  test('what the field held beside its number comes into metadata, and no field of the caller is replaced', () => {
    expect(leadBodySchema().parse({ chat: '+1 415 555 2671 x12', extension: 'mine' })).toMatchObject({
      chat: '14155552671',
      metadata: { extension: 'mine' },
    });
    expect(leadBodySchema().parse({ chat: 'Ana +1 415 555 2671' })).toMatchObject({ metadata: { numberNote: 'Ana' } });
    for (const label of ['Tel.:', 'WhatsApp', 'celular', 'Handy', 'Telefonnummer'])
      expect(leadBodySchema().parse({ chat: `${label} +1 415 555 2671` }).metadata).toBeUndefined();
    expect(createLeadSchema('BR').parse({ chat: '11988887777 / 21977776666' })).toMatchObject({
      chat: '5511988887777',
      metadata: { otherNumbers: ['5521977776666'] },
      reading: { rule: 'NATIONAL', country: 'BR' },
    });
  });

  test('a form field gets back the plus that its encoding has lost, where its digits have a country code', () => {
    expect(restorePlus(' 51987654321')).toBe('+51987654321');
    expect(restorePlus(' 55 11 98888-7777')).toBe('+55 11 98888-7777');
    for (const written of [' 41999112233', '51987654321', ' 011 98888', '  51987654321'])
      expect(restorePlus(written)).toBe(written);
  });

  test.each([
    '+5511988887777@s.whatsapp.net',
    '5511988887777@c.us',
    'whatsapp:+5511988887777',
    'tel:+55-11-98888-7777',
    '٥٥١١٩٨٨٨٨٧٧٧٧',
  ])('a gateway may report %j', (written) => {
    expect(parseChatNumber(written)).toEqual({ digits: '5511988887777' });
  });

  test('both writings of a number of a former plan are one person', () => {
    expect(matchKeyOfNumber('22997123456')).toBe(matchKeyOfNumber('2290197123456'));
    expect(matchKeyOfNumber('22507123456')).toBe(matchKeyOfNumber('2250707123456'));
    expect(matchKeyOfNumber('22897123456')).toBe('22897123456');
  });

  // The third digit is the operator: 0 is MTN, 8 is Moov, any other is Orange, whose numbers the metadata lists one by one.
  test.each(['20', '21', '22', '23', '24', '30', '31', '32', '33', '34', '35', '36'])(
    'a former fixed line of Ivory Coast in %s is the number that follows it',
    (area) => {
      const becomes = Array.from({ length: 10 }, (_, third) => {
        const read = readWrittenNumber(`+225 ${area}${third}12345`);
        return 'digits' in read ? read.digits.slice(3, 5) : read.problem;
      });
      expect(becomes).toEqual(['25', ...Array.from({ length: 7 }, () => '27'), '21', '27']);
      const valid = becomes.filter((prefix, third) => judgeNumber(`225${prefix}${area}${third}12345`) === 'VALID');
      // The numbers of MTN and Moov are always valid, those of Orange where it has lines.
      expect(valid.length).toBeGreaterThanOrEqual(3);
    },
  );

  test.each(refused)('%j with %s is refused: %s', (written, country, problem) => {
    expect(readWrittenNumber(written, country)).toEqual({ problem });
  });

  test('what a gateway reports is international: a country counts for nothing, and no writing is national', () => {
    expect(parseChatNumber('41999112233')).toEqual({ digits: '41999112233' });
    expect(parseChatNumber('(41) 99911-2233')).toEqual({ digits: '41999112233' });
    expect(parseChatNumber('041 99911-2233')).toEqual({ problem: expect.stringContaining('never begins with 0') });
  });

  test('whatever is written: an answer, and never an identity that the digits do not have', () => {
    const characters = fc.constantFrom(...Array.from(`${'0123456789'.repeat(2)}+()[]-./ \u200B\uFF15x`));
    const written = fc.oneof(
      fc.string({ unit: characters, maxLength: 24 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    const country = fc.option(fc.constantFrom(...getCountries()), { nil: undefined });
    fc.assert(
      fc.property(written, country, (text, place) => {
        const read = readWrittenNumber(text, place);
        if ('problem' in read) return;
        expect(read.digits).toMatch(/^[1-9]\d{6,14}$/);
        // With a plus, a digit that made the number invalid can be a trunk prefix.
        if (!['KEPT', 'POSSIBLE'].includes(read.reading.rule))
          expect(digitsOf(readWrittenNumber(`+${read.digits}`, place))).toBe(read.digits);
        expect(parseChatNumber(read.digits)).toEqual({ digits: read.digits });
      }),
      { numRuns: 5_000, seed },
    );
  });

  describe('validity', () => {
    test.each([
      ['a Brazilian mobile', '5511988887777', 'VALID'],
      ['the same without its ninth digit, as the network writes it', '551188887777', 'VALID'],
      ['a Mexican mobile', '525512345678', 'VALID'],
      ["the same with the network's 1", '5215512345678', 'VALID'],
      ['an Argentine mobile', '5491123456789', 'VALID'],
      ['the same without its 9', '541123456789', 'VALID'],
      ['a toll-free number of no country', '80012345678', 'VALID'],
      ['an area code that nobody has', '551112345678', 'INVALID'],
      ['a trunk zero behind the country code', '4402079460958', 'INVALID'],
      ['a digit too many', '55119888877771', 'INVALID'],
      ['a digit too few', '4479111234', 'INVALID'],
      ['a country code that nobody has', '9991234567', 'INVALID'],
      ['nothing but a country code', '1', 'INVALID'],
      ['no number', null, 'UNKNOWN'],
    ])('%s', (_, digits, validity) => {
      expect(judgeNumber(digits)).toBe(validity);
    });

    test('is what the library says of every country, in numbers of its own and in damaged ones', () => {
      const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 9 })), { maxLength: 4 });
      const length = fc.constantFrom(0, 0, 0, 1, -1);
      fc.assert(
        fc.property(fc.constantFrom(...getCountries()), damage, length, (country, changes, longer) => {
          const digits = Array.from<string>(examples[country]);
          for (const [at, digit] of changes) digits[at % digits.length] = String(digit);
          if (longer > 0) digits.push('5');
          if (longer < 0) digits.pop();
          const number = getCountryCallingCode(country) + digits.join('');
          // A number with several writings is judged by all of them.
          if (matchKeyOfNumber(number) !== number || /^55\d{2}[6-9]\d{7}$/.test(number)) return;
          const parsed = parsePhoneNumberFromString(`+${number}`, { extract: false });
          const isValid = parsed?.number === `+${number}` && parsed.isValid();
          expect([number, judgeNumber(number)]).toEqual([number, isValid ? 'VALID' : 'INVALID']);
        }),
        { numRuns: 20_000, seed },
      );
    });
  });
}
