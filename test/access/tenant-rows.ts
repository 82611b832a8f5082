// Everything that belongs to a tenant, as one value: equal before and after means that nothing was changed.

import type { TestApp } from '../support/test-app.js';

// The service computes these tables in the background, at a time that no call determines.
const computedTables = ['message_counts', 'counts_to_move', 'reply_times', 'dashboard_changes', 'push_progress'];

/** A digest of each table's rows of this tenant. `except` names tables that may change. */
export async function digestTenant(
  app: Pick<TestApp, 'sql'>,
  tenantId: string,
  except: readonly string[] = [],
): Promise<Record<string, string | null>> {
  const left = [...computedTables, ...except];
  const owned = (await namesOf(app)).filter((name) => !left.includes(name));
  const digests = [...owned.map((name) => digestOf(name, 'tenant_id')), digestOf('tenants', 'id')];
  const rows = await app.sql<{ name: string; digest: string | null }>(digests.join(' UNION ALL '), [tenantId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

const namesByApp = new WeakMap<Pick<TestApp, 'sql'>, Promise<string[]>>();

/** The tables with a tenant's rows, read once: no test creates a table. */
function namesOf(app: Pick<TestApp, 'sql'>): Promise<string[]> {
  const known = namesByApp.get(app) ?? readNames(app);
  namesByApp.set(app, known);
  return known;
}

async function readNames(app: Pick<TestApp, 'sql'>): Promise<string[]> {
  const tables = await app.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  return tables.map(({ name }) => name);
}

function digestOf(table: string, column: string): string {
  return `SELECT '${table}' AS name, (SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t WHERE ${column} = $1) AS digest`;
}
