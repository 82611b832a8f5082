// Looks in Evolution API's list of sent messages for one whose answer was lost. It says that a message is absent only where
// the list was read whole and everything in it differs clearly from that message.

import { z } from 'zod';
import { isPlainObject } from '../platform/input.js';
import { captionOf, gatewayNameOf, mediaKindOf } from './chat-gateway.js';
import type { FoundSend, GatewayEndpoint, LostSend, OutgoingMessage } from './chat-gateway.js';
import { jidsOf, messageKey, numberOfJid } from './evolution-answer.js';
import { answerTooLarge, isNotDone, isSuccess } from './gateway-http.js';
import type { GatewayAnswer, GatewayCall, GatewayCallResult } from './gateway-http.js';

export interface SentListOptions {
  call: (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;
  matchKeyOf: (digits: string) => string;
}

interface SentRecord {
  id: string;
  /** Unix seconds, by the gateway's clock. */
  sentAt: number;
  /** Empty where the network hides the number. */
  numbers: string[];
  /** Undefined where it is of a kind that we do not send, or cannot be read. */
  content: Content | undefined;
}

interface Content {
  kind: string;
  words: string;
}

interface Page {
  records: SentRecord[];
  hasUnreadable: boolean;
  /** Nothing older is asked for. */
  isLast: boolean;
}

// Newest first, as Evolution gives them. More than an instance can send within a day is not read.
const maxPages = 50;
const maxPageBytes = 1024 * 1024;
/** How many records a page has: few where pictures, whose previews are listed too, make a page too large to be read. */
const [recordsPerPage, recordsPerSmallPage] = [100, 10];
/** A gateway that gives more than it was asked for is not listened to. */
const maxRecordsPerPage = 200;
/** How far the gateway's clock may be off. */
const clockSkewSeconds = 60;
const daySeconds = 86_400;

// Counted before anything looks at the records.
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

// What stands around the message of a document with words, and in a chat whose messages disappear.
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
  /** From 1. */
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

  private async findAmong(
    pageSize: number,
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    { since, listOthers }: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend | typeof pageTooLarge> {
    const sinceSeconds = Math.floor(since.getTime() / 1_000);
    const candidates: SentRecord[] = [];
    let hasUnreadable = false;
    for (let number = 1; number <= maxPages; number += 1) {
      const span = { fromSeconds: sinceSeconds - clockSkewSeconds, number, size: pageSize };
      const page = await this.readPage(endpoint, span, signal);
      if (page === pageTooLarge || 'outcome' in page) return page;
      candidates.push(...page.records.filter((record) => this.mayBe(record, message)));
      hasUnreadable ||= page.hasUnreadable;
      if (!page.isLast) continue;
      // The same words may stand in another message of ours, which has its id already.
      const others = candidates.length === 0 ? new Set() : await listOthers(candidates.map(({ id }) => id));
      const unclaimed = candidates.filter(({ id }) => !others.has(id));
      const verdict = judge(unclaimed, sinceSeconds, hasUnreadable);
      return typeof verdict === 'string' ? unclear(endpoint, verdict) : verdict;
    }
    return unclear(endpoint, 'its list of sent messages is too long to be read to its end');
  }

  private async readPage(
    endpoint: GatewayEndpoint,
    span: PageSpan,
    signal: AbortSignal,
  ): Promise<Page | FoundSend | typeof pageTooLarge> {
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

  // Not asked for by number: under a hidden one (`…@lid`) Evolution lists what it was given a number for.
  private mayBe({ numbers, content }: SentRecord, message: OutgoingMessage): boolean {
    const { matchKeyOf } = this.options;
    const wanted = contentOf(message);
    const isTo = numbers.length === 0 || numbers.some((number) => matchKeyOf(number) === matchKeyOf(message.to));
    return isTo && (content === undefined || (content.kind === wanted.kind && content.words === wanted.words));
  }
}

/** @returns what is clear, or why nothing is */
function judge(candidates: readonly SentRecord[], sinceSeconds: number, hasUnreadable: boolean): FoundSend | string {
  const certain = candidates.filter((candidate) => doubtAbout(candidate, sinceSeconds) === undefined);
  // The same words may have been sent again by hand: the first is ours.
  const [first] = certain.toSorted((one, other) => one.sentAt - other.sentAt);
  if (first !== undefined) return { outcome: 'sent', externalId: first.id };
  const [doubtful] = candidates;
  if (doubtful !== undefined) return doubtAbout(doubtful, sinceSeconds) ?? 'it gave no reason';
  return hasUnreadable ? 'its list of sent messages holds some that cannot be read' : { outcome: 'absent' };
}

function doubtAbout({ numbers, content, sentAt }: SentRecord, sinceSeconds: number): string | undefined {
  if (content === undefined) return 'it sent something of another kind at that time';
  if (numbers.length === 0) return 'it sent the same to a number that the network hides';
  return sentAt < sinceSeconds ? 'it sent the same to this number shortly before, by its own clock' : undefined;
}

// Evolution takes the times as dates, and counts neither unless both are given.
function whereSentAfter(fromSeconds: number): object {
  const from = new Date(fromSeconds * 1_000);
  const until = new Date(Date.now() + daySeconds * 1_000);
  return { key: { fromMe: true }, messageTimestamp: { gte: from.toISOString(), lte: until.toISOString() } };
}

function toPage(answer: GatewayAnswer, { fromSeconds, number, size }: PageSpan): Page | undefined {
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

// Blanks at the ends and the writing of line breaks and accents may change on the way.
function comparable(words: string): string {
  return words.replaceAll('\r\n', '\n').normalize('NFC').trim();
}

function withoutList(endpoint: GatewayEndpoint, answer: GatewayAnswer): FoundSend {
  const found = unclear(endpoint, `it answered ${answer.status} and no list of messages`);
  return isNotDone(answer) || answer.status >= 500 ? { ...found, outcome: 'unavailable' } : found;
}

function unclear(endpoint: GatewayEndpoint, reason: string): { outcome: 'unknown'; detail: string } {
  return {
    outcome: 'unknown',
    detail: `${gatewayNameOf(endpoint)} does not show whether the message was sent: ${reason}`,
  };
}
