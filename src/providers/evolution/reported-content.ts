// Reads the content of a message: its type, words, file and the message it answers; or its change to an earlier message. An unknown kind
// becomes a placeholder under the provider's word. Words that are no text are refused, and words that are too long are cut.

import type { FieldError } from '../../platform/errors.js';
import { externalId, fieldErrors, isPlainObject } from '../../platform/input/input.js';
import type { ChangeOf, ReportedMedia, ReportedMessage } from '../reported.js';
import {
  findPart,
  isForwarded,
  isNothing,
  knownKinds,
  namesKind,
  protocolKind,
  quietReason,
  reactionKind,
  type KnownKind,
  type MessagePart,
} from '../whatsapp/message-part.js';
import { readNetworkChoice } from '../whatsapp/choice.js';
import { networkKinds } from '../whatsapp/kinds.js';
import { readCardReferral } from '../whatsapp/referral.js';
import { readFileName } from '../../platform/input/shown-name.js';
import { firstUrl, objectAt, readLabel, readSize, valueAt } from '../whatsapp/written-value.js';
import { boundedBody, maxEmojiLength } from '../reported.schema.js';

export type Content = Pick<
  ReportedMessage,
  'type' | 'text' | 'media' | 'replyTo' | 'choice' | 'isForwarded' | 'isPlaceholder' | 'isUnknownKind' | 'referral'
>;

/** A change of an earlier message, which is named by its provider id. */
export type Change = ChangeOf & { externalId: string };

export type ReadContent = { content: Content } | { call: { isVideo: boolean } } | ReadChange;
export type ReadChange = { change: Change } | { ignored: string } | { errors: FieldError[] };

/** The limit of the neutral dialect. */
const maxTypeLength = 32;

/**
 * @param data one message of the call, with `message` and `messageType`
 * @param path where the message stands in the call, for errors
 */
export function readContent(data: Record<string, unknown>, path: string): ReadContent {
  const message = data.message ?? {};
  const messagePath = `${path}.message`;
  if (!isPlainObject(message)) return { errors: [{ path: messagePath, message: 'has to be an object' }] };
  const part = findPart(message, messagePath);
  if (part === undefined) return readUnnamed(data, message);
  if (part.name === protocolKind) return readProtocol(part.value, part.path);
  if (part.name === reactionKind) return readReaction(part.value, part.path);
  const quiet = quietReason(part.name);
  if (quiet !== undefined) return { ignored: quiet };
  if (networkKinds.get(part.name) === 'call') return { call: { isVideo: objectAt(part.value).isVideo === true } };
  return readPart(data, message, part);
}

function readPart(data: Record<string, unknown>, message: Record<string, unknown>, part: MessagePart): ReadContent {
  const kind = knownKinds.get(part.name);
  const picked = readNetworkChoice(part);
  const words = picked ?? (kind === undefined ? {} : readWords(part, kind));
  if ('errors' in words) return words;
  const contexts = [part.value, part.message, message, data];
  const answered = contexts.map((context) => valueAt(context, ['contextInfo', 'stanzaId']));
  const replyTo = readId(answered.find((id) => id != null));
  const referral = readCardReferral(contexts.map((context) => valueAt(context, ['contextInfo'])));
  const common = { replyTo, isForwarded: isForwarded(contexts), referral };
  if (kind?.isMedia === true) {
    return { content: { type: kind.type, media: readMedia(part.value, message, words.text), ...common } };
  }
  return { content: { ...namedType(part.name), text: words.text, choice: picked?.choice, ...common } };
}

// A kind that is not read keeps the provider's word, until a call under the same id has its content.
function namedType(name: string): Pick<Content, 'type' | 'isPlaceholder' | 'isUnknownKind'> {
  if (networkKinds.get(name) === 'placeholder') return { type: 'unknown', isPlaceholder: true };
  const kind = knownKinds.get(name);
  if (kind !== undefined) return { type: kind.type };
  const isUnknownKind = networkKinds.has(name) ? undefined : true;
  return { type: readLabel(name, maxTypeLength) ?? 'unknown', isPlaceholder: true, isUnknownKind };
}

