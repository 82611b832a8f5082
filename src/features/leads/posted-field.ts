// Reads the fields of a lead that another system posts: an empty one counts as left out, a text that is too long is cut.

import { exceedsLength } from '../../platform/input/input.js';
import { isUnseen, withoutMisleadingMarks } from '../../platform/input/shown-name.js';

/** Returns whether an optional field says nothing: it is missing, null, or text of blanks and characters that nobody sees. */
export function saysNothing(value: unknown): boolean {
  return value == null || (typeof value === 'string' && isUnseen(value));
}

/** The longest text, in characters, that metadata keep of a field that was cut. The journal keeps the whole call. */
const maxWholeLength = 4_000;

/** A text as it is stored, and the longer one that it was cut from. A number is its digits. Anything else is left to the schema. */
export interface PostedText {
  text: unknown;
  whole?: string;
}

const nothing: PostedText = { text: undefined };

/** @param maxLength in characters (code points); the text is cut at a whole one */
function readPostedText(value: unknown, maxLength: number): PostedText {
  if (saysNothing(value)) return nothing;
  if (Number.isFinite(value)) return { text: String(value) };
  if (typeof value !== 'string') return { text: value };
  // PostgreSQL keeps neither NUL nor half a character.
  const storable = value.toWellFormed().replaceAll('\u0000', '\uFFFD');
  if (storable.length <= maxLength) return { text: storable };
  const trimmed = storable.trim();
  if (!exceedsLength(trimmed, maxLength)) return { text: trimmed };
  return { text: cut(trimmed, maxLength), whole: cut(trimmed, maxWholeLength) };
}

const unfilled =
  /^\s*(?:(?:(?:undefined|null)\s*)+|#?n\/[ad]|#(?:ref|value|valor|num|null|div\/0)!|#(?:name|nome|nombre)\?|\{\{[^{}]*\}\}|\$?\{[\w .-]+\}|\[[\w-]+\]|%[\w-]+%)\s*$/i;
/** Longer texts are an answer, and are not looked through. */
const maxUnfilledLength = 100;

/** A program, a template or a spreadsheet has left the text out: `undefined`, `N/A`, `{{contact.name}}`, `[your-name]`, `#REF!`. */
export function isUnfilled(text: string): boolean {
  return text.length <= maxUnfilledLength && unfilled.test(text);
}

/** Reads the name of a person or a source as `readPostedText`, without marks that mislead a reader. */
export function readPostedName(value: unknown, maxLength: number): PostedText {
  if (typeof value === 'string' && isUnfilled(value)) return nothing;
  return readPostedText(typeof value === 'string' ? withoutMisleadingMarks(value) : value, maxLength);
}

// Only as many units are looked at as the characters can have.
function cut(value: string, maxLength: number): string {
  const units = value.slice(0, 2 * maxLength);
  return Array.from(units).slice(0, maxLength).join('').trimEnd();
}

// Names are compared in lower case, without accents, blanks and marks.
const wholeName =
  /^(?:chat|tel|cel|cell|fon|num|numero|nummer|mob|gsm|wa|waid|zap|handy)(?:id|number|numero|num|no|nr)?\d{0,2}$/;
const partOfName = /phone|telef|fone|celul|cellul|mobil|movil|whats|msisdn|^(?:contact)?number\d{0,2}$/;

const maxShownFieldLength = 50;
/** Further fields are not looked at. */
const maxFieldsLookedAt = 200;

/** The first field whose name says that it holds a phone number, as the caller writes it; undefined where none does. */
export function findNumberField(fields: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(fields)
    .slice(0, maxFieldsLookedAt)
    .find((field) => field !== 'chat' && field.length <= maxShownFieldLength && isNumberName(plainLetters(field)));
}

/** Returns whether words beside a number only say that it is one: `Tel`, `WhatsApp`. */
export function isNumberLabel(words: string): boolean {
  return words.split(' ').every((word) => isNumberName(plainLetters(word)));
}

const isNumberName = (name: string) => wholeName.test(name) || partOfName.test(name);

function plainLetters(field: string): string {
  return field
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
}
