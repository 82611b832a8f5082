// Records of a gateway's history as a call of the journal: read by the gateway's dialect as if webhooks had brought them. A record gets an
// id of the time at which it was written.

import { AppError } from '../../platform/errors.js';
import { isPlainObject } from '../../platform/input.js';
import { newRecordId, recordIdAt } from '../../platform/record-id.js';
import { readEvolutionRecord } from './dialects/evolution-dialect.js';
import type { ReadReport } from './dialects/dialect.js';
import { readWahaRecord } from './dialects/waha-dialect.js';
import type { ChatIntake, DialectName, IdentifiedReport, WebhookCall } from './webhook-call.js';

/** The dialects whose gateways keep a history. */
export type HistoryDialect = Extract<DialectName, 'evolution' | 'waha'>;

/** Whose history it is. */
export interface HistoryOrigin {
  tenantId: string;
  instanceId: string;
  instanceName: string;
  dialect: HistoryDialect;
}

/** A record as it was read, and the id of its message if it is new. */
export interface PastRecord {
  raw: unknown;
  report: ReadReport;
  messageId: string;
}

const historyPath = /^\/history\/[^/]+$/;

export const historyRouteOf = (instanceId: string) => `/history/${instanceId}`;

export function isHistoryRoute(route: string): boolean {
  return historyPath.test(route);
}

/** Reads a record as its dialect reads a message of a webhook. @param path where it stands, for errors */
export function readPastRecord(dialect: HistoryDialect, raw: unknown, path: string): ReadReport {
  return readers[dialect](raw, path);
}

const readers: Record<HistoryDialect, (raw: unknown, path: string) => ReadReport> = {
  evolution: readEvolutionRecord,
  waha: readWahaRecord,
};

/** The id that the message of a record gets where nothing is known of its neighbours. */
export function idOfPast(report: ReadReport): string {
  const writtenAt = 'item' in report && report.item.kind === 'message' ? report.item.timestamp : undefined;
  return writtenAt === undefined ? newRecordId() : recordIdAt(writtenAt);
}

/** What the journal keeps, so that it can run again. */
export function toHistoryCall(
  { tenantId, instanceId, instanceName, dialect }: HistoryOrigin,
  records: readonly PastRecord[],
): WebhookCall {
  const body = { history: dialect, instance: instanceName, records: records.map(({ raw }) => raw) };
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
  const reports = records.map(({ report, messageId }): IdentifiedReport => ({ instance, ...report, messageId }));
  return { kind: 'chat', many: true, reports };
}

/** Reads a call of the journal again. @throws AppError CONFLICT where it is not one of a history */
export function readHistoryCall(body: unknown): { dialect: HistoryDialect; intake: ChatIntake } {
  const { history, instance, records } = isPlainObject(body) ? body : {};
  if (!isHistoryDialect(history) || typeof instance !== 'string' || !Array.isArray(records))
    throw new AppError('CONFLICT', 'Nothing reads such a history any more');
  const read = records.map((raw: unknown, index): PastRecord => {
    const report = readPastRecord(history, raw, `records.${index}`);
    return { raw, report, messageId: idOfPast(report) };
  });
  return { dialect: history, intake: toHistoryIntake(instance, read) };
}

function isHistoryDialect(value: unknown): value is HistoryDialect {
  return typeof value === 'string' && Object.hasOwn(readers, value);
}
