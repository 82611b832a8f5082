// A gateway's reports of one message in every order, with repeats. They come in calls of their own, in one call, before the message is
// known, or all at once through two applications. The tests check the message's final status, all its times, and its timeline.

import { randomUUID } from 'node:crypto';
import { readMessage } from '../features/messages/sending-harness.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';
import { phoneCall, writtenAtSeconds } from './phone-call.js';

const statuses = ['SENT', 'DELIVERED', 'READ', 'FAILED'] as const;
type Status = (typeof statuses)[number];
type StoredMessage = Awaited<ReturnType<typeof readMessage>>;

const reportedAtSeconds: Record<Status, number> = {
  SENT: writtenAtSeconds + 10,
  DELIVERED: writtenAtSeconds + 20,
  READ: writtenAtSeconds + 30,
  FAILED: writtenAtSeconds + 40,
};
const ranks: Record<string, number> = { SENT: 2, DELIVERED: 3, READ: 4 };
const error = { code: '131026', message: 'Undeliverable' };

/** @param step 1 takes all 64 orders; 3 takes 22, of every length and with every status first */
export function describeStatusOrders(step = 3): void {
  let apps: [TestApp, TestApp];
  let tenant: TestTenant;

  beforeAll(async () => {
    const first = await TestApp.start();
    apps = [first, await TestApp.start({}, first.database)];
  });

  beforeEach(async () => {
    tenant = await apps[0].createTenant();
  });

  afterAll(async () => {
    await apps[1].stop({ keepDatabase: true });
    await apps[0].stop();
  });

  /** Every order of every choice among the statuses: 64 in all. */
  function ordersOf(choice: readonly Status[]): Status[][] {
    return choice.flatMap((status) => {
      const rest = choice.filter((other) => other !== status);
      return [[status], ...ordersOf(rest).map((order) => [status, ...order])];
    });
  }

  const allOrders = ordersOf(statuses);
  const orders = allOrders.filter((_, index) => index % step === 0);

  /** Returns each status twice in a row, and the whole order once more. */
  function withRepeats(order: readonly Status[]): Status[] {
    return [...order.flatMap((status) => [status, status]), ...order];
  }

  function reportOf(externalId: string, status: Status): object {
    const cause = status === 'FAILED' ? { error } : {};
    return { messageId: externalId, status, timestamp: reportedAtSeconds[status], ...cause };
  }

  async function take(path: string, body: unknown, app = apps[0]): Promise<{ outcome?: string; messageId?: string }[]> {
    const response = await app.post(path, body, withKey(tenant));
    const answer = (await response.json()) as { results: { outcome?: string; messageId?: string }[] };
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer.results;
  }

  function report(body: unknown, app?: TestApp) {
    return take('/webhooks/chat/gateway/status', body, app);
  }

  /** @returns the service's ids of these messages, in their order */
  async function writeOnPhone(externalIds: readonly string[]): Promise<string[]> {
    const call = phoneCall(
      tenant.instance.name,
      externalIds.map((externalId) => ({ externalId, to: '5511988887777' })),
    );
    return (await take('/webhooks/chat/gateway/inbound', call)).map(({ messageId = '' }) => messageId);
  }

  function isoOf(status: Status): string {
    return new Date(reportedAtSeconds[status] * 1_000).toISOString();
  }

  /** The message's state after these reports, whatever their order; `deliveredAt` is judged by itself. */
  function endOf(reported: readonly Status[]): object {
    const status = (['READ', 'DELIVERED', 'FAILED'] as const).find((one) => reported.includes(one)) ?? 'SENT';
    return {
      status,
      // The message was SENT before any report, so a report of SENT changes nothing.
      sentAt: new Date(writtenAtSeconds * 1_000).toISOString(),
      readAt: reported.includes('READ') ? isoOf('READ') : null,
      failedAt: status === 'FAILED' ? isoOf('FAILED') : null,
      error: status === 'FAILED' ? error : null,
    };
  }

  /**
   * The delivered time depends on the order. READ fills a missing delivered time with its own, and a DELIVERED that comes after it is late
   * and changes nothing. @returns the possible times
   */
  function deliveryTimesOf(reported: readonly Status[], order: 'in order' | 'any' | 'by rank'): (string | null)[] {
    const [delivered, read] = [reported.indexOf('DELIVERED'), reported.indexOf('READ')];
    if (delivered === -1) return [read === -1 ? null : isoOf('READ')];
    if (read === -1 || order === 'by rank') return [isoOf('DELIVERED')];
    if (order === 'any') return [isoOf('DELIVERED'), isoOf('READ')];
    return [isoOf(delivered < read ? 'DELIVERED' : 'READ')];
  }

  /** Checks that each step leads on from the one before, and upwards. The exception is a failure that a later arrival revokes. */
  function expectExplained({ status, timeline }: StoredMessage): void {
    const steps = timeline.map(({ fromStatus, toStatus }) => ({ from: fromStatus, to: toStatus }));
    expect(steps[0]).toEqual({ from: null, to: 'SENT' });
    expect(steps.slice(1).map(({ from }) => from)).toEqual(steps.slice(0, -1).map(({ to }) => to));
    expect(steps.at(-1)?.to).toBe(status);
    const arrivals = steps.flatMap(({ to }) => ranks[to] ?? []);
    expect(arrivals).toEqual([...new Set(arrivals)].toSorted((one, other) => one - other));
    for (const { from, to } of steps.slice(1)) {
      if (from === 'FAILED') expect(['DELIVERED', 'READ']).toContain(to);
      if (to === 'FAILED') expect(from).toBe('SENT');
    }
  }

  async function expectEnd(id: string, reported: readonly Status[], order: Parameters<typeof deliveryTimesOf>[1]) {
    const message = await readMessage(apps[0], tenant, id);
    expect({ reported, ...message }).toMatchObject({ reported, ...endOf(reported) });
    expect(deliveryTimesOf(reported, order)).toContain(message.deliveredAt);
    expectExplained(message);
  }

  async function readAll(ids: readonly string[]): Promise<StoredMessage[]> {
    const messages: StoredMessage[] = [];
    for (const id of ids) messages.push(await readMessage(apps[0], tenant, id));
    return messages;
  }

  const newIds = () => orders.map(() => randomUUID());

  test('all orders are 64', () => {
    expect(new Set(allOrders.map((order) => order.join())).size).toBe(64);
  });

  test('each report in a call of its own', async () => {
    const externalIds = newIds();
    const ids = await writeOnPhone(externalIds);
    await Promise.all(
      orders.map(async (order, index) => {
        for (const status of withRepeats(order)) await report(reportOf(externalIds[index] ?? '', status));
      }),
    );
    for (const [index, order] of orders.entries()) await expectEnd(ids[index] ?? '', order, 'in order');
  });

  test('all reports of a message in one call, and the calls again', async () => {
    const externalIds = newIds();
    const ids = await writeOnPhone(externalIds);
    const bodies = orders.map((order, index) => ({
      statuses: withRepeats(order).map((status) => reportOf(externalIds[index] ?? '', status)),
    }));
    await Promise.all(bodies.map((body) => report(body)));
    const before = await readAll(ids);
    const again = await Promise.all(bodies.map((body) => report(body)));
    expect(new Set(again.flat().map(({ outcome }) => outcome))).toEqual(new Set(['ignored']));
    expect(await readAll(ids)).toEqual(before);
    for (const [index, order] of orders.entries()) await expectEnd(ids[index] ?? '', order, 'in order');
  });

  test('before the message is known: parked, and applied by rank whatever their order', async () => {
    const externalIds = newIds();
    await Promise.all(
      orders.map(async (order, index) => {
        for (const status of withRepeats(order)) {
          const [result] = await report(reportOf(externalIds[index] ?? '', status));
          expect(result?.outcome).toBe('parked');
        }
      }),
    );
    const ids = await writeOnPhone(externalIds);
    for (const [index, order] of orders.entries()) await expectEnd(ids[index] ?? '', order, 'by rank');
    expect(await apps[0].sql('SELECT * FROM parked_statuses')).toEqual([]);
  });

  test('all at once through two applications, while the messages become known', async () => {
    const externalIds = newIds();
    const calls = orders.flatMap((order, index) =>
      withRepeats(order).map((status) => reportOf(externalIds[index] ?? '', status)),
    );
    const reported = Promise.all(calls.map((body, index) => report(body, apps[index % 2])));
    const ids = await writeOnPhone(externalIds);
    await reported;
    for (const [index, order] of orders.entries()) await expectEnd(ids[index] ?? '', order, 'any');
    expect(await apps[0].sql('SELECT * FROM parked_statuses')).toEqual([]);
  });
}
