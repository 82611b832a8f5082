// The partitions of the journal and of the event log: made ahead at every start and every hour. retention.service.ts drops old ones.

import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { PartitionedTable, type PartitionKey, type PartitionState } from '../../platform/database/partitioned-table.js';
import { firstIdAt, timeOfId } from '../../platform/database/record-id.js';

const dayMs = 86_400_000;
/** A table has about so many partitions with rows. Few, because a read without a time looks into each of them. */
const partitionsKept = 16;
const daysAhead = 4;

const byId: PartitionKey = { column: 'id', boundAt: firstIdAt, timeOf: timeOfId };
const byDay: PartitionKey = {
  column: 'logged_on',
  boundAt: (time) => time.toISOString().slice(0, 10),
  timeOf: (day) => new Date(day),
};

export interface LogPartitionsOptions {
  database: Database;
  log: Logger;
  deliveryDays: number;
  eventDays: number;
}

export class LogPartitions {
  readonly deliveries: PartitionedTable;
  readonly events: PartitionedTable;
  private readonly states = new Map<string, PartitionState>();

  constructor(private readonly options: LogPartitionsOptions) {
    const { database, deliveryDays, eventDays } = options;
    const table = (name: string, key: PartitionKey, days: number) =>
      // Rows stay at most the width of a partition longer than asked for.
      new PartitionedTable({ database, table: name, key, widthDays: Math.ceil(days / partitionsKept), daysAhead });
    this.deliveries = table('webhook_deliveries', byId, deliveryDays);
    this.events = table('events', byDay, eventDays);
  }

  /**
   * Makes missing partitions. A failure is logged and left to the next run: partitions exist days ahead, and rows without one have a table
   * of their own. Safe to repeat.
   */
  async extend(): Promise<void> {
    for (const table of [this.deliveries, this.events]) {
      try {
        await table.extend();
      } catch (error) {
        this.options.log.warn({ err: error, table: table.table }, 'partitions were not made: the next run tries again');
      }
    }
  }

  /** Reads the state that the methods below report. */
  async look(): Promise<void> {
    for (const table of [this.deliveries, this.events]) this.states.set(table.table, await table.look());
  }

  /** For how many days there were partitions at the last look; NaN before the first. */
  daysCovered(table: string): number {
    const coveredUntil = this.states.get(table)?.coveredUntil.getTime() ?? Number.NaN;
    return (coveredUntil - Date.now()) / dayMs;
  }

  /** Rows that no partition was there for at the last look, up to 10,000; NaN before the first. */
  rowsWithout(table: string): number {
    return this.states.get(table)?.rowsWithout ?? Number.NaN;
  }
}
