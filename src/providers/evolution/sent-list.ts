// Looks in Evolution API's list of sent messages for one whose answer was lost. It says that a message is absent only where
// the list was read whole and everything in it differs clearly from that message.

import { z } from 'zod';
import { isPlainObject } from '../../platform/input/input.js';
import {
  captionOf,
  mediaKindOf,
  type FoundSend,
  type GatewayEndpoint,
  type LostSend,
  type OutgoingMessage,
} from '../chat-gateway.js';
import { jidsOf, messageKey } from './answer.js';
import { numberOfJid } from '../whatsapp/jid.js';
import { isNotDone, isSuccess } from '../answer.js';
import { answerTooLarge, type GatewayAnswer, type GatewayCall, type GatewayCallResult } from '../http.js';
import { comparable, findAmongSent, unclear, type Content, type SentPage, type SentRecord } from '../sent-record.js';

export interface SentListOptions {
  call: (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;
  matchKeyOf: (digits: string) => string;
}

// Evolution gives the newest records first. No more are read than an instance can send within a day.
const maxPages = 50;
const maxPageBytes = 1024 * 1024;
/** The records of a page: few where pictures, whose previews are listed too, make a page too large to be read. */
const [recordsPerPage, recordsPerSmallPage] = [100, 10];
/** An answer with more records than this counts as no list. */
const maxRecordsPerPage = 200;
const daySeconds = 86_400;

// The records are counted before anything reads them.
const records = z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= maxRecordsPerPage);
const pageSchema = z.object({
  messages: z.object({ records, pages: z.number().int().nonnegative().optional() }),
});
const timestamp = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
]);
const recordSchema = z.object({
  key: messageKey.extend({ fromMe: z.boolean().nullish() }),
  messageTimestamp: timestamp,
  message: z.unknown(),
});

// The parts that wrap a message: a document with words, and a message in a chat whose messages disappear.
const wrappers = ['documentWithCaptionMessage', 'ephemeralMessage'];

const mediaParts: ReadonlyMap<string, string> = new Map([
  ['imageMessage', 'image'],
  ['videoMessage', 'video'],
  ['ptvMessage', 'video'],
  ['audioMessage', 'audio'],
  ['documentMessage', 'document'],
]);

interface PageSpan {
  fromSeconds: number;
  /** The page's number, from 1. */
  number: number;
  size: number;
}

const pageTooLarge = 'page too large';

export class SentList {
  constructor(private readonly options: SentListOptions) {}

