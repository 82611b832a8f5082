// What a message says: its type, words, file, and the message it answers; or what it does to an earlier one. A kind that is unknown becomes a placeholder under
// the provider's own word. What a person wrote is kept whole or refused.

import type { FieldError } from '../../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject, storableText } from '../../../platform/input.js';
import { maxBodyLength } from '../../messages/message.schema.js';
import { maxEmojiLength } from '../../messages/reported.js';
import type { ChangeOf } from '../../messages/reported.js';
import type { ReportedMedia } from './dialect.js';
import { firstUrl, objectAt, readLabel, readSize, valueAt } from './evolution-value.js';

export interface Content {
  type: string;
  text?: string | undefined;
  media?: ReportedMedia | undefined;
  replyTo?: string | undefined;
}

/** What is done to an earlier message, by its provider id. */
export type Change = ChangeOf & { externalId: string };

export type ReadContent = { content: Content } | ReadChange;
export type ReadChange = { change: Change } | { ignored: string } | { errors: FieldError[] };

/** As long as the neutral dialect allows. */
const maxTypeLength = 32;

/**
 * @param data one message of the call, with `message` and `messageType`
 * @param path where it stands in the call, for errors
 */
export function readContent(data: Record<string, unknown>, path: string): ReadContent {
  const message = data.message ?? {};
  const messagePath = `${path}.message`;
  if (!isPlainObject(message)) return { errors: [{ path: messagePath, message: 'has to be an object' }] };
  const part = findPart(message, messagePath);
  if (part === undefined) return readUnnamed(data, message);
  if (part.name === protocolKind) return readProtocol(part.value, part.path);
  if (part.name === reactionKind) return readReaction(part.value, part.path);
  const kind = knownKinds.get(part.name);
  const words = kind === undefined ? {} : readWords(part, kind);
  if ('errors' in words) return words;
  const contexts = [part.value, part.message, message, data];
  const answered = contexts.map((context) => valueAt(context, ['contextInfo', 'stanzaId']));
  const replyTo = readId(answered.find((id) => id != null));
  const type = kind?.type ?? readLabel(part.name, maxTypeLength) ?? 'unknown';
  if (kind?.isMedia !== true) return { content: { type, text: words.text, replyTo } };
  return { content: { type, media: readMedia(part.value, message, words.text), replyTo } };
}

function readWords({ value, path }: MessagePart, kind: KnownKind): { text?: string } | { errors: FieldError[] } {
  const field = kind.fields?.find((candidate) => !isNothing(valueAt(value, candidate)));
  const words = field === undefined ? kind.textOf?.(value) : valueAt(value, field);
  if (words === undefined) return {};
  const wordsPath = [path, ...(field ?? [])].join('.');
  if (typeof words !== 'string') return { errors: [{ path: wordsPath, message: 'has to be text' }] };
  if (words.length > maxBodyLength) {
    return { errors: [{ path: wordsPath, message: `must not be longer than ${maxBodyLength} characters` }] };
  }
  return { text: storableText(words, maxBodyLength) };
}

// `url` leads to bytes that only the network's own apps can decrypt, `mediaUrl` to Evolution's copy. The names with an
// underscore, `filename` and `media` are those of its business mode.
function readMedia(
  value: unknown,
  { mediaUrl, base64 }: Record<string, unknown>,
  caption: string | undefined,
): ReportedMedia {
  const file = objectAt(value);
  const sizeBytes = readSize(file.fileLength);
  const content = readBase64(base64);
  return {
    url: firstUrl([mediaUrl, file.url, file.media]),
    // What the business mode sends by link carries the link as its id.
    providerId: firstUrl([file.id]) === null ? readId(file.id) : undefined,
    mimeType: readLabel(file.mimetype, 100) ?? readLabel(file.mime_type, 100),
    fileName: readLabel(file.fileName, 255) ?? readLabel(file.title, 255) ?? readLabel(file.filename, 255),
    caption,
    sizeBytes,
    isVoice: file.ptt === true || undefined,
    // Other bytes than were sent, as a thumbnail, are left out.
    content: sizeBytes === undefined || content?.length === sizeBytes ? content : undefined,
  };
}

