// Batches that touch the same records in opposite order, through two applications on one database: they provoke deadlocks.

import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { createLeads, send, startSender, startSimulator, waitForStatus } from '../features/messages/sending-harness.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeOppositeOrders(): void {
  let simulator: GatewaySimulator;
  let apps: [TestApp, TestApp];
  let tenant: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator();
    const first = await startSender(simulator);
    apps = [first, await startSender(simulator, {}, first.database)];
    tenant = await first.createTenant();
  });

  afterAll(async () => {
    await simulator.close();
    await apps[1].stop({ keepDatabase: true });
    await apps[0].stop();
  });

  /** Posts each body to the two applications in turn, all at once. */
  async function postAll(path: string, bodies: readonly unknown[]): Promise<Response[]> {
    const posts = bodies.map((body, index) => (index % 2 === 0 ? apps[0] : apps[1]).post(path, body, withKey(tenant)));
    return Promise.all(posts);
  }

  /** Returns the items in their order, reversed, and rotated by a different share each time. */
  function orders<Item>(items: readonly Item[], count: number): Item[][] {
    return Array.from({ length: count }, (_, index) => {
      const turned = [...items.slice(index % items.length), ...items.slice(0, index % items.length)];
      return index % 2 === 0 ? turned : turned.toReversed();
    });
  }

  const numbers = Array.from({ length: 8 }, (_, index) => `491530000000${index}`);

  test('inbound batches of 8 new leads in mixed orders: all are taken, each message once, each lead once', async () => {
    const messages = numbers.map((from, index) => ({ messageId: `same-${index}`, from, text: 'Oi' }));
    const bodies = orders(messages, 24).map((batch) => ({ messages: batch }));
    const answers = await postAll('/webhooks/chat/gateway/inbound', bodies);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const fresh: string[] = [];
    for (const answer of answers) {
      const { results } = (await answer.json()) as { results: { messageId: string; duplicate: boolean }[] };
      expect(results).toHaveLength(messages.length);
      fresh.push(...results.filter(({ duplicate }) => !duplicate).map(({ messageId }) => messageId));
    }
    expect(new Set(fresh).size).toBe(messages.length);
    expect(fresh).toHaveLength(messages.length);
    const leads = await apps[0].sql('SELECT unread_count AS unread FROM leads WHERE chat = ANY($1)', [numbers]);
    expect(leads).toEqual(numbers.map(() => ({ unread: 1 })));
  });

  test('inbound batches of different messages to the same 8 leads: every one counts', async () => {
    const count = 24;
    const bodies = orders(numbers, count).map((batch, index) => ({
      messages: batch.map((from) => ({ messageId: `own-${index}-${from}`, from, text: `${index}` })),
    }));
    const answers = await postAll('/webhooks/chat/gateway/inbound', bodies);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const leads = await apps[0].sql('SELECT unread_count AS unread FROM leads WHERE chat = ANY($1)', [numbers]);
    expect(leads).toEqual(numbers.map(() => ({ unread: 1 + count })));
  });

  test('the same lead posted 40 times at once through both: one is created, all get it', async () => {
    const bodies = Array.from({ length: 40 }, () => ({ chat: '4915300000099', name: 'Ana' }));
    const answers = await postAll('/public/leads', bodies);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([...bodies.slice(1).map(() => 200), 201]);
    const leads = await Promise.all(answers.map(async (answer) => (await answer.json()) as { id: string }));
    expect(new Set(leads.map(({ id }) => id)).size).toBe(1);
  });

  test('status batches of the same 8 messages in mixed orders: all are taken, and each status applies once', async () => {
    const leads = await createLeads(apps[0], tenant, 8);
    const ids = await Promise.all(leads.map((leadId) => send(apps[0], tenant, { leadId, body: 'Oi' })));
    const externalIds: string[] = [];
    for (const id of ids) externalIds.push((await waitForStatus(apps[0], id, 'SENT')).externalId ?? '');
    const reports = externalIds.map((messageId) => ({ messageId, status: 'DELIVERED' }));
    const bodies = orders(reports, 12).map((statuses) => ({ statuses }));
    const answers = await postAll('/webhooks/chat/gateway/status', bodies);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const outcomes: string[] = [];
    for (const answer of answers) {
      const { results } = (await answer.json()) as { results: { outcome: string }[] };
      outcomes.push(...results.map(({ outcome }) => outcome));
    }
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(reports.length);
    expect(outcomes.filter((outcome) => outcome === 'ignored')).toHaveLength(reports.length * (bodies.length - 1));
  });

  test('status batches of 8 ids that are not known yet in mixed orders are all parked', async () => {
    const reports = numbers.map((number) => ({ messageId: `later-${number}`, status: 'DELIVERED' }));
    const bodies = orders(reports, 12).map((statuses) => ({ statuses }));
    const answers = await postAll('/webhooks/chat/gateway/status', bodies);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
}
