// Merging leads while messages to them are on their way: each leaves once, none is left behind, and each is reported where it is.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { query } from '../../support/graphql-client.js';
import {
  MergeLeadsDocument,
  OptInLeadDocument,
  OptOutLeadDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  plainNumber,
  readMessage,
  renewInstance,
  send,
  startSender,
  startSimulator,
  until,
  waitForEmptyOutbox,
  waitForStatus,
} from '../messages/sending-harness.js';
import { createTemplate, operatorOf, recipientsOf } from '../bulk-sends/bulk-harness.js';
import { Rounds, findInconsistencies, leadOf, lid, messagesOf, phone, transact } from './lead-harness.js';

export function describeMergeWhileSending(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator({ latencyMs: 30 });
    app = await startSender(simulator);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    await renewInstance(app, tenant);
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });
  afterAll(async () => {
    await simulator.close();
    await app.stop();
  });

  const merge = (leadId: string, intoId: string) => query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });

  async function latestMerge(): Promise<string> {
    const [row] = await app.sql<{ id: string }>(
      'SELECT id FROM lead_merges WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [tenant.id],
    );
    return row?.id ?? '';
  }

  function attemptsOf(ids: readonly string[]) {
    return simulator.attempts().filter(({ idempotencyKey }) => ids.includes(idempotencyKey ?? ''));
  }

  async function sendMany(leadId: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await send(app, tenant, { leadId, body: `${index}` }));
    return ids;
  }

  test('a message that is being sent settles where its lead went, and those behind it follow in their order', async () => {
    const numbers = [plainNumber(), plainNumber()] as const;
    const [merged, survivor] = [await createLead(app, tenant, numbers[0]), await createLead(app, tenant, numbers[1])];
    simulator.behave({ latencyMs: 300 }, tenant.instance.name);
    const ids = await sendMany(merged, 5);
    await until(
      () => attemptsOf(ids).length,
      (count) => count > 0,
    );
    await merge(merged, survivor);
    const underWay = attemptsOf(ids).length;
    simulator.behave({ latencyMs: 0 }, tenant.instance.name);
    for (const id of ids) await waitForStatus(app, id, 'SENT');
    const attempts = attemptsOf(ids);
    expect(attempts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(ids);
    // Another attempt may have been claimed before the merge and have arrived after it.
    for (const { to } of attempts.slice(underWay + 1)) expect(to).toBe(numbers[1]);
    expect(await messagesOf(app, survivor)).toEqual(ids);
    for (const id of ids) expect((await readMessage(app, tenant, id)).lead.id).toBe(survivor);
  });

  test('a lead without a number sends once it has the other one’s', async () => {
    const number = plainNumber();
    const [numbered, hidden] = [await createLead(app, tenant, number), await leadOf(app, tenant, lid('x1234'))];
    const ids = await sendMany(numbered, 3);
    await merge(numbered, hidden);
    ids.push(await send(app, tenant, { leadId: hidden, body: 'to the hidden one' }));
    ids.push(await send(app, tenant, { leadId: numbered, body: 'to the id that was' }));
    for (const id of ids) await waitForStatus(app, id, 'SENT');
    expect(new Set(attemptsOf(ids).map(({ to }) => to))).toEqual(new Set([number]));
    expect((await messagesOf(app, hidden)).sort()).toEqual(ids.toSorted());
  });

  test('a message that is written while its lead becomes one who has opted out is refused', async () => {
    const [merged, survivor] = [
      await createLead(app, tenant, plainNumber()),
      await createLead(app, tenant, plainNumber()),
    ];
    const { messageSend } = app.app.services;
    const user = operatorOf(tenant);
    const prepared = await messageSend.prepare(user, { leadId: merged, body: 'Oi' });
    if ('repeated' in prepared) throw new Error('no message was sent before');
    const write = () =>
      transact(app, tenant, async (tx) => messageSend.enqueue(tx, await messageSend.compose(tx, user, prepared), null));
    await query(app, tenant.operator, OptOutLeadDocument, { id: survivor, reason: 'by phone' });
    await merge(merged, survivor);
    await expect(write()).rejects.toMatchObject({ code: 'OPTED_OUT' });
    expect(await messagesOf(app, survivor)).toEqual([]);
    await query(app, tenant.operator, OptInLeadDocument, { id: survivor, reason: 'by phone' });
    expect(await write()).toBe(true);
    expect(await messagesOf(app, survivor)).toHaveLength(1);
  });

  test('merged and separated again and again under way: each message leaves once, to one of the two numbers', async () => {
    const numbers = [plainNumber(), plainNumber()] as const;
    const leads = [await createLead(app, tenant, numbers[0]), await createLead(app, tenant, numbers[1])] as const;
    const merging = new Rounds(6, async (round) => {
      await merge(leads[round % 2]!, leads[1 - (round % 2)]!);
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: await latestMerge() });
    });
    const sent: string[] = [];
    while (merging.areUnderWay)
      sent.push(...(await Promise.all(leads.map((leadId) => send(app, tenant, { leadId, body: 'Oi' })))));
    await merging.done;
    await waitForEmptyOutbox(app);
    for (const id of sent) await waitForStatus(app, id, 'SENT');
    const keys = attemptsOf(sent).map(({ idempotencyKey }) => idempotencyKey ?? '');
    expect(keys.sort()).toEqual(sent.toSorted());
    for (const { to } of attemptsOf(sent)) expect(numbers).toContain(to);
    const found = [...(await messagesOf(app, leads[0])), ...(await messagesOf(app, leads[1]))];
    expect(found.sort()).toEqual(sent.toSorted());
  });

  describe('of two recipients of a bulk send', () => {
    let leads: [string, string];

    beforeEach(async () => {
      leads = [await createLead(app, tenant, plainNumber()), await createLead(app, tenant, plainNumber())];
    });

    async function sendToBoth(sendAt?: Date): Promise<string> {
      const templateId = await createTemplate(app, tenant);
      const input = { templateId, recipients: recipientsOf(leads), idempotencyKey: randomUUID() };
      const { id } = await app.app.services.bulkSends.send(operatorOf(tenant), sendAt ? { ...input, sendAt } : input);
      return id;
    }

    const states = async (bulkSendId: string) =>
      app.sql<{ id: string; leadId: string; status: string; code: string | null; waits: boolean }>(
        `SELECT m.id, m.lead_id AS "leadId", m.status, m.error_code AS code, o.message_id IS NOT NULL AS waits
         FROM messages m LEFT JOIN outbox_entries o ON o.tenant_id = m.tenant_id AND o.message_id = m.id
         WHERE m.bulk_send_id = $1 ORDER BY m.position, m.id`,
        [bulkSendId],
      );
    const leaveWith = (bulkSendId: string, leadId: string, status: string) =>
      app.sql(
        `WITH sent AS (UPDATE messages SET status = $3::message_status, sent_at = now() WHERE bulk_send_id = $1 AND lead_id = $2 RETURNING id)
         DELETE FROM outbox_entries o USING sent s WHERE o.message_id = s.id`,
        [bulkSendId, leadId, status],
      );
    const tomorrow = () => new Date(Date.now() + 86_400_000);
    const waiting = { status: 'QUEUED', code: null, waits: true };
    const ended = { status: 'CANCELED', code: 'SENT_ALREADY', waits: false };

    test('what waits twice leaves once, whichever lead stays, and undoing the merge sends nothing more', async () => {
      for (const [merged, survivor] of [leads, leads.toReversed()] as [string, string][]) {
        const bulk = await sendToBoth(tomorrow());
        const other = await sendToBoth(tomorrow());
        const single = await send(app, tenant, {
          leadId: merged,
          body: 'of its own',
          sendAt: tomorrow().toISOString(),
        });
        await merge(merged, survivor);
        for (const id of [bulk, other])
          expect(await states(id)).toMatchObject([
            { ...waiting, leadId: survivor },
            { ...ended, leadId: survivor },
          ]);
        expect((await readMessage(app, tenant, single)).status).toBe('QUEUED');
        await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: await latestMerge() });
        const left = await states(bulk);
        expect(left.map(({ leadId }) => leadId)).toEqual(leads);
        expect(left).toMatchObject([waiting, ended]);
      }
    });

    test.each(['SENT', 'READ'])('what was %s to one of them does not leave again', async (status) => {
      const bulk = await sendToBoth(tomorrow());
      await leaveWith(bulk, leads[1], status);
      await merge(leads[0], leads[1]);
      expect(await states(bulk)).toMatchObject([ended, { status, waits: false }]);
    });

    test.each(['FAILED', 'CANCELED'])('what was %s to one of them waits on for the other', async (status) => {
      const bulk = await sendToBoth(tomorrow());
      await leaveWith(bulk, leads[0], status);
      await merge(leads[0], leads[1]);
      expect(await states(bulk)).toMatchObject([{ status }, waiting]);
    });

    test('a call that names both numbers merges them in the same way', async () => {
      const bulk = await sendToBoth(tomorrow());
      const [known, hidden] = [leads[0], await leadOf(app, tenant, lid('y1234'))];
      await app.sql('UPDATE messages SET lead_id = $2 WHERE bulk_send_id = $1 AND lead_id = $3', [
        bulk,
        hidden,
        leads[1],
      ]);
      await app.sql('UPDATE outbox_entries SET lead_id = $1 WHERE lead_id = $2', [hidden, leads[1]]);
      await app.sql(
        `UPDATE leads SET (last_bulk_message_id, last_bulk_message_position) = (SELECT id, position FROM messages
           WHERE lead_id = leads.id ORDER BY position DESC LIMIT 1) WHERE id = ANY($1::uuid[])`,
        [[hidden, leads[1]]],
      );
      const number = await app.sql<{ chat: string }>('SELECT chat FROM leads WHERE id = $1', [known]);
      await leadOf(app, tenant, lid('y1234'), phone(number[0]?.chat ?? ''));
      const left = await states(bulk);
      expect(left.filter(({ code }) => code === 'SENT_ALREADY')).toHaveLength(1);
      expect(left.filter(({ waits }) => waits)).toHaveLength(1);
    });

    test('the other leaves, once', async () => {
      const bulk = await sendToBoth(tomorrow());
      await merge(leads[0], leads[1]);
      const ids = (await states(bulk)).map(({ id }) => id);
      await app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = ANY($1::uuid[])', [ids]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, ids[0] ?? '', 'SENT');
      expect(await states(bulk)).toMatchObject([{ status: 'SENT', waits: false }, ended]);
      expect(attemptsOf(ids)).toHaveLength(1);
    });
  });
}
