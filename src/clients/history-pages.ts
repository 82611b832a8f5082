// What the histories of gateways have in common: pages that overlap, pages that are too large to be read, and refusals. Which pages to
// ask for is left to the driver of each gateway.

import { gatewayNameOf } from './chat-gateway.js';
import type {
  GatewayEndpoint,
  HistoryRecord,
  HistoryResult,
  HistorySpan,
  PermanentRefusal,
  TemporaryRefusal,
} from './chat-gateway.js';
import { instanceRefusedByStatus, isSuccess } from './gateway-answer.js';
import { answerTooLarge } from './gateway-http.js';
import type { StatedReason } from './gateway-answer.js';
import type { GatewayAnswer, GatewayCall, GatewayCallResult } from './gateway-http.js';

export type CallGateway = (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<GatewayCallResult>;

/** A page is few records where previews of pictures make it too large to be read. */
const historyPageSizes = [100, 10, 1] as const;
const maxHistoryPageBytes = 1024 * 1024;
/** A gateway that lists the same messages again and again is not asked for ever. */
const maxPagesWithoutNews = 3;
/** A gateway that gives more than it was asked for is not listened to. */
const maxRecordsPerPage = 200;

export const pageTooLarge = 'page too large';

/** A page, or why there is none. */
export type HistoryPage = HistoryRecord[] | typeof pageTooLarge | TemporaryRefusal | PermanentRefusal;

/**
 * Reads one page.
 * @param listOf the records in the answer; undefined where it holds no list
 * @param reasonOf what the gateway gave as its reason for a refusal
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

/** The records of pages that overlap, each once; without those that are not of the span. */
export class HistoryCollection {
  private readonly known = new Set<string>();
  /** As the gateway lists them: the newest first. */
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

  /** Whether the gateway gives the same pages again and again. */
  get isStuck(): boolean {
    return this.pagesWithoutNews >= maxPagesWithoutNews;
  }

  get size(): number {
    return this.records.length;
  }

  /** The oldest first. Those of one second keep the gateway's order, turned round; those without a time come first. */
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

/** Reads with pages of one size after the other, until none is too large. */
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
