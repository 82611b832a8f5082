// A table that is partitioned by time: partitions are made ahead, and whole ones are dropped once they are old. Rows without a partition go
// to `partitions.<table>_rest`, so that no row is ever refused for its time. The first partition, `_past`, has no beginning. The choice of
// tables, and of their partitions' ages, belongs to features.

import type { Database, SqlRunner } from './database.js';

const dayMs = 86_400_000;
/**
 * Others who want the table meanwhile wait as long. Where a long read is in the way, such as a backup's, the change is left to the next
 * time.
 */
const lockTimeoutMs = 500;
/** Further rows without a partition are not counted. */
const maxCountedRows = 10_000;

/** The form of a column's times in the bounds of partitions. */
export interface PartitionKey {
  readonly column: string;
  boundAt(time: Date): string;
  timeOf(bound: string): Date;
}

/** A partition; `name` is its name in the schema `partitions`. */
export interface Partition {
  readonly name: string;
  /** The beginning: older rows are in an earlier partition. Null for the first, and for the table of rows without a partition. */
  readonly from: Date | null;
  /** The end: rows of this time or later are in a later partition. Null for the table of rows without a partition. */
  readonly until: Date | null;
}

export interface PartitionedTableOptions {
  database: Database;
  table: string;
  key: PartitionKey;
  /** The width of a new partition, in days, from midnight to midnight UTC. */
  widthDays: number;
  /** The number of days ahead for which there have to be partitions. */
  daysAhead: number;
}

/** The end of the partitions that follow from now on without a gap, and the number of rows without one, up to `maxCountedRows`. */
export interface PartitionState {
  coveredUntil: Date;
  rowsWithout: number;
}

interface Span {
  from: Date;
  until: Date;
}

export class PartitionedTable {
  constructor(private readonly options: PartitionedTableOptions) {}

  get table(): string {
    return this.options.table;
  }

  /** The name of the table of rows without a partition. */
  get restName(): string {
    return `${this.table}_rest`;
  }

