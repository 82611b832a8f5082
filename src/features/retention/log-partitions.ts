// The partitions of the journal and of the event log: made ahead at every start and every hour. Dropping the old ones belongs to
// retention.service.ts.

import type { Database } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import { PartitionedTable } from '../../platform/partitioned-table.js';
import type { PartitionKey, PartitionState } from '../../platform/partitioned-table.js';
import { firstIdAt, timeOfId } from '../../platform/record-id.js';

const dayMs = 86_400_000;
/** A table has about so many partitions with rows, however long they are kept: each reading that names no time looks into all. */
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
      new PartitionedTable({ database, table: name, key, widthDays: widthDaysOf(days), daysAhead });
    this.deliveries = table('webhook_deliveries', byId, deliveryDays);
    this.events = table('events', byDay, eventDays);
  }

  /**
   * Makes what is missing. What fails is logged and left to the next time: there are partitions for days, and what has none is kept
   * beside them. Safe to repeat.
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

  /** Has a look for those who ask next. */
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

/** By how many days at most rows are kept longer than asked for. */
export function widthDaysOf(retentionDays: number): number {
  return Math.ceil(retentionDays / partitionsKept);
}
