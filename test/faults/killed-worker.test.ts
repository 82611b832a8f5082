// Processes that end while they send: killed between the gateway's acceptance and our write, and told to stop.

import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import WebSocket from 'ws';
import { ScriptedGateway } from '../clients/scripted-gateway.js';
import { createEndpoint, receive } from '../features/outgoing-webhooks/endpoint-harness.js';
import { WebhookReceiver, answering } from '../features/outgoing-webhooks/webhook-receiver.js';
import {
  createLead,
  createLeads,
  gatewayToken,
  plainNumber,
  readMessage,
  send,
  startSender,
  stateOf,
  until,
  waitForStatus,
} from '../features/messages/sending-harness.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { ServiceProcess } from './service-process.js';

/** Accepts at once, one id for each key, and answers when told to. */
class HoldingGateway {
  readonly held: { key: string; release: () => void }[] = [];
  readonly ids = new Map<string, string>();
  holds = true;
  readonly keys: string[] = [];

  receive(key: string, response: ServerResponse): void {
    this.keys.push(key);
    const messageId = this.ids.get(key) ?? `provider-${this.ids.size + 1}`;
    this.ids.set(key, messageId);
    const release = () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ messageId }));
    };
    if (this.holds) this.held.push({ key, release });
    else release();
  }
}

let holding: HoldingGateway;
let gateway: ScriptedGateway;
let api: TestApp;
let tenant: TestTenant;
let processes: ServiceProcess[] = [];

beforeAll(async () => {
  gateway = await ScriptedGateway.start(({ headers }, response) => {
    holding.receive(String(headers['idempotency-key']), response);
  });
  api = await startSender(gateway, { PROCESS_ROLE: 'api' });
  tenant = await api.createTenant();
});

beforeEach(() => {
  holding = new HoldingGateway();
});

afterEach(async () => {
  await Promise.all(processes.map((service) => service.end('SIGKILL')));
  processes = [];
});

afterAll(async () => {
  await gateway.close();
  await api.stop();
});

async function startProcess(role: string): Promise<ServiceProcess> {
  const environment = { PROCESS_ROLE: role, GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken };
  const service = await ServiceProcess.start(api.database, environment);
  processes.push(service);
  return service;
}

