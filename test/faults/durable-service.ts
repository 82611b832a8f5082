// The service as a process, on a PostgreSQL of its own that commits durably, as in production: for tests that kill and starve the two.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.js';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres.js';
import { readPostmasterFile } from '../../src/platform/embedded-postgres/postmaster-file.js';
import { applyMigrations } from '../../src/platform/migrations.js';
import { TestApp } from '../support/test-app.js';
import type { TestEnvironment, TestTenant } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { removeDeadRuns } from '../support/test-postgres.js';
import { ServiceProcess } from './service-process.js';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const selectPids = 'SELECT pid FROM pg_stat_activity';
const silentLog = { info: () => undefined, warn: () => undefined };

export class DurableService {
  private readonly resources = new AsyncDisposableStack();
  service!: ServiceProcess;
  tenant!: TestTenant;
  private server!: EmbeddedPostgres;
  private sql!: pg.Pool;

  private constructor(private readonly environment: TestEnvironment) {}

  /** @param name of the tests that use it; a run that was interrupted is removed by it */
  static async start(name: string, environment: TestEnvironment = {}): Promise<DurableService> {
    const started = new DurableService(environment);
    await started.begin(`leadwire-${name}-`);
    return started;
  }

  private async begin(folderPrefix: string): Promise<void> {
    const { resources } = this;
    await removeDeadRuns(folderPrefix);
    const dataDir = join(tmpdir(), `${folderPrefix}${process.pid}`);
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, 0o755);
    resources.defer(() => rm(dataDir, { recursive: true, force: true }));
    // Below the ports that outgoing connections take, so that none of them has it when the server comes back.
    this.server = await startPostgres(dataDir, 20_000 + (process.pid % 10_000));
    resources.defer(() => this.server.stop());
    await applyMigrations(this.server.url, { migrationsDir, log: silentLog });
    const app = await TestApp.start({ PROCESS_ROLE: 'api' }, this.database);
    this.tenant = await app.createTenant();
    await app.stop({ keepDatabase: true });
    // Its connection is kept: there may be no other.
    this.sql = new pg.Pool({
      connectionString: this.server.url,
      max: 1,
      idleTimeoutMillis: 0,
      options: '-c TimeZone=UTC',
    });
    this.sql.on('error', () => undefined);
    resources.defer(() => this.sql.end());
    this.service = await ServiceProcess.start(this.database, this.environment);
    resources.defer(async () => void (await this.service.end('SIGKILL')));
  }

  stop(): Promise<void> {
    return this.resources.disposeAsync();
  }

  get database(): TestDatabase {
    return { url: this.server.url, drop: async () => undefined };
  }

  /** As `ReadRows`. */
  readonly rowsOf = async <Row extends object>(text: string): Promise<Row[]> =>
    (await this.sql.query(text)).rows as Row[];

  async killService(): Promise<void> {
    await this.service.end('SIGKILL');
    this.service = await ServiceProcess.start(this.database, this.environment);
  }

  async killPostgres(): Promise<void> {
    const { dataDir, port } = this.server;
    process.kill(await this.postmasterPid(), 'SIGKILL');
    this.server = await startPostgres(dataDir, port);
  }

  /** Every process of the server stands still while `work` runs; its sockets stay open. */
  async freezePostgres(work: () => Promise<void>): Promise<void> {
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

  private async postmasterPid(): Promise<number> {
    const file = await readPostmasterFile(join(this.server.dataDir, 'postgres'));
    if (file === undefined) throw new Error('PostgreSQL does not run');
    return file.pid;
  }
}

function startPostgres(dataDir: string, preferredPort: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, preferredPort, durable: true, log: silentLog });
}
