// Which messages are told to which browsers, and what becomes of browsers that cannot be reached. Rounds are run by hand.

import { randomUUID } from 'node:crypto';
import type { PushNotice, PushOutcome } from '../../../src/clients/push-sender.js';
import { PushRoundService } from '../../../src/features/push/push-round.service.js';
import { query } from '../../support/graphql-client.js';
import {
  AssignLeadDocument,
  KeepPushDeviceDocument,
  MarkLeadReadDocument,
  SetPushesTextDocument,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant, type TestUser } from '../../support/test-app.js';
import { hear, hearMany } from '../leads/conversation-harness.js';
import { plainNumber } from '../messages/sending-harness.js';
import { pushSubscription } from './push-browser.js';

interface Told {
  endpoint: string;
  payload: PushNotice['payload'];
}

const running = new AbortController().signal;

export function describePushRounds(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let told: Told[];
  let outcome: PushOutcome;
  let rounds: PushRoundService;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    const { database, metrics } = app.app.services;
    const send = async ({ endpoint }: { endpoint: string }, { payload }: PushNotice) => {
      told.push({ endpoint, payload });
      return outcome;
    };
    rounds = new PushRoundService({ database, metrics, sender: { send }, totalConcurrency: 4 });
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    told = [];
    outcome = 'sent';
  });

  const keep = async (user: TestUser, choice: { notifiesMine?: boolean; notifiesUnassigned?: boolean } = {}) => {
    const input = { ...pushSubscription(), ...choice };
    const { id } = (await query(app, user, KeepPushDeviceDocument, { input })).keepPushDevice;
    return { id, endpoint: input.endpoint };
  };
  const run = () => rounds.run(tenant.id, running);
  const endpoints = () => told.map(({ endpoint }) => endpoint).toSorted();

  test('a message of nobody’s conversation is told to those who chose that: who wrote, and not what', async () => {
    const wants = [await keep(tenant.operator), await keep(tenant.admin)].map(({ endpoint }) => endpoint);
    await keep(tenant.operator, { notifiesUnassigned: false });
    const { leadId } = await hear(app, tenant, plainNumber());
    await app.sql(`UPDATE leads SET name = 'Ana' WHERE id = $1`, [leadId]);
    expect(await run()).toBe(true);
    expect(endpoints()).toEqual(wants.toSorted());
    expect(told[0]?.payload).toEqual({ kind: 'message', leadId, name: 'Ana', count: 1, language: 'pt-BR' });
    expect(await run()).toBe(false);
    expect(told).toHaveLength(2);
  });

  test('the text is told where the tenant allows it: the beginning of the newest, where it has one', async () => {
    await keep(tenant.operator);
    const tell = async () => {
      told = [];
      await run();
      return told.map(({ payload }) => payload);
    };
    const allow = (pushesText: boolean) =>
      query(app, tenant.admin, SetPushesTextDocument, { id: tenant.id, input: { pushesText } });
    expect((await allow(true)).updateTenant).toEqual({ pushesText: true });
    const from = plainNumber();
    const write = (content: object) =>
      app.post('/webhooks/chat/gateway/inbound', { messageId: randomUUID(), from, ...content }, withKey(tenant));
    await write({ text: 'First' });
    await write({ text: `${'🏄'.repeat(170)} end` });
    expect(await tell()).toEqual([expect.objectContaining({ count: 2, text: `${'🏄'.repeat(159)}…` })]);
    await write({ text: '🏄'.repeat(160) });
    expect(await tell()).toEqual([expect.objectContaining({ count: 1, text: '🏄'.repeat(160) })]);
    await write({ type: 'unknown' });
    expect(await tell()).toEqual([expect.not.objectContaining({ text: expect.anything() })]);
    await write({ text: 'Gone' });
    await app.sql(`UPDATE messages SET deleted_at = now() WHERE tenant_id = $1 AND body = 'Gone'`, [tenant.id]);
    expect(await tell()).toEqual([expect.not.objectContaining({ text: expect.anything() })]);
    await allow(false);
    await write({ text: 'Secret' });
    expect(await tell()).toEqual([expect.not.objectContaining({ text: expect.anything() })]);
  });

  test('a message of an assigned conversation is told to the assignee alone', async () => {
    const mine = await keep(tenant.operator, { notifiesUnassigned: false });
    await keep(tenant.operator, { notifiesMine: false });
    await keep(tenant.admin);
    const from = plainNumber();
    const { leadId } = await hear(app, tenant, from);
    await query(app, tenant.operator, AssignLeadDocument, { id: leadId, userId: tenant.operator.id });
    await run();
    told = [];
    await hear(app, tenant, from);
    await hear(app, tenant, from);
    await run();
    expect(told).toEqual([{ endpoint: mine.endpoint, payload: expect.objectContaining({ leadId, count: 2 }) }]);
  });

  test('what somebody has read, what is old, and what came before the browser is not told', async () => {
    await keep(tenant.operator);
    const read = await hear(app, tenant, plainNumber());
    await query(app, tenant.admin, MarkLeadReadDocument, { id: read.leadId, upToMessageId: read.messageId });
    await run();
    const old = await hear(app, tenant, plainNumber());
    await app.sql(`UPDATE events SET occurred_at = now() - interval '11 minutes' WHERE message_id = $1`, [
      old.messageId,
    ]);
    await run();
    await hear(app, tenant, plainNumber());
    await app.sql(`UPDATE push_devices SET created_at = now() + interval '1 second' WHERE tenant_id = $1`, [tenant.id]);
    await run();
    expect(told).toEqual([]);
  });

  test('a browser gets three conversations of a round, and one notification for the others', async () => {
    await keep(tenant.operator);
    await hearMany(app, tenant, [1, 2, 3, 4, 5].map(plainNumber));
    await run();
    expect(told.map(({ payload }) => payload)).toEqual([
      ...[1, 2, 3].map(() => expect.objectContaining({ kind: 'message', count: 1 })),
      { kind: 'further', count: 2, language: 'pt-BR' },
    ]);
  });

  test('many browsers and many conversations: none goes without, and each has its own notifications', async () => {
    const { endpoint } = await keep(tenant.operator);
    await app.sql(
      `INSERT INTO push_devices SELECT d.tenant_id, d.user_id, gen_random_uuid(), d.endpoint || n, d.public_key, d.secret, d.name,
         d.language, d.notifies_mine, d.notifies_unassigned, d.created_at, d.seen_at, d.expires_at, d.failing_since
       FROM push_devices d, generate_series(1, 299) AS n WHERE d.tenant_id = $1`,
      [tenant.id],
    );
    await hearMany(app, tenant, [1, 2, 3, 4, 5].map(plainNumber));
    await run();
    const kinds = Map.groupBy(told, (one) => one.endpoint);
    expect(kinds.size).toBe(300);
    for (const own of kinds.values())
      expect(own.map(({ payload }) => payload)).toMatchObject([
        ...[1, 2, 3].map(() => ({ kind: 'message' })),
        { kind: 'further', count: 2 },
      ]);
    expect(kinds.has(endpoint)).toBe(true);
  });

  const states = () =>
    app.sql<{ id: string; isFailing: boolean }>(
      'SELECT id, failing_since IS NOT NULL AS "isFailing" FROM push_devices WHERE tenant_id = $1',
      [tenant.id],
    );

  test('a browser whose address is gone is deleted', async () => {
    await keep(tenant.operator);
    outcome = 'gone';
    await hear(app, tenant, plainNumber());
    await run();
    expect(await states()).toEqual([]);
  });

  test('a browser that is not reached stays for three days, unless it is reached again', async () => {
    const { id } = await keep(tenant.operator);
    const next = async (answer: PushOutcome) => {
      outcome = answer;
      await hear(app, tenant, plainNumber());
      await run();
      return states();
    };
    expect(await next('failed')).toEqual([{ id, isFailing: true }]);
    expect(await next('failed')).toEqual([{ id, isFailing: true }]);
    expect(await next('sent')).toEqual([{ id, isFailing: false }]);
    await next('failed');
    await app.sql(`UPDATE push_devices SET failing_since = now() - interval '3 days 1 hour' WHERE id = $1`, [id]);
    expect(await next('failed')).toEqual([]);
  });

  test('browsers that were not reached come last, and each gets a message once, also where it fails again', async () => {
    const [failing, healthy] = [await keep(tenant.operator), await keep(tenant.admin)];
    await app.sql('UPDATE push_devices SET failing_since = now() WHERE id = $1', [failing.id]);
    await hear(app, tenant, plainNumber());
    outcome = 'failed';
    await run();
    expect(told.map(({ endpoint }) => endpoint)).toEqual([healthy.endpoint, failing.endpoint]);
  });

  test('a round that was stopped is told again, and one that another process has is left to it', async () => {
    await keep(tenant.operator);
    await hear(app, tenant, plainNumber());
    expect(await rounds.run(tenant.id, AbortSignal.abort())).toBe(false);
    expect(told).toEqual([]);
    const lease = (until: string) =>
      app.sql(`UPDATE push_progress SET leased_until = now() + $2::interval WHERE tenant_id = $1`, [tenant.id, until]);
    await lease('1 minute');
    expect(await run()).toBe(false);
    await lease('-1 second');
    expect(await run()).toBe(true);
    expect(told).toHaveLength(1);
  });

  /** Adds events of messages that came in at another time, behind those that are there. */
  const addEvents = async (count: number, age: string) => {
    await app.sql(
      `INSERT INTO events (tenant_id, seq, type, message_id, occurred_at)
       SELECT $1, h.last_seq + n, 'MESSAGE_RECEIVED', gen_random_uuid(), now() - $3::interval
       FROM event_heads h, generate_series(1, $2::int) AS n WHERE h.tenant_id = $1`,
      [tenant.id, count, age],
    );
    await app.sql('UPDATE event_heads SET last_seq = last_seq + $2 WHERE tenant_id = $1', [tenant.id, count]);
  };
  const progress = async () => {
    const [row] = await app.sql<{ behind: number }>(
      `SELECT (h.last_seq - p.last_seq)::int AS behind FROM push_progress p JOIN event_heads h USING (tenant_id) WHERE tenant_id = $1`,
      [tenant.id],
    );
    return row?.behind;
  };

  test('what came while a tenant had no browser is passed over; what another browser waits for is not', async () => {
    const { id } = await keep(tenant.operator);
    await hear(app, tenant, plainNumber());
    await keep(tenant.admin);
    expect(await progress()).toBeGreaterThan(0);
    await app.sql('DELETE FROM push_devices WHERE tenant_id = $1 AND id <> $2', [tenant.id, id]);
    await app.sql(`UPDATE push_devices SET expires_at = now() - interval '1 day' WHERE tenant_id = $1`, [tenant.id]);
    await app.sql(`UPDATE push_progress SET leased_until = now() + interval '1 minute' WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    await addEvents(1_200, '9 minutes');
    const { endpoint } = await keep(tenant.admin);
    expect(await progress()).toBe(0);
    const { leadId } = await hear(app, tenant, plainNumber());
    expect(await run()).toBe(true);
    expect(told).toEqual([{ endpoint, payload: expect.objectContaining({ leadId, count: 1 }) }]);
  });

  test('old messages take no place of new ones, once a worker is there again', async () => {
    await keep(tenant.operator);
    await hear(app, tenant, plainNumber());
    await run();
    told = [];
    await addEvents(1_200, '11 minutes');
    const { leadId } = await hear(app, tenant, plainNumber());
    expect(await run()).toBe(true);
    expect(told.map(({ payload }) => payload)).toEqual([expect.objectContaining({ leadId, count: 1 })]);
    expect(await run()).toBe(false);
  });

  test('more messages than a round takes are taken in their order', async () => {
    await keep(tenant.operator);
    await hear(app, tenant, plainNumber());
    await run();
    await addEvents(1_200, '1 minute');
    const { leadId } = await hear(app, tenant, plainNumber());
    told = [];
    await run();
    await run();
    expect(told).toEqual([]);
    await run();
    expect(told.map(({ payload }) => payload)).toEqual([expect.objectContaining({ leadId, count: 1 })]);
  });

  test('a deactivated tenant, and one without browsers, has no rounds', async () => {
    const { selectPushedTenants } = await import('../../../src/features/push/push-round.sql.js');
    const list = async () =>
      (await app.sql<{ tenantId: string }>(selectPushedTenants.text)).map(({ tenantId }) => tenantId);
    const other = await app.createTenant();
    await keep(tenant.operator);
    expect(await list()).toContain(tenant.id);
    expect(await list()).not.toContain(other.id);
    await app.sql('UPDATE tenants SET is_active = false WHERE id = $1', [tenant.id]);
    expect(await list()).not.toContain(tenant.id);
  });
}
