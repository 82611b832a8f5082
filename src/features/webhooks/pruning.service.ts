// What is kept for a time only: calls in the journal, events, deliveries to webhook endpoints, statuses that wait for their message,
// attempts that no rate limit counts any more. Removed in chunks, each a transaction of its own. The audit log is never pruned.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import { firstIdAt } from '../../platform/record-id.js';
import {
  deleteOldDeliveries,
  deleteOldEndpointDeliveries,
  deleteOldEndpoints,
  deleteOldEvents,
  deleteOldSendAttempts,
  expireParkedStatuses,
  selectTenantIds,
  selectTimeAgo,
} from './pruning.sql.js';

export interface PruningOptions {
  database: Database;
  log: Logger;
  /** How long a call stays in the journal. */
  deliveryDays: number;
  /** How far back a reader of the event log may begin. */
  eventDays: number;
  /** How long a delivery to a webhook endpoint is kept. */
  endpointDeliveryDays: number;
  /** How long a status waits for its message. */
  parkedStatusHours: number;
  /** Most rows that one statement removes. */
  chunkSize: number;
}

/** How many rows went. */
export interface Pruned {
  parkedStatuses: number;
  deliveries: number;
  events: number;
  sendAttempts: number;
  endpointDeliveries: number;
}

// The longest window of a rate limit is a day; an attempt counts a little longer, until its answer is as old.
const sendAttemptHours = 25;
const maxReasonLength = 2_000;

export class PruningService {
  private stopping = false;

  constructor(private readonly options: PruningOptions) {}

  /**
   * Removes what is past its time, by the database's clock. What fails is logged and left to the next run. Safe to repeat, and
   * to run twice at once.
   */
  async prune(): Promise<Pruned> {
    return {
      parkedStatuses: await this.attempt('statuses that wait', () => this.expireParkedStatuses()),
      deliveries: await this.attempt('webhook calls', () => this.deleteDeliveries()),
      events: await this.attempt('events', () => this.deleteEvents()),
      sendAttempts: await this.attempt('send attempts', () => this.deleteSendAttempts()),
      endpointDeliveries: await this.attempt('deliveries to endpoints', () => this.deleteEndpointDeliveries()),
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

  private async deleteEvents(): Promise<number> {
    const { eventDays, chunkSize } = this.options;
    const firstKept = await this.timeAgo(eventDays);
    return this.forEachTenant((tenantId) => this.runChunks(deleteOldEvents, [tenantId, firstKept, chunkSize]));
  }

  private async timeAgo(days: number): Promise<Date> {
    const [time] = await this.options.database.query<{ before: Date }>(selectTimeAgo, [days]);
    if (time === undefined) throw new Error('the database told no time');
    return time.before;
  }

  private async deleteDeliveries(): Promise<number> {
    const { deliveryDays, chunkSize } = this.options;
    const firstKept = firstIdAt(await this.timeAgo(deliveryDays));
    return this.forEachTenant((tenantId) => this.runChunks(deleteOldDeliveries, [tenantId, firstKept, chunkSize]));
  }

  private async deleteEndpointDeliveries(): Promise<number> {
    const { endpointDeliveryDays, chunkSize, database } = this.options;
    const since = await this.timeAgo(endpointDeliveryDays);
    const count = await this.forEachTenant((tenantId) =>
      this.runChunks(deleteOldEndpointDeliveries, [tenantId, firstIdAt(since), since, chunkSize]),
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