const base64Text = /^(?:data:[^",]{0,200};base64,)?([A-Za-z0-9+/]+={0,2})$/;

// What is no Base64, as in a call from the journal, is left out: the file is asked for then.
function readBase64(value: unknown): Buffer | undefined {
  const [, text] = typeof value === 'string' ? (base64Text.exec(value) ?? []) : [];
  return text === undefined || text.length % 4 !== 0 ? undefined : Buffer.from(text, 'base64');
}

// Evolution's own channel tells the kind in `messageType` alone.
function readUnnamed(data: Record<string, unknown>, message: Record<string, unknown>): ReadContent {
  const word = readLabel(data.messageType, maxTypeLength);
  if (word === undefined || !namesKind(word)) return { ignored: 'a message without content' };
  const kind = knownKinds.get(word);
  const media = kind?.isMedia === true ? readMedia({}, message, undefined) : undefined;
  const replyTo = readId(valueAt(data, ['contextInfo', 'stanzaId']));
  return { content: { type: kind?.type ?? word, media, replyTo } };
}

/**
 * An edit or a deletion of an earlier message; whatever else the network says to itself is ignored.
 * @param path the protocol message's, for errors
 */
export function readProtocol(value: unknown, path: string): ReadChange {
  const { type, key, editedMessage } = objectAt(value);
  const isEdit = type === 14 || type === 'MESSAGE_EDIT' || isPlainObject(editedMessage);
  if (!isEdit && type !== 0 && type !== 'REVOKE') return { ignored: "the network's own housekeeping" };
  const id = readTarget(key, `${path}.key`);
  if ('errors' in id) return id;
  return isEdit ? readEdit(id, editedMessage, path) : { change: { change: 'DELETION', ...id } };
}

/** @param path the protocol message's, for errors */
function readEdit(id: { externalId: string }, editedMessage: unknown, path: string): ReadChange {
  const part = isPlainObject(editedMessage) ? findPart(editedMessage, `${path}.editedMessage`) : undefined;
  const kind = part === undefined ? undefined : knownKinds.get(part.name);
  // What cannot be read must not empty the message.
  if (part === undefined || kind?.fields === undefined) return { ignored: 'an edit without a text' };
  const words = readWords(part, kind);
  return 'errors' in words ? words : { change: { change: 'EDIT', ...id, text: words.text ?? null } };
}

// A reaction that was taken back has an empty text.
function readReaction(value: unknown, path: string): ReadChange {
  const { key, text } = objectAt(value);
  const id = readTarget(key, `${path}.key`);
  if ('errors' in id) return id;
  return { change: { change: 'REACTION', ...id, emoji: readLabel(text, maxEmojiLength) ?? null } };
}

/** The message that a key names. */
export function readTarget(key: unknown, path: string): { externalId: string } | { errors: FieldError[] } {
  const id = externalId.safeParse(valueAt(key, ['id']));
  return id.success ? { externalId: id.data } : { errors: fieldErrors(id.error, `${path}.id`) };
}

function readId(value: unknown): string | undefined {
  return externalId.safeParse(value).data;
}

const maxPartLength = 1_000;

// `item1.TEL;type=CELL;waid=…:+55 11 …`
const cardNumber = /^(?:[\w-]+\.)?TEL[^:\r\n]*:([^\r\n]+)/gim;
const cardName = /^FN[^:\r\n]*:([^\r\n]+)/im;

/** `latitude,longitude`, then the place's name, its address and what was written about it. */
export function placeText(value: unknown): string | undefined {
  const place = objectAt(value);
  const [latitude, longitude] = [readDegrees(place.degreesLatitude), readDegrees(place.degreesLongitude)];
  const point = latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;
  const details = [place.name, place.address, place.caption, place.comment].map(readPart);
  return joinLines([point, ...details]);
}

/** `Ana Souza: +55 11 …, +55 21 …`, one line for each card. */
export function cardsText(cards: unknown): string | undefined {
  return Array.isArray(cards) ? joinLines(cards.map(cardText)) : undefined;
}

/** The question, then its options. */
export function pollText(value: unknown): string | undefined {
  const poll = objectAt(value);
  const options = Array.isArray(poll.options) ? poll.options : [];
  const names = options.map((option) => readPart(isPlainObject(option) ? option.optionName : undefined));
  return joinLines([readPart(poll.name), ...names.map((name) => (name === undefined ? undefined : `- ${name}`))]);
}

function cardText(value: unknown): string | undefined {
  const card = objectAt(value);
  const vcard = typeof card.vcard === 'string' ? card.vcard : '';
  const name = readPart(card.displayName) ?? readPart(cardName.exec(vcard)?.[1]);
  const numbers = [...vcard.matchAll(cardNumber)]
    .map((match) => readPart(match[1]))
    .filter((part) => part !== undefined);
  if (numbers.length === 0) return name;
  return name === undefined ? numbers.join(', ') : `${name}: ${numbers.join(', ')}`;
}

function readDegrees(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readPart(value: unknown): string | undefined {
  return readLabel(value, maxPartLength);
}

function joinLines(lines: readonly (string | undefined)[]): string | undefined {
  const text = lines.filter((line) => line !== undefined).join('\n');
  return text === '' ? undefined : text;
}

// Which part of a message says something, and what is known of each kind. Wrappers (disappearing, view once, a document's
// caption) are opened here; what the part says is read in evolution-content.ts.

/** The part of a message that says something, as `imageMessage` with what it holds. */
export interface MessagePart {
  name: string;
  value: unknown;
  path: string;
  /** The innermost message it stands in. */
  message: Record<string, unknown>;
}

export interface KnownKind {
  /** The type it has with us. */
  type: string;
  /** A file: its words are the caption. */
  isMedia?: true;
  /** Where the words may stand, best first. */
  fields?: readonly string[][];
  /** Puts words together where nobody wrote any. */
  textOf?: (value: unknown) => string | undefined;
}

const media = (type: string): KnownKind => ({ type, isMedia: true, fields: [['caption']] });
const reply = (...fields: string[][]): KnownKind => ({ type: 'text', fields });
const place: KnownKind = { type: 'location', textOf: placeText };
const poll: KnownKind = { type: 'pollCreationMessage', textOf: pollText };

/** Maps, because a kind may be named like a property of every object. */
export const knownKinds: ReadonlyMap<string, KnownKind> = new Map([
  ['conversation', { type: 'text', fields: [[]] }],
  ['extendedTextMessage', { type: 'text', fields: [['text']] }],
  ['imageMessage', media('image')],
  ['videoMessage', media('video')],
  ['ptvMessage', media('video')],
  ['audioMessage', media('audio')],
  ['documentMessage', media('document')],
  ['stickerMessage', media('sticker')],
  ['locationMessage', place],
  ['liveLocationMessage', place],
  ['contactMessage', { type: 'contact', textOf: (card) => cardsText([card]) }],
  ['contactsArrayMessage', { type: 'contact', textOf: (list) => cardsText(objectAt(list).contacts) }],
  ['buttonsResponseMessage', reply(['selectedDisplayText'], ['selectedButtonId'])],
  ['templateButtonReplyMessage', reply(['selectedDisplayText'], ['selectedId'])],
  ['listResponseMessage', reply(['title'], ['description'], ['singleSelectReply', 'selectedRowId'])],
  ['interactiveResponseMessage', reply(['body', 'text'])],
  ['pollCreationMessage', poll],
  ['pollCreationMessageV2', poll],
  ['pollCreationMessageV3', poll],
  ['pollCreationMessageV5', poll],
  ['buttonsMessage', { type: 'buttonsMessage', fields: [['contentText'], ['text']] }],
  ['listMessage', { type: 'listMessage', fields: [['description'], ['title']] }],
  ['interactiveMessage', { type: 'interactiveMessage', fields: [['body', 'text']] }],
  [
    'templateMessage',
    {
      type: 'templateMessage',
      fields: [
        ['hydratedTemplate', 'hydratedContentText'],
        ['hydratedFourRowTemplate', 'hydratedContentText'],
        ['interactiveMessageTemplate', 'body', 'text'],
      ],
    },
  ],
  ['groupInviteMessage', { type: 'groupInviteMessage', fields: [['caption'], ['groupName']] }],
  ['eventMessage', { type: 'eventMessage', fields: [['name']] }],
  ['productMessage', { type: 'productMessage', fields: [['body'], ['product', 'title']] }],
  ['orderMessage', { type: 'orderMessage', fields: [['message'], ['orderTitle']] }],
]);

/** The network speaks to itself by it: an edit, a revocation, a setting. */
export const protocolKind = 'protocolMessage';
export const reactionKind = 'reactionMessage';

const wrappers = new Set([
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'deviceSentMessage',
  'associatedChildMessage',
  'lottieStickerMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'questionMessage',
  'questionReplyMessage',
  'pollCreationMessageV4',
]);

/** More wrappers than one message has; what lies deeper is a placeholder. */
const maxWrappers = 8;

// What stands beside the part and says nothing by itself.
const silentFields = new Set([
  'messageContextInfo',
  'contextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'mediaUrl',
  'base64',
  'speechToText',
  'quoted',
]);

// Names in `messageType` that say nothing where the message itself is empty.
const emptyTypes = new Set([
  'unknown',
  'conversation',
  'extendedTextMessage',
  protocolKind,
  reactionKind,
  ...silentFields,
]);

/**
 * The part that says something, out of its wrappers; undefined where nothing was said.
 * @param path the message's, for errors
 */
export function findPart(message: Record<string, unknown>, path: string): MessagePart | undefined {
  const inner = unwrap(message, path);
  const names = Object.keys(inner.message).filter((name) => !silentFields.has(name) && !isNothing(inner.message[name]));
  const name =
    names.find((word) => knownKinds.has(word) || word === protocolKind || word === reactionKind) ??
    names.find((word) => word.includes('Message')) ??
    names[0];
  if (name === undefined) return undefined;
  return { name, value: inner.message[name], path: `${inner.path}.${name}`, message: inner.message };
}

/** Whether the name in `messageType` means that something was said, though the message itself does not show it. */
export function namesKind(messageType: string): boolean {
  return !emptyTypes.has(messageType);
}

/** What is missing, or empty text: an empty field hides no other. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function unwrap(message: Record<string, unknown>, path: string): { message: Record<string, unknown>; path: string } {
  let opened = { message, path };
  for (let depth = 0; depth < maxWrappers; depth += 1) {
    const { message: outer } = opened;
    const wrapper = Object.keys(outer).find(
      (name) => wrappers.has(name) && isPlainObject(valueAt(outer, [name, 'message'])),
    );
    if (wrapper === undefined) return opened;
    opened = { message: objectAt(outer, wrapper, 'message'), path: `${opened.path}.${wrapper}.message` };
  }
  return opened;
}
