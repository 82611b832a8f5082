// Countries as people, pickers and other products write them: `Brasil`, `UK`, `+55`, `Brasil (+55)`.

import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { Country } from './country.js';

const languages = ['en', 'pt', 'es', 'fr', 'de'];

/** Names that people write, and no list of names has. */
const otherNames: Readonly<Partial<Record<Country, string>>> = {
  CI: 'ivorycoast',
  CZ: 'czechrepublic',
  GB: 'uk greatbritain england scotland wales grabretanha granbretana inglaterra angleterre grandebretagne grossbritannien',
  NL: 'holland holanda hollande',
  TR: 'turkey',
  US: 'usa unitedstatesofamerica estadosunidosdaamerica estadosunidosdeamerica',
};

let codes: Map<string, Country> | undefined;

/**
 * Finds a country by its two letters, its name in one of five languages, or its calling code; undefined for another text. Letter case,
 * accents and signs do not count.
 */
export function countryNamed(written: string): Country | undefined {
  const letters = keyOf(written);
  if (letters === '') return countryOfCallingCode(written.replaceAll(/\D/g, ''));
  const code = letters.toUpperCase();
  if (isSupportedCountry(code)) return code;
  codes ??= namesOfCountries();
  return codes.get(letters) ?? withoutRemark(written);
}

/** Reads `Brazil (BR)` and `Brasil (+55)`. */
function withoutRemark(written: string): Country | undefined {
  const name = written.replace(/\([^()]*\)\s*$/, '');
  return name === written || name.trim() === '' ? undefined : countryNamed(name);
}

/** Returns the digits of the calling code of a country, which is written as for `countryNamed`; undefined for another text. */
export function callingCodeNamed(written: string): string | undefined {
  const country = countryNamed(written);
  return country === undefined ? undefined : getCountryCallingCode(country);
}

function namesOfCountries(): Map<string, Country> {
  const others = Object.entries(otherNames).flatMap(([code, names]) =>
    names.split(' ').map((name) => [name, code as Country] as const),
  );
  const names = languages.flatMap((language) =>
    (['short', 'long'] as const).flatMap((style) => {
      const known = new Intl.DisplayNames([language], { type: 'region', style });
      return getCountries().map((code) => [keyOf(known.of(code) ?? code), code] as const);
    }),
  );
  // Some short names are the two letters of another country: `RU` is the United Kingdom in Spanish.
  return new Map([...names.filter(([name]) => name.length > 2), ...others]);
}

/** Several countries may share a code; the first has most of its numbers. */
function countryOfCallingCode(digits: string): Country | undefined {
  const codesOfPlans: Readonly<Record<string, readonly string[] | undefined>> = metadata.country_calling_codes;
  const [code = ''] = codesOfPlans[digits] ?? [];
  return isSupportedCountry(code) ? code : undefined;
}

function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}]/gu, '');
}
