// Countries as people write them: by name, in any letter case and with or without accents, or by two letters.

import { countriesByName, countryMeant } from '../../src/console/i18n/country-name.js';

export function describeCountryNames(): void {
  it.each([
    ['brazil', 'en', 'BR'],
    [' br ', 'en', 'BR'],
    ['alemanha', 'pt-BR', 'DE'],
    ['espana', 'es', 'ES'],
    ['United Kingdom', 'en', 'GB'],
    ['Bra', 'en', 'Bra'],
    ['', 'en', ''],
  ])('%p in %p means %p', (written, locale, meant) => {
    expect(countryMeant(written, locale)).toBe(meant);
  });

  it('each country stands once, and neither former ones nor unions do', () => {
    const codes = [...countriesByName('en').values()];
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining(['BR', 'DE', 'GB', 'PT', 'XK']));
    expect(codes.filter((code) => ['DD', 'EU', 'SU', 'UK', 'UN', 'YU', 'ZZ'].includes(code))).toEqual([]);
  });
}
