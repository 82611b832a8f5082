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
import { comparable, findAmongSent, unclear, type Content, type SentPage } from '../sent-record.js';
import { isSessionOut } from './answer.js';
import { parseWahaMessageId } from './message-id.js';
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

export class WahaSentList {
  constructor(private readonly call: Call) {}

  find(endpoint: GatewayEndpoint, message: OutgoingMessage, lost: LostSend, signal: AbortSignal): Promise<FoundSend> {
    const wanted = contentOf(message);
    return findAmongSent<never>({
      endpoint,
      lost,
      maxPages,
      readPage: (fromSeconds, index) => this.readPage(endpoint, message.to, fromSeconds, index, signal),
      mayBe: ({ content }) => content?.kind === wanted.kind && content.words === wanted.words,
    });
  }

  private async readPage(
    endpoint: GatewayEndpoint,
    to: string,
    fromSeconds: number,
    number: number,
    signal: AbortSignal,
  ): Promise<SentPage | FoundSend> {
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

function toPage(answer: GatewayAnswer, to: string, fromSeconds: number): SentPage | undefined {
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
        id: parseWahaMessageId(id).id,
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

function withoutList(endpoint: GatewayEndpoint, answer: GatewayAnswer): FoundSend {
  const found = unclear(endpoint, `it answered ${answer.status} and no list of messages`);
  const isPassing = isNotDone(answer) || answer.status >= 500 || isSessionOut(answer);
  return isPassing ? { ...found, outcome: 'unavailable' } : found;
}
