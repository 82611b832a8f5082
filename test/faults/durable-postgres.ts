// A PostgreSQL of its own that commits durably, as in production, and what befalls it: it is killed, stands still, has no connection left,
// ends the service's, and cannot write.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import type { EmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { readPostmasterFile } from '../../src/dev/embedded-postgres/data-folder.js';
import { applyMigrations } from '../../src/platform/migrations.js';
import type { TestDatabase } from '../support/test-database.js';
import { removeDeadRuns } from '../support/test-postgres.js';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const selectPids = 'SELECT pid FROM pg_stat_activity';
const endOurs = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'leadwire%'";
const silentLog = { info: () => undefined, warn: () => undefined };

/** What a full disk refuses: every call is journalled in the statement that stores it, and every send is a message. */
const fullTables = [
  { table: 'webhook_deliveries', events: 'INSERT' },
  { table: 'messages', events: 'INSERT OR UPDATE' },
];

export class DurablePostgres {
  private readonly resources = new AsyncDisposableStack();
  private server!: EmbeddedPostgres;
  private sql!: pg.Pool;

  /** Starts it, migrated. @param name of who uses it; a run that was interrupted is removed by it */
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
    // Below the ports that outgoing connections take, so that none of them has it when the server comes back.
    this.server = await startServer(dataDir, 20_000 + (process.pid % 10_000));
    resources.defer(() => this.server.stop());
    await applyMigrations(this.server.url, { migrationsDir, log: silentLog });
    // Its connection is kept: there may be no other.
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

  /** As `ReadRows`. */
  readonly rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await this.sql.query(text, values)).rows as Row[];

  /** Resolves when it takes connections again. */
  async kill(): Promise<void> {
    const { dataDir, port } = this.server;
    process.kill(await this.postmasterPid(), 'SIGKILL');
    this.server = await startServer(dataDir, port);
  }

  /** Every process of the server stands still while `work` runs; its sockets stay open. */
  async freeze(work: () => Promise<void>): Promise<void> {
    // The parent first: it would replace a child.
    const pids = [
      await this.postmasterPid(),
      ...(await this.rowsOf<{ pid: number }>(selectPids)).map(({ pid }) => pid),
    ];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  }

  /** Ends the service's connections. @returns how many there were */
  async endConnections(): Promise<number> {
    return (await this.rowsOf(endOurs)).length;
  }

  /** Connects until there is no connection left. @param taken gets them, which ends them when it has enough */
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

  /** What the service stores fails for want of room while `work` runs. */
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
