// Reads one element of `messages` or `message_echoes`: its direction, its person, its time and its content.

import { z } from 'zod';
import type { FieldError } from '../../platform/errors.js';
import { externalId, fieldErrors, httpUrl, isPlainObject, storableText } from '../../platform/input/input.js';
import type { ChangeOf, ReadReport, ReportedMessage } from '../reported.js';
import {
  fieldsOf,
  identitiesOf,
  idIn,
  ignored,
  listIn,
  personIn,
  shapeProblem,
  timestampIn,
  unreadable,
  wordIn,
  type Contacts,
  type Fields,
  type Person,
} from './contact.js';
import { assistant, isAssistantNumber } from '../whatsapp/jid.js';
import { emptyMetaTypes, quietMetaTypes, readMetaButton, readMetaInteractive, readMetaSystem } from './said.js';
import { readFileName } from '../whatsapp/shown-name.js';
import { readMetaReferral } from './referral.js';
import { boundedBody, maxBodyLength, maxEmojiLength } from '../reported.schema.js';
import { chatNumberSchema } from '../../platform/phone-numbers/number.schema.js';

const identified = z.object({ id: externalId });
const writtenFrom = z.object({ from: chatNumberSchema });
const writtenTo = z.object({ to: chatNumberSchema });

/** A message from a lead. Errors name the field from the body's root. */
export function readMetaMessage(message: Fields, path: string, contacts: Contacts): ReadReport {
  return readMessage(message, path, {
    direction: 'INBOUND',
    person: senderOf(message, contacts),
    numberSchema: writtenFrom,
  });
}

/** A message that was sent with the phone's own app. */
export function readMetaEcho(message: Fields, path: string, contacts: Contacts): ReadReport {
  return readMessage(message, path, {
    direction: 'OUTBOUND',
    person: personIn(message, 'to', 'to_user_id', contacts),
    numberSchema: writtenTo,
  });
}

interface Side {
  direction: ReportedMessage['direction'];
  person: Person;
  /** Finds the problem with the number where the message names nobody. */
  numberSchema: z.ZodType;
}

function readMessage(message: Fields, path: string, side: Side): ReadReport {
  if (message.group_id != null) return ignored('a group');
  const { direction, person, numberSchema } = side;
  const type = wordIn(message, 'type', maxTypeLength) ?? '';
  if (quietMetaTypes.has(type)) return ignored(`quiet: ${type}`);
  if (isAssistantNumber(person.phone ?? '')) return ignored(assistant);
  const readChange = changeReaders.get(type);
  if (readChange !== undefined) return readAsChange(message, path, side, readChange);
  const { errors: contentErrors = [], ...content } = withLostFile(message, readMetaContent(message, path));
  const [first, ...others] = identitiesOf(person);
  const externalIdRead = identified.safeParse(message);
  const errors = [
    ...problemsIn(externalIdRead, path),
    ...(first === undefined ? problemsIn(numberSchema.safeParse(message), path) : []),
    ...contentErrors,
  ];
  if (!externalIdRead.success || first === undefined || errors.length > 0) return { errors };
  return {
    item: {
      kind: 'message',
      direction,
      externalId: externalIdRead.data.id,
      contact: [first, ...others],
      name: person.name,
      ...content,
      text: content.text ?? reasonFor(message, content),
      replyTo: idIn(fieldsOf(message.context), 'id'),
      timestamp: timestampIn(message, 'timestamp'),
      referral: direction === 'INBOUND' ? readMetaReferral(message) : undefined,
      isForwarded: wasForwarded(fieldsOf(message.context)),
    },
  };
}

function wasForwarded({ forwarded, frequently_forwarded: frequently }: Fields): true | undefined {
  return forwarded === true || frequently === true || undefined;
}

