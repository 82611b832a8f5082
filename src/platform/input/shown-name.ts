// Names that people see, of people, files and records, in a form that can be stored and that does not mislead a reader.

import { storableText, text } from './input.js';

// These marks turn the direction of the text behind them, so that `photo\u202Egnp.exe` looks like a picture. Others show nothing, so that
// two names look the same. The joiners of letters and emoji stay: without them these look otherwise.
const misleadingMarks = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/g;

// Fillers that count as letters or symbols and show nothing, beside blanks, controls and punctuation.
const emptyLooking = /[\s\p{C}\p{Z}\p{P}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** The name of a record: text of 1 to `maxLength` characters, without marks that mislead a reader. */
export function shownName(maxLength: number) {
  return text(maxLength)
    .transform(withoutMisleadingMarks)
    .pipe(text(maxLength))
    .refine((name) => !isUnseen(name), 'must not be empty');
}

/** Reads a person's name of at most `maxLength` characters, cut at a whole one; undefined where it would look empty. */
export function readShownName(value: unknown, maxLength = 200): string | undefined {
  const name = readShownText(value, maxLength);
  return name === undefined || looksEmpty(name) ? undefined : name;
}

/** Reads a file's name of at most 255 characters, cut at a whole one. */
export function readFileName(value: unknown): string | undefined {
  return readShownText(value, 255);
}

/** Returns whether a name has no letter, digit or symbol that anybody could see. */
export function looksEmpty(name: string): boolean {
  return name.replaceAll(emptyLooking, '') === '';
}

export function withoutMisleadingMarks(name: string): string {
  return name.replaceAll(misleadingMarks, '');
}

const unseen = /[\s\u00AD\u115F\u1160\u200B-\u200F\u2060\u2800\u3164\uFEFF\uFFA0]/g;

/** Returns whether a text has only blanks and characters that nobody sees. */
export function isUnseen(written: string): boolean {
  return written.replaceAll(unseen, '') === '';
}

function readShownText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = withoutMisleadingMarks(storableText(value.slice(0, 8 * maxLength), 8 * maxLength)).trim();
  const cut = Array.from(name).slice(0, maxLength).join('').trimEnd();
  return cut === '' ? undefined : cut;
}
