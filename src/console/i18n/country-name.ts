// The names of countries in the user's language.

/** @param code ISO 3166-1 alpha-2 @returns undefined if the code names no country */
export function countryName(code: string, locale: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code);
}
