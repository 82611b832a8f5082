// Looks in WAHA's list of a chat for a message whose answer was lost, where its engine gave it no id before. It says that a message is
// absent only where the list was read whole and everything in it differs clearly from that message.

import { z } from 'zod';
import { externalId } from '../../platform/input/input.js';
import {
  captionOf,
  type FoundSend,
  type GatewayEndpoint,
  type LostSend,
  type OutgoingMessage,
} from '../chat-gateway.js';
import { isNotDone, isSuccess } from '../answer.js';
import type { GatewayAnswer, GatewayCall, GatewayCallResult } from '../http.js';
import { clockSkewSeconds, comparable, judge, unclear, type Content, type SentRecord } from '../sent-record.js';
import { bareIdOf, isSessionOut } from './answer.js';
import { chatIdOf } from './outgoing-message.js';

type Call = (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;

// The most pages of one chat: no lead gets more messages within the time of a look-up.
const maxPages = 20;
/** Few records, as each comes with what its engine knows of it, previews of pictures included. */
const recordsPerPage = 25;
const maxPageBytes = 2 * 1024 * 1024;

const pageSchema = z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= recordsPerPage * 2);
const recordSchema = z.object({
  id: externalId,
  timestamp: z.number(),
  fromMe: z.boolean(),
  body: z.string().nullish(),
  hasMedia: z.boolean().nullish(),
});

interface Page {
  records: SentRecord[];
  hasUnreadable: boolean;
  isLast: boolean;
}

export class WahaSentList {
  constructor(private readonly call: Call) {}

  async find(
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    { since, listOthers }: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend> {
    const sinceSeconds = Math.floor(since.getTime() / 1_000);
    const wanted = contentOf(message);
    const candidates: SentRecord[] = [];
    let hasUnreadable = false;
    for (let number = 0; number < maxPages; number += 1) {
      const page = await this.readPage(endpoint, message.to, sinceSeconds - clockSkewSeconds, number, signal);
      if ('outcome' in page) return page;
      candidates.push(...page.records.filter(({ content }) => isSame(content, wanted)));
      hasUnreadable ||= page.hasUnreadable;
      if (!page.isLast) continue;
      const others = candidates.length === 0 ? new Set() : await listOthers(candidates.map(({ id }) => id));
      const unclaimed = candidates.filter(({ id }) => !others.has(id));
      const verdict = judge(unclaimed, sinceSeconds, hasUnreadable);
      return typeof verdict === 'string' ? unclear(endpoint, verdict) : verdict;
    }
    return unclear(endpoint, 'its list of sent messages is too long to be read to its end');
  }

  private async readPage(
    endpoint: GatewayEndpoint,
    to: string,
    fromSeconds: number,
    number: number,
    signal: AbortSignal,
  ): Promise<Page | FoundSend> {
    const answer = await this.call(endpoint, {
      method: 'GET',
      path: ['api', endpoint.instanceName, 'chats', chatIdOf(to), 'messages'],
      query: {
        limit: String(recordsPerPage),
        offset: String(number * recordsPerPage),
        'filter.timestamp.gte': String(fromSeconds),
        'filter.fromMe': 'true',
        downloadMedia: 'false',
      },
      maxAnswerBytes: maxPageBytes,
      isRepeatable: true,
      signal,
    });
    if (answer.outcome === 'permanent') return unclear(endpoint, answer.detail);
    if (answer.outcome !== 'answered') return { outcome: 'unavailable', detail: answer.detail };
    return toPage(answer, to, fromSeconds) ?? withoutList(endpoint, answer);
  }
}

function toPage(answer: GatewayAnswer, to: string, fromSeconds: number): Page | undefined {
  const list = isSuccess(answer) ? pageSchema.safeParse(answer.json).data : undefined;
  if (list === undefined) return undefined;
  const parsed = list.map((record) => recordSchema.safeParse(record).data);
  const readable = parsed.filter((record) => record !== undefined);
  // An engine that does not filter gives older records, too.
  const reachesBack = readable.some(({ timestamp }) => timestamp < fromSeconds);
  return {
    records: readable
      .filter(({ fromMe, timestamp }) => fromMe && timestamp >= fromSeconds)
      .map(({ id, timestamp, body, hasMedia }) => ({
        id: bareIdOf(id),
        sentAt: timestamp,
        numbers: [to],
        content: { kind: hasMedia === true ? 'media' : 'text', words: comparable(body ?? '') },
      })),
    hasUnreadable: readable.length < parsed.length,
    isLast: reachesBack || parsed.length < recordsPerPage,
  };
}

function contentOf(message: OutgoingMessage): Content {
  const { media, text } = message;
  if (media === null) return { kind: 'text', words: comparable(text ?? '') };
  return { kind: 'media', words: comparable(captionOf(message, media) ?? '') };
}

function isSame(one: Content | undefined, other: Content): boolean {
  return one?.kind === other.kind && one.words === other.words;
}

function withoutList(endpoint: GatewayEndpoint, answer: GatewayAnswer): FoundSend {
  const found = unclear(endpoint, `it answered ${answer.status} and no list of messages`);
  const isPassing = isNotDone(answer) || answer.status >= 500 || isSessionOut(answer);
  return isPassing ? { ...found, outcome: 'unavailable' } : found;
}
