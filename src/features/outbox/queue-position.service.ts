// Tells operators why messages wait, what stands before them, and when they leave at the earliest. What leaves when is decided by
// claim.service.ts.

import type { Database } from '../../platform/database.js';
import type { Principal } from '../../platform/principal.js';
import { maxCountedPlace, slotInMs, toWaitingPlace } from './queue-position.js';
import type { HeldSends, WaitingPlace } from './queue-position.js';
import { selectWaiting, selectWindow } from './queue-position.sql.js';
import type { LineState, WaitingRow } from './queue-position.sql.js';

export interface WaitingPlaceOptions {
  database: Database;
  /** As the dispatcher's: a send without an answer holds its place in the limit's window for as long. */
  leaseMs: number;
}

type StoredLine = Omit<LineState, 'pausedUntil'> & { pausedUntil: string | null };
interface StoredRow extends Omit<WaitingRow, 'line' | 'earlier'> {
  line: StoredLine;
  earlier: { dueAt: string; line: StoredLine } | null;
}

export class WaitingPlaceService {
  constructor(private readonly options: WaitingPlaceOptions) {}

  /** Those of the tenant's messages that wait, in at most two statements, however many there are and however long the queue is. */
  async list({ tenantId }: Principal, messageIds: readonly string[]): Promise<WaitingPlace[]> {
    const values = [tenantId, [...new Set(messageIds)], maxCountedPlace];
    const rows = (await this.options.database.query<StoredRow>(selectWaiting, values)).map(toWaitingRow);
    const limit = limitOf(rows);
    if (limit === undefined) return rows.map((row) => toWaitingPlace(row, 0));
    const window = await this.readWindow(tenantId, limit.durationMs);
    return rows.map((row) => toWaitingPlace(row, slotInMs(row.place, limit, window)));
  }

  private async readWindow(tenantId: string, durationMs: number): Promise<HeldSends> {
    const values = [tenantId, durationMs, this.options.leaseMs, maxCountedPlace + 1];
    const [window] = await this.options.database.query<HeldSends>(selectWindow, values);
    return window ?? { held: 0, leavesInMs: [] };
  }
}

// Of nobody's use where all are scheduled.
function limitOf(rows: readonly WaitingRow[]): { max: number; durationMs: number } | undefined {
  const { max, durationMs } = rows.find(({ scheduledAt }) => scheduledAt === null) ?? { max: null, durationMs: null };
  return max === null || durationMs === null ? undefined : { max, durationMs };
}

function toWaitingRow({ line, earlier, ...row }: StoredRow): WaitingRow {
  const led = earlier === null ? null : { dueAt: new Date(earlier.dueAt), line: toLine(earlier.line) };
  return { ...row, line: toLine(line), earlier: led };
}

function toLine({ pausedUntil, ...line }: StoredLine): LineState {
  return { ...line, pausedUntil: pausedUntil === null ? null : new Date(pausedUntil) };
}
