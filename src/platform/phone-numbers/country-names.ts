// Countries by their names in the languages of the console, as other products export them.

import { getCountries } from 'libphonenumber-js/max';
import type { Country } from './country.js';

const languages = ['en', 'pt', 'es'];
let codes: Map<string, Country> | undefined;

/** The country of this name in English, Portuguese or Spanish, in any letter case and without accents; undefined for another text. */
export function countryNamed(written: string): Country | undefined {
  codes ??= new Map(
    languages.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' });
      return getCountries().map((code) => [keyOf(names.of(code) ?? code), code] as const);
    }),
  );
  return codes.get(keyOf(written));
}

function keyOf(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}
