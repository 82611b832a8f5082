// The PostgreSQL server of one test run and its template database. Set up and torn down by Jest's global hooks; tests
// take their databases from test-database.ts.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, stopAbandonedServer } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { LogPartitions } from '../../src/features/retention/log-partitions.js';
import { Database } from '../../src/platform/database/database.js';
import { applyMigrations } from '../../src/platform/database/migrations.js';
import { isAlive } from '../../src/dev/embedded-postgres/postmaster-file.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import { Queue } from '../../src/platform/jobs/queue.js';
import { runOnServer, templateName } from './test-database.js';

const folderPrefix = 'leadwire-test-';
const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const maxConnections = 300;
/** Clients send the password as it is. A connection then takes a client 1.9 ms of the processor, and 3.5 ms with SCRAM. */
const accessRules = 'host all all 127.0.0.1/32 password\n';
/**
 * A statement is planned once for a connection. Its first five runs would each be planned again, which is 5 % of the run's processor time.
 */
const generalPlans = { plan_cache_mode: 'force_generic_plan' };
const silentLog = { info: () => undefined, warn: () => undefined };

export interface TestServer {
  /** The URL of the maintenance database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the run's server, or takes the one in `TEST_DATABASE_URL`, and fills its template database. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startTemporaryServer();
  try {
    await createTemplate(server.url);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startTemporaryServer(): Promise<TestServer> {
  await removeDeadRuns(folderPrefix);
  const dataDir = join(tmpdir(), `${folderPrefix}${process.pid}`);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const hbaFile = join(dataDir, 'access.conf');
    await writeFile(hbaFile, accessRules);
    const server = await startEmbeddedPostgres({
      dataDir,
      log: silentLog,
      durable: false,
      maxConnections,
      preferredPort: 0,
      parameters: { ...generalPlans, hba_file: hbaFile },
    });
    const url = server.databaseUrl('postgres');
    await confirmClock(url);
    await hastenSigningIn(url);
    return { url, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** @throws Error if the server has another time than this run, whose clock it could not load. Such a run would not pass midnight. */
async function confirmClock(url: string): Promise<void> {
  const isOther = `abs(extract(epoch FROM clock_timestamp()) - ${Date.now() / 1_000}) > 600`;
  const refusal = `IF ${isOther} THEN RAISE 'PostgreSQL has another time than the tests: %', clock_timestamp(); END IF`;
  await runOnServer(url, [`DO $$ BEGIN ${refusal}; END $$`]);
}

/** Keeps the password with one round of its hash: PostgreSQL would spend 4,096 of them on each connection. */
async function hastenSigningIn(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await runOnServer(url, ['SET scram_iterations = 1', `ALTER ROLE "${username}" PASSWORD '${password}'`]);
}

/**
 * Removes the leftovers of interrupted runs: such a run leaves its server running, and its folder `<prefix><pid>` in the temporary folder.
 */
export async function removeDeadRuns(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
    const folder = join(tmpdir(), name);
    await stopAbandonedServer(folder, silentLog);
    await rm(folder, { recursive: true, force: true });
  }
}

async function createTemplate(serverUrl: string): Promise<void> {
  await runOnServer(serverUrl, [
    `UPDATE pg_database SET datistemplate = false WHERE datname = '${templateName}'`,
    `DROP DATABASE IF EXISTS ${templateName} WITH (FORCE)`,
    `CREATE DATABASE ${templateName}`,
  ]);
  const url = new URL(serverUrl);
  url.pathname = `/${templateName}`;
  await applyMigrations(url.href, { migrationsDir, log: silentLog });
  await installQueue(url.href);
  await makePartitions(url.href);
  // PostgreSQL copies a database only while no connection is open to it, so the template allows none.
  await runOnServer(serverUrl, [`ALTER DATABASE ${templateName} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`]);
}

// Every application would install the queue on an empty database, and make the partitions of the next function.
async function installQueue(url: string): Promise<void> {
  const queue = new Queue({ url, works: false, log: createLogger('silent') });
  await queue.start([]);
  await queue.stop();
}

async function makePartitions(url: string): Promise<void> {
  const log = createLogger('silent');
  const database = new Database({ url, poolSize: 2, log });
  await new LogPartitions({ database, log, deliveryDays: 30, eventDays: 7 }).extend();
  await database.close();
}
