// What a message says: its type, words, file, and the message it answers. A kind that is unknown becomes a placeholder under
// the provider's own word. What a person wrote is kept whole or refused.

import type { FieldError } from '../../../platform/errors.js';
import { externalId, isPlainObject, storableText } from '../../../platform/input.js';
import { maxBodyLength } from '../../messages/message.schema.js';
import type { ReportedMedia } from './dialect.js';
import { findPart, isNothing, knownKinds, namesKind, protocolKind } from './evolution-kind.js';
import type { KnownKind, MessagePart } from './evolution-kind.js';
import { firstUrl, objectAt, readLabel, readSize, valueAt } from './evolution-value.js';

export interface Content {
  type: string;
  text?: string | undefined;
  media?: ReportedMedia | undefined;
  replyTo?: string | undefined;
}

export type ReadContent = { content: Content } | { ignored: string } | { errors: FieldError[] };

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
  if (part.name === protocolKind) return { ignored: readProtocol(part.value) };
  const kind = knownKinds.get(part.name);
  const words = kind === undefined ? {} : readWords(part, kind);
  if ('errors' in words) return words;
  const contexts = [part.value, part.message, message, data];
  const answered = contexts.map((context) => valueAt(context, ['contextInfo', 'stanzaId']));
  const replyTo = readId(
    kind?.about === undefined ? answered.find((id) => id != null) : valueAt(part.value, kind.about),
  );
  const type = kind?.type ?? readLabel(part.name, maxTypeLength) ?? 'unknown';
  if (kind?.isMedia !== true) return { content: { type, text: words.text, replyTo } };
  return { content: { type, media: readMedia(part.value, message.mediaUrl, words.text), replyTo } };
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
function readMedia(value: unknown, mediaUrl: unknown, caption: string | undefined): ReportedMedia {
  const file = objectAt(value);
  return {
    url: firstUrl([mediaUrl, file.url, file.media]),
    // What the business mode sends by link carries the link as its id.
    providerId: firstUrl([file.id]) === null ? readId(file.id) : undefined,
    mimeType: readLabel(file.mimetype, 100) ?? readLabel(file.mime_type, 100),
    fileName: readLabel(file.fileName, 255) ?? readLabel(file.title, 255) ?? readLabel(file.filename, 255),
    caption,
    sizeBytes: readSize(file.fileLength),
  };
}

// Evolution's own channel tells the kind in `messageType` alone.
function readUnnamed(data: Record<string, unknown>, message: Record<string, unknown>): ReadContent {
  const word = readLabel(data.messageType, maxTypeLength);
  if (word === undefined || !namesKind(word)) return { ignored: 'a message without content' };
  const kind = knownKinds.get(word);
  const media = kind?.isMedia === true ? readMedia({}, message.mediaUrl, undefined) : undefined;
  const replyTo = readId(valueAt(data, ['contextInfo', 'stanzaId']));
  return { content: { type: kind?.type ?? word, media, replyTo } };
}

function readProtocol(value: unknown): string {
  const { type, editedMessage } = objectAt(value);
  if (type === 14 || type === 'MESSAGE_EDIT' || isPlainObject(editedMessage)) return 'an edit of an earlier message';
  return type === 0 || type === 'REVOKE' ? 'an earlier message was taken back' : "the network's own housekeeping";
}

function readId(value: unknown): string | undefined {
  return externalId.safeParse(value).data;
}
