// The database itself: schema and migrations agree, and a reference across tenants is refused.

import { fileURLToPath } from 'node:url';
import { schemaDrift } from '../../src/platform/migrations.js';
import { TestApp } from '../support/test-app.js';
import type { TestTenant } from '../support/test-app.js';

const schemaPath = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));

let app: TestApp;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  app = await TestApp.start();
  tenant = await app.createTenant();
  other = await app.createTenant();
});

afterAll(() => app.stop());

test('prisma/schema.prisma says what the migrations make', async () => {
  expect(await schemaDrift(app.database.url, schemaPath)).toBe('');
});

test("every foreign key of a tenant-owned table carries the tenant's id", async () => {
  const keys = await app.sql<{ name: string; columns: string[] }>(
    `SELECT conname AS name, array_agg(a.attname::text) AS columns
     FROM pg_constraint c CROSS JOIN unnest(c.conkey) AS k (attnum)
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace GROUP BY conname`,
  );
  expect(keys.length).toBeGreaterThan(20);
  for (const { name, columns } of keys) expect([name, columns]).toEqual([name, expect.arrayContaining(['tenant_id'])]);
});

test("a message cannot point at another tenant's lead or instance", async () => {
  const [lead] = await app.sql<{ id: string }>(
    `INSERT INTO leads (tenant_id, id, name, source, updated_at) VALUES ($1, gen_random_uuid(), 'x', 'x', now()) RETURNING id`,
    [tenant.id],
  );
  const insert = (leadId: string, instanceId: string) =>
    app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type) VALUES ($1, gen_random_uuid(), $2, $3, 'INBOUND', 'text')`,
      [tenant.id, leadId, instanceId],
    );
  await insert(lead!.id, tenant.instance.id);
  await expect(insert(lead!.id, other.instance.id)).rejects.toMatchObject({ code: '23503' });
  await expect(
    app.sql('UPDATE leads SET assignee_id = $1 WHERE id = $2', [other.admin.id, lead!.id]),
  ).rejects.toMatchObject({ code: '23503' });
});

test('only one tenant is the platform', async () => {
  await expect(app.sql('UPDATE tenants SET is_platform = true')).rejects.toMatchObject({ code: '23505' });
});

const ranks = ['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED'];
test.each([
  ['QUEUED', ['SENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED']],
  ['SENDING', ['SENT', 'DELIVERED', 'READ', 'FAILED']],
  ['SENT', ['DELIVERED', 'READ', 'FAILED']],
  ['DELIVERED', ['READ']],
  ['READ', []],
  ['FAILED', ['DELIVERED', 'READ']],
  ['CANCELED', []],
])('from %s a status rises to %j only', async (from, to) => {
  const rows = await app.sql<{ status: string }>(
    'SELECT s AS status FROM unnest($2::text[]) s WHERE message_status_rises($1::message_status, s::message_status)',
    [from, ranks],
  );
  expect(rows.map((row) => row.status)).toEqual(to);
});
