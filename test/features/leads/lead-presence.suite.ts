// The presence of users at a lead, as colleagues on two processes hear of it.

import type { Client } from 'graphql-ws';
import { Subscription, connect, execute, failureOf, query } from '../../support/graphql-client.js';
import {
  ClaimLeadDocument,
  EventsDocument,
  ReleaseLeadDocument,
  type EventsSubscription,
  type PresenceIntent,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, type TestTenant, type TestUser } from '../../support/test-app.js';
import { disposeAll, waitForSubscribers } from '../live/live-harness.js';
import { createLead } from '../messages/sending-harness.js';

export function describeLeadPresence(): void {
  let app: TestApp;
  let second: TestApp;
  let tenant: TestTenant;
  let leadId: string;
  let clients: Client[] = [];

  beforeAll(async () => {
    app = await sharedApp();
    second = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
  });

  beforeEach(async () => {
    tenant = await app.createTenant();
    leadId = await createLead(app, tenant);
  });

  afterEach(async () => {
    await disposeAll(clients);
    clients = [];
  });

  afterAll(async () => {
    await second.stop({ keepDatabase: true });
  });

  const claim = async (user: TestUser, intent: PresenceIntent, at = app) =>
    (await query(at, user, ClaimLeadDocument, { leadId, intent })).claimLead.presence;

  async function listen(): Promise<Subscription<EventsSubscription>> {
    const client = connect(second, tenant.operator);
    clients.push(client);
    const subscription = new Subscription(client, EventsDocument);
    await waitForSubscribers(second, tenant, 1);
    return subscription;
  }

  const told = ({ received }: Subscription<EventsSubscription>) =>
    received.map(({ events }) => ({
      type: events.type,
      presence: events.lead?.presence.map(({ user, intent }) => [user.id, intent]),
    }));

  test('a claim, another intent and a release are told; a renewal is not, and only makes the lease longer', async () => {
    const { admin, operator } = tenant;
    const heard = await listen();
    const [first] = await claim(operator, 'VIEWING');
    expect(first).toMatchObject({ user: { id: operator.id }, intent: 'VIEWING' });
    const leaseMs = Date.parse(first?.expiresAt ?? '') - Date.parse(first?.since ?? '');
    expect(leaseMs).toBe(30_000);
    await heard.until((received) => received.length === 1);
    await app.sql("UPDATE lead_presences SET expires_at = expires_at - interval '20 seconds' WHERE lead_id = $1", [
      leadId,
    ]);
    const [renewed] = await claim(operator, 'VIEWING', second);
    expect(renewed?.since).toBe(first?.since);
    expect(Date.parse(renewed?.expiresAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.expiresAt ?? ''));
    expect(await claim(admin, 'ANSWERING')).toHaveLength(2);
    await heard.until((received) => received.length === 2);
    await claim(operator, 'ANSWERING');
    await heard.until((received) => received.length === 3);
    const { releaseLead } = await query(app, operator, ReleaseLeadDocument, { leadId });
    expect(releaseLead.presence).toEqual([{ intent: 'ANSWERING' }]);
    await query(app, operator, ReleaseLeadDocument, { leadId });
    await heard.until((received) => received.length === 4);
    expect(told(heard)).toEqual([
      { type: 'LEAD_PRESENCE_CHANGED', presence: [[operator.id, 'VIEWING']] },
      {
        type: 'LEAD_PRESENCE_CHANGED',
        presence: [
          [operator.id, 'VIEWING'],
          [admin.id, 'ANSWERING'],
        ],
      },
      {
        type: 'LEAD_PRESENCE_CHANGED',
        presence: [
          [admin.id, 'ANSWERING'],
          [operator.id, 'ANSWERING'],
        ],
      },
      { type: 'LEAD_PRESENCE_CHANGED', presence: [[admin.id, 'ANSWERING']] },
    ]);
  });

  test('a lease that ends is reported once, by whichever process finds it', async () => {
    const { admin, operator } = tenant;
    await claim(operator, 'VIEWING');
    await claim(admin, 'VIEWING');
    const heard = await listen();
    await app.sql("UPDATE lead_presences SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      operator.id,
    ]);
    await heard.until((received) => received.length === 1);
    await app.sql("UPDATE lead_presences SET expires_at = now() - interval '1 second' WHERE user_id = $1", [admin.id]);
    await heard.until((received) => received.length === 2);
    expect(told(heard)).toEqual([
      { type: 'LEAD_PRESENCE_CHANGED', presence: [[admin.id, 'VIEWING']] },
      { type: 'LEAD_PRESENCE_CHANGED', presence: [] },
    ]);
    expect(await app.sql('SELECT FROM lead_presences WHERE lead_id = $1', [leadId])).toEqual([]);
  });

  test('after its end a claim starts again', async () => {
    const [first] = await claim(tenant.operator, 'VIEWING');
    await app.sql(
      "UPDATE lead_presences SET since = since - interval '1 minute', expires_at = now() WHERE lead_id = $1",
      [leadId],
    );
    const [again] = await claim(tenant.operator, 'VIEWING');
    expect(Date.parse(again?.since ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.since ?? ''));
  });

  test('twenty claims of one lead at once are one presence each', async () => {
    const users = [tenant.operator, tenant.admin];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => claim(users[index % 2]!, 'ANSWERING', index % 3 ? app : second)),
    );
    expect(await claim(tenant.operator, 'ANSWERING')).toHaveLength(2);
  });

  test.each(['no lead', '01890000-0000-7000-8000-000000000000'])('%s is NOT_FOUND', async (unknown) => {
    const variables = { leadId: unknown, intent: 'VIEWING' } as const;
    expect(failureOf(await execute(app, tenant.operator, ClaimLeadDocument, variables)).code).toBe('NOT_FOUND');
    expect(failureOf(await execute(app, tenant.operator, ReleaseLeadDocument, variables)).code).toBe('NOT_FOUND');
  });
}
