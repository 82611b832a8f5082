// Tenants over GraphQL: reading, creating, changing, deactivating. Keys are in test/rest/api-key.suite.ts.

import { randomUUID } from 'node:crypto';
import { until } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  CreateTenantDocument,
  TenantDocument,
  TenantKeysDocument,
  TenantsDocument,
  UpdateTenantDocument,
  UserDocument,
  ViewerWithTenantDocument,
  type CreateTenantInput,
  type UpdateTenantInput,
} from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeTenants(): void {
  let app: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, platform, tenant, other } = made));

  const newSlug = () => `s-${randomUUID()}`;

  describe('reading', () => {
    test('an ADMIN reads the own tenant, in either letter case of its id', async () => {
      for (const id of [tenant.id, tenant.id.toUpperCase()]) {
        const read = await query(app, tenant.admin, TenantDocument, { id });
        expect(read.tenant).toMatchObject({ id: tenant.id, slug: tenant.slug, isActive: true, isPlatform: false });
      }
    });

    test.each([['another tenant'], ['no tenant'], ['no UUID']])('%s is null', async (kind) => {
      const id = { 'another tenant': other.id, 'no tenant': randomUUID(), 'no UUID': "' OR true --" }[kind] ?? '';
      expect(await query(app, tenant.admin, TenantDocument, { id })).toEqual({ tenant: null });
    });

    test('the platform reads all of them, page by page, the newest first', async () => {
      const ids: string[] = [];
      let total = 0;
      let after: string | null | undefined;
      do {
        const { tenants } = await query(app, platform.admin, TenantsDocument, { first: 2, after });
        ids.push(...tenants.edges.map(({ node }) => node.id));
        total = tenants.totalCount;
        after = tenants.pageInfo.hasNextPage ? tenants.pageInfo.endCursor : undefined;
      } while (after !== undefined);
      expect(ids).toEqual([...ids].sort().reverse());
      expect(total).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining([platform.id, tenant.id, other.id]));
    });

    test('keys of many tenants are read in one go, and each reading is audited', async () => {
      const before = await readingCount();
      const { tenants } = await query(app, platform.admin, TenantKeysDocument, {});
      const keys = new Map(tenants.edges.map(({ node }) => [node.id, node.apiKey]));
      for (const known of [platform, tenant, other]) expect(keys.get(known.id)).toBe(known.apiKey);
      expect((await readingCount()) - before).toBe(keys.size);
    });

    async function readingCount(): Promise<number> {
      const [row] = await app.sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM audit_entries WHERE action = 'API_KEY_READ' AND tenant_id = $1 AND actor_id = $2`,
        [platform.id, platform.admin.id],
      );
      return row?.count ?? 0;
    }
  });

  test('every user reads the own name, and of the own tenant what every role may see', async () => {
    const own = await app.createTenant({ name: 'Açaí & Co', defaultCountry: 'PT' });
    const names = new Map([
      [own.admin, 'Ana'],
      [own.operator, null],
    ]);
    await app.sql('UPDATE users SET name = $2 WHERE id = $1', [own.admin.id, 'Ana']);
    for (const [user, name] of names) {
      const { me } = await query(app, user, ViewerWithTenantDocument, {});
      const shown = { id: own.id, name: 'Açaí & Co', slug: own.slug, defaultCountry: 'PT' };
      expect(me).toEqual({ id: user.id, name, tenant: shown });
    }
  });

  describe('creating', () => {
    const create = (input: CreateTenantInput) => execute(app, platform.admin, CreateTenantDocument, { input });

    test('with everything: the key works, the first ADMIN signs in and reads the tenant', async () => {
      const adminIdpSub = `sub-${randomUUID()}`;
      const input = {
        name: 'Açaí & Co',
        slug: newSlug(),
        chatRateLimit: { max: 3, durationMs: 1_000 },
        webhookSourceLabel: 'fair',
        defaultCountry: 'BR',
        optOutKeywords: ['Não quero'],
        optInKeywords: [],
        optOutReply: 'Até logo',
        adminEmail: 'boss@acai.example',
        adminIdpSub,
      };
      const { data } = await create(input);
      const created = data?.createTenant;
      const { adminEmail: _adminEmail, adminIdpSub: _adminIdpSub, ...fields } = input;
      expect(created).toMatchObject({ ...fields, isActive: true, isPlatform: false });
      const lead = await app.post(
        '/public/leads',
        { chat: '5511988887777' },
        { 'x-tenant-key': created?.apiKey ?? '' },
      );
      expect(await lead.json()).toMatchObject({ source: 'fair', created: true });
      const headers = { authorization: `Bearer ${await app.signIn(adminIdpSub)}` };
      expect(await (await app.get(`/tenants/${created?.id}`, headers)).json()).toMatchObject({ slug: input.slug });
    });

    test('words of consent that are left out, or null, are those that every tenant begins with', async () => {
      const { data } = await create({ name: 'X', slug: newSlug(), optOutKeywords: null });
      const usual = {
        optOutKeywords: expect.arrayContaining(['STOP']),
        optInKeywords: expect.arrayContaining(['START']),
      };
      expect(data?.createTenant).toMatchObject({ ...usual, optOutReply: null });
    });

    test.each([
      [{ optOutKeywords: ['x'.repeat(41)] }, 'optOutKeywords.0'],
      [{ optInKeywords: ['volte', 'Stop.'] }, 'optInKeywords.1'],
      [{ optOutReply: 'x'.repeat(1_001) }, 'optOutReply'],
    ])('words of consent out of bounds are refused, and nothing is created: %#', async (words, path) => {
      const slug = newSlug();
      const answer = await create({ name: 'X', slug, ...words });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
      expect(await app.sql('SELECT 1 FROM tenants WHERE slug = $1', [slug])).toEqual([]);
    });

    test('a taken slug is CONFLICT, also of ten at once; then nothing is left behind', async () => {
      const slug = newSlug();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => create({ name: 'Ten', slug, adminEmail: 'a@ten.example' })),
      );
      const codes = answers.map((answer) => failureOf(answer).code);
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
      expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(9);
      expect(await app.sql("SELECT 1 FROM users WHERE email = 'a@ten.example'")).toHaveLength(1);
    });

    test("a taken subject is CONFLICT, and the tenant isn't created either", async () => {
      const slug = newSlug();
      const answer = await create({ name: 'X', slug, adminEmail: 'a@x.example', adminIdpSub: tenant.admin.idpSub });
      expect(failureOf(answer)).toEqual({ code: 'CONFLICT', paths: ['adminIdpSub'] });
      expect(await app.sql('SELECT 1 FROM tenants WHERE slug = $1', [slug])).toEqual([]);
    });

    test.each<[string, Partial<CreateTenantInput>, string[]]>([
      ['no name', { name: ' ' }, ['name']],
      ['a slug in capitals', { slug: 'Acme' }, ['slug']],
      ['a slug that ends in a hyphen', { slug: 'acme-' }, ['slug']],
      ['no e-mail address', { adminEmail: 'nobody' }, ['adminEmail']],
      ['a subject without an e-mail address', { adminIdpSub: 'x' }, ['adminEmail']],
      [
        'a limit of none',
        { chatRateLimit: { max: 0, durationMs: 1 } },
        ['chatRateLimit.max', 'chatRateLimit.durationMs'],
      ],
      ['a label of NUL', { webhookSourceLabel: '\u0000' }, ['webhookSourceLabel']],
      ['a country in words', { defaultCountry: 'Brazil' }, ['defaultCountry']],
      ['a country without numbers', { defaultCountry: 'AQ' }, ['defaultCountry']],
    ])('%s is refused by name', async (_, input, paths) => {
      expect(failureOf(await create({ name: 'X', slug: newSlug(), ...input }))).toEqual({
        code: 'VALIDATION_FAILED',
        paths,
      });
    });
  });

  describe('changing', () => {
    const update = (of: TestTenant, id: string, input: UpdateTenantInput) =>
      execute(app, of.admin, UpdateTenantDocument, { id, input });

    test('given fields change, the others stay, null takes away', async () => {
      const chatRateLimit = { max: 5, durationMs: 2_000 };
      await update(tenant, tenant.id, { chatRateLimit, webhookSourceLabel: 'fair' });
      const { data } = await update(tenant, tenant.id, { name: 'New', webhookSourceLabel: null });
      expect(data?.updateTenant).toMatchObject({
        name: 'New',
        webhookSourceLabel: null,
        chatRateLimit,
        slug: tenant.slug,
      });
    });

    test('a default country is kept in capitals, audited, counts for the next call in this process, and null takes it away', async () => {
      const posted = async () => (await app.post('/public/leads', { chat: '(41) 99911-2233' }, withKey(tenant))).status;
      expect(await posted()).toBe(422);
      const { data } = await update(tenant, tenant.id, { defaultCountry: 'br' });
      expect(data?.updateTenant).toMatchObject({ defaultCountry: 'BR' });
      expect(await posted()).toBe(201);
      await update(tenant, tenant.id, { defaultCountry: null });
      expect(await posted()).toBe(422);
      const changes = await app.sql(
        `SELECT before, after FROM audit_entries
         WHERE tenant_id = $1 AND action = 'TENANT_UPDATED' AND after ? 'defaultCountry' ORDER BY id`,
        [tenant.id],
      );
      expect(changes).toEqual([
        { before: { defaultCountry: null }, after: { defaultCountry: 'BR' } },
        { before: { defaultCountry: 'BR' }, after: { defaultCountry: null } },
      ]);
    });

    test('what is as it was is no change: no entry, no new time', async () => {
      const { data: before } = await update(tenant, tenant.id, { name: 'Same' });
      const count = async () => (await app.sql('SELECT 1 FROM audit_entries WHERE tenant_id = $1', [tenant.id])).length;
      const entries = await count();
      const { data: after } = await update(tenant, tenant.id, { name: 'Same' });
      expect(after?.updateTenant.updatedAt).toBe(before?.updateTenant.updatedAt);
      expect(await count()).toBe(entries);
    });

    test.each<[string, UpdateTenantInput]>([
      ['a name of null', { name: null }],
      ['a slug of null', { slug: null }],
      ['no activity', { isActive: null }],
    ])('%s is refused', async (_, input) => {
      expect(failureOf(await update(platform, tenant.id, input))).toEqual({
        code: 'VALIDATION_FAILED',
        paths: Object.keys(input),
      });
    });

    test('another slug is the platform’s to give, and a taken one CONFLICT', async () => {
      for (const slug of [other.slug, newSlug()])
        expect(failureOf(await update(tenant, tenant.id, { slug })).code).toBe('FORBIDDEN');
      expect(failureOf(await update(platform, tenant.id, { slug: other.slug })).code).toBe('CONFLICT');
      const slug = newSlug();
      expect((await update(platform, tenant.id, { slug })).data?.updateTenant).toMatchObject({ slug });
    });

    test('the platform changes any tenant; nobody else a foreign one', async () => {
      expect((await update(platform, other.id, { name: 'By the platform' })).data).toBeDefined();
      expect(failureOf(await update(tenant, other.id, { name: 'X' })).code).toBe('NOT_FOUND');
      expect(failureOf(await update(platform, randomUUID(), { name: 'X' })).code).toBe('NOT_FOUND');
    });
  });

  describe('deactivation', () => {
    const setActive = (id: string, isActive: boolean) =>
      query(app, platform.admin, UpdateTenantDocument, { id, input: { isActive } });

    test('belongs to the platform, and never hits the platform itself', async () => {
      const own = await execute(app, tenant.admin, UpdateTenantDocument, { id: tenant.id, input: { isActive: false } });
      expect(failureOf(own).code).toBe('FORBIDDEN');
      const input = { isActive: false };
      const itself = await execute(app, platform.admin, UpdateTenantDocument, { id: platform.id, input });
      expect(failureOf(itself).code).toBe('CONFLICT');
    });

    test('within 5 s no user and no key comes in; activated again, both do', async () => {
      const victim = await app.createTenant();
      const leads = () => app.post('/public/leads', { chat: '5511988887777' }, withKey(victim));
      const me = () => app.get('/chat/instances', withToken(victim.operator));
      expect([(await leads()).status, (await me()).status]).toEqual([201, 200]);
      await setActive(victim.id, false);
      const statuses = async () => [(await leads()).status, (await me()).status];
      await until(statuses, (seen) => seen.every((status) => status === 401), 5_000);
      await expect(app.signIn(victim.admin.idpSub)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await setActive(victim.id, true);
      await until(statuses, (seen) => seen.every((status) => status === 200), 5_000);
    });

    test('what waits to be sent stays in the queue until it is on again', async () => {
      const victim = await app.createTenant();
      await setActive(victim.id, false);
      const lead = await app.sql<{ id: string }>(
        `INSERT INTO leads (tenant_id, id, name, chat, source, updated_at)
       VALUES ($1, gen_random_uuid(), 'x', '5511988887777', 'x', now()) RETURNING id`,
        [victim.id],
      );
      const principal = {
        kind: 'user',
        tenantId: victim.id,
        userId: victim.admin.id,
        accountId: victim.admin.accountId,
        role: 'ADMIN',
        email: 'x@x.example',
        isPlatformTenant: false,
      } as const;
      const { messageSend, dispatcher } = app.app.services;
      const { id } = await messageSend.send(principal, { leadId: lead[0]?.id ?? '', body: 'Oi' });
      const statusOf = async () =>
        (await app.sql<{ status: string }>('SELECT status FROM messages WHERE id = $1', [id]))[0]?.status;
      dispatcher.wake(victim.id);
      // A neighbour's message passes through the same worker meanwhile, and fails for want of a gateway.
      const marker = await app.createTenant();
      const answer = await app.post('/public/leads', { chat: '5511988887777' }, withKey(marker));
      const { id: leadId } = (await answer.json()) as { id: string };
      const markerMessage = await messageSend.send(
        { ...principal, tenantId: marker.id, userId: marker.admin.id, accountId: marker.admin.accountId },
        { leadId, body: 'Oi' },
      );
      const markerStatus = async () =>
        (await app.sql<{ status: string }>('SELECT status FROM messages WHERE id = $1', [markerMessage.id]))[0]?.status;
      await until(markerStatus, (status) => status === 'FAILED');
      expect(await statusOf()).toBe('QUEUED');
      await setActive(victim.id, true);
      await until(statusOf, (status) => status === 'FAILED');
    });
  });

  test('an ADMIN who comes from the platform sees the users of no other tenant', async () => {
    expect(await query(app, platform.admin, UserDocument, { id: tenant.admin.id })).toEqual({ user: null });
  });
}
