// Reads what a person types into words as `words_of_message` has them, and finds these words in a text.

// `words_of_message` has the same characters between words.
const separators = String.raw`\u0001-/:-@[-\x60{-\u00BF\u2000-\u2BFF\u3000-\u303F\uFE00-\uFE0F\u{1F000}-\u{1FAFF}`;
const wordPattern = new RegExp(`[^\\u0000${separators}]+`, 'gu');
/** Characters that may stand for letters or digits: `ª`, `²`, `№`, `①`. Most of them are separators as they are written. */
const shortForm = /[\u00AA-\u00BE\u2070-\u209F\u2100-\u218F\u2460-\u24FF\u{1F100}-\u{1F1FF}]/gu;
const writtenNumber = /\(?[0-9][0-9 ().-]{6,24}[0-9]/g;
const maxWords = 10;
/** The most characters of a word that are compared. */
export const maxWordLength = 60;
const lastDigits = 8;

export interface SearchedWords {
  words: string[];
  /** The digits, where a number of eight or more was typed. */
  digits?: string | undefined;
}

export function searchedWords(written: string): SearchedWords {
  // `words_of_message` reads `2ª via` as `2a via` before it separates the words.
  const words = (written.normalize('NFKD').match(wordPattern) ?? []).slice(0, maxWords);
  const digits = /^[\d\s.()[\]/+-]+$/.test(written) ? written.replaceAll(/\D/g, '') : '';
  return { words, digits: digits.length < lastDigits ? undefined : digits };
}

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  length: number;
}

/** Finds the words of a text that begin with one of the searched words, and the numbers that are the searched one. */
export function rangesOf(text: string, { words, digits }: SearchedWords): TextRange[] {
  const asked = words.map(formOf);
  const isAsked = (word: string) => asked.some((form) => (form.length > 1 ? word.startsWith(form) : word === form));
  const found = wordsIn(text).filter(({ word }) => isAsked(formOf(word)));
  const numbers =
    digits === undefined ? [] : matchesOf(text, writtenNumber).filter(({ word }) => isNumber(word, digits));
  const ranges = [...numbers, ...found].map(({ word, start }) => ({ start, length: word.length }));
  return withoutOverlaps(ranges.toSorted((one, other) => one.start - other.start || other.length - one.length));
}

interface PlacedWord {
  word: string;
  start: number;
}

const matchesOf = (text: string, pattern: RegExp): PlacedWord[] =>
  [...text.matchAll(pattern)].map(({ 0: word, index: start }) => ({ word, start }));

/** The words of a text as it is written. A short form belongs to its word. */
function wordsIn(text: string): PlacedWord[] {
  const joined = text.replaceAll(shortForm, (character) =>
    character.normalize('NFKD').match(wordPattern) === null ? character : 'x'.repeat(character.length),
  );
  return matchesOf(joined, wordPattern).map(({ word: { length }, start }) => ({
    word: text.slice(start, start + length),
    start,
  }));
}

function isNumber(written: string, digits: string): boolean {
  const own = written.replaceAll(/\D/g, '');
  return own.startsWith(digits) || own.slice(-lastDigits) === digits.slice(-lastDigits);
}

function withoutOverlaps(ranges: readonly TextRange[]): TextRange[] {
  let end = 0;
  return ranges.filter(({ start, length }) => {
    if (start < end) return false;
    end = start + length;
    return true;
  });
}

function formOf(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .slice(0, maxWordLength);
}
