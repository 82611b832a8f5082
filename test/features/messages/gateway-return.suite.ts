// A gateway that answers again: what waited for it leaves at once, in its order, and once. The gateway is scripted: its proxy answers for
// it while it is away.

import { randomUUID } from 'node:crypto';
import { InstanceCheckService } from '../../../src/features/chat-instances/instance-check.service.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { ScriptedGateway, answering } from '../../providers/scripted-gateway.js';
import { execute, query } from '../../support/graphql-client.js';
import { CreateChatInstanceDocument, TryChatInstanceNowDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLeads, send, stateOf, until, waitForEmptyOutbox, waitForStatus } from './sending-harness.js';

export function describeGatewayReturn(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let gateway: ScriptedGateway;
  let isAway: boolean;

  beforeAll(async () => {
    app = await sharedApp();
    gateway = await ScriptedGateway.start((request, response) => {
      if (isAway) return answering(503, 'no upstream')(request, response);
      const body = request.path.startsWith('/instances/') ? { status: 'CONNECTED' } : { messageId: randomUUID() };
      return answering(200, body)(request, response);
    });
  });
  beforeEach(async () => {
    isAway = false;
    // No other instance is asked for its state.
    await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE deleted_at IS NULL');
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await gateway.close();
  });

  async function createInstance(owner = tenant): Promise<string> {
    const input = { accountId: owner.admin.accountId, instanceName: `away-${randomUUID()}`, baseUrl: gateway.url };
    return (await query(app, owner.admin, CreateChatInstanceDocument, { input })).createChatInstance.id;
  }

  /** Queues a message for each lead while the gateway is away. Each has been tried, and waits for hours; then the gateway is back. */
  async function waitingFor(instanceId: string, leadIds: readonly string[], owner = tenant): Promise<string[]> {
    isAway = true;
    const ids: string[] = [];
    for (const leadId of leadIds) ids.push(await send(app, owner, { leadId, instanceId, body: `to ${leadId}` }));
    const firsts = new Set(leadIds).size;
    const postpone = () =>
      app.sql(
        `UPDATE outbox_entries SET due_at = now() + interval '5 hours'
         WHERE instance_id = $1 AND attempt_count > 0 AND lease_until IS NULL RETURNING message_id`,
        [instanceId],
      );
    await until(postpone, (postponed) => postponed.length === firsts);
    gateway.requests.length = 0;
    isAway = false;
    return ids;
  }

  const makeUnreachable = (instanceId: string) =>
    app.sql(
      `UPDATE chat_instances SET status = 'CONNECTED', told_status = 'CONNECTED', connected_at = now(), health_code = 'UNREACHABLE',
         health_reason = 'silent', degraded_at = now() WHERE id = $1`,
      [instanceId],
    );
  const textsSent = () => gateway.requests.flatMap(({ body }) => (body as { text?: string } | null)?.text ?? []);
  const tryNow = (instanceId: string, caller = tenant.operator) =>
    query(app, caller, TryChatInstanceNowDocument, { id: instanceId });
  const transactor = () => new Transactor(app.app.services.database, app.app.services.notifier);
  const report = (instanceId: string, status: 'CONNECTED' | 'DISCONNECTED') =>
    transactor().run(tenant.id, (tx) => app.app.services.connections.report(tx, [{ instanceId, status }]));

  test('the first message that it takes lets all others leave, in the order of their leads, and each once', async () => {
    const instanceId = await createInstance();
    const [one = '', two = '', three = '', newcomer = ''] = await createLeads(app, tenant, 4);
    const ids = await waitingFor(instanceId, [one, one, two, three, one]);
    await makeUnreachable(instanceId);
    await waitForStatus(app, await send(app, tenant, { leadId: newcomer, instanceId, body: 'new' }), 'SENT');
    for (const id of ids) await waitForStatus(app, id, 'SENT');
    const texts = textsSent();
    expect(texts.toSorted()).toEqual(['new', ...[one, one, one, two, three].map((id) => `to ${id}`)].toSorted());
    expect(texts[0]).toBe('new');
  });

  test('a message that is taken at a line that was never silent leaves the waiting ones their time', async () => {
    const instanceId = await createInstance();
    const [lead = '', other = ''] = await createLeads(app, tenant, 2);
    const [id = ''] = await waitingFor(instanceId, [lead]);
    await waitForStatus(app, await send(app, tenant, { leadId: other, instanceId, body: 'new' }), 'SENT');
    expect(await stateOf(app, id)).toMatchObject({ status: 'SENDING' });
    expect(textsSent()).toEqual(['new']);
  });

  test('an instance that connects again has all its messages tried, and no other instance and tenant', async () => {
    const instanceId = await createInstance();
    const elsewhere = await createInstance();
    const stranger = await app.createTenant();
    const [lead = '', other = '', third = ''] = await createLeads(app, tenant, 3);
    const [foreign = ''] = await createLeads(app, stranger, 1);
    const foreignInstance = await createInstance(stranger);
    const kept = [
      ...(await waitingFor(elsewhere, [third])),
      ...(await waitingFor(foreignInstance, [foreign], stranger)),
    ];
    const ids = await waitingFor(instanceId, [lead, other]);
    await report(instanceId, 'DISCONNECTED');
    await report(instanceId, 'CONNECTED');
    for (const id of ids) await waitForStatus(app, id, 'SENT');
    for (const id of kept) expect(await stateOf(app, id)).toMatchObject({ status: 'SENDING' });
    await app.sql('UPDATE outbox_entries SET due_at = now()');
    app.app.services.dispatcher.wake(tenant.id);
    app.app.services.dispatcher.wake(stranger.id);
    await waitForEmptyOutbox(app);
  });

  test('a sign of life has one message tried, whose acceptance frees the others', async () => {
    const instanceId = await createInstance();
    const ids = await waitingFor(instanceId, await createLeads(app, tenant, 3));
    await makeUnreachable(instanceId);
    isAway = true;
    await report(instanceId, 'CONNECTED');
    const attempts = () =>
      app.sql<{ count: number }>('SELECT attempt_count AS count FROM outbox_entries WHERE instance_id = $1', [
        instanceId,
      ]);
    const before = await attempts();
    const sum = (rows: { count: number }[]) => rows.reduce((total, { count }) => total + count, 0);
    const ended = () =>
      app.sql('SELECT FROM outbox_entries WHERE instance_id = $1 AND lease_until IS NULL', [instanceId]);
    await until(attempts, (rows) => sum(rows) > sum(before) || sum(rows) > 3);
    await until(ended, (rows) => rows.length === 3);
    expect(new Set(textsSent()).size).toBe(1);
    isAway = false;
    await report(instanceId, 'CONNECTED');
    for (const id of ids) await waitForStatus(app, id, 'SENT');
  });

  test('the regular check notices that the gateway answers', async () => {
    const instanceId = await createInstance();
    const [id = ''] = await waitingFor(instanceId, await createLeads(app, tenant, 1));
    await makeUnreachable(instanceId);
    const { database, connections, endpoints } = app.app.services;
    const log = createLogger('silent');
    const bounds = { instancesPerRun: 10, concurrency: 1 };
    const checks = new InstanceCheckService({
      database,
      transactor: transactor(),
      connections,
      endpoints,
      log,
      ...bounds,
    });
    await checks.checkInstances();
    await waitForStatus(app, id, 'SENT');
    const [health] = await app.sql<{ code: string | null }>(
      'SELECT health_code AS code FROM chat_instances WHERE id = $1',
      [instanceId],
    );
    expect(health).toEqual({ code: null });
    gateway.requests.length = 0;
    await checks.checkInstances();
    expect(gateway.requests.map(({ path }) => path).filter((path) => path.startsWith('/instances/'))).toEqual([]);
  });

  test('somebody who does not want to wait has it tried now; a message that may have been sent keeps its time', async () => {
    const instanceId = await createInstance();
    const [first = '', doubtful = ''] = await waitingFor(instanceId, await createLeads(app, tenant, 2));
    await makeUnreachable(instanceId);
    await app.sql('UPDATE outbox_entries SET unconfirmed_since = now() WHERE message_id = $1', [doubtful]);
    expect(await tryNow(instanceId)).toEqual({ tryChatInstanceNow: true });
    await waitForStatus(app, first, 'SENT');
    expect(await tryNow(instanceId, tenant.admin)).toEqual({ tryChatInstanceNow: false });
    expect(await stateOf(app, doubtful)).toMatchObject({ status: 'SENDING' });
    await app.sql('DELETE FROM outbox_entries WHERE message_id = $1', [doubtful]);
  });

  test('another tenant’s instance cannot be tried', async () => {
    const instanceId = await createInstance(await app.createTenant());
    const { errors } = await execute(app, tenant.admin, TryChatInstanceNowDocument, { id: instanceId });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect(await app.sql('SELECT FROM outbox_entries WHERE instance_id = $1', [instanceId])).toEqual([]);
  });
}
