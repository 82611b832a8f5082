// Chat instances behind the APIs: the rights of commands, and the addresses that production allows.

import { randomUUID } from 'node:crypto';
import type { CreateChatInstanceInput } from '../../../src/features/chat-instances/chat-instance.schema.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, serviceOperator, type TestTenant } from '../../support/test-app.js';

export function describeChatInstanceService(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
  });

  function principalOf({ id: tenantId, admin }: TestTenant, role: 'ADMIN' | 'OPERATOR' = 'ADMIN'): UserPrincipal {
    const { id: userId, accountId } = admin;
    return { kind: 'user', tenantId, userId, accountId, role, email: 'admin@test.example', isPlatformTenant: false };
  }

  const newInput = (input: Partial<CreateChatInstanceInput> = {}): CreateChatInstanceInput => ({
    accountId: tenant.admin.accountId,
    instanceName: `instance-${randomUUID()}`,
    ...input,
  });

  describe('a command', () => {
    test('says for which tenant, and in which state; the entry names the command', async () => {
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const { chatInstances } = app.app.services;
      const created = await chatInstances.create(serviceOperator, newInput({ token: 'token-1' }), place);
      expect(created).toMatchObject({ status: 'CONNECTED', tenant: { id: tenant.id }, isDefault: false });
      const entries = await app.sql(
        'SELECT tenant_id, actor_kind, actor_id, action, after FROM audit_entries WHERE target_id = $1',
        [created.id],
      );
      expect(entries).toMatchObject([
        {
          tenant_id: tenant.id,
          actor_kind: 'COMMAND',
          actor_id: null,
          action: 'CHAT_INSTANCE_CREATED',
          after: { status: 'CONNECTED', tokenChanged: true },
        },
      ]);
    });

    test("is held to the input's bounds, and to accounts of that tenant", async () => {
      const { chatInstances } = app.app.services;
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const other = await app.createTenant();
      const create = (input: Partial<CreateChatInstanceInput>) =>
        chatInstances.create(serviceOperator, newInput(input), place);
      await expect(create({ instanceName: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(create({ accountId: other.admin.accountId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('who calls the service past the APIs', () => {
    test.each<[string, () => UserPrincipal | undefined, string]>([
      ['nobody', () => undefined, 'UNAUTHENTICATED'],
      ['an OPERATOR', () => principalOf(tenant, 'OPERATOR'), 'FORBIDDEN'],
    ])('%s administers nothing', async (_name, makePrincipal, code) => {
      const principal = makePrincipal();
      const { chatInstances } = app.app.services;
      const { id } = tenant.instance;
      await expect(chatInstances.create(principal, newInput())).rejects.toMatchObject({ code });
      await expect(chatInstances.update(principal, id, {})).rejects.toMatchObject({ code });
      await expect(chatInstances.delete(principal, id)).rejects.toMatchObject({ code });
      await expect(chatInstances.listGateways(principal, [id])).rejects.toMatchObject({ code });
    });

    test('a tenant key reads no instance', async () => {
      const key = { kind: 'tenantKey', tenantId: tenant.id, keyId: randomUUID(), defaultCountry: null } as const;
      const { chatInstances } = app.app.services;
      await expect(chatInstances.find(key, tenant.instance.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(chatInstances.create(key, newInput())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    });

    test("another tenant's gateways are left out", async () => {
      const other = await app.createTenant();
      const { chatInstances } = app.app.services;
      expect(await chatInstances.listGateways(principalOf(other), [tenant.instance.id, other.instance.id])).toEqual([
        { id: other.instance.id, baseUrl: null, hasToken: false, hasWebhookSecret: false },
      ]);
    });
  });

  describe('in production', () => {
    let production: TestApp;

    beforeAll(async () => {
      const environment = { NODE_ENV: 'production', GATEWAY_ALLOWED_HOSTS: 'gateway.internal' };
      production = await TestApp.start(environment, app.database);
    });
    afterAll(() => production.stop({ keepDatabase: true }));

    const create = (baseUrl: string) =>
      production.app.services.chatInstances.create(principalOf(tenant), newInput({ baseUrl }));

    test.each([
      'http://127.0.0.1:8080',
      'http://localhost:8080',
      'http://[::1]',
      'http://10.0.0.1',
      'http://a.internal',
    ])('%s is refused', async (baseUrl) => {
      const errors = [{ path: 'baseUrl', message: expect.stringMatching(/GATEWAY_ALLOWED_HOSTS/) }];
      await expect(create(baseUrl)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors });
    });

    test.each(['https://gateway.example', 'http://gateway.internal:8080'])('%s is taken', async (baseUrl) => {
      const { id } = await create(baseUrl);
      const { chatInstances } = production.app.services;
      expect(await chatInstances.listGateways(principalOf(tenant), [id])).toMatchObject([{ baseUrl }]);
    });
  });
}
