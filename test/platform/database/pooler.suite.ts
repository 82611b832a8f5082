// A pooler that hands out servers by transaction, with a direct address beside it: all statements of the service go through it.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Database } from '../../../src/platform/database/database.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Operation, inOperation } from '../../../src/platform/database/operation.js';
import { requirePooler } from '../../../src/platform/database/pooler.js';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { createLead, send, startSender, startSimulator, until } from '../../features/messages/sending-harness.js';
import { connect } from '../../support/graphql-client.js';
import { Pgbouncer, pgbouncerInstalled } from '../../support/pgbouncer.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createTestDatabase, runOnServer, type TestDatabase } from '../../support/test-database.js';

const whenInstalled = pgbouncerInstalled() ? describe : describe.skip;
/** There are fewer sessions than the application has connections, so sessions change hands. */
const settings = 'pool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 200';

export function describePooler(): void {
  whenInstalled('pgbouncer by transaction', () => {
    let database: TestDatabase;
    let pooler: Pgbouncer;

    beforeAll(async () => {
      database = await createTestDatabase();
      // The service would read times wrongly in any zone but UTC.
      const name = new URL(database.url).pathname.slice(1);
      await runOnServer(database.url, [`ALTER DATABASE ${name} SET timezone = 'America/Sao_Paulo'`]);
      const guide = await readFile(new URL('../../../src/docs/operate-growth.md', import.meta.url), 'utf8');
      const connectQuery = /connect_query='([^']+)'/.exec(guide)?.[1];
      pooler = await Pgbouncer.start(database.url, settings, connectQuery);
    });

    afterAll(async () => {
      await pooler.stop();
      await database.drop();
    });

    test('the settings of the guide are enough, and without them the start is refused', async () => {
      await expect(requirePooler(pooler.url, database.url)).resolves.toBeUndefined();
      const bare = await Pgbouncer.start(database.url, settings);
      const refused = expect(requirePooler(bare.url, database.url)).rejects.toThrow(
        /^Sessions of the pooler of DATABASE_URL are not set as they have to be \(.*enable_seqscan is on/,
      );
      await refused;
      await bare.stop();
    });

    test('an address of another database is refused', async () => {
      const other = await createTestDatabase();
      const refused = expect(requirePooler(pooler.url, other.url)).rejects.toThrow(/lead to different databases/);
      await refused;
      await other.drop();
    });

    describe('an application on it', () => {
      let simulator: GatewaySimulator;
      let app: TestApp;
      let tenant: TestTenant;

      beforeAll(async () => {
        simulator = await startSimulator();
        const through = { url: pooler.url, drop: () => Promise.resolve() };
        app = await startSender(simulator, { DATABASE_DIRECT_URL: database.url }, through);
        tenant = await app.createTenant();
      });

      afterAll(async () => {
        await app.stop({ keepDatabase: true });
        await simulator.close();
      });

      async function ask<Data>(query: string): Promise<Data> {
        const answer = await app.post('/graphql', { query }, withToken(tenant.operator));
        const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
        expect(errors).toBeUndefined();
        return data;
      }

      test('many calls at once are stored once each, with their times', async () => {
        const receive = (messageId: string, from: string) =>
          app.post('/webhooks/chat/gateway/inbound', { messageId, from, text: messageId }, withKey(tenant));
        const ids = Array.from({ length: 100 }, () => randomUUID());
        const startedAtMs = Date.now();
        const calls = [...ids, ...ids].map((id, index) =>
          receive(id, `49151000${String(index % 10).padStart(4, '0')}`),
        );
        for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
        type Answer = { allMessages: { totalCount: number; edges: { node: { createdAt: string } }[] } };
        const { allMessages } = await ask<Answer>(
          'query { allMessages(first: 200) { totalCount edges { node { createdAt } } } }',
        );
        expect(allMessages.totalCount).toBe(100);
        for (const { node } of allMessages.edges)
          expect(Math.abs(Date.parse(node.createdAt) - startedAtMs)).toBeLessThan(60_000);
      });

      test('messages are sent through jobs, and live events come', async () => {
        const client = connect(app, tenant.operator);
        const { eventCursor } = await ask<{ eventCursor: string }>('query { eventCursor }');
        const events = client.iterate<{ events: { type: string } }>({
          query: 'subscription($after: String) { events(after: $after) { type } }',
          variables: { after: eventCursor },
        });
        const wanted = new Set(['MESSAGE_CREATED', 'MESSAGE_STATUS_CHANGED']);
        const hearing = (async () => {
          for await (const { data } of events) {
            wanted.delete(data?.events.type ?? '');
            if (wanted.size === 0) return;
          }
        })();
        const leadId = await createLead(app, tenant);
        const id = await send(app, tenant, { leadId, body: 'through the pooler' });
        const read = () => ask<{ message: { status: string } }>(`query { message(id: "${id}") { status } }`);
        await until(read, ({ message }) => message.status === 'SENT');
        await hearing;
        await client.dispose();
      });
    });

    test('a search that nobody waits for is cancelled in the session that runs it', async () => {
      const log = createLogger('silent');
      const through = new Database({ url: pooler.url, poolSize: 4, log, isPooled: true });
      const operation = new Operation({ tenantId: 'any' });
      const search = inOperation(operation, () => through.search('SELECT pg_sleep(60)', []));
      const cancelled = expect(search).rejects.toThrow('canceling statement due to user request');
      const countRunning = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'`;
      await until(
        () => through.query<{ count: number }>(countRunning),
        ([row]) => row?.count === 1,
      );
      operation.end();
      await cancelled;
      await through.close();
    });
  });
}
