// Instances that are paused because their gateway said that they are out: who sees the pause, and what ends it early. Also the pace of a
// tenant: a change of it takes effect at once.

import { randomUUID } from 'node:crypto';
import { ScriptedGateway, answering, type Script } from '../../providers/scripted-gateway.js';
import { query } from '../../support/graphql-client.js';
import {
  ChatInstanceStateDocument,
  ConnectChatInstanceDocument,
  CreateChatInstanceDocument,
  UpdateChatInstanceDocument,
  UpdateTenantDocument,
} from '../../support/operations.js';
import { platformOf, sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, createLeads, send, stateOf, until, waitForStatus } from '../messages/sending-harness.js';

const reason = '190: The access token has expired.';

export function describeInstancePause(): void {
  let app: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;
  let gateway: ScriptedGateway;
  let id: string;
  let instanceName: string;

  const answer: Script = (request, response) =>
    answering(200, request.path === '/messages' ? { messageId: randomUUID() } : { status: 'CONNECTED' })(
      request,
      response,
    );

  beforeAll(async () => {
    gateway = await ScriptedGateway.start(answer);
    app = await sharedApp();
    platform = await platformOf(app);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    instanceName = `instance-${randomUUID()}`;
    const input = { accountId: tenant.admin.accountId, instanceName, baseUrl: gateway.url, token: 'token-1' };
    id = (await query(app, tenant.admin, CreateChatInstanceDocument, { input })).createChatInstance.id;
  });
  afterAll(async () => {
    await gateway.close();
  });

  const readInstance = async () => (await query(app, tenant.operator, ChatInstanceStateDocument, { id })).chatInstance;

  /** Pauses the instance as if a message had just been turned away. */
  async function pause(status = 'CONNECTED'): Promise<void> {
    await app.sql(
      `UPDATE chat_instances SET outbound_paused_until = now() + interval '1 hour', outbound_pause_reason = $2,
       status = $3::chat_instance_status WHERE id = $1`,
      [id, reason, status],
    );
  }

  /** Queues a message that the paused instance holds. */
  async function sendInVain(): Promise<string> {
    const messageId = await send(app, tenant, { leadId: await createLead(app, tenant), instanceId: id, body: 'Oi' });
    // The job is done, so the dispatcher has read the outbox if it had to.
    await until(
      () =>
        app.sql(
          "SELECT 1 FROM pgboss.job WHERE name = 'dispatch-outbound' AND state < 'completed' AND data->>'tenantId' = $1",
          [tenant.id],
        ),
      (jobs) => jobs.length === 0,
    );
    expect((await stateOf(app, messageId)).status).toBe('QUEUED');
    return messageId;
  }

  /** Counts the jobs. Sweeps would end the wait sooner or later, so the change itself has to queue a job. */
  async function jobsOf(tenantId: string): Promise<number> {
    const rows = await app.sql("SELECT 1 FROM pgboss.job WHERE name = 'dispatch-outbound' AND data->>'tenantId' = $1", [
      tenantId,
    ]);
    return rows.length;
  }

  async function expectToldBy(change: () => Promise<unknown>, of = tenant): Promise<void> {
    const before = await jobsOf(of.id);
    await change();
    expect(await jobsOf(of.id)).toBe(before + 1);
  }

  const report = (state: string) => {
    const body = { event: 'connection.update', instance: instanceName, data: { state, statusReason: 200 } };
    return app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
  };
  const update = (input: object) => query(app, tenant.admin, UpdateChatInstanceDocument, { id, input });

  describe('a pause', () => {
    test('is seen by everybody, with its reason and its end, and no longer than it lasts', async () => {
      expect(await readInstance()).toMatchObject({ pausedUntil: null, pauseReason: null });
      await pause();
      const instance = await readInstance();
      expect(instance).toMatchObject({ pauseReason: reason });
      expect(Date.parse(instance?.pausedUntil ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
      await app.sql("UPDATE chat_instances SET outbound_paused_until = now() - interval '1 ms' WHERE id = $1", [id]);
      expect(await readInstance()).toMatchObject({ pausedUntil: null, pauseReason: null });
    });

    test.each(['CONNECTED', 'DISCONNECTED'])(
      'of an instance that is %s ends when it is connected, and its messages leave',
      async (status) => {
        await pause(status);
        const messageId = await sendInVain();
        await expectToldBy(() => query(app, tenant.admin, ConnectChatInstanceDocument, { id }));
        await waitForStatus(app, messageId, 'SENT');
        expect(await readInstance()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
      },
    );

    test('ends when the gateway reports that the instance is open, and by no other report', async () => {
      await pause();
      const messageId = await sendInVain();
      for (const state of ['connecting', 'close']) {
        await report(state);
        expect(await readInstance()).toMatchObject({ pauseReason: reason });
      }
      await expectToldBy(() => report('open'));
      await waitForStatus(app, messageId, 'SENT');
      expect(await readInstance()).toMatchObject({ status: 'CONNECTED', pausedUntil: null });
    });

    test('an open instance that is reported open again has nobody look', async () => {
      await report('open');
      const before = await jobsOf(tenant.id);
      await report('open');
      expect(await jobsOf(tenant.id)).toBe(before);
    });

    test('ends when the instance is repaired, and one message tries it', async () => {
      await pause();
      const messageId = await sendInVain();
      await update({});
      expect(await readInstance()).toMatchObject({ pauseReason: reason });
      await expectToldBy(() => update({ token: 'token-2' }));
      await waitForStatus(app, messageId, 'SENT');
      expect(gateway.requests.at(-1)?.headers.authorization).toBe('Bearer token-2');
    });

    test('that is none leaves a change of the instance without further consequence', async () => {
      const before = await jobsOf(tenant.id);
      await update({ token: 'token-2' });
      expect(await jobsOf(tenant.id)).toBe(before);
    });
  });

  describe('the pace', () => {
    const change = (input: object, by = tenant.admin) => query(app, by, UpdateTenantDocument, { id: tenant.id, input });

    test('a wider limit lets the backlog go at once', async () => {
      await change({ chatRateLimit: { max: 1, durationMs: 3_600_000 } });
      const leads = await createLeads(app, tenant, 4);
      const ids = await Promise.all(leads.map((leadId) => send(app, tenant, { leadId, instanceId: id, body: 'Oi' })));
      await until(
        () => Promise.all(ids.map((messageId) => stateOf(app, messageId))),
        (states) => states.filter(({ status }) => status === 'SENT').length === 1,
      );
      await expectToldBy(() => change({ chatRateLimit: null }));
      for (const messageId of ids) await waitForStatus(app, messageId, 'SENT');
    });

    test('switching a tenant off holds its messages, and on again lets them go', async () => {
      await expectToldBy(() => change({ isActive: false }, platform.admin));
      await expectToldBy(() => change({ isActive: true }, platform.admin));
    });

    test('another change, and none, tells nobody', async () => {
      const before = await jobsOf(tenant.id);
      await change({ name: 'New name' });
      await change({ chatRateLimit: null });
      expect(await jobsOf(tenant.id)).toBe(before);
    });
  });
}
