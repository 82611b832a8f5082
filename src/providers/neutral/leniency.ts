// The neutral dialect takes more than the letter of its schema: empty fields count as left out, times come in several writings.

import { isPlainObject } from '../../platform/input/input.js';
import { readFileName, readShownName } from '../../platform/input/shown-name.js';
import { maxChoiceLength } from '../reported.schema.js';

/** These fields may be left out, and so may be empty. */
const optionalFields = [
  'instance',
  'name',
  'type',
  'text',
  'timestamp',
  'media',
  'replyTo',
  'error',
  'referral',
  'choice',
  'forwarded',
  'video',
] as const;
const mediaFields = ['mimeType', 'fileName', 'caption'] as const;
const choiceFields = ['id', 'title', 'description', 'answers'] as const;
const referralFields = ['kind', 'sourceId', 'sourceUrl', 'headline', 'body', 'clickId'] as const;

/** Returns the item in the form that its schema takes. A value that is no object comes back unchanged. */
export function lenient(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const item = withoutEmpty(value, optionalFields);
  if (typeof item.name === 'string') item.name = readShownName(item.name);
  if (typeof item.text === 'string') item.text = storable(item.text);
  if (item.timestamp !== undefined) item.timestamp = inSeconds(item.timestamp);
  if (isPlainObject(item.media)) item.media = lenientMedia(item.media);
  if (isPlainObject(item.choice)) item.choice = lenientChoice(item.choice);
  if (isPlainObject(item.referral)) item.referral = withStorable(item.referral, referralFields);
  if (isPlainObject(item.notice)) item.notice = withoutEmpty(item.notice, ['newFrom']);
  return item;
}

function lenientMedia(value: Record<string, unknown>): Record<string, unknown> {
  const media = withoutEmpty(value, mediaFields);
  if (typeof media.caption === 'string') media.caption = storable(media.caption);
  if (typeof media.fileName === 'string') media.fileName = readFileName(media.fileName);
  return media;
}

// An id is never cut: it would be another one.
function lenientChoice(value: Record<string, unknown>): Record<string, unknown> {
  const choice = withStorable(value, choiceFields);
  for (const name of ['title', 'description'] as const) {
    const words = choice[name];
    if (typeof words === 'string') choice[name] = Array.from(words.trim()).slice(0, maxChoiceLength).join('').trimEnd();
  }
  return choice;
}

function withStorable(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const fields = withoutEmpty(value, names);
  for (const name of names) {
    const field = fields[name];
    if (typeof field === 'string') fields[name] = storable(field);
  }
  return fields;
}

/** Returns a copy; most items have no empty field. */
function withoutEmpty(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const fields = { ...value };
  for (const name of names) {
    const field = fields[name];
    if (field === null || (typeof field === 'string' && field.trim() === '')) delete fields[name];
  }
  return fields;
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
