// Snoozes end by themselves: once each, whatever runs meanwhile, and also where no process ran when their time came.

import { query } from '../../support/graphql-client.js';
import { SnoozeConversationDocument } from '../../support/operations.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, createLeads, until } from '../messages/sending-harness.js';
import { loggedEvents, stateOf } from './conversation-harness.js';

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
}
