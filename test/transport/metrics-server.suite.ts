// GET /metrics over the wire: its address, its access rules, and the counts of real work.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { pruneJob } from '../../src/features/retention/retention.jobs.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { MetricsServer } from '../../src/transport/http/metrics-server.js';
import { securityHeaders } from '../../src/transport/http/security-headers.js';
import { answering, ScriptedGateway } from '../providers/scripted-gateway.js';
import { waitForSubscribers } from '../features/live/live-harness.js';
import {
  createLead,
  hurryRetries,
  plainNumber,
  send,
  until,
  waitForStatus,
} from '../features/messages/sending-harness.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { Subscription, connect } from '../support/graphql-client.js';
import { EventsDocument, type EventsSubscription } from '../support/operations.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

const token = 'a token for those who watch';
const inbound = '/webhooks/chat/gateway/inbound';

export function describeMetricsServer(): void {
  let gateway: ScriptedGateway;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    gateway = await ScriptedGateway.start((request, response) => gatewayAnswer(request, response));
    app = await TestApp.start({
      METRICS_PORT: '0',
      METRICS_TOKEN: token,
      GATEWAY_URL: gateway.url,
      SOCKETS_PER_USER: '1',
      FAILED_AUTH_LIMIT: '1000000',
    });
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await app.stop();
    await gateway.close();
  });

  let gatewayAnswer = answering(200, { messageId: randomUUID() });

  interface Asking {
    method?: string;
    authorization?: string;
  }

  function ask(path = '/metrics', asking: Asking = {}, of = app): Promise<Response> {
    const { method = 'GET', authorization = `Bearer ${token}` } = asking;
    return fetch(`http://127.0.0.1:${of.app.metricsPort}${path}`, { method, headers: { authorization } });
  }

  const isUp = (samples: Map<string, number>) => samples.get('leadwire_database_up') === 1;

  /** Scrapes like `scrapeOnce`, until PostgreSQL has answered in time: otherwise a scrape leaves out the database's metrics. */
  function scrape(of = app): Promise<Map<string, number>> {
    return until(() => scrapeOnce(of), isUp);
  }

  /** The samples of a scrape: their values by name with labels, as Prometheus writes them. */
  async function scrapeOnce(of: TestApp): Promise<Map<string, number>> {
    const lines = (await (await ask('/metrics', {}, of)).text()).split('\n');
    const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  }

  /** Returns the growth of these samples by `work`, once all of them have grown. */
  async function rise(work: () => Promise<unknown>, names: string[], of = app): Promise<number[]> {
    const before = await scrape(of);
    await work();
    const added = async () => {
      const after = await scrape(of);
      return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
    };
    return until(added, (all) => all.every((one) => one > 0));
  }

  function postInbound(fields: object = {}): Promise<Response> {
    return app.post(inbound, { messageId: randomUUID(), from: plainNumber(), text: 'Oi', ...fields }, withKey(tenant));
  }

  describe('the port', () => {
    test('answers in the text of Prometheus, with the metrics of the process', async () => {
      const response = await ask();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect([...response.headers]).toEqual(expect.arrayContaining(securityHeaders));
      const samples = await scrape();
      const values = [...samples].flatMap(([name, value]) => (name.startsWith('leadwire_') ? [value] : []));
      expect(values.every(Number.isFinite)).toBe(true);
      for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', 'leadwire_database_up'])
        expect(samples.get(name)).toBeGreaterThan(0);
    });

    test.each([
      ['GET', '/'],
      ['GET', '/metrics/'],
      ['GET', '/health/live'],
      ['POST', '/metrics'],
      ['POST', '/public/leads'],
    ])('%s %s: nothing else is there', async (method, path) => {
      expect((await ask(path, { method })).status).toBe(404);
    });

    test.each(['', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token])(
      '%j opens nothing',
      async (authorization) => {
        const response = await ask('/metrics', { authorization });
        expect([response.status, await response.text()]).toEqual([401, '']);
      },
    );

    test('the public port has no metrics', async () => {
      expect((await app.get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(404);
    });

    test.each([{ METRICS_PORT: '' }, { METRICS_PORT: '0' }])('%j: without a token', async (environment) => {
      const other = await TestApp.start({ PROCESS_ROLE: 'api', ...environment }, app.database);
      const { metricsPort } = other.app;
      if (environment.METRICS_PORT === '') expect(metricsPort).toBeUndefined();
      else expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200);
      await other.stop({ keepDatabase: true });
    });

    test('one that is taken is named', async () => {
      const port = app.app.metricsPort ?? 0;
      const place = { port, host: '127.0.0.1', token: undefined };
      const second = new MetricsServer({ metrics: new Metrics(), log: createLogger('silent'), ...place });
      await expect(second.start()).rejects.toThrow(`METRICS_PORT ${port} is in use at 127.0.0.1`);
      await second.stop();
    });
  });

  describe('what is counted', () => {
    test('webhook calls by route, what became of their items, and the batches', async () => {
      const chat = plainNumber();
      const messageId = randomUUID();
      const status = { messageId: randomUUID(), status: 'DELIVERED' };
      const added = await rise(async () => {
        for (let count = 0; count < 2; count += 1) await app.post('/public/leads', { chat }, withKey(tenant));
        for (let count = 0; count < 3; count += 1) await postInbound({ messageId, from: chat });
        await app.post('/Webhooks/chat/gateway/status/?x=1', status, withKey(tenant));
      }, [
        'leadwire_http_requests_total{route="/public/leads",status="201",code=""}',
        'leadwire_http_requests_total{route="/public/leads",status="200",code=""}',
        'leadwire_http_request_duration_seconds_count{route="/webhooks/chat/gateway/inbound"}',
        'leadwire_http_requests_total{route="/webhooks/chat/gateway/status",status="200",code=""}',
        'leadwire_intake_items_total{item="lead",outcome="created"}',
        'leadwire_intake_items_total{item="lead",outcome="existing"}',
        'leadwire_intake_items_total{item="message",outcome="recorded"}',
        'leadwire_intake_items_total{item="message",outcome="duplicate"}',
        'leadwire_intake_items_total{item="status",outcome="parked"}',
      ]);
      expect(added).toEqual([1, 1, 3, 1, 1, 1, 1, 2, 1]);
      const samples = await scrape();
      expect(samples.get('leadwire_batch_size_count{batcher="leads"}')).toBeGreaterThan(0);
      expect(samples.get('leadwire_batch_waiting{batcher="leads"}')).toBe(0);
      expect(samples.get('leadwire_parked_statuses')).toBe(1);
    });

    test('refusals by route and code, wherever they are decided', async () => {
      const added = await rise(async () => {
        await app.post('/webhooks/leads', { chat: plainNumber() });
        await app.post('/webhooks/leads', { chat: plainNumber() }, { 'x-tenant-key': 'wrong' });
        await app.post('/webhooks/leads', {}, withKey(tenant));
        await app.get(`/tenants/${randomUUID()}`, withToken(tenant.admin));
        await app.get(`/nobody/knows/${plainNumber()}`);
        await app.post('/graphql', '{', withToken(tenant.admin));
      }, [
        'leadwire_http_requests_total{route="/webhooks/leads",status="401",code="UNAUTHENTICATED"}',
        'leadwire_failed_authentications_total',
        'leadwire_http_requests_total{route="/webhooks/leads",status="422",code="VALIDATION_FAILED"}',
        'leadwire_http_requests_total{route="/tenants/:id",status="404",code="NOT_FOUND"}',
        'leadwire_http_requests_total{route="other",status="404",code="NOT_FOUND"}',
        'leadwire_http_requests_total{route="/graphql",status="400",code="BAD_REQUEST"}',
      ]);
      expect(added).toEqual([2, 1, 1, 1, 1, 1]);
    });

    test('a caller who hangs up before the answer', async () => {
      const hangUp = async () => {
        const socket = connectTo(app.app.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write('POST /public/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
        socket.resetAndDestroy();
      };
      const before = await scrape();
      const count = (samples: Map<string, number>) =>
        [...samples].reduce((sum, [name, value]) => sum + (name.includes('status="aborted"') ? value : 0), 0);
      const isOneMore = (samples: Map<string, number>) => count(samples) === count(before) + 1;
      await hangUp();
      await until(scrape, isOneMore);
    });

    test('what goes beyond a rate limit', async () => {
      const environment = { PROCESS_ROLE: 'api', METRICS_PORT: '0', METRICS_TOKEN: token, THROTTLE_LIMIT: '1' };
      const narrow = await TestApp.start(environment, app.database);
      const post = () => narrow.post('/public/leads', { chat: plainNumber() }, withKey(tenant));
      const refused = 'leadwire_http_requests_total{route="/public/leads",status="429",code="RATE_LIMITED"}';
      const write = (count: number) => {
        const messages = Array.from({ length: count }, () => ({
          messageId: randomUUID(),
          from: plainNumber(),
          text: 'Oi',
        }));
        for (const message of messages) message.from = messages[0]!.from;
        return narrow.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
      };
      const look = () => narrow.get('/chat/instances');
      const limited = (kind: string) => `leadwire_rate_limited_total{limit="global",kind="${kind}"}`;
      const names = [refused, ...['lead', 'inbound', 'address'].map(limited)];
      const calls = () => Promise.all([post(), post(), post(), write(5), look(), look()]);
      expect(await rise(calls, names, narrow)).toEqual([2, 2, 4, 1]);
      const samples = await scrape(narrow);
      expect([limited('status'), 'leadwire_database_up'].map((name) => samples.get(name))).toEqual([0, 1]);
      expect([...samples.keys()].filter((name) => name.startsWith('leadwire_outbox'))).toEqual([]);
      await narrow.stop({ keepDatabase: true });
    });

    test('GraphQL operations over HTTP by type and outcome', async () => {
      const post = (query: string, headers = withToken(tenant.admin)) => app.post('/graphql', { query }, headers);
      const added = await rise(async () => {
        await post('{ me { id } }');
        await post('query Named { me { id } }');
        await post('{ me { id } }', {});
        await post('{ nothing }');
        await post(`mutation { deleteTemplate(id: "${randomUUID()}") }`);
      }, [
        'leadwire_graphql_operations_total{type="query",outcome="ok"}',
        'leadwire_graphql_operations_total{type="unknown",outcome="UNAUTHENTICATED"}',
        'leadwire_graphql_operations_total{type="unknown",outcome="VALIDATION_FAILED"}',
        'leadwire_graphql_operations_total{type="mutation",outcome="NOT_FOUND"}',
        'leadwire_graphql_operation_duration_seconds_count{type="query"}',
      ]);
      expect(added).toEqual([2, 1, 1, 1, 2]);
    });

    test('sockets, their operations and subscriptions, and how late events are', async () => {
      const client = connect(app, tenant.operator);
      const subscription = new Subscription(client, EventsDocument, {});
      await waitForSubscribers(app, tenant, 1);
      const samples = await scrape();
      for (const name of ['leadwire_sockets', 'leadwire_live_subscriptions', 'leadwire_live_tenants'])
        expect([name, samples.get(name)]).toEqual([name, 1]);
      expect(samples.get('leadwire_graphql_operations_total{type="subscription",outcome="ok"}')).toBe(1);

      // An event that executes slowly reaches a subscriber that catches up, and is not counted. Then another lead writes.
      const names = ['leadwire_live_lag_seconds_count', 'leadwire_live_deliveries_total'];
      let writtenCount = 0;
      const hear = async () => {
        const before = await scrape();
        await postInbound();
        writtenCount += 1;
        const isHeard = ({ events }: EventsSubscription) => events.type === 'MESSAGE_RECEIVED';
        const { length } = await subscription.until((received) => received.filter(isHeard).length === writtenCount);
        const after = await scrape();
        const [pages = 0, events = 0] = names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
        return { pages, events, heard: length };
      };
      const { events, heard } = await until(hear, (seen) => seen.pages > 0 && seen.events >= seen.pages);
      expect(heard).toBeGreaterThanOrEqual(events);

      const asked = async () => {
        for await (const answer of client.iterate({ query: '{ me { id } }' })) expect(answer.errors).toBeUndefined();
        for await (const answer of client.iterate({ query: `{ lead(id: "${randomUUID()}") { id } nothing }` }))
          throw new Error(`an answer: ${JSON.stringify(answer)}`);
      };
      const outcomes = ['type="query",outcome="ok"', 'type="unknown",outcome="VALIDATION_FAILED"'];
      const operations = outcomes.map((labels) => `leadwire_graphql_operations_total{${labels}}`);
      expect(await rise(() => asked().catch(() => undefined), operations)).toEqual([1, 1]);

      const closed = async () => {
        await client.dispose();
      };
      expect(await rise(closed, ['leadwire_sockets_closed_total{code="1000"}'])).toEqual([1]);
      expect((await scrape()).get('leadwire_sockets')).toBe(0);
    });

    test('sends by provider and outcome, and what waits', async () => {
      const own = await app.createTenant();
      // The alert OutboxStuck compares the accepted ones with 0: without a series it would be silent.
      expect((await scrape()).get('leadwire_sends_total{provider="evolution",outcome="accepted"}')).toBe(0);
      gatewayAnswer = answering(200, { messageId: randomUUID() });
      const lead = await createLead(app, own);
      const accepted = 'leadwire_sends_total{provider="gateway",outcome="accepted"}';
      const took = 'leadwire_send_duration_seconds_count{provider="gateway"}';
      expect(await rise(() => send(app, own, { leadId: lead, body: 'Oi' }), [accepted, took])).toEqual([1, 1]);

      // The retry is due so late that it does not start by itself.
      gatewayAnswer = answering(503, { error: { code: 'busy', message: 'Later' } }, { 'retry-after': '600' });
      const temporary = 'leadwire_sends_total{provider="gateway",outcome="temporary"}';
      expect(await rise(() => send(app, own, { leadId: lead, body: 'Oi' }), [temporary])).toEqual([1]);
      const waiting = `leadwire_outbox_tenant_messages{tenant="${own.id}"}`;
      await until(scrape, (samples) => samples.get(waiting) === 1);
      gatewayAnswer = answering(200, { messageId: randomUUID() });
      expect(await rise(() => hurryRetries(app, own), [accepted, 'leadwire_send_retries_total'])).toEqual([1, 1]);
      await until(scrape, (samples) => samples.get('leadwire_outbox_messages') === 0 && !samples.has(waiting));
    });

    test('tenants that wait for their rate limit, and how old what they wait with is', async () => {
      gatewayAnswer = (_request, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ messageId: randomUUID() }));
      };
      const own = await app.createTenant({ chatRateLimit: { max: 1, durationMs: 86_400_000 } });
      const leadId = await createLead(app, own);
      await waitForStatus(app, await send(app, own, { leadId, body: 'Oi' }), 'SENT');
      // The limit is used up, and no message waits for it.
      expect((await scrape()).get('leadwire_limiter_waiting_tenants')).toBe(0);
      await send(app, own, { leadId, body: 'Oi' });
      await until(scrape, (samples) => samples.get('leadwire_limiter_waiting_tenants') === 1);
      await send(app, own, { leadId, body: 'Oi', sendAt: new Date(Date.now() + 3_600_000).toISOString() });
      await app.sql("UPDATE outbox_entries SET due_at = now() - interval '1 hour' WHERE tenant_id = $1", [own.id]);
      const samples = await scrape();
      expect(samples.get(`leadwire_outbox_tenant_messages{tenant="${own.id}"}`)).toBe(1);
      for (const name of [
        'leadwire_outbox_oldest_seconds',
        `leadwire_outbox_tenant_oldest_seconds{tenant="${own.id}"}`,
      ])
        expect(samples.get(name)).toBeGreaterThanOrEqual(3_600);
      await app.sql('DELETE FROM outbox_entries WHERE tenant_id = $1', [own.id]);
    });

    test('scheduled tasks: when they last succeeded', async () => {
      const name = 'leadwire_job_last_success_timestamp_seconds{task="prune"}';
      const before = (await scrape()).get(name) ?? 0;
      expect(Date.now() / 1_000 - before).toBeLessThan(600);
      expect((await scrape()).get('leadwire_job_overdue_seconds{task="prune"}')).toBe(10_800);
      const { queue, database } = app.app.services;
      await rise(
        () => queue.send(database, pruneJob, {}),
        ['leadwire_job_runs_total{task="prune",outcome="succeeded"}'],
      );
      expect((await scrape()).get(name)).toBeGreaterThan(before);
    });
  });

  test('nothing that a caller wrote is in it, and no name, number or secret of a tenant', async () => {
    const name = `name-${randomUUID()}`;
    const from = plainNumber();
    const text = `text-${randomUUID()}`;
    await postInbound({ from, name, text });
    await app.post('/graphql', { query: `query ${name.replaceAll('-', '_')} { me { id } }` }, withToken(tenant.admin));
    await app.get(`/${name}`, withToken(tenant.admin));
    const told = await (await ask()).text();
    const { apiKey, slug, admin, operator, instance } = tenant;
    const secrets = [name, name.replaceAll('-', '_'), from, text, apiKey, slug, admin.token, operator.token, token];
    for (const secret of [...secrets, instance.name, gateway.url]) expect(told).not.toContain(secret);
  });

  test('while PostgreSQL is away, the process still reports itself, and says so; then everything is reported again', async () => {
    const database = await createTestDatabase();
    const proxy = await DatabaseProxy.to(database);
    const alone = await TestApp.start({ METRICS_PORT: '0', METRICS_TOKEN: token }, proxy.database);
    const outbox = 'leadwire_outbox_messages';
    expect((await scrape(alone)).get(outbox)).toBe(0);

    proxy.cut();
    const without = await until(
      () => scrapeOnce(alone),
      (samples) => !isUp(samples),
    );
    expect([without.has(outbox), without.get('leadwire_database_pool_size')]).toEqual([false, 8]);
    expect(without.get('process_resident_memory_bytes')).toBeGreaterThan(0);

    proxy.restore();
    expect((await scrape(alone)).get(outbox)).toBe(0);
    await alone.stop();
    await proxy.close();
  });

  test('a database that says nothing holds no scrape up, and is not asked again before it has answered', async () => {
    const metrics = new Metrics();
    let asked = 0;
    const answer = Promise.withResolvers<undefined>();
    metrics.readDatabaseBy(() => {
      asked += 1;
      return answer.promise;
    });
    for (let count = 0; count < 2; count += 1) expect(await metrics.render()).toContain('leadwire_database_up 0');
    expect(asked).toBe(1);
    answer.resolve(undefined);
    expect(await metrics.render()).toContain('leadwire_database_up 1');
  });
}
