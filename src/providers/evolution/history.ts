// Evolution API's history (`findMessages`): all that its instance sent and received. Pages shift while messages arrive, so it is paged
// by time: each page ends with the oldest second of the page before.

import { z } from 'zod';
import { externalId, isPlainObject } from '../../platform/input/input.js';
import type { GatewayEndpoint, GatewayHistory, HistoryRecord, HistoryResult, HistorySpan } from '../chat-gateway.js';
import { readReason } from './answer.js';
import type { GatewayAnswer } from '../http.js';
import {
  HistoryCollection,
  readHistoryPage,
  readWithSmallerPages,
  stuckHistory,
  type CallGateway,
  type HistoryPage,
  type pageTooLarge,
} from '../history-pages.js';

const listSchema = z.object({ messages: z.object({ records: z.array(z.unknown()) }) });
const writtenNumber = /^\d{1,12}$/;

/** A page's place in the history: its span ends with the second `untilSeconds`. */
interface Place {
  untilSeconds: number;
  /** The page's number, from 1; above 1 only where one second fills a page. */
  number: number;
}

export class EvolutionHistory implements GatewayHistory {
  constructor(private readonly call: CallGateway) {}

  read(endpoint: GatewayEndpoint, span: HistorySpan, maxRecords: number, signal: AbortSignal): Promise<HistoryResult> {
    return readWithSmallerPages(endpoint, (pageSize) => this.readAll(endpoint, span, maxRecords, pageSize, signal));
  }

  private async readAll(
    endpoint: GatewayEndpoint,
    span: HistorySpan,
    maxRecords: number,
    pageSize: number,
    signal: AbortSignal,
  ): Promise<HistoryResult | typeof pageTooLarge> {
    const fromSeconds = Math.floor(span.from.getTime() / 1_000);
    const found = new HistoryCollection(span);
    let place: Place | undefined = { untilSeconds: Math.floor(span.to.getTime() / 1_000), number: 1 };
    while (place !== undefined) {
      const page = await this.readPage(endpoint, fromSeconds, place, pageSize, signal);
      if (!Array.isArray(page)) return page;
      found.add(page);
      if (found.size > maxRecords) return { outcome: 'tooMany' };
      if (found.isStuck) return stuckHistory(endpoint);
      place = page.length < pageSize ? undefined : nextPlace(page, place, fromSeconds);
    }
    return { outcome: 'answered', records: found.inOrder() };
  }

  // The time filter counts only with both ends, which Evolution takes as dates and cuts to seconds.
  private readPage(
    endpoint: GatewayEndpoint,
    fromSeconds: number,
    { untilSeconds, number: page }: Place,
    offset: number,
    signal: AbortSignal,
  ): Promise<HistoryPage> {
    const messageTimestamp = { gte: toDate(fromSeconds), lte: toDate(untilSeconds) };
    return readHistoryPage(
      this.call,
      endpoint,
      {
        method: 'POST',
        path: ['chat', 'findMessages', endpoint.instanceName],
        body: { where: { key: {}, messageTimestamp }, page, offset },
        signal,
      },
      { listOf, toRecord, reasonOf: readReason },
    );
  }
}

function nextPlace(page: readonly HistoryRecord[], place: Place, fromSeconds: number): Place | undefined {
  const seconds = page.flatMap(({ writtenAt }) => (writtenAt === null ? [] : [writtenAt.getTime() / 1_000]));
  const oldest = seconds.length === 0 ? place.untilSeconds : Math.min(...seconds);
  if (oldest < fromSeconds) return undefined;
  // The next page begins in the same second, which may have more messages.
  if (oldest < place.untilSeconds) return { untilSeconds: oldest, number: 1 };
  return { ...place, number: place.number + 1 };
}

function listOf({ json }: GatewayAnswer): unknown[] | undefined {
  return listSchema.safeParse(json).data?.messages.records;
}

function toRecord(raw: unknown): HistoryRecord {
  const { key, messageTimestamp } = isPlainObject(raw) ? raw : {};
  const id = externalId.safeParse(isPlainObject(key) ? key['id'] : undefined);
  return { id: id.success ? id.data : null, writtenAt: readSeconds(messageTimestamp), raw };
}

function readSeconds(value: unknown): Date | null {
  const seconds = typeof value === 'string' && writtenNumber.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0 || seconds > 1e11) return null;
  return new Date(seconds * 1_000);
}

function toDate(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
