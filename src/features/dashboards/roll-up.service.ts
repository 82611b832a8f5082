// Computes the counts and reply times that dashboards read, again for everything that has changed: before each reading and every
// minute. Triggers of the database note the changes, so writers do not wait.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database, SqlRunner } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import {
  computeRecentReplyTimes,
  computeReplyTimes,
  deleteChanges,
  deleteCounts,
  hasChanges,
  insertCounts,
  leadsMovedAtOnce,
  lockRollUp,
  moveCounts,
  prepareCounting,
  selectChangedTenants,
  selectChanges,
  wholeConversation,
} from './roll-up.sql.js';

export interface RollUpOptions {
  database: Pick<Database, 'query' | 'transaction'>;
  log: Logger;
}

interface Changes {
  ids: string[];
  quarters: Date[];
  leadIds: string[];
  recentLeadIds: string[];
  recentSince: Date | null;
}

// The most changes to compute at once. A busy tenant's changes repeat the same quarters and leads, so a larger number needs less computing.
const changesAtOnce = 20_000;
// A transaction holds the tenant's roll-up lock, so it must be short.
const quartersPerTransaction = 500;
const leadsPerTransaction = 250;
/** The job rests this many times as long as PostgreSQL has computed, so that PostgreSQL is free for callers. */
const restFactor = 2;
const longestRestMs = 1_000;
/** The time for which a run rests. A long run then goes on without rests. */
const restsForMs = 30_000;

export class RollUpService {
  private readonly stopped = new AbortController();

  constructor(private readonly options: RollUpOptions) {}

  /**
   * Computes all changes of a tenant that were committed before the call. Safe to repeat, and to run twice at once: both runs compute
   * the same results.
   */
  async catchUp(tenantId: string, rest?: (workedMs: number) => Promise<void>): Promise<void> {
    while (await this.computeSome(tenantId, rest));
  }

  /**
   * Computes changes like `catchUp`, for every tenant, with rests. A tenant with many has a turn after the others. A failure is logged and
   * left to the next run.
   */
  async catchUpAll(): Promise<void> {
    const { signal } = this.stopped;
    const restsUntilMs = performance.now() + restsForMs;
    const rest = async (workedMs: number) => {
      if (performance.now() > restsUntilMs) return;
      await delay(Math.min(workedMs * restFactor, longestRestMs), undefined, { signal }).catch(() => undefined);
    };
    const { database, log } = this.options;
    const takeTurn = (tenantId: string) =>
      this.computeSome(tenantId, rest).catch((error: unknown) => {
        log.warn({ err: error, tenantId }, 'the counts of a tenant could not be updated; trying again');
        return false;
      });
    let waiting = await database.query<{ tenantId: string }>(selectChangedTenants);
    while (waiting.length > 0) {
      const withMore: typeof waiting = [];
      for (const tenant of waiting) if (await takeTurn(tenant.tenantId)) withMore.push(tenant);
      waiting = withMore;
    }
  }

  /** Ends a run after its transaction, and starts no further run. */
  stop(): void {
    this.stopped.abort();
  }

  /** Computes a tenant's turn. @returns whether there may be more */
  private async computeSome(tenantId: string, rest?: (workedMs: number) => Promise<void>): Promise<boolean> {
    if (this.stopped.signal.aborted) return false;
    const { database } = this.options;
    const [state] = await database.query<{ hasChanges: boolean; hasMoves: boolean }>(hasChanges, [tenantId]);
    if (state === undefined || !(state.hasChanges || state.hasMoves)) return false;
    if (state.hasMoves && (await this.moveCounts(tenantId, rest))) return true;
    const [changes] = await database.query<Changes>(selectChanges, [tenantId, changesAtOnce]);
    if (changes === undefined || changes.ids.length === 0) return false;
    await this.compute(tenantId, changes, rest);
    return changes.ids.length === changesAtOnce;
  }

  // A change stays noted until all of it is computed, so that it is computed again after a crash.
  private async compute(
    tenantId: string,
    { ids, quarters, leadIds, recentLeadIds, recentSince }: Changes,
    rest?: (workedMs: number) => Promise<void>,
  ): Promise<void> {
    const locked = (work: (sql: SqlRunner) => Promise<unknown>) => this.locked(tenantId, work, rest);
    const steps = [
      ...chunksOf(leadIds, leadsPerTransaction).map(
        (some) => (sql: SqlRunner) => sql.query(computeReplyTimes, [tenantId, some, wholeConversation]),
      ),
      ...(recentLeadIds.length === 0
        ? []
        : [(sql: SqlRunner) => sql.query(computeRecentReplyTimes, [tenantId, recentLeadIds, recentSince])]),
      ...chunksOf(quarters, quartersPerTransaction).map((some) => (sql: SqlRunner) => countAgain(sql, tenantId, some)),
      (sql: SqlRunner) => sql.query(deleteChanges, [tenantId, ids]),
    ];
    // A few steps, which is the usual number, run in one transaction.
    if (steps.length > 3) for (const step of steps) await locked(step);
    else
      await locked(async (sql) => {
        for (const step of steps) await step(sql);
      });
  }

  /**
   * Moves the counts of some leads with another source or assignee. It goes before the changes are read, because it notes quarters that it
   * left out.
   * @returns whether there may be more
   */
  private async moveCounts(tenantId: string, rest?: (workedMs: number) => Promise<void>): Promise<boolean> {
    const move = async (sql: SqlRunner) => {
      await sql.query(prepareCounting);
      const [moved] = await sql.query<{ leads: number }>(moveCounts, [tenantId]);
      return moved?.leads;
    };
    return (await this.locked(tenantId, move, rest)) === leadsMovedAtOnce;
  }

  /** Runs work in a transaction that holds the tenant's lock of roll-ups; nothing after the stop. */
  private async locked<Result>(
    tenantId: string,
    work: (sql: SqlRunner) => Promise<Result>,
    rest?: (workedMs: number) => Promise<void>,
  ): Promise<Result | undefined> {
    if (this.stopped.signal.aborted) return undefined;
    const startedMs = performance.now();
    const runLocked = async (sql: SqlRunner) => {
      await sql.query(lockRollUp, [tenantId]);
      return work(sql);
    };
    const result = await this.options.database.transaction(runLocked, { tenantId });
    await rest?.(performance.now() - startedMs);
    return result;
  }
}

async function countAgain(sql: SqlRunner, tenantId: string, quarters: readonly Date[]): Promise<void> {
  await sql.query(prepareCounting);
  await sql.query(deleteCounts, [tenantId, quarters]);
  await sql.query(insertCounts, [tenantId, quarters]);
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
