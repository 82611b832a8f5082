// Lanes of tenants whose items are rows with a lease: a lane claims the rows that are due. A row that a dead worker held is due again when
// its lease ends.

import type { Database, NamedStatement } from '../database/database.js';
import type { Logger } from '../observability/logger.js';
import { LaneScheduler } from './lane-scheduler.js';

export interface LeasedLanesOptions {
  database: Database;
  log: Logger;
  /** The most items at a time in this process, for one tenant and for all tenants. */
  concurrency: number;
  totalConcurrency: number;
  /** The time for which a claim belongs to this worker, in milliseconds. It is longer than the work on an item may take. */
  leaseMs: number;
  /** The time between two sweeps, in milliseconds. A sweep finds work that a lost notification or a dead worker left behind. */
  sweepIntervalMs: number;
}

export interface LeasedRows<Item> {
  /** The items, in logs. */
  name: string;
  /** Selects `tenantId` of the tenants with items. */
  selectTenants: NamedStatement;
  /** $1 tenant, $2 limit, $3 lease in ms → the items that it claims. */
  claim: NamedStatement;
  /** $1 tenant → `inMs`, the time until its next item is due; null if there is none. */
  selectNextDue: NamedStatement;
  /** $1 tenant, then `keysOf` the items: gives them back, without counting the attempt. */
  release: NamedStatement;
  /** The columns of the items' keys. */
  keysOf: (items: readonly Item[]) => unknown[];
}

export abstract class LeasedLanes<Item> {
  private readonly lanes: LaneScheduler<Item>;
  private readonly database: Database;
  private readonly rows: LeasedRows<Item>;

  constructor(options: LeasedLanesOptions, rows: LeasedRows<Item>) {
    const { database, log, concurrency, totalConcurrency, leaseMs, sweepIntervalMs } = options;
    this.database = database;
    this.rows = rows;
    this.lanes = new LaneScheduler<Item>({
      name: rows.name,
      log,
      concurrency,
      totalConcurrency,
      sweepIntervalMs,
      sweep: async () => {
        const tenants = await database.query<{ tenantId: string }>(rows.selectTenants);
        for (const { tenantId } of tenants) this.wake(tenantId);
      },
      claim: async ({ tenantId }, { limit }) => ({
        items: await database.change<Item>(tenantId, rows.claim, [tenantId, limit, leaseMs]),
        nextInMs: async () => {
          const [next] = await database.query<{ inMs: number | null }>(rows.selectNextDue, [tenantId]);
          // The sweep finds items that are due later.
          return next?.inMs == null || next.inMs > sweepIntervalMs ? undefined : Math.max(next.inMs, 0);
        },
      }),
      begin: ({ tenantId }, items) =>
        // The lane may have more items, which waited for this place.
        items.map((item) => this.work(tenantId, item).then(() => true)),
      release: ({ tenantId }, items) => this.release(tenantId, items),
    });
  }

  start(): void {
    this.lanes.start();
  }

  /** Claims nothing more and waits for running work, at most `timeoutMs`. Interrupted work is repeated later. */
  stop(timeoutMs: number): Promise<void> {
    return this.lanes.stop(timeoutMs);
  }

  /** Starts work if the tenant has items that are due. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    this.lanes.wake({ tenantId, id: tenantId });
  }

  /** Aborted when the time to stop is over. */
  protected get signal(): AbortSignal {
    return this.lanes.signal;
  }

  /** Works on an item, and stores the result. Never rejects. An item without a stored result is due again when its lease ends. */
  protected abstract work(tenantId: string, item: Item): Promise<void>;

  protected async release(tenantId: string, items: readonly Item[]): Promise<void> {
    await this.database.change(tenantId, this.rows.release, [tenantId, ...this.rows.keysOf(items)]);
  }
}
