// Tries what a failover to a standby that was behind leaves in processes and around the database, by a database that is set back.
// `operate-cluster.md` has the same as a table.

import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageService } from '../../src/features/messages/message.service.js';
import { AppError } from '../../src/platform/errors.js';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { FileServer } from '../features/media/file-server.js';
import { png } from '../features/media/sample-files.js';
import {
  createLead,
  plainNumber,
  readMessage,
  send,
  startSender,
  startSimulator,
  trySend,
  until,
  waitForStatus,
} from '../features/messages/sending-harness.js';
import { connect, execute, query, Subscription } from '../support/graphql-client.js';
import { DeleteLeadDocument, EventCursorDocument, EventsDocument, UpdateUserDocument } from '../support/operations.js';
import { jest } from '../support/jest.js';
import { SetBackDatabase } from '../support/set-back-database.js';
import { slow } from '../support/slow.js';
import { dataFolderOf, withKey, withToken, type TestApp, type TestTenant, type TestUser } from '../support/test-app.js';

const pausedMs = 5_000;

export function describeSetBack(): void {
  let simulator: GatewaySimulator;
  let files: FileServer;
  let database: SetBackDatabase;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator();
    files = await FileServer.start();
    database = await SetBackDatabase.create();
    app = await startSender(simulator, {}, database);
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await app.stop();
    await simulator.close();
    await files.close();
  });

  const untilReady = () =>
    until(
      async () => (await app.get('/health/ready')).status,
      (status) => status === 200,
    );

  async function remember(): Promise<void> {
    await database.remember();
    await untilReady();
  }

  async function setBack(): Promise<void> {
    await database.setBack();
    await untilReady();
  }

  interface Received {
    status: number;
    results: { messageId: string; leadId: string; duplicate: boolean }[];
  }

  async function receive(message: object, key = withKey(tenant)): Promise<Received> {
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, key);
    const { results = [] } = (await answer.json()) as Partial<Received>;
    return { status: answer.status, results };
  }

  const postLead = async (apiKey: string, chat = plainNumber()) =>
    (await app.post('/public/leads', { chat }, { 'x-tenant-key': apiKey })).status;

  const untilStatus = (ask: () => Promise<number>, wanted: number) => until(ask, (status) => status === wanted);

  test('a lead and a message that are lost come again by the repeated call, whatever a process remembers of them', async () => {
    await remember();
    const call = { messageId: randomUUID(), from: plainNumber(), text: 'Oi' };
    const [lost] = (await receive(call)).results;
    expect((await receive(call)).results[0]).toMatchObject({ messageId: lost?.messageId, duplicate: true });
    await setBack();
    const [later] = (await receive({ ...call, messageId: randomUUID(), text: 'a later one' })).results;
    expect(later?.leadId).not.toBe(lost?.leadId);
    const [again] = (await receive(call)).results;
    expect(again).toMatchObject({ leadId: later?.leadId, duplicate: false });
    expect((await receive(call)).results[0]).toMatchObject({ messageId: again?.messageId, duplicate: true });
  });

  test('a lead that is posted again is made again', async () => {
    const chat = plainNumber();
    await remember();
    const lost = await createLead(app, tenant, chat);
    await setBack();
    const again = await createLead(app, tenant, chat);
    expect(again).not.toBe(lost);
    expect(await createLead(app, tenant, chat)).toBe(again);
  });

  test('a message whose record is lost is sent again under its key, by the job that came back with it', async () => {
    const leadId = await createLead(app, tenant);
    await app.sql(
      `UPDATE chat_instances SET outbound_paused_until = now() + interval '${pausedMs} ms', outbound_pause_reason = 'TEST' WHERE id = $1`,
      [tenant.instance.id],
    );
    const id = await send(app, tenant, { leadId, body: 'Oi' });
    await remember();
    const { externalId } = await waitForStatus(app, id, 'SENT');
    await setBack();
    expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ externalId });
    expect(simulator.attempts().filter(({ idempotencyKey }) => idempotencyKey === id)).toHaveLength(2);
  });

  test('the idempotency key of a message that is lost can be used again, and reports of it wait', async () => {
    const leadId = await createLead(app, tenant);
    const input = { leadId, body: 'Oi', idempotencyKey: randomUUID() };
    await remember();
    const lost = await send(app, tenant, input);
    const { externalId } = await waitForStatus(app, lost, 'SENT');
    await setBack();
    const report = { statuses: [{ messageId: externalId, status: 'DELIVERED' }] };
    const answer = await app.post('/webhooks/chat/gateway/status', report, withKey(tenant));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ results: [expect.objectContaining({ outcome: 'parked' })] }),
    ]);
    const again = await send(app, tenant, input);
    expect(again).not.toBe(lost);
    await waitForStatus(app, again, 'SENT');
  });

  test('a send is answered without another look at the database: the call that repeats it might send it twice', async () => {
    const leadId = await createLead(app, tenant);
    const away = new AppError('UNAVAILABLE', 'the primary has died');
    const look = jest.spyOn(MessageService.prototype, 'find').mockRejectedValue(away);
    try {
      const { data } = await trySend(app, tenant, { leadId, body: 'Oi' });
      expect(data?.sendMessage).toMatchObject({ status: 'QUEUED' });
    } finally {
      look.mockRestore();
    }
  });

  test('a key that was rotated is the former one again', async () => {
    const former = tenant.apiKey;
    await remember();
    const text = 'mutation ($id: ID!) { rotateTenantApiKey(id: $id) { apiKey } }';
    const asked = { query: text, variables: { id: tenant.id } };
    const answer = await app.post('/graphql', asked, withToken(tenant.admin));
    const { data } = (await answer.json()) as { data: { rotateTenantApiKey: { apiKey: string } } };
    const lost = data.rotateTenantApiKey.apiKey;
    await untilStatus(() => postLead(former), 401);
    expect(await postLead(lost)).toBe(201);
    await setBack();
    await untilStatus(() => postLead(lost), 401);
    expect(await postLead(former)).toBe(201);
  });

  test('a new user is unknown, and a deactivated one is active', async () => {
    const colleague = await app.createColleague(tenant);
    const ask = async (user: TestUser) => (await execute(app, user, EventCursorDocument, {})).errors?.length ?? 0;
    await remember();
    const lost = await app.createColleague(tenant);
    await query(app, tenant.admin, UpdateUserDocument, { id: colleague.id, input: { isActive: false } });
    await untilStatus(() => ask(colleague), 1);
    expect(await ask(lost)).toBe(0);
    await setBack();
    await untilStatus(() => ask(lost), 1);
    await untilStatus(() => ask(colleague), 0);
  });

  test('a new instance is unknown', async () => {
    await remember();
    const { chatInstances } = app.app.services;
    const instanceName = `lost-${randomUUID()}`;
    await chatInstances.create(
      { kind: 'command' },
      { accountId: tenant.admin.accountId, instanceName, isDefault: false },
      {
        tenantId: tenant.id,
        status: 'CONNECTED',
      },
    );
    const call = () => receive({ instance: instanceName, messageId: randomUUID(), from: plainNumber(), text: 'Oi' });
    expect((await call()).status).toBe(200);
    await setBack();
    await until(call, ({ status }) => status >= 400 && status < 500);
  });

  test('the bytes of a file that is lost stay, and nothing names them', async () => {
    await remember();
    const media = { url: files.give('/lost.png', png()), mimeType: 'image/png' };
    const [lost] = (await receive({ messageId: randomUUID(), from: plainNumber(), type: 'image', media })).results;
    await untilStored(lost?.messageId ?? '');
    const before = await objects();
    await setBack();
    await app.app.services.mediaObjects.sweep.run();
    expect(await objects()).toEqual(before);
    expect(await app.sql('SELECT FROM media_files WHERE id = $1', [lost?.messageId])).toEqual([]);
  });

  slow('a file whose deletion is lost is listed again, and its address answers 404', async () => {
    const media = { url: files.give('/deleted.png', png()), mimeType: 'image/png' };
    const [message] = (await receive({ messageId: randomUUID(), from: plainNumber(), type: 'image', media })).results;
    const id = message?.messageId ?? '';
    const { url } = (await untilStored(id))!;
    const before = await objects();
    await remember();
    await query(app, tenant.operator, DeleteLeadDocument, { id: message?.leadId ?? '' });
    await until(
      async () => {
        await app.app.services.mediaObjects.sweep.run();
        return objects();
      },
      (names) => names.size < before.size,
    );
    await setBack();
    const { media: listed } = await readMessage(app, tenant, id);
    expect(listed).toMatchObject({ state: 'STORED' });
    expect([(await fetch(url ?? '')).status, (await fetch(listed?.url ?? '')).status]).toEqual([404, 404]);
  });

  test('a cursor that is ahead gets RESYNC_REQUIRED, also once the log is longer', async () => {
    await remember();
    for (let count = 0; count < 3; count += 1)
      await receive({ messageId: randomUUID(), from: plainNumber(), text: 'lost' });
    const { eventCursor: after } = await query(app, tenant.operator, EventCursorDocument, {});
    await setBack();
    for (let count = 0; count < 5; count += 1) {
      await receive({ messageId: randomUUID(), from: plainNumber(), text: 'kept' });
      const client = connect(app, tenant.operator);
      const events = new Subscription(client, EventsDocument, { after });
      const [first] = await events.until((received) => received.length > 0);
      expect(first?.events.type).toBe('RESYNC_REQUIRED');
      await client.dispose();
    }
  });

  test('afterwards everything goes on', async () => {
    await remember();
    await trySend(app, tenant, { leadId: await createLead(app, tenant), body: 'lost' });
    await setBack();
    const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
    expect(await waitForStatus(app, id, 'SENT')).toMatchObject({ errorCode: null });
  });

  const untilStored = async (id: string) =>
    until(
      async () => (await readMessage(app, tenant, id)).media,
      (media) => media?.state === 'STORED',
    );
  const objects = async () =>
    new Set(await readdir(join(dataFolderOf(database), 'media', tenant.id), { recursive: true }));
}
