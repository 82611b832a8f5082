// The audit log: each administrative change and each reading of a key, with the actor, the change, and the values before and after.

import { randomUUID } from 'node:crypto';
import { execute, query } from '../support/graphql-client.js';
import {
  AuditLogDocument,
  CreateTenantDocument,
  CreateUserDocument,
  TenantDocument,
  UpdateTenantDocument,
  UpdateUserDocument,
  type AuditFilter,
} from '../support/operations.js';
import { platformOf, sharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeAuditLog(): void {
  let app: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    platform = await platformOf(app);
    tenant = await app.createTenant();
  });

  async function entriesOf(of: TestTenant, filter: AuditFilter = {}) {
    const { auditLog } = await query(app, of.admin, AuditLogDocument, { filter });
    return auditLog.edges.map(({ node }) => node);
  }

  const byAdmin = (of: TestTenant) => ({
    actorKind: 'USER',
    actorId: of.admin.id,
    actor: { id: of.admin.id, email: `${of.admin.idpSub}@test.example` },
  });

  test('a tenant that was set up by command says so, from its creation on', async () => {
    const fresh = await app.createTenant();
    const entries = (await entriesOf(fresh)).reverse();
    expect(entries.map(({ action }) => action).slice(0, 4)).toEqual([
      'TENANT_CREATED',
      'API_KEY_READ',
      'USER_CREATED',
      'USER_CREATED',
    ]);
    expect(entries[0]).toMatchObject({
      actorKind: 'COMMAND',
      actorId: null,
      actor: null,
      targetKind: 'TENANT',
      targetId: fresh.id,
      before: null,
      after: { name: fresh.slug, slug: fresh.slug, isActive: true, chatRateLimit: null, webhookSourceLabel: null },
    });
  });

  test('a change shows the changed fields, before and after, and the request', async () => {
    const requestId = `change-${randomUUID()}`;
    const body = {
      query: 'mutation ($id: ID!, $input: UpdateTenantInput!) { updateTenant(id: $id, input: $input) { id } }',
      variables: { id: tenant.id, input: { chatRateLimit: { max: 1, durationMs: 1_000 }, name: 'New' } },
    };
    await app.post('/graphql', body, { ...withToken(tenant.admin), 'x-request-id': requestId });
    const [entry] = await entriesOf(tenant, { action: 'TENANT_UPDATED' });
    expect(entry).toMatchObject({
      ...byAdmin(tenant),
      targetKind: 'TENANT',
      targetId: tenant.id,
      before: { name: tenant.slug, chatRateLimit: null },
      after: { name: 'New', chatRateLimit: { max: 1, durationMs: 1_000 } },
      requestId,
    });
  });

  test('users: created, changed', async () => {
    const email = `${randomUUID()}@test.example`;
    const created = await query(app, tenant.admin, CreateUserDocument, { input: { email, role: 'OPERATOR' } });
    const { id } = created.createUser;
    await query(app, tenant.admin, UpdateUserDocument, { id, input: { role: 'ADMIN', isActive: false } });
    const [changed, first] = await entriesOf(tenant, { targetId: id });
    expect(first).toMatchObject({
      ...byAdmin(tenant),
      action: 'USER_CREATED',
      before: null,
      after: { email, role: 'OPERATOR', isActive: true, idpSub: null, name: null, accountName: email },
    });
    expect(changed).toMatchObject({
      ...byAdmin(tenant),
      action: 'USER_UPDATED',
      before: { role: 'OPERATOR', isActive: true },
      after: { role: 'ADMIN', isActive: false },
    });
  });

  test('each reading of a key, through either API; nothing where it is not asked for', async () => {
    const readings = async () => (await entriesOf(tenant, { action: 'API_KEY_READ' })).length;
    const before = await readings();
    await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin));
    await query(app, tenant.admin, TenantDocument, { id: tenant.id });
    expect(await readings()).toBe(before + 2);
    await app.post('/graphql', { query: `{ tenant(id: "${tenant.id}") { id name } }` }, withToken(tenant.admin));
    expect(await readings()).toBe(before + 2);
  });

  test('what the platform does to a tenant stands in both logs; who it was, in the platform’s', async () => {
    const id = tenant.id;
    await query(app, platform.admin, UpdateTenantDocument, { id, input: { webhookSourceLabel: 'platform' } });
    const filter = { action: 'TENANT_UPDATED' as const, targetId: id };
    const [theirs] = await entriesOf(tenant, filter);
    const [ours] = await entriesOf(platform, filter);
    const change = { before: { webhookSourceLabel: null }, after: { webhookSourceLabel: 'platform' } };
    expect(theirs).toMatchObject({ actorKind: 'PLATFORM', actorId: null, actor: null, ...change });
    expect(ours).toMatchObject({ ...byAdmin(platform), ...change });
  });

  test('a tenant that the platform creates begins its own log', async () => {
    const input = {
      name: 'Fresh',
      slug: `s-${randomUUID()}`,
      adminEmail: 'a@fresh.example',
      adminIdpSub: randomUUID(),
    };
    await query(app, platform.admin, CreateTenantDocument, { input });
    const headers = { authorization: `Bearer ${await app.signIn(input.adminIdpSub)}` };
    const body = { query: '{ auditLog { edges { node { action actorKind } } } }' };
    const answer: unknown = await (await app.post('/graphql', body, headers)).json();
    const nodes = [
      { action: 'API_KEY_READ', actorKind: 'PLATFORM' },
      { action: 'USER_CREATED', actorKind: 'PLATFORM' },
      { action: 'TENANT_CREATED', actorKind: 'PLATFORM' },
    ];
    expect(answer).toEqual({ data: { auditLog: { edges: nodes.map((node) => ({ node })) } } });
  });

  test('what is refused leaves no entry', async () => {
    const before = await entriesOf(tenant);
    await execute(app, tenant.admin, UpdateTenantDocument, { id: tenant.id, input: { slug: platform.slug } });
    await execute(app, tenant.admin, UpdateUserDocument, { id: tenant.admin.id, input: { isActive: false } });
    await execute(app, tenant.operator, UpdateUserDocument, { id: tenant.admin.id, input: { name: 'X' } });
    expect(await entriesOf(tenant)).toEqual(before);
  });

  describe('the filter', () => {
    test('by action, actor, target and time', async () => {
      const all = await entriesOf(tenant);
      const middle = all[Math.floor(all.length / 2)]!;
      const at = middle.createdAt;
      expect(await entriesOf(tenant, { actorId: tenant.admin.id })).toEqual(
        all.filter((entry) => entry.actorId === tenant.admin.id),
      );
      expect(await entriesOf(tenant, { targetKind: 'USER' })).toEqual(
        all.filter((entry) => entry.targetKind === 'USER'),
      );
      expect(await entriesOf(tenant, { since: at })).toEqual(all.filter(({ createdAt }) => createdAt >= at));
      expect(await entriesOf(tenant, { until: at })).toEqual(all.filter(({ createdAt }) => createdAt < at));
      expect(await entriesOf(tenant, { since: at, until: at })).toEqual([]);
      expect(await entriesOf(tenant, { actorId: null })).toEqual(all);
    });

    test('an id that is no UUID is refused by name', async () => {
      const { errors } = await execute(app, tenant.admin, AuditLogDocument, { filter: { targetId: 'x' } });
      expect(errors).toMatchObject([{ extensions: { errors: [{ path: 'filter.targetId' }] } }]);
    });

    test('pages follow each other', async () => {
      const all = await entriesOf(tenant);
      const first = await query(app, tenant.admin, AuditLogDocument, { first: 2 });
      const { endCursor: after, hasNextPage } = first.auditLog.pageInfo;
      expect(hasNextPage).toBe(true);
      const second = await query(app, tenant.admin, AuditLogDocument, { first: 2, after });
      const nodes = [...first.auditLog.edges, ...second.auditLog.edges].map(({ node }) => node);
      expect(nodes).toEqual(all.slice(0, 4));
    });
  });
}
