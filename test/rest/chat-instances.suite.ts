// GET /chat/instances.

import { randomUUID } from 'node:crypto';
import { sharedApp } from '../support/shared-app.js';
import { serviceOperator, withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const path = '/chat/instances';
const secrets = { baseUrl: 'http://127.0.0.1:9/gateway-of-ours', token: 'gateway-credential' };

interface Instance {
  id: string;
  tenant: object;
  account: { id: string };
}

export function describeChatInstances(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant({ name: 'Acme' });
    await app.sql(
      `UPDATE chat_instances SET base_url = $2, token_ciphertext = convert_to($3, 'UTF8'), last_error = 'banned', metadata = '{"phone":"5511"}'
     WHERE tenant_id = $1`,
      [tenant.id, secrets.baseUrl, secrets.token],
    );
  });

  async function list(of: TestTenant, query = '', user = of.operator): Promise<Instance[]> {
    const response = await app.get(path + query, withToken(user));
    expect(response.status).toBe(200);
    return (await response.json()) as Instance[];
  }

  async function addInstance(to: TestTenant, accountId = to.admin.accountId): Promise<string> {
    const input = { accountId, instanceName: randomUUID(), isDefault: false };
    const place = { tenantId: to.id, status: 'CONNECTED' } as const;
    return (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  }

  const isoUtc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  describe('200', () => {
    test.each(['admin', 'operator'] as const)("every field of the spec's Chat instance, to an %s", async (role) => {
      expect(await list(tenant, '', tenant[role])).toEqual([
        {
          id: tenant.instance.id,
          tenant: expect.objectContaining({
            id: tenant.id,
            name: 'Acme',
            slug: tenant.slug,
            createdAt: isoUtc,
            updatedAt: isoUtc,
          }),
          account: expect.objectContaining({
            id: tenant.admin.accountId,
            name: expect.any(String),
            createdAt: isoUtc,
            updatedAt: isoUtc,
          }),
          provider: 'gateway',
          instanceName: tenant.instance.name,
          isDefault: true,
          status: 'CONNECTED',
          createdAt: isoUtc,
          updatedAt: isoUtc,
          deletedAt: null,
          lastError: 'banned',
          metadata: { phone: '5511' },
        },
      ]);
    });

    test('metadata are an object where nothing was given', async () => {
      expect(await list(await app.createTenant())).toMatchObject([{ metadata: {} }]);
    });

    test.each(['admin', 'operator'] as const)(
      'never a key, an address or a credential, at any depth, to an %s',
      async (role) => {
        const text = await (await app.get(path, withToken(tenant[role]))).text();
        for (const secret of [
          secrets.baseUrl,
          secrets.token,
          tenant.apiKey,
          Buffer.from(secrets.token).toString('base64'),
        ]) {
          expect(text).not.toContain(secret);
        }
        expect(
          namesIn(JSON.parse(text)).filter((name) => /key|baseurl|token|secret|cipher|hash|idpsub/i.test(name)),
        ).toEqual([]);
      },
    );

    test("the tenant's own instances only", async () => {
      const other = await app.createTenant();
      expect((await list(other)).map(({ id }) => id)).toEqual([other.instance.id]);
    });

    test('what was deleted is left out', async () => {
      const of = await app.createTenant();
      const kept = await addInstance(of);
      await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE id = $1', [of.instance.id]);
      expect((await list(of)).map(({ id }) => id)).toEqual([kept]);
    });

    test('no instance at all is an empty list', async () => {
      const of = await app.createTenant();
      await app.sql('DELETE FROM chat_instances WHERE tenant_id = $1', [of.id]);
      expect(await list(of)).toEqual([]);
    });

    test('accountId chooses those of one account', async () => {
      const of = await app.createTenant();
      const second = await addInstance(of, of.operator.accountId);
      const idsOf = async (accountId: string) => (await list(of, `?accountId=${accountId}`)).map(({ id }) => id);
      expect(await idsOf(of.operator.accountId)).toEqual([second]);
      expect(await idsOf(of.admin.accountId.toUpperCase())).toEqual([of.instance.id]);
      expect(await idsOf(randomUUID())).toEqual([]);
    });

    test("another tenant's accountId finds nothing", async () => {
      const other = await app.createTenant();
      expect(await list(other, `?accountId=${tenant.admin.accountId}`)).toEqual([]);
    });
  });

  describe('401', () => {
    test.each([
      ['without a token', {}],
      ['with a token of no one', { authorization: 'Bearer nonsense' }],
    ])('%s', async (_, headers) => {
      await expectProblem(await app.get(path, headers), 'UNAUTHENTICATED');
    });

    test("with the tenant's key", async () => {
      await expectProblem(await app.get(path, withKey(tenant)), 'UNAUTHENTICATED');
    });

    test('comes before anything is said of the query', async () => {
      await expectProblem(await app.get(`${path}?accountId=x`), 'UNAUTHENTICATED');
    });
  });

  describe('422', () => {
    test.each([
      ['not a UUID', '?accountId=1'],
      ['given twice', `?accountId=${randomUUID()}&accountId=${randomUUID()}`],
      ['NUL', '?accountId=%00'],
      ['SQL', `?accountId=${encodeURIComponent("' OR 1=1 --")}`],
      ['a very long text', `?accountId=${'a'.repeat(4_000)}`],
    ])('an accountId that is %s', async (_, query) => {
      await expectProblem(await app.get(path + query, withToken(tenant.operator)), 'VALIDATION_FAILED', ['accountId']);
    });
  });

  function namesIn(value: unknown): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const entries = Object.entries(value);
    return [...entries.map(([name]) => name), ...entries.flatMap(([, item]) => namesIn(item))];
  }
}
