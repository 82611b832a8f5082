// The content of a message, by its type. An unknown type becomes a placeholder under the provider's word. Words that are no text are
// refused; every other field is optional. Texts that are too long are cut.

import type { FieldError } from '../../platform/errors.js';
import { httpUrl, isPlainObject, storableText } from '../../platform/input/input.js';
import type { ChangeOf, ReportedMessage } from '../reported.js';
import { fieldsOf, idIn, ignored, listIn, shapeProblem, unreadable, wordIn, type Fields } from './contact.js';
import { emptyMetaTypes, readMetaButton, readMetaInteractive, readMetaSystem } from './said.js';
import { readFileName } from '../../platform/input/shown-name.js';
import { boundedBody, maxBodyLength } from '../reported.schema.js';

type Content = Pick<
  ReportedMessage,
  'text' | 'media' | 'choice' | 'isNotice' | 'notice' | 'isPlaceholder' | 'isUnknownKind'
> & {
  /** Set where the type differs from the network's word. */
  type?: string;
  /** The errors of the content. Where they are set, the other fields must not be used. */
  errors?: FieldError[] | undefined;
};

export type MetaContent = Content & { type: string };

type Reader = (details: Fields, path: string) => Content;

/** The limit of the neutral dialect. */
export const maxTypeLength = 32;

const mediaUrl = httpUrl(2_048);

// Types that a person writes and can edit afterwards. Both readers are maps, because a type may be named like a property of every object.
const writtenReaders = new Map<string, Reader>([
  ['text', (details, path) => readWritten(details.body, `${path}.body`)],
  ['image', readMedia],
  ['video', readMedia],
  ['audio', readMedia],
  ['document', readMedia],
  ['sticker', readMedia],
]);

const readers = new Map<string, Reader>([
  ...writtenReaders,
  ['location', readLocation],
  ['interactive', readMetaInteractive],
  ['button', readMetaButton],
  ['order', readOrder],
  ['system', readMetaSystem],
]);

/** @param path the message's path from the body's root */
export function readMetaContent(message: Fields, path: string): MetaContent {
  const word = wordIn(message, 'type', maxTypeLength) ?? 'unknown';
  if (word === 'contacts') return readCards(message.contacts, `${path}.contacts`);
  const reader = readers.get(word);
  const details = reader === undefined ? undefined : message[word];
  // A message of a known type may come without its content, with the reason under `errors`.
  if (reader === undefined) return unreadKind(word);
  if (details == null) return { type: word, isPlaceholder: true };
  if (isPlainObject(details)) return { type: word, ...reader(details, `${path}.${word}`) };
  return { type: word, ...unreadable(`${path}.${word}`, shapeProblem(details, 'an object')) };
}

function unreadKind(word: string): MetaContent {
  return { type: word, isPlaceholder: true, isUnknownKind: emptyMetaTypes.has(word) ? undefined : true };
}

function readWritten(value: unknown, path: string): { text?: string | undefined; errors?: FieldError[] } {
  if (value == null || value === '') return {};
  if (typeof value !== 'string') return unreadable(path, 'has to be text');
  return { text: boundedBody(value) };
}

// In the echo of a message that was sent by link, the address stands under `link`.
function readMedia(details: Fields, path: string): Content {
  const caption = readWritten(details.caption, `${path}.caption`);
  const media = {
    url: mediaUrl.safeParse(details.url ?? details.link).data ?? null,
    providerId: idIn(details, 'id'),
    mimeType: wordIn(details, 'mime_type', 100),
    fileName: readFileName(details.filename),
    caption: caption.text,
    isVoice: details.voice === true || undefined,
  };
  return { media, errors: caption.errors };
}

function readLocation(details: Fields): Content {
  const [latitude, longitude] = [wordIn(details, 'latitude', 32), wordIn(details, 'longitude', 32)];
  const point = latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;
  return { text: linesOf([point, wordIn(details, 'name', maxBodyLength), wordIn(details, 'address', maxBodyLength)]) };
}

function readCards(value: unknown, path: string): MetaContent {
  const type = 'contact';
  if (value == null) return { type };
  if (!Array.isArray(value)) return { type, ...unreadable(path, shapeProblem(value, 'a list')) };
  return { type, text: linesOf(value.map(cardOf)) };
}

function cardOf(value: unknown): string | undefined {
  const card = fieldsOf(value);
  const name = wordIn(fieldsOf(card.name), 'formatted_name', 200) ?? wordIn(fieldsOf(card.name), 'first_name', 200);
  const phones = listIn(card, 'phones').map(fieldsOf);
  const emails = listIn(card, 'emails').map(fieldsOf);
  const addresses = [
    ...phones.map((phone) => wordIn(phone, 'phone', 64) ?? wordIn(phone, 'wa_id', 64)),
    ...emails.map((email) => wordIn(email, 'email', 320)),
  ].filter((address) => address !== undefined);
  if (addresses.length === 0) return name;
  return name === undefined ? addresses.join(', ') : `${name}: ${addresses.join(', ')}`;
}

function readOrder(details: Fields): Content {
  return {
    text: linesOf([wordIn(details, 'text', maxBodyLength), ...listIn(details, 'product_items').map(orderLine)]),
  };
}

function orderLine(value: unknown): string | undefined {
  const item = fieldsOf(value);
  const product = wordIn(item, 'product_retailer_id', 255);
  if (product === undefined) return undefined;
  const price = [wordIn(item, 'item_price', 32), wordIn(item, 'currency', 8)].filter((part) => part !== undefined);
  return [wordIn(item, 'quantity', 32) ?? '1', '×', product, ...price].join(' ');
}

// Reads the new text, or the new caption of a file. An edit that cannot be read must not empty the message.
export type ReadChange = ChangeOf | { errors: FieldError[] } | ReturnType<typeof ignored>;

export function readEdit(details: Fields, path: string): ReadChange {
  const message = fieldsOf(details.message);
  const word = wordIn(message, 'type', maxTypeLength) ?? '';
  const read = writtenReaders.get(word);
  if (read === undefined || !isPlainObject(message[word])) return ignored('an edit without a text');
  const { text, media, errors } = read(message[word], `${path}.message.${word}`);
  if (errors !== undefined) return { errors };
  return { change: 'EDIT', text: text ?? media?.caption ?? null };
}

function linesOf(lines: readonly (string | undefined)[]): string | undefined {
  const text = lines.filter((line) => line !== undefined).join('\n');
  return text === '' ? undefined : storableText(text, maxBodyLength);
}
