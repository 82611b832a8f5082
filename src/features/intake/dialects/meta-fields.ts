// Single values out of Meta's JSON: what is missing or has another shape reads as undefined, and nothing here throws. Which
// value has to be there is left to the readers.

import type { FieldError } from '../../../platform/errors.js';
import { externalId, isPlainObject, storableText } from '../../../platform/input.js';
import { inboundMessageSchema } from '../../messages/message.schema.js';
import type { Ignored } from './dialect.js';

/** A JSON object whose fields are not read yet. */
export type Fields = Record<string, unknown>;

/** The value as an object; an empty one where it is none, so that whatever it should hold reads as missing. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

/** The list under `key`, empty where there is none. */
export function listIn(parent: Fields, key: string): unknown[] {
  const value = parent[key];
  return Array.isArray(value) ? value : [];
}

/** Text or a number under `key`: without blanks at its ends, storable, cut to `maxLength` UTF-16 units; never empty. */
export function wordIn(parent: Fields, key: string, maxLength: number): string | undefined {
  const value = parent[key];
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = storableText(String(value).trim(), maxLength);
  return word === '' ? undefined : word;
}

/** An id under `key`, 1 to 255 UTF-16 units. Never cut, and never made of a number: JSON rounds the long ones. */
export function idIn(parent: Fields, key: string): string | undefined {
  return externalId.safeParse(parent[key]).data;
}

/** Meta writes unix seconds as text. Undefined where they are unreadable or outside the years 2000 to 2100. */
export function timestampIn(parent: Fields, key: string): Date | undefined {
  const seconds = wordIn(parent, key, 20);
  if (seconds === undefined || !/^\d+$/.test(seconds)) return undefined;
  return inboundMessageSchema.shape.timestamp.safeParse(Number(seconds)).data ?? undefined;
}

/** A part of the call that cannot be read, as a report. */
export function unreadable(path: string, message: string): { errors: FieldError[] } {
  return { errors: [{ path, message }] };
}

/** Why a value that has to be there does not do. */
export function shapeProblem(value: unknown, expected: string): string {
  return value === undefined ? 'is required' : `has to be ${expected}`;
}

/** A part of the call that means nothing to us, as a report. */
export function ignored(reason: string): { item: Ignored } {
  return { item: { kind: 'ignored', reason } };
}
