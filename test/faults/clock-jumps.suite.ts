// A machine whose clock jumps an hour ahead, two back, and right again, beside a machine whose clock is right. Both take messages in and
// send: limits (even when a limit changes meanwhile), order and the feed hold.

import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { createLeads, gatewayToken, send, startSender, until } from '../features/messages/sending-harness.js';
import { Subscription, query } from '../support/graphql-client.js';
import { MessageReceivedDocument, MessagesDocument, UpdateTenantDocument } from '../support/operations.js';
import { slow } from '../support/slow.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

const jumpingClock = fileURLToPath(new URL('./jumping-clock.ts', import.meta.url));
const limit = { max: 3, durationMs: 600 };
const lowerLimit = { max: 2, durationMs: 600 };
const dayMs = 86_400_000;

export function describeClockJumps(): void {
  let gateway: ScriptedGateway;
  let arrivals: { key: string; atMs: number }[];
  let api: TestApp;
  let tenant: TestTenant;
  let service: ServiceProcess;
  let worker: ServiceProcess;
  let jumpCount: number;

  beforeAll(async () => {
    gateway = await ScriptedGateway.start(({ headers }, response) => {
      arrivals.push({ key: String(headers['idempotency-key']), atMs: performance.now() });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messageId: `provider-${arrivals.length}` }));
    });
    api = await startSender(gateway, { PROCESS_ROLE: 'api', JWT_TTL_SECONDS: String(dayMs / 1_000) });
    const environment = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken };
    [service, worker] = await Promise.all([
      ServiceProcess.start(api.database, { NODE_OPTIONS: `--import=${jumpingClock}`, ...environment }),
      ServiceProcess.start(api.database, { PROCESS_ROLE: 'worker', ...environment }),
    ]);
    jumpCount = 0;
  });

  beforeEach(async () => {
    arrivals = [];
    tenant = await api.createTenant({ chatRateLimit: limit });
  });

  afterAll(async () => {
    await Promise.all([service.end('SIGKILL'), worker.end('SIGKILL')]);
    await gateway.close();
    await api.stop();
  });

  async function jump(): Promise<void> {
    jumpCount += 1;
    service.signal('SIGUSR2');
    await service.untilLogged(`jumped ${jumpCount}`);
  }

  const untilArrived = (wanted: number) =>
    until(
      () => arrivals.length,
      (count) => count >= wanted,
    );

  /** The most of these arrivals within one window. */
  function fullestWindow(of: typeof arrivals): number {
    const heldFrom = ({ atMs }: { atMs: number }) =>
      of.filter((other) => other.atMs >= atMs && other.atMs < atMs + limit.durationMs).length;
    return Math.max(...of.map(heldFrom));
  }

  slow(
    'sending: no window over the limit, nor over a lower one from its change on, the order of acceptance, each once',
    async () => {
      const leadIds = await createLeads(api, tenant, 4);
      const ids: string[][] = leadIds.map(() => []);
      const sendToAll = async (count: number) => {
        for (let number = 0; number < count; number += 1)
          for (const [index, leadId] of leadIds.entries())
            ids[index]?.push(await send(api, tenant, { leadId, body: `${number}` }));
      };
      await sendToAll(3);
      for (const sent of [3, 7]) {
        await untilArrived(sent);
        await jump();
      }
      await query(api, tenant.admin, UpdateTenantDocument, { id: tenant.id, input: { chatRateLimit: lowerLimit } });
      const before = new Set(ids.flat());
      await sendToAll(2);
      await jump();
      await untilArrived(ids.flat().length);
      const keys = arrivals.map(({ key }) => key);
      expect(keys.toSorted()).toEqual(ids.flat().toSorted());
      for (const ofLead of ids) expect(keys.filter((key) => ofLead.includes(key))).toEqual(ofLead);
      expect(fullestWindow(arrivals)).toBeLessThanOrEqual(limit.max);
      // The later messages were accepted after the change, and therefore granted after it.
      const later = arrivals.filter(({ key }) => !before.has(key));
      expect(fullestWindow(later)).toBeLessThanOrEqual(lowerLimit.max);
    },
  );

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
          // All written messages have to fit into a page.
          await delay(100);
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
      const { messages } = await query(api, tenant.operator, MessagesDocument, { leadId, first: 200 });
      expect(messages.edges.map(({ node }) => node.body)).toEqual(texts);
    } finally {
      await client.dispose();
    }
  });

  test('nothing of it is a fault of ours', () => {
    for (const { isRunning, faults, crash } of [service, worker])
      expect({ isRunning, faults, crash }).toEqual({ isRunning: true, faults: [], crash: '' });
  });
}
