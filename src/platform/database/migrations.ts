// Applies prisma/migrations in this process, and keeps the table _prisma_migrations as the Prisma CLI would. The content of the migrations
// belongs to prisma/.

import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { reasonOf } from '../observability/fault.js';

// Any number will do, as long as every version of Leadwire uses the same.
const lockKey = 0x1ead_0001;
/** The time between looks whether another process has finished. */
const turnPauseMs = 200;

// A statement that waits for a lock holds up every caller that comes after it. So it gives up soon, and is repeated.
const lockTimeoutMs = 150;
const lockPauseMs = 1_000;
/** A try waits for longer than `deadlock_timeout` once a minute: only such a wait makes PostgreSQL end an autovacuum of the table. */
const isLongTry = (attempt: number) => attempt % 50 === 10;
const longerThanDeadlockMs = 200;
const lockErrors = new Set(['55P03', '40P01']);
/** The default time for which a migration tries to get its locks. */
const defaultLockLimitMs = 600_000;

/** Ends the name of a migration that takes something away: versions that have the migration of that time do not need it any more. */
const afterSuffix = /_after_(\d{14})$/;

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
  /** The time for which a migration tries to get its locks, in milliseconds. Default 600,000. */
  lockLimitMs?: number;
}

/**
 * Brings the database to the newest migration, while other versions may work on it. Several processes may do so at once: one works, the
 * others wait. Each script runs whole, so PostgreSQL makes it one transaction; only one statement with CONCURRENTLY runs outside of one.
 * A migration that failed, or was interrupted, runs again. Migrations of a newer version are accepted, unless they take away what this
 * version needs. Safe to repeat; with nothing to do it costs a few queries.
 * @throws Error in a sentence. It names the migration that failed, gets no lock, was changed after it was applied, or is not in the folder.
 *   It may also name the pooler that gives no sessions, or the database that cannot be reached or refuses the user
 */
export async function applyMigrations(
  databaseUrl: string,
  { migrationsDir, log, lockLimitMs = defaultLockLimitMs }: ApplyMigrationsOptions,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(migrationsDir);
  await requireOwnSessions(databaseUrl);
  return withLock(databaseUrl, async (client) => {
    const { pending, ahead } = compare(migrations, await readRecords(client));
    if (ahead.length > 0) log.info(`The database is ahead of this version, by ${ahead.join(', ')}.`);
    if (pending.length === 0) return { applied: [] };
    const startedAt = performance.now();
    for (const migration of pending) await runMigration(client, migration, { log, lockLimitMs });
    const applied = pending.map(({ name }) => name);
    log.info(`Applied ${applied.join(', ')} in ${Math.round(performance.now() - startedAt)} ms.`);
    return { applied };
  });
}

/**
 * Lists the migrations that the next start will apply, in order. Changes nothing.
 * @throws Error in a sentence, like `applyMigrations`, where the start would be refused
 */
