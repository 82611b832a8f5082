// A PostgreSQL of its own that commits durably, as in production. Its faults: it is killed, stands still, has no connection left, ends the
// service's connections, or cannot write.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { readPostmasterFile } from '../../src/dev/embedded-postgres/postmaster-file.js';
import { applyMigrations } from '../../src/platform/database/migrations.js';
import type { TestDatabase } from '../support/test-database.js';
import { removeDeadRuns } from '../support/test-postgres.js';
import { signalIfAlive } from './process-signal.js';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const selectPids = 'SELECT pid FROM pg_stat_activity';
const endOurs = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'leadwire%'";
const silentLog = { info: () => undefined, warn: () => undefined };

/**
 * The tables that a full disk refuses to extend: each call is journalled by the statement that stores it, and each send inserts a message.
 */
const fullTables = [
  { table: 'webhook_deliveries', events: 'INSERT' },
  { table: 'messages', events: 'INSERT OR UPDATE' },
];

export class DurablePostgres {
  private readonly resources = new AsyncDisposableStack();
  private server!: EmbeddedPostgres;
  private sql!: pg.Pool;

  /**
   * Starts the server and applies the migrations. @param name the name of its users, by which a start removes the leftovers of an
   * interrupted run
   */
  static async start(name: string): Promise<DurablePostgres> {
    const postgres = new DurablePostgres();
    try {
      await postgres.begin(`leadwire-${name}-`);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    return postgres;
  }

  private async begin(folderPrefix: string): Promise<void> {
    const { resources } = this;
    await removeDeadRuns(folderPrefix);
    const dataDir = join(tmpdir(), `${folderPrefix}${process.pid}`);
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, 0o755);
    resources.defer(() => rm(dataDir, { recursive: true, force: true }));
    // The port stays below those of outgoing connections, so that none of them takes it before the server comes back.
    this.server = await startServer(dataDir, 20_000 + (process.pid % 10_000));
    resources.defer(() => this.server.stop());
    await applyMigrations(this.server.url, { migrationsDir, log: silentLog });
    // The pool keeps its one connection, because it might not get another.
    this.sql = new pg.Pool({
      connectionString: this.server.url,
      max: 1,
      idleTimeoutMillis: 0,
      options: '-c TimeZone=UTC',
    });
    this.sql.on('error', () => undefined);
    resources.defer(() => this.sql.end());
  }

  stop(): Promise<void> {
    return this.resources.disposeAsync();
  }

  get database(): TestDatabase {
    return { url: this.server.url, drop: async () => undefined };
  }

  /** Reads rows like `ReadRows`. */
  readonly rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await this.sql.query(text, values)).rows as Row[];

  /** Kills the server and starts it again. Resolves when it accepts connections. */
  async kill(): Promise<void> {
    const { dataDir, port } = this.server;
    process.kill(await this.postmasterPid(), 'SIGKILL');
    this.server = await startServer(dataDir, port);
  }

  /** Stops every process of the server while `work` runs; its sockets stay open. */
  async freeze(work: () => Promise<void>): Promise<void> {
    // Stop the parent first, because it would replace a child.
    const pids = [
      await this.postmasterPid(),
      ...(await this.rowsOf<{ pid: number }>(selectPids)).map(({ pid }) => pid),
    ];
    for (const pid of pids) signalIfAlive(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      for (const pid of pids) signalIfAlive(pid, 'SIGCONT');
    }
  }

  /** Ends the service's connections. @returns the number of ended connections */
  async endConnections(): Promise<number> {
    return (await this.rowsOf(endOurs)).length;
  }

  /** Connects until there is no connection left. @param taken receives the clients; the caller ends them */
  async takeEveryConnection(taken: pg.Client[]): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: this.server.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        return;
      }
      taken.push(client);
    }
  }

  /** Makes the service's writes fail for want of room while `work` runs. */
  async fillDisk(work: () => Promise<void>): Promise<void> {
    await this.rowsOf(`CREATE OR REPLACE FUNCTION fail_as_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    for (const { table, events } of fullTables)
      await this.rowsOf(`CREATE TRIGGER full_disk BEFORE ${events} ON ${table} EXECUTE FUNCTION fail_as_full()`);
    try {
      await work();
    } finally {
      for (const { table } of fullTables) await this.rowsOf(`DROP TRIGGER full_disk ON ${table}`);
    }
  }

  private async postmasterPid(): Promise<number> {
    const file = await readPostmasterFile(join(this.server.dataDir, 'postgres'));
    if (file === undefined) throw new Error('PostgreSQL does not run');
    return file.pid;
  }
}

function startServer(dataDir: string, preferredPort: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, preferredPort, durable: true, log: silentLog });
}
