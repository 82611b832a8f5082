// Fields that hold a part of a phone number, beside the field with its other digits: `ddd` and `telefone`, `dial_code` and `phone`.

import { countryNamed } from '../../platform/phone-numbers/country-names.js';
import type { Country } from '../../platform/phone-numbers/country.js';
import { readWrittenNumber } from '../../platform/phone-numbers/written-number.js';
import { rankOf } from './field-names.js';
import { nameKey } from './name-key.js';

/** The part that a field holds. The country is its name, its two letters or its calling code. */
export type NumberPart = 'country' | 'area';

const numberWords =
  'whatsapp|cellphone|mobilephone|phonenumber|phone|telefone|telefono|telephone|telefon|celular|movil|mobile|handy|fone|tel';
/** `checkout_phone_code`, `telefone_ddi`; and `ddd_telefone`. */
const wordsBefore = new RegExp(`^[a-z]{0,12}?(?:${numberWords})(?=.)`);
const wordsBehind = new RegExp(`(?<=.)(?:${numberWords})$`);

const areaNames = /^(?:ddd|areacode|localcode|std(?:code)?|codigo(?:de)?area|codigoddd|ortsvorwahl)$/;
const countryNames =
  /^(?:ddi|isd(?:code)?|codigoddi|(?:international|country)?(?:dial|dialling|dialing|calling)code|countrydata|(?:country)?iso2?|codigo(?:del?|do)?pais|landesvorwahl|indicatif)$/;
/** Words that mean the country or the area: only what they hold tells which. */
const prefixNames = /^(?:prefix|prefijo|prefisso)$/;
/** Words that mean the area, unless a `+` says otherwise. */
const areaPrefixNames = /^(?:prefixo|vorwahl)$/;
/** Words that mean a part of a number only beside a word for numbers. */
const areaBeside = 'area';
const countryBeside = 'cc';
/** Hotmart has an area code there too. */
const codeBeside = 'code';

const isCountryName = (name: string) => countryNames.test(name) || rankOf('country', name) >= 0;
const isAreaName = (name: string) => areaNames.test(name);

const international = /^\(?(?:\+|00)/;
/** In characters: the longest name of a country is shorter. */
const maxPartLength = 80;

/** Returns whether the name of a field is that of a part of a number. */
export function mayBeNumberPart(name: string): boolean {
  return meaningOf(nameKey(name)) !== undefined;
}

function meaningOf(key: string): NumberPart | 'prefix' | 'areaPrefix' | undefined {
  const beside = [key.replace(wordsBefore, ''), key.replace(wordsBehind, '')].filter((rest) => rest !== key);
  const names = [key, ...beside];
  if (names.some(isAreaName) || beside.includes(areaBeside)) return 'area';
  if (names.some(isCountryName) || beside.includes(countryBeside)) return 'country';
  if (beside.includes(codeBeside)) return 'prefix';
  if (names.some((name) => areaPrefixNames.test(name))) return 'areaPrefix';
  return names.some((name) => prefixNames.test(name)) ? 'prefix' : undefined;
}

/** @param text what the field holds @returns undefined for a field of another kind, and for a text that is no such part */
export function numberPartOf(name: string, text: string): NumberPart | undefined {
  const written = text.trim();
  if (written.length > maxPartLength) return undefined;
  const meaning = meaningOf(nameKey(name));
  if (meaning === undefined) return undefined;
  const isCountry = countryNamed(written) !== undefined;
  if (meaning === 'country' || international.test(written)) return isCountry ? 'country' : undefined;
  if (meaning === 'prefix' && isCountry) return 'country';
  return /^\(?\d{1,5}\)?$/.test(written) ? 'area' : undefined;
}

/** Returns whether a number is one that somebody may have, in this country where it names none. */
export function isNumberIn(number: string, country: Country | undefined): boolean {
  const read = readWrittenNumber(number, country);
  return 'digits' in read && read.reading.rule !== 'KEPT';
}

/** No number without its area code is longer. */
const maxLocalDigits = 9;

/** Puts an area code before a number, unless the number is international, or so long that it has an area code already. */
export function withAreaCode(number: string, area: string): string {
  // A Brazilian `011` is dialled with its 0; before a number, the 0 would be part of another one.
  const code = area.replaceAll(/\D/g, '').replace(/^0(?=\d\d$)/, '');
  const digits = number.replaceAll(/\D/g, '');
  const isWhole = international.test(number.trim()) || digits.length > maxLocalDigits;
  return code === '' || digits === '' || isWhole ? number : `${code} ${number}`;
}
