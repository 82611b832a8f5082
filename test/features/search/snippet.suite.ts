// The part of a message that shows what was found in it.

import { snippetOf } from '../../../src/features/search/snippet.js';
import { searchedWords } from '../../../src/features/search/searched-words.js';

export function describeSnippets(): void {
  const marked = (said: string, searched: string) => {
    const { snippet, matches } = snippetOf(said, searchedWords(searched));
    return { snippet, found: matches.map(({ start, length }) => snippet.slice(start, start + length)) };
  };

  test.each([
    ['Olá, você está aí?', 'VOCE', ['você']],
    ['Preço: o preço é baixo', 'preç', ['Preço', 'preço']],
    ['Bom dia, senhor', 'dia bo', ['Bom', 'dia']],
    ['Mein Lastwagen', 'wagen', []],
    ['a casa, à vista', 'a', ['a', 'à']],
    ['Write to ana@example.com!', 'ana@example.com', ['ana', 'example', 'com']],
    ['Liga (11) 99988-7766 já', '+55 11 99988 7766', ['(11) 99988-7766']],
    ['Liga 5511999887766 já', '11 99988-7766', ['5511999887766']],
    ['👋oi😀', 'oi', ['oi']],
    ['a 2ª via do nº 5, 50 m²!', '2ª via nº m2', ['2ª', 'via', 'nº', 'm²']],
    ['»via«, ½ hora', 'via', ['via']],
  ])('%s, by %s', (said, searched, found) => {
    expect(marked(said, searched).found).toEqual(found);
  });

  test('a long text is cut around the first found word, between words and never within a character', () => {
    const { snippet, found } = marked(`${'palavra '.repeat(40)}\nachada ${'😀'.repeat(200)}`, 'achada');
    expect(found).toEqual(['achada']);
    expect(snippet.length).toBeLessThanOrEqual(162);
    expect(snippet).toMatch(/^…palavra /);
    expect(snippet.isWellFormed()).toBe(true);
    expect(snippet.endsWith('…')).toBe(true);
  });

  test('its beginning, where the word is not found again', () => {
    expect(marked('Oi', 'nada')).toEqual({ snippet: 'Oi', found: [] });
  });
}
