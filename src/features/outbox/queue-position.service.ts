// Queue positions: why messages wait, what stands before them, and when they leave at the earliest. rate-limited-claim.service.ts decides what leaves
// when.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import type { Principal } from '../../platform/principal.js';
import { maxCountedPlace, slotInMs, toQueuePosition, type HeldSends, type QueuePosition } from './queue-position.js';
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

  private async readWindow(sql: SqlRunner, tenantId: string, durationMs: number): Promise<HeldSends> {
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
