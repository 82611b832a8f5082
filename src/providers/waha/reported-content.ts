// Reads the content of a WAHA message: its type, words, file, and the message it answers. WAHA has its own fields for words and files, but
// none for the type. The type comes from the engine's data (`_data`), else from the file. An unknown kind becomes a placeholder.

import { parseWahaMessageId } from './message-id.js';
import type { FieldError } from '../../platform/errors.js';
import { externalId, isPlainObject } from '../../platform/input/input.js';
import type { ReportedMedia, ReportedMessage } from '../reported.js';
import {
  findPart,
  isForwarded,
  isNothing,
  knownKinds,
  protocolKind,
  quietReason,
  reactionKind,
  writtenWords,
  type MessagePart,
} from '../whatsapp/message-part.js';
import { browserPart } from './browser-part.js';
import { cardsText, placeText } from '../whatsapp/composed-text.js';
import { readNetworkChoice } from '../whatsapp/choice.js';
import { networkKinds } from '../whatsapp/kinds.js';
import { readFileName } from '../../platform/input/shown-name.js';
import { firstUrl, objectAt, readLabel, readSize } from '../whatsapp/written-value.js';
import { boundedBody } from '../reported.schema.js';

export type Content = Pick<
  ReportedMessage,
  'type' | 'text' | 'media' | 'replyTo' | 'choice' | 'isForwarded' | 'isPlaceholder' | 'isUnknownKind'
>;
export type ReadContent =
  { content: Content } | { call: { isVideo: boolean } } | { ignored: string } | { errors: FieldError[] };

/** The limit of the neutral dialect. */
const maxTypeLength = 32;
const unknownType = 'unknown';
const mediaTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
// The `body` of these types holds no words: it is a picture of the place, or the card itself.
const wordlessTypes: ReadonlySet<string> = new Set(['location', 'contact']);

/** The engine's knowledge of a message. */
interface Hint extends Pick<ReportedMessage, 'text' | 'choice' | 'isForwarded' | 'isPlaceholder' | 'isUnknownKind'> {
  /** The message's type in this service, or the network's own word. */
  type?: string | undefined;
  /** The engine's fields of the file. */
  file: Record<string, unknown>;
  isVoice?: true | undefined;
  call?: { isVideo: boolean } | undefined;
  /** The reason why the message is ignored. */
  ignored?: string | undefined;
}

/** @param path the message's path, for errors */
export function readContent(payload: Record<string, unknown>, path: string): ReadContent {
  const hint = readHint(payload);
  if (hint.ignored !== undefined) return { ignored: hint.ignored };
  if (hint.call !== undefined) return { call: hint.call };
  const file = objectAt(payload.media);
  const type = typeOf(payload, hint, file);
  // A message without words gets a text that is composed from its other fields.
  const composed = hint.text ?? textWithoutWords(payload, type);
  const words = readWords(composed ?? (wordlessTypes.has(type) ? undefined : payload.body), `${path}.body`);
  if ('errors' in words) return words;
  const { text } = words;
  const replyTo = readReplyTo(payload.replyTo);
  const { choice, isForwarded: forwarded, isUnknownKind } = hint;
  if (mediaTypes.has(type))
    return { content: { type, media: readMedia(payload, hint, text), replyTo, isForwarded: forwarded } };
  const isPlaceholder = (text === undefined && (hint.isPlaceholder || type === unknownType)) || undefined;
  return { content: { type, text, replyTo, choice, isForwarded: forwarded, isPlaceholder, isUnknownKind } };
}

/** @param path the path of the words, for errors */
export function readWords(words: unknown, path: string): { text?: string } | { errors: FieldError[] } {
  if (isNothing(words)) return {};
  if (typeof words !== 'string') return { errors: [{ path, message: 'has to be text' }] };
  return { text: boundedBody(words) };
}

function typeOf(payload: Record<string, unknown>, hint: Hint, file: Record<string, unknown>): string {
  const hasFile = payload.hasMedia === true || isPlainObject(payload.media);
  if (hasFile && !mediaTypes.has(hint.type ?? '')) {
    const [kind = ''] = (readLabel(file.mimetype, 100) ?? '').split('/');
    return mediaTypes.has(kind) ? kind : 'document';
  }
  if (hint.type !== undefined) return hint.type;
  if (isPlainObject(payload.location)) return 'location';
  if (Array.isArray(payload.vCards) && payload.vCards.length > 0) return 'contact';
  return isNothing(payload.body) ? unknownType : 'text';
}

const housekeeping = "the network's own housekeeping";
/** Parts that WAHA reports by another event, where they have a meaning. */
const silentParts: ReadonlyMap<string, string> = new Map([
  [protocolKind, housekeeping],
  [reactionKind, 'a reaction, which has an event of its own'],
]);

// Engines name the part of a message in `message`, as the network does, in `Message`, or by a word of their own.
function readHint({ _data, body }: Record<string, unknown>): Hint {
  const data = objectAt(_data);
  const message = isPlainObject(data.message) ? data.message : data.Message;
  const part = isPlainObject(message) ? findPart(message, '_data.message') : undefined;
  if (part === undefined) {
    const known = browserPart(data, body);
    return known === undefined ? readWord(data) : hintOfPart(known, data, !isNothing(body));
  }
  const silent = silentParts.get(part.name) ?? quietReason(part.name);
  return silent === undefined ? hintOfPart(part, objectAt(message), !isNothing(body)) : { file: {}, ignored: silent };
}

