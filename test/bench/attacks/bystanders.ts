// Tenants that have nothing to do with an attack. Each kind of call is due at even intervals, whatever becomes of the others, and its time
// counts from when it was due. `send` is the time from the request to the arrival at the gateway.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inboundPath, randomExternalId, signedHeaders } from '../inbound-call.js';
import type { ProductTenant } from '../product.js';
import { percentile } from '../side-by-side.js';

export const kinds = ['message in', 'lead', 'status', 'inbox', 'send'] as const;
export type Kind = (typeof kinds)[number];

const perSecond: Record<Kind, number> = { 'message in': 10, lead: 10, status: 10, inbox: 10, send: 2 };
const readinessPerSecond = 5;
const timeoutMs = 15_000;
const statusPath = '/webhooks/chat/gateway/status';

export interface Bystander extends Pick<ProductTenant, 'apiKey' | 'token' | 'instanceName'> {
  chats: readonly string[];
  leadIds: readonly string[];
  /** Provider ids of messages that were sent to these leads. */
  sentIds: readonly string[];
}

export interface Experience {
  /** The times of each kind, in the order in which the calls ended. */
  timesMs: Record<Kind, number[]>;
  /** The number of calls without the expected answer, by their outcome. */
  failures: Map<string, number>;
  /** The number of requests to `/health/ready`, and of those without 200. */
  readiness: { asked: number; notReady: number };
}

/** The gateway of all bystanders. Each call needs a connection of its own, and so a look-up of its name. */
export class BystanderGateway {
  private readonly waiting = new Map<string, () => void>();

  private constructor(readonly url: string) {}

  static async start(resources: AsyncDisposableStack): Promise<BystanderGateway> {
    const server = createServer({ keepAlive: false }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { text = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { text?: string };
        gateway.waiting.get(text)?.();
        const headers = { 'content-type': 'application/json', connection: 'close' };
        response.writeHead(200, headers).end(JSON.stringify({ messageId: randomExternalId('sent') }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    resources.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const gateway = new BystanderGateway(`http://localhost:${(server.address() as AddressInfo).port}`);
    return gateway;
  }

  /** Resolves when the text has arrived. @throws Error when it does not in time */
  async untilArrived(text: string, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.waiting.set(text, resolve);
      signal.addEventListener('abort', () => reject(new Error('not sent')), { once: true });
    }).finally(() => this.waiting.delete(text));
  }
}

export interface BystandersOptions {
  url: string;
  webhookSecret: string;
  gateway: BystanderGateway;
  tenants: readonly Bystander[];
}

export class Bystanders {
  private turn = 0;
  private statusCount = 0;

  constructor(private readonly options: BystandersOptions) {}

  /** Makes calls for the duration, and waits for the answers. */
  async experience(durationMs: number, signal: AbortSignal): Promise<Experience> {
    const timesMs = { 'message in': [], lead: [], status: [], inbox: [], send: [] } satisfies Experience['timesMs'];
    const experience: Experience = { timesMs, failures: new Map(), readiness: { asked: 0, notReady: 0 } };
    const until = performance.now() + durationMs;
    const options = { until, signal };
    await Promise.all([
      ...kinds.map((kind) => pace({ ...options, perSecond: perSecond[kind] }, () => this.measure(kind, experience))),
      pace({ ...options, perSecond: readinessPerSecond }, () => this.askReadiness(experience)),
    ]);
    return experience;
  }

  private async measure(kind: Kind, { timesMs, failures }: Experience): Promise<void> {
    const startedAt = performance.now();
    const outcome = await this.call(kind, AbortSignal.timeout(timeoutMs)).catch(() => 'no answer');
    timesMs[kind].push(performance.now() - startedAt);
    if (outcome !== undefined) failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
  }

  /** @returns the problem with the answer; undefined without one */
  private async call(kind: Kind, signal: AbortSignal): Promise<string | undefined> {
    const number = (this.turn += 1);
    const tenant = this.options.tenants[number % this.options.tenants.length];
    if (tenant === undefined) throw new Error('there are no bystanders');
    const oneOf = (list: readonly string[]) => list[number % list.length] ?? '';
    const text = `bystander ${number}`;
    const calls: Record<Kind, () => Promise<string | undefined>> = {
      'message in': () =>
        this.post(inboundPath, { messageId: randomExternalId('in'), from: oneOf(tenant.chats), text }, tenant, signal),
      lead: () => this.post('/public/leads', { chat: oneOf(tenant.chats), name: 'Ana' }, tenant, signal),
      status: () => this.post(statusPath, this.statusOf(oneOf(tenant.sentIds)), tenant, signal),
      inbox: () => this.ask(inboxQuery, {}, tenant, signal),
      send: () => this.send({ leadId: oneOf(tenant.leadIds), body: text }, tenant, signal),
    };
    return calls[kind]();
  }

  // Every second status comes before its message's id is known, and is kept for it.
  private statusOf(sentId: string): object {
    this.statusCount += 1;
    return { messageId: this.statusCount % 2 === 0 ? sentId : randomExternalId('early'), status: 'DELIVERED' };
  }

  private async send(
    input: { leadId: string; body: string },
    tenant: Bystander,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const arrived = this.options.gateway.untilArrived(input.body, signal);
    arrived.catch(() => undefined);
    const problem = await this.ask(sendQuery, { input }, tenant, signal);
    if (problem !== undefined) return problem;
    return arrived.then(
      () => undefined,
      () => 'not sent',
    );
  }

  private async post(
    path: string,
    payload: object,
    { apiKey }: Bystander,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { url, webhookSecret: secret } = this.options;
    const body = JSON.stringify(payload);
    const headers = signedHeaders(body, { apiKey, secret });
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
    await response.arrayBuffer();
    return response.ok ? undefined : String(response.status);
  }

  private async ask(
    query: string,
    variables: object,
    { token }: Bystander,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${this.options.url}/graphql`, { method: 'POST', headers, body, signal });
    const { errors } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] };
    if (response.ok && errors === undefined) return undefined;
    return errors?.[0]?.extensions?.code ?? String(response.status);
  }

  private async askReadiness({ readiness }: Experience): Promise<void> {
    const options = { signal: AbortSignal.timeout(timeoutMs) };
    const isReady = await fetch(`${this.options.url}/health/ready`, options).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
    readiness.asked += 1;
    if (!isReady) readiness.notReady += 1;
  }
}

const inboxQuery = `{ inbox(first: 20) { edges { node { id name unreadCount lastMessage { id body status } } } } }`;
const sendQuery = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';

/** Begins `work` at even intervals until the time is over; resolves when all of it has ended. */
async function pace(
  options: { perSecond: number; until: number; signal: AbortSignal },
  work: () => Promise<void>,
): Promise<void> {
  const { perSecond: rate, until, signal } = options;
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let number = 0; ; number += 1) {
    const dueAt = startedAt + (number * 1_000) / rate;
    if (dueAt >= until) break;
    const waitMs = Math.ceil(dueAt - performance.now());
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    running.push(work());
  }
  await Promise.all(running);
}

export function p99Of(timesMs: readonly number[]): number {
  return percentile(Float64Array.from(timesMs).sort(), 0.99);
}
