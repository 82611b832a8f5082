// The cost of hostile operations: CPU time of the server for each, over HTTP and over a socket. The server has seen none of them before.

import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { chatNumbers } from './inbound-call.js';
import { hostileQueries, type HostileQuery } from './hostile-queries.js';
import { withClient } from './postgres.js';
import { startProduct, type Product } from './product.js';
import { ServerProbe } from './server-probe.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';
import { storeLeads, storeWaiting } from './waiting-messages.js';

const repetitions = 10;
const warmUpCount = 300;
// There are as many leads as the largest pages hold.
const leads = chatNumbers.slice(0, 200);
const messagesPerLead = 100;
const batchSize = 4_000;

export const hostileBench: Bench = { name: 'hostile', run: runHostile };

/** Sends one operation and waits for the whole answer. @returns the kind of the answer */
type Send = (payload: HostileQuery) => Promise<string>;

async function runHostile(context: BenchContext): Promise<Listing[]> {
  const probe = await ServerProbe.prepare();
  const { environment, nodeArguments } = probe.options;
  const product = await startProduct(context, {
    // Introspection is off in production; here it is on, so that the most can be asked of the server.
    environment: { PROCESS_ROLE: 'api', GRAPHQL_INTROSPECTION: 'true', ...environment },
    nodeArguments,
  });
  await storeConversations(product);
  const endpoints = [sendByHttp(product), sendBySocket(context, product)] as const;
  const ordinary = {
    name: 'warm-up',
    query: '{ leads(first: 20) { edges { node { id name lastMessage { body } } } } }',
  };
  for (const send of endpoints) for (let count = 0; count < warmUpCount; count += 1) await send(neverSeen(ordinary));
  await probe.readBlockedMs();
  const rows: string[][] = [];
  for (const hostile of [...hostileQueries, batch]) {
    const cells: string[] = [];
    for (const send of hostile === batch ? endpoints.slice(0, 1) : endpoints) {
      context.signal.throwIfAborted();
      cells.push(...(await measure(hostile, send, probe)));
    }
    const blocked = `${(await probe.readBlockedMs()).toFixed(0)} ms`;
    rows.push([hostile.name, ...cells, ...(hostile === batch ? ['–', '–'] : []), blocked]);
    context.progress(rows.at(-1)?.join(', ') ?? '');
  }
  return [
    {
      title: 'Hostile operations: CPU time of the server for each',
      columns: ['operation', 'HTTP', 'answer', 'WebSocket', 'answer', 'longest block'],
      rows,
      notes: [
        `Mean of ${repetitions}, one after the other, each with a text of its own; introspection on; ${leads.length} leads with ${messagesPerLead} messages each.`,
      ],
    },
  ];
}

const batch: HostileQuery = { name: `a batch of ${batchSize}`, query: '' };

async function measure(hostile: HostileQuery, send: Send, probe: ServerProbe): Promise<[string, string]> {
  let answer = await send(neverSeen(hostile));
  const before = await probe.readCpuMs();
  for (let count = 0; count < repetitions; count += 1) answer = await send(neverSeen(hostile));
  const cpuMs = ((await probe.readCpuMs()) - before) / repetitions;
  return [`${cpuMs.toFixed(1)} ms`, answer];
}

let sentCount = 0;

// A comment makes it another document, which no cache knows.
function neverSeen(hostile: HostileQuery): HostileQuery {
  sentCount += 1;
  return { ...hostile, query: `${hostile.query}\n# ${sentCount}` };
}

interface Answer {
  data?: unknown;
  errors?: { extensions?: { code?: string; limit?: { name: string } } }[];
}

function kindOf({ data, errors }: Answer): string {
  const { code = 'error', limit } = errors?.[0]?.extensions ?? {};
  if (errors === undefined) return data == null ? 'nothing' : 'answered';
  return limit === undefined ? code : `limit: ${limit.name}`;
}

function sendByHttp({ url, tenant }: Product): Send {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` };
  return async (hostile) => {
    const { query, variables } = hostile;
    const isBatch = hostile.name === batch.name;
    const payload = isBatch
      ? Array.from({ length: batchSize }, () => ({ query: '{ me { id } }' }))
      : { query, variables };
    const body = JSON.stringify(payload);
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    return kindOf((await answer.json()) as Answer);
  };
}

function sendBySocket({ resources }: BenchContext, { url, tenant }: Product): Send {
  const connectionParams = { authorization: `Bearer ${tenant.token}` };
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    lazy: false,
  });
  resources.defer(() => client.dispose());
  return ({ query, variables = {} }) =>
    new Promise((resolve, reject) => {
      let kind = 'nothing';
      const next = (answer: Answer) => (kind = kindOf(answer));
      const error = (errors: unknown) => (Array.isArray(errors) ? resolve(kindOf({ errors })) : reject(errors));
      client.subscribe({ query, variables }, { next: next as never, error, complete: () => resolve(kind) });
    });
}

async function storeConversations({ databaseUrl, tenant }: Product): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows as unknown[];
    await storeLeads(run, tenant.id, leads);
    await storeWaiting(run, {
      tenantId: tenant.id,
      count: leads.length * messagesPerLead,
      textPrefix: 'Oi ',
      priority: 10,
    });
    await client.query('DELETE FROM outbox_entries');
    await client.query("UPDATE messages SET status = 'SENT'");
    await client.query('ANALYZE');
  });
}
