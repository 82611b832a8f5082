// The language of signatures: text with `{{operator.displayName}}`. A name is text: it carries neither formatting nor line breaks of its
// own.

/** The longest format, in characters. */
export const maxSignatureFormatLength = 200;

/** The format of a new tenant: the name in bold, with a colon. */
export const defaultSignatureFormat = '*{{operator.displayName}}:*';

const nameVariable = 'operator.displayName';
const place = /\{\{([^{}]*)\}\}/g;
/** Line breaks, other control characters, and marks that turn the direction of the text behind them. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]+/gu;
/** The marks of bold, italic, struck and fixed-width text in chats. */
const formatting = /[*_~`]/g;
/** The marks of quotes and lists, which count at the beginning of a line. */
const opening = /^[\s>-]+/;

/** Returns the reason why a format cannot be used, as a sentence that follows the field's name; undefined for a good one. */
export function signatureFormatProblem(format: string): string | undefined {
  for (const [written, content = ''] of format.matchAll(place))
    if (content.trim() !== nameVariable) return `knows no variable ${written}, only {{${nameVariable}}}`;
  const text = format.replaceAll(place, '');
  if (text.includes('{{') || text.includes('}}')) return 'has braces that belong to no variable';
  return /(?![\n])\p{Cc}/u.test(text) ? 'must not have control characters other than line breaks' : undefined;
}

/**
 * Renders the line before a text.
 * @param name the user's display name; null if there is none
 * @returns null where the format asks for a name that the user does not have
 */
export function renderSignature(format: string, name: string | null): string | null {
  const plain = (name ?? '')
    .replaceAll(controls, ' ')
    .replaceAll(formatting, '')
    .replaceAll(/\s+/g, ' ')
    .replace(opening, '')
    .trim();
  if (plain === '' && format.replaceAll(place, '') !== format) return null;
  return format.replaceAll(place, () => plain);
}
