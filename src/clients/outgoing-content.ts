// What of an outgoing message drivers of chat networks have in common: one message of a network carries one text, and a
// file is of one of four kinds.

import { permanent } from './chat-gateway.js';
import type { OutgoingMedia, OutgoingMessage, PermanentRefusal } from './chat-gateway.js';

export type MediaKind = 'image' | 'video' | 'audio' | 'document';

const mediaKinds: ReadonlySet<string> = new Set<MediaKind>(['image', 'video', 'audio', 'document']);

/** The network has no place for a text beside this file. */
export const captionRefused: PermanentRefusal = permanent(
  'CAPTION_NOT_OFFERED',
  'The network carries no text with an audio file. Send the text as a message of its own.',
);

export const contentMissing: PermanentRefusal = permanent(
  'CONTENT_MISSING',
  'The message has neither text nor media. Send one that has.',
);

/** How the network treats the file: by the message's type, and where that says nothing by its MIME type. */
export function mediaKindOf(type: string, { mimeType }: OutgoingMedia): MediaKind {
  const named = [type, mimeType?.split('/')[0] ?? ''].find(isMediaKind);
  return named ?? 'document';
}

/** The words that go along with a file; undefined where there are none. Caption and text, if they differ, are joined. */
export function captionOf({ text }: OutgoingMessage, { caption }: OutgoingMedia): string | undefined {
  const words = [...new Set([caption, text])].filter((part) => part != null && part !== '');
  return words.length === 0 ? undefined : words.join('\n\n');
}

/** What the network cannot carry at all; undefined where nothing is wrong. */
export function contentProblem(message: OutgoingMessage): PermanentRefusal | undefined {
  const { media, text, type } = message;
  if (media === null) return text === null ? contentMissing : undefined;
  return mediaKindOf(type, media) === 'audio' && captionOf(message, media) !== undefined ? captionRefused : undefined;
}

function isMediaKind(value: string): value is MediaKind {
  return mediaKinds.has(value);
}
