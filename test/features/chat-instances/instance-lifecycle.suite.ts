// Connecting and disconnecting instances, over GraphQL, at servers that answer as Evolution API, Meta's Cloud API and the neutral gateway
// do: codes, faults, the stored part of an answer, and calls at the same moment.

import { randomUUID } from 'node:crypto';
import { InstanceLifecycleService } from '../../../src/features/chat-instances/instance-lifecycle.service.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { ScriptedGateway, answering, type Script } from '../../providers/scripted-gateway.js';
import { CloudServer, cloudError } from '../../support/cloud-server.js';
import { WahaServer } from '../../support/waha-server.js';
import { EvolutionServer, evolutionError, type EvolutionState } from '../../support/evolution-server.js';
import { execute, failureOf, query, type GraphqlAnswer } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  ChatInstanceStateDocument,
  ConnectChatInstanceDocument,
  CreateChatInstanceDocument,
  DeleteChatInstanceDocument,
  DisconnectChatInstanceDocument,
  UpdateChatInstanceDocument,
  type CreateChatInstanceInput,
} from '../../support/operations.js';
import { html, late, lostAnswers, slowAnswers } from '../../support/provider-fault.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  createLead,
  openReplyWindow,
  send,
  startSender,
  startSimulator,
  stateOf,
  until,
  waitForStatus,
} from '../messages/sending-harness.js';

