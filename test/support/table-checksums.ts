// Checksums of every row of a database, one for each table: equal before and after means that nothing was changed.

import type { TestApp } from './test-app.js';

/** Tables of pg-boss with notes about its own running. API calls do not change them. */
const ownClocks = new Set(['pgboss.version', 'pgboss.queue', 'pgboss.schedule', 'pgboss.bam']);

/** A checksum of each table of every schema, by `schema.table`. Partitions count with their table. */
export async function checksumsOf(app: TestApp): Promise<Record<string, string>> {
  const sums = await app.sql<{ name: string; sum: string }>(
    (await listTables(app))
      .map(
        (name) =>
          `SELECT '${name}' AS name, (SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM ${name} t) AS sum`,
      )
      .join(' UNION ALL '),
  );
  return Object.fromEntries(sums.map(({ name, sum }) => [name, sum]));
}

/** Returns the result of `work`, after a check that no table has changed. Use it with an application whose process has no workers. */
export async function changingNothing<Result>(app: TestApp, work: () => Promise<Result>): Promise<Result> {
  const before = await checksumsOf(app);
  const result = await work();
  expect(await checksumsOf(app)).toEqual(before);
  return result;
}

export interface NamedCall {
  name: string;
  call: () => Promise<unknown>;
}

type Rows = Record<string, string | null>;

/**
 * Checks a group of calls that were made since `before` was read: two readings are enough for hundreds of calls. Only where something
 * changed, the calls are made again in halves, to name those that change something.
 * @param read reads the checksum of each table
 */
export async function expectUnchanged(
  read: () => Promise<Rows>,
  before: Rows,
  calls: readonly NamedCall[],
): Promise<void> {
  const changed = differing(before, await read());
  if (changed.length === 0) return;
  const named = await findChanging(read, calls);
  throw new Error(
    `Changed: ${changed.join(', ')}. ${named.join('; ') || 'No call changes anything when it is repeated.'}`,
  );
}

async function findChanging(read: () => Promise<Rows>, calls: readonly NamedCall[]): Promise<string[]> {
  const before = await read();
  for (const { call } of calls) await call();
  const changed = differing(before, await read());
  if (changed.length === 0) return [];
  if (calls.length === 1) return [`${calls[0]!.name} changes ${changed.join(', ')}`];
  const half = Math.ceil(calls.length / 2);
  return [...(await findChanging(read, calls.slice(0, half))), ...(await findChanging(read, calls.slice(half)))];
}

function differing(before: Rows, after: Rows): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

async function listTables(app: TestApp): Promise<string[]> {
  const tables = await app.sql<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
     ORDER BY 1`,
  );
  return tables.map(({ name }) => name).filter((name) => !ownClocks.has(name));
}
