// A real PostgreSQL for machines without one, started from npm's binaries under the data folder. It has a process group of
// its own, so that Ctrl-C reaches us first and we drain before it stops. Survives unclean stops of either side.

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { locateBinaries } from './binaries.js';
import {
  initialiseCluster,
  openFolder,
  superuser,
  wrongPassword,
  type PostgresFolder,
  type SentenceLog,
} from './data-folder.js';
import { discardPostmasterFile, isServerOf, readPostmasterFile } from './postmaster-file.js';
import { claimAbandoned, connectTo, own } from './ownership.js';
import { PostgresServer, pollMs, stopProcess, type ServerSettings } from './server.js';

const databaseName = 'leadwire';
const startLimitMs = 30_000;

/** Another process runs on the same data folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';

  constructor(dataDir: string) {
    super(`Leadwire is already running on this data folder (${dataDir}): stop it first, or choose another DATA_DIR.`);
  }
}

export interface EmbeddedPostgresOptions extends ServerSettings {
  /** Made when missing; holds `postgres/`, `postgres-password` and `postgres.log`. */
  dataDir: string;
  /** Used instead of `dataDir`, with a warning, when this process is root and PostgreSQL's user cannot reach that. */
  fallbackDir?: string;
  log: SentenceLog;
}

export interface EmbeddedPostgres {
  /** The URL of the database `leadwire`. */
  readonly url: string;
  /** The port on 127.0.0.1; it may change between starts. */
  readonly port: number;
  /** The folder in use: `dataDir`, or `fallbackDir` when that was needed. */
  readonly dataDir: string;
  databaseUrl(name: string): string;
  /** Ends open connections and waits for the server to end, at most about 15 seconds. Safe to repeat. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded server, initialising its data folder the first time, and waits until a connection succeeds (at most
 * 30 seconds after that). It keeps this process alive until `stop()`. A server that a dead process left behind is stopped
 * first.
 * @throws AlreadyRunningError when another live process uses the folder; Error in a sentence, with the end of
 *   `postgres.log` where it helps, for everything else
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable = true, log } = options;
  const folder = await openFolder(options.dataDir, options.fallbackDir, log);
  const binDir = await locateBinaries(folder.user);
  await initialiseCluster(folder, binDir, durable, log);
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    await clearPreviousServer(folder, deadline, log);
    const server = await PostgresServer.launch(folder, binDir, options);
    const client = await server.connectWhenReady(deadline);
    if (client) return ownServer(server, client, folder, log);
  }
}

/** Stops the server that a dead process left in `dataDir`, if there is one, without starting another. Safe to repeat. */
export async function stopAbandonedServer(dataDir: string, log: SentenceLog): Promise<void> {
  const folder = await openFolder(dataDir, undefined, log);
  await clearPreviousServer(folder, performance.now() + startLimitMs, log);
}

async function clearPreviousServer(folder: PostgresFolder, deadline: number, log: SentenceLog): Promise<void> {
  for (;;) {
    const previous = await readPostmasterFile(folder.cluster);
    if (!previous) return;
    if (!(await isServerOf(folder.cluster, previous.pid))) return discardPostmasterFile(folder.cluster, previous);
    const { port, pid } = previous;
    const client =
      port &&
      (await connectTo({ port, password: folder.password }).catch((error: pg.DatabaseError) => {
        if (error.code === '28P01') throw wrongPassword(folder);
      }));
    if (client && (await stopIfAbandoned(client, pid, folder, log))) return;
    if (performance.now() > deadline) {
      throw new Error(
        `A PostgreSQL server (process ${pid}) uses ${folder.cluster} and does not answer: stop it first.`,
      );
    }
    await delay(pollMs);
  }
}

// Returns false when the server ended during the query, so that the folder has to be read again.
async function stopIfAbandoned(
  client: pg.Client,
  pid: number,
  folder: PostgresFolder,
  log: SentenceLog,
): Promise<boolean> {
  try {
    const served = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (served.rows[0]?.data_directory !== folder.cluster) return false;
    if (!(await claimAbandoned(client))) throw new AlreadyRunningError(folder.dataDir);
    log.info(`Stopping the PostgreSQL server (process ${pid}) that an earlier run left behind.`);
    await stopProcess(pid, async () => !(await isServerOf(folder.cluster, pid)));
    return true;
  } catch (error) {
    if (error instanceof AlreadyRunningError) throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

// Takes the lock of the owner on `client`, and makes the database where it is missing.
async function ownServer(
  server: PostgresServer,
  client: pg.Client,
  folder: PostgresFolder,
  log: SentenceLog,
): Promise<EmbeddedPostgres> {
  const { port } = server;
  const { dataDir, password } = folder;
  let stopping: Promise<void> | undefined;
  // The lock is held until the server's end, so that no other start takes it for abandoned meanwhile.
  const stop = () => (stopping ??= server.stop());
  const isOver = () => stopping !== undefined || server.hasExited;

  if (!(await own(client, { port, password }, isOver).catch(() => false))) {
    // Another start found our server before we had locked it, took it for abandoned, and is stopping it.
    await client.end().catch(() => undefined);
    throw new AlreadyRunningError(dataDir);
  }
  server.child.once('exit', () => {
    if (!stopping) log.warn(`PostgreSQL ended unexpectedly; see ${folder.logFile}.`);
  });
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } catch (error) {
    await stop();
    throw error;
  }
  log.info(`PostgreSQL listens on 127.0.0.1:${port} with its data in ${folder.cluster}.`);
  const databaseUrl = (name: string) =>
    `postgresql://${superuser}:${password}@127.0.0.1:${port}/${encodeURIComponent(name)}`;
  return { url: databaseUrl(databaseName), port, dataDir, databaseUrl, stop };
}
