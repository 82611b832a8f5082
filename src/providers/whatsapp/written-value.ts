// Reads values as gateways of the unofficial network write them. A value that is missing or of another kind is undefined, because a message
// is worth more than any detail. The readers judge which fields are required.

import { httpUrl, isPlainObject, storableText } from '../../platform/input/input.js';
import { timestampSchema } from '../reported.schema.js';

// The bound of the neutral dialect.
const mediaUrl = httpUrl(2_048);

const writtenNumber = /^\d{1,16}(?:\.\d{1,9})?$/;

/** Returns the value under `path`, one name for each level; the value itself for an empty path. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), value);
}

/** Returns the object under `path`, or an empty object. */
export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const found = valueAt(value, path);
  return isPlainObject(found) ? found : {};
}

/** A short text: trimmed, cut to `maxLength` UTF-16 units, storable; undefined where nothing is left. */
export function readLabel(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const label = storableText(value.trim(), maxLength).trimEnd();
  return label === '' ? undefined : label;
}

/** A number as itself, as text, or as the halves of a 64-bit integer: `{low, high}`. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string') return writtenNumber.test(value) ? Number(value) : undefined;
  const { low, high } = objectAt(value);
  if (!isInt32(low) || !isInt32(high)) return undefined;
  return high * 2 ** 32 + (low >>> 0);
}

/** Bytes of a file; undefined where the number is no exact one. */
export function readSize(value: unknown): number | undefined {
  const bytes = readNumber(value);
  return bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** Unix seconds, or milliseconds where they are too large for seconds, between the years 2000 and 2100. */
export function readTime(value: unknown): Date | undefined {
  const number = readNumber(value);
  if (number === undefined) return undefined;
  const ms = number > 1e11 ? number : number * 1_000;
  return timestampSchema.safeParse(ms / 1_000).success ? new Date(ms) : undefined;
}

/** A time as `readTime`, or in ISO 8601. */
export function readDate(value: unknown): Date | undefined {
  return readTime(typeof value === 'string' && !/^[\d.]+$/.test(value) ? Date.parse(value) : value);
}

/** Returns the first of the values that is an http or https URL; null where none is. */
export function firstUrl(values: readonly unknown[]): string | null {
  for (const value of values) {
    const url = mediaUrl.safeParse(value);
    if (url.success) return url.data;
  }
  return null;
}

function isInt32(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 32;
}
