// Reads a gateway's history from the oldest record to the newest, in spans that are short enough to be held, and takes in missing records.
// All records are counted: each was here, is recovered, or has a reason. Statuses of our messages that count by the history are counted,
// too.

import type {
  ChatGateway,
  GatewayEndpoint,
  HistoryRecord,
  HistorySpan,
  PermanentRefusal,
  TemporaryRefusal,
} from '../../providers/chat-gateway.js';
import type { Database } from '../../platform/database/database.js';
import { storableText } from '../../platform/input/input.js';
import { newRecordId } from '../../platform/database/record-id.js';
import {
  idOfPast,
  readPastRecord,
  readPastStatus,
  type HistoryOrigin,
  type PastRecord,
} from '../intake/history-call.js';
import type { ReportedItem, ReportedStatus } from '../../providers/reported.js';
import type { ItemResult } from '../intake/webhook-call.js';
import type { WebhookService } from '../intake/webhook.service.js';
import { identityKeyOf } from '../leads/identity/lead-contact.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import { pastPlaceColumns, selectPlacesByExternalId } from '../messages/message.sql.js';
import { isPlaceholder } from '../messages/reported.js';
import { placeRecords } from './message-place.js';

export interface HistoryReaderOptions {
  database: Database;
  webhooks: Pick<WebhookService, 'receiveHistory'>;
}

/** The instance whose history is read, and its gateway. */
export interface HistorySource extends HistoryOrigin {
  gateway: ChatGateway;
  endpoint: GatewayEndpoint;
}

export interface ReadingBounds {
  /** The start, in whole seconds, as gateways count. */
  from: Date;
  /** The end, in whole seconds. It is not part of the span. */
  to: Date;
  /** The reading begins no further span after that many records. */
  maxRecords: number;
  /** The reading begins no further span after that time. */
  limitMs: number;
  /** Ends the calls. */
  signal: AbortSignal;
}

/** The findings of a reading. */
export interface Reading {
  /** The time up to which it came: everything up to there, and nothing after it, is counted. */
  readTo: Date;
  atGateway: number;
  here: number;
  recovered: number;
  unexplained: number;
  /** Messages of ours whose status no webhook had brought. */
  statuses: number;
  /** The reasons why records were not taken in, each with the number of records. */
  reasons: Map<string, number>;
  /** The times at which leads wrote the messages that were recovered, the oldest first; the first 1,000. */
  recoveredInbound: Date[];
  /** Provider ids of the records at the gateway; undefined where they are too many to be held. */
  seenIds: Set<string> | undefined;
  /** The reason why it ended early; undefined where it came to its end or its bounds. */
  refusal: TemporaryRefusal | PermanentRefusal | undefined;
}

/** A record as it was read. */
interface ReadRecord extends PastRecord {
  externalId: string | null;
  writtenAt: Date;
  /** The record's message; undefined where it is none. */
  message: Extract<ReportedItem, { kind: 'message' }> | undefined;
  /** The status of a message of ours. */
  status: ReportedStatus | undefined;
  knownId: string | undefined;
  /** The position of the message that is here. */
  knownPosition: string | undefined;
  /** True if the message that is here came without its content, which the record has. */
  fills: boolean;
  /** True if its status counts for the message that is here. */
  rises: boolean;
}

interface KnownPlace {
  id: string;
  position: string;
  externalId: string;
  rises: boolean;
  waitsForContent: boolean;
}

type Outcome = 'here' | 'recovered' | { reason: string };

const hourMs = 3_600_000;
const [firstSpanMs, longestSpanMs, shortestSpanMs] = [hourMs, 24 * hourMs, 1_000];
const recordsPerSpan = 2_000;
/** The most records of one second, which cannot be divided. */
const recordsPerShortestSpan = 20_000;
/** A span with so few records lets the next one be longer. */
const fewRecords = 200;
const recordsPerCall = 100;
const bytesPerCall = 512 * 1024;
/** The most reasons of one reading. The others are counted together. */
export const maxReasons = 20;
const maxReasonLength = 200;
const maxDates = 1_000;
const maxSeenIds = 100_000;
const otherReasons = 'other reasons';

export class HistoryReader {
  constructor(private readonly options: HistoryReaderOptions) {}

  /** Reads until the end or a bound. Safe to repeat: what is here stays as it is. */
  async read(source: HistorySource, bounds: ReadingBounds): Promise<Reading> {
    const startedAtMs = performance.now();
    const reading = emptyReading(bounds.from);
    const lastPositions = new Map<string, bigint>();
    let spanMs = firstSpanMs;
    while (reading.readTo < bounds.to) {
      if (reading.atGateway >= bounds.maxRecords || performance.now() - startedAtMs > bounds.limitMs) break;
      const to = new Date(Math.min(bounds.to.getTime(), reading.readTo.getTime() + spanMs));
      const limit = spanMs === shortestSpanMs ? recordsPerShortestSpan : recordsPerSpan;
      const result = await this.ask(source, { from: reading.readTo, to }, limit, bounds.signal);
      if (result.outcome === 'tooMany' && spanMs > shortestSpanMs) {
        spanMs = Math.max(shortestSpanMs, Math.floor(spanMs / 4_000) * 1_000);
        continue;
      }
      if (result.outcome !== 'answered') {
        reading.refusal = result.outcome === 'tooMany' ? tooMany : result;
        break;
      }
      await this.takeIn(source, result.records, reading, lastPositions);
      if (result.records.length < fewRecords) spanMs = Math.min(longestSpanMs, spanMs * 2);
      reading.readTo = to;
    }
    return reading;
  }