function hintOfPart(part: MessagePart, message: Record<string, unknown>, hasWords: boolean): Hint {
  const file = objectAt(part.value);
  const sort = networkKinds.get(part.name);
  if (sort === 'call') return { file: {}, call: { isVideo: file.isVideo === true } };
  if (sort === 'placeholder') return { file: {}, type: unknownType, isPlaceholder: true };
  const common = { file, isForwarded: isForwarded([part.value, part.message, message]) };
  const kind = knownKinds.get(part.name);
  if (kind === undefined) {
    const isUnknownKind = sort === undefined || undefined;
    return { type: readLabel(part.name, maxTypeLength) ?? unknownType, isPlaceholder: true, isUnknownKind, ...common };
  }
  const picked = readNetworkChoice(part);
  return {
    type: kind.type,
    // WAHA has the words of most parts in its own field. Of the others it knows none.
    text:
      picked?.text ??
      kind.textOf?.(part.value) ??
      (kind.isMedia === true || hasWords ? undefined : writtenWords(kind, part.value)),
    choice: picked?.choice,
    isVoice: file.ptt === true || file.PTT === true || undefined,
    ...common,
  };
}

const words: ReadonlyMap<string, string> = new Map([
  ['chat', 'text'],
  ['image', 'image'],
  ['video', 'video'],
  ['ptv', 'video'],
  ['audio', 'audio'],
  ['ptt', 'audio'],
  ['document', 'document'],
  ['sticker', 'sticker'],
  ['location', 'location'],
  ['live_location', 'location'],
  ['vcard', 'contact'],
  ['multi_vcard', 'contact'],
]);
const silentWords: ReadonlySet<string> = new Set([
  'e2e_notification',
  'notification',
  'notification_template',
  'broadcast_notification',
  'gp2',
  'protocol',
  'revoked',
]);

/** Words for a person's messages that one engine passes on without their text. */
const spokenWords: ReadonlySet<string> = new Set([
  'hsm',
  'interactive',
  'interactive_response',
  'list',
  'native_flow',
  'payment',
]);
const quietWords: ReadonlySet<string> = new Set([
  'album',
  'debug',
  'keep_in_chat',
  'oversized',
  'pinned_message',
  'poll_update',
  'poll_vote',
  'reaction',
  'scheduled_event_response',
]);

function readWord(data: Record<string, unknown>): Hint {
  const word = readLabel(data.type, maxTypeLength);
  if (word === undefined) return { file: {} };
  if (silentWords.has(word)) return { file: {}, ignored: housekeeping };
  if (quietWords.has(word)) return { file: {}, ignored: `quiet: ${word}` };
  if (word === 'call_log') return { file: {}, call: { isVideo: data.isVideoCall === true } };
  if (word === 'ciphertext' || word === unknownType) return { type: unknownType, isPlaceholder: true, file: data };
  const isForwardedWord = data.isForwarded === true || undefined;
  if (!words.has(word)) {
    const isUnknownKind = spokenWords.has(word) ? undefined : (true as const);
    return { type: word, isPlaceholder: true, isUnknownKind, isForwarded: isForwardedWord, file: data };
  }
  return {
    type: words.get(word) ?? word,
    isForwarded: isForwardedWord,
    file: data,
    isVoice: word === 'ptt' || undefined,
  };
}

function textWithoutWords({ location, vCards, body }: Record<string, unknown>, type: string): string | undefined {
  if (type === 'location') {
    const { latitude, longitude, name, address, description } = objectAt(location);
    const degrees = { degreesLatitude: toDegrees(latitude), degreesLongitude: toDegrees(longitude) };
    return placeText({ ...degrees, name, address, comment: description });
  }
  if (type !== 'contact') return undefined;
  const cards = Array.isArray(vCards) && vCards.length > 0 ? vCards : [body];
  return cardsText(cards.map((vcard: unknown) => ({ vcard })));
}

// Some engines write degrees as text.
function toDegrees(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,3}(?:\.\d{1,20})?$/.test(value) ? Number(value) : value;
}

function readMedia(payload: Record<string, unknown>, hint: Hint, caption: string | undefined): ReportedMedia {
  const file = objectAt(payload.media);
  const known = hint.file;
  return {
    url: firstUrl([file.url]),
    // The id is kept whole, because WAHA finds the message and its chat by it.
    providerId: externalId.safeParse(payload.id).data,
    mimeType: readLabel(file.mimetype, 100) ?? readLabel(known.mimetype, 100),
    fileName: readFileName(file.filename) ?? readFileName(known.fileName) ?? readFileName(known.filename),
    caption,
    sizeBytes: readSize(known.fileLength) ?? readSize(known.size),
    isVoice: hint.isVoice,
  };
}

/** Reads the id of the answered message, in any of its forms. */
function readReplyTo(replyTo: unknown): string | undefined {
  const id = externalId.safeParse(isPlainObject(replyTo) ? replyTo.id : replyTo).data;
  return id === undefined ? undefined : parseWahaMessageId(id).id;
}
