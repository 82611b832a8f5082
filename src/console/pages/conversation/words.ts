// Describes a message in words: its author, its status and its kind.

import type { ChatMessage } from '../../live/conversation-store.js';
import type { MediaState } from '../../api/operations.js';
import { nameOf } from '../../parts/name-of.js';

type StatusWord =
  'queued' | 'scheduled' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed' | 'canceled' | 'unconfirmed';

/** Undefined for the lead's own messages. */
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
  // The server delivers SVG images only as files to save, not to show.
  if (family === 'image' && !subtype.startsWith('svg')) return 'image';
  if (family === 'audio' || family === 'video') return family;
  if (mimeType !== null) return 'document';
  return type === 'image' || type === 'video' || type === 'audio' ? type : 'document';
}

export type MissingMedia = Exclude<MediaState, 'STORED'>;

/** Returns true if the message can be quoted: it is not deleted, and it was received or sent. */
export const canQuote = ({ deletedAt, status }: ChatMessage): boolean =>
  deletedAt === null && (status === null || ['SENT', 'DELIVERED', 'READ'].includes(status));

/** Splits a text into pieces. Web addresses become pieces of their own, so that they can be links. */
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

/** Returns the key of the call's name in the texts; null if the body is something else. */
export function callNameOf({ body }: Pick<ChatMessage, 'body'>): 'voiceCall' | 'videoCall' | null {
  return body === null || body === '' ? 'voiceCall' : (callNames[body as keyof typeof callNames] ?? null);
}

/** Returns true if a message has nothing to show: no words, file, choice or referral. */
export const isEmptyMessage = ({ body, media, choice, referral, deletedAt }: ChatMessage): boolean =>
  deletedAt === null && (body === null || body === '') && media === null && choice === null && referral === null;

interface AnswerWords {
  yes: string;
  no: string;
  /** Returns a text as people read it. */
  readable: (text: string) => string;
}

/** Returns a form's answers as rows for people. */
export function answerRowsOf(answers: Record<string, unknown>, words: AnswerWords): { name: string; value: string }[] {
  return Object.entries(answers).map(([name, value]) => ({ name: nameOfAnswer(name), value: wordsOf(value, words) }));
}

// Forms name their fields like program variables, such as `full_name`.
const nameOfAnswer = (name: string) => name.replaceAll('_', ' ').trim() || name;

function wordsOf(value: unknown, words: AnswerWords): string {
  if (Array.isArray(value)) return value.map((one) => wordsOf(one, words)).join(', ');
  if (typeof value === 'string') return words.readable(value);
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => `${nameOfAnswer(name)}: ${wordsOf(one, words)}`)
    .join(', ');
}
