// GET /tenants/:id.

import { randomUUID } from 'node:crypto';
import { platformOf, sharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

export function describeTenants(): void {
  let app: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    platform = await platformOf(app);
    tenant = await app.createTenant({
      name: 'Açaí & Co',
      webhookSourceLabel: 'fair',
      defaultCountry: 'BR',
      chatRateLimit: { max: 20, durationMs: 1_000 },
    });
    other = await app.createTenant();
  });

  const isoUtc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  describe('200', () => {
    test('an ADMIN reads the own tenant: every field, with the key', async () => {
      const response = await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin));
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        id: tenant.id,
        name: 'Açaí & Co',
        slug: tenant.slug,
        apiKey: tenant.apiKey,
        createdAt: isoUtc,
        updatedAt: isoUtc,
        chatRateLimit: { max: 20, durationMs: 1_000 },
        webhookSourceLabel: 'fair',
        defaultCountry: 'BR',
      });
    });

    test('what was never set is null', async () => {
      const body = await (await app.get(`/tenants/${other.id}`, withToken(other.admin))).json();
      expect(body).toMatchObject({ chatRateLimit: null, webhookSourceLabel: null, defaultCountry: null });
    });

    test('the key that is shown opens the webhooks', async () => {
      const { apiKey } = (await (await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin))).json()) as {
        apiKey: string;
      };
      expect((await app.post('/public/leads', { chat: '5511988887777' }, { 'x-tenant-key': apiKey })).status).toBe(201);
    });

    test('an ADMIN of the platform tenant reads any', async () => {
      for (const read of [platform, tenant, other]) {
        const response = await app.get(`/tenants/${read.id}`, withToken(platform.admin));
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({ id: read.id, apiKey: read.apiKey });
      }
    });

    test('an id in upper case is the same id', async () => {
      const response = await app.get(`/tenants/${tenant.id.toUpperCase()}`, withToken(tenant.admin));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id: tenant.id });
    });
  });

  describe('401', () => {
    test('without a token', async () => {
      await expectProblem(await app.get(`/tenants/${tenant.id}`), 'UNAUTHENTICATED');
    });

    test("with the tenant's own key", async () => {
      await expectProblem(await app.get(`/tenants/${tenant.id}`, withKey(tenant)), 'UNAUTHENTICATED');
    });
  });

  describe('403', () => {
    test.each<[string, () => [TestTenant, TestTenant]]>([
      ['the own tenant', () => [tenant, tenant]],
      ['another tenant', () => [tenant, other]],
      ['the platform tenant', () => [platform, platform]],
      ['another tenant, from the platform tenant', () => [platform, tenant]],
    ])('an OPERATOR reads %s', async (_, pair) => {
      const [own, read] = pair();
      await expectProblem(await app.get(`/tenants/${read.id}`, withToken(own.operator)), 'FORBIDDEN');
    });
  });

  describe('404', () => {
    test.each<[string, () => string]>([
      ["another tenant's id", () => other.id],
      ["the platform tenant's id", () => platform.id],
      ['an id that nobody has', () => randomUUID()],
      ['a number', () => '1'],
      ['a slug', () => tenant.slug],
      ['a UUID with a character more', () => `${tenant.id}0`],
      ['NUL', () => '%00'],
      ['SQL', () => encodeURIComponent(`${tenant.id}' OR '1'='1`)],
      ['a very long id', () => 'a'.repeat(4_000)],
    ])('%s', async (_, id) => {
      await expectProblem(await app.get(`/tenants/${id()}`, withToken(tenant.admin)), 'NOT_FOUND');
    });

    test("another tenant's id looks the same as one that nobody has", async () => {
      const [taken, free] = await Promise.all(
        [other.id, randomUUID()].map(async (id) =>
          expectProblem(await app.get(`/tenants/${id}`, withToken(tenant.admin)), 'NOT_FOUND'),
        ),
      );
      expect({ ...taken, requestId: '' }).toEqual({ ...free, requestId: '' });
    });

    test('for the platform ADMIN: an id that nobody has, and one that is no UUID', async () => {
      for (const id of [randomUUID(), 'demo']) {
        await expectProblem(await app.get(`/tenants/${id}`, withToken(platform.admin)), 'NOT_FOUND');
      }
    });
  });

  describe('400', () => {
    test('an id that is not well-formed in a URL', async () => {
      await expectProblem(await app.get('/tenants/%zz', withToken(tenant.admin)), 'BAD_REQUEST');
    });
  });
}