  async find(
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    lost: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend> {
    const found = await this.findAmong(recordsPerPage, endpoint, message, lost, signal);
    if (found !== pageTooLarge) return found;
    const foundAgain = await this.findAmong(recordsPerSmallPage, endpoint, message, lost, signal);
    if (foundAgain !== pageTooLarge) return foundAgain;
    return { ...unclear(endpoint, 'its list of sent messages is too large'), outcome: 'unavailable' };
  }

  private findAmong(
    size: number,
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    lost: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend | typeof pageTooLarge> {
    return findAmongSent<typeof pageTooLarge>({
      endpoint,
      lost,
      maxPages,
      readPage: (fromSeconds, index) => this.readPage(endpoint, { fromSeconds, number: index + 1, size }, signal),
      mayBe: (record) => this.mayBe(record, message),
    });
  }

  private async readPage(
    endpoint: GatewayEndpoint,
    span: PageSpan,
    signal: AbortSignal,
  ): Promise<SentPage | FoundSend | typeof pageTooLarge> {
    const { fromSeconds, number: page, size: offset } = span;
    const answer = await this.options.call(endpoint, {
      method: 'POST',
      path: ['chat', 'findMessages', endpoint.instanceName],
      body: { where: whereSentAfter(fromSeconds), page, offset },
      maxAnswerBytes: maxPageBytes,
      isRepeatable: true,
      signal,
    });
    if (answer.outcome === 'permanent') return unclear(endpoint, answer.detail);
    if (answer.outcome !== 'answered')
      return answer.code === answerTooLarge ? pageTooLarge : { outcome: 'unavailable', detail: answer.detail };
    return toPage(answer, span) ?? withoutList(endpoint, answer);
  }

  // The number is compared here and not by Evolution, which lists some messages under a hidden number (`…@lid`).
  private mayBe({ numbers, content }: SentRecord, message: OutgoingMessage): boolean {
    const { matchKeyOf } = this.options;
    const wanted = contentOf(message);
    const isTo = numbers.length === 0 || numbers.some((number) => matchKeyOf(number) === matchKeyOf(message.to));
    return isTo && (content === undefined || (content.kind === wanted.kind && content.words === wanted.words));
  }
}

// Evolution takes the times as dates, and counts neither unless both are given.
function whereSentAfter(fromSeconds: number): object {
  const from = new Date(fromSeconds * 1_000);
  const until = new Date(Date.now() + daySeconds * 1_000);
  return { key: { fromMe: true }, messageTimestamp: { gte: from.toISOString(), lte: until.toISOString() } };
}

function toPage(answer: GatewayAnswer, { fromSeconds, number, size }: PageSpan): SentPage | undefined {
  const list = isSuccess(answer) ? pageSchema.safeParse(answer.json).data?.messages : undefined;
  if (list === undefined) return undefined;
  const parsed = list.records.map((record) => recordSchema.safeParse(record).data);
  const readable = parsed.filter((record) => record !== undefined);
  const sent = readable.filter(({ key }) => key.fromMe === true).map(toRecord);
  const reachesBack = readable.some(({ messageTimestamp }) => messageTimestamp < fromSeconds);
  return {
    records: sent.filter(({ sentAt }) => sentAt >= fromSeconds),
    hasUnreadable: readable.length < parsed.length,
    isLast: reachesBack || (list.pages === undefined ? parsed.length < size : number >= list.pages),
  };
}

function toRecord({ key, messageTimestamp, message }: z.output<typeof recordSchema>): SentRecord {
  const jids = jidsOf(key);
  // A group or a list is a place of its own, never a lead's.
  const numbers = jids.map((jid) => numberOfJid(jid) ?? (jid.includes('@lid') ? undefined : jid));
  return {
    id: key.id,
    sentAt: messageTimestamp,
    numbers: numbers.filter((number) => number !== undefined),
    content: readContent(message),
  };
}

function contentOf(message: OutgoingMessage): Content {
  const { media, text, type } = message;
  if (media === null) return { kind: 'text', words: comparable(text ?? '') };
  return { kind: mediaKindOf(type, media), words: comparable(captionOf(message, media) ?? '') };
}

function readContent(message: unknown, depth = 0): Content | undefined {
  if (!isPlainObject(message) || depth > wrappers.length) return undefined;
  const wrapper = wrappers.map((name) => message[name]).find(isPlainObject);
  if (wrapper !== undefined) return readContent(wrapper.message ?? { documentMessage: wrapper }, depth + 1);
  if (typeof message.conversation === 'string') return { kind: 'text', words: comparable(message.conversation) };
  if (isPlainObject(message.extendedTextMessage))
    return { kind: 'text', words: textAt(message.extendedTextMessage, 'text') };
  const media = [...mediaParts].find(([part]) => isPlainObject(message[part]));
  return media && { kind: media[1], words: textAt(message[media[0]], 'caption') };
}

function textAt(part: unknown, field: string): string {
  const words = isPlainObject(part) ? part[field] : undefined;
  return typeof words === 'string' ? comparable(words) : '';
}

function withoutList(endpoint: GatewayEndpoint, answer: GatewayAnswer): FoundSend {
  const found = unclear(endpoint, `it answered ${answer.status} and no list of messages`);
  return isNotDone(answer) || answer.status >= 500 ? { ...found, outcome: 'unavailable' } : found;
}