  // A gateway counts the end as well: the span ends a second before the next one begins.
  private ask({ gateway, endpoint }: HistorySource, { from, to }: HistorySpan, limit: number, signal: AbortSignal) {
    const span = { from, to: new Date(to.getTime() - shortestSpanMs) };
    return gateway.history?.read(endpoint, span, limit, signal) ?? Promise.resolve(notKept);
  }

  private async takeIn(
    source: HistorySource,
    records: readonly HistoryRecord[],
    reading: Reading,
    lastPositions: Map<string, bigint>,
  ): Promise<void> {
    const read = await this.findKnown(source, toRead(source, records));
    const places = placeRecords(
      read.map(({ message, writtenAt, knownPosition }) => ({ chat: chatOf(message), writtenAt, knownPosition })),
      lastPositions,
      new Date(),
    );
    const placed = read.map((record, index): ReadRecord => ({ ...record, position: places[index] }));
    trim(lastPositions);
    for (const record of placed) noteSeen(reading, record);
    const newest = newestChanges(placed);
    const standsFor = (record: ReadRecord) => newest.get(changeKeyOf(record) ?? '') ?? record;
    const outcomes = new Map(placed.filter(isSettled).map((record) => [record, outcomeOfSettled(record)]));
    const missing = placed.filter((record) => !isSettled(record) && standsFor(record) === record);
    for (const batch of batchesOf(missing)) {
      const results = await this.options.webhooks.receiveHistory(source, batch);
      for (const [index, record] of batch.entries()) outcomes.set(record, outcomeOf(results[index]));
    }
    for (const record of placed) count(reading, record, outcomes.get(standsFor(record)) ?? unsettled());
    const isHere = (record: ReadRecord) => {
      const outcome = outcomes.get(record);
      return outcome === 'here' || outcome === 'recovered';
    };
    reading.statuses += await this.takeInStatuses(source, placed.filter(isHere));
  }

  /** @returns how many statuses counted */
  private async takeInStatuses(source: HistorySource, records: readonly ReadRecord[]): Promise<number> {
    const news = records.flatMap((record) => {
      const { status, knownId, rises } = record;
      // A message that has just been recovered is SENT.
      const isNews = status !== undefined && (knownId === undefined ? status.status !== 'SENT' : rises);
      return isNews ? [{ ...record, report: { item: status }, messageId: newRecordId(), isStatus: true }] : [];
    });
    let applied = 0;
    for (const batch of batchesOf(news)) {
      const results = await this.options.webhooks.receiveHistory(source, batch);
      applied += results.filter((result) => 'outcome' in result && result.outcome === 'applied').length;
    }
    return applied;
  }

  /** Finds the messages that are here already. */
  private async findKnown(source: HistorySource, records: readonly ReadRecord[]): Promise<ReadRecord[]> {
    const { tenantId, instanceId } = source;
    const keys = records.flatMap(({ externalId, status }) =>
      externalId === null ? [] : [{ instanceId, externalId, status: status?.status ?? null }],
    );
    if (keys.length === 0) return [...records];
    const values = [tenantId, ...pastPlaceColumns.valuesOf(keys)];
    const rows = await this.options.database.query<KnownPlace>(selectPlacesByExternalId, values);
    const known = new Map(rows.map((place) => [place.externalId, place]));
    return records.map((record) => {
      const place = known.get(record.externalId ?? '');
      const { message } = record;
      const fills = place?.waitsForContent === true && message !== undefined && !isPlaceholder(message);
      return { ...record, knownId: place?.id, knownPosition: place?.position, rises: place?.rises ?? false, fills };
    });
  }
}

const notKept: PermanentRefusal = {
  outcome: 'permanent',
  code: 'NOT_OFFERED',
  detail: 'The gateway of this chat instance keeps no history. Have it deliver the webhooks again.',
};

const tooMany: TemporaryRefusal = {
  outcome: 'temporary',
  code: 'HISTORY_TOO_DENSE',
  detail: `The gateway's history has more than ${recordsPerShortestSpan} messages in one second`,
};

function emptyReading(from: Date): Reading {
  const counts = { atGateway: 0, here: 0, recovered: 0, unexplained: 0, statuses: 0 };
  const found = { reasons: new Map(), recoveredInbound: [], seenIds: new Set<string>() };
  return { readTo: from, ...counts, ...found, refusal: undefined };
}

