// Turns records of a gateway's history into a call of the journal, read by the gateway's dialect as if webhooks had brought them. A record
// gets an id of the time at which it was written, and a position among its neighbours. A record's delivery status of one of our messages
// is a report of its own.

import { AppError } from '../../platform/errors.js';
import { exceedsDepth, isPlainObject, maxJsonDepth } from '../../platform/input/input.js';
import { newRecordId, recordIdAt } from '../../platform/database/record-id.js';
import type { HistoryReaders } from '../../providers/provider.js';
import { providers, type ChatDialect } from '../../providers/registry.js';
import type { ReadReport, ReportedStatus } from '../../providers/reported.js';
import type { ChatIntake, IdentifiedReport, WebhookCall } from './webhook-call.js';

/** The tenant, instance and dialect of a history. */
export interface HistoryOrigin {
  tenantId: string;
  instanceId: string;
  instanceName: string;
  dialect: ChatDialect;
}

/** A record as it was read, and the id of its message if it is new, with its position where its neighbours are known. */
export interface PastRecord {
  raw: unknown;
  report: ReadReport;
  messageId: string;
  position?: string | undefined;
  /** True where the report is the delivery status of a message that is stored already. */
  isStatus?: boolean;
}

const readers: Partial<Record<ChatDialect, HistoryReaders>> = Object.fromEntries(
  providers.flatMap(({ dialect, history }) => (history === undefined ? [] : [[dialect, history]])),
);

const historyPath = /^\/history\/[^/]+$/;

const historyRouteOf = (instanceId: string) => `/history/${instanceId}`;

export function isHistoryRoute(route: string): boolean {
  return historyPath.test(route);
}

/** Reads a record as its dialect reads a message of a webhook. @param path where it stands, for errors */
export function readPastRecord(dialect: ChatDialect, raw: unknown, path: string): ReadReport {
  // Such a record could not be written to the journal, and one must not hold up the others.
  if (exceedsDepth(raw, maxJsonDepth))
    return { errors: [{ path, message: `must not nest deeper than ${maxJsonDepth} levels` }] };
  return readersOf(dialect).readRecord(raw, path);
}

/**
 * Returns the delivery status that a record gives for one of our messages. Histories give no time of it, so it counts from now.
 * @param report the report that was read from the record
 * @returns undefined where the record has no status, or is no message of ours
 */
export function readPastStatus(dialect: ChatDialect, raw: unknown, report: ReadReport): ReportedStatus | undefined {
  if (!('item' in report) || report.item.kind !== 'message' || report.item.direction !== 'OUTBOUND') return undefined;
  const read = readersOf(dialect).readStatus(raw);
  return read === undefined ? undefined : { kind: 'status', externalId: report.item.externalId, ...read };
}

/** Returns the id for a record's message, by the time at which it was written. */
export function idOfPast(report: ReadReport): string {
  const writtenAt = 'item' in report && report.item.kind === 'message' ? report.item.timestamp : undefined;
  return writtenAt === undefined ? newRecordId() : recordIdAt(writtenAt);
}

/** Builds the call that the journal keeps, so that it can be replayed. */
export function toHistoryCall(
  { tenantId, instanceId, instanceName, dialect }: HistoryOrigin,
  records: readonly PastRecord[],
): WebhookCall {
  const rawOf = (isStatus: boolean) =>
    records.filter((each) => (each.isStatus ?? false) === isStatus).map(({ raw }) => raw);
  const statuses = rawOf(true);
  const body = {
    history: dialect,
    instance: instanceName,
    records: rawOf(false),
    ...(statuses.length > 0 && { statuses }),
  };
  return {
    id: newRecordId(),
    tenantId,
    route: historyRouteOf(instanceId),
    contentType: 'application/json',
    signature: undefined,
    userAgent: undefined,
    body: Buffer.from(JSON.stringify(body)),
    receivedAt: new Date(),
    source: 'history',
  };
}

export function toHistoryIntake(instance: string, records: readonly PastRecord[]): ChatIntake {
  const reports = records.map(({ report, messageId, position }): IdentifiedReport => ({
    instance,
    ...report,
    messageId,
    position,
  }));
  return { kind: 'chat', many: true, reports };
}

/** Reads a call of the journal again. @throws AppError CONFLICT where it is not one of a history */
export function readHistoryCall(body: unknown): { dialect: ChatDialect; intake: ChatIntake } {
  const { history, instance, records, statuses = [] } = isPlainObject(body) ? body : {};
  const isKnown = isHistoryDialect(history) && typeof instance === 'string';
  if (!isKnown || !Array.isArray(records) || !Array.isArray(statuses))
    throw new AppError('CONFLICT', 'Nothing reads such a history any more');
  const read = records.map((raw: unknown, index): PastRecord => {
    const report = readPastRecord(history, raw, `records.${index}`);
    return { raw, report, messageId: idOfPast(report) };
  });
  const reports = statuses.map((raw: unknown, index): PastRecord => {
    const status = readPastStatus(history, raw, readPastRecord(history, raw, `statuses.${index}`));
    const item = status ?? ({ kind: 'ignored', reason: 'a record without a status' } as const);
    return { raw, report: { item }, messageId: newRecordId(), isStatus: true };
  });
  return { dialect: history, intake: toHistoryIntake(instance, [...read, ...reports]) };
}

function isHistoryDialect(value: unknown): value is ChatDialect {
  return typeof value === 'string' && Object.hasOwn(readers, value);
}

function readersOf(dialect: ChatDialect): HistoryReaders {
  const found = readers[dialect];
  if (found === undefined) throw new Error(`no provider reads a history of ${dialect}`);
  return found;
}
