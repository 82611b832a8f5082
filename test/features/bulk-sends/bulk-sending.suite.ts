// Bulk sends with a gateway behind them: the messages that are sent, those that a cancel on the way leaves, and progress as the reports
// come in.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { query } from '../../support/graphql-client.js';
import { CancelBulkSendDocument } from '../../support/operations.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  hurryRetries,
  renewInstance,
  startSender,
  until,
  waitForEmptyOutbox,
  waitForStatus,
  withSender,
} from '../messages/sending-harness.js';
import { createTemplate, messagesOf, operatorOf, recipientsOf, storeLeads } from './bulk-harness.js';

export function describeBulkSending(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSender((sender) => ({ simulator, app } = sender));
  beforeEach(async () => {
    simulator.clearHistory();
    tenant = await app.createTenant();
    await renewInstance(app, tenant);
  });

  async function sendToAll(leads: readonly string[], more: { sendAt?: Date } = {}): Promise<string> {
    const templateId = await createTemplate(app, tenant);
    const input = { templateId, recipients: recipientsOf(leads), idempotencyKey: randomUUID(), ...more };
    return (await app.app.services.bulkSends.send(operatorOf(tenant), input)).id;
  }

  async function progressOf(id: string) {
    return (await app.app.services.bulkSends.listProgress(operatorOf(tenant), [id]))[0]?.progress;
  }

  /** Every key that the gateway has seen, once for each attempt. */
  const keysSeen = () => simulator.attempts().map(({ idempotencyKey }) => idempotencyKey);

  function expectSentOnce(ids: readonly string[]): void {
    const keys = keysSeen();
    expect(new Set(keys)).toEqual(new Set(ids));
    expect(keys).toHaveLength(ids.length);
  }

  test('each lead gets it once, and progress follows what the gateway reports', async () => {
    const id = await sendToAll(await storeLeads(app, tenant, 60));
    await waitForEmptyOutbox(app);
    const messages = await messagesOf(app, id);
    expectSentOnce(messages.map((message) => message.id));
    const none = { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0, canceled: 0 };
    expect(await progressOf(id)).toEqual({ ...none, sent: 60 });
    const externalIds = await app.sql<{ id: string }>(
      'SELECT external_id AS id FROM messages WHERE bulk_send_id = $1 ORDER BY position, id',
      [id],
    );
    const statuses = externalIds.slice(0, 30).map(({ id: messageId }, index) => ({
      instance: tenant.instance.name,
      messageId,
      status: index < 15 ? 'DELIVERED' : index < 25 ? 'READ' : 'FAILED',
      ...(index >= 25 && { error: { code: '131026' } }),
    }));
    const answer = await app.post('/webhooks/chat/gateway/status', { statuses }, withKey(tenant));
    expect(answer.status).toBe(200);
    expect(await progressOf(id)).toEqual({ ...none, sent: 30, delivered: 15, read: 10, failed: 5 });
  });

  test('canceled while it is being sent: each message is canceled and never was at the gateway, or is sent once', async () => {
    simulator.behave({ latencyMs: 20 }, tenant.instance.name);
    const id = await sendToAll(await storeLeads(app, tenant, 1_000));
    await until(keysSeen, (keys) => keys.length > 0);
    const { canceledAt } = await app.app.services.bulkSends.cancel(operatorOf(tenant), id);
    expect(canceledAt).toBeInstanceOf(Date);
    await waitForEmptyOutbox(app);
    const byStatus = Map.groupBy(await messagesOf(app, id), ({ status }) => status);
    expect([...byStatus.keys()].sort()).toEqual(['CANCELED', 'SENT']);
    const sent = byStatus.get('SENT')?.map((message) => message.id) ?? [];
    expectSentOnce(sent);
    expect(await progressOf(id)).toMatchObject({ sent: sent.length, canceled: 1_000 - sent.length, queued: 0 });
  });

  test('canceled while its messages wait for their retries: only what may have been sent goes on', async () => {
    simulator.behave({ failRate: 1, failStatus: 503, retryAfterSeconds: 600 }, tenant.instance.name);
    const id = await sendToAll(await storeLeads(app, tenant, 20));
    const waiting = () =>
      app.sql<{ id: string }>(
        'SELECT message_id AS id FROM outbox_entries WHERE tenant_id = $1 AND due_at > now() AND lease_until IS NULL ORDER BY 1',
        [tenant.id],
      );
    const [lost = '', died = '', unsure = '', ...rest] = (await until(waiting, (rows) => rows.length === 20)).map(
      (row) => row.id,
    );
    await app.sql("UPDATE send_attempts SET outcome = 'unknown' WHERE message_id = $1", [lost]);
    await app.sql("UPDATE outbox_entries SET lease_until = now() - interval '1 s' WHERE message_id = $1", [died]);
    await app.sql('UPDATE outbox_entries SET unconfirmed_since = now() WHERE message_id = $1', [unsure]);
    const { cancelBulkSend } = await query(app, tenant.operator, CancelBulkSendDocument, { id });
    const none = { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0, canceled: 0 };
    expect(cancelBulkSend.progress).toEqual({ ...none, sending: 3, canceled: 17 });
    const steps = await app.sql(
      `SELECT from_status, source, detail, count(*)::int AS count FROM message_status_transitions
     WHERE message_id = ANY($1::uuid[]) AND to_status = 'CANCELED' GROUP BY 1, 2, 3`,
      [rest],
    );
    expect(steps).toEqual([{ from_status: 'SENDING', source: 'user', detail: 'canceled', count: 17 }]);
    simulator.clearHistory();
    simulator.behave({ failRate: 0 }, tenant.instance.name);
    await waitForEmptyOutbox(app, () => hurryRetries(app, tenant));
    expectSentOnce([lost, died, unsure]);
    expect(await progressOf(id)).toEqual({ ...none, sent: 3, canceled: 17 });
  });

  test('canceled again and again while two processes send', async () => {
    const second = await startSender(simulator, {}, app.database);
    try {
      simulator.behave({ latencyMs: 5 }, tenant.instance.name);
      const leads = await storeLeads(app, tenant, 300);
      const ids: string[] = [];
      for (let round = 0; round < 4; round += 1) ids.push(await sendToAll(leads));
      const { bulkSends } = app.app.services;
      await Promise.all(ids.slice(1).flatMap((id) => [0, 1].map(() => bulkSends.cancel(operatorOf(tenant), id))));
      await waitForEmptyOutbox(app);
      const all = (await Promise.all(ids.map((id) => messagesOf(app, id)))).flat();
      const sent = all.filter(({ status }) => status === 'SENT').map((message) => message.id);
      expect(all.every(({ status }) => status === 'SENT' || status === 'CANCELED')).toBe(true);
      expectSentOnce(sent);
      expect(await progressOf(ids[0]!)).toMatchObject({ sent: 300 });
    } finally {
      await second.stop({ keepDatabase: true });
    }
  });

  test('a scheduled one leaves when its time has come, and not before', async () => {
    const id = await sendToAll(await storeLeads(app, tenant, 5), { sendAt: new Date(Date.now() + 3_600_000) });
    const now = await sendToAll(await storeLeads(app, tenant, 1));
    await until(
      () => progressOf(now),
      (progress) => progress?.sent === 1,
    );
    expect(await progressOf(id)).toMatchObject({ queued: 5 });
    await app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE tenant_id = $1', [tenant.id]);
    app.app.services.dispatcher.wake(tenant.id);
    await waitForEmptyOutbox(app);
    expect(await progressOf(id)).toMatchObject({ sent: 5 });
  });

  test('operators’ replies go ahead of a bulk send that is waiting, and with them what their leads get before', async () => {
    const { tenants, messageSend } = app.app.services;
    const { admin } = tenant;
    const owner = { ...operatorOf(tenant), userId: admin.id, accountId: admin.accountId, role: 'ADMIN' } as const;
    const permit = async (max: number) => {
      await tenants.update(owner, tenant.id, { chatRateLimit: { max, durationMs: 60_000 } });
      app.app.services.dispatcher.wake(tenant.id);
      await until(keysSeen, (keys) => keys.length === max);
    };
    await tenants.update(owner, tenant.id, { chatRateLimit: { max: 1, durationMs: 60_000 } });
    const [outsider = '', ...leads] = await storeLeads(app, tenant, 20);
    const id = await sendToAll(leads);
    await permit(2);
    const reply = await messageSend.send(operatorOf(tenant), { leadId: outsider, body: 'Oi' });
    const answer = await messageSend.send(operatorOf(tenant), { leadId: leads.at(-1)!, body: 'Oi' });
    await permit(4);
    const before = (await messagesOf(app, id)).find(({ leadId }) => leadId === leads.at(-1));
    expect(new Set(keysSeen().slice(2))).toEqual(new Set([reply.id, before?.id]));
    // The message sent before holds the answer back until its result is stored.
    await waitForStatus(app, before?.id ?? '', 'SENT');
    await permit(5);
    expect(keysSeen()[4]).toBe(answer.id);
  });

  test('watchers get progress at most once a second, with what it is at the end, and nothing once it rests', async () => {
    const id = await sendToAll(await storeLeads(app, tenant, 40));
    const total = { queued: 0, sending: 0, sent: 40, delivered: 0, read: 0, failed: 0, canceled: 0 };
    const read = () =>
      app.sql<{ data: unknown; occurredAt: Date }>(
        `SELECT data, occurred_at AS "occurredAt" FROM events WHERE tenant_id = $1 AND type = 'BULK_SEND_PROGRESS' ORDER BY seq`,
        [tenant.id],
      );
    const told = await until(read, (rows) => JSON.stringify(rows.at(-1)?.data ?? {}).includes('"sent":40'));
    expect(told.at(-1)?.data).toEqual({ bulkSendId: id, progress: total });
    const [row] = await app.sql<{ externalId: string }>(
      'SELECT external_id AS "externalId" FROM messages WHERE bulk_send_id = $1 LIMIT 1',
      [id],
    );
    const status = { instance: tenant.instance.name, messageId: row?.externalId, status: 'READ' };
    await app.post('/webhooks/chat/gateway/status', status, withKey(tenant));
    const more = await until(read, (rows) => rows.length > told.length);
    expect(more.at(-1)?.data).toEqual({ bulkSendId: id, progress: { ...total, sent: 39, read: 1 } });
    const times = more.map(({ occurredAt }) => occurredAt.getTime());
    for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).toBeGreaterThanOrEqual(990);
    // The event wakes the watch once more, and the watch finds nothing.
    await until(
      () =>
        app.sql<{ isDone: boolean }>(
          'SELECT w.seq = h.last_seq AS "isDone" FROM bulk_send_watches w JOIN event_heads h USING (tenant_id) WHERE w.tenant_id = $1',
          [tenant.id],
        ),
      ([watch]) => watch?.isDone === true,
    );
    expect(await read()).toHaveLength(more.length);
  });

  test('the progress of one that leaves for weeks is told for as long', async () => {
    const [first] = await storeLeads(app, tenant, 1);
    await sendToAll([first!]);
    const told = () => app.sql(`SELECT FROM events WHERE tenant_id = $1 AND type = 'BULK_SEND_PROGRESS'`, [tenant.id]);
    await until(told, (rows) => rows.length > 0);
    await app.sql("UPDATE bulk_send_watches SET active_until = now() + interval '1 min' WHERE tenant_id = $1", [
      tenant.id,
    ]);
    const before = (await told()).length;
    const [row] = await app.sql<{ externalId: string }>(
      'SELECT external_id AS "externalId" FROM messages WHERE tenant_id = $1 AND bulk_send_id IS NOT NULL AND external_id IS NOT NULL LIMIT 1',
      [tenant.id],
    );
    const status = { instance: tenant.instance.name, messageId: row?.externalId, status: 'READ' };
    await app.post('/webhooks/chat/gateway/status', status, withKey(tenant));
    await until(told, (rows) => rows.length > before);
    const [watch] = await app.sql<{ goesOn: boolean }>(
      `SELECT active_until > now() + interval '6 days' AS "goesOn" FROM bulk_send_watches WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect(watch).toEqual({ goesOn: true });
  });

  test('after weeks without one, the progress of the next is not looked for among the events between', async () => {
    await sendToAll(await storeLeads(app, tenant, 1));
    const watch = async () =>
      (
        await app.sql<{ seq: number }>('SELECT seq::int AS seq FROM bulk_send_watches WHERE tenant_id = $1', [
          tenant.id,
        ])
      )[0]?.seq;
    // The sweep may hold the row for a moment.
    const end = "UPDATE bulk_send_watches SET active_until = now() - interval '1 day' WHERE tenant_id = $1";
    await app.sql(end, [tenant.id]);
    await app.sql('UPDATE event_heads SET last_seq = last_seq + 5000000 WHERE tenant_id = $1', [tenant.id]);
    expect(await watch()).toBeLessThan(5_000_000);
    await sendToAll(await storeLeads(app, tenant, 1));
    expect(await watch()).toBeGreaterThanOrEqual(5_000_000);
  });
}
