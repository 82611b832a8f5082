// Deleting a chat instance while messages wait to be sent through it: each of them ends, with a reason, and none is lost.

import { randomUUID } from 'node:crypto';
import { ScriptedGateway, answering, type Script } from '../../providers/scripted-gateway.js';
import { execute, query } from '../../support/graphql-client.js';
import { CreateChatInstanceDocument, DeleteChatInstanceDocument } from '../../support/operations.js';
import { late } from '../../support/provider-fault.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  createLeads,
  hurryRetries,
  readMessage,
  send,
  stateOf,
  trySend,
  until,
  waitForStatus,
} from '../messages/sending-harness.js';

export function describeInstanceDeletion(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let gateway: ScriptedGateway;
  let script: Script;

  const accepting: Script = (request, response) => answering(200, { messageId: randomUUID() })(request, response);
  const busy = answering(503, {}, { 'retry-after': '600' });
  const deleted = { status: 'FAILED', errorCode: 'INSTANCE_DELETED', errorMessage: expect.stringMatching(/deleted/) };

  beforeAll(async () => {
    gateway = await ScriptedGateway.start((request, response) => script(request, response));
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    script = accepting;
  });
  afterAll(async () => {
    await gateway.close();
  });

  async function createInstance(): Promise<string> {
    const required = { accountId: tenant.admin.accountId, instanceName: `instance-${randomUUID()}` };
    const variables = { input: { ...required, baseUrl: gateway.url } };
    return (await query(app, tenant.admin, CreateChatInstanceDocument, variables)).createChatInstance.id;
  }

  async function sendThrough(instanceId: string, leadId?: string): Promise<string> {
    return send(app, tenant, { leadId: leadId ?? (await createLead(app, tenant)), instanceId, body: 'Oi' });
  }

  /** A message that was tried once and has to wait. */
  async function sendInVain(instanceId: string, leadId?: string): Promise<string> {
    const id = await sendThrough(instanceId, leadId);
    await until(
      () => app.sql("SELECT 1 FROM send_attempts WHERE message_id = $1 AND outcome = 'temporary'", [id]),
      (rows) => rows.length > 0,
    );
    return id;
  }

  const remove = (id: string) => execute(app, tenant.admin, DeleteChatInstanceDocument, { id });
  const outboxOf = (instanceId: string) =>
    app.sql('SELECT message_id FROM outbox_entries WHERE instance_id = $1', [instanceId]);

  test('what waits becomes FAILED with a reason, a step of its timeline and an event', async () => {
    script = busy;
    const instance = await createInstance();
    const leadId = await createLead(app, tenant);
    const tried = await sendInVain(instance, leadId);
    const behind = await sendThrough(instance, leadId);
    expect((await remove(instance)).errors).toBeUndefined();
    for (const id of [tried, behind]) expect(await stateOf(app, id)).toMatchObject(deleted);
    expect(await outboxOf(instance)).toEqual([]);
    const message = await readMessage(app, tenant, behind);
    expect(message.instance.id).toBe(instance);
    expect(message.timeline.at(-1)).toMatchObject({
      toStatus: 'FAILED',
      source: 'user',
      providerCode: 'INSTANCE_DELETED',
    });
    const events = await app.sql(
      `SELECT message_id FROM events WHERE tenant_id = $1 AND type = 'MESSAGE_STATUS_CHANGED' AND data->>'status' = 'FAILED'
     ORDER BY seq`,
      [tenant.id],
    );
    expect(events).toEqual([{ message_id: tried }, { message_id: behind }]);
    const answer = await trySend(app, tenant, { leadId, instanceId: instance, body: 'Oi' });
    expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  test("another instance's messages go on, also those that waited behind one of the deleted", async () => {
    script = busy;
    const [instance, other] = [await createInstance(), await createInstance()];
    const leadId = await createLead(app, tenant);
    const first = await sendInVain(instance, leadId);
    const second = await sendThrough(other, leadId);
    script = accepting;
    await remove(instance);
    await waitForStatus(app, second, 'SENT');
    expect(await stateOf(app, first)).toMatchObject(deleted);
  });

  test('a message that a worker has in hands is left to it', async () => {
    const instance = await createInstance();
    const held = late(accepting);
    script = held.script;
    const id = await sendThrough(instance);
    await until(
      () => stateOf(app, id),
      ({ status }) => status === 'SENDING',
    );
    expect((await remove(instance)).errors).toBeUndefined();
    expect(await stateOf(app, id)).toMatchObject({ status: 'SENDING', errorCode: null });
    await until(
      () => gateway.requests.some(({ headers }) => headers['idempotency-key'] === id),
      (isAsked) => isAsked,
    );
    held.release();
    await waitForStatus(app, id, 'SENT');
    expect(await outboxOf(instance)).toEqual([]);
  });

  test('a message in a worker’s hands that the gateway then puts off ends with its instance, and holds up no other instance', async () => {
    const [instance, other] = [await createInstance(), await createInstance()];
    const leadId = await createLead(app, tenant);
    const held = late(busy);
    script = held.script;
    const first = await sendThrough(instance, leadId);
    await until(
      () => gateway.requests.some(({ headers }) => headers['idempotency-key'] === first),
      (isAsked) => isAsked,
    );
    const second = await sendThrough(other, leadId);
    await remove(instance);
    script = accepting;
    held.release();
    await until(
      () => app.sql<{ outcome: string | null }>('SELECT outcome FROM send_attempts WHERE message_id = $1', [first]),
      ([attempt]) => attempt?.outcome === 'temporary',
    );
    await hurryRetries(app, tenant);
    await waitForStatus(app, second, 'SENT');
    expect(await stateOf(app, first)).toMatchObject(deleted);
  });

  test('what may have been sent is not called a failure: somebody has to look', async () => {
    script = busy;
    const instance = await createInstance();
    const [waiting, died, repeated] = [
      await sendInVain(instance),
      await sendInVain(instance),
      await sendInVain(instance),
    ];
    await app.sql('UPDATE outbox_entries SET unconfirmed_since = now() WHERE message_id = $1', [waiting]);
    // Simulates a worker that died during the call, with its lease ended.
    await app.sql('UPDATE send_attempts SET outcome = NULL, finished_at = NULL WHERE message_id = $1', [died]);
    // The answer was lost, and the gateway would take the key once more.
    await app.sql("UPDATE send_attempts SET outcome = 'unknown' WHERE message_id = $1", [repeated]);
    await remove(instance);
    for (const id of [waiting, died, repeated])
      expect(await stateOf(app, id)).toMatchObject({
        status: 'SENDING',
        errorCode: 'SEND_UNCONFIRMED',
        errorMessage: expect.stringMatching(/^It may have reached the lead/),
      });
    expect(await outboxOf(instance)).toEqual([]);
    expect((await readMessage(app, tenant, died)).estimatedSendAt).toBeNull();
  });

  test('a scheduled message fails with the others', async () => {
    script = busy;
    const instance = await createInstance();
    const id = await sendInVain(instance);
    await app.sql("UPDATE outbox_entries SET scheduled_at = now() + interval '1 day' WHERE message_id = $1", [id]);
    await remove(instance);
    expect(await stateOf(app, id)).toMatchObject(deleted);
  });

  test('a message that is just being written is waited for, and ended with the others', async () => {
    const instance = await createInstance();
    const leadId = await createLead(app, tenant);
    const messageId = randomUUID();
    const { database } = app.app.services;
    let removed: ReturnType<typeof remove> | undefined;
    await database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body)
       VALUES ($1, $2, $3, $4, 'OUTBOUND', 'QUEUED', 'text', 'Oi')`,
        [tenant.id, messageId, leadId, instance],
      );
      removed = remove(instance);
      await until(
        () => app.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"),
        (waiting) => waiting.length > 0,
      );
      await sql.query(
        `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, due_at)
       VALUES ($1, $2, $3, $4, now() + interval '1 hour')`,
        [tenant.id, messageId, leadId, instance],
      );
    });
    expect((await removed)?.errors).toBeUndefined();
    expect(await stateOf(app, messageId)).toMatchObject(deleted);
  });

  test('while a worker takes and tries them, each is either sent or failed, and none is left', async () => {
    const instance = await createInstance();
    const leads = await createLeads(app, tenant, 40);
    const sending = leads.map((leadId) => trySend(app, tenant, { leadId, instanceId: instance, body: 'Oi' }));
    await Promise.race(sending);
    const removed = await remove(instance);
    expect(removed.errors).toBeUndefined();
    const ids = (await Promise.all(sending)).flatMap(({ data }) => data?.sendMessage.id ?? []);
    const settled = async () => {
      await hurryRetries(app, tenant);
      return Promise.all(ids.map((id) => stateOf(app, id)));
    };
    const states = await until(settled, (seen) => seen.every(({ status }) => status === 'SENT' || status === 'FAILED'));
    const reasons = states.filter(({ status }) => status === 'FAILED').map(({ errorCode }) => errorCode);
    expect(new Set(reasons)).toEqual(new Set(reasons.length === 0 ? [] : ['INSTANCE_DELETED']));
    expect(await outboxOf(instance)).toEqual([]);
  });
}
