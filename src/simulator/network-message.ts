// Owns how the chat network itself writes a message: one part, named by its kind. Evolution API and WAHA's engine pass that on.

import { digitsOf } from './dressed-report.js';
import { partOf, type HistoryRow } from './message-history.js';

export function jidOf(number: string): string {
  return number.includes('@') ? number : `${number}@s.whatsapp.net`;
}

/** The network's own form of a row. */
export function messageOf(row: HistoryRow): Record<string, unknown> {
  const { kind, text, media, number, about = '', emoji, at } = row;
  const key = { remoteJid: jidOf(number), fromMe: row.source === 'lead', id: about };
  switch (kind) {
    case 'reaction':
      return { reactionMessage: { key, text: emoji ?? '', senderTimestampMs: String(at) } };
    case 'edit':
      return { protocolMessage: { key, type: 14, editedMessage: { conversation: text }, timestampMs: String(at) } };
    case 'deletion':
      return { protocolMessage: { key, type: 0 } };
    case 'message':
    default:
      return partOf(row.wire?.network, media === undefined ? { conversation: text ?? '' } : fileOf(row, media));
  }
}

function fileOf(row: HistoryRow, media: NonNullable<HistoryRow['media']>): Record<string, unknown> {
  const { mimeType: mimetype, fileName, caption = row.text } = media;
  // The network's own copy is encrypted: its address is of no use.
  const file = { url: `https://mmg.whatsapp.net/v/t62.7118-24/${digitsOf(row.id, 24)}.enc`, mimetype };
  const captioned = caption === undefined ? file : { ...file, caption };
  switch (kindOfFile(row)) {
    case 'image':
      return { imageMessage: captioned };
    case 'video':
      return { videoMessage: captioned };
    case 'audio':
      return { audioMessage: { ...file, ptt: /^audio\/(?:ogg|opus)/i.test(mimetype ?? '') } };
    case 'document':
    default:
      return { documentMessage: { ...captioned, title: fileName, fileName } };
  }
}

function kindOfFile({ type, media }: HistoryRow): 'image' | 'video' | 'audio' | 'document' {
  const named = [type, media?.mimeType?.split('/')[0]];
  return (['image', 'video', 'audio'] as const).find((kind) => named.includes(kind)) ?? 'document';
}
