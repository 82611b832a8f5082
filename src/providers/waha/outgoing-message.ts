// Writes a message for WAHA: the call and the body. A file that the network plays or shows by itself goes as its kind, any other as a
// document.

import { captionOf, mediaKindOf, type OutgoingMedia, type OutgoingMessage } from '../chat-gateway.js';

// Apps show files of these types, and leave others grey. Without a type WAHA takes what the engine expects.
const shownTypes: Readonly<Record<string, RegExp>> = {
  image: /^image\/(?:jpeg|png)\s*(?:;|$)/i,
  video: /^video\/(?:mp4|3gpp)\s*(?:;|$)/i,
  // A voice note, as people record it.
  audio: /^audio\/(?:ogg|opus)\s*(?:;|$)/i,
};
const mediaRoutes: Readonly<Record<string, string>> = { image: 'sendImage', video: 'sendVideo', audio: 'sendVoice' };

/** The chat of a number: digits with country code. */
export function chatIdOf(number: string): string {
  return `${number}@c.us`;
}

export function routeOf({ type, media }: OutgoingMessage): string {
  if (media === null) return 'sendText';
  const kind = mediaKindOf(type, media);
  return isShown(kind, media) ? (mediaRoutes[kind] ?? 'sendFile') : 'sendFile';
}

/** @param to the number that the network takes it under, which may be written otherwise than the lead's */
export function toBody(session: string, message: OutgoingMessage, to: string): object {
  const { media, text, replyTo, reservedId } = message;
  return {
    session,
    chatId: chatIdOf(to),
    ...(reservedId === undefined ? {} : { id: reservedId }),
    ...(media === null ? { text } : fileOf(message, media)),
    // Engines that need the whole id quote messages of the lead only: the rest go by the last part.
    ...(replyTo === null ? {} : { reply_to: `false_${chatIdOf(to)}_${replyTo}` }),
  };
}

function fileOf(message: OutgoingMessage, media: OutgoingMedia): object {
  const caption = captionOf(message, media);
  return {
    file: {
      url: media.url,
      ...(media.mimeType == null ? {} : { mimetype: media.mimeType }),
      ...(media.fileName == null ? {} : { filename: media.fileName }),
    },
    ...(caption === undefined ? {} : { caption }),
  };
}

function isShown(kind: string, { mimeType }: OutgoingMedia): boolean {
  return mimeType == null ? kind !== 'audio' : (shownTypes[kind]?.test(mimeType) ?? false);
}
