// A message in a few words and an icon, for a row of a list.

import type { LeadRowFragment } from '../api/operations.js';
import type { IconName } from './icon.js';
import { inNetworkWords } from './network-texts.js';

type LastMessage = NonNullable<LeadRowFragment['lastMessage']>;
/** The fields of a message that its words need. */
type WordedMessage = Pick<LastMessage, 'type' | 'body' | 'deletedAt'> & {
  media: Pick<NonNullable<LastMessage['media']>, 'fileName' | 'mimeType'> | null;
  choice: Pick<NonNullable<LastMessage['choice']>, 'kind'> | null;
};

const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const;
type MediaType = (typeof mediaTypes)[number];
type WordKey = MediaType | 'deleted' | 'noText' | 'unknown' | 'call' | 'notice' | 'BUTTON' | 'LIST' | 'FLOW';

export type RowWords = Readonly<Record<WordKey, string>> & { unknownKind(kind: string): string };

const maxLength = 160;

const icons: Partial<Record<string, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'mic',
  document: 'file',
  call: 'call',
};

/** Returns the icon of what a message is beside its text; undefined for a text. */
export const iconOfType = (type = ''): IconName | undefined => icons[type];

// These kinds are speech whose text may be missing.
const textTypes: ReadonlySet<string> = new Set(['text', 'template']);

/** Returns the text of a message, else its kind in words. A kind that the console does not know is named. */
export function wordsOfMessage(message: WordedMessage, words: RowWords): string {
  const { type, body, media, choice, deletedAt } = message;
  if (deletedAt !== null) return words.deleted;
  if (type === 'call' || type === 'notice') return inNetworkWords(body ?? words[type]);
  if (body !== null && body !== '') return body.slice(0, maxLength);
  if (media !== null) return media.fileName ?? words[mediaTypeOf(type, media.mimeType)];
  if (choice !== null) return words[choice.kind];
  if (type === 'unknown') return words.unknown;
  if (isMediaType(type)) return words[type];
  return textTypes.has(type) ? words.noText : words.unknownKind(type);
}

function mediaTypeOf(type: string, mimeType: string | null): MediaType {
  if (isMediaType(type)) return type;
  const family = mimeType?.split('/')[0] ?? '';
  return isMediaType(family) ? family : 'document';
}

function isMediaType(type: string): type is MediaType {
  return (mediaTypes as readonly string[]).includes(type);
}
