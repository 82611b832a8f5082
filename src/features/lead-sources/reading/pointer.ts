// Follows a pointer of a mapping in a submission. It is a JSON pointer that may also go into JSON that is text. It may choose an element of
// a list by one of its fields, and name parts of bracketed form names.

import { AppError } from '../../../platform/errors.js';
import { isPlainObject } from '../../../platform/input/input.js';
import { unfolded } from './bracketed-names.js';
import { parseExactJson } from './exact-json.js';

/** The most elements of a list that are compared with `[field=value]`. */
const maxCompared = 1_000;
/** The most levels of JSON as text, one within the other. */
const maxTexts = 2;

export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

const namesOf = (pointer: string) => pointer.slice(1).split('/').map(unescaped);

/** The place of a value in a document, from which it can be taken out. */
interface Place {
  parent: Record<string, unknown> | unknown[];
  key: string;
  /** The names that lead on from this place. */
  rest: readonly string[];
}

/** Reads pointers into one document. A text that is JSON is parsed once, however many pointers go into it. */
export class DocumentReader {
  private readonly parsed = new Map<string, unknown>();
  private readonly wholes = new Map<object, Record<string, unknown>>();

  constructor(private readonly document: unknown) {}

  /** Returns the value that a pointer leads to; undefined if there is none. */
  valueAt(pointer: string): unknown {
    return this.follow(this.document, namesOf(pointer), maxTexts);
  }

  private follow(from: unknown, names: readonly string[], textsLeft: number): unknown {
    let [value, rest] = [from, names];
    let left = textsLeft;
    while (rest.length > 0) {
      if (typeof value === 'string') {
        if (left === 0) return undefined;
        left -= 1;
        value = this.parse(value);
      }
      const place = placeOf(value, rest) ?? (isPlainObject(value) ? placeOf(this.whole(value), rest) : undefined);
      if (place === undefined) return undefined;
      value = Reflect.get(place.parent, place.key);
      ({ rest } = place);
    }
    return value;
  }

  /** Returns the fields of an object with the bracketed ones put together. */
  whole(fields: Record<string, unknown>): Record<string, unknown> {
    const known = this.wholes.get(fields) ?? unfolded(fields);
    this.wholes.set(fields, known);
    return known;
  }

  /** Parses a text as JSON; undefined if it is not JSON, or nests too deeply. */
  parse(text: string): unknown {
    if (!this.parsed.has(text)) this.parsed.set(text, parseText(text));
    return this.parsed.get(text);
  }
}

function parseText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseExactJson(Buffer.from(text), 'application/json');
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Returns the step from a value along the first names; undefined if it leads nowhere. */
function placeOf(value: unknown, names: readonly string[]): Place | undefined {
  const [name = '', ...rest] = names;
  if (Array.isArray(value)) {
    const index = /^\d{1,6}$/.test(name) ? Number(name) : chosenIndex(value as unknown[], name);
    return index === undefined || index >= value.length ? undefined : { parent: value, key: String(index), rest };
  }
  if (!isPlainObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return { parent: value, key: name, rest };
  return bracketedPlace(value, name, rest);
}

/** Returns the index for `[field.ref=phone]`: the first element whose field has this text. */
function chosenIndex(list: readonly unknown[], name: string): number | undefined {
  const [, path, wanted] = /^\[([^=]+)=(.*)\]$/s.exec(name) ?? [];
  if (path === undefined) return undefined;
  const fields = path.split('.');
  const index = list.slice(0, maxCompared).findIndex((element) => {
    const found = fields.reduce<unknown>(
      (value, field) => (isPlainObject(value) && Object.hasOwn(value, field) ? value[field] : undefined),
      element,
    );
    return isScalar(found) && String(found) === wanted;
  });
  return index === -1 ? undefined : index;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Finds the longest bracketed name: `/fields/phone/value` leads to `fields[phone][value]`, and `/topics` to `topics[]`. */
function bracketedPlace(parent: Record<string, unknown>, name: string, rest: readonly string[]): Place | undefined {
  let joined = name;
  let found: Place | undefined;
  for (const [index, key] of [`${name}[]`, ...rest].entries()) {
    if (index > 0) joined += `[${key}]`;
    for (const written of index === 0 ? [key] : [joined, `${joined}[]`])
      if (Object.hasOwn(parent, written)) found = { parent, key: written, rest: rest.slice(index) };
  }
  return found;
}

/** Removes the value of a pointer from a document that belongs to the caller. A value within a text stays. */
export function removeAt(document: Record<string, unknown>, pointer: string): void {
  let value: unknown = document;
  let names: readonly string[] = namesOf(pointer);
  for (;;) {
    const place = placeOf(value, names);
    if (place === undefined) {
      if (isPlainObject(value)) removeParts(value, names);
      return;
    }
    const { parent, key, rest } = place;
    if (rest.length > 0) {
      value = Reflect.get(parent, key);
      names = rest;
      continue;
    }
    // An element of a list becomes null, so that the other elements keep their places.
    if (Array.isArray(parent)) parent[Number(key)] = null;
    else Reflect.deleteProperty(parent, key);
    return;
  }
}

/** Removes the fields that make a whole: `phone[area]` and `phone[number]` of `/phone`. */
function removeParts(parent: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  const start = `${name}${rest.map((each) => `[${each}]`).join('')}[`;
  for (const written of Object.keys(parent)) if (written.startsWith(start)) Reflect.deleteProperty(parent, written);
}
