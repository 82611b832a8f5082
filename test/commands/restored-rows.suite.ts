// A restored copy against the running database: which changes it has to have.

import pg from 'pg';
import { compareTenants } from '../../src/commands/doctor/backup/restored-rows.js';
import { createTestDatabase } from '../support/test-database.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeRestoredRows(): void {
  let app: TestApp;
  let clients: [live: pg.Client, restored: pg.Client];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    app = await sharedApp();
    const restored = await createTestDatabase();
    drop = restored.drop;
    clients = [new pg.Client(app.database.url), new pg.Client(restored.url)];
    await Promise.all(clients.map((client) => client.connect()));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await drop();
  });

  test('lacks what is older than its moment, but for a tenant that was moved in since', async () => {
    const [moved, platform] = [await app.createTenant(), await app.createTenant()];
    for (const tenant of [moved, platform])
      await app.post('/webhooks/leads', { chat: '5511988887777' }, withKey(tenant));
    await app.sql("UPDATE events SET occurred_at = now() - interval '1 day'");
    const findings = async () =>
      (await compareTenants(...clients, new Date(Date.now() - 3_600_000))).map(({ found }) => found);
    const lacking = ({ slug }: TestTenant) => expect.stringContaining(`The tenant ${slug} lacks changes`);
    expect(await findings()).toEqual(expect.arrayContaining([lacking(moved), lacking(platform)]));
    // The log of the platform tenant says it too.
    for (const { id } of [moved, platform])
      await app.sql(
        `INSERT INTO audit_entries (tenant_id, id, actor_kind, action, target_kind, target_id)
         VALUES ($1, gen_random_uuid(), 'COMMAND', 'TENANT_MOVED_IN', 'TENANT', $2)`,
        [id, moved.id],
      );
    const left = await findings();
    expect(left).toContainEqual(lacking(platform));
    expect(left).not.toContainEqual(lacking(moved));
  });
}
