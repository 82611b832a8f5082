// The durable PostgreSQL server of one bench, in a folder of its own that is removed with it. The content of its databases
// belongs to the sides.

import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { PostgresReplica } from '../support/postgres-replica.js';
import { freePort } from '../support/redis-server.js';
import { removeDeadRuns } from '../support/test-postgres.js';

const folderPrefix = 'leadwire-bench-';
const silentLog = { info: () => undefined, warn: () => undefined };
const parameters = { shared_preload_libraries: 'pg_stat_statements' };
const durability = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** The server need not survive a crash while it is filled, so it waits for nothing. */
const fillingParameters = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_buffers: '1GB',
};

export interface BenchPostgres {
  /** The folder on the disk that the server writes to; it is removed with the server. */
  readonly folder: string;
  /** The version that the server reports. */
  readonly version: string;
  /** @returns the new database's URL */
  createDatabase(name: string): Promise<string>;
  /** The URL of a database that is there. */
  databaseUrl(name: string): string;
  /** Starts a streaming replica of all databases; `resources` removes it. */
  startReplica(resources: AsyncDisposableStack): Promise<PostgresReplica>;
}

/**
 * Starts the server; `resources` stops it and removes its folder.
 * @param number tells the servers of one bench apart @throws Error when it does not commit durably
 */
export async function startBenchPostgres(resources: AsyncDisposableStack, number = 1): Promise<BenchPostgres> {
  const prefix = number === 1 ? folderPrefix : `${folderPrefix}${number}-`;
  await removeDeadRuns(prefix);
  const dataDir = join(tmpdir(), `${prefix}${process.pid}`);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  return startIn(dataDir, resources, parameters);
}

/** Starts the server of a folder that outlives it, with databases that take long to fill. */
export async function startKeptPostgres(folder: string, resources: AsyncDisposableStack): Promise<BenchPostgres> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return startIn(folder, resources, parameters);
}

/** Starts the server of such a folder for its filling, which a crash of the machine would spoil. */
export async function startForFilling(folder: string, resources: AsyncDisposableStack): Promise<BenchPostgres> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return startIn(folder, resources, { ...parameters, ...fillingParameters });
}

async function startIn(
  dataDir: string,
  resources: AsyncDisposableStack,
  settings: Record<string, string>,
): Promise<BenchPostgres> {
  const started = { dataDir, log: silentLog, durable: true, preferredPort: 0, parameters: settings };
  const server = await startEmbeddedPostgres(started);
  resources.defer(() => server.stop());
  const isDurable = settings['fsync'] !== 'off';
  if (isDurable) await trackStatements(server.databaseUrl('postgres'), 'none');
  return {
    folder: dataDir,
    version: await readVersion(server.databaseUrl('postgres'), isDurable ? durability : []),
    createDatabase: async (name) => {
      await withClient(server.databaseUrl('postgres'), (client) => client.query(`CREATE DATABASE "${name}"`));
      return server.databaseUrl(name);
    },
    startReplica: async (own) => {
      const replica = await PostgresReplica.of(server, `${dataDir}-replica`, await freePort());
      own.defer(() => replica.remove());
      return replica;
    },
    databaseUrl: (name) => server.databaseUrl(name),
  };
}

/** Runs `work` on a connection of its own. @param signal breaks the connection, whatever is being done */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const breakOff = () => void client.end();
  signal?.addEventListener('abort', breakOff, { once: true });
  try {
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', breakOff);
    await client.end();
  }
}

/** Lets `pg_stat_statements` count the callers' statements, or none, which costs nothing. */
export async function trackStatements(url: string, which: 'top' | 'none'): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${which}'`);
    await client.query('SELECT pg_reload_conf()');
  });
}

/** @param settings those that have to be on */
async function readVersion(url: string, settings: readonly string[]): Promise<string> {
  return withClient(url, async (client) => {
    for (const setting of settings) {
      const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [setting]);
      if (rows[0]?.value !== 'on') throw new Error(`The server runs with ${setting} ${rows[0]?.value}.`);
    }
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  });
}

/** Returns whether a version of the product has this column. */
export async function hasColumn(client: pg.Client, table: string, column: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM information_schema.columns WHERE table_name = $1 AND column_name = $2',
    [table, column],
  );
  return rowCount === 1;
}
