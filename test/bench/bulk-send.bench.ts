// A bulk send at the default limits: its gateway reports each message three times while leads and messages come in. None of these calls
// may be refused.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.js';
import { chatNumbers, inboundPath, randomExternalId, signedHeaders } from './inbound-call.js';
import { withClient } from './postgres.js';
import { prepareProduct, type PreparedProduct } from './product.js';
import { ProductVersion } from './product-version.js';
import { startServer } from './server-process.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';
import { storeLeads } from './waiting-messages.js';

const recipientCount = 1_000;
/** The reports on each message, by their delay after its acceptance. */
const reports = [
  { status: 'SENT', afterMs: 100 },
  { status: 'DELIVERED', afterMs: 1_000 },
  { status: 'READ', afterMs: 3_000 },
] as const;
const callsAtOnce = 16;
const lookIntervalMs = 50;
const leadsPerSecond = 1;
const messagesPerSecond = 4;
const durationMs = 30_000;
const statusPath = '/webhooks/chat/gateway/status';

export const bulkSendBench: Bench = { name: 'bulk-send', run: runBulkSend };

const kinds = ['statuses', 'messages in', 'leads'] as const;
type Kind = (typeof kinds)[number];

interface Outcome {
  made: Record<Kind, number>;
  refused: Record<Kind, number>;
  /** Messages whose last report counted. */
  read: number;
}

async function runBulkSend(context: BenchContext): Promise<Listing[]> {
  const { before } = context;
  const outcomes = [
    ...(before === undefined ? [] : [await measure(context, before, 'bulk_before')]),
    await measure(context, ProductVersion.current, 'bulk'),
  ];
  const cell = (of: (outcome: Outcome) => string) => outcomes.map(of).join(' → ');
  return [
    {
      title: `A bulk send to ${recipientCount.toLocaleString('en')} leads at the default limits${before === undefined ? '' : ', before → now'}`,
      columns: ['calls', 'made', 'refused'],
      rows: [
        ...kinds.map((kind) => [
          kind,
          cell(({ made }) => String(made[kind])),
          cell(({ refused }) => String(refused[kind])),
        ]),
        ['messages that are READ in the end', cell(({ read }) => String(read)), '–'],
      ],
      notes: [
        `The gateway answers at once and reports SENT, DELIVERED and READ of each message within 3 s, one call each and none repeated; ` +
          `for ${durationMs / 1_000} s a lead and ${messagesPerSecond} messages of different people come in each second, all with the tenant's only key.`,
      ],
    },
  ];
}

async function measure(context: BenchContext, version: ProductVersion, databaseName: string): Promise<Outcome> {
  const { resources, signal, progress } = context;
  const gateway = new ReportingGateway();
  const product = await prepareProduct(context, {
    version,
    databaseName,
    environment: { GATEWAY_URL: await gateway.start(resources), GATEWAY_TOKEN: 'bench' },
  });
  const { environment } = product;
  const url = await startServer({ folder: version.folder, script: 'dist/main.js', environment, resources, signal });
  const calls = new TenantCalls(url, product);
  gateway.onAccepted = (messageId) => {
    for (const { status, afterMs } of reports)
      setTimeout(() => calls.make('statuses', statusPath, { messageId, status }), afterMs);
  };
  progress(`${databaseName}: sending`);
  const startedAt = performance.now();
  const id = await sendToAll(url, product);
  for (let number = 0; performance.now() < startedAt + durationMs; number += 1) {
    const from = `55115${String(80_000_000 + number)}`;
    calls.make('messages in', inboundPath, { messageId: randomExternalId('in'), from, text: 'Oi' });
    if (number % (messagesPerSecond / leadsPerSecond) === 0) calls.make('leads', '/public/leads', { chat: from });
    await delay(1_000 / messagesPerSecond, undefined, { signal });
  }
  await calls.untilAnswered();
  const { bulkSend } = await ask<{ bulkSend: { progress: { read: number } } }>(url, product, progressQuery, { id });
  return { made: calls.made, refused: calls.refused, read: bulkSend.progress.read };
}

const progressQuery = 'query ($id: ID!) { bulkSend(id: $id) { progress { read } } }';

async function sendToAll(url: string, product: PreparedProduct): Promise<string> {
  const { databaseUrl, tenant } = product;
  const leadIds = await withClient(databaseUrl, async (client) => {
    const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows as unknown[];
    await storeLeads(run, tenant.id, chatNumbers.slice(0, recipientCount));
    return (await run('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id])) as { id: string }[];
  });
  const create = 'mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { id } }';
  const template = { name: 'Bulk', body: 'Bom dia, {{lead.name}}!' };
  const { createTemplate } = await ask<{ createTemplate: { id: string } }>(url, product, create, { input: template });
  const input = {
    templateId: createTemplate.id,
    idempotencyKey: 'bulk',
    recipients: leadIds.map(({ id }) => ({ leadId: id })),
  };
  const send = 'mutation ($input: SendMessagesInput!) { sendMessages(input: $input) { id } }';
  const { sendMessages } = await ask<{ sendMessages: { id: string } }>(url, product, send, { input });
  return sendMessages.id;
}

async function ask<Data>(url: string, { tenant }: PreparedProduct, query: string, variables: object): Promise<Data> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` };
  const body = JSON.stringify({ query, variables });
  const answer = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
  const { data, errors } = JSON.parse(answer) as { data?: Data; errors?: unknown };
  if (data == null || errors !== undefined) throw new Error(`Not answered: ${answer.slice(0, 500)}`);
  return data;
}

class ReportingGateway {
  onAccepted: (messageId: string) => void = () => undefined;

  /** @returns its address */
  async start(resources: AsyncDisposableStack): Promise<string> {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        const messageId = randomExternalId('sent');
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ messageId }), () => this.onAccepted(messageId));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    resources.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

/** Calls with the tenant's key, a few at a time; none is repeated. */
class TenantCalls {
  readonly made: Record<Kind, number> = { statuses: 0, 'messages in': 0, leads: 0 };
  readonly refused: Record<Kind, number> = { statuses: 0, 'messages in': 0, leads: 0 };
  private readonly queue: { kind: Kind; message: Buffer }[] = [];
  private underWay = 0;

  constructor(
    private readonly url: string,
    private readonly product: PreparedProduct,
  ) {}

  make(kind: Kind, path: string, payload: object): void {
    const { webhookSecret: secret, tenant } = this.product;
    const body = JSON.stringify(payload);
    const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret });
    this.made[kind] += 1;
    this.queue.push({ kind, message: Connection.serialise(this.url, { method: 'POST', path, body, headers }) });
    if (this.underWay < callsAtOnce) void this.work();
  }

  async untilAnswered(): Promise<void> {
    while (this.underWay > 0) await delay(lookIntervalMs);
  }

  private async work(): Promise<void> {
    this.underWay += 1;
    for (let call = this.queue.shift(); call !== undefined; call = this.queue.shift())
      if (!(await this.isTaken(call.message))) this.refused[call.kind] += 1;
    this.underWay -= 1;
  }

  private async isTaken(message: Buffer): Promise<boolean> {
    const connection = await Connection.open(this.url);
    try {
      return (await connection.exchange(message)).status < 300;
    } catch {
      return false;
    } finally {
      connection.close();
    }
  }
}
