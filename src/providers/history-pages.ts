// The common part of reading gateways' histories: pages that overlap, pages that are too large to be read, and refusals. Each gateway's
// driver decides which pages to ask for.

import {
  gatewayNameOf,
  type GatewayEndpoint,
  type HistoryRecord,
  type HistoryResult,
  type HistorySpan,
  type PermanentRefusal,
  type TemporaryRefusal,
} from './chat-gateway.js';
import { instanceRefusedByStatus, isSuccess, type StatedReason } from './answer.js';
import { answerTooLarge, type GatewayAnswer, type GatewayCall, type GatewayCallResult } from './http.js';

export type CallGateway = (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;

/** The page sizes to read with: few records where previews of pictures make a page too large to be read. */
const historyPageSizes = [100, 10, 1] as const;
const maxHistoryPageBytes = 1024 * 1024;
/** Reading ends after this many pages in a row without a new record. A gateway may list the same messages again and again. */
const maxPagesWithoutNews = 3;
/** An answer with more records than this counts as no list. */
const maxRecordsPerPage = 200;

export const pageTooLarge = 'page too large';

/** A page, or the reason why there is none. */
export type HistoryPage = HistoryRecord[] | typeof pageTooLarge | TemporaryRefusal | PermanentRefusal;

/**
 * Reads one page.
 * @param listOf the records in the answer; undefined where it holds no list
 * @param reasonOf the gateway's reason for a refusal
 */
export async function readHistoryPage(
  call: CallGateway,
  endpoint: GatewayEndpoint,
  request: Omit<GatewayCall, 'isRepeatable' | 'maxAnswerBytes'>,
  read: {
    listOf: (answer: GatewayAnswer) => unknown[] | undefined;
    toRecord: (raw: unknown) => HistoryRecord;
    reasonOf: (answer: GatewayAnswer) => StatedReason;
  },
): Promise<HistoryPage> {
  const answer = await call(endpoint, { ...request, isRepeatable: true, maxAnswerBytes: maxHistoryPageBytes });
  if (answer.outcome === 'permanent') return answer;
  if (answer.outcome !== 'answered')
    return answer.code === answerTooLarge ? pageTooLarge : { ...answer, outcome: 'temporary' };
  if (!isSuccess(answer)) {
    const refused = instanceRefusedByStatus(answer, read.reasonOf(answer));
    return refused.outcome === 'answered' ? withoutList(endpoint) : refused;
  }
  const list = read.listOf(answer);
  if (list === undefined || list.length > maxRecordsPerPage) return withoutList(endpoint);
  return list.map(read.toRecord);
}

function withoutList(endpoint: GatewayEndpoint): TemporaryRefusal {
  const detail = `${gatewayNameOf(endpoint)} answered without a list of messages`;
  return { outcome: 'temporary', code: 'GATEWAY_ANSWER_INVALID', detail };
}

/** Collects the records of overlapping pages, each once, and leaves out records outside of the span. */
export class HistoryCollection {
  private readonly known = new Set<string>();
  /** The records in the gateway's order: the newest first. */
  private readonly records: HistoryRecord[] = [];
  private pagesWithoutNews = 0;

  constructor(private readonly span: HistorySpan) {}

  add(page: readonly HistoryRecord[]): void {
    const before = this.known.size;
    for (const record of page) {
      const key = record.id ?? JSON.stringify(record.raw);
      if (this.known.has(key)) continue;
      this.known.add(key);
      if (isOfSpan(record, this.span)) this.records.push(record);
    }
    this.pagesWithoutNews = this.known.size === before ? this.pagesWithoutNews + 1 : 0;
  }

  /** True if the gateway gives the same pages again and again. */
  get isStuck(): boolean {
    return this.pagesWithoutNews >= maxPagesWithoutNews;
  }

  get size(): number {
    return this.records.length;
  }

  /** Returns the oldest first. Records of one second keep the gateway's order, reversed. Records without a time come first. */
  inOrder(): HistoryRecord[] {
    return this.records
      .toReversed()
      .sort((one, other) => (one.writtenAt?.getTime() ?? 0) - (other.writtenAt?.getTime() ?? 0));
  }
}

// A gateway compares whole seconds.
function isOfSpan({ writtenAt }: HistoryRecord, { from, to }: HistorySpan): boolean {
  if (writtenAt === null) return true;
  const seconds = Math.floor(writtenAt.getTime() / 1_000);
  return seconds >= Math.floor(from.getTime() / 1_000) && seconds <= Math.floor(to.getTime() / 1_000);
}

/** The gateway gives the same pages again and again. */
export function stuckHistory(endpoint: GatewayEndpoint): TemporaryRefusal {
  const detail = `${gatewayNameOf(endpoint)} gives the same page of its history again and again`;
  return { outcome: 'temporary', code: 'GATEWAY_ANSWER_INVALID', detail };
}

/** Reads with smaller and smaller pages, until none is too large. */
export async function readWithSmallerPages(
  endpoint: GatewayEndpoint,
  read: (pageSize: number) => Promise<HistoryResult | typeof pageTooLarge>,
): Promise<HistoryResult> {
  for (const pageSize of historyPageSizes) {
    const result = await read(pageSize);
    if (result !== pageTooLarge) return result;
  }
  const detail = `${gatewayNameOf(endpoint)} has a message in its history that is too large to be read`;
  return { outcome: 'temporary', code: answerTooLarge, detail };
}
