// Owns how WAHA writes one message, as its engine GOWS does: in its webhooks, in its lists, and its ids in answers.

import type { HistoryRow, SentStatus } from './message-history.js';
import { messageOf } from './network-message.js';

/** The simulator's address, and whether the file of a message was downloaded. */
export interface WahaView {
  readonly serverUrl: string;
  readonly isDownloaded: boolean;
  /** The message that is answered, where it is known. */
  readonly quoted?: HistoryRow | undefined;
}

const ACKS: Readonly<Record<SentStatus, readonly [ack: number, name: string]>> = {
  FAILED: [-1, 'ERROR'],
  PENDING: [0, 'PENDING'],
  SENT: [1, 'SERVER'],
  DELIVERED: [2, 'DEVICE'],
  READ: [3, 'READ'],
};

const EXTENSIONS: readonly (readonly [pattern: RegExp, extension: string])[] = [
  [/^image\/png/, 'png'],
  [/^image\//, 'jpeg'],
  [/^video\//, 'mp4'],
  [/^audio\/(?:ogg|opus)/, 'oga'],
  [/^audio\//, 'mp3'],
  [/^application\/pdf/, 'pdf'],
];

/** `{fromMe}_{chatId}_{id}`. */
export function serializedIdOf(row: Pick<HistoryRow, 'number' | 'lid' | 'source' | 'id'>): string {
  return `${row.source !== 'lead'}_${chatIdOf(row)}_${row.id}`;
}

export function chatIdOf({ number, lid }: Pick<HistoryRow, 'number' | 'lid'>): string {
  if (lid !== undefined) return `${lid}@lid`;
  return number.includes('@') ? number : `${number}@c.us`;
}

export function ackOf(status: SentStatus): { ack: number; ackName: string } {
  const [ack, ackName] = ACKS[status];
  return { ack, ackName };
}

/** A message in WAHA's form. `from` is the conversation, also for our own messages, and only groups have `to`. */
export function makeWahaMessage(row: HistoryRow, view: WahaView) {
  const { text, media, source, status, name, id, at } = row;
  const chatId = chatIdOf(row);
  const isFromMe = source !== 'lead';
  // The engine's own data has the network's names.
  const jid = chatId.replace(/@c\.us$/, '@s.whatsapp.net');
  return {
    id: serializedIdOf(row),
    timestamp: Math.floor(at / 1_000),
    from: chatId,
    fromMe: isFromMe,
    source: source === 'api' ? 'api' : 'app',
    body: media === undefined ? (text ?? '') : (media.caption ?? text ?? ''),
    to: null,
    participant: null,
    hasMedia: media !== undefined,
    media: mediaOf(row, view),
    ...(isFromMe ? ackOf(status) : { ack: null, ackName: 'UNKNOWN' }),
    location: null,
    vCards: null,
    replyTo: replyToOf(row, view),
    _data: {
      Info: {
        Chat: jid,
        Sender: jid,
        ID: id,
        IsFromMe: isFromMe,
        IsGroup: false,
        PushName: isFromMe ? '' : (name ?? ''),
      },
      Message: messageOf(row),
    },
  };
}

function mediaOf({ media, instance, id }: HistoryRow, { isDownloaded, serverUrl }: WahaView): object | null {
  if (media === undefined || !isDownloaded) return null;
  const { mimeType: mimetype = 'application/octet-stream', fileName: filename = null } = media;
  const extension = EXTENSIONS.find(([pattern]) => pattern.test(mimetype))?.[1] ?? 'bin';
  const url = `${serverUrl}/api/files/${encodeURIComponent(instance)}/${encodeURIComponent(id)}.${extension}`;
  return { url, mimetype, filename, error: null };
}

function replyToOf({ replyTo: id }: HistoryRow, { quoted }: WahaView): object | null {
  if (id === undefined) return null;
  const body = quoted?.media?.caption ?? quoted?.text ?? '';
  return { id, participant: null, body, hasMedia: quoted?.media !== undefined, media: null };
}