function readWords({ value, path }: MessagePart, kind: KnownKind): { text?: string } | { errors: FieldError[] } {
  const field = kind.fields?.find((candidate) => !isNothing(valueAt(value, candidate)));
  const words = field === undefined ? kind.textOf?.(value) : valueAt(value, field);
  if (words === undefined) return {};
  const wordsPath = [path, ...(field ?? [])].join('.');
  if (typeof words !== 'string') return { errors: [{ path: wordsPath, message: 'has to be text' }] };
  return { text: boundedBody(words) };
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
    // A file that the business mode sends by link carries the link as its id.
    providerId: firstUrl([file.id]) === null ? readId(file.id) : undefined,
    mimeType: readLabel(file.mimetype, 100) ?? readLabel(file.mime_type, 100),
    fileName: readFileName(file.fileName) ?? readFileName(file.title) ?? readFileName(file.filename),
    caption,
    sizeBytes,
    isVoice: file.ptt === true || undefined,
    // Bytes of another size than the file's, such as a thumbnail, are left out.
    content: sizeBytes === undefined || content?.length === sizeBytes ? content : undefined,
  };
}

const base64Text = /^(?:data:[^",]{0,200};base64,)?([A-Za-z0-9+/]+={0,2})$/;

// Text that is no Base64, as in a call from the journal, is left out. The file is then requested from the gateway.
function readBase64(value: unknown): Buffer | undefined {
  const [, text] = typeof value === 'string' ? (base64Text.exec(value) ?? []) : [];
  return text === undefined || text.length % 4 !== 0 ? undefined : Buffer.from(text, 'base64');
}

// Evolution's own channel tells the kind in `messageType` alone.
function readUnnamed(data: Record<string, unknown>, message: Record<string, unknown>): ReadContent {
  const word = readLabel(data.messageType, maxTypeLength);
  const referral = readCardReferral([data.contextInfo, message.contextInfo]);
  if (isCiphertext(data)) return { content: { type: 'unknown', isPlaceholder: true } };
  if (word === undefined || !namesKind(word))
    return referral?.headline === undefined
      ? { ignored: 'a message without content' }
      : { content: { type: 'text', referral } };
  const quiet = quietReason(word);
  if (quiet !== undefined) return { ignored: quiet };
  const kind = knownKinds.get(word);
  const media = kind?.isMedia === true ? readMedia({}, message, undefined) : undefined;
  const replyTo = readId(valueAt(data, ['contextInfo', 'stanzaId']));
  return { content: { ...namedType(word), media, replyTo, referral } };
}

// The network could not decrypt the message yet. The message comes again under the same id.
function isCiphertext({ messageStubType }: Record<string, unknown>): boolean {
  return messageStubType === 2 || messageStubType === 'CIPHERTEXT';
}

/**
 * Reads an edit or a deletion of an earlier message. The network's other protocol messages are ignored.
 * @param path the protocol message's path, for errors
 */
export function readProtocol(value: unknown, path: string): ReadChange {
  const { type, key, editedMessage } = objectAt(value);
  const isEdit = type === 14 || type === 'MESSAGE_EDIT' || isPlainObject(editedMessage);
  if (!isEdit && type !== 0 && type !== 'REVOKE') return { ignored: "the network's own housekeeping" };
  const id = readTarget(key, `${path}.key`);
  if ('errors' in id) return id;
  return isEdit ? readEdit(id, editedMessage, path) : { change: { change: 'DELETION', ...id } };
}

/** @param path the protocol message's path, for errors */
function readEdit(id: { externalId: string }, editedMessage: unknown, path: string): ReadChange {
  const part = isPlainObject(editedMessage) ? findPart(editedMessage, `${path}.editedMessage`) : undefined;
  const kind = part === undefined ? undefined : knownKinds.get(part.name);
  // An edit that cannot be read must not empty the message.
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

/** Reads the id of the message that a key names. */
export function readTarget(key: unknown, path: string): { externalId: string } | { errors: FieldError[] } {
  const id = externalId.safeParse(valueAt(key, ['id']));
  return id.success ? { externalId: id.data } : { errors: fieldErrors(id.error, `${path}.id`) };
}

function readId(value: unknown): string | undefined {
  return externalId.safeParse(value).data;
}
