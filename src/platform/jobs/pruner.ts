// Deletes old rows in chunks, each in a transaction of its own. Modules know which rows are old; retention says when to look.

import type { Database, NamedStatement } from '../database/database.js';

export interface PrunerOptions {
  database: Pick<Database, 'query'>;
  /** All tenants, active or not. */
  listTenantIds: () => Promise<string[]>;
  /** The most rows that one statement deletes. */
  chunkSize: number;
}

export class Pruner {
  private stopping = false;

  constructor(private readonly options: PrunerOptions) {}

  /** Ends a run that is under way after its chunk, and begins no other. */
  stop(): void {
    this.stopping = true;
  }

  /**
   * Repeats a statement until a chunk is not full. Safe to repeat, and to run twice at once.
   * @param statement takes `values` and then the chunk's size, gives the `count` of rows that it deleted, and passes over locked rows
   * @returns the number of deleted rows
   */
  async run(statement: NamedStatement, values: readonly unknown[]): Promise<number> {
    let total = 0;
    for (let isFull = true; isFull && !this.stopping;) {
      const count = await this.deleteChunk(statement, values);
      total += count;
      isFull = count === this.options.chunkSize;
    }
    return total;
  }

  /**
   * Runs a statement like `run`, for each tenant, whose id comes before the values. A tenant's turn is one chunk, so that the rows of one
   * hold up no other.
   */
  async runForTenants(statement: NamedStatement, values: readonly unknown[]): Promise<number> {
    let total = 0;
    for (let waiting = await this.options.listTenantIds(); waiting.length > 0;) {
      const withMore: string[] = [];
      for (const tenantId of waiting) {
        if (this.stopping) return total;
        const count = await this.deleteChunk(statement, [tenantId, ...values]);
        total += count;
        if (count === this.options.chunkSize) withMore.push(tenantId);
      }
      waiting = withMore;
    }
    return total;
  }

  /** Returns the time that many days ago, by the database's clock. */
  async timeAgo(days: number): Promise<Date> {
    const [time] = await this.options.database.query<{ before: Date }>(selectTimeAgo, [days]);
    if (time === undefined) throw new Error('The database returned no time');
    return time.before;
  }

  private async deleteChunk(statement: NamedStatement, values: readonly unknown[]): Promise<number> {
    const { database, chunkSize } = this.options;
    const [row] = await database.query<{ count: number }>(statement, [...values, chunkSize]);
    return row?.count ?? 0;
  }
}

const selectTimeAgo: NamedStatement = {
  name: 'select-time-ago',
  text: 'SELECT now() - make_interval(days => $1::int) AS "before"',
};
