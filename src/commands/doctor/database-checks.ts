// Checks of PostgreSQL through DATABASE_URL. They read, and listen for a moment; nothing is written.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Config } from '../../config/config.js';
import { AuditService } from '../../features/audit/audit.service.js';
import { ApiKeyService } from '../../features/tenants/api-key.service.js';
import { Database } from '../../platform/database/database.js';
import { createLogger } from '../../platform/observability/logger.js';
import { listPendingMigrations, requireOwnSessions } from '../../platform/database/migrations.js';
import { requirePooler } from '../../platform/database/pooler.js';
import { SecretBox } from '../../platform/secret-box.js';
import { clockFinding } from './clock.js';
import { codeOf, failed, ok, sentenceOf, warning, type Check, type Finding } from './check.js';
import { checkStandbys } from './standby-check.js';

const oldestVersion = 150_000;
/** The connections of the job queue and of listeners, beside DATABASE_POOL_SIZE. */
const furtherConnections = 6;
const connectTimeoutMs = 5_000;
const hearTimeoutMs = 3_000;
const extensions = ['pg_trgm', 'btree_gin'];

const advices: Record<string, string> = {
  ECONNREFUSED: 'Start PostgreSQL, or correct host and port of DATABASE_URL.',
  ENOTFOUND: 'Correct the host of DATABASE_URL.',
  EAI_AGAIN: 'Correct the host of DATABASE_URL, or this machine’s DNS.',
  '28P01': 'Correct user and password of DATABASE_URL.',
  '28000': 'Correct the user of DATABASE_URL, or permit it in pg_hba.conf.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections, or start fewer processes.',
};

export function databaseChecks(config: Config, migrationsDir: string): Check[] {
  const { databaseUrl, databaseDirectUrl: url = databaseUrl } = config;
  const variables = ['DATABASE_URL'];
  if (url === undefined) {
    const advice = 'Set DATABASE_URL to check a database: `npm run dev` starts one of its own.';
    return [{ name: 'database', variables, run: async () => warning('DATABASE_URL is not set.', advice) }];
  }
  const checkOf = (name: string, run: (client: pg.Client) => Promise<Finding | Finding[]>): Check => ({
    name,
    variables,
    after: 'database',
    run: () => withClient(url, run),
  });
  return [
    { name: 'database', variables, run: () => checkVersion(url) },
    { name: 'database-sessions', variables, after: 'database', run: () => checkSessions(url) },
    checkOf('database-migrations', (client) => checkMigrations(client, migrationsDir)),
    checkOf('database-privileges', checkPrivileges),
    {
      ...checkOf('database-connections', (client) => checkConnections(client, config)),
      variables: ['DATABASE_URL', 'DATABASE_POOL_SIZE'],
    },
    checkOf('database-listen', (client) => checkListen(url, client)),
    checkOf('database-clock', checkClock),
    checkOf('database-standbys', checkStandbys),
    ...(databaseUrl === undefined || databaseUrl === url ? [] : [poolerCheck(databaseUrl, url)]),
    ...(config.databaseReplicas.urls.length === 0 ? [] : [replicaCheck(config, url)]),
    {
      name: 'encryption-key',
      variables: ['DATABASE_URL', 'ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS'],
      after: 'database',
      run: () => checkEncryptionKey(config, url),
    },
  ];
}

async function checkVersion(url: string): Promise<Finding> {
  try {
    return await withClient(url, async (client) => {
      const { rows } = await client.query<{ number: number; version: string; isReplica: boolean }>(
        `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
           pg_is_in_recovery() AS "isReplica"`,
      );
      const { number = 0, version = '', isReplica = false } = rows[0] ?? {};
      if (number < oldestVersion)
        return failed(`It is PostgreSQL ${version}.`, 'Upgrade it to PostgreSQL 15 or newer.');
      if (isReplica) return failed('It is a replica, which takes no changes.', 'Let DATABASE_URL lead to the primary.');
      return ok(`PostgreSQL ${version} answers.`);
    });
  } catch (error) {
    const advice = advices[codeOf(error) ?? ''] ?? 'Check DATABASE_URL, and whether this machine reaches the server.';
    return failed(`The database cannot be opened: ${sentenceOf(error)}`, advice);
  }
}

