// `npm run tenant -- move-out` and `move-in`: all rows of a tenant, out of a database into a file, and from the file into another database.
// A tenant is in one place at a time: its rows leave the database when the file is on the disk. Files of messages stay in their store.

import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { AuditService } from '../features/audit/audit.service.js';
import type { SqlRunner } from '../platform/database/database.js';
import { AppError, invalidField } from '../platform/errors.js';
import { hasCode, isUniqueViolation } from '../platform/observability/fault.js';
import type { SecretBox } from '../platform/secret-box.js';
import { sealedColumns } from './sealed-columns.js';

const file = { type: 'string', value: '<path>', fields: ['file'] } as const;

export const moveOutOptions = {
  tenant: { type: 'string', value: '<slug>', fields: ['tenant'], meaning: 'required: a deactivated tenant' },
  file: { ...file, meaning: 'required: is written, and must not exist. It holds personal data' },
} as const;

export const moveInOptions = { file: { ...file, meaning: 'required: what move-out has written' } } as const;

/** The tenant that was moved, and how many rows. */
export interface MovedTenant {
  id: string;
  slug: string;
  rows: number;
}

interface TenantTable {
  name: string;
  /** The column that PostgreSQL fills from a sequence; null for a table without one. */
  counter: { column: string; sequence: string } | null;
}

type Audit = Pick<AuditService, 'record'>;

/** The lines of a file: the header, then each table with its rows, each as PostgreSQL writes a row, then the end. */
interface Header {
  leadwire: 'tenant';
  migration: string;
  id: string;
  slug: string;
}
type Line = Header | { table: string } | string | { end: true; rows: number };

// Rows of a journal may have megabytes.
const bytesAtOnce = 1024 * 1024;
const rowsAtOnce = 1_000;
const lockTimeoutMs = 10_000;
/** A sequence is set so far beyond the imported rows that values taken meanwhile stay below it. */
const counterStep = 1_000;

/**
 * Writes all rows of a tenant to a file that must not exist, and removes them from the database in the same transaction. On failure,
 * the tenant stays and the file is removed.
 * @throws AppError NOT_FOUND for an unknown slug, CONFLICT for the platform tenant, an active one, or one that sends or is written to
 */
export async function moveOut(
  url: string,
  { slug, path, audit }: { slug: string; path: string; audit: Audit },
): Promise<MovedTenant> {
  const target = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw hasCode(error, 'EEXIST') ? invalidField('file', 'exists already') : error;
  });
  let isSafe = false;
  try {
    return await withClient(url, async (client) => {
      const tenant = await lockTenant(client, slug);
      await recordMove(client, audit, 'TENANT_MOVED_OUT', { id: tenant.id, slug });
      const tables = await listTables(client);
      const header: Header = { leadwire: 'tenant', migration: await readMigration(client), id: tenant.id, slug };
      await writeLine(target, header);
      const written = new Map<string, number>();
      for (const { name } of tables) written.set(name, await writeTable(client, target, name, tenant.id));
      const rows = [...written.values()].reduce((sum, count) => sum + count, 0);
      await writeLine(target, { end: true, rows });
      await target.sync();
      for (const { name } of tables.toReversed()) await deleteRows(client, name, tenant.id, written.get(name) ?? 0);
      // From here on, the file may hold the only copy.
      isSafe = true;
      await client.query('COMMIT');
      return { id: tenant.id, slug, rows };
    });
  } finally {
    await target.close();
    if (!isSafe) await rm(path, { force: true });
  }
}

/**
 * Inserts the tenant of a file into a migrated database, deactivated as it was. One transaction inserts all rows: the call may be repeated.
 * @throws AppError CONFLICT when the tenant, its slug or a user's subject exists already; Error in a sentence for a file that is not
 *   whole, of another version, or encrypted with another key
 */
export async function moveIn(
  url: string,
  { path, secretBox, audit }: { path: string; secretBox: SecretBox; audit: Audit },
): Promise<MovedTenant> {
  const lines = readLines(path);
  const header = (await lines.next()).value as Partial<Header> | undefined;
  if (header?.leadwire !== 'tenant' || header.id === undefined || header.slug === undefined) throw notWhole();
  const { id, slug } = header;
  return withClient(url, async (client) => {
    const migration = await readMigration(client);
    if (header.migration !== migration)
      throw invalidField('file', `is of another version: ${header.migration}, and the database of ${migration}`);
    const rows = await insertRows(client, id, lines);
    await checkSecrets(client, id, secretBox);
    await recordMove(client, audit, 'TENANT_MOVED_IN', { id, slug });
    await client.query('COMMIT');
    return { id, slug, rows };
  });
}

