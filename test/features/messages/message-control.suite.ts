// Taking messages back and having them sent again: while they wait and no longer, once, and whatever the workers do meanwhile.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { Subscription, connect, execute, failureOf, query } from '../../support/graphql-client.js';
import { CancelMessageDocument, MessageStatusChangedDocument, RetryMessageDocument } from '../../support/operations.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { waitForSubscribers } from '../live/live-harness.js';
import {
  createLead,
  hurryRetries,
  readMessage,
  renewInstance,
  send,
  startSender,
  startSimulator,
  stateOf,
  until,
  waitForStatus,
} from './sending-harness.js';

export function describeMessageControl(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  /** A process without a worker, so nothing leaves by itself. */
  let api: TestApp;
  let owner: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator();
    app = await startSender(simulator);
    api = await startSender(simulator, { PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    other = await app.createTenant();
    owner = await api.createTenant();
  });

  beforeEach(() => renewInstance(app, tenant));

  afterAll(async () => {
    await simulator.close();
    await api.stop();
    await app.stop();
  });

  const cancel = (of: TestApp, by: TestTenant, id: string) => execute(of, by.operator, CancelMessageDocument, { id });
  const retry = (of: TestApp, by: TestTenant, id: string) => execute(of, by.operator, RetryMessageDocument, { id });
  const attemptsOf = (id: string) => simulator.attempts().filter((attempt) => attempt.idempotencyKey === id);
  const waiting = (of: TestApp, id: string) => of.sql('SELECT FROM outbox_entries WHERE message_id = $1', [id]);

  async function queued(sendAt: string | null = null): Promise<string> {
    return send(api, owner, { leadId: await createLead(api, owner), body: 'Oi', sendAt });
  }

  /** A message that waits for its second attempt. */
  async function postponed(leadId?: string): Promise<string> {
    simulator.behave({ failFirstAttempts: 1, failStatus: 503, retryAfterSeconds: 600 }, tenant.instance.name);
    const id = await send(app, tenant, { leadId: leadId ?? (await createLead(app, tenant)), body: 'Oi' });
    const isPostponed = () =>
      app.sql(
        `SELECT FROM outbox_entries o JOIN send_attempts a USING (tenant_id, message_id)
          WHERE message_id = $1 AND o.due_at > now() AND a.finished_at IS NOT NULL`,
        [id],
      );
    await until(isPostponed, (rows) => rows.length === 1);
    return id;
  }

  async function failed(): Promise<string> {
    simulator.behave({ failRate: 1, failStatus: 422, failCode: 'blocked' }, tenant.instance.name);
    const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
    await waitForStatus(app, id, 'FAILED');
    simulator.behave({ failRate: 0 }, tenant.instance.name);
    return id;
  }

  describe('cancelMessage', () => {
    test('a message that waits is CANCELED, leaves the outbox, and says so to watchers', async () => {
      const socket = connect(api, owner.operator);
      const leadId = await createLead(api, owner);
      const statuses = new Subscription(socket, MessageStatusChangedDocument, { leadId });
      await waitForSubscribers(api, owner, 1);
      const id = await send(api, owner, { leadId, body: 'Oi' });
      const { data, errors } = await cancel(api, owner, id);
      expect(errors).toBeUndefined();
      expect(data?.cancelMessage).toMatchObject({ id, status: 'CANCELED', error: null, waitingReason: null });
      expect(await waiting(api, id)).toEqual([]);
      const { timeline } = await readMessage(api, owner, id);
      expect(timeline).toMatchObject([
        { fromStatus: null, toStatus: 'QUEUED', source: 'user' },
        { fromStatus: 'QUEUED', toStatus: 'CANCELED', source: 'user', detail: 'canceled' },
      ]);
      const isTold = (received: { messageStatusChanged: { status: string | null } }[]) =>
        received.some(({ messageStatusChanged }) => messageStatusChanged.status === 'CANCELED');
      const told = await statuses.until(isTold).finally(() => socket.dispose());
      expect(told.at(-1)).toMatchObject({ messageStatusChanged: { id, status: 'CANCELED' } });
    });

    test('again, and by 10 at once, it stays as it is: one transition, one event', async () => {
      const id = await queued();
      const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(api, owner, id)));
      expect(answers.map(({ data }) => data?.cancelMessage.status)).toEqual(answers.map(() => 'CANCELED'));
      expect((await cancel(api, owner, id)).data?.cancelMessage).toMatchObject({ id, status: 'CANCELED' });
      expect((await readMessage(api, owner, id)).timeline).toHaveLength(2);
      const events = await api.sql(
        "SELECT type, data->>'status' AS status FROM events WHERE message_id = $1 ORDER BY seq",
        [id],
      );
      const changed = (status: string) => ({ type: 'MESSAGE_STATUS_CHANGED', status });
      expect(events).toEqual([{ type: 'MESSAGE_CREATED', status: 'QUEUED' }, changed('QUEUED'), changed('CANCELED')]);
    });

    test('a scheduled message is canceled too', async () => {
      const id = await queued(new Date(Date.now() + 60_000).toISOString());
      expect((await cancel(api, owner, id)).data?.cancelMessage).toMatchObject({ status: 'CANCELED' });
    });

    test('one that waits for its retry is canceled, and what waited behind it leaves', async () => {
      const leadId = await createLead(app, tenant);
      const first = await postponed(leadId);
      const second = await send(app, tenant, { leadId, body: 'behind it' });
      // The whole answer says why, where it does not hold.
      expect(await cancel(app, tenant, first)).toMatchObject({
        data: { cancelMessage: { status: 'CANCELED', error: null } },
      });
      await hurryUntilSent(second);
      expect(attemptsOf(first)).toHaveLength(1);
      expect((await stateOf(app, first)).status).toBe('CANCELED');
    });

    test.each([
      ['in a worker’s hands', "lease_until = now() + interval '1 min'"],
      ['left by a worker that died', "lease_until = now() - interval '1 min'"],
      ['handed over without an answer', 'unconfirmed_since = now()'],
    ])('what is %s is CONFLICT, and goes on waiting', async (_name, change) => {
      const id = await queued();
      await api.sql(`UPDATE outbox_entries SET attempt_count = 1, ${change} WHERE message_id = $1`, [id]);
      expect(failureOf(await cancel(api, owner, id))).toMatchObject({ code: 'CONFLICT' });
      expect((await stateOf(api, id)).status).toBe('QUEUED');
      expect(await waiting(api, id)).toHaveLength(1);
    });

    test.each([null, 'unknown'])(
      'a postponed message with an attempt of outcome %s may have been sent',
      async (outcome) => {
        const id = await queued();
        await api.sql(
          `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at, outcome) VALUES ($1, $2, 1, now(), $3)`,
          [owner.id, id, outcome],
        );
        await api.sql("UPDATE messages SET status = 'SENDING' WHERE id = $1", [id]);
        expect(failureOf(await cancel(api, owner, id))).toMatchObject({ code: 'CONFLICT' });
        await api.sql("UPDATE send_attempts SET outcome = 'temporary' WHERE message_id = $1", [id]);
        expect((await cancel(api, owner, id)).data?.cancelMessage).toMatchObject({ status: 'CANCELED' });
      },
    );

    test.each(['SENT', 'DELIVERED', 'READ', 'FAILED'])(
      'a message that is %s is CONFLICT, which says so',
      async (status) => {
        const id = await queued();
        await api.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
        await api.sql('UPDATE messages SET status = $2::message_status WHERE id = $1', [id, status]);
        const { errors } = await cancel(api, owner, id);
        expect(errors).toMatchObject([{ message: expect.stringContaining(status), extensions: { code: 'CONFLICT' } }]);
        expect((await stateOf(api, id)).status).toBe(status);
      },
    );

    test('what the lead wrote cannot be canceled', async () => {
      expect(failureOf(await cancel(api, owner, await inboundMessage()))).toMatchObject({ code: 'CONFLICT' });
    });

    test.each([
      ['what is no id', 'not an id'],
      ['an unknown id', randomUUID()],
    ])('%s is NOT_FOUND', async (_name, id) => {
      expect(failureOf(await cancel(api, owner, id))).toMatchObject({ code: 'NOT_FOUND' });
    });

    test('another tenant’s message is NOT_FOUND, and stays', async () => {
      const sendAt = new Date(Date.now() + 600_000).toISOString();
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi', sendAt });
      expect(failureOf(await cancel(app, other, id))).toMatchObject({ code: 'NOT_FOUND' });
      expect((await stateOf(app, id)).status).toBe('QUEUED');
      await cancel(app, tenant, id);
    });
  });

  describe('retryMessage', () => {
    test('a message that FAILED is queued again, and sent under the same key', async () => {
      const id = await failed();
      const { data, errors } = await retry(app, tenant, id);
      expect(errors).toBeUndefined();
      expect(data?.retryMessage).toMatchObject({ id, status: 'QUEUED', error: null, failedAt: null });
      await waitForStatus(app, id, 'SENT');
      expect(attemptsOf(id).map(({ status }) => status)).toEqual([422, 200]);
      const message = await readMessage(app, tenant, id);
      expect(message).toMatchObject({ error: null, failedAt: null });
      expect(message.timeline.map(({ fromStatus, toStatus, source }) => [fromStatus, toStatus, source])).toEqual([
        [null, 'QUEUED', 'user'],
        ['QUEUED', 'SENDING', 'worker'],
        ['SENDING', 'FAILED', 'worker'],
        ['FAILED', 'QUEUED', 'user'],
        ['QUEUED', 'SENDING', 'worker'],
        ['SENDING', 'SENT', 'worker'],
      ]);
    });

    test('its attempts go on counting in the window of the limit, and no more towards giving up', async () => {
      const id = await failed();
      await retry(app, tenant, id);
      await waitForStatus(app, id, 'SENT');
      const attempts = await app.sql(
        'SELECT number, outcome, finished_at IS NOT NULL AS finished FROM send_attempts WHERE message_id = $1 ORDER BY number',
        [id],
      );
      expect(attempts).toEqual([
        { number: 1, outcome: 'retried', finished: true },
        { number: 2, outcome: 'accepted', finished: true },
      ]);
    });

    test('by 10 at once it is queued once; QUEUED, it stays as it is', async () => {
      const id = await queued();
      expect((await retry(api, owner, id)).data?.retryMessage).toMatchObject({ id, status: 'QUEUED' });
      expect((await readMessage(api, owner, id)).timeline).toHaveLength(1);
      await fail(id);
      const answers = await Promise.all(Array.from({ length: 10 }, () => retry(api, owner, id)));
      expect(answers.map(({ data }) => data?.retryMessage.status)).toEqual(answers.map(() => 'QUEUED'));
      expect(await waiting(api, id)).toHaveLength(1);
      expect((await readMessage(api, owner, id)).timeline).toHaveLength(2);
    });

    test('it goes to the end of its lead’s messages, and takes the bulk before it along', async () => {
      const leadId = await createLead(api, owner);
      const first = await send(api, owner, { leadId, body: '1' });
      const second = await send(api, owner, { leadId, body: '2' });
      await api.sql('UPDATE outbox_entries SET priority = 10 WHERE lead_id = $1', [leadId]);
      await fail(first);
      await retry(api, owner, first);
      expect(
        await api.sql('SELECT message_id AS id, priority FROM outbox_entries WHERE lead_id = $1 ORDER BY position', [
          leadId,
        ]),
      ).toEqual([
        { id: second, priority: 0 },
        { id: first, priority: 0 },
      ]);
    });

    test('one whose answer was lost for good is queued again; while it is still looked up it is not', async () => {
      const id = await queued();
      await api.sql(
        "UPDATE messages SET status = 'SENDING', error_code = 'SEND_UNCONFIRMED', error_message = 'Lost' WHERE id = $1",
        [id],
      );
      expect(failureOf(await retry(api, owner, id))).toMatchObject({ code: 'CONFLICT' });
      await api.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
      expect(await readMessage(api, owner, id)).toMatchObject({
        error: { code: 'SEND_UNCONFIRMED' },
        waitingReason: 'UNCONFIRMED',
        waitingDetail: 'Lost',
        estimatedSendAt: null,
      });
      expect((await retry(api, owner, id)).data?.retryMessage).toMatchObject({ status: 'QUEUED', error: null });
    });

    test('one that the gateway reported as FAILED is CONFLICT where it honours keys: nothing would be sent', async () => {
      const id = await queued();
      await fail(id, 'gateway', 'first id');
      const { errors } = await retry(api, owner, id);
      expect(errors).toMatchObject([
        { message: expect.stringContaining('new message'), extensions: { code: 'CONFLICT' } },
      ]);
    });

    test('and elsewhere it may be sent again, and forgets its old id', async () => {
      const id = await queued();
      await fail(id, 'gateway', 'old id');
      await api.sql("UPDATE chat_instances SET provider = 'evolution' WHERE id = $1", [owner.instance.id]);
      expect((await retry(api, owner, id)).data?.retryMessage).toMatchObject({ status: 'QUEUED', externalId: null });
      // A late report of the first send finds no message any more.
      const report = { instance: owner.instance.name, messageId: 'old id', status: 'DELIVERED' };
      const answer = await api.post('/webhooks/chat/gateway/status', report, withKey(owner));
      expect(await answer.json()).toMatchObject({ results: [{ outcome: 'parked' }] });
      expect((await stateOf(api, id)).status).toBe('QUEUED');
      await api.sql("UPDATE chat_instances SET provider = 'gateway' WHERE id = $1", [owner.instance.id]);
    });

    test('one that failed by a report while its next attempt waited goes to the end of the queue; while a worker has it, it is CONFLICT', async () => {
      const id = await queued();
      await api.sql(
        `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at, outcome) VALUES ($1, $2, 1, now(), 'unknown')`,
        [owner.id, id],
      );
      await api.sql("UPDATE messages SET status = 'FAILED', failed_at = now() WHERE id = $1", [id]);
      await api.sql(
        "UPDATE outbox_entries SET attempt_count = 1, lease_until = now() + interval '1 min' WHERE message_id = $1",
        [id],
      );
      const { errors } = await retry(api, owner, id);
      expect(errors).toMatchObject([
        { message: expect.stringContaining('last attempt'), extensions: { code: 'CONFLICT' } },
      ]);
      expect(await waiting(api, id)).toHaveLength(1);
      await api.sql(
        "UPDATE outbox_entries SET lease_until = NULL, due_at = now() + interval '5 min' WHERE message_id = $1",
        [id],
      );
      expect((await retry(api, owner, id)).data?.retryMessage).toMatchObject({ status: 'QUEUED' });
      expect(await waiting(api, id)).toHaveLength(1);
      const entries = await api.sql(
        'SELECT attempt_count, due_at <= now() AS due FROM outbox_entries WHERE message_id = $1',
        [id],
      );
      expect(entries).toEqual([{ attempt_count: 1, due: true }]);
    });

    test('one that the gateway accepted after we had given it up is CONFLICT: the lead would get it twice', async () => {
      const id = await queued();
      await fail(id, 'worker', 'late id');
      const { errors } = await retry(api, owner, id);
      expect(errors).toMatchObject([{ message: expect.stringContaining('twice'), extensions: { code: 'CONFLICT' } }]);
      expect(await stateOf(api, id)).toMatchObject({ status: 'FAILED', externalId: 'late id' });
    });

    test('where the instance was deleted it is CONFLICT', async () => {
      const alone = await api.createTenant();
      const id = await send(api, alone, { leadId: await createLead(api, alone), body: 'Oi' });
      await fail(id);
      await api.sql('UPDATE chat_instances SET deleted_at = now() WHERE id = $1', [alone.instance.id]);
      expect(failureOf(await retry(api, alone, id))).toMatchObject({ code: 'CONFLICT' });
    });

    test.each(['SENDING', 'SENT', 'DELIVERED', 'READ', 'CANCELED'])(
      'a message that is %s is CONFLICT, which says so',
      async (status) => {
        const id = await queued();
        await api.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
        await api.sql('UPDATE messages SET status = $2::message_status WHERE id = $1', [id, status]);
        const { errors } = await retry(api, owner, id);
        expect(errors).toMatchObject([{ message: expect.stringContaining(status), extensions: { code: 'CONFLICT' } }]);
        expect(await waiting(api, id)).toEqual([]);
      },
    );

    test('what the lead wrote, an unknown id and another tenant’s message', async () => {
      expect(failureOf(await retry(api, owner, await inboundMessage()))).toMatchObject({ code: 'CONFLICT' });
      for (const id of ['not an id', randomUUID()])
        expect(failureOf(await retry(api, owner, id))).toMatchObject({ code: 'NOT_FOUND' });
      const id = await failed();
      expect(failureOf(await retry(app, other, id))).toMatchObject({ code: 'NOT_FOUND' });
      expect((await stateOf(app, id)).status).toBe('FAILED');
    });

    test('retried and canceled at once: it is CANCELED or waits, and never both', async () => {
      for (let round = 0; round < 20; round += 1) {
        const id = await queued();
        await fail(id);
        await Promise.all([retry(api, owner, id), cancel(api, owner, id), retry(api, owner, id)]);
        const { status } = await stateOf(api, id);
        expect([status, (await waiting(api, id)).length]).toEqual(
          status === 'CANCELED' ? ['CANCELED', 0] : ['QUEUED', 1],
        );
      }
    });

    test('a canceled retry never reaches the gateway', async () => {
      const id = await failed();
      await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE id = $1", [tenant.instance.id]);
      await retry(app, tenant, id);
      const { cancelMessage } = await query(app, tenant.operator, CancelMessageDocument, { id });
      expect(cancelMessage.status).toBe('CANCELED');
      await app.sql("UPDATE chat_instances SET status = 'CONNECTED' WHERE id = $1", [tenant.instance.id]);
      await waitForStatus(app, await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' }), 'SENT');
      expect(attemptsOf(id)).toHaveLength(1);
    });
  });

  async function hurryUntilSent(id: string): Promise<void> {
    const read = async () => {
      await hurryRetries(app, tenant);
      return (await stateOf(app, id)).status;
    };
    await until(read, (status) => status === 'SENT');
  }

  /** Marks a message as failed, like a gateway or a worker. */
  async function fail(id: string, source = 'worker', externalId: string | null = null): Promise<void> {
    await api.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
    await api.sql(
      "UPDATE messages SET status = 'FAILED', failed_at = now(), error_code = 'x', error_message = 'x', external_id = $2 WHERE id = $1",
      [id, externalId],
    );
    if (source === 'gateway')
      await api.sql(
        `INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
       VALUES ($1, $2, $3, 'SENT', 'FAILED', 'gateway', now())`,
        [owner.id, randomUUID(), id],
      );
  }

  async function inboundMessage(): Promise<string> {
    const body = { instance: owner.instance.name, messageId: randomUUID(), from: '5511988887777', text: 'Oi' };
    const answer = await api.post('/webhooks/chat/gateway/inbound', body, withKey(owner));
    const { results } = (await answer.json()) as { results: { messageId: string }[] };
    return results[0]?.messageId ?? '';
  }
}
