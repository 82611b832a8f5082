// Snoozes end by themselves: once each, whatever runs meanwhile, and also where no process ran when their time came. The state of earlier
// conversations is computed from their messages.

import { query } from '../../support/graphql-client.js';
import { SnoozeConversationDocument } from '../../support/operations.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, createLeads, until } from '../messages/sending-harness.js';
import { hearMany, loggedEvents, stateOf } from './conversation-harness.js';
import { findInconsistencies } from './lead-harness.js';

export function describeSnoozes(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await app.createTenant();
  });
  afterAll(() => app.stop());

  const snooze = (leadId: string, inMs: number) => {
    const at = new Date(Date.now() + inMs).toISOString();
    return query(app, tenant.operator, SnoozeConversationDocument, { leadId, until: at });
  };
  const endsOf = async (leadId: string) => {
    const changes = await loggedEvents(app, tenant, ['CONVERSATION_STATUS_CHANGED']);
    return changes.filter((change) => change.leadId === leadId && change.data?.['reason'] === 'SNOOZE_ENDED');
  };
  const untilOpen = (leadId: string) =>
    until(
      () => stateOf(app, tenant, leadId),
      ({ conversationStatus }) => conversationStatus === 'OPEN',
    );

  test('a snooze ends at its time, as one event, also with several processes', async () => {
    const second = await TestApp.start({}, app.database);
    try {
      const [short, long] = [await createLead(app, tenant), await createLead(app, tenant)];
      await snooze(short, 2_000);
      await snooze(long, 3_600_000);
      expect(await untilOpen(short)).toMatchObject({ snoozedUntil: null });
      for (const { services } of [app.app, second.app])
        await Promise.all([services.conversations.sweep.run(), services.conversations.sweep.run()]);
      const data = { conversationStatus: 'OPEN', snoozedUntil: null, reason: 'SNOOZE_ENDED' };
      expect((await endsOf(short)).map((change) => change.data)).toEqual([data]);
      expect(await stateOf(app, tenant, long)).toMatchObject({ conversationStatus: 'SNOOZED' });
    } finally {
      await second.stop({ keepDatabase: true });
    }
  });

  test('a snooze whose time comes while no process runs ends after the start', async () => {
    const leadId = await createLead(app, tenant);
    const atMs = Date.now() + 2_000;
    await snooze(leadId, 2_000);
    await app.stop({ keepDatabase: true });
    await until(
      () => Date.now(),
      (nowMs) => nowMs > atMs + 100,
    );
    app = await TestApp.start({}, app.database);
    await untilOpen(leadId);
    expect(await endsOf(leadId)).toHaveLength(1);
  });

  test('many that end together end once each, and another tenant has its turn', async () => {
    const other = await app.createTenant();
    const leadIds = await createLeads(app, tenant, 40);
    const otherId = await createLead(app, other);
    await app.sql("UPDATE leads SET conversation_status = 'SNOOZED', snoozed_until = now() WHERE id = ANY($1)", [
      [...leadIds, otherId],
    ]);
    for (const leadId of leadIds) await untilOpen(leadId);
    await until(
      () => stateOf(app, other, otherId),
      ({ conversationStatus }) => conversationStatus === 'OPEN',
    );
    for (const leadId of leadIds) expect(await endsOf(leadId)).toHaveLength(1);
  });

  test('conversations of the time before are computed, in batches, while messages come in', async () => {
    const before = await app.createTenant();
    const count = 1_200;
    const insert = `WITH person AS (
        INSERT INTO leads (tenant_id, id, name, chat, source, updated_at)
        SELECT $1, gen_random_uuid(), 'x', (4915200000000 + n)::text, 'x', now() FROM generate_series(1, $2::int) n RETURNING id, chat
      ), identity AS (
        INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id) SELECT $1, 'PHONE', chat, chat, id FROM person
      ), written AS (
        INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, created_at)
        SELECT $1, uuidv7(-d.age), p.id, $3, d.direction, CASE WHEN d.direction = 'OUTBOUND' THEN 'SENT'::message_status END, 'text', now() - d.age
        FROM person p CROSS JOIN LATERAL (
          SELECT age * interval '1 minute' AS age,
            CASE WHEN right(p.chat, 1)::int % (age + 1) = 0 THEN 'INBOUND' ELSE 'OUTBOUND' END::message_direction AS direction
          FROM generate_series(1, 4) age
        ) d RETURNING lead_id, id
      ) SELECT lead_id, max(id::text)::uuid AS newest FROM written GROUP BY lead_id`;
    const newest = await app.sql<{ lead_id: string; newest: string }>(insert, [before.id, count, before.instance.id]);
    await app.sql(
      `UPDATE leads l SET last_message_id = n.newest FROM unnest($1::uuid[], $2::uuid[]) n (id, newest) WHERE l.id = n.id`,
      [newest.map((row) => row.lead_id), newest.map((row) => row.newest)],
    );
    expect(await findInconsistencies(app, before)).not.toEqual([]);
    await app.sql('INSERT INTO conversation_backfills (tenant_id) VALUES ($1)', [before.id]);
    const isUnderWay = async () =>
      (await app.sql('SELECT FROM conversation_backfills WHERE tenant_id = $1', [before.id])).length > 0;
    const chats = Array.from({ length: 20 }, () => String(4_915_200_000_000 + 1 + Math.floor(Math.random() * count)));
    while (await isUnderWay()) await hearMany(app, before, chats);
    expect(await findInconsistencies(app, before)).toEqual([]);
  });
}
