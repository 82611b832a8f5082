// An application with the gateway simulator behind it, and helpers for tests of sending.

import { newRecordId } from '../../../src/platform/database/record-id.js';
import { randomInt, randomUUID } from 'node:crypto';
import type { AppTuning } from '../../../src/app.js';
import type { SimulatorBehaviour } from '../../../src/simulator/behaviour.schema.js';
import { startGatewaySimulator, type GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { execute, query, type GraphqlAnswer } from '../../support/graphql-client.js';
import {
  MessageDocument,
  SendMessageDocument,
  type MessageQuery,
  type SendMessageInput,
  type SendMessageMutation,
} from '../../support/operations.js';
import { TestApp, withKey, type TestEnvironment, type TestTenant } from '../../support/test-app.js';
import type { TestDatabase } from '../../support/test-database.js';

export const gatewayToken = 'token-of-the-gateway';

const quick: Partial<SimulatorBehaviour> = {
  // Most addresses in tests lead nowhere.
  fetchMedia: false,
  latencyMs: 0,
  latencyJitterMs: 0,
  sentDelayMs: 5,
  deliveredDelayMs: 10,
  readDelayMs: 15,
  replyRate: 0,
  webhookBackoffMs: 50,
};

export interface MessageState {
  status: string;
  externalId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
}

/** A simulator that answers at once, and reports nothing until a test says where. */
export function startSimulator(behaviour: Partial<SimulatorBehaviour> = {}): Promise<GatewaySimulator> {
  return startGatewaySimulator({ token: gatewayToken, seed: 1, defaults: { ...quick, ...behaviour } });
}

/** An application whose default gateway is this simulator. */
export function startSender(
  simulator: Pick<GatewaySimulator, 'url'>,
  environment: TestEnvironment = {},
  database?: TestDatabase,
  tuning: AppTuning = {},
): Promise<TestApp> {
  const gateway = { GATEWAY_URL: simulator.url, GATEWAY_TOKEN: gatewayToken };
  return TestApp.start({ ...gateway, ...environment }, database, tuning);
}

interface Sender {
  simulator: GatewaySimulator;
  app: TestApp;
  tenant: TestTenant;
  other: TestTenant;
}

/** Sets a suite up with a simulator, an application that sends through it, and two tenants. `assign` gets them before the first test. */
export function withSender(assign: (sender: Sender) => unknown, environment: TestEnvironment = {}): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  beforeAll(async () => {
    simulator = await startSimulator();
    app = await startSender(simulator, environment);
    assign({ simulator, app, tenant: await app.createTenant(), other: await app.createTenant() });
  });
  afterAll(async () => {
    await simulator.close();
    await app.stop();
  });
}

/** Like `withSender`, with a tenant of its own for each test, to which the simulator reports. */
export function withSenderEach(assign: (sender: Omit<Sender, 'other'>) => unknown): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  withSender((sender) => ({ simulator, app } = sender));
  beforeEach(async () => {
    const tenant = await app.createTenant();
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }, tenant.instance.name);
    assign({ simulator, app, tenant });
  });
}

/** Gives the tenant's instance a name of its own, so that the simulator's knobs of an earlier test say nothing about it. */
export async function renewInstance(app: TestApp, tenant: TestTenant): Promise<void> {
  tenant.instance.name = `instance-${randomUUID()}`;
  await app.sql(
    "UPDATE chat_instances SET instance_name = $2, provider = 'gateway', base_url = NULL, token_ciphertext = NULL WHERE id = $1",
    [tenant.instance.id, tenant.instance.name],
  );
}

/** Creates a lead of the tenant. Without a number, it gets one without a special meaning. */
export async function createLead(app: TestApp, tenant: TestTenant, chat = plainNumber()): Promise<string> {
  const answer = await app.post('/public/leads', { chat }, withKey(tenant));
  const { id } = (await answer.json()) as { id?: string };
  if (id === undefined) throw new Error(`the lead was not created: ${answer.status}`);
  return id;
}

const plainNumbers = new Set<string>();

/** A number that no special case of the simulator ends in, and that this test file has not had before. */
export function plainNumber(): string {
  const number = `4915${randomInt(100_000, 1_000_000)}5555`;
  if (plainNumbers.has(number)) return plainNumber();
  plainNumbers.add(number);
  return number;
}

export async function createLeads(app: TestApp, tenant: TestTenant, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, index) => `4917${String(index).padStart(4, '0')}6666`);
  return Promise.all(numbers.map((number) => createLead(app, tenant, number)));
}

/** Queues a message that has to be accepted. @returns its id */
export async function send(app: TestApp, tenant: TestTenant, input: SendMessageInput): Promise<string> {
  return (await query(app, tenant.operator, SendMessageDocument, { input })).sendMessage.id;
}

