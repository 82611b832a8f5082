// The canonical form of keywords, in which a text and a keyword are compared. The database keeps the keywords' forms, and the intake
// makes those of texts: both come from here.

/** The most characters of a keyword as it is written. */
export const maxKeywordLength = 40;

/** A text of so many words that holds a keyword may be meant as one. */
export const maxShortWords = 5;

// Accents that are written as characters of their own lengthen a text.
const maxTextLength = 4 * maxKeywordLength;

// A keyword of this length has no more words than half its characters.
const maxWords = maxKeywordLength / 2;
// Format characters (direction marks, zero-width ones), characters that only choose how a sign is drawn, and fillers that have no ink.
const unseen = /[\p{Cf}\u{FE00}-\u{FE0F}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]/gu;
const plain = /^[\n\r -~]*$/;

/**
 * The words of the text in capitals, without accents, with one blank between them. Marks that are no letters or digits separate words and
 * do not count: emoji, quotes, `*`, `!`. Invisible characters, such as direction marks, vanish. A word that is repeated stands once.
 * @returns null for a text that is too long to be a keyword, or that has no letter and no digit
 */
export function keywordKeyOf(text: string): string | null {
  if (text.length > maxTextLength) return null;
  const words = plain.test(text) ? text.toUpperCase().match(/[A-Z\d]+/g) : wordsOf(text);
  if (words === null || words.length > maxWords) return null;
  const [first = null] = words;
  const key = words.every((word) => word === first) ? first : words.join(' ');
  const isShort = words.length <= maxShortWords || (key?.length ?? 0) <= maxKeywordLength;
  return isShort ? key : null;
}

function wordsOf(text: string): string[] | null {
  return text
    .replaceAll(unseen, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toUpperCase()
    .normalize('NFC')
    .match(/[\p{L}\p{N}\p{M}]+/gu);
}
