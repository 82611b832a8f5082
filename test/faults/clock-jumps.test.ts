// A machine whose clock jumps an hour ahead, two back, and right again, while it takes in and sends: limits, order and the feed hold.

import { fileURLToPath } from 'node:url';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { ScriptedGateway } from '../clients/scripted-gateway.js';
import { createLead, gatewayToken, send, startSender, until } from '../features/messages/sending-harness.js';
import { Subscription, query } from '../support/graphql-client.js';
import { MessageReceivedDocument, MessagesDocument } from '../support/operations.js';
import { withKey } from '../support/test-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

const jumpingClock = fileURLToPath(new URL('./jumping-clock.ts', import.meta.url));
const limit = { max: 3, durationMs: 600 };
const dayMs = 86_400_000;

let gateway: ScriptedGateway;
let arrivals: { key: string; atMs: number }[];
let api: TestApp;
let tenant: TestTenant;
let service: ServiceProcess;
let jumpCount: number;

beforeAll(async () => {
  gateway = await ScriptedGateway.start(({ headers }, response) => {
    arrivals.push({ key: String(headers['idempotency-key']), atMs: performance.now() });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ messageId: `provider-${arrivals.length}` }));
  });
  api = await startSender(gateway, { PROCESS_ROLE: 'api', JWT_TTL_SECONDS: String(dayMs / 1_000) });
  service = await ServiceProcess.start(api.database, {
    NODE_OPTIONS: `--import=${jumpingClock}`,
    GATEWAY_URL: gateway.url,
    GATEWAY_TOKEN: gatewayToken,
  });
  jumpCount = 0;
});

beforeEach(async () => {
  arrivals = [];
  tenant = await api.createTenant({ chatRateLimit: limit });
});

afterAll(async () => {
  await service.end('SIGKILL');
  await gateway.close();
  await api.stop();
});

async function jump(): Promise<void> {
  jumpCount += 1;
  service.signal('SIGUSR2');
  await service.untilLogged(`jumped ${jumpCount}`);
}

test('sending: no window over the limit, the order of acceptance, each once', async () => {
  const leadId = await createLead(api, tenant);
  const ids: string[] = [];
  for (let number = 0; number < 16; number += 1) ids.push(await send(api, tenant, { leadId, body: `${number}` }));
  for (const sent of [3, 7, 11]) {
    await until(
      () => arrivals.length,
      (count) => count >= sent,
    );
    await jump();
  }
  await until(
    () => arrivals.length,
    (count) => count >= ids.length,
  );
  expect(arrivals.map(({ key }) => key)).toEqual(ids);
  const heldFrom = ({ atMs }: { atMs: number }) =>
    arrivals.filter((other) => other.atMs >= atMs && other.atMs < atMs + limit.durationMs).length;
  expect(Math.max(...arrivals.map(heldFrom))).toBeLessThanOrEqual(limit.max);
});

async function writeIn(text: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...withKey(tenant) };
  const body = JSON.stringify({ messageId: text, from: '4915100000001', text });
  return fetch(`${service.url}/webhooks/chat/gateway/inbound`, { method: 'POST', headers, body });
}

test('taking in: messages stay in the order in which they came, are heard in it, and no limit lasts longer than its window', async () => {
  const client = createClient({
    url: `ws://127.0.0.1:${service.port}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${tenant.operator.token}` },
  });
  const heard = new Subscription(client, MessageReceivedDocument);
  const texts: string[] = [];
  let leadId = '';
  const writeSome = async () => {
    for (let number = 0; number < 3; number += 1) {
      const text = `text ${texts.length}`;
      const response = await writeIn(text);
      expect(response.status).toBe(200);
      const resetSeconds = Number(/t=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
      expect(resetSeconds).toBeLessThanOrEqual(60);
      const { results } = (await response.json()) as { results: { leadId: string }[] };
      leadId = results[0]!.leadId;
      texts.push(text);
    }
  };
  try {
    await until(
      async () => {
        await writeSome();
        return heard.received.length;
      },
      (count) => count > 0,
    );
    for (let count = 0; count < 3; count += 1) {
      await jump();
      await writeSome();
    }
    await heard.until((received) => received.at(-1)?.messageReceived.externalId === texts.at(-1));
    const order = heard.received.map(({ messageReceived }) => messageReceived.externalId);
    expect(order).toEqual(texts.slice(-order.length));
    const { messages } = await query(api, tenant.operator, MessagesDocument, { leadId });
    expect(messages.edges.map(({ node }) => node.body)).toEqual(texts);
  } finally {
    await client.dispose();
  }
});

test('nothing of it is a fault of ours', () => {
  expect({ isRunning: service.isRunning, faults: service.faults, crash: service.crash }).toEqual({
    isRunning: true,
    faults: [],
    crash: '',
  });
});
