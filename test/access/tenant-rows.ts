// Everything that belongs to a tenant, as one value: equal before and after means that nothing was changed.

import type { TestApp } from '../support/test-app.js';

/** A digest of each table's rows of this tenant. `except` names tables that may change. */
export async function digestTenant(
  app: TestApp,
  tenantId: string,
  except: readonly string[] = [],
): Promise<Record<string, string | null>> {
  const tables = await app.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  const digests: Record<string, string | null> = {};
  for (const { name } of tables.filter((table) => !except.includes(table.name))) {
    digests[name] = await digestOf(app, name, 'tenant_id', tenantId);
  }
  return { ...digests, tenants: await digestOf(app, 'tenants', 'id', tenantId) };
}

async function digestOf(app: TestApp, table: string, column: string, tenantId: string): Promise<string | null> {
  const [row] = await app.sql<{ digest: string | null }>(
    `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${table} t WHERE ${column} = $1`,
    [tenantId],
  );
  return row?.digest ?? null;
}
