// Names of people and files, in a form that can be stored and that does not mislead a reader.

import { storableText } from './input.js';

// These marks turn the direction of the text behind them, so that `photo\u202Egnp.exe` looks like a picture.
const turningMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

// Fillers that count as letters or symbols and show nothing, beside blanks, controls and punctuation.
const emptyLooking = /[\s\p{C}\p{Z}\p{P}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu;

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

export function withoutTurningMarks(name: string): string {
  return name.replaceAll(turningMarks, '');
}

function readShownText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = withoutTurningMarks(storableText(value.slice(0, 8 * maxLength), 8 * maxLength)).trim();
  const cut = Array.from(name).slice(0, maxLength).join('').trimEnd();
  return cut === '' ? undefined : cut;
}
