// Keeps what dashboards read up to date: it computes anew whatever has changed, before a dashboard is read and every minute. Which
// rows have changed the database's triggers say; writing messages and leads waits for none of it.

import type { Database, SqlRunner } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import {
  computeReplyTimes,
  deleteCounts,
  hasChanges,
  insertCounts,
  lockRollUp,
  raiseMemory,
  selectChangedTenants,
  takeChanges,
} from './roll-up.sql.js';

export interface RollUpOptions {
  database: Database;
  log: Logger;
}

interface TakenChanges {
  taken: number;
  quarters: Date[];
  leadIds: string[];
}

// Each transaction holds the tenant's lock; none of its statements may take long. A busy tenant's changes are of the same quarter and
// leads, which each transaction computes anew: better many at once.
const changesPerTransaction = 20_000;
const quartersPerStatement = 500;
const leadsPerStatement = 500;

export class RollUpService {
  private stopping = false;

  constructor(private readonly options: RollUpOptions) {}

  /**
   * Computes what has changed for a tenant, everything that was committed before the call included. Safe to repeat, and to run twice
   * at once: the second waits for the first, at most the database's lock time limit.
   */
  async catchUp(tenantId: string): Promise<void> {
    const [state] = await this.options.database.query<{ behind: boolean }>(hasChanges, [tenantId]);
    if (state?.behind !== true) return;
    while ((await this.computeSome(tenantId)) === changesPerTransaction && !this.stopping);
  }

  /** As `catchUp`, for every tenant. What fails is logged and left to the next run. */
  async catchUpAll(): Promise<void> {
    const tenants = await this.options.database.query<{ tenantId: string }>(selectChangedTenants);
    for (const { tenantId } of tenants) {
      if (this.stopping) return;
      await this.catchUp(tenantId).catch((error: unknown) =>
        this.options.log.warn({ err: error, tenantId }, 'the figures of a tenant could not be brought up to date'),
      );
    }
  }

  /** A run that is under way ends with its transaction, and none begins any more. */
  stop(): void {
    this.stopping = true;
  }

  private computeSome(tenantId: string): Promise<number> {
    const compute = async (sql: SqlRunner) => {
      await sql.query(lockRollUp, [tenantId]);
      await sql.query(raiseMemory);
      const [changes] = await sql.query<TakenChanges>(takeChanges, [tenantId, changesPerTransaction]);
      if (changes === undefined) return 0;
      // Statements that begin after the changes were taken see what they are about.
      await inChunks(changes.quarters, quartersPerStatement, (quarters) => countAgain(sql, tenantId, quarters));
      await inChunks(changes.leadIds, leadsPerStatement, (ids) => sql.query(computeReplyTimes, [tenantId, ids]));
      return changes.taken;
    };
    return this.options.database.transaction(compute, { tenantId });
  }
}

async function countAgain(sql: SqlRunner, tenantId: string, quarters: readonly Date[]): Promise<void> {
  await sql.query(deleteCounts, [tenantId, quarters]);
  await sql.query(insertCounts, [tenantId, quarters]);
}

async function inChunks<Item>(
  items: readonly Item[],
  size: number,
  work: (chunk: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) await work(items.slice(start, start + size));
}