  /** Lists the partitions, the oldest first; the table of rows without a partition is not among them. */
  async list(sql: SqlRunner = this.options.database): Promise<Partition[]> {
    const rows = await sql.query<{ name: string; bound: string }>(
      `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
      [this.table],
    );
    const partitions = rows.map(({ name, bound }) => ({ name, ...this.readBound(bound) }));
    return partitions.filter(({ until }) => until !== null).sort((one, other) => endOf(one) - endOf(other));
  }

  /** Lists the names of the tables without a beginning that have rows: their rows are deleted one by one. */
  async listOpenWithRows(): Promise<string[]> {
    const open = (await this.list()).filter(({ from }) => from === null).map(({ name }) => name);
    const found: string[] = [];
    for (const name of [...open, this.restName]) {
      const [row] = await this.options.database.query<{ hasRows: boolean }>(
        `SELECT EXISTS (SELECT FROM partitions.${name}) AS "hasRows"`,
      );
      if (row?.hasRows === true) found.push(name);
    }
    return found;
  }

  /**
   * Makes the partitions that are missing ahead, by the database's clock. A past time stays without one. Safe to repeat, and to run in
   * several processes at once.
   */
  async extend(): Promise<void> {
    const { database } = this.options;
    for (const span of missingSpans(await this.list(), await timeOf(database), this.options)) await this.create(span);
  }

  async look(): Promise<PartitionState> {
    const { database } = this.options;
    const [partitions, now, rowsWithout] = await Promise.all([this.list(), timeOf(database), this.countRest()]);
    return { coveredUntil: new Date(coveredFrom(partitions, nextMidnight(now))), rowsWithout };
  }

  /** Drops the partitions that hold nothing from `firstKept` on. @returns the names of the dropped partitions */
  async dropBefore(firstKept: Date): Promise<string[]> {
    const dropped: string[] = [];
    for (const partition of await this.list()) {
      if (endOf(partition) > firstKept.getTime()) break;
      await this.alter((sql) => sql.query(`DROP TABLE IF EXISTS partitions.${partition.name}`));
      dropped.push(partition.name);
    }
    return dropped;
  }

  private readBound(text: string): Pick<Partition, 'from' | 'until'> {
    const [, from, until] = /^FOR VALUES FROM \((.*)\) TO \((.*)\)$/.exec(text) ?? [];
    return { from: this.readTime(from), until: this.readTime(until) };
  }

  private readTime(bound: string | undefined): Date | null {
    const value = /^'(.*)'$/.exec(bound ?? '')?.[1];
    return value === undefined ? null : this.options.key.timeOf(value);
  }

  // The partition is attached rather than made in its place: writers to the table, and readers of its rows, do not wait.
  private async create({ from, until }: Span): Promise<void> {
    const { table, key } = this.options;
    const name = `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const [first, end] = [from, until].map((time) => `'${key.boundAt(time)}'`);
    await this.alter(async (sql) => {
      await sql.query(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
      if ((await this.list(sql)).some((partition) => overlaps(partition, { from, until }))) return;
      await sql.query(`CREATE TABLE partitions.${name} (LIKE public.${table} INCLUDING ALL)`);
      await sql.query(`LOCK TABLE partitions.${this.restName} IN ACCESS EXCLUSIVE MODE`);
      // Rows of this time come from a clock that was further ahead than there were partitions.
      await sql.query(
        `WITH ahead AS (
           DELETE FROM partitions.${this.restName} WHERE ${key.column} >= ${first} AND ${key.column} < ${end} RETURNING *
         ) INSERT INTO partitions.${name} SELECT * FROM ahead`,
      );
      await sql.query(
        `ALTER TABLE ${table} ATTACH PARTITION partitions.${name} FOR VALUES FROM (${first}) TO (${end})`,
      );
    });
  }

  private async alter(work: (sql: SqlRunner) => Promise<unknown>): Promise<void> {
    await this.options.database.transaction(async (sql) => {
      await sql.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await work(sql);
    });
  }

  private async countRest(): Promise<number> {
    const [row] = await this.options.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT FROM partitions.${this.restName} LIMIT ${maxCountedRows}) r`,
    );
    return row?.count ?? 0;
  }
}

async function timeOf(sql: SqlRunner): Promise<Date> {
  const [row] = await sql.query<{ now: Date }>('SELECT now() AS now');
  if (row === undefined) throw new Error('the database gave no time');
  return row.now;
}

function startOf({ from }: Partition): number {
  return from?.getTime() ?? -Infinity;
}

function endOf({ until }: Partition): number {
  return until?.getTime() ?? Infinity;
}

function overlaps(partition: Partition, { from, until }: Span): boolean {
  return startOf(partition) < until.getTime() && endOf(partition) > from.getTime();
}

function nextMidnight(now: Date): number {
  return Math.ceil(now.getTime() / dayMs) * dayMs;
}

/** @returns the end of the partitions that follow each other from this time on; this time where there is none */
function coveredFrom(partitions: readonly Partition[], time: number): number {
  const next = partitions.find((partition) => startOf(partition) <= time && time < endOf(partition));
  return next === undefined ? time : coveredFrom(partitions, endOf(next));
}

// Every gap is filled: a clock that was ahead once leaves partitions far away.
function missingSpans(
  partitions: readonly Partition[],
  now: Date,
  { widthDays, daysAhead }: Pick<PartitionedTableOptions, 'widthDays' | 'daysAhead'>,
): Span[] {
  const horizon = nextMidnight(now) + daysAhead * dayMs;
  const spans: Span[] = [];
  let from = coveredFrom(partitions, nextMidnight(now));
  while (from < horizon) {
    const nextStart = Math.min(...partitions.map(startOf).filter((start) => start > from));
    const until = Math.min(from + widthDays * dayMs, nextStart);
    spans.push({ from: new Date(from), until: new Date(until) });
    from = coveredFrom(partitions, until);
  }
  return spans;
}
