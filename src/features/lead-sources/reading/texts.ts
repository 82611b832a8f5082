// Finds texts in a submission: the values of pointers, and its e-mail address.

import { isPlainObject } from '../../../platform/input/input.js';
import type { Mapping } from './mapping.js';
import type { DocumentReader } from './pointer.js';

/** Returns the first text or number that the pointers lead to; for a list, the first that is not empty. Texts keep their blanks. */
export function textAt(reader: DocumentReader, pointers: readonly string[]): string | undefined {
  for (const pointer of pointers) {
    const value = reader.valueAt(pointer);
    const text = (Array.isArray(value) ? (value as unknown[]) : [value]).map(textOf).find((each) => each !== undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

const emailForm = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,180}\.[^\s@<>",;.]{2,63}$/;
const emailName = /e-?mail|correo/i;
/** The most values of a submission that are searched. */
const maxVisited = 2_000;

/** Finds the e-mail address of a submission: by the mapping, then in a field whose name suggests one, then in any other. */
export function findEmail(reader: DocumentReader, document: unknown, { metadata }: Mapping): string | undefined {
  const pointer = metadata.get('email');
  const mapped = pointer === undefined ? undefined : asEmail(reader.valueAt(pointer));
  if (mapped !== undefined) return mapped;
  let other: string | undefined;
  let visited = 0;
  const waiting: [name: string, value: unknown][] = [['', document]];
  for (let next = waiting.shift(); next !== undefined && visited < maxVisited; next = waiting.shift()) {
    visited += 1;
    const [name, value] = next;
    const email = asEmail(value);
    if (email !== undefined && emailName.test(name)) return email;
    other ??= email;
    if (Array.isArray(value)) waiting.push(...(value as unknown[]).slice(0, maxVisited).map(under(name)));
    else if (isPlainObject(value)) waiting.push(...Object.entries(value).slice(0, maxVisited));
    else if (typeof value === 'string' && name !== '') waiting.push(...fieldsOfText(reader, value));
  }
  return other;
}

const under =
  (name: string) =>
  (value: unknown): [string, unknown] => [name, value];

// JSON within a text is searched as part of the submission, but not JSON within a text of that JSON.
function fieldsOfText(reader: DocumentReader, text: string): [string, unknown][] {
  const parsed = reader.parse(text);
  if (!isPlainObject(parsed)) return [];
  return Object.entries(parsed)
    .slice(0, maxVisited)
    .filter(([, value]) => typeof value !== 'string' || !/^\s*[[{]/.test(value));
}

function asEmail(value: unknown): string | undefined {
  const text = typeof value === 'string' && value.length <= 320 ? value.trim() : '';
  return emailForm.test(text) ? text : undefined;
}
