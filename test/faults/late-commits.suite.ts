// A change that is written first and committed last: readers of the log see it in its place, and see later changes only after it. A trigger
// that runs within COMMIT holds the commit back.

import pg from 'pg';
import type { Client } from 'graphql-ws';
import { createLead, until } from '../features/messages/sending-harness.js';
import { disposeAll, waitForSubscribers, writeAs } from '../features/live/live-harness.js';
import { Subscription, connect, query } from '../support/graphql-client.js';
import { EventsDocument, MarkLeadReadDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, type TestTenant } from '../support/test-app.js';

const gate = 4_711;
const [ana, bia] = ['4915100000501', '4915100000502'];

export function describeLateCommits(): void {
  let app: TestApp;
  let second: TestApp;
  let tenant: TestTenant;
  let holder: pg.Client;
  let clients: Client[] = [];

  beforeAll(async () => {
    app = await sharedApp();
    second = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
    tenant = await app.createTenant();
    holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    await holder.query(`CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(${gate}); RETURN NULL; END'`);
    await holder.query(`CREATE CONSTRAINT TRIGGER held_commit AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.type = 'LEAD_READ') EXECUTE FUNCTION wait_at_gate()`);
  });

  afterAll(async () => {
    await disposeAll(clients);
    await holder.end();
    await second.stop({ keepDatabase: true });
  });

  /** Waits until so many statements of this database wait for another transaction; the server also has other databases. */
  async function untilWaiting(count: number): Promise<void> {
    const read = () =>
      app.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
    await until(read, (waiting) => waiting.length >= count);
  }

  test('what commits late is missed by nobody, and nobody sees what stands behind it before', async () => {
    const leadId = await createLead(app, tenant, ana);
    await writeAs(app, tenant, ana, 'unread');
    await createLead(app, tenant, bia);
    clients = [app, second].map((at) => connect(at, tenant.operator));
    const seen = clients.map((client) => new Subscription(client, EventsDocument));
    for (const at of [app, second]) await waitForSubscribers(at, tenant, 1);

    await holder.query('SELECT pg_advisory_lock($1)', [gate]);
    const late = query(app, tenant.operator, MarkLeadReadDocument, { id: leadId });
    await untilWaiting(1);
    // The first change takes the fast path of the intake, the second takes a transaction.
    const behind = [writeAs(second, tenant, bia, 'behind'), createLead(app, tenant, '4915100000503')];
    await untilWaiting(3);
    await holder.query('SELECT pg_advisory_unlock($1)', [gate]);
    await Promise.all([late, ...behind]);
    await writeAs(app, tenant, bia, 'the end');

    for (const subscription of seen) {
      await subscription.until((received) => received.some(({ events }) => events.message?.body === 'the end'));
      const [first, ...others] = subscription.received.map(({ events }) => events.type);
      expect(first).toBe('LEAD_READ');
      expect(others.toSorted()).toEqual(['LEAD_CREATED', 'MESSAGE_RECEIVED', 'MESSAGE_RECEIVED']);
    }
  });
}
