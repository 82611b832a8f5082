// Gateways' reports, too early, twice or out of order, and a message's status in the end.

import type { SimulatorBehaviour } from '../../../src/simulator/behaviour.schema.js';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  createLead,
  createLeads,
  readMessage,
  renewInstance,
  send,
  stateOf,
  waitForEmptyOutbox,
  waitForStatus,
  withSender,
} from './sending-harness.js';

export function describeMessageStatus(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;

  withSender((sender) => ({ simulator, app, tenant } = sender));
  beforeAll(() => simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }));

  beforeEach(() => renewInstance(app, tenant));

  const ranks: Record<string, number> = { QUEUED: 0, SENDING: 1, SENT: 2, DELIVERED: 3, READ: 4 };

  async function sendThrough(behaviour: Partial<SimulatorBehaviour>, count: number): Promise<string[]> {
    simulator.behave(behaviour, tenant.instance.name);
    const leads = await createLeads(app, tenant, count);
    const ids = await Promise.all(leads.map((leadId) => send(app, tenant, { leadId, body: 'Oi' })));
    await waitForEmptyOutbox(app);
    await simulator.idle();
    return ids;
  }

  const chaos: [string, Partial<SimulatorBehaviour>][] = [
    ['before the send is answered', { earlyStatusRate: 1 }],
    ['before the answer, and twice each', { earlyStatusRate: 1, duplicateRate: 1 }],
    ['twice each', { duplicateRate: 1 }],
    ['in a random order', { reorderRate: 1 }],
    ['in reverse, twice each', { reorderRate: 1, reorderAs: 'reverse', duplicateRate: 1 }],
    ['all at the same moment', { sentDelayMs: 0, deliveredDelayMs: 0, readDelayMs: 0, duplicateRate: 1 }],
    ['as ISO times', { timestampFormat: 'iso', earlyStatusRate: 0.5, reorderRate: 0.5, duplicateRate: 0.5 }],
    ['while answers are lost', { dropAnswerRate: 0.3, duplicateRate: 0.5, reorderRate: 0.5 }],
  ];

  test.each(chaos)('reports that come %s leave every message READ, and nothing parked', async (_name, behaviour) => {
    const ids = await sendThrough(behaviour, 12);
    for (const id of ids) {
      const message = await readMessage(app, tenant, id);
      expect(message).toMatchObject({ status: 'READ', error: null, failedAt: null });
      const times = [message.sentAt, message.deliveredAt, message.readAt].map((time) => Date.parse(time ?? ''));
      const known = times.filter((time) => !Number.isNaN(time));
      expect(known.length).toBeGreaterThanOrEqual(2);
      const steps = message.timeline.map((transition) => ranks[transition.toStatus] ?? Number.NaN);
      expect(steps).toEqual(steps.toSorted((one, other) => one - other));
      expect(new Set(steps).size).toBe(steps.length);
    }
    expect(await app.sql('SELECT * FROM parked_statuses')).toEqual([]);
  });

  test('a message that fails after it was accepted is FAILED with the provider’s code', async () => {
    const [id = ''] = await sendThrough({ failAfterAcceptRate: 1, failAfterAcceptCode: '131047' }, 1);
    expect(await stateOf(app, id)).toMatchObject({ status: 'FAILED', errorCode: '131047' });
  });

  describe('reports sent to the webhook by hand', () => {
    async function report(messageId: string, status: string, more: object = {}): Promise<string | undefined> {
      const body = { instance: tenant.instance.name, messageId, status, ...more };
      const answer = await app.post('/webhooks/chat/gateway/status', body, withKey(tenant));
      expect(answer.status).toBe(200);
      const { results } = (await answer.json()) as { results: { outcome: string }[] };
      return results[0]?.outcome;
    }

    async function sentMessage(): Promise<{ id: string; externalId: string }> {
      simulator.behave(
        { sentDelayMs: 3_600_000, deliveredDelayMs: 3_600_000, readDelayMs: 3_600_000 },
        tenant.instance.name,
      );
      const id = await send(app, tenant, { leadId: await createLead(app, tenant), body: 'Oi' });
      const { externalId } = await waitForStatus(app, id, 'SENT');
      return { id, externalId: externalId ?? '' };
    }

    const sequences: [string[], string][] = [
      [['DELIVERED', 'SENT'], 'DELIVERED'],
      [['READ', 'DELIVERED', 'SENT'], 'READ'],
      [['READ'], 'READ'],
      [['FAILED'], 'FAILED'],
      [['FAILED', 'SENT'], 'FAILED'],
      [['FAILED', 'DELIVERED'], 'DELIVERED'],
      [['FAILED', 'READ', 'DELIVERED'], 'READ'],
      [['DELIVERED', 'FAILED'], 'DELIVERED'],
      [['READ', 'FAILED', 'FAILED'], 'READ'],
    ];

    test.each(sequences)('%j ends %s', async (statuses, final) => {
      const { id, externalId } = await sentMessage();
      for (const status of statuses)
        await report(externalId, status, status === 'FAILED' ? { error: { code: '1' } } : {});
      expect(await stateOf(app, id)).toMatchObject({ status: final, errorCode: final === 'FAILED' ? '1' : null });
    });

    test('READ fills a missing delivered time, and the failure it overrides is gone', async () => {
      const { id, externalId } = await sentMessage();
      await report(externalId, 'FAILED', { error: { code: '1', message: 'No' } });
      await report(externalId, 'READ', { timestamp: '2026-01-02T03:04:05Z' });
      expect(await readMessage(app, tenant, id)).toMatchObject({
        status: 'READ',
        readAt: '2026-01-02T03:04:05.000Z',
        deliveredAt: '2026-01-02T03:04:05.000Z',
        failedAt: null,
        error: null,
      });
    });

    test('of a clock that tells whole seconds: no step of the timeline is dated before the one it followed', async () => {
      const { id, externalId } = await sentMessage();
      const { sentAt } = await readMessage(app, tenant, id);
      const timestamp = Math.floor(Date.parse(sentAt ?? '') / 1_000);
      await report(externalId, 'DELIVERED', { timestamp });
      await report(externalId, 'READ', { timestamp });
      const { timeline, deliveredAt } = await readMessage(app, tenant, id);
      expect(timeline.map(({ toStatus }) => toStatus)).toEqual(['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ']);
      const times = timeline.slice(2).map(({ occurredAt }) => Date.parse(occurredAt));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      // The message itself keeps the provider's time.
      expect(Date.parse(deliveredAt ?? '')).toBe(timestamp * 1_000);
    });

    test('a time that lies further back stays as the provider told it', async () => {
      const { id, externalId } = await sentMessage();
      await report(externalId, 'DELIVERED', { timestamp: '2026-01-02T03:04:05Z' });
      expect((await readMessage(app, tenant, id)).timeline.at(-1)?.occurredAt).toBe('2026-01-02T03:04:05.000Z');
    });

    test('a report from a clock that runs ahead is not dated in the future', async () => {
      const { id, externalId } = await sentMessage();
      await report(externalId, 'DELIVERED', { timestamp: '2099-01-01T00:00:00Z' });
      const [row] = await app.sql('SELECT delivered_at <= now() AS past FROM messages WHERE id = $1', [id]);
      expect(row).toEqual({ past: true });
    });

    test('ten simultaneous reports of one status apply once', async () => {
      const { id, externalId } = await sentMessage();
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => report(externalId, 'DELIVERED')));
      const ordered = outcomes.map(String).toSorted();
      expect(ordered).toEqual(['applied', ...Array.from({ length: 9 }, () => 'ignored')]);
      const { timeline } = await readMessage(app, tenant, id);
      expect(timeline.filter(({ toStatus }) => toStatus === 'DELIVERED')).toHaveLength(1);
    });

    test('a report for an id that never comes stays parked and touches nothing', async () => {
      expect(await report('never-sent', 'DELIVERED')).toBe('parked');
      const parked = await app.sql('SELECT external_id FROM parked_statuses');
      expect(parked).toEqual([{ external_id: 'never-sent' }]);
      await app.sql('DELETE FROM parked_statuses');
    });

    test('a report under another tenant’s key reaches no message of this one', async () => {
      const { id, externalId } = await sentMessage();
      const other = await app.createTenant();
      const body = { messageId: externalId, status: 'READ' };
      const answer = await app.post('/webhooks/chat/gateway/status', body, withKey(other));
      expect(await answer.json()).toMatchObject({ results: [{ outcome: 'parked', messageId: null }] });
      expect((await stateOf(app, id)).status).toBe('SENT');
    });
  });
}
