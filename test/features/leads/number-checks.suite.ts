// The job that judges the numbers of leads from an earlier version: in batches, tenant by tenant, from where it was interrupted.

import { NumberCheckService } from '../../../src/features/leads/identity/number-check.service.js';
import { newRecordId } from '../../../src/platform/database/record-id.js';
import { query } from '../../support/graphql-client.js';
import { NumbersOfLeadsDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';

export function describeNumberChecks(): void {
  let app: TestApp;
  let checks: NumberCheckService;
  const warned: unknown[] = [];

  beforeAll(async () => {
    app = await sharedApp();
  });
  beforeEach(() => {
    warned.length = 0;
    const { database } = app.app.services;
    checks = new NumberCheckService({ database, log: { warn: (fields: object) => warned.push(fields) }, batchSize: 3 });
  });

  /** Inserts leads as the version before wrote them. @returns their ids */
  async function insertLeads(tenant: TestTenant, chats: readonly (string | null)[]): Promise<string[]> {
    const ids = chats.map(() => newRecordId());
    await app.sql(
      `INSERT INTO leads (tenant_id, id, name, chat, source, updated_at)
       SELECT $1, w.id, 'x', w.chat, 'x', '2026-01-01Z' FROM unnest($2::uuid[], $3::text[]) AS w (id, chat)`,
      [tenant.id, ids, chats],
    );
    return ids;
  }

  /**
   * A tenant whose leads are to be judged, or as a run left it that was interrupted after `judged` leads. The server's own job may take it at
   * once.
   */
  async function earlierTenant(chats: readonly (string | null)[], judged = 0): Promise<TestTenant> {
    const tenant = await app.createTenant();
    const ids = await insertLeads(tenant, chats);
    await app.sql('INSERT INTO number_checks (tenant_id, position) VALUES ($1, $2)', [
      tenant.id,
      ids[judged - 1] ?? null,
    ]);
    return tenant;
  }

  const leadsOf = async (tenant: TestTenant) =>
    (await query(app, tenant.operator, NumbersOfLeadsDocument, {})).leads.edges.map(({ node }) => node);
  const validitiesOf = async (tenant: TestTenant) =>
    (await leadsOf(tenant)).map(({ numberValidity }) => numberValidity);
  const isUnfinished = async ({ id }: TestTenant) =>
    (await app.sql('SELECT FROM number_checks WHERE tenant_id = $1', [id])).length === 1;

  const chats = ['5511988887777', null, '1234567', '5215512345678', '551188887777', '9991234567', '14155552671'];
  const validities = ['VALID', 'UNKNOWN', 'INVALID', 'VALID', 'VALID', 'INVALID', 'VALID'];

  test('every lead of every tenant is judged, and nothing else of it changes', async () => {
    const tenants = [await earlierTenant(chats), await earlierTenant(chats.slice(0, 3)), await earlierTenant([])];
    const [first, second, third] = tenants as [TestTenant, TestTenant, TestTenant];
    await checks.checkAll();
    const leads = await leadsOf(first);
    expect(leads.map(({ numberValidity }) => numberValidity)).toEqual(validities);
    expect(leads.map(({ chat }) => chat)).toEqual(chats);
    for (const lead of leads) expect(lead).toMatchObject({ updatedAt: '2026-01-01T00:00:00.000Z', identities: [] });
    expect(await validitiesOf(second)).toEqual(validities.slice(0, 3));
    expect(await app.sql('SELECT FROM events WHERE tenant_id = $1', [first.id])).toEqual([]);
    for (const tenant of [first, second, third]) expect(await isUnfinished(tenant)).toBe(false);
    expect(warned).toEqual([]);
  });

  test('a run goes on where the one before was interrupted, and repeats nothing', async () => {
    const tenant = await earlierTenant(chats, 3);
    await checks.checkAll();
    expect(await validitiesOf(tenant)).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN', ...validities.slice(3)]);
  });

  test('two runs at once do the same as one', async () => {
    const tenant = await earlierTenant(chats);
    await Promise.all([checks.checkAll(), checks.checkAll()]);
    expect(await validitiesOf(tenant)).toEqual(validities);
    expect(warned).toEqual([]);
  });

  test('a tenant whose leads are held by somebody holds up no other', async () => {
    const [held, other] = [await earlierTenant(chats), await earlierTenant(chats)];
    const { database } = app.app.services;
    await database.transaction(async (sql) => {
      await sql.query('SELECT FROM leads WHERE tenant_id = $1 FOR UPDATE', [held.id]);
      await checks.checkAll();
      expect([await isUnfinished(held), await isUnfinished(other)]).toEqual([true, false]);
    });
    expect(await validitiesOf(other)).toEqual(validities);
    expect(warned).toMatchObject([{ tenantId: held.id }]);
    await checks.checkAll();
    expect(await validitiesOf(held)).toEqual(validities);
  });

  test('a number that was judged by who changed it stays as it is', async () => {
    const tenant = await earlierTenant(['5511988887777']);
    await app.sql("UPDATE leads SET chat = '1234567', number_validity = 'INVALID' WHERE tenant_id = $1", [tenant.id]);
    await checks.checkAll();
    expect(await validitiesOf(tenant)).toEqual(['INVALID']);
  });
}
