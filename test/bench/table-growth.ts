// The disk under hours of load: for each table that the load wrote, its size as time passes, what vacuum did, and the size that a newly
// written table would have. PostgreSQL counts the rest itself.

import type { Client } from 'pg';
import { withClient } from './postgres.js';
import type { Listing } from './side-by-side.js';

/** A table's size with its indexes and TOAST, and PostgreSQL's counts since the server began. */
interface TableState {
  name: string;
  bytes: number;
  inserted: number;
  updated: number;
  hotUpdated: number;
  deleted: number;
  dead: number;
  vacuums: number;
  vacuumMs: number;
}

interface Sample {
  atMs: number;
  tables: ReadonlyMap<string, TableState>;
  walBytes: number;
  walPageImages: number;
  checkpoints: number;
}

const mebibyte = 2 ** 20;
const minuteMs = 60_000;
/** A table that the load changed less often says nothing about vacuum. */
const leastChanges = 1_000;

const tablesStatement = `
  SELECT t.schemaname || '.' || t.relname AS name, pg_total_relation_size(t.relid)::float8 AS bytes,
         t.n_tup_ins::float8 AS inserted, t.n_tup_upd::float8 AS updated, t.n_tup_hot_upd::float8 AS "hotUpdated",
         t.n_tup_del::float8 AS deleted, t.n_dead_tup::float8 AS dead, t.autovacuum_count::float8 AS vacuums,
         t.total_autovacuum_time AS "vacuumMs"
    FROM pg_stat_user_tables t`;
const serverStatement = `
  SELECT w.wal_bytes::float8 AS "walBytes", w.wal_fpi::float8 AS "walPageImages",
         (c.num_timed + c.num_requested)::float8 AS checkpoints
    FROM pg_stat_wal w, pg_stat_checkpointer c`;

/** Reads a database's tables from time to time. */
export class TableGrowth {
  private readonly samples: Sample[] = [];

  constructor(private readonly databaseUrl: string) {}

  /** Reads the tables as they are now. */
  async sample(): Promise<void> {
    this.samples.push(await withClient(this.databaseUrl, readSample));
  }

  /** Reads the tables for the last time, then writes each of them as new, which locks it. */
  async finish(): Promise<Listing> {
    await this.sample();
    const packed = await withClient(this.databaseUrl, pack);
    return listingOf(this.samples, packed);
  }
}

async function readSample(client: Client): Promise<Sample> {
  const tables = await client.query<TableState>(tablesStatement);
  const server = await client.query<Omit<Sample, 'atMs' | 'tables'>>(serverStatement);
  const [counts] = server.rows;
  if (counts === undefined) throw new Error('PostgreSQL says nothing about its WAL.');
  return { atMs: performance.now(), tables: new Map(tables.rows.map((table) => [table.name, table])), ...counts };
}

async function pack(client: Client): Promise<ReadonlyMap<string, number>> {
  await client.query('VACUUM FULL');
  const { rows } = await client.query<TableState>(tablesStatement);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

function listingOf(samples: readonly Sample[], packed: ReadonlyMap<string, number>): Listing {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error('Growth takes two samples.');
  // The first third fills tables that hold what is under way; what grows after it grows with what is kept, or is bloat.
  const marks = [1 / 3, 2 / 3].map((part) => samples[Math.round((samples.length - 1) * part)] ?? last);
  const minutesOf = ({ atMs }: Sample) => ((atMs - first.atMs) / minuteMs).toFixed(0);
  const megabytes = (bytes: number) => (bytes / mebibyte).toFixed(bytes < 10 * mebibyte ? 1 : 0);
  const rows = [...last.tables.values()]
    .map((table) => ({ table, changes: changesSince(first.tables.get(table.name), table) }))
    .filter(({ changes }) => changes.inserted + changes.updated + changes.deleted >= leastChanges)
    .sort((one, other) => other.table.bytes - one.table.bytes)
    .map(({ table: { name, bytes, dead }, changes }) => {
      const compact = packed.get(name) ?? bytes;
      return [
        `\`${name.replace(/^public\./, '')}\``,
        ...[first, ...marks, last].map(({ tables }) => megabytes(tables.get(name)?.bytes ?? 0)),
        `${megabytes(compact)} (${((bytes / compact) * 100).toFixed(0)} %)`,
        changes.updated === 0 ? '–' : `${((changes.hotUpdated / changes.updated) * 100).toFixed(0)} %`,
        dead.toFixed(0),
        `${changes.vacuums}, ${(changes.vacuumMs / 1_000).toFixed(1)} s`,
      ];
    });
  const seconds = (last.atMs - first.atMs) / 1_000;
  const wal = last.walBytes - first.walBytes;
  return {
    title: `Tables, vacuum and WAL: ${minutesOf(last)} minutes of mixed load`,
    columns: [
      'MiB, indexes included',
      ...[first, ...marks, last].map((sample) => `after ${minutesOf(sample)} min`),
      'as new (ratio)',
      'HOT updates',
      'dead rows',
      'vacuums',
    ],
    rows,
    notes: [
      `Tables with at least ${leastChanges} changed rows. "As new" is the size after VACUUM FULL; the ratio is the last size to it.`,
      `WAL: ${(wal / 2 ** 30).toFixed(1)} GiB, ${(wal / seconds / 1_000).toFixed(0)} kB a second; ` +
        `${last.walPageImages - first.walPageImages} whole pages after ${last.checkpoints - first.checkpoints} checkpoints.`,
    ],
  };
}

function changesSince(before: TableState | undefined, after: TableState): TableState {
  const since = (count: 'inserted' | 'updated' | 'hotUpdated' | 'deleted' | 'vacuums' | 'vacuumMs') =>
    after[count] - (before?.[count] ?? 0);
  return {
    ...after,
    inserted: since('inserted'),
    updated: since('updated'),
    hotUpdated: since('hotUpdated'),
    deleted: since('deleted'),
    vacuums: since('vacuums'),
    vacuumMs: since('vacuumMs'),
  };
}
