// Makes metadata of a lead from its submission: storable, and within the bound. The journal keeps the whole call.

import { exceedsLength, isPlainObject, storableText } from '../../../platform/input/input.js';
import { maxLeadMetadataBytes } from '../../leads/lead.schema.js';

const maxNameLength = 200;
const maxKeptTextLength = 1_000;
const leftOutName = 'leftOut';
const maxLeftOut = 20;

/** Returns the text in a form that PostgreSQL can store, cut at a whole character. */
export function cutText(value: string, maxLength: number): string {
  const text = storableText(value, value.length);
  return exceedsLength(text, maxLength) ? Array.from(text).slice(0, maxLength).join('') : text;
}

/**
 * Returns metadata that can be stored. If it is too large, texts are cut at 1,000 characters. If it still is, the largest fields are left
 * out, and `leftOut` names them.
 * @param entries values that nest no deeper than JSON from outside may
 */
export function storableMetadata(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const whole = fromEntries(entries.map(([name, value]) => [nameOf(name), storable(value, undefined)]));
  if (fits(whole)) return whole;
  const cut = Object.entries(whole).map(([name, value]) => [name, storable(value, maxKeptTextLength)] as const);
  const sizes = new Map(cut.map(([name, value]) => [name, bytesOf({ [name]: value })]));
  const sizeOf = (name: string) => sizes.get(name) ?? 0;
  const largestFirst = [...sizes.keys()].toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const leftOut: string[] = [];
  // Each size has the two braces of an object, which are more than the comma between two fields.
  let size = [...sizes.values()].reduce((sum, each) => sum + each, 0);
  for (const name of largestFirst) {
    if (size + (leftOut.length > 0 ? bytesOf({ [leftOutName]: leftOut }) : 0) <= maxLeadMetadataBytes) break;
    size -= sizeOf(name);
    sizes.delete(name);
    if (leftOut.length < maxLeftOut) leftOut.push(name);
  }
  const kept = cut.filter(([name]) => sizes.has(name));
  return fromEntries(leftOut.length === 0 ? kept : [...kept, [leftOutName, leftOut]]);
}

// The object is built from entries, so that a field named __proto__ is kept like any other field.
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);

const nameOf = (name: string) => storableText(name, maxNameLength);

function storable(value: unknown, maxLength: number | undefined): unknown {
  if (typeof value === 'string') return cutText(value, maxLength ?? value.length);
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return (value as unknown[]).map((item) => storable(item, maxLength));
  if (!isPlainObject(value)) return value;
  return fromEntries(Object.entries(value).map(([name, item]) => [nameOf(name), storable(item, maxLength)]));
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

function fits(metadata: Record<string, unknown>): boolean {
  return bytesOf(metadata) <= maxLeadMetadataBytes;
}
