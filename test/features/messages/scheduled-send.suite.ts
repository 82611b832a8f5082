// Scheduled messages: in any zone, holding nothing back meanwhile, and cancelable until they leave. Also the effect of an operator's
// message on the bulk messages that its lead is still to get.

import { RateLimitedClaimService } from '../../../src/features/outbox/rate-limited-claim.service.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { failureOf } from '../../support/graphql-client.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  readMessage,
  send,
  startSender,
  stateOf,
  trySend,
  waitForEmptyOutbox,
  waitForStatus,
  withSender,
} from './sending-harness.js';

export function describeScheduledSend(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSender((sender) => ({ simulator, app, tenant } = sender));

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const textsTo = (ids: readonly string[]) =>
    simulator.attempts().flatMap(({ idempotencyKey, text }) => (ids.includes(idempotencyKey ?? '') ? [text] : []));

  describe('sendAt', () => {
    test('ahead, it waits, says until when, and holds its lead’s next message not back', async () => {
      const leadId = await createLead(app, tenant);
      const sendAt = inMs(3_600_000);
      const later = await send(app, tenant, { leadId, body: 'later', sendAt });
      const now = await send(app, tenant, { leadId, body: 'now' });
      await waitForStatus(app, now, 'SENT');
      expect(await readMessage(app, tenant, later)).toMatchObject({
        status: 'QUEUED',
        scheduledFor: sendAt,
        estimatedSendAt: sendAt,
        waitingReason: 'SCHEDULED',
        queuePosition: null,
      });
      expect(textsTo([later, now])).toEqual(['now']);
      await app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = $1', [later]);
      app.app.services.dispatcher.wake(tenant.id);
      await waitForStatus(app, later, 'SENT');
      expect(await readMessage(app, tenant, later)).toMatchObject({
        scheduledFor: sendAt,
        estimatedSendAt: null,
        waitingReason: null,
        waitingDetail: null,
      });
    });

    test('it leaves by itself when its time has come, and not before', async () => {
      const sendAt = new Date(Date.now() + 1_500);
      const id = await send(app, tenant, {
        leadId: await createLead(app, tenant),
        body: 'Oi',
        sendAt: sendAt.toISOString(),
      });
      await waitForStatus(app, id, 'SENT');
      const [grant] = await app.sql<{ at: Date }>('SELECT granted_at AS at FROM send_attempts WHERE message_id = $1', [
        id,
      ]);
      expect(grant?.at.getTime()).toBeGreaterThanOrEqual(sendAt.getTime());
    });

    test.each([
      ['Z', 0],
      ['+14:00', 14 * 60],
      ['-03:00', -3 * 60],
      ['+05:45', 5 * 60 + 45],
    ])('a time written in the zone %s is the same time', async (zone, offsetMinutes) => {
      const time = new Date(Math.trunc(Date.now() / 1_000) * 1_000 + 7_200_000);
      const local = new Date(time.getTime() + offsetMinutes * 60_000).toISOString().replace('Z', zone);
      const leadId = await createLead(app, tenant);
      const id = await send(app, tenant, { leadId, body: 'Oi', sendAt: local });
      const [row] = await app.sql(
        'SELECT m.scheduled_for, o.scheduled_at FROM messages m JOIN outbox_entries o ON o.message_id = m.id WHERE m.id = $1',
        [id],
      );
      expect(row).toEqual({ scheduled_for: time, scheduled_at: time });
      await app.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
    });

    test.each([
      ['past', () => inMs(-86_400_000)],
      ['long past', () => '1969-07-20T20:17:40Z'],
      ['now', () => inMs(0)],
    ])('%s, it leaves at once and was never scheduled', async (_name, makeTime) => {
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi', sendAt: makeTime() });
      await waitForStatus(app, id, 'SENT');
      expect((await readMessage(app, tenant, id)).scheduledFor).toBeNull();
    });

    test('the same time in another zone is the same content under an idempotency key', async () => {
      const input = { leadId: await createLead(app, tenant), body: 'Oi', idempotencyKey: `key ${Math.random()}` };
      const id = await send(app, tenant, { ...input, sendAt: '2020-01-01T12:00:00Z' });
      expect(await send(app, tenant, { ...input, sendAt: '2020-01-01T09:00:00.000-03:00' })).toBe(id);
      const other = await trySend(app, tenant, { ...input, sendAt: '2020-01-01T12:00:01Z' });
      expect(failureOf(other)).toMatchObject({ code: 'CONFLICT' });
    });

    test.each(['tomorrow', '2026-13-01T00:00:00Z', '2026-01-01', '2026-01-01T10:00:00'])(
      'what is no time with a zone (%s) is VALIDATION_FAILED',
      async (sendAt) => {
        const answer = await trySend(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi', sendAt });
        expect(failureOf(answer)).toMatchObject({ code: 'VALIDATION_FAILED' });
        expect(answer.errors?.[0]?.message).toContain('sendAt');
      },
    );
  });

  test('3,000 of one moment join the queue in their order, a bounded number at a time', async () => {
    const api = await startSender(simulator, { PROCESS_ROLE: 'api' });
    try {
      const owner = await api.createTenant();
      const leadId = await createLead(api, owner);
      const id = await send(api, owner, { leadId, body: 'Oi' });
      const copies = `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body)
      SELECT tenant_id, gen_random_uuid(), lead_id, instance_id, 'OUTBOUND', 'QUEUED', 'text', n::text
      FROM messages, generate_series(1, 3000) AS n WHERE id = $1 RETURNING *`;
      await api.sql(
        `WITH copy AS (${copies}) INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, position, scheduled_at)
         SELECT tenant_id, id, lead_id, instance_id, body::int, now() - interval '1 min' FROM copy`,
        [id],
      );
      await api.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
      const { database, notifier, optedOut } = api.app.services;
      const outbound = new RateLimitedClaimService({
        database,
        transactor: new Transactor(database, notifier),
        leaseMs: 60_000,
        optedOut,
      });
      const scheduled = async () =>
        (await api.sql('SELECT 1 FROM outbox_entries WHERE scheduled_at IS NOT NULL')).length;
      const request = {
        limit: 1,
        limitPerInstance: 1,
        underWay: new Map<string, number>(),
        probes: new Map<string, number>(),
      };
      const [first] = (await outbound.claim(owner.id, request)).messages;
      expect([first?.body, await scheduled()]).toEqual(['1', 2_000]);
      const again = await outbound.claim(owner.id, request);
      expect(again).toEqual({ messages: [], nextInMs: 1 });
      expect(await scheduled()).toBe(1_000);
      await outbound.claim(owner.id, request);
      const order = await api.sql<{ body: string }>(
        'SELECT m.body FROM outbox_entries o JOIN messages m ON m.id = o.message_id ORDER BY o.position',
      );
      expect(order.map(({ body }) => Number(body))).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
    } finally {
      await api.stop();
    }
  });

  describe('an operator’s message', () => {
    let api: TestApp;
    let owner: TestTenant;

    beforeAll(async () => {
      // Without a worker, nothing leaves before the test looks at it.
      api = await startSender(simulator, { PROCESS_ROLE: 'api' });
      owner = await api.createTenant();
    });
    afterAll(() => api.stop());

    const priorities = async (leadId: string) =>
      (
        await api.sql<{ priority: number }>(
          'SELECT priority FROM outbox_entries WHERE lead_id = $1 ORDER BY position',
          [leadId],
        )
      ).map(({ priority }) => priority);
    const makeBulk = (ids: readonly string[]) =>
      api.sql('UPDATE outbox_entries SET priority = 10 WHERE message_id = ANY($1::uuid[])', [ids]);

    test('takes the bulk that its lead is to get before it along, and nobody else’s', async () => {
      const [leadId, otherLeadId] = [await createLead(api, owner), await createLead(api, owner)];
      const bulk = [await send(api, owner, { leadId, body: '1' }), await send(api, owner, { leadId, body: '2' })];
      const others = await send(api, owner, { leadId: otherLeadId, body: '1' });
      await makeBulk([...bulk, others]);
      await send(api, owner, { leadId, body: '3' });
      expect(await priorities(leadId)).toEqual([0, 0, 0]);
      expect(await priorities(otherLeadId)).toEqual([10]);
    });

    test('that is scheduled takes nothing along, and leaves what is scheduled alone', async () => {
      const leadId = await createLead(api, owner);
      await makeBulk([await send(api, owner, { leadId, body: '1' })]);
      await send(api, owner, { leadId, body: '2', sendAt: inMs(3_600_000) });
      expect(await priorities(leadId)).toEqual([10, 0]);
      await makeBulk([await send(api, owner, { leadId, body: '3', sendAt: inMs(3_600_000) })]);
      await send(api, owner, { leadId, body: '4' });
      expect(await priorities(leadId)).toEqual([0, 0, 10, 0]);
    });

    test('20 at once to a lead with bulk waiting: all are accepted, and each is sent once', async () => {
      const leadId = await createLead(app, tenant, '4915134567891');
      simulator.behave({ latencyMs: 20 }, tenant.instance.name);
      const ids = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const id = await send(app, tenant, { leadId, body: `${index}` });
          if (index % 2 === 0) await app.sql('UPDATE outbox_entries SET priority = 10 WHERE message_id = $1', [id]);
          return id;
        }),
      );
      await waitForEmptyOutbox(app);
      simulator.behave({ latencyMs: 0 }, tenant.instance.name);
      const states = await Promise.all(ids.map((id) => stateOf(app, id)));
      expect(states.map(({ status }) => status)).toEqual(ids.map(() => 'SENT'));
      expect(textsTo(ids)).toHaveLength(20);
    });
  });
}
