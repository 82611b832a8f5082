// JSON whose numbers stay as they were written: ids of 64 bits do not fit into a JavaScript number.

import { parseJsonBody } from '../../../platform/http/json-body.js';
import { isPlainObject } from '../../../platform/input/input.js';

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** Keeps a number as text if JavaScript would change it. */
const exactNumber: Reviver = (_key, value, context) =>
  typeof value === 'number' && !isExact(value) ? (context?.source ?? String(value)) : value;

/** @throws AppError like `parseJsonBody`, which reads the bytes first, so that deeply nested values are refused before this walk */
export function parseExactJson(bytes: Buffer, contentType: string | undefined): unknown {
  const value = parseJsonBody(bytes, contentType);
  // Numbers of fewer than 16 digits always fit. An exponent may make a long number of a short text.
  const mayBeLong = /\d{16}|\d[eE]/.test(bytes.toString('latin1'));
  return mayBeLong ? JSON.parse(textOf(bytes), exactNumber as never) : value;
}

// JSON.parse takes no mark before the text, which some programs write.
const textOf = (bytes: Buffer) => bytes.toString('utf8').replace(/^\uFEFF/, '');

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Returns the body without fields of this name, at any depth; numbers stay as they were written. */
export function withoutField(bytes: Buffer, name: string): Buffer {
  const raw = JSON as unknown as { rawJSON: (text: string) => unknown };
  const drop: Reviver = (key, value, context) => {
    if (key === name) return undefined;
    return typeof value === 'number' && context?.source !== undefined ? raw.rawJSON(context.source) : value;
  };
  return Buffer.from(JSON.stringify(JSON.parse(textOf(bytes), drop as never)));
}

/** Returns an id as text, from text or a number; null if there is none. */
export function idText(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : null;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}
