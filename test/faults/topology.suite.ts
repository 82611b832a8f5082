// The processes of docker-compose.yml as plain processes: two for callers, two that send, one PostgreSQL, one Redis. Each of them may end,
// and the others go on.

import { randomUUID } from 'node:crypto';
import { print } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import WebSocket from 'ws';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { gatewayToken, until } from '../features/messages/sending-harness.js';
import { Subscription } from '../support/graphql-client.js';
import {
  MessageReceivedDocument,
  SendMessageDocument,
  type MessageReceivedSubscription,
  type SendMessageMutation,
} from '../support/operations.js';
import { RedisServer, redisServerInstalled, steadyPort } from '../support/redis-server.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { ServiceProcess } from './service-process.js';

const whenRedis = redisServerInstalled() ? describe : describe.skip;
const contact = '4915100000001';

export function describeTopology(): void {
  let redis: RedisServer;
  let gateway: ScriptedGateway;
  let database: TestDatabase;
  let apis: ServiceProcess[];
  let workers: ServiceProcess[];
  let setUp: TestApp;
  let tenant: TestTenant;
  let clients: Client[];
  let subscriptions: Subscription<MessageReceivedSubscription>[];

  /** The `idempotency-key`s of the gateway's requests. */
  const sentKeys = () => gateway.requests.map(({ headers }) => String(headers['idempotency-key']));

  function startProcess(role: 'api' | 'worker'): Promise<ServiceProcess> {
    return ServiceProcess.start(database, {
      PROCESS_ROLE: role,
      REDIS_URL: redis.url,
      GATEWAY_URL: gateway.url,
      GATEWAY_TOKEN: gatewayToken,
    });
  }

  function listenTo({ port }: ServiceProcess): Subscription<MessageReceivedSubscription> {
    const client = createClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${tenant.operator.token}` },
    });
    clients.push(client);
    return new Subscription(client, MessageReceivedDocument);
  }

  async function post(to: ServiceProcess, path: string, body: object, headers: Record<string, string>) {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(`${to.url}${path}`, { ...options, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Record<string, any>>;
  }

  /** @returns the lead of the message */
  async function writeIn(to: ServiceProcess, messageId: string): Promise<string> {
    const body = { messageId, from: contact, text: messageId };
    const { results } = await post(to, '/webhooks/chat/gateway/inbound', body, withKey(tenant));
    return results[0].leadId as string;
  }

  /** @returns the message's id, which is its idempotency key at the gateway */
  async function sendOut(to: ServiceProcess, leadId: string): Promise<string> {
    const body = { query: print(SendMessageDocument), variables: { input: { leadId, body: 'Oi' } } };
    const { data, errors } = await post(to, '/graphql', body, withToken(tenant.operator));
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return (data as SendMessageMutation).sendMessage.id;
  }

  async function readinessOf({ url }: ServiceProcess): Promise<{ status: number; degraded?: string[] }> {
    const response = await fetch(`${url}/health/ready`);
    const { degraded } = (await response.json()) as { degraded?: string[] };
    return { status: response.status, ...(degraded === undefined ? {} : { degraded }) };
  }

  const untilReadiness = (degraded: string[] | undefined) =>
    until(
      () => Promise.all(apis.map(readinessOf)),
      (answers) => answers.every((answer) => JSON.stringify(answer.degraded) === JSON.stringify(degraded)),
    );

  /** Checks that messages come in and go out at every process for callers: each is heard at each of them, and sent once. */
  async function expectToWork(): Promise<void> {
    const written = apis.flatMap((api) => Array.from({ length: 5 }, () => ({ api, messageId: randomUUID() })));
    const leadIds = await Promise.all(written.map(({ api, messageId }) => writeIn(api, messageId)));
    expect(new Set(leadIds).size).toBe(1);
    const ids = await Promise.all(apis.flatMap((api) => leadIds.slice(0, 3).map((leadId) => sendOut(api, leadId))));
    await until(sentKeys, (keys) => ids.every((id) => keys.includes(id)));
    expect(sentKeys().filter((key) => ids.includes(key))).toHaveLength(ids.length);
    for (const subscription of subscriptions) {
      const heard = () => subscription.received.map(({ messageReceived }) => messageReceived.externalId);
      await until(heard, (externalIds) => written.every(({ messageId }) => externalIds.includes(messageId)));
      expect(new Set(heard()).size).toBe(heard().length);
    }
  }

  whenRedis('two processes for callers and two that send', () => {
    // All start at once, on a database without migrations, and before Redis runs.
    beforeAll(async () => {
      let count = 0;
      gateway = await ScriptedGateway.start((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ messageId: `provider-${(count += 1)}` }));
      });
      redis = new RedisServer(await steadyPort());
      database = await createTestDatabase('template1');
      const started = await Promise.all((['api', 'api', 'worker', 'worker'] as const).map(startProcess));
      [apis, workers] = [started.slice(0, 2), started.slice(2)];
      setUp = await TestApp.start({ PROCESS_ROLE: 'api' }, database);
      tenant = await setUp.createTenant();
    });

    beforeEach(async () => {
      clients = [];
      subscriptions = apis.map(listenTo);
      await untilHeard();
    });

    afterEach(async () => {
      for (const client of clients) await client.dispose();
    });

    afterAll(async () => {
      await Promise.all([...apis, ...workers].map((service) => service.end('SIGKILL')));
      await setUp.stop();
      await Promise.all([redis.stop(), gateway.close()]);
    });

    async function untilHeard(): Promise<void> {
      await until(
        async () => {
          await writeIn(apis[0]!, randomUUID());
          return subscriptions;
        },
        (all) => all.every(({ received }) => received.length > 0),
      );
    }

    test('start and work without Redis, say so, and take to it by themselves when it comes', async () => {
      await untilReadiness(['redis']);
      await expectToWork();
      await redis.start();
      await untilReadiness(undefined);
    });

    test('work as one', () => expectToWork());

    test('go on without Redis, say so, and return to it by themselves', async () => {
      await redis.stop();
      await untilReadiness(['redis']);
      await expectToWork();
      await redis.start();
      await untilReadiness(undefined);
      await expectToWork();
    });

    test('go on beside a Redis that stands still, and return to it by themselves', async () => {
      redis.pause();
      await untilReadiness(['redis']);
      await expectToWork();
      redis.resume();
      await untilReadiness(undefined);
      await expectToWork();
    });

    test('a worker that is killed is made up for by the other', async () => {
      await workers[0]!.end('SIGKILL');
      await expectToWork();
      workers[0] = await startProcess('worker');
      await expectToWork();
    });

    test('a process for callers that is killed takes only its own callers with it', async () => {
      const [first, second] = apis as [ServiceProcess, ServiceProcess];
      await first.end('SIGKILL');
      apis = [second];
      subscriptions = subscriptions.slice(1);
      await expectToWork();
      apis = [await startProcess('api'), second];
      await expectToWork();
    });

    test('none has logged a fault of ours', () => {
      expect([...apis, ...workers].flatMap(({ faults, crash }) => [...faults, crash]).filter(Boolean)).toEqual([]);
    });
  });
}
