// JSON whose numbers stay as they were written: ids of 64 bits do not fit into a number of JavaScript's.

import { parseJsonBody } from '../../../platform/json-body.js';
import { isPlainObject } from '../../../platform/input.js';

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** A number that JavaScript would change, as text. */
const exactNumber: Reviver = (_key, value, context) =>
  typeof value === 'number' && !isExact(value) ? (context?.source ?? String(value)) : value;

/** @throws AppError as `parseJsonBody` does, which reads it first: nothing that nests too deeply is walked */
export function parseExactJson(bytes: Buffer, contentType: string | undefined): unknown {
  const value = parseJsonBody(bytes, contentType);
  return holdsLongNumber(bytes) ? JSON.parse(bytes.toString('utf8'), exactNumber as never) : value;
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

// Fewer digits than that always fit. `e` may make a long number of a short one.
function holdsLongNumber(bytes: Buffer): boolean {
  return /\d{16}|\d[eE]/.test(bytes.toString('latin1'));
}

/** The body without fields of this name, at any depth; numbers stay as they were written. */
export function withoutField(bytes: Buffer, name: string): Buffer {
  const raw = JSON as unknown as { rawJSON: (text: string) => unknown };
  const drop: Reviver = (key, value, context) => {
    if (key === name) return undefined;
    return typeof value === 'number' && context?.source !== undefined ? raw.rawJSON(context.source) : value;
  };
  return Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8'), drop as never)));
}

/** An id as text, however it was written; null where there is none. */
export function idText(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : null;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}
