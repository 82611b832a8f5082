// The neutral dialect takes more than the letter of its schema: empty fields count as left out, texts that are too long are cut, times come
// in several writings. So only what makes a call meaningless refuses it.

import {
  exceedsLength,
  isLeftOut,
  isPlainObject,
  maxExternalIdLength,
  withoutEmpty,
} from '../../platform/input/input.js';
import { readFileName, readShownName } from '../../platform/input/shown-name.js';
import { readNumber } from '../whatsapp/written-value.js';
import { maxErrorCodeLength, maxErrorMessageLength, maxTypeLength } from './message.schema.js';
import { boundedText, maxCaptionLength, maxChoiceLength, maxMimeTypeLength } from '../reported.schema.js';
import {
  maxClickIdLength,
  maxHeadlineLength,
  maxReferralBodyLength,
  maxReferralIdLength,
  maxReferralUrlLength,
} from '../referral.js';

/** The code of a failure that the gateway did not name. */
const unnamedError = 'UNKNOWN';

type Fields = Record<string, unknown>;
/** A text that is too long is cut at a whole character. An id or an address is left out, because a part of it is another. */
type TooLong = 'cut' | 'left out';
type Bounds = Readonly<Record<string, readonly [maxLength: number, TooLong]>>;

/** These fields may be left out, and so may be empty. Where one is required, it is missed by its name. */
const optionalFields = [
  'instance',
  'messageId',
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
  'fromMe',
  'to',
] as const;

const choiceBounds: Bounds = {
  id: [maxChoiceLength, 'left out'],
  title: [maxChoiceLength, 'cut'],
  description: [maxChoiceLength, 'cut'],
};
const referralBounds: Bounds = {
  sourceId: [maxReferralIdLength, 'left out'],
  sourceUrl: [maxReferralUrlLength, 'left out'],
  headline: [maxHeadlineLength, 'cut'],
  body: [maxReferralBodyLength, 'cut'],
  clickId: [maxClickIdLength, 'left out'],
};
const errorBounds: Bounds = { code: [maxErrorCodeLength, 'cut'], message: [maxErrorMessageLength, 'cut'] };

/** The types that mean something here; what else a gateway says is kept as it writes it. */
const knownTypes = new Set(
  'text image audio video document sticker call notice reaction edit deletion unknown'.split(' '),
);

const flags = ['forwarded', 'video', 'fromMe'] as const;

/** A text may be a JSON number, as may the id of the answered message. */
const texts = ['replyTo', 'text'] as const;

const readText = (written: unknown) => (Number.isSafeInteger(written) ? String(written) : written);

/** Other products' words for a status. */
const statusWords: ReadonlyMap<unknown, string> = new Map([
  ['PLAYED', 'READ'],
  ['SEEN', 'READ'],
  ['UNDELIVERED', 'FAILED'],
  ['ERROR', 'FAILED'],
]);

const itemBounds: Bounds = { replyTo: [maxExternalIdLength, 'left out'] };

/** Returns the item in the form that its schema takes. A value that is no object comes back unchanged. */
export function lenient(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const item = bounded(value, itemBounds, optionalFields) ?? {};
  if (typeof item.name === 'string') item.name = readShownName(item.name);
  if (typeof item.text === 'string') item.text = storable(item.text);
  if (typeof item.type === 'string') item.type = readType(item.type);
  if (item.timestamp !== undefined) item.timestamp = readTime(item.timestamp);
  item.fromMe ??= item.from_me ?? item.isFromMe;
  for (const name of flags) item[name] = readFlag(item[name]);
  for (const name of texts) item[name] = readText(item[name]);
  if (isLeftOut(item.media) && typeof item.mediaUrl === 'string') item.media = item.mediaUrl;
  if (typeof item.media === 'string') item.media = { url: item.media };
  if (isPlainObject(item.media)) item.media = lenientMedia(withCaptionBeside(item.media, item.caption));
  if (isPlainObject(item.choice)) item.choice = lenientChoice(item.choice);
  if (isPlainObject(item.referral)) item.referral = bounded(item.referral, referralBounds, ['kind']);
  item.error = readError(item.error ?? item.errors ?? item.reason);
  if (typeof item.status === 'string') item.status = statusWords.get(item.status.trim().toUpperCase()) ?? item.status;
  if (isPlainObject(item.notice)) item.notice = withoutEmpty(item.notice, ['newFrom']);
  return item;
}

