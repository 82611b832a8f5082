// Chat instances over GraphQL: who may administer them, what is refused by name, and the values that are never shown.

import { randomUUID } from 'node:crypto';
import { execute, query, type GraphqlAnswer } from '../support/graphql-client.js';
import {
  AuditLogDocument,
  ChatInstanceDocument,
  ChatInstanceGatewaysDocument,
  ChatInstancesDocument,
  CreateChatInstanceDocument,
  DeleteChatInstanceDocument,
  UpdateChatInstanceDocument,
  type CreateChatInstanceInput,
  type UpdateChatInstanceInput,
} from '../support/operations.js';
import { TestApp, withToken, type TestTenant, type TestUser } from '../support/test-app.js';

const gatewayUrl = 'https://gateway.example/v1';

export function describeChatInstances(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    app = await TestApp.start({ GATEWAY_ALLOWED_HOSTS: 'gateway.internal,10.1.0.0/16' });
    // The first tenant is the platform tenant, which may see more. The tests use the others.
    await app.createTenant();
    tenant = await app.createTenant();
    other = await app.createTenant();
  });
  afterAll(() => app.stop());

  function failureOf({ data, errors }: GraphqlAnswer<unknown>) {
    const [error] = errors ?? [];
    return {
      data: data ?? null,
      code: error?.extensions.code,
      paths: error?.extensions.errors?.map(({ path }) => path),
    };
  }

  const failed = (code: string, paths?: string[]) => ({ data: null, code, paths });
  const newName = () => `instance-${randomUUID()}`;

  const create = (input: Partial<CreateChatInstanceInput> = {}, by = tenant.admin) => {
    const required = { accountId: tenant.admin.accountId, instanceName: newName() };
    return execute(app, by, CreateChatInstanceDocument, { input: { ...required, ...input } });
  };
  const update = (id: string, input: UpdateChatInstanceInput, by = tenant.admin) =>
    execute(app, by, UpdateChatInstanceDocument, { id, input });
  const remove = (id: string, by = tenant.admin) => execute(app, by, DeleteChatInstanceDocument, { id });

  async function created(input: Partial<CreateChatInstanceInput> = {}) {
    const { data, errors } = await create(input);
    if (data == null) throw new Error(`the instance was not created: ${JSON.stringify(errors)}`);
    return data.createChatInstance;
  }

  test('a tenant has 200 chat instances at most; those that were deleted do not count', async () => {
    const full = await app.createTenant();
    const { accountId } = full.admin;
    await app.sql(
      `INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, provider, status, updated_at)
     SELECT $1, gen_random_uuid(), $2, 'many-' || n, 'gateway', 'CONNECTING', now() FROM generate_series(1, 199) AS n`,
      [full.id, accountId],
    );
    expect((await create({ accountId }, full.admin)).errors).toMatchObject([
      { message: 'A tenant has at most 200 chat instances', extensions: { code: 'CONFLICT' } },
    ]);
    await remove(full.instance.id, full.admin);
    expect((await create({ accountId }, full.admin)).errors).toBeUndefined();
  });

  async function updated(id: string, input: UpdateChatInstanceInput) {
    const { data, errors } = await update(id, input);
    if (data == null) throw new Error(`the instance was not changed: ${JSON.stringify(errors)}`);
    return data.updateChatInstance;
  }

  async function find(id: string, by: TestUser = tenant.operator) {
    return (await query(app, by, ChatInstanceDocument, { id })).chatInstance;
  }

  /** Every instance of the database, read past the application. */
  const stored = () => app.sql('SELECT * FROM chat_instances ORDER BY id');

  async function auditOf(id: string) {
    const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
    return auditLog.edges.map(({ node }) => node).reverse();
  }

  describe('creating', () => {
    test('with every field', async () => {
      const input = {
        instanceName: newName(),
        provider: 'gateway',
        isDefault: false,
        baseUrl: gatewayUrl,
        metadata: { phone: '5511', nested: [1, null] },
      };
      const { accountId } = tenant.operator;
      expect(await created({ ...input, accountId, token: 'token-1' })).toEqual({
        ...input,
        id: expect.any(String),
        account: { id: accountId },
        status: 'CONNECTING',
        hasToken: true,
      });
    });

    test('with no more than account and name', async () => {
      const { admin } = await app.createTenant();
      const input = { accountId: admin.accountId, instanceName: newName() };
      expect((await query(app, admin, CreateChatInstanceDocument, { input })).createChatInstance).toMatchObject({
        provider: 'gateway',
        status: 'CONNECTING',
        isDefault: false,
        baseUrl: null,
        hasToken: false,
        metadata: null,
      });
    });

    test.each<[string, Partial<CreateChatInstanceInput>]>([
      ['provider', { provider: 'pigeon' }],
      ['provider', { provider: '' }],
      ['instanceName', { instanceName: ' ' }],
      ['instanceName', { instanceName: 'a'.repeat(101) }],
      ['instanceName', { instanceName: 'a\u0000b' }],
      ['accountId', { accountId: '1' }],
      ['token', { token: '' }],
      ['token', { token: 'two words' }],
      ['token', { token: 'line\r\nbreak' }],
      ['token', { token: 'ümlaut' }],
      ['token', { token: 'a'.repeat(4_097) }],
      ['metadata', { metadata: { text: 'a'.repeat(16 * 1024) } }],
      ['metadata.text', { metadata: { text: '\u0000' } }],
      ['baseUrl', { baseUrl: '' }],
      ['baseUrl', { baseUrl: 'gateway.example' }],
      ['baseUrl', { baseUrl: 'ftp://gateway.example' }],
      ['baseUrl', { baseUrl: 'https://user@gateway.example' }],
      ['baseUrl', { baseUrl: 'https://:secret@gateway.example' }],
      ['baseUrl', { baseUrl: 'https://gateway.example/?key=1' }],
      ['baseUrl', { baseUrl: 'https://gateway.example/?' }],
      ['baseUrl', { baseUrl: 'https://gateway.example/#top' }],
      ['baseUrl', { baseUrl: `https://gateway.example/${'a'.repeat(2_048)}` }],
      ['baseUrl', { baseUrl: 'http://10.2.0.1' }],
      ['baseUrl', { baseUrl: 'http://169.254.169.254/latest' }],
      ['baseUrl', { baseUrl: 'http://[::ffff:10.0.0.1]' }],
      ['baseUrl', { baseUrl: 'http://other.internal' }],
      ['baseUrl', { baseUrl: 'http://0' }],
    ])('a wrong %s is refused by name: %j', async (path, input) => {
      const before = await stored();
      expect(failureOf(await create(input))).toEqual(failed('VALIDATION_FAILED', [path]));
      expect(await stored()).toEqual(before);
    });

    test('all that is wrong is named at once', async () => {
      const answer = await create({ instanceName: '', provider: 'pigeon', baseUrl: 'http://10.2.0.1', token: ' ' });
      const { code, paths } = failureOf(answer);
      expect(code).toBe('VALIDATION_FAILED');
      expect(new Set(paths)).toEqual(new Set(['instanceName', 'provider', 'baseUrl', 'token']));
    });

    test.each([
      ['https://Gateway.EXAMPLE:443', 'https://gateway.example'],
      ['https://gateway.example/', 'https://gateway.example'],
      ['https://gateway.example/v1//', 'https://gateway.example/v1'],
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
      ['http://localhost:8080', 'http://localhost:8080'],
      ['http://gateway.internal/v1', 'http://gateway.internal/v1'],
      ['http://10.1.2.3', 'http://10.1.2.3'],
    ])('the address %s is kept as %s', async (baseUrl, kept) => {
      expect(await created({ baseUrl })).toMatchObject({ baseUrl: kept });
    });

    test('names, tokens and metadata of the greatest length are kept', async () => {
      const instanceName = randomUUID().padEnd(100, 'ü');
      const metadata = { text: 'a'.repeat(16 * 1024 - 11) };
      expect(await created({ instanceName, metadata, token: 'a'.repeat(4_096) })).toMatchObject({
        instanceName,
        metadata,
      });
    });

    test('an account of another tenant, or none, is NOT_FOUND, and nothing is written', async () => {
      const before = await stored();
      for (const accountId of [other.admin.accountId, randomUUID()]) {
        expect(failureOf(await create({ accountId }))).toEqual(failed('NOT_FOUND'));
      }
      expect(await stored()).toEqual(before);
    });

    test('a name is taken within the tenant, and free in another and after a deletion', async () => {
      const instanceName = newName();
      const first = await created({ instanceName });
      expect(failureOf(await create({ instanceName }))).toEqual(failed('CONFLICT'));
      expect(failureOf(await create({ instanceName: ` ${instanceName} `, isDefault: true }))).toEqual(
        failed('CONFLICT'),
      );
      expect((await create({ instanceName, accountId: other.admin.accountId }, other.admin)).errors).toBeUndefined();
      await remove(first.id);
      expect((await created({ instanceName })).id).not.toBe(first.id);
    });
  });

  describe('the default', () => {
    const defaultsOf = async (accountId: string) => {
      const { chatInstances } = await query(app, tenant.admin, ChatInstancesDocument, { accountId });
      return chatInstances.filter(({ isDefault }) => isDefault).map(({ id }) => id);
    };
    const newAccount = async () => {
      const email = `${randomUUID()}@test.example`;
      return (await app.createUser(tenant.id, { email, role: 'OPERATOR' })).accountId;
    };

    test("an account's first instance is its default, the next are not", async () => {
      const accountId = await newAccount();
      const first = await created({ accountId });
      const second = await created({ accountId });
      expect([first.isDefault, second.isDefault]).toEqual([true, false]);
      expect(await defaultsOf(accountId)).toEqual([first.id]);
    });

    test('the first is not where that is said', async () => {
      const accountId = await newAccount();
      expect(await created({ accountId, isDefault: false })).toMatchObject({ isDefault: false });
      expect(await created({ accountId })).toMatchObject({ isDefault: false });
    });

    test("a deleted one does not count, nor do another account's", async () => {
      const [accountId, elsewhere] = [await newAccount(), await newAccount()];
      await created({ accountId: elsewhere });
      await remove((await created({ accountId })).id);
      expect(await created({ accountId })).toMatchObject({ isDefault: true });
    });

    test('a new default takes the mark from the one before, at creation and by a change; both are audited', async () => {
      const accountId = await newAccount();
      const first = await created({ accountId });
      const second = await created({ accountId, isDefault: true });
      expect(await defaultsOf(accountId)).toEqual([second.id]);
      expect(await updated(first.id, { isDefault: true })).toMatchObject({ isDefault: true });
      expect(await defaultsOf(accountId)).toEqual([first.id]);
      const changes = async (id: string) =>
        (await auditOf(id)).slice(1).map(({ action, before, after }) => ({ action, before, after }));
      const [lost, won] = [
        { action: 'CHAT_INSTANCE_UPDATED', before: { isDefault: true }, after: { isDefault: false } },
        { action: 'CHAT_INSTANCE_UPDATED', before: { isDefault: false }, after: { isDefault: true } },
      ];
      expect(await changes(first.id)).toEqual([lost, won]);
      expect(await changes(second.id)).toEqual([lost]);
    });

    test("another account's default stays", async () => {
      const [accountId, elsewhere] = [await newAccount(), await newAccount()];
      const kept = await created({ accountId: elsewhere });
      await created({ accountId });
      await created({ accountId, isDefault: true });
      expect(await defaultsOf(elsewhere)).toEqual([kept.id]);
    });

    test('a default may be given up', async () => {
      const accountId = await newAccount();
      const { id } = await created({ accountId });
      expect(await updated(id, { isDefault: false })).toMatchObject({ isDefault: false });
      expect(await defaultsOf(accountId)).toEqual([]);
    });

    test('many at once: exactly one is the default', async () => {
      const accountId = await newAccount();
      const answers = await Promise.all(Array.from({ length: 8 }, () => create({ accountId, isDefault: true })));
      expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([]);
      expect(await defaultsOf(accountId)).toHaveLength(1);
      const ids = answers.map(({ data }) => data?.createChatInstance.id ?? '');
      const changes = await Promise.all(ids.map((id) => update(id, { isDefault: true })));
      expect(changes.flatMap(({ errors }) => errors ?? [])).toEqual([]);
      expect(await defaultsOf(accountId)).toHaveLength(1);
    });

    test('many first ones at once: exactly one is the default', async () => {
      const accountId = await newAccount();
      await Promise.all(Array.from({ length: 8 }, () => created({ accountId })));
      expect(await defaultsOf(accountId)).toHaveLength(1);
    });
  });

  describe('changing', () => {
    test('fields that are left out stay, null takes away', async () => {
      const metadata = { phone: '5511' };
      const before = await created({ baseUrl: gatewayUrl, token: 'token-1', metadata });
      const instanceName = newName();
      expect(await updated(before.id.toUpperCase(), { instanceName })).toEqual({ ...before, instanceName });
      expect(await updated(before.id, { metadata: null })).toEqual({ ...before, instanceName, metadata: null });
      expect(await updated(before.id, { token: null })).toMatchObject({ hasToken: false, baseUrl: gatewayUrl });
      expect(await updated(before.id, { baseUrl: null })).toMatchObject({ hasToken: false, baseUrl: null });
    });

    test('nothing at all changes nothing and is not audited', async () => {
      const { id, instanceName } = await created({ baseUrl: gatewayUrl });
      const before = await stored();
      await updated(id, {});
      await updated(id, {
        instanceName,
        baseUrl: `${gatewayUrl}/`,
        token: null,
        isDefault: false,
        provider: 'gateway',
      });
      expect(await stored()).toEqual(before);
      expect(await auditOf(id)).toHaveLength(1);
    });

    test.each<[string, UpdateChatInstanceInput]>([
      ['provider', { provider: 'pigeon' }],
      ['provider', { provider: null }],
      ['instanceName', { instanceName: '' }],
      ['instanceName', { instanceName: null }],
      ['isDefault', { isDefault: null }],
      ['token', { token: 'two words' }],
      ['metadata', { metadata: { text: 'a'.repeat(16 * 1024) } }],
      ['baseUrl', { baseUrl: 'https://user:secret@gateway.example' }],
      ['baseUrl', { baseUrl: 'http://192.168.0.1' }],
    ])('a wrong %s is refused by name: %j', async (path, input) => {
      const { id } = await created();
      const before = await stored();
      expect(failureOf(await update(id, input))).toEqual(failed('VALIDATION_FAILED', [path]));
      expect(await stored()).toEqual(before);
    });

    test('a name that is taken is CONFLICT; its own is not', async () => {
      const { id, instanceName } = await created();
      expect(failureOf(await update(id, { instanceName: tenant.instance.name }))).toEqual(failed('CONFLICT'));
      expect(await updated(id, { instanceName })).toMatchObject({ instanceName });
    });

    test('two names may not meet by a change at once', async () => {
      const [first, second] = [await created(), await created()];
      const instanceName = newName();
      const answers = await Promise.all([first, second].map(({ id }) => update(id, { instanceName })));
      expect(new Set(answers.map((answer) => failureOf(answer).code))).toEqual(new Set(['CONFLICT', undefined]));
    });

    test.each<[string, string | null]>([
      ['another host', 'https://evil.example/v1'],
      ['another path', 'https://gateway.example/v2'],
      ['another scheme', 'http://gateway.example/v1'],
      ['the configured gateway', null],
    ])('a stored token is not sent to %s on the word of somebody who may not know it', async (_, baseUrl) => {
      const { id } = await created({ baseUrl: gatewayUrl, token: 'token-1' });
      const before = await stored();
      expect(failureOf(await update(id, { baseUrl }))).toEqual(failed('VALIDATION_FAILED', ['token']));
      expect(await stored()).toEqual(before);
      expect(await updated(id, { baseUrl, token: 'token-2' })).toMatchObject({ baseUrl, hasToken: true });
      expect(await updated(id, { baseUrl: gatewayUrl, token: null })).toMatchObject({ hasToken: false });
      expect(await updated(id, { baseUrl })).toMatchObject({ baseUrl, hasToken: false });
    });

    test('a token for the configured gateway is not sent to a new address either', async () => {
      const { id } = await created({ token: 'token-1' });
      expect(failureOf(await update(id, { baseUrl: gatewayUrl }))).toEqual(failed('VALIDATION_FAILED', ['token']));
    });

    test('one operation shows each change as it is then', async () => {
      const { id } = await created({ baseUrl: gatewayUrl });
      const fields = '{ baseUrl hasToken }';
      const document = `mutation ($id: ID!) {
      first: updateChatInstance(id: $id, input: { baseUrl: "https://one.example" }) ${fields}
      second: updateChatInstance(id: $id, input: { baseUrl: "https://two.example", token: "token-1" }) ${fields}
    }`;
      const answer = await app.post('/graphql', { query: document, variables: { id } }, withToken(tenant.admin));
      expect(await answer.json()).toEqual({
        data: {
          first: { baseUrl: 'https://one.example', hasToken: false },
          second: { baseUrl: 'https://two.example', hasToken: true },
        },
      });
    });
  });

  describe('deleting', () => {
    test('takes it out of use: for everybody it is gone', async () => {
      const { id, instanceName } = await created({ isDefault: true, token: 'token-1' });
      expect(
        (await query(app, tenant.admin, DeleteChatInstanceDocument, { id: id.toUpperCase() })).deleteChatInstance,
      ).toBe(id);
      for (const user of [tenant.admin, tenant.operator]) {
        expect(await find(id, user)).toBeNull();
        const { chatInstances } = await query(app, user, ChatInstancesDocument, {});
        expect(chatInstances.map((instance) => instance.id)).not.toContain(id);
      }
      const rows = await app.sql(
        'SELECT instance_name, is_default, token_ciphertext, deleted_at IS NULL AS used FROM chat_instances WHERE id = $1',
        [id],
      );
      expect(rows).toEqual([{ instance_name: instanceName, is_default: false, token_ciphertext: null, used: false }]);
    });

    test('again is NOT_FOUND, and so is changing it', async () => {
      const { id } = await created();
      await remove(id);
      const before = await stored();
      expect(failureOf(await remove(id))).toEqual(failed('NOT_FOUND'));
      expect(failureOf(await update(id, { instanceName: newName() }))).toEqual(failed('NOT_FOUND'));
      expect(await stored()).toEqual(before);
      expect((await auditOf(id)).map(({ action }) => action)).toEqual([
        'CHAT_INSTANCE_CREATED',
        'CHAT_INSTANCE_DELETED',
      ]);
    });

    test('at the same time happens once', async () => {
      const { id } = await created();
      const answers = await Promise.all([1, 2, 3, 4].map(() => remove(id)));
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      expect(answers.map((answer) => failureOf(answer).code).filter((code) => code === 'NOT_FOUND')).toHaveLength(3);
    });
  });

  describe('who may', () => {
    test('an OPERATOR reads, and administers nothing', async () => {
      const { hasToken: _hasToken, baseUrl: _baseUrl, ...shown } = await created({ token: 'token-1' });
      const { id } = shown;
      expect(await find(id)).toEqual({ ...shown, deletedAt: null });
      const before = await stored();
      expect(failureOf(await create({}, tenant.operator))).toEqual(failed('FORBIDDEN'));
      expect(failureOf(await update(id, { instanceName: newName() }, tenant.operator))).toEqual(failed('FORBIDDEN'));
      expect(failureOf(await remove(id, tenant.operator))).toEqual(failed('FORBIDDEN'));
      expect(await stored()).toEqual(before);
    });

    test('an OPERATOR sees neither the address nor whether there is a token', async () => {
      await created({ baseUrl: gatewayUrl, token: 'token-1' });
      const answer = await execute(app, tenant.operator, ChatInstanceGatewaysDocument, {});
      expect(failureOf(answer)).toEqual(failed('FORBIDDEN'));
      expect(JSON.stringify(answer)).not.toContain('gateway.example');
      for (const field of ['baseUrl', 'hasToken']) {
        const one = await app.post('/graphql', { query: `{ chatInstances { ${field} } }` }, withToken(tenant.operator));
        expect(((await one.json()) as GraphqlAnswer<unknown>).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
      }
    });

    test('an ADMIN sees what is set, on every way to an instance', async () => {
      const { id } = await created({ baseUrl: gatewayUrl, token: 'token-1' });
      const { chatInstances } = await query(app, tenant.admin, ChatInstanceGatewaysDocument, {});
      expect(chatInstances).toContainEqual({ id, baseUrl: gatewayUrl, hasToken: true });
      expect(chatInstances).toContainEqual({ id: tenant.instance.id, baseUrl: null, hasToken: false });
    });

    test('nobody without a token of ours', async () => {
      const input = { accountId: tenant.admin.accountId, instanceName: newName() };
      const id = tenant.instance.id;
      const before = await stored();
      const answers = [
        await execute(app, undefined, ChatInstanceDocument, { id }),
        await execute(app, undefined, CreateChatInstanceDocument, { input }),
        await execute(app, undefined, UpdateChatInstanceDocument, { id, input: {} }),
        await execute(app, undefined, DeleteChatInstanceDocument, { id }),
      ];
      for (const answer of answers) expect(failureOf(answer).code).toBe('UNAUTHENTICATED');
      expect(await stored()).toEqual(before);
    });

    test.each(['', 'x', randomUUID()])('the id "%s" is of none', async (id) => {
      expect(await find(id)).toBeNull();
      expect(failureOf(await update(id, {}))).toEqual(failed('NOT_FOUND'));
      expect(failureOf(await remove(id))).toEqual(failed('NOT_FOUND'));
    });

    test("another tenant's instance is of none, and stays as it is", async () => {
      const { id } = await created({ baseUrl: gatewayUrl, token: 'token-1' });
      const before = await stored();
      expect(await find(id, other.admin)).toBeNull();
      expect(failureOf(await update(id, { instanceName: newName() }, other.admin))).toEqual(failed('NOT_FOUND'));
      expect(failureOf(await update(id, { isDefault: true }, other.admin))).toEqual(failed('NOT_FOUND'));
      expect(failureOf(await remove(id, other.admin))).toEqual(failed('NOT_FOUND'));
      const { chatInstances } = await query(app, other.admin, ChatInstanceGatewaysDocument, {});
      expect(chatInstances.map((instance) => instance.id)).not.toContain(id);
      expect(await stored()).toEqual(before);
    });
  });

  describe('the audit log', () => {
    test('has each change with its fields, before and after', async () => {
      const instanceName = newName();
      const input = { instanceName, baseUrl: gatewayUrl, token: 'token-1', metadata: { phone: '5511' } };
      const { id } = await created(input);
      const renamed = newName();
      await updated(id, { instanceName: renamed, metadata: { phone: '5512' } });
      await updated(id, { token: 'token-2' });
      await updated(id, { token: null, baseUrl: null });
      await remove(id);
      const { accountId } = tenant.admin;
      const fields = { accountId, provider: 'gateway', isDefault: false };
      const byAdmin = { actorKind: 'USER', actorId: tenant.admin.id, targetKind: 'CHAT_INSTANCE', targetId: id };
      const entries = await auditOf(id);
      expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
        {
          action: 'CHAT_INSTANCE_CREATED',
          before: null,
          after: {
            ...fields,
            instanceName,
            baseUrl: gatewayUrl,
            metadata: { phone: '5511' },
            status: 'CONNECTING',
            tokenChanged: true,
          },
        },
        {
          action: 'CHAT_INSTANCE_UPDATED',
          before: { instanceName, metadata: { phone: '5511' } },
          after: { instanceName: renamed, metadata: { phone: '5512' } },
        },
        { action: 'CHAT_INSTANCE_UPDATED', before: {}, after: { tokenChanged: true } },
        {
          action: 'CHAT_INSTANCE_UPDATED',
          before: { baseUrl: gatewayUrl },
          after: { baseUrl: null, tokenChanged: true },
        },
        {
          action: 'CHAT_INSTANCE_DELETED',
          before: { ...fields, instanceName: renamed, baseUrl: null, metadata: { phone: '5512' } },
          after: null,
        },
      ]);
      for (const entry of entries) expect(entry).toMatchObject(byAdmin);
    });

    test('what was refused leaves no entry', async () => {
      const { id } = await created();
      await created({ isDefault: true });
      const entries = () => app.sql('SELECT id FROM audit_entries WHERE tenant_id = $1', [tenant.id]);
      const before = await entries();
      await update(id, { instanceName: tenant.instance.name, isDefault: true });
      await create({ instanceName: tenant.instance.name, isDefault: true });
      await update(id, { provider: 'pigeon' });
      await update(id, { instanceName: newName() }, tenant.operator);
      await remove(id, other.admin);
      expect(await entries()).toEqual(before);
    });
  });
}