// The change's own id is not read, because a change is no message.
function readAsChange(message: Fields, path: string, { direction, person }: Side, read: ChangeReader): ReadReport {
  const { name, idField } = read;
  const details = message[name];
  const detailsPath = `${path}.${name}`;
  if (!isPlainObject(details)) return unreadable(detailsPath, shapeProblem(details, 'an object'));
  const id = externalId.safeParse(details[idField]);
  if (!id.success) return { errors: fieldErrors(id.error, `${detailsPath}.${idField}`) };
  const change = read.of(details, detailsPath);
  if ('errors' in change || 'item' in change) return change;
  const contact = identitiesOf(person);
  const timestamp = timestampIn(message, 'timestamp');
  return {
    item: {
      kind: 'change',
      externalId: id.data,
      direction,
      contact: contact.length === 0 ? undefined : contact,
      timestamp,
      ...change,
    },
  };
}

interface ChangeReader {
  /** The message's type, which is also the field that holds its details. */
  name: 'reaction' | 'edit' | 'revoke';
  /** The field of the details that names the changed message. */
  idField: string;
  of: (details: Fields, path: string) => ChangeOf | { errors: FieldError[] } | ReturnType<typeof ignored>;
}

const changes: readonly ChangeReader[] = [
  // A reaction that was taken back has an empty emoji, or none at all.
  {
    name: 'reaction',
    idField: 'message_id',
    of: (details) => ({ change: 'REACTION', emoji: wordIn(details, 'emoji', maxEmojiLength) ?? null }),
  },
  { name: 'edit', idField: 'original_message_id', of: readEdit },
  { name: 'revoke', idField: 'original_message_id', of: () => ({ change: 'DELETION' }) },
];
const changeReaders = new Map<string, ChangeReader>(changes.map((reader) => [reader.name, reader]));

// A message without a sender belongs to the call's only contact. A number that was requested by button comes this way. The notice of a
// changed user id has no contacts, and names the new id itself.
function senderOf(message: Fields, contacts: Contacts): Person {
  if (!isMissing(message.from) || !isMissing(message.from_user_id)) {
    return personIn(message, 'from', 'from_user_id', contacts);
  }
  const [only, ...others] = contacts.people;
  if (only !== undefined && others.length === 0) return only;
  return message.type === 'system' ? personIn(fieldsOf(message.system), 'wa_id', 'user_id', contacts) : {};
}

function isMissing(value: unknown): boolean {
  return value == null || value === '';
}

/** The network's code for a file that is too large for it: the message comes without the file. */
const fileTooLarge = 131_052;

function withLostFile(message: Fields, content: MetaContent): MetaContent {
  const isLost = content.media === undefined && fieldsOf(listIn(message, 'errors')[0]).code === fileTooLarge;
  return isLost ? { ...content, isPlaceholder: undefined, media: { url: null, problem: 'TOO_LARGE' } } : content;
}

// Meta gives a reason where it cannot show a message.
function reasonFor(message: Fields, { media }: MetaContent): string | undefined {
  if (media !== undefined && media.problem === undefined) return undefined;
  const error = fieldsOf(listIn(message, 'errors')[0]);
  return wordIn(error, 'title', 1_000) ?? wordIn(error, 'message', 1_000);
}

function problemsIn(parsed: z.ZodSafeParseResult<unknown>, path: string): FieldError[] {
  return parsed.success ? [] : fieldErrors(parsed.error, path);
}

// The content of a message, by its type. An unknown type becomes a placeholder under the provider's word. Words that are no text are
// refused; every other field is optional. Texts that are too long are cut.

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
const maxTypeLength = 32;

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
function readMetaContent(message: Fields, path: string): MetaContent {
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
  const phones = listIn(card, 'phones')
    .map((phone) => wordIn(fieldsOf(phone), 'phone', 64) ?? wordIn(fieldsOf(phone), 'wa_id', 64))
    .filter((phone) => phone !== undefined)
    .join(', ');
  if (phones === '') return name;
  return name === undefined ? phones : `${name}: ${phones}`;
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
function readEdit(details: Fields, path: string): ReturnType<ChangeReader['of']> {
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
