// Queue positions: why messages wait, what stands before them, and when they leave at the earliest. rate-limited-claim.service.ts decides
// what leaves when.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import type { Principal } from '../../platform/principal.js';
import { isUnanswered } from './gateway-return.service.js';
import { selectWaiting, selectWindow, type InstanceState, type WaitingRow } from './queue-position.sql.js';

export interface QueuePositionOptions {
  database: Database;
  /** The dispatcher's lease in milliseconds: a send without an answer holds its place in the limit's window for as long. */
  leaseMs: number;
}

type StoredInstance = Omit<InstanceState, 'pausedUntil'> & { pausedUntil: string | null };
interface StoredRow extends Omit<WaitingRow, 'instance' | 'earlier'> {
  instance: StoredInstance;
  earlier: { dueAt: string; instance: StoredInstance } | null;
}

export class QueuePositionService {
  constructor(private readonly options: QueuePositionOptions) {}

  /**
   * Lists the queue positions of the tenant's messages that wait. It takes at most two statements, however many messages there are and
   * however long the queue is.
   */
  list({ tenantId }: Principal, messageIds: readonly string[]): Promise<QueuePosition[]> {
    return this.listIn(this.options.database, tenantId, messageIds);
  }

  /** Lists queue positions like `list`. @param sql sees the messages, as the transaction that has written them does */
  async listIn(sql: SqlRunner, tenantId: string, messageIds: readonly string[]): Promise<QueuePosition[]> {
    const values = [tenantId, [...new Set(messageIds)], maxCountedPlace];
    const rows = (await sql.query<StoredRow>(selectWaiting, values)).map(toWaitingRow);
    const limit = limitOf(rows);
    if (limit === undefined) return rows.map((row) => toQueuePosition(row, 0));
    const window = await this.readWindow(sql, tenantId, limit.durationMs);
    return rows.map((row) => toQueuePosition(row, slotInMs(row.place, limit, window)));
  }

  /** Reads the sends that the window of the tenant's limit holds. */
  async readWindow(sql: SqlRunner, tenantId: string, durationMs: number): Promise<HeldSends> {
    const values = [tenantId, durationMs, this.options.leaseMs, maxCountedPlace + 1];
    const [window] = await sql.query<HeldSends>(selectWindow, values);
    return window ?? { held: 0, leavesInMs: [] };
  }
}

// The tenant's limit. Scheduled messages do not need it.
function limitOf(rows: readonly WaitingRow[]): { max: number; durationMs: number } | undefined {
  const { max, durationMs } = rows.find(({ scheduledAt }) => scheduledAt === null) ?? { max: null, durationMs: null };
  return max === null || durationMs === null ? undefined : { max, durationMs };
}

function toWaitingRow({ instance, earlier, ...row }: StoredRow): WaitingRow {
  const led = earlier === null ? null : { dueAt: new Date(earlier.dueAt), instance: toInstance(earlier.instance) };
  return { ...row, instance: toInstance(instance), earlier: led };
}

function toInstance({ pausedUntil, ...instance }: StoredInstance): InstanceState {
  return { ...instance, pausedUntil: pausedUntil === null ? null : new Date(pausedUntil) };
}

// Explains why a message waits, and when it leaves at the earliest, from what the database knows of it.

/** Places are counted up to this one. */
export const maxCountedPlace = 10_000;

export const WaitingReason = {
  SCHEDULED: 'SCHEDULED',
  IN_QUEUE: 'IN_QUEUE',
  RATE_LIMIT: 'RATE_LIMIT',
  EARLIER_MESSAGE: 'EARLIER_MESSAGE',
  RETRY: 'RETRY',
  GATEWAY_UNREACHABLE: 'GATEWAY_UNREACHABLE',
  INSTANCE_PAUSED: 'INSTANCE_PAUSED',
  UNCONFIRMED: 'UNCONFIRMED',
  TENANT_INACTIVE: 'TENANT_INACTIVE',
} as const;

export type WaitingReason = (typeof WaitingReason)[keyof typeof WaitingReason];

export interface QueuePosition {
  messageId: string;
  reason: WaitingReason;
  /** The reason as a sentence. */
  detail: string;
  /** The number of the tenant's messages that stand before it, at most `maxCountedPlace`; null where it stands in no queue. */
  queuePosition: number | null;
  /** The earliest time at which it leaves; null if that is unknown. */
  estimatedSendAt: Date | null;
}

/** The sends in the window of the tenant's limit. */
export interface HeldSends {
  held: number;
  /** The times in milliseconds until the first of them leave the window, soonest first. */
  leavesInMs: readonly number[];
}

/**
 * The time in milliseconds until the limit lets the message at this place go, 0 for at once. Each of the `max` places of the window is
 * free, or becomes free when the send that holds it leaves the window. It is free again every `durationMs` after that.
 */
