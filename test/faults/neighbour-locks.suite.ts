// A tenant's calls wait for a locked lead, and hold their own locks meanwhile: no work of another tenant waits for them.

import pg from 'pg';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import {
  createLead,
  send,
  startSender,
  startSimulator,
  until,
  waitForStatus,
} from '../features/messages/sending-harness.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { phoneCall } from './phone-call.js';

const chat = '4915112345678';
/** Enough items to meet any fixed number of locks that all tenants would share. */
const echoCount = 490;
const statusCount = 100;

export function describeNeighbourLocks(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let holder: pg.Client;

  beforeAll(async () => {
    simulator = await startSimulator();
    app = await startSender(simulator);
    holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await app.stop();
    await simulator.close();
  });

  test('statuses and sends of a tenant pass those of another, which wait for its locked lead', async () => {
    const [flooding, neighbour]: TestTenant[] = [await app.createTenant(), await app.createTenant()];
    if (flooding === undefined || neighbour === undefined) throw new Error('there are two');
    const [lockedId, leadId] = [await createLead(app, flooding, chat), await createLead(app, neighbour)];
    await holder.query('BEGIN');
    await holder.query('SELECT FROM leads WHERE id = $1 FOR UPDATE', [lockedId]);
    const echoes = Array.from({ length: echoCount }, (_, index) => ({ externalId: `echo-${index}`, to: chat }));
    let isAnswered = false;
    const flood = app
      .post('/webhooks/chat/gateway/inbound', phoneCall(flooding.instance.name, echoes), withKey(flooding))
      .finally(() => (isAnswered = true));
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await until(
      () => app.sql(waiting),
      (rows) => rows.length > 0,
    );
    const statuses = Array.from({ length: statusCount }, (_, index) => ({
      messageId: `early-${index}`,
      status: 'READ',
    }));
    const reported = await app.post('/webhooks/chat/gateway/status', { statuses }, withKey(neighbour));
    const { results } = (await reported.json()) as { results: { outcome: string }[] };
    expect(results.map(({ outcome }) => outcome)).toEqual(statuses.map(() => 'parked'));
    await waitForStatus(app, await send(app, neighbour, { leadId, body: 'Oi' }), 'SENT');
    expect(isAnswered).toBe(false);
    await holder.query('ROLLBACK');
    expect((await flood).status).toBe(200);
  });
}