async function checkSessions(url: string): Promise<Finding> {
  try {
    await requireOwnSessions(url);
    return ok('Connections have sessions of their own.');
  } catch (error) {
    return failed(sentenceOf(error), 'Let DATABASE_URL lead to PostgreSQL itself, without a pooler.');
  }
}

async function checkMigrations(client: pg.Client, migrationsDir: string): Promise<Finding> {
  let pending: string[];
  try {
    pending = await listPendingMigrations(client, migrationsDir);
  } catch (error) {
    return failed(sentenceOf(error), 'Start the version that this database belongs to, or restore a backup.');
  }
  if (pending.length === 0) return ok('All migrations are applied.');
  const { rows } = await client.query<{ isNew: boolean }>(`SELECT to_regclass('tenants') IS NULL AS "isNew"`);
  if (rows[0]?.isNew === true) return ok('The database is new: the first start applies all migrations.');
  const what = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
  return warning(
    `${what} not applied yet, from ${pending[0]} on.`,
    'Back up; the next start of this version applies them.',
  );
}

async function checkPrivileges(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; database: boolean; schema: boolean | null; foreign: string[] }>(
    `SELECT current_user AS name, has_database_privilege(current_database(), 'CREATE') AS database,
       has_schema_privilege(current_schema(), 'CREATE') AS schema,
       ARRAY(SELECT relname::text FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S', 'v')
           AND NOT pg_has_role(relowner, 'USAGE') ORDER BY relname LIMIT 3) AS "foreign"`,
  );
  const { name = '', database = false, schema = false, foreign = [] } = rows[0] ?? {};
  const grant = 'Let the user of DATABASE_URL own the database: `ALTER DATABASE … OWNER TO …`.';
  if (!database) return failed(`The user ${name} may not create schemas in the database.`, grant);
  if (schema !== true) return failed(`The user ${name} may not create tables in the schema.`, grant);
  if (foreign.length > 0)
    return failed(
      `The user ${name} does not own ${foreign.join(', ')}.`,
      'Use the user who made the tables, or give them to this one (`REASSIGN OWNED`).',
    );
  return checkExtensions(client, name);
}

async function checkExtensions(client: pg.Client, name: string): Promise<Finding> {
  const { rows } = await client.query<{ extension: string; isThere: boolean; isOffered: boolean }>(
    `SELECT extension, EXISTS (SELECT FROM pg_extension WHERE extname = extension) AS "isThere",
       EXISTS (SELECT FROM pg_available_extension_versions WHERE name = extension
         AND (trusted OR NOT superuser OR current_setting('is_superuser')::bool)) AS "isOffered"
     FROM unnest($1::text[]) AS extension`,
    [extensions],
  );
  const missing = rows.filter(({ isThere, isOffered }) => !isThere && !isOffered).map(({ extension }) => extension);
  if (missing.length === 0) return ok(`The user ${name} may create what migrations create.`);
  return failed(
    `The extension ${missing.join(' and ')} cannot be created.`,
    "Install PostgreSQL's contrib package, or let a superuser create the extension in this database.",
  );
}

async function checkConnections(client: pg.Client, { databasePoolSize }: Config): Promise<Finding> {
  const { rows } = await client.query<{ max: number; reserved: number; narrowest: number | null; running: number }>(
    `SELECT current_setting('max_connections')::int AS max,
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true), '0')::int AS reserved,
       (SELECT min(bound) FROM (
          SELECT datconnlimit AS bound FROM pg_database WHERE datname = current_database()
          UNION ALL SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS bounds WHERE bound >= 0) AS narrowest,
       (SELECT count(*)::int FROM pg_stat_activity
        WHERE application_name = 'leadwire-listen' AND datname = current_database()) AS running`,
  );
  const { max = 0, reserved = 0, narrowest = null, running = 0 } = rows[0] ?? {};
  const forUs = Math.min(max - reserved, narrowest ?? Infinity);
  const each = databasePoolSize + furtherConnections;
  const room = Math.floor(forUs / each);
  const found = `${forUs} connections are room for ${room} processes with up to ${each} each; ${running} run now.`;
  const advice = 'Lower DATABASE_POOL_SIZE, or raise max_connections and limits of user and database.';
  if (room < 1) return failed(found, advice);
  return room < running || room < 2 ? warning(found, advice) : ok(found);
}

