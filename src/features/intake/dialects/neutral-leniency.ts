// What the neutral dialect takes beside the letter of its schema: empty fields count as left out, times come in several writings.

import { isPlainObject } from '../../../platform/input.js';
import { readFileName, readShownName } from './shown-name.js';

/** What may be left out, and so may be empty. */
const optionalFields = ['instance', 'name', 'type', 'text', 'timestamp', 'media', 'replyTo', 'error'];
const mediaFields = ['mimeType', 'fileName', 'caption'];

/** The item as its schema takes it; anything that is no object is given back as it is. */
export function lenient(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const item = withoutEmpty(value, optionalFields);
  if (typeof item.name === 'string') item.name = readShownName(item.name);
  if (typeof item.text === 'string') item.text = storable(item.text);
  if (item.timestamp !== undefined) item.timestamp = inSeconds(item.timestamp);
  if (isPlainObject(item.media)) item.media = lenientMedia(item.media);
  return item;
}

function lenientMedia(value: Record<string, unknown>): Record<string, unknown> {
  const media = withoutEmpty(value, mediaFields);
  if (typeof media.caption === 'string') media.caption = storable(media.caption);
  if (typeof media.fileName === 'string') media.fileName = readFileName(media.fileName);
  return media;
}

function withoutEmpty(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const isEmpty = (field: unknown) => field === null || (typeof field === 'string' && field.trim() === '');
  return Object.fromEntries(Object.entries(value).filter(([name, field]) => !names.includes(name) || !isEmpty(field)));
}

const digits = /^\d{1,16}(?:\.\d{1,9})?$/;

// A number too large for seconds of this century is one of milliseconds.
function inSeconds(written: unknown): unknown {
  const number = typeof written === 'string' && digits.test(written.trim()) ? Number(written) : written;
  return typeof number === 'number' && number > 1e11 ? number / 1_000 : number;
}

// PostgreSQL keeps neither NUL nor half a character.
function storable(words: string): string {
  return words.toWellFormed().replaceAll('\u0000', '\uFFFD');
}
