// Reads from a real streaming replica: which reads use it, and a replica that lags or goes. No caller sees less than it knows of.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/dev/embedded-postgres/embedded-postgres.js';
import { shareLimits } from '../../../src/platform/database/connection-shares.js';
import { Database } from '../../../src/platform/database/database.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { applyMigrations } from '../../../src/platform/database/migrations.js';
import { Operation, inOperation } from '../../../src/platform/database/operation.js';
import { createLead, plainNumber, until } from '../../features/messages/sending-harness.js';
import { connect } from '../../support/graphql-client.js';
import { PostgresReplica } from '../../support/postgres-replica.js';
import { steadyPort } from '../../support/redis-server.js';
import { TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';

const silentLog = { info: () => undefined, warn: () => undefined };
const migrationsDir = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

const inbox = 'query { inbox(first: 5) { edges { node { id lastMessage { body } } } } }';

export function describeReadReplicas(): void {
  let folder: string;
  let primary: EmbeddedPostgres;
  let replica: PostgresReplica;
  let apps: TestApp[];
  let tenant: TestTenant;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-replica-'));
    await chmod(folder, 0o755);
    primary = await startEmbeddedPostgres({
      dataDir: join(folder, 'primary'),
      log: silentLog,
      preferredPort: 0,
      // Commits do not wait for the disk, but are in the log before any reader sees them.
      parameters: { fsync: 'off' },
    });
    await applyMigrations(primary.url, { migrationsDir, log: silentLog });
    replica = await PostgresReplica.of(primary, join(folder, 'replica'), await steadyPort());
    const environment = {
      DATABASE_REPLICA_URL: replica.databaseUrl('leadwire'),
      DATABASE_REPLICA_MAX_LAG_MS: '3000',
      METRICS_PORT: '0',
    };
    const database = { url: primary.url, drop: () => Promise.resolve() };
    apps = [await TestApp.start(environment, database), await TestApp.start(environment, database)];
    tenant = await apps[0]!.createTenant();
  }, 60_000);

  afterAll(async () => {
    for (const app of apps) await app.stop({ keepDatabase: true });
    await replica.remove();
    await primary.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask<Data>(app: TestApp, text: string, variables: object = {}): Promise<Data> {
    const answer = await app.post('/graphql', { query: text, variables }, withToken(tenant.operator));
    const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  }

  async function receive(app: TestApp, chat: string, body: string): Promise<void> {
    const message = { messageId: `${chat} ${body}`, from: chat, text: body };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    expect(answer.status).toBe(200);
  }

  async function newestBody(app: TestApp): Promise<string | undefined> {
    const page = await ask<{ inbox: { edges: { node: { lastMessage: { body: string } } }[] } }>(app, inbox);
    return page.inbox.edges[0]?.node.lastMessage.body;
  }

  async function readFrom(app: TestApp): Promise<{ primary: number; replica: number }> {
    const text = await (await fetch(`http://127.0.0.1:${app.app.metricsPort}/metrics`)).text();
    const countOf = (server: string) =>
      Number(new RegExp(`leadwire_database_read_operations_total\\{server="${server}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
    return { primary: countOf('primary'), replica: countOf('replica') };
  }

  async function degraded(app: TestApp): Promise<string[]> {
    const answer = await app.get('/health/ready');
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { degraded?: string[] }).degraded ?? [];
  }

  const untilServed = (app: TestApp) =>
    until(
      async () => {
        const before = await readFrom(app);
        await newestBody(app);
        return (await readFrom(app)).replica - before.replica;
      },
      (served) => served === 1,
    );

  test('queries are read from the replica, and what they see is never older than what was answered elsewhere', async () => {
    const [first, second] = apps as [TestApp, TestApp];
    await untilServed(second);
    const before = await readFrom(second);
    const chat = plainNumber();
    for (let count = 0; count < 50; count += 1) {
      await receive(first, chat, `own ${count}`);
      expect(await newestBody(second)).toBe(`own ${count}`);
    }
    const after = await readFrom(second);
    expect(after.replica - before.replica).toBeGreaterThan(25);
  });

  test('an export has every lead that was answered elsewhere', async () => {
    const [first, second] = apps as [TestApp, TestApp];
    await untilServed(second);
    const before = await readFrom(second);
    for (let count = 0; count < 20; count += 1) {
      const chat = plainNumber();
      await createLead(first, tenant, chat);
      const answer = await second.get('/leads/export.csv', withToken(tenant.operator));
      expect(await answer.text()).toContain(chat);
    }
    expect((await readFrom(second)).replica).toBeGreaterThan(before.replica);
  });

  test('who hears of a message by an event finds it, in whatever process', async () => {
    const [first, second] = apps as [TestApp, TestApp];
    const lead = await createLead(first, tenant);
    const { chat } = (await ask<{ lead: { chat: string } }>(second, `query { lead(id: "${lead}") { chat } }`)).lead;
    const { eventCursor } = await ask<{ eventCursor: string }>(second, 'query { eventCursor }');
    const client = connect(second, tenant.operator);
    const events = client.iterate<{ events: { message: { id: string; body: string } | null } }>({
      query: 'subscription($after: String) { events(after: $after) { message { id body } } }',
      variables: { after: eventCursor },
    });
    const found: (string | null)[] = [];
    const reading = (async () => {
      for await (const { data } of events) {
        const message = data?.events.message;
        if (message == null) continue;
        const page = await ask<{ message: { body: string } | null }>(
          first,
          `query { message(id: "${message.id}") { body } }`,
        );
        found.push(page.message?.body ?? null);
        if (found.length === 20) return;
      }
    })();
    for (let count = 0; count < 20; count += 1) await receive(count % 2 === 0 ? first : second, chat, `event ${count}`);
    await reading;
    await client.dispose();
    expect(found).toEqual(Array.from({ length: 20 }, (_, count) => `event ${count}`));
  });

  test('while its replay stands still the primary serves, health and metrics say so, and it comes back', async () => {
    const [first, second] = apps as [TestApp, TestApp];
    await untilServed(second);
    await replica.pauseReplay();
    const chat = plainNumber();
    for (let count = 0; count < 5; count += 1) {
      await receive(first, chat, `paused ${count}`);
      expect(await newestBody(second)).toBe(`paused ${count}`);
    }
    await until(
      () => degraded(second),
      (names) => names.includes('replica'),
    );
    const text = await (await fetch(`http://127.0.0.1:${second.app.metricsPort}/metrics`)).text();
    expect(text).toMatch(/leadwire_database_replica_left_out\{replica="127\.0\.0\.1:\d+"\} 1/);
    expect(Number(/leadwire_database_replica_lag_seconds\{[^}]*\} ([\d.]+)/.exec(text)?.[1])).toBeGreaterThan(1);
    await replica.resumeReplay();
    await untilServed(second);
    expect(await newestBody(second)).toBe('paused 4');
    expect(await degraded(second)).toEqual([]);
  });

  test('a replica that is killed under load fails nobody, and serves again after its start', async () => {
    const [first] = apps as [TestApp];
    await untilServed(first);
    const over = new AbortController();
    const readers = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) await newestBody(first);
    });
    await replica.kill();
    await until(
      () => degraded(first),
      (names) => names.includes('replica'),
    );
    await replica.start();
    await until(
      () => degraded(first),
      (names) => names.length === 0,
    );
    over.abort();
    await Promise.all(readers);
    await untilServed(first);
  }, 60_000);

  test("a tenant has its share of each server's connections, and no more", async () => {
    const urls = [replica.databaseUrl('leadwire')];
    const log = createLogger('silent');
    const database = new Database({ url: primary.url, poolSize: 8, log, replicas: { urls, maxLagMs: 3_000 } });
    await database.start();
    const { reads } = shareLimits(8).tenant;
    // The statement runs long enough for each look to find some of them, even where a look takes its time.
    const sleep = 'SELECT pg_sleep(1), count(*) OVER () FROM leads LIMIT 1';
    const read = () => {
      const operation = new Operation({ tenantId: tenant.id, isReading: true });
      return inOperation(operation, () => database.query(sleep)).finally(() => operation.end());
    };
    const readings = Array.from({ length: 12 }, read);
    const most = { primary: 0, replica: 0 };
    const look = async () => {
      const running = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query = '${sleep}' AND state = 'active'`;
      const [onReplica] = await replica.run(running);
      const [onPrimary] = await apps[0]!.sql<{ count: number }>(running);
      most.replica = Math.max(most.replica, Number(onReplica?.['count']));
      most.primary = Math.max(most.primary, onPrimary?.count ?? 0);
    };
    const over = new AbortController();
    const looking = (async () => {
      while (!over.signal.aborted) await look();
    })();
    await Promise.all(readings);
    over.abort();
    await looking;
    await database.close();
    expect(most).toEqual({ primary: reads, replica: reads });
  });

  test('a server of other data is not used', async () => {
    const log = createLogger('silent');
    const urls = [primary.databaseUrl('leadwire'), replica.databaseUrl('postgres')];
    const database = new Database({ url: primary.url, poolSize: 2, log, replicas: { urls, maxLagMs: 3_000 } });
    await database.start();
    const reasons = database.replicaUse.map(({ awayBecause }) => awayBecause);
    await database.close();
    expect(reasons).toEqual(['it is not a replica any more', 'it has other data than the primary']);
  });

  test('a dashboard counts what it had to compute on the way', async () => {
    const [first, second] = apps as [TestApp, TestApp];
    const text =
      'query { dashboards { edges { node { widgets { ... on FigureWidget { data { metric count } } } } } } }';
    type Answer = { dashboards: { edges: { node: { widgets: { data?: { metric: string; count: number } }[] } }[] } };
    const countLeads = async () => {
      const { edges } = (await ask<Answer>(second, text)).dashboards;
      const figures = edges.flatMap(({ node }) => node.widgets.flatMap(({ data }) => data ?? []));
      return figures.find(({ metric }) => metric === 'LEADS_CREATED')?.count ?? 0;
    };
    const before = await countLeads();
    for (let count = 1; count <= 5; count += 1) {
      await createLead(first, tenant, plainNumber());
      expect(await countLeads()).toBe(before + count);
    }
  });
}
