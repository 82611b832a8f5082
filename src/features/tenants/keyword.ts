// The canonical form of keywords, in which a text and a keyword are compared. The database keeps the keywords' forms, and the intake
// makes those of texts: both come from here.

/** Of a keyword as it is written, in characters. */
export const maxKeywordLength = 40;

// Accents that are written as characters of their own lengthen a text.
const maxTextLength = 4 * maxKeywordLength;

// Most texts are longer than any keyword. Each of these characters remains in the form, which need not be made of such a text.
const tooLong = new RegExp(`^[ -~À-ÿ]{${maxKeywordLength + 1}}`);

/**
 * The text trimmed, in capitals, without accents, and without one final `.` or `!`.
 * @returns null for a text that is too long to be a keyword, or empty
 */
export function keywordKeyOf(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > maxTextLength) return null;
  const bare = trimmed.replace(/[.!]$/, '').trimEnd();
  if (tooLong.test(bare)) return null;
  return (
    bare
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .toUpperCase()
      .normalize('NFC') || null
  );
}