export function slotInMs(place: number, limit: { max: number; durationMs: number }, window: HeldSends): number {
  const { held, leavesInMs } = window;
  const rounds = Math.floor(place / limit.max);
  const holder = held - limit.max + (place % limit.max);
  const freeInMs = holder < 0 ? 0 : (leavesInMs[Math.min(holder, leavesInMs.length - 1)] ?? 0);
  return Math.max(0, freeInMs) + rounds * limit.durationMs;
}

/** @param inMs in how many ms the tenant's limit lets it go */
export function toQueuePosition(row: WaitingRow, inMs: number): QueuePosition {
  const { messageId, scheduledAt, now, place } = row;
  const when =
    scheduledAt === null
      ? { queuePosition: place, estimatedSendAt: estimate(row, inMs) }
      : { queuePosition: null, estimatedSendAt: latest(now, scheduledAt) };
  return { messageId, ...explain(row, inMs), ...when };
}

type Explanation = Pick<QueuePosition, 'reason' | 'detail'>;

// The reasons that usually hold a message longest are checked first.
function explain(row: WaitingRow, inMs: number): Explanation {
  const { scheduledAt, instance, earlier, now } = row;
  if (scheduledAt !== null)
    return { reason: 'SCHEDULED', detail: `It was asked to leave at ${scheduledAt.toISOString()}.` };
  if (!row.isTenantActive)
    return { reason: 'TENANT_INACTIVE', detail: 'The tenant is deactivated: its messages wait until it is back.' };
  if (row.unconfirmedSince !== null) return { reason: 'UNCONFIRMED', detail: lookUpDetail(row.unconfirmedSince) };
  if (instance.isPaused) return { reason: 'INSTANCE_PAUSED', detail: pauseDetail(instance) };
  if (earlier !== null) return { reason: 'EARLIER_MESSAGE', detail: earlierDetail(earlier, now) };
  if (row.attempts > 0 && row.dueAt > now) return explainRetry(row);
  if (inMs > 0) return { reason: 'RATE_LIMIT', detail: limitDetail(row) };
  return { reason: 'IN_QUEUE', detail: placeDetail(row.place) };
}

function estimate({ now, dueAt, instance, earlier, isTenantActive }: WaitingRow, inMs: number): Date | null {
  const pauses = [instance, ...(earlier === null ? [] : [earlier.instance])].filter(({ isPaused }) => isPaused);
  if (!isTenantActive || pauses.some(({ pausedUntil }) => pausedUntil === null)) return null;
  const ends = pauses.flatMap(({ pausedUntil }) => pausedUntil ?? []);
  const slot = new Date(now.getTime() + inMs);
  return latest(slot, dueAt, ...ends, ...(earlier === null ? [] : [earlier.dueAt]));
}

function lookUpDetail(since: Date): string {
  return `It was handed to the gateway at ${since.toISOString()} and the answer was lost: it is looked up before it is sent again.`;
}

function pauseDetail({ name, status, pausedUntil, reason }: InstanceState): string {
  const state = pausedUntil === null ? `is ${status}` : `rests until ${pausedUntil.toISOString()}`;
  return `The chat instance ${name} ${state}${reason === null ? '' : ` (${reason})`}. Its messages stay queued. They do not fail.`;
}

function earlierDetail({ dueAt, instance }: NonNullable<WaitingRow['earlier']>, now: Date): string {
  const first = 'A message to this lead that was accepted earlier has to leave first';
  if (instance.isPaused) return `${first}. ${pauseDetail(instance)}`;
  return dueAt > now ? `${first}: it is tried again at ${dueAt.toISOString()}.` : `${first}.`;
}

function explainRetry({ attempts, lastAnswer, dueAt, instance }: WaitingRow): Explanation {
  const [, code = '', detail = ''] = /^(\w+): (.*)$/s.exec(lastAnswer ?? '') ?? [];
  const again = `It is tried again at ${dueAt.toISOString()}.`;
  if (isUnanswered(code))
    return {
      reason: 'GATEWAY_UNREACHABLE',
      detail: `The gateway of ${instance.name} does not answer (${detail}). ${again}`,
    };
  const made = attempts === 1 ? 'After 1 attempt' : `After ${attempts} attempts`;
  const answer = lastAnswer === null ? 'the gateway gave no answer' : `the gateway said "${lastAnswer}"`;
  return { reason: 'RETRY', detail: `${made}: ${answer}. ${again}` };
}

function limitDetail({ max, durationMs, place }: WaitingRow): string {
  return `The tenant may send ${max} in ${durationMs} ms. ${placeDetail(place)}`;
}

function placeDetail(place: number): string {
  if (place === 0) return 'It is the next to leave.';
  if (place === maxCountedPlace) return `${maxCountedPlace} messages or more stand before it.`;
  return place === 1 ? '1 message stands before it.' : `${place} messages stand before it.`;
}

function latest(...times: Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}
