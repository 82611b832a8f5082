// Instances that are not connected: their messages wait while they connect again, and the service finds by itself that they are back. The
// gateway is scripted: it answers for each instance as a test says.

import { randomUUID } from 'node:crypto';
import { checkInstancesJob } from '../../../src/features/chat-instances/chat-instance.jobs.js';
import { InstanceCheckService } from '../../../src/features/chat-instances/instance-check.service.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { ScriptedGateway, answering, type Script } from '../../providers/scripted-gateway.js';
import { query } from '../../support/graphql-client.js';
import {
  ChatInstanceStateDocument,
  ConnectChatInstanceDocument,
  CreateChatInstanceDocument,
  DeleteChatInstanceDocument,
  DisconnectChatInstanceDocument,
  UpdateChatInstanceDocument,
} from '../../support/operations.js';
import { html, late } from '../../support/provider-fault.js';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { createLeads, readMessage, send, stateOf, until, waitForStatus } from '../messages/sending-harness.js';

export function describeInstanceCheck(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let gateway: ScriptedGateway;
  /** The gateway's answers about an instance, by its name. */
  const scripts = new Map<string, Script>();
  const stands = (status: string, more: object = {}) => answering(200, { status, ...more });

  const script: Script = (request, response) => {
    const [, kind, name = ''] = request.path.split('/');
    if (kind === 'instances') return (scripts.get(decodeURIComponent(name)) ?? answering(404, {}))(request, response);
    return answering(200, { messageId: randomUUID() })(request, response);
  };

  beforeAll(async () => {
    gateway = await ScriptedGateway.start(script);
    app = await sharedApp();
    [tenant, other] = [await app.createTenant(), await app.createTenant()];
  });
  beforeEach(async () => {
    await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE deleted_at IS NULL');
    gateway.requests.length = 0;
  });
  afterAll(async () => {
    await gateway.close();
  });

  function checkerWith(instancesPerRun: number, concurrency = 4): InstanceCheckService {
    const { database, notifier, connections, endpoints } = app.app.services;
    const transactor = new Transactor(database, notifier);
    return new InstanceCheckService({
      database,
      transactor,
      connections,
      endpoints,
      log: createLogger('silent'),
      instancesPerRun,
      concurrency,
    });
  }
  const check = () => checkerWith(100).checkInstances();

  interface Instance {
    id: string;
    name: string;
  }

  /** An instance whose gateway gives this answer, and whose stored state is `status`. */
  async function instanceWith(answer: Script, status = 'CONNECTING', owner = tenant): Promise<Instance> {
    const instanceName = `instance-${randomUUID()}`;
    scripts.set(instanceName, answer);
    const input = { accountId: owner.admin.accountId, instanceName, baseUrl: gateway.url };
    const { id } = (await query(app, owner.admin, CreateChatInstanceDocument, { input })).createChatInstance;
    await app.sql('UPDATE chat_instances SET status = $2::chat_instance_status WHERE id = $1', [id, status]);
    return { id, name: instanceName };
  }

  const readInstance = async (id: string) =>
    (await query(app, tenant.operator, ChatInstanceStateDocument, { id })).chatInstance;
  const namesAsked = () => gateway.requests.map(({ path }) => decodeURIComponent(path.split('/')[2] ?? ''));
  const namesOf = (instances: readonly Instance[]) => instances.map(({ name }) => name);

  describe('an instance that connects again', () => {
    const connect = (id: string) => query(app, tenant.admin, ConnectChatInstanceDocument, { id });

    test('holds its messages, says why, and sends them in order as soon as its gateway says that it is connected', async () => {
      const { id, name } = await instanceWith(stands('CONNECTED'));
      await connect(id);
      scripts.set(name, stands('DISCONNECTED'));
      await query(app, tenant.admin, DisconnectChatInstanceDocument, { id });
      scripts.set(name, stands('CONNECTING', { qr: '2@x' }));
      expect((await connect(id)).connectChatInstance).toMatchObject({ status: 'CONNECTING', qr: '2@x' });
      const [leadId = '', otherLead = ''] = await createLeads(app, tenant, 2);
      const held = [];
      for (const body of ['one', 'two', 'three']) held.push(await send(app, tenant, { leadId, instanceId: id, body }));
      // The dispatcher has handled a message of another instance, so it had the time to take these too.
      const elsewhere = await instanceWith(stands('CONNECTED'));
      await waitForStatus(
        app,
        await send(app, tenant, { leadId: otherLead, instanceId: elsewhere.id, body: 'x' }),
        'SENT',
      );
      const first = await readMessage(app, tenant, held[0] ?? '');
      expect(first).toMatchObject({ status: 'QUEUED', waitingReason: 'INSTANCE_PAUSED', estimatedSendAt: null });
      expect(first.waitingDetail).toContain('is CONNECTING');
      await check();
      expect((await stateOf(app, held[0] ?? '')).status).toBe('QUEUED');

      scripts.set(name, stands('CONNECTED'));
      gateway.requests.length = 0;
      expect(await check()).toBe(1);
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
      for (const message of held) await waitForStatus(app, message, 'SENT');
      const texts = gateway.requests.flatMap(({ body }) => (body as { text?: string } | null)?.text ?? []);
      expect(texts).toEqual(['one', 'two', 'three']);
    });

    test('is told to watchers, and the queue is told in the same transaction', async () => {
      const { id } = await instanceWith(stands('CONNECTED'), 'DISCONNECTED');
      await app.sql("UPDATE chat_instances SET told_at = '2000-01-01', told_status = 'DISCONNECTED' WHERE id = $1", [
        id,
      ]);
      const jobs = () =>
        app.sql("SELECT FROM pgboss.job WHERE name = 'dispatch-outbound' AND data->>'tenantId' = $1", [tenant.id]);
      const before = (await jobs()).length;
      await check();
      expect(await app.sql('SELECT type FROM events WHERE instance_id = $1', [id])).toEqual([
        { type: 'CHAT_INSTANCE_STATUS_CHANGED' },
      ]);
      expect(await jobs()).toHaveLength(before + 1);
    });

    test('one that never was connected is tried: not every gateway has to be asked', async () => {
      const { id } = await instanceWith(stands('CONNECTING'));
      const [leadId = ''] = await createLeads(app, tenant, 1);
      await waitForStatus(app, await send(app, tenant, { leadId, instanceId: id, body: 'Oi' }), 'SENT');
    });
  });

  describe('who is asked', () => {
    test('instances that are connecting, and those that ended within a day; nobody else', async () => {
      const asked = [await instanceWith(stands('CONNECTING'))];
      for (const status of ['DISCONNECTED', 'ERROR']) asked.push(await instanceWith(stands(status), status));
      for (const status of ['CONNECTED', 'INACTIVE']) await instanceWith(stands('CONNECTED'), status);
      const [old, deleted] = [
        await instanceWith(stands('CONNECTED'), 'ERROR'),
        await instanceWith(stands('CONNECTED')),
      ];
      await app.sql("UPDATE chat_instances SET status_changed_at = now() - interval '25 h' WHERE id = $1", [old.id]);
      await query(app, tenant.admin, DeleteChatInstanceDocument, { id: deleted.id });
      await instanceWith(stands('CONNECTED'), 'CONNECTING', other);
      await app.sql('UPDATE tenants SET is_active = false WHERE id = $1', [other.id]);
      expect(await check()).toBe(0);
      await app.sql('UPDATE tenants SET is_active = true WHERE id = $1', [other.id]);
      expect(namesAsked().sort()).toEqual(namesOf(asked).sort());
    });

    test('a day counts from when it ended, and a report of the same state does not start it again', async () => {
      const { id, name } = await instanceWith(stands('CONNECTED'));
      const report = (state: string) => {
        const body = { event: 'connection.update', instance: name, data: { state, statusReason: 200 } };
        return app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
      };
      await report('close');
      await app.sql("UPDATE chat_instances SET status_changed_at = now() - interval '25 h' WHERE id = $1", [id]);
      await report('close');
      expect(await check()).toBe(0);
      await report('connecting');
      await report('close');
      expect(await check()).toBe(1);
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED' });
    });

    test('another line has neither the reason of the former one, nor its time of connection', async () => {
      const { id, name } = await instanceWith(stands('ERROR', { lastError: 'The number is banned' }));
      await check();
      const rename = async (instanceName: string) => {
        scripts.set(instanceName, stands('DISCONNECTED'));
        await query(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { instanceName } });
      };
      await rename(`${name}-new`);
      expect(await check()).toBe(1);
      expect(await readInstance(id)).toMatchObject({ status: 'DISCONNECTED', lastError: null });
      const connectedAt = async () =>
        (await app.sql<{ at: Date | null }>('SELECT connected_at AS at FROM chat_instances WHERE id = $1', [id]))[0]
          ?.at;
      const before = new Date('2026-01-01T00:00:00.000Z');
      await app.sql("UPDATE chat_instances SET status = 'CONNECTED', connected_at = $2 WHERE id = $1", [id, before]);
      await query(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { token: 'x' } });
      expect(await connectedAt()).toEqual(before);
      await rename(`${name}-newer`);
      expect((await connectedAt())?.getTime()).toBeGreaterThan(before.getTime());
    });

    test.each([
      ['the token', 'ERROR', { token: 'another' }],
      ['the name', 'CONNECTED', {}],
    ])('once after a change of %s, whatever the state is, and however old', async (_what, status, change) => {
      const { id, name } = await instanceWith(stands('DISCONNECTED'), status);
      await app.sql("UPDATE chat_instances SET status_changed_at = now() - interval '3 days' WHERE id = $1", [id]);
      await check();
      const instanceName = status === 'CONNECTED' ? `${name}-new` : name;
      scripts.set(instanceName, stands('DISCONNECTED', { lastError: 'The phone is off' }));
      const input = { ...change, instanceName, isDefault: false };
      await query(app, tenant.admin, UpdateChatInstanceDocument, { id, input });
      expect(await check()).toBe(1);
      expect(await readInstance(id)).toMatchObject({ status: 'DISCONNECTED', lastError: 'The phone is off' });
      expect(namesAsked()).toEqual([instanceName]);
    });

    test('so many in a run, those asked longest ago first, and each tenant in its turn', async () => {
      const many = [];
      for (let index = 0; index < 5; index += 1) many.push(await instanceWith(stands('CONNECTING')));
      const single = await instanceWith(stands('CONNECTING'), 'CONNECTING', other);
      await checkerWith(2).checkInstances();
      expect(namesAsked()).toHaveLength(2);
      expect(namesAsked()).toContain(single.name);
      for (let run = 0; run < 4; run += 1) await checkerWith(2).checkInstances();
      expect(new Set(namesAsked())).toEqual(new Set(namesOf([...many, single])));
      expect(namesAsked()).toHaveLength(10);
    });

    test('so many at once', async () => {
      let underWay = 0;
      let most = 0;
      const slow: Script = (request, response) => {
        most = Math.max(most, (underWay += 1));
        setImmediate(() => {
          underWay -= 1;
          stands('CONNECTED')(request, response);
        });
      };
      for (let index = 0; index < 6; index += 1) await instanceWith(slow);
      expect(await checkerWith(100, 2).checkInstances()).toBe(6);
      expect(most).toBeLessThanOrEqual(2);
    });

    test('nobody, where there are to be none, or the process ends', async () => {
      await instanceWith(stands('CONNECTED'));
      expect(await checkerWith(0).checkInstances()).toBe(0);
      const stopped = checkerWith(100);
      stopped.stop();
      expect(await stopped.checkInstances()).toBe(0);
      expect(gateway.requests).toEqual([]);
    });
  });

  describe('what is answered', () => {
    test('a reason is stored with its state, and the same answer again changes nothing', async () => {
      const { id } = await instanceWith(stands('ERROR', { lastError: 'The number is banned' }));
      expect(await check()).toBe(1);
      expect(await readInstance(id)).toMatchObject({ status: 'ERROR', lastError: 'The number is banned' });
      const read = () => app.sql('SELECT updated_at, status_changed_at FROM chat_instances WHERE id = $1', [id]);
      const before = await read();
      expect(await check()).toBe(0);
      expect(await read()).toEqual(before);
    });

    test('an answer that gives no reason takes none away, and makes no ordinary end of a banned number', async () => {
      const { id, name } = await instanceWith(stands('ERROR', { lastError: 'The number is banned' }));
      await check();
      for (const status of ['ERROR', 'DISCONNECTED']) {
        scripts.set(name, stands(status));
        expect(await check()).toBe(0);
        expect(await readInstance(id)).toMatchObject({ status: 'ERROR', lastError: 'The number is banned' });
      }
      scripts.set(name, stands('CONNECTED'));
      expect(await check()).toBe(1);
      expect(await readInstance(id)).toMatchObject({ status: 'CONNECTED', lastError: null });
    });

    test.each<[string, Script]>([
      ['it knows no such instance', answering(404, {})],
      ['it is too busy', answering(503, {})],
      ['it is broken', html(502)],
      ['it talks rubbish', html(200)],
      ['it wants another token', answering(401, {})],
      ['the connection is reset', (_request, response) => response.socket?.resetAndDestroy()],
    ])('%s: the instance stays as it is, and the others are asked', async (_, fault) => {
      const [lost, fine] = [await instanceWith(fault, 'ERROR'), await instanceWith(stands('CONNECTED'))];
      expect(await check()).toBe(1);
      expect(await readInstance(lost.id)).toMatchObject({ status: 'ERROR', lastError: null });
      expect(await readInstance(fine.id)).toMatchObject({ status: 'CONNECTED' });
    });

    test('an instance that cannot be asked stays as it is', async () => {
      const [unknown, unreadable] = [await instanceWith(stands('CONNECTED')), await instanceWith(stands('CONNECTED'))];
      await app.sql("UPDATE chat_instances SET provider = 'pigeon' WHERE id = $1", [unknown.id]);
      await app.sql("UPDATE chat_instances SET token_ciphertext = 'x' WHERE id = $1", [unreadable.id]);
      expect(await check()).toBe(0);
      expect(gateway.requests).toEqual([]);
    });

    test('an instance that fails to be stored keeps no other from it', async () => {
      const [broken, fine] = [await instanceWith(stands('CONNECTED')), await instanceWith(stands('CONNECTED'))];
      await app.sql(
        `CREATE OR REPLACE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.id = '${broken.id}' AND NEW.status = 'CONNECTED' THEN RAISE 'refused'; END IF; RETURN NEW; END $$`,
      );
      await app.sql(
        'CREATE TRIGGER refuse_line BEFORE UPDATE ON chat_instances FOR EACH ROW EXECUTE FUNCTION refuse_line()',
      );
      try {
        expect(await check()).toBe(1);
      } finally {
        await app.sql('DROP TRIGGER refuse_line ON chat_instances');
      }
      expect(await readInstance(fine.id)).toMatchObject({ status: 'CONNECTED' });
      expect(await check()).toBe(1);
    });

    test.each<[string, (instance: Instance) => Promise<unknown>]>([
      [
        'a report that came meanwhile is newer',
        ({ name }) => {
          const body = { event: 'connection.update', instance: name, data: { state: 'close', statusReason: 401 } };
          return app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
        },
      ],
      [
        'an instance that moved meanwhile is another',
        ({ id }) => app.sql("UPDATE chat_instances SET base_url = 'https://gateway.example' WHERE id = $1", [id]),
      ],
    ])('%s', async (_, meanwhile) => {
      const held = late(stands('CONNECTED'));
      const instance = await instanceWith(held.script);
      const checking = check();
      await until(namesAsked, (names) => names.includes(instance.name));
      await meanwhile(instance);
      held.release();
      expect(await checking).toBe(0);
      expect((await readInstance(instance.id))?.status).not.toBe('CONNECTED');
    });
  });

  test('a worker does it when the job comes, and the job comes every minute', async () => {
    const { id } = await instanceWith(stands('CONNECTED'));
    const worker = await TestApp.start({ PROCESS_ROLE: 'worker', LINE_CHECKS_PER_MINUTE: '200' }, app.database);
    try {
      const { database, queue } = worker.app.services;
      // The other process takes some of the jobs, and must not ask the gateway.
      const work = async () => {
        await database.transaction((sql) => queue.send(sql, checkInstancesJob, {}));
        return readInstance(id);
      };
      await until(work, (instance) => instance?.status === 'CONNECTED');
      const schedules = await app.sql("SELECT cron FROM pgboss.schedule WHERE name = 'check-lines'");
      expect(schedules).toEqual([{ cron: '* * * * *' }]);
    } finally {
      await worker.stop({ keepDatabase: true });
    }
  });
}
