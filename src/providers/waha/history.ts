// WAHA's history: the messages of all chats in a span of time. Engines leave out messages of a page after they have counted them, so the
// offset rises by the page's size whatever came. Only an empty page is the last.

import { externalId, isPlainObject } from '../../platform/input/input.js';
import type { GatewayEndpoint, GatewayHistory, HistoryRecord, HistoryResult, HistorySpan } from '../chat-gateway.js';
import { reasonByStatus } from '../answer.js';
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
import { parseWahaMessageId } from './message-id.js';

export class WahaHistory implements GatewayHistory {
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
    const found = new HistoryCollection(span);
    for (let offset = 0; ; offset += pageSize) {
      const page = await this.readPage(endpoint, span, { limit: pageSize, offset }, signal);
      if (!Array.isArray(page)) return page;
      if (page.length === 0) return { outcome: 'answered', records: found.inOrder() };
      found.add(page);
      if (found.size > maxRecords) return { outcome: 'tooMany' };
      if (found.isStuck) return stuckHistory(endpoint);
    }
  }

  private readPage(
    endpoint: GatewayEndpoint,
    { from, to }: HistorySpan,
    { limit, offset }: { limit: number; offset: number },
    signal: AbortSignal,
  ): Promise<HistoryPage> {
    return readHistoryPage(
      this.call,
      endpoint,
      {
        method: 'GET',
        path: ['api', endpoint.instanceName, 'chats', 'all', 'messages'],
        query: {
          limit: String(limit),
          offset: String(offset),
          'filter.timestamp.gte': String(Math.floor(from.getTime() / 1_000)),
          'filter.timestamp.lte': String(Math.floor(to.getTime() / 1_000)),
          downloadMedia: 'false',
        },
        signal,
      },
      { listOf, toRecord, reasonOf: reasonByStatus },
    );
  }
}

function listOf({ json }: GatewayAnswer): unknown[] | undefined {
  return Array.isArray(json) ? (json as unknown[]) : undefined;
}

function toRecord(raw: unknown): HistoryRecord {
  const { id, timestamp } = isPlainObject(raw) ? raw : {};
  // A message may come under two ids; the network's own id within both is the same.
  const read = externalId.safeParse(typeof id === 'string' ? parseWahaMessageId(id).id : undefined);
  const isTime = typeof timestamp === 'number' && Number.isFinite(timestamp) && timestamp >= 0 && timestamp < 1e11;
  return { id: read.success ? read.data : null, writtenAt: isTime ? new Date(timestamp * 1_000) : null, raw };
}
