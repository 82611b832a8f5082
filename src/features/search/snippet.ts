// Cuts the part of a message that shows what was found in it.

import { rangesOf, type SearchedWords, type TextRange } from './searched-words.js';

export interface Snippet {
  snippet: string;
  /** The found words, in UTF-16 units of the snippet. */
  matches: TextRange[];
}

const maxLength = 160;
/** The length of the text before the first found word. */
const leadIn = 40;
/** The index has this many characters of a text. */
const maxSearched = 10_000;

/** Returns the text around the first found word; its beginning where no word is found again. Line breaks become blanks. */
export function snippetOf(said: string, words: SearchedWords): Snippet {
  const text = said.slice(0, 2 * maxSearched).replaceAll(/\s/g, ' ');
  const ranges = rangesOf(text, words);
  const first = ranges[0]?.start ?? 0;
  const start = first <= leadIn ? 0 : startOfWord(text, first - leadIn, first);
  const end = endOfText(text, start + maxLength);
  const before = start > 0 ? '…' : '';
  const after = end < text.length ? '…' : '';
  const shift = before.length - start;
  const matches = ranges
    .filter((range) => range.start < end)
    .map((range) => ({ start: range.start + shift, length: Math.min(range.length, end - range.start) }));
  return { snippet: `${before}${text.slice(start, end)}${after}`, matches };
}

// A word that is cut in the middle reads badly, and half of a surrogate pair is no character.
function startOfWord(text: string, from: number, limit: number): number {
  const blank = text.indexOf(' ', from);
  if (blank !== -1 && blank < limit) return blank + 1;
  return isWithinPair(text, from) ? from + 1 : from;
}

function endOfText(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return isWithinPair(text, end) ? end - 1 : end;
}

function isWithinPair(text: string, index: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text.charAt(index));
}