function toRead({ dialect }: HistorySource, records: readonly HistoryRecord[]): ReadRecord[] {
  return records.map(({ id, raw, writtenAt }, index) => {
    const report = readPastRecord(dialect, raw, `records.${index}`);
    const message = 'item' in report && report.item.kind === 'message' ? report.item : undefined;
    const time = message?.timestamp ?? writtenAt ?? new Date();
    const externalId = message?.externalId ?? id;
    const status = readPastStatus(dialect, raw, report);
    const unknown = { knownId: undefined, knownPosition: undefined, rises: false, fills: false };
    return { raw, report, message, externalId, writtenAt: time, messageId: idOfPast(report), status, ...unknown };
  });
}

/** The key of the changes of one side to one message in one second; undefined for any other record. */
function changeKeyOf({ report }: ReadRecord): string | undefined {
  const item = 'item' in report ? report.item : undefined;
  if (item?.kind !== 'change' || item.timestamp === undefined) return undefined;
  return [item.change, item.externalId, item.direction, item.timestamp.getTime()].join(' ');
}

/**
 * Maps changes within a second to the last of them in the history's order, which stands for all. The others would come again with each
 * reading.
 */
function newestChanges(records: readonly ReadRecord[]): Map<string, ReadRecord> {
  return new Map(
    records.flatMap((record) => {
      const key = isSettled(record) ? undefined : changeKeyOf(record);
      return key === undefined ? [] : [[key, record]];
    }),
  );
}

function chatOf(message: ReadRecord['message']): string | null {
  const first = message?.contact[0];
  return first === undefined ? null : identityKeyOf({ ...first, matchKey: matchKeyOf(first) });
}

/** True if nothing has to be written of the record. */
function isSettled({ report, knownId, fills }: ReadRecord): boolean {
  return (knownId !== undefined && !fills) || !('item' in report) || report.item.kind === 'ignored';
}

function outcomeOfSettled({ report, knownId }: ReadRecord): Outcome {
  if (knownId !== undefined) return 'here';
  if ('item' in report) return { reason: report.item.kind === 'ignored' ? report.item.reason : report.item.kind };
  return { reason: `cannot be read: ${wordsOf(report.errors)}` };
}

// The place among the records is left out: it says nothing, and would make each reason its own.
function wordsOf(errors: readonly { path: string; message: string }[]): string {
  return errors.map(({ path, message }) => `${path.replace(/^records\.\d+\.?/, '')} ${message}`.trim()).join('; ');
}

function outcomeOf(result: ItemResult | undefined): Outcome {
  if (result === undefined) return { reason: 'it has no result' };
  if ('duplicate' in result) return result.duplicate ? 'here' : 'recovered';
  if (result.outcome === 'applied') return 'recovered';
  if (result.outcome === 'parked') return { reason: 'its message is not here' };
  if (result.outcome === 'refused') return { reason: `cannot be taken in: ${wordsOf(result.errors)}` };
  return 'reason' in result ? { reason: result.reason } : 'here';
}

function count(reading: Reading, { message, writtenAt }: ReadRecord, outcome: Outcome): void {
  reading.atGateway += 1;
  if (outcome === 'here') reading.here += 1;
  else if (outcome === 'recovered') {
    reading.recovered += 1;
    if (message?.direction === 'INBOUND' && reading.recoveredInbound.length < maxDates)
      reading.recoveredInbound.push(writtenAt);
  } else {
    reading.unexplained += 1;
    const named = storableText(outcome.reason, maxReasonLength);
    const reason = reading.reasons.has(named) || reading.reasons.size < maxReasons - 1 ? named : otherReasons;
    reading.reasons.set(reason, (reading.reasons.get(reason) ?? 0) + 1);
  }
}

function noteSeen(reading: Reading, { externalId }: ReadRecord): void {
  if (externalId !== null) reading.seenIds?.add(externalId);
  if ((reading.seenIds?.size ?? 0) > maxSeenIds) reading.seenIds = undefined;
}

/** Splits records into calls, in their order. A call's records and bytes are bounded. */
function batchesOf(records: readonly ReadRecord[]): ReadRecord[][] {
  const batches: ReadRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const size = JSON.stringify(record.raw).length;
    const last = batches.at(-1);
    const isFull = last === undefined || last.length >= recordsPerCall || bytes + size > bytesPerCall;
    if (isFull) batches.push([record]);
    else last.push(record);
    bytes = isFull ? size : bytes + size;
  }
  return batches;
}

function unsettled(): never {
  throw new Error('a record has no outcome');
}

const maxChats = 20_000;

// Forgets the chats first that have been unchanged for the longest time.
function trim(lastPositions: Map<string, bigint>): void {
  for (const chat of lastPositions.keys()) {
    if (lastPositions.size <= maxChats) return;
    lastPositions.delete(chat);
  }
}
