// A real PostgreSQL for machines without one: started from npm's binaries under the data folder, in a process group of
// its own, so that Ctrl-C reaches us first and we drain before it stops. Survives unclean stops of either side.

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { locateBinaries } from './binaries.js';
import type { PostgresBinaries } from './binaries.js';
import {
  discardPostmasterFile,
  initialiseCluster,
  isServerOf,
  openFolder,
  readPostmasterFile,
  superuser,
  wrongPassword,
} from './data-folder.js';
import type { PostgresFolder, SentenceLog } from './data-folder.js';
import { Ownership, claimAbandoned, connectTo } from './ownership.js';
import { PostgresServer, pollMs, stopProcess } from './server.js';
import type { ServerSettings } from './server.js';

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
  /** Of the database `leadwire`. */
  readonly url: string;
  /** On 127.0.0.1; may change between starts. */
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
  const binaries = await locateBinaries(folder.user);
  await initialiseCluster(folder, binaries, durable, log);
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    await clearPreviousServer(folder, binaries, deadline, log);
    const server = await PostgresServer.launch(folder, binaries, options);
    const client = await server.connectWhenReady(deadline);
    if (client) return new OwnedServer(server, folder, log).claim(client);
  }
}

/** Stops the server that a dead process left in `dataDir`, if there is one, without starting another. Safe to repeat. */
export async function stopAbandonedServer(dataDir: string, log: SentenceLog): Promise<void> {
  const folder = await openFolder(dataDir, undefined, log);
  const binaries = await locateBinaries(folder.user);
  await clearPreviousServer(folder, binaries, performance.now() + startLimitMs, log);
}

async function clearPreviousServer(
  folder: PostgresFolder,
  binaries: PostgresBinaries,
  deadline: number,
  log: SentenceLog,
): Promise<void> {
  for (;;) {
    const previous = await readPostmasterFile(folder.cluster);
    if (!previous) return;
    if (!(await isServerOf(folder.cluster, previous.pid))) return discardPostmasterFile(folder.cluster, previous);
    const { port, pid } = previous;
    const client = port ? await connectTo({ port, password: folder.password }).catch(refuseOtherPassword) : undefined;
    if (client && (await stopIfAbandoned(client, pid, folder, binaries, log))) return;
    if (performance.now() > deadline) {
      throw new Error(
        `A PostgreSQL server (process ${pid}) uses ${folder.cluster} and does not answer: stop it first.`,
      );
    }
    await delay(pollMs);
  }

  function refuseOtherPassword(error: pg.DatabaseError): undefined {
    if (error.code !== '28P01') return undefined;
    throw wrongPassword(folder);
  }
}

// False when the server went away while it was being asked, so that the folder has to be looked at again.
async function stopIfAbandoned(
  client: pg.Client,
  pid: number,
  folder: PostgresFolder,
  binaries: PostgresBinaries,
  log: SentenceLog,
): Promise<boolean> {
  try {
    const served = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (served.rows[0]?.data_directory !== folder.cluster) return false;
    if (!(await claimAbandoned(client))) throw new AlreadyRunningError(folder.dataDir);
    log.info(`Stopping the PostgreSQL server (process ${pid}) that an earlier run left behind.`);
    const hasEnded = async () => !(await isServerOf(folder.cluster, pid));
    await stopProcess(pid, binaries, hasEnded);
    return true;
  } catch (error) {
    if (error instanceof AlreadyRunningError) throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A server together with the proof that it is ours. */
class OwnedServer implements EmbeddedPostgres {
  private readonly ownership: Ownership;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly server: PostgresServer,
    private readonly folder: PostgresFolder,
    private readonly log: SentenceLog,
  ) {
    this.ownership = new Ownership({ port: server.port, password: folder.password });
  }

  async claim(client: pg.Client): Promise<EmbeddedPostgres> {
    // Another start found our server before we had locked it, took it for abandoned, and is stopping it.
    const held = await this.ownership.acquire(client).catch(() => false);
    if (!held) {
      await client.end().catch(() => undefined);
      throw new AlreadyRunningError(this.folder.dataDir);
    }
    this.server.child.once('exit', () => this.reportExit());
    try {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.log.info(`PostgreSQL listens on 127.0.0.1:${this.port} with its data in ${this.folder.cluster}.`);
    return this;
  }

  get port(): number {
    return this.server.port;
  }

  get dataDir(): string {
    return this.folder.dataDir;
  }

  get url(): string {
    return this.databaseUrl(databaseName);
  }

  databaseUrl(name: string): string {
    return `postgresql://${superuser}:${this.folder.password}@127.0.0.1:${this.port}/${encodeURIComponent(name)}`;
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopOnce();
    return this.stopping;
  }

  private async stopOnce(): Promise<void> {
    // The lock is held until the server's own end, so that no other start takes it for abandoned meanwhile.
    this.ownership.abandon();
    await this.server.stop();
    await this.ownership.release();
  }

  private reportExit(): void {
    this.ownership.abandon();
    if (!this.stopping) this.log.warn(`PostgreSQL ended unexpectedly; see ${this.folder.logFile}.`);
  }
}
