// What is kept for a time only: calls in the journal, events, deliveries to webhook endpoints, statuses that wait for their message,
// attempts that no rate limit counts any more. Calls and events go with their partitions, all else in chunks, each a transaction of its
// own. The audit log is never pruned.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { PartitionedTable } from '../../platform/partitioned-table.js';
import { firstIdAt } from '../../platform/record-id.js';
import type { LogPartitions } from './log-partitions.js';
import {
  deleteOldDeliveries,
  deleteOldEndpointDeliveries,
  deleteOldEndpoints,
  deleteOldEvents,
  deleteOldSendAttempts,
  expireParkedStatuses,
  selectHasRows,
  selectTenantIds,
  selectTimeAgo,
} from './retention.sql.js';

export interface RetentionOptions {
  database: Database;
  partitions: LogPartitions;
  log: Logger;
  /** How long a call stays in the journal. */
  deliveryDays: number;
  /** How far back a reader of the event log may begin. */
  eventDays: number;
  /** How long a delivery to a webhook endpoint is kept that does not wait any more. */
  endpointDeliveryDays: number;
  /** How long a status waits for its message. */
  parkedStatusHours: number;
  /** Most rows that one statement removes. */
  chunkSize: number;
}

/** How many rows went, beside those of `partitions`. */
export interface Pruned {
  parkedStatuses: number;
  deliveries: number;
  events: number;
  sendAttempts: number;
  endpointDeliveries: number;
  /** The names of those that were dropped. */
  partitions: string[];
}

// The longest window of a rate limit is a day; an attempt counts a little longer, until its answer is as old.
const sendAttemptHours = 25;
const maxReasonLength = 2_000;

export class RetentionService {
  private stopping = false;

  constructor(private readonly options: RetentionOptions) {}

  /**
   * Removes what is past its time, by the database's clock, and makes the partitions that are missing ahead. What fails is logged and
   * left to the next run. Safe to repeat, and to run twice at once.
   */
  async prune(): Promise<Pruned> {
    await this.options.partitions.extend();
    const dropped: string[] = [];
    return {
      parkedStatuses: await this.attempt('statuses that wait', () => this.expireParkedStatuses()),
      deliveries: await this.attempt('webhook calls', () => this.removeDeliveries(dropped)),
      events: await this.attempt('events', () => this.removeEvents(dropped)),
      sendAttempts: await this.attempt('send attempts', () => this.deleteSendAttempts()),
      endpointDeliveries: await this.attempt('deliveries to endpoints', () => this.deleteEndpointDeliveries()),
      partitions: dropped,
    };
  }

  /** A run that is under way ends with its chunk, and none begins any more. */
  stop(): void {
    this.stopping = true;
  }

  private async attempt(what: string, work: () => Promise<number>): Promise<number> {
    try {
      return await work();
    } catch (error) {
      this.options.log.error({ err: error, what }, 'old rows were not removed: the next run tries again');
      return 0;
    }
  }

  private async expireParkedStatuses(): Promise<number> {
    const { parkedStatusHours, chunkSize } = this.options;
    return this.runChunks(expireParkedStatuses, [parkedStatusHours, chunkSize, maxReasonLength]);
  }

  // Partitions go first: what has none may lie behind them in a tenant's log, which is to have no gaps.
  private async removeEvents(dropped: string[]): Promise<number> {
    const { eventDays, partitions, chunkSize } = this.options;
    const firstKept = await this.timeAgo(eventDays);
    dropped.push(...(await partitions.events.dropBefore(firstKept)));
    return this.forEachOpenPartition(partitions.events, (partition, isRest) => {
      const statement = deleteOldEvents(partition, isRest ? 'logged_on' : 'occurred_at');
      return this.forEachTenant((tenantId) => this.runChunks(statement, [tenantId, firstKept, chunkSize]));
    });
  }

  private async timeAgo(days: number): Promise<Date> {
    const [time] = await this.options.database.query<{ before: Date }>(selectTimeAgo, [days]);
    if (time === undefined) throw new Error('the database told no time');
    return time.before;
  }

  private async removeDeliveries(dropped: string[]): Promise<number> {
    const { deliveryDays, partitions, chunkSize } = this.options;
    const firstKept = await this.timeAgo(deliveryDays);
    dropped.push(...(await partitions.deliveries.dropBefore(firstKept)));
    return this.forEachOpenPartition(partitions.deliveries, (partition) => {
      const statement = deleteOldDeliveries(partition);
      return this.forEachTenant((tenantId) => this.runChunks(statement, [tenantId, firstIdAt(firstKept), chunkSize]));
    });
  }

  /** Of those without a beginning, whose rows go one by one, those that have rows. */
  private async forEachOpenPartition(
    table: PartitionedTable,
    work: (partition: string, isRest: boolean) => Promise<number>,
  ): Promise<number> {
    const past = (await table.list()).filter(({ from }) => from === null).map(({ name }) => name);
    let count = 0;
    for (const name of [...past, table.restName]) {
      const [row] = await this.options.database.query<{ hasRows: boolean }>(selectHasRows(name));
      if (row?.hasRows) count += await work(name, name === table.restName);
    }
    return count;
  }

  private async deleteEndpointDeliveries(): Promise<number> {
    const { endpointDeliveryDays, chunkSize, database } = this.options;
    const since = await this.timeAgo(endpointDeliveryDays);
    const count = await this.forEachTenant((tenantId) =>
      this.runChunks(deleteOldEndpointDeliveries, [tenantId, firstIdAt(since), chunkSize]),
    );
    await database.query(deleteOldEndpoints);
    return count;
  }

  private async deleteSendAttempts(): Promise<number> {
    const { chunkSize } = this.options;
    return this.forEachTenant((tenantId) =>
      this.runChunks(deleteOldSendAttempts, [tenantId, sendAttemptHours, chunkSize]),
    );
  }

  private async forEachTenant(work: (tenantId: string) => Promise<number>): Promise<number> {
    let count = 0;
    for (const { tenantId } of await this.options.database.query<{ tenantId: string }>(selectTenantIds))
      count += await work(tenantId);
    return count;
  }

  /** Until a chunk is not full. */
  private async runChunks(statement: NamedStatement, values: readonly unknown[]): Promise<number> {
    let total = 0;
    for (let isFull = true; isFull && !this.stopping;) {
      const [row] = await this.options.database.query<{ count: number }>(statement, values);
      const count = row?.count ?? 0;
      total += count;
      isFull = count === this.options.chunkSize;
    }
    return total;
  }
}
