// The gateway that tenants share: a name there belongs to one instance of one tenant. A stored token never goes to another address because
// the provider changed.

import { randomUUID } from 'node:crypto';
import { placeOf } from '../../../src/features/chat-instances/gateway-address.js';
import { ScriptedGateway, answering, type Script } from '../../providers/scripted-gateway.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  ConnectChatInstanceDocument,
  CreateChatInstanceDocument,
  DeleteChatInstanceDocument,
  DisconnectChatInstanceDocument,
  RetryMessageDocument,
  UpdateChatInstanceDocument,
  type CreateChatInstanceInput,
  type UpdateChatInstanceInput,
} from '../../support/operations.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, send, stateOf, until, waitForStatus } from '../messages/sending-harness.js';

export function describeSharedGateway(): void {
  let app: TestApp;
  let first: TestTenant;
  let second: TestTenant;
  let shared: ScriptedGateway;
  let own: ScriptedGateway;
  let instanceName: string;
  let environment: Record<string, string>;

  /** Each answer has a message id of its own. */
  const script: Script = (request, response) =>
    answering(200, { status: 'CONNECTED', messageId: randomUUID() })(request, response);
  const isSettled = ({ status }: { status: string }) => status === 'SENT' || status === 'FAILED';

  beforeAll(async () => {
    [shared, own] = [await ScriptedGateway.start(script), await ScriptedGateway.start(script)];
    environment = { GATEWAY_URL: `${shared.url}/`, GATEWAY_TOKEN: 'configured token' };
    // Without a worker, nothing leaves before a test starts one.
    app = await TestApp.start({ ...environment, PROCESS_ROLE: 'api' });
    first = await app.createTenant();
    second = await app.createTenant();
  });
  beforeEach(() => {
    instanceName = `instance-${randomUUID()}`;
    for (const { requests } of [shared, own]) requests.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    await shared.close();
    await own.close();
  });

  async function create(tenant: TestTenant, input: Partial<CreateChatInstanceInput> = {}): Promise<string> {
    const required = { accountId: tenant.admin.accountId, instanceName };
    const variables = { input: { ...required, ...input } };
    return (await query(app, tenant.admin, CreateChatInstanceDocument, variables)).createChatInstance.id;
  }

  const tryCreate = (tenant: TestTenant, input: Partial<CreateChatInstanceInput> = {}) =>
    execute(app, tenant.admin, CreateChatInstanceDocument, {
      input: { accountId: tenant.admin.accountId, instanceName, ...input },
    });

  /** Creates an instance from the time when the service did not check whose the name is. */
  async function createUnasked(tenant: TestTenant, input: Partial<CreateChatInstanceInput> = {}): Promise<string> {
    const id = await create(tenant, { ...input, instanceName: `instance-${randomUUID()}` });
    await app.sql('UPDATE chat_instances SET instance_name = $2 WHERE id = $1', [id, instanceName]);
    return id;
  }

  const connect = (tenant: TestTenant, id: string) => execute(app, tenant.admin, ConnectChatInstanceDocument, { id });
  const disconnect = (tenant: TestTenant, id: string) =>
    execute(app, tenant.admin, DisconnectChatInstanceDocument, { id });
  const update = (tenant: TestTenant, id: string, input: UpdateChatInstanceInput) =>
    execute(app, tenant.admin, UpdateChatInstanceDocument, { id, input });

  const codeOf = async (answer: ReturnType<typeof connect | typeof disconnect | typeof update>) =>
    failureOf(await answer).code;

  async function expectRefused(tenant: TestTenant, id: string): Promise<void> {
    shared.requests.length = 0;
    for (const answer of [await connect(tenant, id), await disconnect(tenant, id)]) expect(answer).toEqual(nameTaken);
    expect(shared.requests).toEqual([]);
  }

  const nameTaken = expect.objectContaining({
    errors: [
      expect.objectContaining({
        message: expect.stringMatching(/^instanceName: is taken at the shared gateway\. Choose another name/),
        extensions: expect.objectContaining({ code: 'CONFLICT' }),
      }),
    ],
  });

  describe('a name at the shared gateway', () => {
    test('is the tenant’s that has it: another can have none of that name, by creation or by a new name', async () => {
      await create(first);
      expect(await tryCreate(second)).toEqual(nameTaken);
      const other = await create(second, { instanceName: `${instanceName}-2` });
      expect(await update(second, other, { instanceName })).toEqual(nameTaken);
      expect(await app.sql('SELECT FROM chat_instances WHERE instance_name = $1', [instanceName])).toHaveLength(1);
    });

    test('is one tenant’s, of many who take it at once, however they do', async () => {
      const older = await create(second, { instanceName: `${instanceName}-old` });
      const answers = await Promise.all([
        tryCreate(first),
        tryCreate(second),
        tryCreate(first),
        tryCreate(second, { baseUrl: `${shared.url}/` }),
        update(second, older, { instanceName }),
      ]);
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      expect(answers.flatMap(({ errors }) => errors ?? [])).toMatchObject(
        Array.from({ length: 4 }, () => ({ extensions: { code: 'CONFLICT' } })),
      );
    });

    test('that two have from before is the older instance’s: the younger is not connected or disconnected', async () => {
      const [older, younger] = [await create(first), await createUnasked(second)];
      await expectRefused(second, younger);
      expect(await codeOf(connect(first, older))).toBeUndefined();
      expect(await codeOf(disconnect(first, older))).toBeUndefined();
    });

    test('is free in another provider, at a gateway of one’s own, and in one’s own tenant', async () => {
      await create(first);
      expect(await codeOf(connect(second, await create(second, { baseUrl: own.url })))).toBeUndefined();
      expect(failureOf(await tryCreate(first)).code).toBe('CONFLICT');
      expect(await codeOf(connect(first, await create(first, { instanceName: `${instanceName}-2` })))).toBeUndefined();
      const elsewhere = await create(first, { instanceName: `${instanceName}-3`, baseUrl: own.url });
      const here = await create(second, { instanceName: `${instanceName}-3` });
      expect(await codeOf(connect(second, here))).toBeUndefined();
      expect(await codeOf(connect(first, elsewhere))).toBeUndefined();
      await create(first, { instanceName: `${instanceName}-4`, provider: 'evolution' });
      const other = await create(second, { instanceName: `${instanceName}-4` });
      expect(await codeOf(connect(second, other))).toBeUndefined();
    });

    test('counts for who enters the shared address by hand', async () => {
      const older = await create(first, { baseUrl: shared.url });
      expect(await tryCreate(second, { baseUrl: `${shared.url}/` })).toEqual(nameTaken);
      await expectRefused(second, await createUnasked(second, { baseUrl: `${shared.url}/` }));
      expect(await codeOf(connect(first, older))).toBeUndefined();
    });

    test('stays the tenant’s that had it when its instance is deleted: the session may live on at the gateway', async () => {
      const older = await create(first);
      await query(app, first.admin, DeleteChatInstanceDocument, { id: older });
      expect(await tryCreate(second)).toEqual(nameTaken);
      await expectRefused(second, await createUnasked(second));
      expect(await codeOf(connect(first, await create(first)))).toBeUndefined();
    });

    test.each<[string, (id: string) => UpdateChatInstanceInput, Partial<CreateChatInstanceInput>]>([
      ['a new name', () => ({ instanceName }), { instanceName: 'another' }],
      ['another provider', () => ({ provider: 'gateway' }), { provider: 'evolution' }],
      ['another address', () => ({ baseUrl: null }), { baseUrl: 'https://gateway.example' }],
    ])('is not taken by %s, however old the instance is', async (_, change, before) => {
      const name = before.instanceName === undefined ? {} : { instanceName: `${instanceName}-old` };
      const oldest = await create(second, { ...before, ...name });
      const holder = await create(first);
      const answer = await update(second, oldest, change(oldest));
      expect(failureOf(answer).code).toBe('CONFLICT');
      expect(await codeOf(connect(first, holder))).toBeUndefined();
    });

    test('is no matter where no gateway is configured', async () => {
      const without = await TestApp.start({}, app.database);
      try {
        const younger = [
          await create(first, { provider: 'evolution' }),
          await createUnasked(second, { provider: 'evolution' }),
        ][1];
        const answer = await execute(without, second.admin, ConnectChatInstanceDocument, { id: younger ?? '' });
        expect(answer.errors).toMatchObject([{ message: expect.stringMatching(/no gateway address/) }]);
      } finally {
        await without.stop({ keepDatabase: true });
      }
    });
  });

  describe('the shared gateway’s address', () => {
    const port = () => new URL(shared.url).port;

    test.each([
      'http://localhost:PORT',
      'http://LOCALHOST.:PORT/',
      'http://gateway.localhost:PORT',
      'http://127.1:PORT',
      'http://0x7f000001:PORT',
      'http://127.0.0.2:PORT',
      'http://[::1]:PORT',
      'http://[::ffff:127.0.0.1]:PORT',
      'http://127.0.0.1:PORT//',
    ])('is the same written as %s: the name is taken there', async (writing) => {
      const baseUrl = writing.replace('PORT', port());
      const older = await create(first);
      expect(await tryCreate(second, { baseUrl })).toEqual(nameTaken);
      await expectRefused(second, await createUnasked(second, { baseUrl }));
      expect(await codeOf(connect(first, older))).toBeUndefined();
    });

    test('belongs to who had it first, also where that was under another writing', async () => {
      await create(first, { baseUrl: `http://localhost:${port()}` });
      expect(await tryCreate(second)).toEqual(nameTaken);
    });

    test.each([
      ['https://gateway.example', 'http://GATEWAY.example.:80/'],
      ['https://gateway.example:443/v%31/%7ea', 'https://gateway.example//v1/~a/'],
      ['http://8.8.8.8:81', 'http://[::ffff:8.8.8.8]:81'],
      ['http://[2606:4700:0::1]', 'https://[2606:4700::0:1]'],
    ])('%s is %s', (one, other) => {
      expect(placeOf(one)).toBe(placeOf(other));
    });

    test.each([
      ['https://gateway.example', 'https://gateway.example:8443'],
      ['https://gateway.example/a', 'https://gateway.example/A'],
      ['https://gateway.example/a%2fb', 'https://gateway.example/a/b'],
      ['http://8.8.8.8', 'http://8.8.4.4'],
    ])('%s is not %s', (one, other) => {
      expect(placeOf(one)).not.toBe(placeOf(other));
    });
  });

  describe('sending through an instance with another tenant’s name', () => {
    const sendBy = async (tenant: TestTenant, instanceId: string) =>
      send(app, tenant, { leadId: await createLead(app, tenant), instanceId, body: 'Oi' });
    const sentUnder = (name: string) =>
      shared.requests.filter(({ body }) => (body as { instance?: string } | null)?.instance === name);

    test('fails for good with what to do; what its owner sends leaves, and so does what goes to a gateway of one’s own', async () => {
      const baseUrl = shared.url.replace('127.0.0.1', 'localhost');
      const [older, younger] = [await create(first), await createUnasked(second, { baseUrl })];
      const third = await app.createTenant();
      const elsewhere = await create(third, { baseUrl: own.url });
      const foreign = await sendBy(second, younger);
      const fine = [await sendBy(first, older), await sendBy(third, elsewhere)];
      const worker = await TestApp.start({ ...environment, PROCESS_ROLE: 'worker' }, app.database);
      try {
        for (const message of fine) await waitForStatus(app, message, 'SENT');
        expect(await until(() => stateOf(app, foreign), isSettled)).toMatchObject({
          status: 'FAILED',
          errorCode: 'INSTANCE_NAME_TAKEN',
          errorMessage: expect.stringMatching(/shared gateway\. Choose another name/),
        });
        expect(sentUnder(instanceName)).toHaveLength(1);
        // Once the name is repaired, the message is sent at once.
        const name = `instance-${randomUUID()}`;
        expect((await update(second, younger, { instanceName: name })).errors).toBeUndefined();
        await query(app, second.operator, RetryMessageDocument, { id: foreign });
        await waitForStatus(app, foreign, 'SENT');
        expect(sentUnder(name)).toHaveLength(1);
      } finally {
        await worker.stop({ keepDatabase: true });
      }
    });
  });

  describe('a stored token', () => {
    const token = 'token-1';

    test.each([
      ['gateway', 'cloud'],
      ['evolution', 'cloud'],
      ['cloud', 'gateway'],
    ])('is not sent elsewhere because the provider changes from %s to %s', async (before, after) => {
      const id = await create(first, { provider: before, token });
      const answer = await update(first, id, { provider: after });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['token'] });
      expect((await update(first, id, { provider: after, token })).errors).toBeUndefined();
      expect((await update(first, id, { provider: before, token: null })).errors).toBeUndefined();
      expect((await update(first, id, { provider: after })).errors).toBeUndefined();
    });

    test('stays with a change that leads to the same address', async () => {
      const id = await create(first, { token });
      expect((await update(first, id, { provider: 'evolution' })).errors).toBeUndefined();
      expect((await update(first, id, { baseUrl: shared.url })).errors).toBeUndefined();
      expect((await update(first, id, { provider: 'cloud' })).errors).toBeUndefined();
      expect(failureOf(await update(first, id, { baseUrl: null })).paths).toEqual(['token']);
    });

    test('is needed again with a provider and an address that change together', async () => {
      const id = await create(first, { token, provider: 'cloud' });
      const answer = await update(first, id, { provider: 'gateway', baseUrl: own.url });
      expect(failureOf(answer).paths).toEqual(['token']);
      const same = await update(first, id, { provider: 'gateway', baseUrl: 'https://graph.facebook.com' });
      expect(same.errors).toBeUndefined();
    });
  });
}
