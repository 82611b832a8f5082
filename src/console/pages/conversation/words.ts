// What a message says of itself in words: who wrote it, what became of it, what it is.

import type { ChatMessage } from '../../live/conversation-store.js';
import type { MediaState } from '../../api/operations.js';
import { nameOf } from '../../parts/name-of.js';

type StatusWord =
  'queued' | 'scheduled' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed' | 'canceled' | 'unconfirmed';

/** Undefined for what the lead wrote. */
export function statusOf({ status, scheduledFor, error }: ChatMessage): StatusWord | undefined {
  if (status === null) return undefined;
  if (status === 'QUEUED' && scheduledFor !== null) return 'scheduled';
  if (status === 'SENDING' && error !== null) return 'unconfirmed';
  return status.toLowerCase() as StatusWord;
}

interface Authors {
  lead: string;
  phone: string;
  system: string;
}

export function authorOf(
  { direction, origin, author }: Pick<ChatMessage, 'direction' | 'origin' | 'author'>,
  { lead, phone, system }: Authors,
): string {
  if (direction === 'INBOUND') return lead;
  if (author !== null) return nameOf(author);
  return origin === 'SYSTEM' ? system : phone;
}

export type MediaKind = 'image' | 'video' | 'audio' | 'document';

export function mediaKindOf(mimeType: string | null, type: string): MediaKind {
  const [family = '', subtype = ''] = (mimeType ?? '').split('/');
  // What the server gives as a file to save, not to show.
  if (family === 'image' && !subtype.startsWith('svg')) return 'image';
  if (family === 'audio' || family === 'video') return family;
  if (mimeType !== null) return 'document';
  return type === 'image' || type === 'video' || type === 'audio' ? type : 'document';
}

export type MissingMedia = Exclude<MediaState, 'STORED'>;

/** Whether one of the actions can be done with it. */
export const canQuote = ({ deletedAt, status }: ChatMessage): boolean =>
  deletedAt === null && (status === null || ['SENT', 'DELIVERED', 'READ'].includes(status));

/** A text in pieces: addresses apart, so that they can be links. */
export function piecesOf(text: string): { text: string; href?: string }[] {
  const pieces: { text: string; href?: string }[] = [];
  let from = 0;
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"']+/giu)) {
    const address = match[0].replace(/[.,;:!?)\]}»”]+$/u, '');
    if (!URL.canParse(address)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: address, href: address });
    from = match.index + address.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

const callNames = { 'Voice call': 'voiceCall', 'Video call': 'videoCall' } as const;

/** The name of a call in the texts; null for a call that says something else. */
export function callNameOf({ body }: Pick<ChatMessage, 'body'>): 'voiceCall' | 'videoCall' | null {
  return body === null || body === '' ? 'voiceCall' : (callNames[body as keyof typeof callNames] ?? null);
}

/** Whether a message has nothing that can be shown: neither words, nor a file, nor a choice, nor an ad. */
export const isEmptyMessage = ({ body, media, choice, referral, deletedAt }: ChatMessage): boolean =>
  deletedAt === null && (body === null || body === '') && media === null && choice === null && referral === null;

/** The answers of a form in rows, as people read them. @param words of what is true or false */
export function answerRowsOf(
  answers: Record<string, unknown>,
  words: { yes: string; no: string },
): { name: string; value: string }[] {
  return Object.entries(answers).map(([name, value]) => ({ name: nameOfAnswer(name), value: wordsOf(value, words) }));
}

// Forms name their fields as programs do: `full_name`.
const nameOfAnswer = (name: string) => name.replaceAll('_', ' ').trim() || name;

function wordsOf(value: unknown, words: { yes: string; no: string }): string {
  if (Array.isArray(value)) return value.map((one) => wordsOf(one, words)).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => `${nameOfAnswer(name)}: ${wordsOf(one, words)}`)
    .join(', ');
}
