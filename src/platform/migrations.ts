// Applies prisma/migrations in this process, without the Prisma CLI and its engine binary, into the same
// _prisma_migrations table the CLI keeps. What the migrations contain belongs to prisma/.

import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { withSchemaEngine } from './schema-engine.js';
import { requireOwnSessions } from './session-check.js';

const tableName = '_prisma_migrations';
const lockFileName = 'migration_lock.toml';
// Any number, as long as every version of Leadwire uses the same; the engine's own lock gives up after 10 seconds.
const lockKey = 0x1ead_0001;
const noFilter = { externalTables: [], externalEnums: [] };

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
 * @throws Error in a sentence naming the migration that failed, was changed after it was applied, or is not in the folder; or where a
 *   pooler is between that gives no sessions
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
    await withSchemaEngine(databaseUrl, undefined, (engine) => runMigrations(engine, migrationsDir, migrations)).catch(
      async (cause: Error) => {
        const failed = (await readRecords(client)).find(({ finished }) => !finished);
        throw new Error(`The migration ${failed?.migration_name ?? pending[0]?.name} failed: ${cause.message}`, {
          cause,
        });
      },
    );
    const applied = pending.map(({ name }) => name);
    log.info(`Applied ${applied.join(', ')} in ${Math.round(performance.now() - startedAt)} ms.`);
    return { applied };
  });
}

/**
 * The SQL that would bring the database to the Prisma schema in `schemaPath`; empty when they agree. Reads only. What
 * Prisma cannot express (CHECKs, partial or expression indexes, functions, triggers) it does not see.
 */
export async function schemaDrift(databaseUrl: string, schemaPath: string): Promise<string> {
  return diffSchema(databaseUrl, schemaPath, 'schemaDatasource');
}

/**
 * The SQL that makes an empty database what the Prisma schema in `schemaPath` says: the start of a first migration.
 * @param databaseUrl any reachable PostgreSQL database; it is not changed
 */
export async function schemaFromEmpty(databaseUrl: string, schemaPath: string): Promise<string> {
  return diffSchema(databaseUrl, schemaPath, 'empty');
}

async function diffSchema(databaseUrl: string, schemaPath: string, tag: 'schemaDatasource' | 'empty'): Promise<string> {
  const files = [{ path: schemaPath, content: await readFile(schemaPath, 'utf8') }];
  const from = tag === 'empty' ? { tag } : { tag, files, configDir: dirname(schemaPath) };
  return withSchemaEngine(databaseUrl, files, async (engine) => {
    const to = { tag: 'schemaDatamodel' as const, files };
    const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: noFilter });
    const script = (stdout ?? '').trim();
    return script === '-- This is an empty migration.' ? '' : script;
  });
}

async function readMigrations(migrationsDir: string): Promise<Migration[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8').catch((cause: Error) => {
        throw new Error(`The migration ${name} has no migration.sql that can be read.`, { cause });
      });
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

async function readRecords(client: pg.Client): Promise<MigrationRecord[]> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS found`, [tableName]);
  if (!rows[0]?.found) return [];
  const records = await client.query<MigrationRecord>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM ${tableName} WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return records.rows;
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
    `The migration ${name} failed or was interrupted: look at the database, then run "npx prisma migrate resolve" with --rolled-back ${name} (to try again) or --applied ${name}.`,
  );
}

async function runMigrations(
  engine: SchemaEngine,
  migrationsDir: string,
  migrations: readonly Migration[],
): Promise<void> {
  const lockFile = await readFile(join(migrationsDir, lockFileName), 'utf8').catch(() => null);
  await engine.applyMigrations({
    filters: noFilter,
    migrationsList: {
      baseDir: migrationsDir,
      lockfile: { path: lockFileName, content: lockFile },
      shadowDbInitScript: '',
      migrationDirectories: migrations.map(({ name, script }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
      })),
    },
  });
}

async function withLock<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'leadwire migrations' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    return await work(client);
  } finally {
    // Ends the session, and the lock with it.
    await client.end();
  }
}
