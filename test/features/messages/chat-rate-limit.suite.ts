// The tenant's limit on sends, as the gateway sees it: no window of `durationMs` holds more than `max` arrivals.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { measureWindow } from '../../../src/features/outbox/outbox.sql.js';
import { storeLeads, storeWaiting } from '../../bench/waiting-messages.js';
import { ScriptedGateway, answering } from '../../providers/scripted-gateway.js';
import { query } from '../../support/graphql-client.js';
import { DeleteLeadDocument, UpdateTenantDocument } from '../../support/operations.js';
import { slow } from '../../support/slow.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  createLeads,
  send,
  sendToEach,
  startSender,
  startSimulator,
  until,
  waitForEmptyOutbox,
  waitForStatus,
} from './sending-harness.js';

const durationMs = 400;

export function describeChatRateLimit(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    simulator = await startSimulator();
    app = await startSender(simulator);
    second = await startSender(simulator, { PROCESS_ROLE: 'worker' }, app.database);
  });

  afterAll(async () => {
    // Sends that hang are cut off here, so that the applications need not wait for them.
    await simulator.close();
    await second.stop({ keepDatabase: true });
    await app.stop();
  });

  function arrivalsOf(tenant: TestTenant) {
    return simulator.attempts().filter((attempt) => attempt.instance === tenant.instance.name);
  }

  /** The most arrivals in any window, wherever it starts. */
  function fullestWindow(times: readonly number[], windowMs = durationMs): number {
    const sorted = times.toSorted((one, other) => one - other);
    const held = sorted.map((start) => sorted.filter((time) => time >= start && time < start + windowMs).length);
    return Math.max(0, ...held);
  }

  async function sendMany(tenant: TestTenant, count: number): Promise<string[]> {
    return sendToEach(app, tenant, await createLeads(app, tenant, count));
  }

  /** Does the same as `sendMany`, with messages that leave through this gateway once all of them are queued. */
  async function sendManyThrough(gateway: ScriptedGateway, tenant: TestTenant, count: number): Promise<string[]> {
    const set = (change: string, ...values: unknown[]) =>
      app.sql(`UPDATE chat_instances SET ${change} WHERE tenant_id = $1`, [tenant.id, ...values]);
    await set("base_url = $2, outbound_paused_until = now() + interval '1 hour'", gateway.url);
    const ids = await sendMany(tenant, count);
    await set('outbound_paused_until = NULL');
    app.app.services.dispatcher.wake(tenant.id);
    second.app.services.dispatcher.wake(tenant.id);
    return ids;
  }

  /** Does the same as `sendManyThrough`, with more messages than there is time to accept. */
  async function storeThrough(gateway: ScriptedGateway, tenant: TestTenant, count: number): Promise<void> {
    await app.sql('UPDATE chat_instances SET base_url = $2 WHERE tenant_id = $1', [tenant.id, gateway.url]);
    const sql = (text: string, values: unknown[]) => app.sql(text, values);
    const numbers = Array.from({ length: count }, (_, index) => `4917${String(index).padStart(4, '0')}6666`);
    await storeLeads(sql, tenant.id, numbers);
    await storeWaiting(sql, { tenantId: tenant.id, count, textPrefix: '', priority: 0 });
    for (const one of [app, second]) one.app.services.dispatcher.wake(tenant.id);
  }

  test('40 messages through two workers: no window holds more than 5, and each arrives once', async () => {
    const tenant = await app.createTenant({ chatRateLimit: { max: 5, durationMs } });
    const ids = await sendMany(tenant, 40);
    await waitForEmptyOutbox(app);
    const arrivals = arrivalsOf(tenant);
    const keys = arrivals.map((attempt) => attempt.idempotencyKey ?? '');
    expect(keys.toSorted()).toEqual(ids.toSorted());
    expect(fullestWindow(arrivals.map((attempt) => attempt.at))).toBeLessThanOrEqual(5);
  });

  test('attempts that fail count too', async () => {
    const tenant = await app.createTenant({ chatRateLimit: { max: 3, durationMs } });
    simulator.behave({ failFirstAttempts: 1 }, tenant.instance.name);
    await sendMany(tenant, 6);
    await waitForEmptyOutbox(app);
    const arrivals = arrivalsOf(tenant);
    expect(arrivals).toHaveLength(12);
    expect(fullestWindow(arrivals.map((attempt) => attempt.at))).toBeLessThanOrEqual(3);
  });

  slow('sends to leads that were erased since count too, name nobody, and go once no limit counts them', async () => {
    const windowMs = 2_000;
    const tenant = await app.createTenant({ chatRateLimit: { max: 10, durationMs: windowMs } });
    // The failed first attempt leaves something to forget of each message.
    simulator.behave({ failFirstAttempts: 1 }, tenant.instance.name);
    for (let round = 0; round < 2; round += 1) {
      const leads = await createLeads(app, tenant, 5);
      await sendToEach(app, tenant, leads);
      await waitForEmptyOutbox(app);
      for (const id of leads) await query(app, tenant.operator, DeleteLeadDocument, { id });
    }
    simulator.behave({ failFirstAttempts: 0 }, tenant.instance.name);
    const leads = await createLeads(app, tenant, 10);
    await sendToEach(app, tenant, leads);
    await waitForEmptyOutbox(app);
    for (const id of leads) await query(app, tenant.operator, DeleteLeadDocument, { id });
    const times = arrivalsOf(tenant).map((attempt) => attempt.at);
    expect(times).toHaveLength(30);
    expect(fullestWindow(times, windowMs)).toBeLessThanOrEqual(10);
    const left = `FROM send_attempts WHERE tenant_id = '${tenant.id}'`;
    expect(await app.sql(`SELECT count(*)::int AS count, count(detail)::int AS details ${left}`)).toEqual([
      { count: 30, details: 0 },
    ]);
    await app.sql("UPDATE send_attempts SET granted_at = granted_at - interval '26 hours' WHERE tenant_id = $1", [
      tenant.id,
    ]);
    await app.app.services.pruning.prune();
    expect(await app.sql(`SELECT ${left}`)).toEqual([]);
  });

  test.each([
    ['lowered', 6, 2],
    ['raised', 1, 4],
  ])('a limit that is %s while messages leave holds from then on', async (_name, before, after) => {
    const arrivals: { key: string; at: number }[] = [];
    const held: (() => void)[] = [];
    // The first sends get no answer before the change, and keep their places until then.
    let holds = true;
    const gateway = await ScriptedGateway.start((request, response) => {
      arrivals.push({ key: String(request.headers['idempotency-key']), at: Date.now() });
      const answer = () => answering(200, { messageId: randomUUID() })(request, response);
      if (holds) held.push(answer);
      else answer();
    });
    try {
      const tenant = await app.createTenant({ chatRateLimit: { max: before, durationMs } });
      const ids = await sendManyThrough(gateway, tenant, 16);
      await until(
        () => held.length,
        (count) => count === before,
      );
      await app.sql('UPDATE tenants SET chat_rate_max = $2 WHERE id = $1', [tenant.id, after]);
      const [change] = await app.sql<{ at: Date }>('SELECT clock_timestamp() AS at');
      holds = false;
      for (const answer of held) answer();
      await waitForEmptyOutbox(app);
      const laterIds = await app.sql<{ id: string }>(
        'SELECT message_id AS id FROM send_attempts WHERE message_id = ANY($1) AND granted_at > $2',
        [ids, change?.at],
      );
      const later = new Set(laterIds.map((row) => row.id));
      expect(later.size).toBeGreaterThanOrEqual(16 - Math.max(before, after));
      expect(arrivals.map(({ key }) => key).toSorted()).toEqual(ids.toSorted());
      const laterTimes = arrivals.filter(({ key }) => later.has(key)).map(({ at }) => at);
      expect(fullestWindow(laterTimes)).toBeLessThanOrEqual(after);
    } finally {
      await gateway.close();
    }
  });

  test('a limit that is set while a backlog leaves holds at once: nothing leaves that was not under way', async () => {
    const held: (() => void)[] = [];
    const gateway = await ScriptedGateway.start((request, response) => {
      held.push(() => answering(200, { messageId: randomUUID() })(request, response));
    });
    try {
      const tenant = await app.createTenant();
      await storeThrough(gateway, tenant, 600);
      const underWay = () =>
        app.sql<{ at: Date }>('SELECT 1 FROM send_attempts WHERE tenant_id = $1 AND finished_at IS NULL', [tenant.id]);
      // Waits until both workers have their hands full.
      await until(
        () => gateway.requests.length,
        (count) => count >= 2 * 256,
      );
      const input = { chatRateLimit: { max: 1, durationMs: 86_400_000 } };
      await query(app, tenant.admin, UpdateTenantDocument, { id: tenant.id, input });
      const handedOver = (await underWay()).length;
      for (const answer of held) answer();
      await until(underWay, (attempts) => attempts.length === 0);
      app.app.services.dispatcher.wake(tenant.id);
      // Both workers have looked again, and the limit let nothing through.
      await until(
        () => app.sql('SELECT 1 FROM messages WHERE tenant_id = $1 AND status = $2', [tenant.id, 'SENT']),
        (sent) => sent.length === handedOver,
      );
      expect(gateway.requests).toHaveLength(handedOver);
      expect(handedOver).toBe(2 * 256);
    } finally {
      // The tests that follow wait for an empty outbox.
      await app.sql('DELETE FROM outbox_entries');
      await gateway.close();
    }
  });

  test('a database clock that was set back holds a limited tenant up for no longer than a window', async () => {
    const tenant = await app.createTenant({ chatRateLimit: { max: 2, durationMs } });
    await sendMany(tenant, 2);
    await waitForEmptyOutbox(app);
    await app.sql("UPDATE chat_instances SET outbound_paused_until = now() + interval '1 hour' WHERE tenant_id = $1", [
      tenant.id,
    ]);
    await sendMany(tenant, 3);
    // The times that were written in the hour that is taken back.
    const anHourAhead = "granted_at = granted_at + interval '1 hour', finished_at = finished_at + interval '1 hour'";
    await app.sql(`UPDATE send_attempts SET ${anHourAhead} WHERE tenant_id = $1`, [tenant.id]);
    await app.sql("UPDATE outbox_entries SET due_at = due_at + interval '1 hour' WHERE tenant_id = $1", [tenant.id]);
    await app.sql('UPDATE chat_instances SET outbound_paused_until = NULL WHERE tenant_id = $1', [tenant.id]);
    const [change] = await app.sql<{ atMs: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float * 1000 AS "atMs"',
    );
    app.app.services.dispatcher.wake(tenant.id);
    await waitForEmptyOutbox(app);
    const arrivals = arrivalsOf(tenant);
    expect(arrivals).toHaveLength(5);
    // The two sends of the window count from the moment when the clock was set back.
    expect(fullestWindow(arrivals.slice(2).map((attempt) => attempt.at))).toBeLessThanOrEqual(2);
    expect((arrivals[2]?.at ?? 0) - (change?.atMs ?? 0)).toBeGreaterThanOrEqual(durationMs);
  });

  test('a limit that is taken away no longer holds anything back', async () => {
    const tenant = await app.createTenant({ chatRateLimit: { max: 1, durationMs: 86_400_000 } });
    const [first, ...others] = await sendMany(tenant, 5);
    await until(
      () => arrivalsOf(tenant).length,
      (count) => count === 1,
    );
    await app.sql('UPDATE tenants SET chat_rate_max = NULL, chat_rate_duration_ms = NULL WHERE id = $1', [tenant.id]);
    app.app.services.dispatcher.wake(tenant.id);
    await waitForEmptyOutbox(app);
    expect(new Set(arrivalsOf(tenant).map((attempt) => attempt.idempotencyKey))).toEqual(new Set([first, ...others]));
  });

  test('a send whose worker died counts for a whole window from the end of its lease', async () => {
    const tenant = await app.createTenant({ chatRateLimit: { max: 1, durationMs: 600_000 } });
    const [first = ''] = await sendMany(tenant, 1);
    await waitForStatus(app, first, 'SENT');
    const dieBefore = (time: string) =>
      app.sql(
        `UPDATE send_attempts SET granted_at = now() - interval '${time}', finished_at = NULL, outcome = NULL WHERE tenant_id = $1`,
        [tenant.id],
      );
    const held = async () => {
      const [window] = await app.sql<{ held: number; opensInMs: number }>(measureWindow.text, [
        tenant.id,
        600_000,
        60_000,
      ]);
      return window;
    };
    await dieBefore('10 minutes');
    const [next = ''] = await sendMany(tenant, 1);
    expect(await held()).toMatchObject({ held: 1 });
    expect((await held())?.opensInMs).toBeLessThanOrEqual(60_000);
    await dieBefore('11 minutes 1 second');
    app.app.services.dispatcher.wake(tenant.id);
    await waitForStatus(app, next, 'SENT');
  });

  test('a tenant whose gateway hangs keeps no message of another tenant from leaving', async () => {
    const stuck = await app.createTenant();
    const healthy = await app.createTenant();
    simulator.behave({ hangRate: 1 }, stuck.instance.name);
    const stuckIds = await sendMany(stuck, 40);
    await until(
      () => arrivalsOf(stuck).length,
      (count) => count >= 16,
    );
    const leadId = await createLead(app, healthy);
    await waitForStatus(app, await send(app, healthy, { leadId, body: 'Oi' }), 'SENT');
    const [stuckState] = await app.sql<{ count: number }>(
      "SELECT count(*)::int FROM messages WHERE id = ANY($1) AND status IN ('QUEUED', 'SENDING')",
      [stuckIds],
    );
    expect(stuckState?.count).toBe(40);
  });
}
