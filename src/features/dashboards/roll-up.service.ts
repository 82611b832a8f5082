// Computes the counts and reply times that dashboards read, again for everything that has changed: before each reading and every
// minute. Triggers of the database note the changes, so writers do not wait.

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

// A transaction holds the tenant's roll-up lock, so its statements must be short. A busy tenant's changes are about the same quarters
// and leads, so many changes at once need less computing.
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
        this.options.log.warn({ err: error, tenantId }, 'the counts of a tenant could not be updated; trying again'),
      );
    }
  }

  /** Ends a run after its transaction, and starts no further run. */
  stop(): void {
    this.stopping = true;
  }

  private computeSome(tenantId: string): Promise<number> {
    const compute = async (sql: SqlRunner) => {
      await sql.query(lockRollUp, [tenantId]);
      await sql.query(raiseMemory);
      const [changes] = await sql.query<TakenChanges>(takeChanges, [tenantId, changesPerTransaction]);
      if (changes === undefined) return 0;
      // Statements that start after the changes were taken see the changed rows.
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