const sendsAtOnce = 16;

/** Queues a message for each lead, a few at a time: of more at once, some may wait too long for the database. @returns their ids */
export async function sendToEach(app: TestApp, tenant: TestTenant, leadIds: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < leadIds.length; start += sendsAtOnce) {
    const next = leadIds.slice(start, start + sendsAtOnce);
    ids.push(...(await Promise.all(next.map((leadId) => send(app, tenant, { leadId, body: 'Oi' })))));
  }
  return ids;
}

/** Tries to queue a message. */
export function trySend(
  app: TestApp,
  tenant: TestTenant,
  input: SendMessageInput,
): Promise<GraphqlAnswer<SendMessageMutation>> {
  return execute(app, tenant.operator, SendMessageDocument, { input });
}

export async function readMessage(
  app: TestApp,
  tenant: TestTenant,
  id: string,
): Promise<NonNullable<MessageQuery['message']>> {
  const { message } = await query(app, tenant.operator, MessageDocument, { id });
  if (message === null) throw new Error('there is no such message');
  return message;
}

/** Reads past the application, so that it costs its pool nothing. */
export async function stateOf(app: TestApp, id: string): Promise<MessageState> {
  const [state] = await app.sql<MessageState>(
    `SELECT status, external_id AS "externalId", error_code AS "errorCode", error_message AS "errorMessage"
     FROM messages WHERE id = $1`,
    [id],
  );
  if (state === undefined) throw new Error('there is no such message');
  return state;
}

/** Stores a message that the lead writes through the instance now: Meta takes free texts after it. */
export async function openReplyWindow(
  app: TestApp,
  tenantId: string,
  leadId: string,
  instanceId: string,
): Promise<void> {
  await app.sql(
    `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, received_at)
     VALUES ($1, $2, $3, $4, 'INBOUND', 'text', now())`,
    [tenantId, newRecordId(), leadId, instanceId],
  );
}

/** Waits for this status. Fails at once if the message fails instead. */
export async function waitForStatus(app: TestApp, id: string, status: string): Promise<MessageState> {
  const state = await until(
    () => stateOf(app, id),
    (seen) => seen.status === status || seen.status === 'FAILED',
  );
  if (state.status !== status) throw new Error(`the message failed: ${state.errorCode} ${state.errorMessage}`);
  return state;
}

/** Waits until all messages of the database have left: none stands in the outbox. */
export async function waitForEmptyOutbox(app: TestApp, meanwhile: () => Promise<void> = async () => undefined) {
  const read = async () => {
    await meanwhile();
    const [row] = await app.sql<{ waiting: number }>('SELECT count(*)::int AS waiting FROM outbox_entries');
    return row?.waiting ?? 0;
  };
  await until(read, (waiting) => waiting === 0);
}

/** Makes every wait for a retry end now, also that of an instance, and wakes the dispatcher. */
export async function hurryRetries(app: TestApp, tenant: TestTenant): Promise<void> {
  await app.sql('UPDATE chat_instances SET outbound_paused_until = now() WHERE outbound_paused_until > now()');
  const moved = await app.sql('UPDATE outbox_entries SET due_at = now() WHERE due_at > now() RETURNING message_id');
  if (moved.length > 0) app.app.services.dispatcher.wake(tenant.id);
}

/** Retries come at once, but not faster: a message has twelve attempts, and a gateway is silent only after some time. */
const hurryIntervalMs = 400;

/** Reads until the value satisfies the condition, while messages that wait for another attempt do not wait for their time. */
export async function untilRetried<Value>(
  app: TestApp,
  tenant: TestTenant,
  read: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  let hurriedAtMs = Number.NEGATIVE_INFINITY;
  const hurryAndRead = async () => {
    if (performance.now() - hurriedAtMs >= hurryIntervalMs) {
      await hurryRetries(app, tenant);
      hurriedAtMs = performance.now();
    }
    return read();
  };
  return until(hurryAndRead, isDone);
}

const minPollMs = 10;
const maxPollMs = 100;
/** A read takes as much of the processor as a call. So the longer a wait is, the longer are its pauses: it ends an eighth later at most. */
const pauseAfter = (waitedMs: number) => Math.min(Math.max(waitedMs / 8, minPollMs), maxPollMs);

/** Reads until the value satisfies the condition. The last read starts after the time limit. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
  timeoutMs = 60_000,
): Promise<Value> {
  const begunAtMs = Date.now();
  for (;;) {
    const waitedMs = Date.now() - begunAtMs;
    const value = await read();
    if (isDone(value)) return value;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(waitedMs)));
  }
}