// Most triggers must not run: they would compute values again, and delete the files of deleted rows. A replica's session runs few of them.
async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  // Rows are written as text, in a form that does not depend on the server's settings.
  const options = `-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c bytea_output=hex -c enable_seqscan=off`;
  const client = new pg.Client({ connectionString: url, options: `${options} -c lock_timeout=${lockTimeoutMs}` });
  // Without a listener, a lost connection would end the process. The client's statements fail by themselves.
  client.on('error', () => undefined);
  // An interrupted move fails like one whose connection is lost. npm passes on the signal that the terminal has sent as well.
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    client.end().catch(() => undefined);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica').catch((cause: unknown) => {
      const sentence =
        'The user of DATABASE_URL may not do this. As a superuser: GRANT SET ON PARAMETER session_replication_role TO …';
      throw hasCode(cause, '42501') ? new Error(sentence, { cause }) : cause;
    });
    return await work(client);
  } finally {
    // Closing the connection rolls an open transaction back.
    await client.end();
    // A further signal must not end an interrupted command before it has removed its file.
    if (!isInterrupted) process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function lockTenant(client: pg.Client, slug: string): Promise<{ id: string }> {
  const { rows } = await client.query<{ id: string; isPlatform: boolean; isActive: boolean }>(
    'SELECT id, is_platform AS "isPlatform", is_active AS "isActive" FROM tenants WHERE slug = $1 FOR UPDATE',
    [slug],
  );
  const [tenant] = rows;
  if (tenant === undefined) throw new AppError('NOT_FOUND', 'tenant: there is none of this slug');
  if (tenant.isPlatform) throw new AppError('CONFLICT', 'tenant: is the platform tenant, which stays');
  if (tenant.isActive) throw new AppError('CONFLICT', 'tenant: is active: deactivate it first');
  // The query runs after the lock, because claims of messages need that lock too.
  const { rows: sends } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM outbox_entries WHERE tenant_id = $1 AND lease_until > clock_timestamp()',
    [tenant.id],
  );
  // The result of a running send would find no message here. In the next database, that message would look lost.
  const count = sends[0]?.count ?? 0;
  if (count > 0)
    throw new AppError('CONFLICT', `tenant: ${count} of its messages are being sent: try again in a minute`);
  return tenant;
}

/** Records the move in the tenant's log, which moves with it, and in the platform tenant's log, which stays. */
async function recordMove(
  client: pg.Client,
  audit: Audit,
  action: 'TENANT_MOVED_OUT' | 'TENANT_MOVED_IN',
  { id, slug }: Pick<MovedTenant, 'id' | 'slug'>,
): Promise<void> {
  const sql: SqlRunner = {
    query: async (statement, values) =>
      (await client.query(typeof statement === 'string' ? statement : statement.text, [...(values ?? [])])).rows,
  };
  const platforms = await sql.query<{ id: string }>('SELECT id FROM tenants WHERE is_platform');
  const change = { action, targetKind: 'TENANT', targetId: id, after: { slug } } as const;
  const logs = [id, ...platforms.map((platform) => platform.id)];
  await audit.record(
    sql,
    { kind: 'command' },
    logs.map((tenantId) => ({ ...change, tenantId })),
  );
}

async function readMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string | null }>(
    'SELECT max(migration_name) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  );
  return rows[0]?.name ?? '';
}

/**
 * Every table with rows of tenants, in the order of inserting; rows are deleted in the opposite order. Triggers that run in every session
 * note changes for dashboards, so those notes come first and go last. Deleting leads changes the consent ledger, which goes after them, and
 * deletes leads of sources that gave no id, which go before them.
 */
async function listTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(
    `SELECT c.relname AS name, (
       SELECT jsonb_build_object('column', a.attname, 'sequence', pg_get_serial_sequence(c.oid::regclass::text, a.attname))
       FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL
     ) AS counter
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND (
       c.relname = 'tenants' OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id'))
     ORDER BY c.relname <> 'dashboard_changes', c.relname <> 'consent_entries', c.relname = 'lead_source_leads', c.relname`,
  );
  return rows;
}

const keyOf = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id');