export async function listPendingMigrations(client: pg.Client, migrationsDir: string): Promise<string[]> {
  const records = (await hasRecords(client)) ? await selectRecords(client) : [];
  return compare(await readMigrations(migrationsDir), records).pending.map(({ name }) => name);
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

interface Comparison {
  pending: Migration[];
  /** The migrations of a newer version, which has left what this version needs. */
  ahead: string[];
}

function compare(migrations: readonly Migration[], records: readonly MigrationRecord[]): Comparison {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const ahead: string[] = [];
  const applied = new Set<string>();
  for (const { migration_name: name, checksum, finished } of records) {
    const migration = known.get(name);
    // It has changed nothing: it failed, or its process was killed. An index holds up no caller, and is built again.
    if (!finished) continue;
    if (migration && migration.checksum !== checksum)
      throw new Error(`The migration ${name} was changed after it was applied.`);
    if (!migration) ahead.push(requireHarmless(name, migrations));
    applied.add(name);
  }
  return { pending: migrations.filter(({ name }) => !applied.has(name)), ahead };
}

/** @returns the name of a migration that this version can work with @throws Error in a sentence */
function requireHarmless(name: string, migrations: readonly Migration[]): string {
  const [first] = migrations;
  if (first && name < first.name)
    throw new Error(
      `The database has the migration ${name} of an earlier history, which ${first.name} replaced. Start with an empty database; in development, delete the folder of DATA_DIR.`,
    );
  const after = afterSuffix.exec(name)?.[1];
  if (after !== undefined && !migrations.some((migration) => migration.name.startsWith(after)))
    throw new Error(
      `The database has the migration ${name}, which takes away what this version needs. Start a newer version.`,
    );
  return name;
}

interface RunOptions {
  log: ApplyMigrationsOptions['log'];
  lockLimitMs: number;
}

async function runMigration(client: pg.Client, migration: Migration, options: RunOptions): Promise<void> {
  const { name, checksum } = migration;
  const id = randomUUID();
  const { rowCount } = await client.query(setAside, [name]);
  await client.query('INSERT INTO _prisma_migrations (id, migration_name, checksum) VALUES ($1, $2, $3)', [
    id,
    name,
    checksum,
  ]);
  try {
    if (isConcurrent(migration)) {
      await buildAlone(client, migration, { isRepeated: rowCount !== 0 });
      await client.query(finish(id));
    } else await runWhole(client, migration, { ...options, id });
  } catch (cause) {
    throw new Error(`The migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
}

const finish = (id: string) =>
  `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = '${id}'`;

/** Sets the previous unfinished attempt aside. */
const setAside = `UPDATE _prisma_migrations SET rolled_back_at = now()
  WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`;

/**
 * Runs the script in one transaction, which is repeated where another session keeps its locks from it. The same transaction finishes the
 * record: whenever the process is killed, an unfinished record says that nothing was changed.
 */
async function runWhole(
  client: pg.Client,
  { name, script }: Migration,
  { log, lockLimitMs, id }: RunOptions & { id: string },
): Promise<void> {
  const longTimeoutMs = (await readDeadlockTimeout(client)) + longerThanDeadlockMs;
  const deadline = performance.now() + lockLimitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`SET lock_timeout = ${isLongTry(attempt) ? longTimeoutMs : lockTimeoutMs}`);
      await client.query(`${script}\n;\n${finish(id)}`);
      return;
    } catch (error) {
      if (!lockErrors.has((error as pg.DatabaseError).code ?? '')) throw error;
      if (performance.now() >= deadline) {
        await client.query(setAside, [name]);
        throw new Error(
          `another session has kept its locks from it for ${Math.round(lockLimitMs / 1_000)} s. Nothing was changed. Look for long transactions, backups and autovacuums that prevent a wraparound in pg_stat_activity, then start again`,
          { cause: error },
        );
      }
      if (attempt === 1) log.info(`The migration ${name} waits for a lock that another session holds.`);
      await delay(Math.min(lockPauseMs, lockLimitMs));
    }
  }
}

async function readDeadlockTimeout(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    `SELECT setting::int AS ms FROM pg_settings WHERE name = 'deadlock_timeout'`,
  );
  return rows[0]?.ms ?? 1_000;
}

const withoutComments = (script: string) => script.replaceAll(/--.*/g, '');

const isConcurrent = ({ script }: Migration) => /\bCONCURRENTLY\b/i.test(withoutComments(script));

/**
 * Runs one statement outside of a transaction. It waits for other transactions, and no caller waits for it. PostgreSQL goes on with the
 * statement of a process that was killed, and ends it before the lock is free.
 */
async function buildAlone(client: pg.Client, { script }: Migration, of: { isRepeated: boolean }): Promise<void> {
  await client.query('SET lock_timeout = 0');
  // An interrupted build has left an index of the same name.
  const { rows } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid AND strpos($1, indexrelid::regclass::text) > 0`,
    [script],
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  if (of.isRepeated && (await isDone(client, script))) return;
  await client.query(script);
}

/** Returns whether an earlier attempt has made the index of the statement, or dropped it. */
async function isDone(client: pg.Client, script: string): Promise<boolean> {
  const [, verb = '', index = ''] =
    /\b(CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?([\w.]+)/i.exec(
      withoutComments(script),
    ) ?? [];
  const { rows } = await client.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [index]);
  return rows[0]?.isThere === (verb.toUpperCase() === 'CREATE');
}

async function withLock<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(databaseUrl);
  try {
    // The lock is asked for again and again: a session that waits within a statement has a snapshot, which CONCURRENTLY would wait for.
    while (!(await takeLock(client))) await delay(turnPauseMs);
    return await work(client);
  } finally {
    // This ends the session, and the lock with it.
    await client.end();
  }
}

async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lockKey]);
  return rows[0]?.taken === true;
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
