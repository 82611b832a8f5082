// Neighbours at the intake, at the default limits: the reports of a bulk send do not cause the refusal of other incoming calls. The waiting
// calls of one tenant take neither the room nor the turns of another.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { createTemplate, operatorOf, recipientsOf, storeLeads } from '../features/bulk-sends/bulk-harness.js';
import { renewInstance, startSender, startSimulator, until } from '../features/messages/sending-harness.js';
import { inboundPath, statusPath } from '../features/webhooks/journal-harness.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';

const recipients = Number(process.env['BULK_RECIPIENTS'] ?? 150);

export function describeCrowdedIntake(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;

  beforeAll(async () => {
    simulator = await startSimulator();
    app = await startSender(simulator, { THROTTLE_LIMIT: undefined });
  });
  afterAll(async () => {
    await simulator.close();
    await app.stop();
  });

  const message = (from: string, more: object = {}) => ({ messageId: randomUUID(), from, text: 'Oi', ...more });
  const number = (prefix: string, nr: number) => `${prefix}${String(nr).padStart(7, '0')}`;

  slow(
    'a bulk send: every report of it, and every lead and message that comes in meanwhile, is taken',
    async () => {
      const tenant = await app.createTenant();
      await renewInstance(app, tenant);
      simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }, tenant.instance.name);
      const leads = await storeLeads(app, tenant, recipients);
      const input = { templateId: await createTemplate(app, tenant), recipients: recipientsOf(leads) };
      const { bulkSends } = app.app.services;
      const { id } = await bulkSends.send(operatorOf(tenant), { ...input, idempotencyKey: randomUUID() });

      const incoming: number[] = [];
      const progress = async () => (await bulkSends.listProgress(operatorOf(tenant), [id]))[0]?.progress;
      const readMeanwhile = async () => {
        const nr = incoming.length;
        // THROTTLE_LIMIT counts a tenant's leads together, so there are fewer of them; it counts each sender's messages separately.
        if (nr < 90)
          incoming.push((await app.post('/public/leads', { chat: number('4930', nr) }, withKey(tenant))).status);
        const call = { ...message(number('4931', nr)), instance: tenant.instance.name };
        incoming.push((await app.post(inboundPath, call, withKey(tenant))).status);
        return progress();
      };
      expect(await until(readMeanwhile, (seen) => seen?.read === recipients, 240_000)).toMatchObject({ failed: 0 });
      await simulator.idle();

      const answers = simulator.webhookCalls().map(({ status }) => status);
      expect(answers).toEqual(Array(3 * recipients).fill(200));
      expect(incoming.filter((status) => status !== 200 && status !== 201)).toEqual([]);
    },
    300_000,
  );

  describe('a tenant whose batches cannot be written', () => {
    let flooding: TestTenant;
    let neighbour: TestTenant;
    let holder: pg.Client;

    beforeAll(async () => {
      flooding = await app.createTenant();
      neighbour = await app.createTenant();
      holder = new pg.Client({ connectionString: app.database.url });
      await holder.connect();
    });
    afterAll(() => holder.end());

    /** Locks the head of the tenant's event log, so that every write of the tenant waits while `work` goes on. */
    async function whileHeld(work: () => Promise<void>): Promise<void> {
      await app.post(inboundPath, message('4932000000000'), withKey(flooding));
      await holder.query('BEGIN');
      await holder.query('SELECT FROM event_heads WHERE tenant_id = $1 FOR UPDATE', [flooding.id]);
      try {
        await work();
      } finally {
        await holder.query('ROLLBACK');
      }
    }

    async function expectNeighbourServed(nr: number): Promise<void> {
      const post = async (path: string, body: unknown) => (await app.post(path, body, withKey(neighbour))).status;
      const from = number('4933', nr);
      const calls = [
        post('/public/leads', { chat: number('4939', nr) }),
        post(inboundPath, message(from)),
        post(statusPath, { messageId: `wamid.${nr}`, status: 'READ' }),
        post(inboundPath, '{'),
      ];
      expect(await Promise.all(calls)).toEqual([201, 200, 200, 400]);
      expect((await app.get('/health/ready')).status).toBe(200);
    }

    slow('fills its own room and no other: it is told to come again, its neighbour is served', async () => {
      const seen: Response[] = [];
      const calls: Promise<unknown>[] = [];
      const post = async (count: number, size: number) => {
        const ended = seen.length;
        for (let nr = 0; nr < count; nr += 1) {
          const messages = Array.from({ length: size }, (_, sender) => message(number('4934', sender)));
          calls.push(app.post(inboundPath, { messages }, withKey(flooding)).then((answer) => seen.push(answer)));
        }
        await until(
          () => seen.length,
          (length) => length > ended + 1,
        );
      };
      await whileHeld(async () => {
        // An item weighs 4 KiB: large calls fill the room, and smaller calls fill the rest.
        for (const [count, size] of [
          [50, 500],
          [10, 100],
          [20, 10],
          [20, 1],
        ] as const)
          await post(count, size);
        await expectNeighbourServed(1);
      });
      await Promise.all(calls);
      const refused = seen.filter(({ status }) => status === 503);
      expect(seen.filter(({ status }) => status === 200).length + refused.length).toBe(100);
      expect(refused.length).toBeGreaterThan(30);
      for (const answer of refused) expect(answer.headers.get('retry-after')).toBe('1');
    });

    test('takes half of the turns at most, whatever it sends', async () => {
      const calls: Promise<Response>[] = [];
      await whileHeld(async () => {
        const post = (path: string, body: unknown) => calls.push(app.post(path, body, withKey(flooding)));
        for (let nr = 0; nr < 30; nr += 1) {
          post('/public/leads', { chat: number('4935', nr) });
          post(inboundPath, message('4932000000000'));
          post(inboundPath, message(number('4936', nr)));
          post(inboundPath, { messages: [message(number('4937', nr)), message(number('4938', nr))] });
        }
        const held = () =>
          app.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
        await until(held, (rows) => rows.length >= 3);
        for (let nr = 2; nr < 6; nr += 1) await expectNeighbourServed(nr);
        expect((await held()).length).toBeLessThanOrEqual(3);
      });
      expect((await Promise.all(calls)).map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    });
  });
}