async function checkListen(url: string, listener: pg.Client): Promise<Finding> {
  const [channel, heard] = [`leadwire_doctor_${randomUUID().replaceAll('-', '')}`, Promise.withResolvers<boolean>()];
  listener.on('notification', (notification) => notification.channel === channel && heard.resolve(true));
  await listener.query(`LISTEN ${channel}`);
  await withClient(url, (sender) => sender.query('SELECT pg_notify($1, $2)', [channel, '']));
  const timer = setTimeout(() => heard.resolve(false), hearTimeoutMs);
  const isHeard = await heard.promise;
  clearTimeout(timer);
  if (isHeard) return ok('LISTEN hears what another connection notifies.');
  return failed(
    `LISTEN heard nothing within ${hearTimeoutMs / 1_000} s.`,
    'Let DATABASE_URL lead to PostgreSQL itself: a pooler or proxy swallows notifications.',
  );
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const askedAtMs = Date.now();
  const { rows } = await client.query<{ nowMs: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"',
  );
  const middleMs = (askedAtMs + Date.now()) / 2;
  return clockFinding('The database', (rows[0]?.nowMs ?? 0) - middleMs);
}

function poolerCheck(url: string, directUrl: string): Check {
  const run = async () => {
    try {
      await requirePooler(url, directUrl);
      return ok('The pooler of DATABASE_URL has the settings.');
    } catch (error) {
      return failed(
        sentenceOf(error),
        'Set the pooler up as the guide on growth says, or let both lead to PostgreSQL.',
      );
    }
  };
  return { name: 'database-pooler', variables: ['DATABASE_URL', 'DATABASE_DIRECT_URL'], after: 'database', run };
}

function replicaCheck({ databaseReplicas: replicas }: Config, url: string): Check {
  const run = async () => {
    const database = new Database({ url, poolSize: 2, log: createLogger('silent'), replicas });
    try {
      await database.start();
      return database.replicaUse.map(({ name, awayBecause, lagMs }) => {
        if (awayBecause !== undefined)
          return failed(
            `${name} cannot be used: ${awayBecause}.`,
            'Let DATABASE_REPLICA_URL name replicas of the database.',
          );
        if (lagMs > 0) return warning(`${name} is behind the primary.`, 'Look at its replication and its load.');
        return ok(`${name} has all that the primary has.`);
      });
    } finally {
      await database.close();
    }
  };
  return { name: 'database-replica', variables: ['DATABASE_REPLICA_URL'], after: 'database', run };
}

async function checkEncryptionKey(config: Config, url: string): Promise<Finding> {
  const database = new Database({ url, poolSize: 2, log: createLogger('silent') });
  try {
    const [table] = await database.query<{ isThere: boolean }>(
      `SELECT to_regclass('tenant_api_keys') IS NOT NULL AS "isThere"`,
    );
    if (table?.isThere !== true) return ok('Nothing is encrypted yet.');
    const secretBox = new SecretBox(config.encryptionKey, config.encryptionKeyPrevious);
    await new ApiKeyService({ database, secretBox, audit: new AuditService(database) }).checkEncryptionKey();
    return ok('It decrypts what is stored.');
  } catch (error) {
    return failed(
      `It does not decrypt what is stored: ${sentenceOf(error)}`,
      'Set the ENCRYPTION_KEY that this database was used with; without it, what is encrypted is lost.',
    );
  } finally {
    await database.close();
  }
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'leadwire doctor',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    // A server that says nothing does not answer a goodbye either.
    void client.end().catch(() => undefined);
  }
}
