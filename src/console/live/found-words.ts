// Finds the typed words in a name, so that they can be marked. The server does the same for messages.

export interface TextMatch {
  start: number;
  length: number;
}

/** Returns where a text has the words, without regard to letter case and accents, in their order. The beginning of a word goes first. */
export function matchesIn(text: string, typed: string): TextMatch[] {
  const words = formOf(typed)
    .form.split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const { form, places } = formOf(text);
  const found = words.flatMap((word) => {
    const at = beginningIn(form, word) ?? form.indexOf(word);
    if (at === -1) return [];
    const start = places[at] ?? 0;
    return [{ start, length: (places[at + word.length] ?? text.length) - start }];
  });
  let end = 0;
  return found
    .toSorted((one, other) => one.start - other.start)
    .filter(({ start, length }) => {
      if (start < end) return false;
      end = start + length;
      return true;
    });
}

/** Returns true if each typed word is the beginning of a word of the text. */
export function hasBeginnings(text: string, typed: string): boolean {
  const { form } = formOf(text);
  return formOf(typed)
    .form.split(/\s+/)
    .every((word) => beginningIn(form, word) !== undefined);
}

/** Returns where a word of the text begins so. */
function beginningIn(form: string, word: string): number | undefined {
  for (let at = form.indexOf(word); at !== -1; at = form.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(form.charAt(at - 1))) return at;
  return undefined;
}

/** Returns the text without letter case and accents, with the place in the text of each of its characters. */
function formOf(text: string): { form: string; places: number[] } {
  let form = '';
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const plain = character
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .toLowerCase();
    for (let index = 0; index < plain.length; index += 1) places.push(place);
    form += plain;
    place += character.length;
  }
  return { form, places };
}