/** Some gateways write the caption beside the file. */
function withCaptionBeside(media: Fields, caption: unknown): Fields {
  return isLeftOut(caption) || !isLeftOut(media.caption) ? media : { ...media, caption };
}

// A form that sends all its fields sends an empty file with each text.
function lenientMedia(value: Fields): Fields | undefined {
  const media = bounded(value, { mimeType: [maxMimeTypeLength, 'left out'] }, ['url', 'fileName', 'caption']);
  if (media === undefined) return undefined;
  if (typeof media.caption === 'string') media.caption = boundedText(media.caption, maxCaptionLength);
  if (typeof media.fileName === 'string') media.fileName = readFileName(media.fileName);
  return media;
}

function lenientChoice(value: Fields): Fields | undefined {
  const { id, title } = value;
  return bounded({ ...value, id: readText(id), title: readText(title) }, choiceBounds, ['kind', 'answers']);
}

/** Gateways write a reason as a text, a code as a number, and either in a list, of which the first counts. */
function readError(written: unknown): unknown {
  const error: unknown = Array.isArray(written) ? written[0] : written;
  if (typeof error === 'string') return lenientError({ message: error });
  if (typeof error === 'number') return { code: error };
  if (isPlainObject(error)) return lenientError(error);
  return error === false ? undefined : error;
}

// A reason without a code is worth more than none, and a failure that is refused would leave its message SENT.
function lenientError(value: Fields): Fields | undefined {
  const message = [value.message, value.title, value.reason, value.details].find((words) => !isLeftOut(words));
  const error = bounded({ ...value, message }, errorBounds);
  return error !== undefined && error.code === undefined && error.message !== undefined
    ? { ...error, code: unnamedError }
    : error;
}

/**
 * Copies fields in a form that can be stored, without the empty ones.
 * @param others further fields that may be left out
 * @returns undefined where nothing is left of them: then the whole counts as left out
 */
function bounded(value: Fields, bounds: Bounds, others: readonly string[] = []): Fields | undefined {
  const fields = withoutEmpty(value, [...Object.keys(bounds), ...others]);
  for (const [name, [maxLength, tooLong]] of Object.entries(bounds)) {
    const field = fields[name];
    if (typeof field !== 'string') continue;
    const words = storable(field.trim());
    if (!exceedsLength(words, maxLength)) fields[name] = words;
    else if (tooLong === 'cut') fields[name] = cut(words, maxLength);
    else delete fields[name];
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** `1` and `0`, as numbers or as text, are what some languages have in place of true and false. */
function readFlag(written: unknown): unknown {
  const word = typeof written === 'string' ? written.trim().toLowerCase() : written;
  if (word === 1 || word === '1' || word === 'true') return true;
  return word === 0 || word === '0' || word === 'false' ? false : written;
}

function readType(written: string): string {
  const type = written.trim();
  const known = type.toLowerCase();
  return knownTypes.has(known) ? known : cut(storable(type), maxTypeLength);
}

const digits = /^\d{1,19}(?:\.\d{1,9})?$/;
/** Libraries write ISO 8601 with a blank for the `T`, without seconds, with a zone without its colon, or without a zone. */
const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)? ?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?$/i;

// A number too large for seconds of this century is one of milli-, micro- or nanoseconds. Zero is the time that was never set.
function readTime(written: unknown): unknown {
  const text = typeof written === 'string' ? written.trim() : undefined;
  const number = text !== undefined && digits.test(text) ? Number(text) : (readNumber(written) ?? written);
  if (Object.is(number, 0)) return undefined;
  if (typeof number === 'number') return inSeconds(number);
  const [, day, minute, second = ':00', , hours, minutes = '00'] = isoTime.exec(text ?? '') ?? [];
  if (day === undefined || minute === undefined) return written;
  // All times of this API are UTC where they say nothing else.
  return `${day}T${minute}${second.replace(',', '.')}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
}

function inSeconds(time: number): number {
  const unit = [1, 1e3, 1e6, 1e9].find((perSecond) => time / perSecond <= 1e11);
  return time / (unit ?? 1);
}

function cut(words: string, maxLength: number): string {
  return Array.from(words).slice(0, maxLength).join('').trimEnd();
}

// PostgreSQL keeps neither NUL nor half a character.
function storable(words: string): string {
  return words.toWellFormed().replaceAll('\u0000', '\uFFFD');
}
