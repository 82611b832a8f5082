// The names of countries in the user's language, and the countries that a name means.

/** @param code ISO 3166-1 alpha-2 @returns undefined if the code names no country */
export function countryName(code: string, locale: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code);
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
/** Unions and places that are no country, which have a name all the same. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
/** A former code, as DD, has the name of the country that is there now, and becomes its code. */
const isPresent = (code: string) =>
  !noCountries.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
const known = new Map<string, ReadonlyMap<string, string>>();

/** Returns the code of each country by its name, in the order of the names. */
export function countriesByName(locale: string): ReadonlyMap<string, string> {
  const found = known.get(locale) ?? readNames(locale);
  known.set(locale, found);
  return found;
}

function readNames(locale: string): ReadonlyMap<string, string> {
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const named = codes.filter(isPresent).flatMap((code): [string, string][] => {
    const name = countryName(code, locale);
    return name === undefined ? [] : [[name, code]];
  });
  const { compare } = new Intl.Collator(locale);
  return new Map(named.toSorted(([a], [b]) => compare(a, b)));
}

/** Returns the code of the country that a text means, by its name or its two letters; the text itself if it means none. */
export function countryMeant(text: string, locale: string): string {
  const written = text.trim();
  if (/^[A-Za-z]{2}$/.test(written)) return written.toUpperCase();
  for (const [name, code] of countriesByName(locale)) if (plain(name) === plain(written)) return code;
  return written;
}

/** A name without accents and letter case. */
const plain = (name: string) => name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