/** Writes and locks the rows, so that nothing changes them before they are deleted. @returns the number of rows */
async function writeTable(client: pg.Client, target: FileHandle, table: string, tenantId: string): Promise<number> {
  await writeLine(target, { table });
  const name = pg.escapeIdentifier(table);
  const declare = `DECLARE moving CURSOR FOR SELECT t::text AS row FROM ${name} t WHERE ${keyOf(table)} = $1 FOR UPDATE`;
  await client.query(declare, [tenantId]);
  let count = 0;
  // The size of the rows read so far decides how many are fetched next.
  for (let wanted = 10; wanted > 0;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${wanted} FROM moving`);
    const text = rows.map(({ row }) => lineOf(row)).join('');
    await target.appendFile(text);
    count += rows.length;
    const fitting = Math.floor((bytesAtOnce * rows.length) / Math.max(text.length, 1));
    wanted = rows.length < wanted ? 0 : Math.max(1, Math.min(rowsAtOnce, fitting));
  }
  await client.query('CLOSE moving');
  return count;
}

async function deleteRows(client: pg.Client, table: string, tenantId: string, written: number): Promise<void> {
  const name = pg.escapeIdentifier(table);
  // The ledger's trigger refuses deletions, but these rows are in the file. Entries of other tenants wait for the commit, which is near.
  if (table === 'consent_entries') await client.query(`ALTER TABLE ${name} DISABLE TRIGGER consent_entries_guarded`);
  const { rowCount } = await client.query(`DELETE FROM ${name} WHERE ${keyOf(table)} = $1`, [tenantId]);
  if (table === 'consent_entries')
    await client.query(`ALTER TABLE ${name} ENABLE ALWAYS TRIGGER consent_entries_guarded`);
  // The deletions themselves have added changes for dashboards.
  if (rowCount !== written && table !== 'dashboard_changes')
    throw new AppError('CONFLICT', `tenant: is still written to (${table}): try again in a minute`);
}

async function insertRows(client: pg.Client, tenantId: string, lines: AsyncGenerator<Line>): Promise<number> {
  const tables = new Map((await listTables(client)).map((known) => [known.name, known]));
  let table: TenantTable | undefined;
  let waiting: string[] = [];
  let waitingBytes = 0;
  let count = 0;
  const insert = async () => {
    if (table === undefined || waiting.length === 0) return;
    const name = pg.escapeIdentifier(table.name);
    // Rows of other tenants are left out, so that the count at the end refuses the file.
    const statement = `INSERT INTO ${name} SELECT * FROM unnest($1::text[]::${name}[]) WHERE ${keyOf(table.name)} = $2`;
    const inserted = await client.query(statement, [waiting, tenantId]).catch((error: unknown) => {
      throw isUniqueViolation(error) ? takenBy(error.constraint) : error;
    });
    count += inserted.rowCount ?? 0;
    [waiting, waitingBytes] = [[], 0];
  };
  for await (const line of lines) {
    if (typeof line === 'string') {
      waiting.push(line);
      waitingBytes += line.length;
      if (waiting.length >= rowsAtOnce || waitingBytes >= bytesAtOnce) await insert();
      continue;
    }
    await insert();
    if (table !== undefined) await advanceCounter(client, table, tenantId);
    if ('end' in line && line.rows === count) return count;
    table = 'table' in line ? tables.get(line.table) : undefined;
    if (table === undefined) break;
  }
  throw notWhole();
}

/** Sets the sequence forward, never back: other tenants take values from it meanwhile. */
async function advanceCounter(client: pg.Client, { name, counter }: TenantTable, tenantId: string): Promise<void> {
  if (counter === null) return;
  const [table, column] = [pg.escapeIdentifier(name), pg.escapeIdentifier(counter.column)];
  await client.query(
    `SELECT setval($1, newest + ${counterStep}) FROM (SELECT max(${column}) AS newest FROM ${table} WHERE tenant_id = $2) m
     WHERE newest > (SELECT last_value FROM ${counter.sequence})`,
    [counter.sequence, tenantId],
  );
}

// In the middle of a key's replacement some secrets have the new key and others the previous one, so every one is tried.
async function checkSecrets(client: pg.Client, tenantId: string, secretBox: SecretBox): Promise<void> {
  for (const { table, column, ownerOf } of sealedColumns) {
    const { rows } = await client.query<{ id: string; box: Buffer }>(
      `SELECT id, ${column} AS box FROM ${table} WHERE tenant_id = $1 AND ${column} IS NOT NULL`,
      [tenantId],
    );
    for (const { id, box } of rows) secretBox.open(box, ownerOf(id));
  }
}

function notWhole(): AppError {
  return invalidField('file', 'is not a whole file of move-out');
}

function takenBy(constraint: string | undefined): AppError {
  const sentences: Record<string, string> = {
    tenants_slug_key: 'file: another tenant has its slug here',
    users_idp_sub_key:
      'file: a user of another tenant has a subject of the identity provider that one of its users has',
  };
  return new AppError('CONFLICT', sentences[constraint ?? ''] ?? 'file: its tenant is in this database already');
}

async function writeLine(target: FileHandle, line: Line): Promise<void> {
  await target.appendFile(lineOf(line));
}

// Readers of lines take U+2028 and U+2029 for line ends.
function lineOf(line: Line): string {
  return `${JSON.stringify(line)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)}\n`;
}

async function* readLines(path: string): AsyncGenerator<Line> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    try {
      yield JSON.parse(line) as Line;
    } catch {
      throw notWhole();
    }
  }
}
