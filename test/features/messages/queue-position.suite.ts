// The queue position of a message, as operators see it: what stands before it, why it waits, and when it leaves at the earliest.

import { randomUUID } from 'node:crypto';
import {
  maxCountedPlace,
  slotInMs,
  QueuePositionService,
} from '../../../src/features/outbox/queue-position.service.js';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { query } from '../../support/graphql-client.js';
import { CancelMessageDocument, MessagesDocument } from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLead, createLeads, readMessage, send, startSender, startSimulator } from './sending-harness.js';

export function describeQueuePosition(): void {
  let simulator: GatewaySimulator;
  /** A process without a worker, so nothing leaves by itself. */
  let api: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator();
    api = await startSender(simulator, { PROCESS_ROLE: 'api' });
    tenant = await api.createTenant();
    other = await api.createTenant();
  });

  beforeEach(async () => {
    await api.sql('TRUNCATE outbox_entries, send_attempts');
    await api.sql('UPDATE tenants SET chat_rate_max = NULL, chat_rate_duration_ms = NULL, is_active = true');
    await api.sql(
      "UPDATE chat_instances SET status = 'CONNECTED', outbound_paused_until = NULL, outbound_pause_reason = NULL, last_error = NULL",
    );
  });

  afterAll(async () => {
    await simulator.close();
    await api.stop();
  });

  const sendTo = (leadId: string, more: object = {}) => send(api, tenant, { leadId, body: 'Oi', ...more });
  const placeOf = async (id: string) => {
    const { status, queuePosition, waitingReason, waitingDetail, estimatedSendAt } = await readMessage(api, tenant, id);
    return { status, queuePosition, waitingReason, waitingDetail, estimatedSendAt };
  };
  const limitTo = (max: number, durationMs: number) =>
    api.sql('UPDATE tenants SET chat_rate_max = $2, chat_rate_duration_ms = $3 WHERE id = $1', [
      tenant.id,
      max,
      durationMs,
    ]);

  /** Takes a message for the first time, like a worker. */
  async function take(id: string): Promise<void> {
    await api.sql(
      "UPDATE outbox_entries SET attempt_count = 1, lease_until = now() + interval '1 min' WHERE message_id = $1",
      [id],
    );
    await api.sql("UPDATE messages SET status = 'SENDING' WHERE id = $1", [id]);
    await api.sql('INSERT INTO send_attempts (tenant_id, message_id, number, granted_at) VALUES ($1, $2, 1, now())', [
      tenant.id,
      id,
    ]);
  }

  /** Stores that the gateway accepted a message so many seconds ago, like a worker. */
  async function accept(id: string, secondsAgo = 0): Promise<void> {
    await api.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
    await api.sql("UPDATE messages SET status = 'SENT', sent_at = now() WHERE id = $1", [id]);
    await api.sql(
      `UPDATE send_attempts SET outcome = 'accepted', granted_at = now() - make_interval(secs => $2),
       finished_at = now() - make_interval(secs => $2) WHERE message_id = $1`,
      [id, secondsAgo],
    );
  }

  /** Stores that the gateway was busy, like a worker: the message is tried again in ten minutes. */
  async function postpone(id: string): Promise<void> {
    await api.sql(
      "UPDATE outbox_entries SET lease_until = NULL, due_at = now() + interval '10 min' WHERE message_id = $1",
      [id],
    );
    await api.sql(
      "UPDATE send_attempts SET outcome = 'temporary', detail = '503: Busy', finished_at = now() WHERE message_id = $1",
      [id],
    );
  }

  async function untilMs(time: string | null): Promise<number> {
    const [row] = await api.sql<{ ms: number }>(
      'SELECT extract(epoch FROM $1::timestamptz - now())::float8 * 1000 AS ms',
      [time],
    );
    return row?.ms ?? Number.NaN;
  }

  describe('slotInMs', () => {
    const limit = { max: 3, durationMs: 1_000 };

    test.each([
      // The window is empty: three messages leave at once, and three more each second.
      [{ held: 0, leavesInMs: [] }, [0, 0, 0, 1_000, 1_000, 1_000, 2_000]],
      // A message has left 400 ms ago, so its place is free again after 600.
      [{ held: 1, leavesInMs: [600] }, [0, 0, 600, 1_000, 1_000, 1_600]],
      [{ held: 3, leavesInMs: [100, 200, 900] }, [100, 200, 900, 1_100, 1_200, 1_900]],
      // The limit was lowered from five, so two have to leave before there is a place.
      [{ held: 5, leavesInMs: [100, 200, 300, 400, 500] }, [300, 400, 500, 1_300]],
      // More messages are held than were read: none leaves before the last known one.
      [{ held: 9, leavesInMs: [100, 200] }, [200, 200, 200, 1_200]],
      // The time of a held message is over already.
      [{ held: 3, leavesInMs: [-5, 10, 20] }, [0, 10, 20]],
    ])('%j', (window, expected) => {
      expect(expected.map((_, place) => slotInMs(place, limit, window))).toEqual(expected);
    });
  });

  describe('the place', () => {
    test('counts what leaves before: an operator’s message before bulk, and by acceptance', async () => {
      const leads = await createLeads(api, tenant, 4);
      const ids: string[] = [];
      for (const leadId of leads) ids.push(await sendTo(leadId));
      await api.sql('UPDATE outbox_entries SET priority = 10 WHERE message_id = ANY($1::uuid[])', [ids.slice(0, 2)]);
      const places = await Promise.all(ids.map(async (id) => (await placeOf(id)).queuePosition));
      expect(places).toEqual([2, 3, 0, 1]);
      expect(await placeOf(ids[2] ?? '')).toMatchObject({
        waitingReason: 'IN_QUEUE',
        waitingDetail: 'It is the next to leave.',
      });
      expect((await placeOf(ids[3] ?? '')).waitingDetail).toBe('1 message stands before it.');
      await query(api, tenant.operator, CancelMessageDocument, { id: ids[2] ?? '' });
      expect((await placeOf(ids[3] ?? '')).queuePosition).toBe(0);
    });

    test('leaves out what is scheduled, other tenants’ messages, and those of paused instances', async () => {
      await send(api, other, { leadId: await createLead(api, other), body: 'Oi' });
      const [first = '', second = '', third = '', fourth = ''] = await createLeads(api, tenant, 4);
      await sendTo(first, { sendAt: new Date(Date.now() + 60_000).toISOString() });
      const paused = await createInstance('DISCONNECTED');
      const stuck = [await sendTo(second, { instanceId: paused }), await sendTo(third, { instanceId: paused })];
      const free = await sendTo(fourth);
      expect(await placeOf(free)).toMatchObject({ queuePosition: 0, waitingReason: 'IN_QUEUE' });
      expect(await placeOf(stuck[0] ?? '')).toMatchObject({ queuePosition: 0, waitingReason: 'INSTANCE_PAUSED' });
      expect(await placeOf(stuck[1] ?? '')).toMatchObject({ queuePosition: 1, waitingReason: 'INSTANCE_PAUSED' });
    });

    test('leaves out what a worker has in hands: it is leaving already', async () => {
      const [first = '', second = ''] = await createLeads(api, tenant, 2);
      const taken = await sendTo(first);
      const next = await sendTo(second);
      await take(taken);
      expect(await placeOf(next)).toMatchObject({ queuePosition: 0, waitingReason: 'IN_QUEUE' });
    });

    test('goes over all instances of the tenant', async () => {
      const [first = '', second = '', third = ''] = await createLeads(api, tenant, 3);
      const instance = await createInstance('CONNECTED');
      const ids = [await sendTo(first), await sendTo(second, { instanceId: instance }), await sendTo(third)];
      expect(await Promise.all(ids.map(async (id) => (await placeOf(id)).queuePosition))).toEqual([0, 1, 2]);
    });

    test('is not counted beyond 10,000, and the time is a lower bound from there on', async () => {
      const leadId = await createLead(api, tenant);
      await limitTo(10, 1_000);
      await fillQueue(leadId, maxCountedPlace + 500);
      const [row] = await api.sql<{ ids: string[] }>(
        'SELECT array_agg(message_id ORDER BY position) AS ids FROM outbox_entries WHERE tenant_id = $1',
        [tenant.id],
      );
      const at = async (index: number) => placeOf(row?.ids[index] ?? '');
      expect((await at(9_999)).queuePosition).toBe(9_999);
      expect((await at(10_000)).queuePosition).toBe(10_000);
      const last = await at(10_499);
      expect(last).toMatchObject({ queuePosition: 10_000, waitingReason: 'EARLIER_MESSAGE' });
      expect(Math.round((await untilMs(last.estimatedSendAt)) / 100_000)).toBe(10);
    });

    test('of 200 messages takes two statements', async () => {
      await limitTo(10, 1_000);
      for (const leadId of await createLeads(api, tenant, 20)) await fillQueue(leadId, 10);
      const ids = (
        await api.sql<{ id: string }>('SELECT message_id AS id FROM outbox_entries WHERE tenant_id = $1', [tenant.id])
      ).map(({ id }) => id);
      const statements: unknown[] = [];
      const { database } = api.app.services;
      const counting = (statement: never, values: never) => {
        statements.push(statement);
        return database.query<never>(statement, values);
      };
      const service = new QueuePositionService({
        database: { query: counting } as unknown as typeof database,
        leaseMs: 60_000,
      });
      const places = await service.list({ kind: 'system', tenantId: tenant.id }, [...ids, ...ids, randomUUID()]);
      expect(statements).toHaveLength(2);
      const positions = places
        .map(({ queuePosition }) => queuePosition)
        .toSorted((one, next) => Number(one) - Number(next));
      expect(positions).toEqual(Array.from({ length: 200 }, (_, index) => index));
    });
  });

  describe('the limit', () => {
    test('what it permits now leaves now, and the rest when places open', async () => {
      await limitTo(2, 600_000);
      const leads = await createLeads(api, tenant, 4);
      const ids: string[] = [];
      for (const leadId of leads) ids.push(await sendTo(leadId));
      const places = await Promise.all(ids.map(placeOf));
      expect(places.map(({ waitingReason }) => waitingReason)).toEqual([
        'IN_QUEUE',
        'IN_QUEUE',
        'RATE_LIMIT',
        'RATE_LIMIT',
      ]);
      const waits = await Promise.all(places.map(({ estimatedSendAt }) => untilMs(estimatedSendAt)));
      expect(waits.map((ms) => Math.abs(Math.round(ms / 100_000)))).toEqual([0, 0, 6, 6]);
      expect(places[2]?.waitingDetail).toBe('The tenant may send 2 in 600000 ms. 2 messages stand before it.');
    });

    test('sends of the past count: the next one leaves when the first of them is a window old', async () => {
      await limitTo(1, 600_000);
      const [first = '', second = ''] = await createLeads(api, tenant, 2);
      const sent = await sendTo(first);
      await take(sent);
      await accept(sent, 100);
      const place = await placeOf(await sendTo(second));
      expect(place).toMatchObject({ queuePosition: 0, waitingReason: 'RATE_LIMIT' });
      expect(Math.round((await untilMs(place.estimatedSendAt)) / 100_000)).toBe(5);
    });
  });

  describe('the reason', () => {
    test('in a worker’s hands it waits no more', async () => {
      const id = await sendTo(await createLead(api, tenant));
      await take(id);
      expect(await placeOf(id)).toEqual({
        status: 'SENDING',
        queuePosition: null,
        waitingReason: null,
        waitingDetail: null,
        estimatedSendAt: null,
      });
    });

    test('RETRY tells how often it was tried and what the gateway said; its lead’s next one waits for it', async () => {
      const leadId = await createLead(api, tenant);
      const id = await sendTo(leadId);
      await take(id);
      await postpone(id);
      const next = await sendTo(leadId);
      const place = await placeOf(id);
      expect(place).toMatchObject({ status: 'SENDING', queuePosition: 0, waitingReason: 'RETRY' });
      expect(place.waitingDetail).toMatch(
        /^After 1 attempt: the gateway said "503: Busy"\. It is tried again at \d{4}-/,
      );
      expect(Math.round((await untilMs(place.estimatedSendAt)) / 100_000)).toBe(6);
      const behind = await placeOf(next);
      expect(behind).toMatchObject({ queuePosition: 1, waitingReason: 'EARLIER_MESSAGE' });
      expect(behind.estimatedSendAt).toBe(place.estimatedSendAt);
      await api.sql('UPDATE outbox_entries SET due_at = now() WHERE message_id = $1', [id]);
      expect(await placeOf(id)).toMatchObject({ waitingReason: 'IN_QUEUE' });
    });

    test('INSTANCE_PAUSED names the instance, why, and, where that is known, until when', async () => {
      const id = await sendTo(await createLead(api, tenant));
      await api.sql(
        "UPDATE chat_instances SET outbound_paused_until = now() + interval '10 min', outbound_pause_reason = 'out of credit' WHERE id = $1",
        [tenant.instance.id],
      );
      const resting = await placeOf(id);
      expect(resting).toMatchObject({ waitingReason: 'INSTANCE_PAUSED', queuePosition: 0 });
      expect(resting.waitingDetail).toContain(`${tenant.instance.name} rests until`);
      expect(resting.waitingDetail).toContain('(out of credit)');
      expect(Math.round((await untilMs(resting.estimatedSendAt)) / 100_000)).toBe(6);
      await api.sql(
        "UPDATE chat_instances SET outbound_paused_until = NULL, status = 'DISCONNECTED', last_error = 'logged out' WHERE id = $1",
        [tenant.instance.id],
      );
      const out = await placeOf(id);
      expect(out).toMatchObject({ waitingReason: 'INSTANCE_PAUSED', estimatedSendAt: null });
      expect(out.waitingDetail).toContain(`${tenant.instance.name} is DISCONNECTED (logged out)`);
    });

    test('EARLIER_MESSAGE through a paused instance says so, and nobody can tell when', async () => {
      const leadId = await createLead(api, tenant);
      await sendTo(leadId, { instanceId: await createInstance('ERROR') });
      const place = await placeOf(await sendTo(leadId, { instanceId: tenant.instance.id }));
      expect(place).toMatchObject({ waitingReason: 'EARLIER_MESSAGE', estimatedSendAt: null });
      expect(place.waitingDetail).toContain('is ERROR');
    });

    test('UNCONFIRMED while it is looked up', async () => {
      const id = await sendTo(await createLead(api, tenant));
      await api.sql('UPDATE outbox_entries SET unconfirmed_since = now() WHERE message_id = $1', [id]);
      const place = await placeOf(id);
      expect(place).toMatchObject({ waitingReason: 'UNCONFIRMED', queuePosition: 0 });
      expect(place.waitingDetail).toMatch(/looked up/);
    });

    test('TENANT_INACTIVE while it is deactivated', async () => {
      const id = await sendTo(await createLead(api, tenant));
      await api.sql('UPDATE tenants SET is_active = false WHERE id = $1', [tenant.id]);
      const [place] = await api.app.services.queuePositions.list({ kind: 'system', tenantId: tenant.id }, [id]);
      expect(place).toMatchObject({ reason: 'TENANT_INACTIVE', estimatedSendAt: null });
    });

    test('none for what the lead wrote, what was sent, and what was canceled; another tenant sees no place', async () => {
      const leadId = await createLead(api, tenant);
      const sent = await sendTo(leadId);
      await take(sent);
      await accept(sent);
      const canceled = await sendTo(leadId);
      await query(api, tenant.operator, CancelMessageDocument, { id: canceled });
      for (const id of [sent, canceled])
        expect(await placeOf(id)).toMatchObject({ queuePosition: null, waitingReason: null, estimatedSendAt: null });
      const waiting = await sendTo(leadId);
      expect(await api.app.services.queuePositions.list({ kind: 'system', tenantId: other.id }, [waiting])).toEqual([]);
    });

    test('is told in lists', async () => {
      const leadId = await createLead(api, tenant);
      const ids = [await sendTo(leadId), await sendTo(leadId)];
      const { messages } = await query(api, tenant.operator, MessagesDocument, { leadId });
      expect(messages.edges.map(({ node }) => [node.id, node.queuePosition, node.waitingReason])).toEqual([
        [ids[0], 0, 'IN_QUEUE'],
        [ids[1], 1, 'EARLIER_MESSAGE'],
      ]);
    });
  });

  async function createInstance(status: string): Promise<string> {
    const { chatInstances } = api.app.services;
    const instance = { accountId: tenant.admin.accountId, instanceName: `instance-${randomUUID()}`, isDefault: false };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { id } = await chatInstances.create({ kind: 'command' }, instance, place);
    await api.sql('UPDATE chat_instances SET status = $2::chat_instance_status WHERE id = $1', [id, status]);
    return id;
  }

  /** Writes many messages of one lead past the application. */
  async function fillQueue(leadId: string, count: number): Promise<void> {
    await api.sql(
      `WITH written AS (
       INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body)
       SELECT $1, gen_random_uuid(), $2, $3, 'OUTBOUND', 'QUEUED', 'text', 'Oi' FROM generate_series(1, $4::int) RETURNING id
     )
     INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id) SELECT $1, id, $2, $3 FROM written`,
      [tenant.id, leadId, tenant.instance.id, count],
    );
  }
}