test('a worker killed after the gateway accepted: another sends under the same key, and the message is SENT once', async () => {
  const first = await startProcess('worker');
  const ids = await Promise.all(
    (await createLeads(api, tenant, 5)).map((leadId) => send(api, tenant, { leadId, body: 'Oi' })),
  );
  await until(
    () => holding.held.length,
    (count) => count === ids.length,
  );
  expect(await first.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  for (const id of ids) expect(await stateOf(api, id)).toMatchObject({ status: 'SENDING', externalId: null });

  holding.holds = false;
  await api.sql('UPDATE outbox_entries SET lease_until = now()');
  await startProcess('worker');
  for (const id of ids) {
    expect(await waitForStatus(api, id, 'SENT')).toMatchObject({ externalId: holding.ids.get(id) });
    const { timeline } = await readMessage(api, tenant, id);
    expect(timeline.map(({ toStatus }) => toStatus)).toEqual(['QUEUED', 'SENDING', 'SENT']);
  }
  expect(holding.keys.toSorted()).toEqual([...ids, ...ids].toSorted());
  expect(await api.sql('SELECT 1 FROM outbox_entries')).toEqual([]);
});

test('a lease that has not ended keeps a second worker from sending', async () => {
  const first = await startProcess('worker');
  const leased = await send(api, tenant, { leadId: await createLead(api, tenant), body: 'leased' });
  await until(
    () => holding.held.length,
    (count) => count === 1,
  );
  await first.end('SIGKILL');
  holding.holds = false;
  const second = await startProcess('worker');
  const free = await send(api, tenant, { leadId: await createLead(api, tenant), body: 'free' });
  await waitForStatus(api, free, 'SENT');
  expect(holding.keys).toEqual([leased, free]);
  await api.sql('UPDATE outbox_entries SET lease_until = now()');
  await waitForStatus(api, leased, 'SENT');
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a worker killed while it posts to a webhook endpoint: another posts every event, each under one id', async () => {
  const receiver = await WebhookReceiver.start();
  const endpoint = await createEndpoint(api, tenant, receiver.url);
  receiver.answer(endpoint.path, receiver.hang);
  const first = await startProcess('worker');
  const write = () => Promise.all(Array.from({ length: 20 }, () => receive(api, tenant, plainNumber())));
  const early = await write();
  await until(
    () => receiver.hanging,
    (count) => count === 8,
  );
  const [late] = await Promise.all([write(), first.end('SIGKILL')]);
  receiver.answer(endpoint.path, answering(204));
  await api.sql('UPDATE endpoint_deliveries SET due_at = now(), lease_until = now() WHERE lease_until > now()');
  const second = await startProcess('worker');
  const deliveries = await until(
    () =>
      api.sql<{ id: string; externalId: string }>(
        `SELECT d.id, m.external_id AS "externalId" FROM endpoint_deliveries d JOIN messages m ON m.id = d.message_id
         WHERE d.endpoint_id = $1 AND d.state = 'DELIVERED'`,
        [endpoint.id],
      ),
    ({ length }) => length >= early.length + late.length,
  );
  expect(deliveries.map(({ externalId }) => externalId).toSorted()).toEqual([...early, ...late].toSorted());
  expect(new Set(receiver.on(endpoint.path).map(({ id }) => id))).toEqual(new Set(deliveries.map(({ id }) => id)));
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await receiver.close();
});

test('SIGTERM during a send: it is finished and stored, sockets close with 1001, the exit code is 0, nothing is lost', async () => {
  const max = 5;
  const limited = await api.createTenant({ chatRateLimit: { max, durationMs: 86_400_000 } });
  const service = await startProcess('all');
  const leads = await createLeads(api, limited, 20);
  const ids = await Promise.all(leads.map((leadId) => send(api, limited, { leadId, body: 'Oi' })));
  await until(
    () => holding.held.length,
    (count) => count === max,
  );
  const socket = new WebSocket(`ws://127.0.0.1:${service.port}/graphql`, ['graphql-transport-ws']);
  await once(socket, 'open');
  const closed = once(socket, 'close');

  const ended = service.end('SIGTERM');
  await service.untilLogged('draining');
  expect((await closed)[0]).toBe(1001);
  for (const { release } of holding.held) release();
  expect({ ...(await ended), log: service.log }).toMatchObject({ code: 0, signal: null });

  const accepted = [...holding.keys];
  expect(accepted).toHaveLength(max);
  for (const id of accepted) expect((await stateOf(api, id)).status).toBe('SENT');
  const rest = ids.filter((id) => !accepted.includes(id));
  for (const id of rest) expect((await stateOf(api, id)).status).toBe('QUEUED');

  holding.holds = false;
  await api.sql('UPDATE tenants SET chat_rate_max = NULL, chat_rate_duration_ms = NULL WHERE id = $1', [limited.id]);
  const next = await startProcess('worker');
  for (const id of rest) await waitForStatus(api, id, 'SENT');
  expect(holding.keys.toSorted()).toEqual(ids.toSorted());
  expect(await next.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a process told to stop twice still ends with 0', async () => {
  const service = await startProcess('api');
  void service.end('SIGTERM');
  await service.untilLogged('draining');
  expect({ ...(await service.end('SIGTERM')), log: service.log }).toMatchObject({ code: 0, signal: null });
});

test('a send that nobody answers holds a process no longer than SHUTDOWN_TIMEOUT_MS', async () => {
  const environment = { PROCESS_ROLE: 'worker', GATEWAY_URL: gateway.url, SHUTDOWN_TIMEOUT_MS: '1000' };
  const service = await ServiceProcess.start(api.database, environment);
  processes.push(service);
  await send(api, tenant, { leadId: await createLead(api, tenant), body: 'Oi' });
  await until(
    () => holding.held.length,
    (count) => count === 1,
  );
  expect(await service.end('SIGTERM')).toEqual({ code: 1, signal: null });
  expect(service.faults).toEqual([expect.stringContaining('SHUTDOWN_TIMEOUT_MS')]);
});

test('a process that is told to end leaves new messages, and their jobs, to others', async () => {
  const environment = { PROCESS_ROLE: 'all', GATEWAY_URL: gateway.url, SHUTDOWN_DELAY_MS: '300000' };
  const service = await ServiceProcess.start(api.database, environment);
  processes.push(service);
  const other = await api.createTenant();
  const leadId = await createLead(api, other);
  service.signal('SIGTERM');
  await until(
    () => fetch(`${service.url}/health/ready`),
    ({ status }) => status === 503,
  );
  // What it had asked the queue for before that, it has been told.
  await until(
    () =>
      api.sql(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'leadwire-queue' AND state <> 'idle'`,
      ),
    (busy) => busy.length === 0,
  );
  const id = await send(api, other, { leadId, body: 'Oi' });
  // Handlers have had their turn once what is under way is finished.
  expect({ ...(await service.end('SIGTERM')), log: service.log }).toMatchObject({ code: 0, signal: null });
  const jobs = await api.sql(
    "SELECT state::text FROM pgboss.job WHERE name = 'dispatch-outbound' AND data->>'tenantId' = $1",
    [other.id],
  );
  expect(jobs).toEqual([{ state: 'created' }]);
  expect((await stateOf(api, id)).status).toBe('QUEUED');
});
