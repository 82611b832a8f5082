// PostgreSQL ends all connections of the service, again and again, under load.

import { print } from 'graphql';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { Subscription, type GraphqlAnswer, type GraphqlErrorBody } from '../support/graphql-client.js';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { MessageReceivedDocument, SendMessageDocument, type SendMessageMutation } from '../support/operations.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { createLeads, gatewayToken, until, withSender } from '../features/messages/sending-harness.js';
import { ServiceProcess } from './service-process.js';

const callsPerRound = 20;

export function describeBrokenConnections(): void {
  describeConnectionsBroken(3);
}

export function describeManyBrokenConnections(): void {
  describeConnectionsBroken(8);
}

function describeConnectionsBroken(rounds: number): void {
  let service: ServiceProcess;
  let simulator: GatewaySimulator;
  let api: TestApp;
  let tenant: TestTenant;

  afterAll(() => service.end('SIGKILL'));
  withSender((sender) => ({ simulator, app: api, tenant } = sender), { PROCESS_ROLE: 'api' });
  beforeAll(async () => {
    service = await ServiceProcess.start(api.database, { GATEWAY_URL: simulator.url, GATEWAY_TOKEN: gatewayToken });
  });

  /** @returns the number of ended connections */
  async function endConnections(): Promise<number> {
    const ended = await api.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'leadwire%'`,
    );
    return ended.length;
  }

  interface Call {
    kind: 'inbound' | 'send';
    /** The provider's id, or the idempotency key. */
    key: string;
    /** HTTP status, or the GraphQL error's code. */
    outcome: string;
    acknowledged: boolean;
    messageId?: string | undefined;
  }

  async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return fetch(`${service.url}${path}`, { ...options, body: JSON.stringify(body) });
  }

  const noAnswer = 'no answer';

  async function writeIn(key: string, from: string): Promise<Call> {
    const body = { messageId: key, from, text: key };
    const response = await post('/webhooks/chat/gateway/inbound', body, withKey(tenant)).catch(() => undefined);
    const outcome = response === undefined ? noAnswer : String(response.status);
    return { kind: 'inbound', key, outcome, acknowledged: response?.status === 200 };
  }

  async function sendOut(key: string, leadId: string): Promise<Call> {
    const variables = { input: { leadId, body: key, idempotencyKey: key } };
    const body = { query: print(SendMessageDocument), variables };
    const response = await post('/graphql', body, withToken(tenant.operator)).catch(() => undefined);
    if (response === undefined) return { kind: 'send', key, outcome: noAnswer, acknowledged: false };
    const { data, errors } = (await response.json()) as GraphqlAnswer<SendMessageMutation>;
    const messageId = data?.sendMessage.id;
    const outcome = errors?.[0]?.extensions.code ?? 'OK';
    return { kind: 'send', key, outcome, acknowledged: messageId !== undefined, messageId };
  }

  function listen(): { heard: Subscription<{ messageReceived: { externalId: string | null } }>; end: () => unknown } {
    const client = createClient({
      url: `ws://127.0.0.1:${service.port}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${tenant.operator.token}` },
    });
    return { heard: new Subscription(client, MessageReceivedDocument), end: () => client.dispose() };
  }

  test('calls succeed or are told to retry, nothing acknowledged is lost, and live subscribers hear it all', async () => {
    const leads = await createLeads(api, tenant, 5);
    const { heard, end } = listen();
    await until(
      async () => {
        await writeIn(`probe-${heard.received.length}-${Date.now()}`, '4915200000000');
        return heard.received.length;
      },
      (count) => count > 0,
    );

    const calls: Call[] = [];
    let endedCount = 0;
    for (let round = 0; round < rounds; round += 1) {
      const running = Array.from({ length: callsPerRound }, (_, index) => {
        const key = `${round}-${index}`;
        return index % 2 === 0 ? writeIn(key, `491520000000${index % 10}`) : sendOut(key, leads[index % 5] ?? '');
      });
      // Once some calls are under way and some are done, the other calls find their connections gone.
      await Promise.race(running);
      endedCount += await endConnections();
      calls.push(...(await Promise.all(running)));
    }

    expect(endedCount).toBeGreaterThan(rounds);
    expect({ isRunning: service.isRunning, crash: service.crash }).toEqual({ isRunning: true, crash: '' });
    const outcomes = new Set(calls.map(({ kind, outcome }) => `${kind} ${outcome}`));
    const allowed = new Set(['inbound 200', 'inbound 503', 'send OK', 'send UNAVAILABLE']);
    const strange = [...outcomes].filter((outcome) => !allowed.has(outcome));
    expect({ strange, faults: service.faults }).toEqual({ strange: [], faults: [] });
    expect(calls.filter(({ acknowledged }) => acknowledged).length).toBeGreaterThan(0);

    // Every call that was told to retry works now, and creates nothing twice.
    const again: Call[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ofRound = calls.slice(round * callsPerRound, (round + 1) * callsPerRound);
      const repeated = ofRound.map(({ kind, key }, index) =>
        kind === 'inbound' ? writeIn(key, `491520000000${index % 10}`) : sendOut(key, leads[index % 5] ?? ''),
      );
      again.push(...(await Promise.all(repeated)));
    }
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['200', 'OK']));
    const firstIds = calls.map(({ messageId }, index) => messageId ?? again[index]?.messageId);
    expect(again.map(({ messageId }) => messageId)).toEqual(firstIds);

    const inboundKeys = calls.filter(({ kind }) => kind === 'inbound').map(({ key }) => key);
    const stored = await api.sql<{ key: string }>(
      "SELECT external_id AS key FROM messages WHERE direction = 'INBOUND' AND external_id = ANY($1)",
      [inboundKeys],
    );
    expect(stored.map(({ key }) => key).toSorted()).toEqual(inboundKeys.toSorted());

    // A worker that cannot store an answer leaves its lease behind. The test ends the lease now instead of waiting a minute.
    const isDone = async () => {
      await api.sql(
        `UPDATE outbox_entries SET lease_until = now(), due_at = now()
       WHERE due_at > now() OR lease_until BETWEEN now() AND now() + interval '58 s'`,
      );
      const rows = await api.sql<{ status: string }>("SELECT status FROM messages WHERE direction = 'OUTBOUND'");
      return rows.map(({ status }) => status);
    };
    const statuses = await until(isDone, (seen) => seen.every((status) => status === 'SENT'));
    expect(statuses).toHaveLength((rounds * callsPerRound) / 2);
    const accepted = simulator.attempts().filter(({ outcome }) => outcome === 'accepted');
    expect(new Set(accepted.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(accepted.length);
    expect(accepted).toHaveLength(statuses.length);

    await writeIn('the end', '4915200000000');
    const heardKeys = () => new Set(heard.received.map(({ messageReceived }) => messageReceived.externalId));
    await heard.until(() => heardKeys().has('the end'));
    // A message that could not be read for its subscriber arrives as an error, so no message is missing in silence.
    const codes = (heard.errors as GraphqlErrorBody[]).map(({ extensions }) => extensions.code);
    expect(new Set([...codes, 'UNAVAILABLE'])).toEqual(new Set(['UNAVAILABLE']));
    const missing = inboundKeys.filter((key) => !heardKeys().has(key));
    expect(missing.length).toBeLessThanOrEqual(codes.length);
    await end();
  });
}
