// Applies prisma/migrations in this process, and keeps the table _prisma_migrations as the Prisma CLI would. What the migrations
// contain belongs to prisma/.

import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { reasonOf } from './fault.js';

// Any number, as long as every version of Leadwire uses the same.
const lockKey = 0x1ead_0001;

const createTable = `CREATE TABLE _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;

interface Migration {
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
}

interface MigrationRecord {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

export interface ApplyMigrationsOptions {
  /** The folder with one sub-folder per migration. */
  migrationsDir: string;
  log: { info(sentence: string): void };
}

/**
 * Brings the database to the newest migration. Several processes may do so at once: one works, the others wait. Each
 * script runs whole, so PostgreSQL makes it one transaction unless it contains its own. Safe to repeat; when nothing is
 * to be done it costs a few queries.
 * @throws Error in a sentence. It names the migration that failed, was changed after it was applied, or is not in the folder; or the
 *   pooler that gives no sessions; or the database, where it cannot be reached or refuses the user
 */
export async function applyMigrations(
  databaseUrl: string,
  { migrationsDir, log }: ApplyMigrationsOptions,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(migrationsDir);
  await requireOwnSessions(databaseUrl);
  return withLock(databaseUrl, async (client) => {
    const pending = findPending(migrations, await readRecords(client));
    if (pending.length === 0) return { applied: [] };
    const startedAt = performance.now();
    for (const migration of pending) await runMigration(client, migration);
    const applied = pending.map(({ name }) => name);
    log.info(`Applied ${applied.join(', ')} in ${Math.round(performance.now() - startedAt)} ms.`);
    return { applied };
  });
}

/**
 * The migrations that the next start will apply, in order. Changes nothing.
 * @throws Error in a sentence, as `applyMigrations`, where the start would be refused
 */
export async function listPendingMigrations(client: pg.Client, migrationsDir: string): Promise<string[]> {
  const records = (await hasRecords(client)) ? await selectRecords(client) : [];
  return findPending(await readMigrations(migrationsDir), records).map(({ name }) => name);
}

async function readMigrations(migrationsDir: string): Promise<Migration[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

async function readRecords(client: pg.Client): Promise<MigrationRecord[]> {
  if (!(await hasRecords(client))) await client.query(createTable);
  return selectRecords(client);
}

async function hasRecords(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  return rows[0]?.found === true;
}

async function selectRecords(client: pg.Client): Promise<MigrationRecord[]> {
  const { rows } = await client.query<MigrationRecord>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

function findPending(migrations: readonly Migration[], records: readonly MigrationRecord[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { migration_name: name, checksum, finished } of records) {
    const migration = known.get(name);
    if (!finished) throw unfinished(name);
    if (!migration) throw unknown(name, migrations[0]);
    if (migration.checksum !== checksum) throw new Error(`The migration ${name} was changed after it was applied.`);
  }
  const applied = new Set(records.map((record) => record.migration_name));
  return migrations.filter(({ name }) => !applied.has(name));
}

function unknown(name: string, first: Migration | undefined): Error {
  if (!first || name > first.name)
    return new Error(`The database has the migration ${name}, which this version does not know.`);
  return new Error(
    `The database has the migration ${name} of an earlier history, which ${first.name} replaced. Start with an empty database; in development, delete the folder of DATA_DIR.`,
  );
}

function unfinished(name: string): Error {
  return new Error(
    `The migration ${name} failed or was interrupted. Look at the database, then run "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}'" to try again.`,
  );
}

// The record comes first: a migration that was interrupted is noticed at the next start.
async function runMigration(client: pg.Client, { name, script, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('INSERT INTO _prisma_migrations (id, migration_name, checksum) VALUES ($1, $2, $3)', [
    id,
    name,
    checksum,
  ]);
  try {
    await client.query(script);
  } catch (cause) {
    throw new Error(`The migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
  await client.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
}

async function withLock<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(databaseUrl);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    return await work(client);
  } finally {
    // Ends the session, and the lock with it.
    await client.end();
  }
}

const advice =
  'Leadwire keeps settings, prepared statements, LISTEN and locks in its sessions, and bounds its connections itself: let DATABASE_URL lead to PostgreSQL directly, or set DATABASE_DIRECT_URL to its address.';

/**
 * Makes two connections for a moment.
 * @throws Error in a sentence where a pooler is between that gives no sessions, or takes no settings
 */
export async function requireOwnSessions(databaseUrl: string): Promise<void> {
  const one = await connect(databaseUrl);
  try {
    const mark = randomUUID();
    await one.query(`SELECT set_config('leadwire.session', $1, false)`, [mark]);
    const other = await connect(databaseUrl);
    try {
      const marks = [await markOf(other), await markOf(one)];
      if (marks[0] === mark || marks[1] !== mark)
        throw new Error(`DATABASE_URL leads to a pooler that shares sessions (pool_mode=transaction). ${advice}`);
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'leadwire start',
    options: '-c TimeZone=UTC',
  });
  client.on('error', () => undefined);
  await client.connect().catch((cause: unknown) => {
    const reason = reasonOf(cause);
    if (reason.includes('unsupported startup parameter'))
      throw new Error(`DATABASE_URL leads to a pooler that refuses settings (${reason}). ${advice}`, { cause });
    const { host, port, database = '' } = client;
    throw new Error(`The database "${database}" of DATABASE_URL (${host}:${port}) cannot be used: ${reason}`, {
      cause,
    });
  });
  return client;
}

async function markOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ mark: string }>(`SELECT current_setting('leadwire.session', true) AS mark`);
  return rows[0]?.mark;
}