export function describeInstanceLifecycle(): void {
  const token = EvolutionServer.globalKey;

  let app: TestApp;
  let tenant: TestTenant;
  let simulator: GatewaySimulator;
  let evolution: EvolutionServer;
  let cloud: CloudServer;
  let gateway: ScriptedGateway;
  let script: Script;
  /** The name of the last instance at Evolution API. */
  let instanceName: string;

  beforeAll(async () => {
    simulator = await startSimulator({ connectDelayMs: 0 });
    app = await startSender(simulator);
    tenant = await app.createTenant();
    gateway = await ScriptedGateway.start((request, response) => script(request, response));
  });
  beforeEach(async () => {
    evolution = await EvolutionServer.start();
    cloud = await CloudServer.start();
    gateway.requests.length = 0;
  });
  afterEach(async () => {
    await evolution.close();
    await cloud.close();
  });
  afterAll(async () => {
    await app.stop();
    await simulator.close();
    await gateway.close();
  });

  async function createInstance(input: Partial<CreateChatInstanceInput> = {}): Promise<string> {
    const required = { accountId: tenant.admin.accountId, instanceName: `instance-${randomUUID()}` };
    const variables = { input: { ...required, ...input } };
    return (await query(app, tenant.admin, CreateChatInstanceDocument, variables)).createChatInstance.id;
  }

  /** @param state the instance's state there; without it the server has no such instance */
  const atEvolution = (state?: EvolutionState) => {
    instanceName = `instance-${randomUUID()}`;
    if (state !== undefined) evolution.instances.set(instanceName, state);
    return createInstance({ provider: 'evolution', baseUrl: evolution.url, token, instanceName });
  };
  const atCloud = (input: Partial<CreateChatInstanceInput> = {}) =>
    createInstance({
      provider: 'cloud',
      baseUrl: cloud.url,
      token: cloud.token,
      metadata: { phoneNumberId: CloudServer.phoneNumberId },
      ...input,
    });
  const atGateway = () => createInstance({ baseUrl: gateway.url });

  const tryConnect = (id: string) => execute(app, tenant.admin, ConnectChatInstanceDocument, { id });
  const connect = async (id: string) =>
    (await query(app, tenant.admin, ConnectChatInstanceDocument, { id })).connectChatInstance;
  const tryDisconnect = (id: string) => execute(app, tenant.admin, DisconnectChatInstanceDocument, { id });
  const disconnect = async (id: string) =>
    (await query(app, tenant.admin, DisconnectChatInstanceDocument, { id })).disconnectChatInstance;
  const readInstance = async (id: string) =>
    (await query(app, tenant.operator, ChatInstanceStateDocument, { id })).chatInstance;

  /** Stores an earlier answer of the instance, so that the next one has something to change. */
  const setStatus = (id: string, status: string) =>
    app.sql('UPDATE chat_instances SET status = $2::chat_instance_status WHERE id = $1', [id, status]);

  /** The instance's audit entries after its creation, oldest first. */
  async function auditOf(id: string) {
    const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
    const entries = auditLog.edges.map(({ node: { action, before, after } }) => ({ action, before, after }));
    return entries.reverse().slice(1);
  }

  const sentenceOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0]?.message;
  const none = { lastError: null, qr: null, pairingCode: null };

  describe('through WAHA', () => {
    let waha: WahaServer;

    beforeEach(async () => (waha = await WahaServer.start()));
    afterEach(() => waha.close());

    const gatewayOf = (metadata: Record<string, unknown>) => ({
      accountId: tenant.admin.accountId,
      provider: 'waha',
      instanceName: `session-${randomUUID()}`,
      baseUrl: waha.url,
      token: WahaServer.apiKey,
      metadata,
    });

    test('an instance is connected by the code of its number, and disconnected', async () => {
      const input = gatewayOf({ phoneNumber: '5511988887777' });
      const id = await createInstance(input);
      const { qr, pairingCode } = WahaServer;
      expect(await connect(id)).toEqual({ status: 'CONNECTING', lastError: null, qr, pairingCode });
      waha.sessions.set(input.instanceName, 'WORKING');
      expect(await connect(id)).toEqual({ status: 'CONNECTED', ...none });
      await disconnect(id);
      expect(waha.sessions.get(input.instanceName)).toBe('STOPPED');
      expect(await readInstance(id)).toMatchObject({ status: 'DISCONNECTED' });
    });

    test.each(['+55 11 98888-7777', 5_511_988_887_777, ''])(
      'a number to pair is digits: not %j',
      async (phoneNumber) => {
        const { errors } = await execute(app, tenant.admin, CreateChatInstanceDocument, {
          input: gatewayOf({ phoneNumber }),
        });
        expect(errors).toMatchObject([{ message: expect.stringContaining('metadata.phoneNumber: has to be') }]);
      },
    );
  });

  describe('connecting through Evolution API', () => {
    test('gives the picture to scan and the code to type; the state, an event and an entry are stored', async () => {
      const id = await atEvolution();
      await setStatus(id, 'DISCONNECTED');
      await app.sql("UPDATE chat_instances SET told_at = '2000-01-01', told_status = 'DISCONNECTED' WHERE id = $1", [
        id,
      ]);
      const { base64: qr, pairingCode } = EvolutionServer.qr;
      expect(await connect(id)).toEqual({ status: 'CONNECTING', lastError: null, qr, pairingCode });
      expect(evolution.instances.get(instanceName)).toBe('connecting');
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTING', lastError: null });
      expect(await auditOf(id)).toEqual([
        {
          action: 'CHAT_INSTANCE_CONNECTED',
          before: { status: 'DISCONNECTED' },
          after: { status: 'CONNECTING', codeShown: true },
        },
      ]);
      const events = await app.sql('SELECT type FROM events WHERE instance_id = $1', [id]);
      expect(events).toEqual([{ type: 'CHAT_INSTANCE_STATUS_CHANGED' }]);
    });

    test('one that is connected says so, and what changes nothing is not audited', async () => {
      const id = await atEvolution('open');
      expect(await connect(id)).toEqual({ ...none, status: 'CONNECTED' });
      expect(await connect(id)).toEqual({ ...none, status: 'CONNECTED' });
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
      expect(await auditOf(id)).toEqual([
        { action: 'CHAT_INSTANCE_CONNECTED', before: { status: 'CONNECTING' }, after: { status: 'CONNECTED' } },
      ]);
    });

    test('asked again, it gives the code that counts by now, and CONNECTED once it was scanned', async () => {
      const id = await atEvolution();
      expect(await connect(id)).toMatchObject({ status: 'CONNECTING', qr: EvolutionServer.qr.base64 });
      const answer = answering(200, { code: '2@another', pairingCode: 'ABCD1234', count: 2 });
      evolution.script = ({ path }) => (path.startsWith('/instance/connect/') ? answer : undefined);
      expect(await connect(id)).toMatchObject({ qr: '2@another', pairingCode: 'ABCD1234' });
      evolution.script = undefined;
      evolution.instances.set(instanceName, 'open');
      expect(await connect(id)).toEqual({ ...none, status: 'CONNECTED' });
    });

    test('who asks for code after code has one entry for it; another user, or after ten minutes, has another', async () => {
      const id = await atEvolution();
      await setStatus(id, 'CONNECTING');
      const shown = { action: 'CHAT_INSTANCE_CONNECTED', before: { status: 'CONNECTING' } };
      const entry = { ...shown, after: { status: 'CONNECTING', codeShown: true } };
      for (let asked = 0; asked < 5; asked += 1)
        expect(await connect(id)).toMatchObject({ qr: EvolutionServer.qr.base64 });
      expect(await auditOf(id)).toEqual([entry]);
      const idpSub = `colleague-${id}`;
      const { id: userId, accountId } = await app.createUser(tenant.id, {
        email: `${idpSub}@test.example`,
        role: 'ADMIN',
        idpSub,
      });
      const colleague = { id: userId, accountId, idpSub, token: await app.signIn(idpSub) };
      await query(app, colleague, ConnectChatInstanceDocument, { id });
      expect(await auditOf(id)).toEqual([entry, entry]);
      await app.sql("UPDATE audit_entries SET created_at = created_at - interval '11 minutes' WHERE target_id = $1", [
        id,
      ]);
      await connect(id);
      await connect(id);
      expect(await auditOf(id)).toEqual([entry, entry, entry]);
      evolution.instances.set(instanceName, 'open');
      await connect(id);
      expect(await auditOf(id)).toEqual([entry, entry, entry, { ...shown, after: { status: 'CONNECTED' } }]);
    });

    test('codes stand nowhere: not in the database, and not in an answer to somebody else', async () => {
      const id = await atEvolution();
      await connect(id);
      const tables = await app.sql<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
      );
      const rows = await Promise.all(tables.map(({ name }) => app.sql(`SELECT t::text AS row FROM ${name} t`)));
      const text = JSON.stringify([rows, await readInstance(id), await auditOf(id)]);
      expect(text).toContain(id);
      for (const secret of [...Object.values(EvolutionServer.qr), token]) expect(text).not.toContain(secret);
    });

    test('many at once are harmless: one instance at the gateway, and each caller gets the code', async () => {
      const id = await atEvolution();
      const answers = await Promise.all(Array.from({ length: 8 }, () => connect(id)));
      expect(new Set(answers.map(({ qr }) => qr))).toEqual(new Set([EvolutionServer.qr.base64]));
      expect([...evolution.instances]).toEqual([
        ['acme', 'open'],
        [instanceName, 'connecting'],
      ]);
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTING' });
    });

    test('a wrong key is CONFLICT with what to do, and the key is in no word of it', async () => {
      const wrong = `wrong-${randomUUID()}`;
      evolution.always(evolutionError(401, `Unauthorized: ${wrong}`));
      const id = await createInstance({ provider: 'evolution', baseUrl: evolution.url, token: wrong });
      const answer = await tryConnect(id);
      expect(failureOf(answer).code).toBe('CONFLICT');
      expect(sentenceOf(answer)).toMatch(/token/);
      expect(JSON.stringify(answer)).not.toContain(wrong);
      expect(await auditOf(id)).toEqual([]);
    });
  });

  describe('connecting through the Cloud API', () => {
    test('has nothing to scan: the instance is CONNECTED when its token reaches it', async () => {
      const id = await atCloud();
      expect(await connect(id)).toEqual({ ...none, status: 'CONNECTED' });
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
    });

    test('a token that is no longer good is the instance’s ERROR, with what to do', async () => {
      const id = await atCloud({ token: 'expired' });
      expect(await connect(id)).toMatchObject({
        status: 'ERROR',
        lastError: expect.stringMatching(/^190: .*new access token/),
      });
      expect(await readInstance(id)).toMatchObject({ status: 'ERROR', lastError: expect.stringMatching(/^190: /) });
    });

    test.each<[string, Partial<CreateChatInstanceInput>, RegExp]>([
      ['without an instance', { metadata: null }, /phoneNumberId/],
      ['without a token', { token: null }, /access token/],
      ['with a version that is none', { metadata: { phoneNumberId: '1', apiVersion: '../v1' } }, /apiVersion/],
    ])('%s is CONFLICT, and nothing is asked', async (_, input, sentence) => {
      const answer = await tryConnect(await atCloud(input));
      expect(failureOf(answer).code).toBe('CONFLICT');
      expect(sentenceOf(answer)).toMatch(sentence);
      expect(cloud.requests).toEqual([]);
    });

    test('too many calls is UNAVAILABLE', async () => {
      cloud.always(cloudError(400, 80007, 'Rate limit hit', { 'retry-after': '7' }));
      const { errors } = await tryConnect(await atCloud());
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 7 } }]);
    });

    test('disconnecting is not offered: CONFLICT says where it is done', async () => {
      const id = await atCloud();
      await connect(id);
      const answer = await tryDisconnect(id);
      expect(failureOf(answer).code).toBe('CONFLICT');
      expect(sentenceOf(answer)).toMatch(/Meta's own tools/);
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
    });
  });

  describe('connecting through the neutral gateway', () => {
    test('the simulator gives both codes, and CONNECTED when it is asked again', async () => {
      const id = await createInstance();
      expect(await connect(id)).toEqual({
        status: 'CONNECTING',
        lastError: null,
        qr: expect.stringMatching(/^data:image\/svg/),
        pairingCode: expect.stringMatching(/^\w{4}-\w{4}$/),
      });
      await until(
        () => connect(id),
        ({ status }) => status === 'CONNECTED',
      );
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
      expect(await disconnect(id)).toMatchObject({ id, status: 'DISCONNECTED' });
      expect(await connect(id)).toMatchObject({ status: 'CONNECTING' });
    });

    test('carries the configured token, as a send does', async () => {
      script = answering(200, { status: 'CONNECTED' });
      const own = await createInstance({ baseUrl: gateway.url, token: 'own-token' });
      await connect(own);
      await connect(await atGateway());
      expect(gateway.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer own-token', undefined]);
    });

    test.each(['.', '..'])('the name "%s" is no part of an address: CONFLICT, and nothing is asked', async (name) => {
      const id = await createInstance({ baseUrl: gateway.url, instanceName: name });
      const answers = [await tryConnect(id), await tryDisconnect(id)];
      expect(answers.map((answer) => failureOf(answer).code)).toEqual(['CONFLICT', 'CONFLICT']);
      expect(sentenceOf(answers[0]!)).toMatch(/Give it a name other than/);
      expect(gateway.requests).toEqual([]);
    });

    test.each(['../../messages', 'a/b', '%2e%2e', 'a?b#c', 'a b'])(
      'the name "%s" stays one part of the address',
      async (name) => {
        script = answering(200, { status: 'CONNECTED' });
        await connect(await createInstance({ baseUrl: `${gateway.url}/v1`, instanceName: name }));
        expect(gateway.requests.map(({ path }) => path)).toEqual([`/v1/instances/${encodeURIComponent(name)}/connect`]);
      },
    );

    test('a state that it answers with a reason is stored with it', async () => {
      script = answering(200, { status: 'ERROR', lastError: 'The number is banned' });
      const id = await atGateway();
      expect(await connect(id)).toEqual({ ...none, status: 'ERROR', lastError: 'The number is banned' });
      expect(await readInstance(id)).toMatchObject({ status: 'ERROR', lastError: 'The number is banned' });
    });
  });

  describe('a gateway that goes wrong', () => {
    const unchanged = async (id: string) => {
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTING', lastError: null });
      expect(await auditOf(id)).toEqual([]);
    };

    test.each([...lostAnswers, ['it is rubbish', html(200)], ['it is broken', html(502)]] as [string, Script][])(
      '%s: UNAVAILABLE, and nothing changes',
      async (_, fault) => {
        script = fault;
        const id = await atGateway();
        for (const answer of [await tryConnect(id), await tryDisconnect(id)])
          expect(failureOf(answer).code).toBe('UNAVAILABLE');
        await unchanged(id);
      },
    );

    test('nobody listens: UNAVAILABLE', async () => {
      const id = await createInstance({ baseUrl: 'http://127.0.0.1:9/a-secret', instanceName: 'out-of-reach' });
      const answer = await tryConnect(id);
      expect(failureOf(answer).code).toBe('UNAVAILABLE');
      const sentence = 'The gateway of the instance "out-of-reach" (127.0.0.1:9) could not be reached: ECONNREFUSED';
      expect(sentenceOf(answer)).toBe(sentence);
      await unchanged(id);
    });

    test('it says when to come back', async () => {
      script = answering(429, {}, { 'retry-after': '30' });
      const { errors } = await tryConnect(await atGateway());
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 30 } }]);
    });

    test.each([401, 403, 404, 405, 400, 302])('it answers %d: CONFLICT with what to do', async (status) => {
      script = answering(status, {}, { location: 'http://127.0.0.1:9/' });
      const id = await atGateway();
      const answer = await tryConnect(id);
      expect(failureOf(answer).code).toBe('CONFLICT');
      expect(sentenceOf(answer)).toMatch(/\. (?:Check|Correct|Enter) /);
      await unchanged(id);
    });

    test.each(slowAnswers)('%s: its time is limited, all its calls together', async (_, fault) => {
      script = fault;
      const { database, notifier, audit, connections, chatInstances, endpoints } = app.app.services;
      const hurried = new InstanceLifecycleService({
        database,
        transactor: new Transactor(database, notifier),
        audit,
        connections,
        chatInstances,
        endpoints,
        timeLimitMs: 50,
      });
      const id = await atGateway();
      const { id: userId, accountId } = tenant.admin;
      const who = { tenantId: tenant.id, userId, accountId, email: 'a@test.example', isPlatformTenant: false } as const;
      const admin = { kind: 'user', role: 'ADMIN', ...who } as const;
      await expect(hurried.connect(admin, id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(hurried.disconnect(admin, id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await unchanged(id);
    });

    test('no transaction is open while it is asked', async () => {
      const held = late(answering(200, { status: 'CONNECTED' }));
      script = held.script;
      const answer = connect(await atGateway());
      await until(
        () => gateway.requests.length,
        (count) => count === 1,
      );
      // Other transactions are open for a moment. A transaction that is held until the answer would stay.
      await until(
        () =>
          app.sql(
            `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'leadwire'
             AND state LIKE 'idle in transaction%'`,
          ),
        (open) => open.length === 0,
      );
      held.release();
      expect(await answer).toMatchObject({ status: 'CONNECTED' });
    });
  });

  describe('what cannot be called', () => {
    test('a provider without a driver any more, a token that cannot be read, an address that may not be called', async () => {
      const [unknown, unreadable, inward] = [await atGateway(), await atGateway(), await atGateway()];
      await app.sql("UPDATE chat_instances SET provider = 'pigeon' WHERE id = $1", [unknown]);
      await app.sql("UPDATE chat_instances SET token_ciphertext = 'x' WHERE id = $1", [unreadable]);
      await app.sql("UPDATE chat_instances SET base_url = 'http://10.255.255.1' WHERE id = $1", [inward]);
      const sentences: [string, RegExp][] = [
        [unknown, /no driver/],
        [unreadable, /Enter it again/],
        [inward, /does not call/],
      ];
      for (const [id, sentence] of sentences) {
        const answer = await tryConnect(id);
        expect(failureOf(answer).code).toBe('CONFLICT');
        expect(sentenceOf(answer)).toMatch(sentence);
      }
      expect(gateway.requests).toEqual([]);
    });

    test('no instance, one of another tenant, one that is deleted: NOT_FOUND', async () => {
      const gone = await atGateway();
      await execute(app, tenant.admin, DeleteChatInstanceDocument, { id: gone });
      const foreign = (await app.createTenant()).instance.id;
      for (const id of ['x', randomUUID(), gone, foreign]) {
        expect(failureOf(await tryConnect(id)).code).toBe('NOT_FOUND');
        expect(failureOf(await tryDisconnect(id)).code).toBe('NOT_FOUND');
      }
      expect(gateway.requests).toEqual([]);
    });
  });

  describe('disconnecting', () => {
    test('ends the session: the instance is DISCONNECTED, its messages wait, and connecting lets them go', async () => {
      const id = await atEvolution('open');
      await connect(id);
      expect(await disconnect(id)).toEqual({
        id,
        status: 'DISCONNECTED',
        lastError: null,
        pausedUntil: null,
        pauseReason: null,
      });
      expect(evolution.instances.get(instanceName)).toBe('close');
      expect((await auditOf(id)).at(-1)).toEqual({
        action: 'CHAT_INSTANCE_DISCONNECTED',
        before: { status: 'CONNECTED' },
        after: { status: 'DISCONNECTED' },
      });
      const waiting = await send(app, tenant, { leadId: await createLead(app, tenant), instanceId: id, body: 'Oi' });
      // The dispatcher has handled a message of another instance, so it had the time to take this one too.
      const other = await atCloud();
      const leadId = await createLead(app, tenant);
      await openReplyWindow(app, tenant.id, leadId, other);
      await waitForStatus(app, await send(app, tenant, { leadId, instanceId: other, body: 'Oi' }), 'SENT');
      expect((await stateOf(app, waiting)).status).toBe('QUEUED');
      evolution.instances.set(instanceName, 'open');
      await connect(id);
      await waitForStatus(app, waiting, 'SENT');
    });

    test('again, and of an instance that the gateway does not know, is the same', async () => {
      const id = await atEvolution();
      for (let times = 0; times < 2; times += 1) expect(await disconnect(id)).toMatchObject({ status: 'DISCONNECTED' });
      expect(await auditOf(id)).toHaveLength(1);
    });

    test('and connecting at once: no error, and the state is one of the two', async () => {
      const id = await atEvolution('open');
      const answers = await Promise.all([tryConnect(id), tryDisconnect(id), tryConnect(id), tryDisconnect(id)]);
      expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([]);
      expect(['CONNECTED', 'CONNECTING', 'DISCONNECTED']).toContain((await readInstance(id))?.status);
    });
  });

  describe('meanwhile', () => {
    /** Connects, and runs the work while the gateway is about to answer. */
    async function connectWhile(id: string, answer: Script, work: () => Promise<unknown>) {
      const held = late(answer);
      script = held.script;
      const connecting = tryConnect(id);
      await until(
        () => gateway.requests.length,
        (count) => count > 0,
      );
      await work();
      held.release();
      return connecting;
    }

    test('the code was scanned: the report that came first counts', async () => {
      const name = `instance-${randomUUID()}`;
      const id = await createInstance({ baseUrl: gateway.url, instanceName: name });
      await setStatus(id, 'DISCONNECTED');
      const { data } = await connectWhile(id, answering(200, { status: 'CONNECTING', qr: '2@x' }), () => {
        const body = { event: 'connection.update', instance: name, data: { state: 'open', statusReason: 200 } };
        return app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
      });
      expect(data?.connectChatInstance).toEqual({ ...none, status: 'CONNECTED' });
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
    });

    test('the instance was deleted: NOT_FOUND', async () => {
      const id = await atGateway();
      const answer = await connectWhile(id, answering(200, { status: 'CONNECTED' }), () =>
        query(app, tenant.admin, DeleteChatInstanceDocument, { id }),
      );
      expect(failureOf(answer).code).toBe('NOT_FOUND');
      const [row] = await app.sql<{ status: string }>('SELECT status FROM chat_instances WHERE id = $1', [id]);
      expect(row?.status).toBe('INACTIVE');
    });

    test('the instance was moved meanwhile: CONFLICT, and the answer is not stored', async () => {
      const id = await atGateway();
      const answer = await connectWhile(id, answering(200, { status: 'CONNECTED' }), () =>
        query(app, tenant.admin, UpdateChatInstanceDocument, {
          id,
          input: { instanceName: `instance-${randomUUID()}` },
        }),
      );
      expect(failureOf(answer).code).toBe('CONFLICT');
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTING' });
    });
  });
}
