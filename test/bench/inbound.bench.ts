// Inbound messages: the product's whole intake (signature, rate limit, journal, events, inbox) against servers written by
// hand that do the least that could be called the same, and against Express by itself.

import { sign } from '../../src/platform/signature.js';
import { createBaselineDatabase } from './baselines/message-store.js';
import type { BaselineDatabase } from './baselines/message-store.js';
import { HttpLoad } from './load.js';
import type { LoadRequest } from './load.js';
import { withClient } from './postgres.js';
import { startProduct } from './product.js';
import type { Product } from './product.js';
import { startServer } from './server-process.js';
import { measureSideBySide } from './side-by-side.js';
import type { Bench, BenchContext, Comparison, Side } from './side-by-side.js';

const path = '/webhooks/chat/gateway/inbound';
const leadCount = 5_000;
const connections = 64;
const rounds = 5;
const roundMs = 5_000;
const warmUpMs = 700;
const leadsPerCall = 500;

export const inboundBench: Bench = { name: 'inbound', run: runInbound };

/** A server, the load on it, and how many messages its database holds; undefined where it has none. */
interface LoadedServer {
  name: string;
  load: HttpLoad;
  countMessages?: () => Promise<number>;
}

async function runInbound(context: BenchContext): Promise<Comparison> {
  const { signal, progress } = context;
  const product = await startProduct(context);
  const baseline = await createBaselineDatabase(await context.postgres.createDatabase('baseline'), chatNumbers());
  const servers = await startServers(context, product, baseline);
  await createLeads(product);
  await settle([product.databaseUrl, baseline.url]);
  const before = await countAll(servers);
  const [productSide, ...baselineSides] = servers.map(toSide);
  if (productSide === undefined) throw new Error('there is no side to measure');
  const sides = await measureSideBySide([productSide, ...baselineSides], { rounds, signal, progress });
  await compareWithStored(servers, before);
  return {
    title: `Inbound webhook: \`POST ${path}\`, one new message a call`,
    sides,
    notes: [
      `${connections} connections, ${leadCount} leads, ${rounds} rounds of about ${roundMs / 1_000} s a side in turn; ` +
        'every acknowledged message was found in its database afterwards.',
      'Leadwire checks the signature, counts the rate limit, journals the call, appends the event and keeps the inbox; ' +
        'the others write one lead and message in one statement, or nothing. All on one durable PostgreSQL, 10 connections each.',
      `The load generator took at most this share of one core: ${describeShare(servers)}.`,
    ],
  };
}

async function startServers(
  { resources, signal }: BenchContext,
  product: Product,
  baseline: BaselineDatabase,
): Promise<LoadedServer[]> {
  const start = (script: string, environment: Record<string, string> = {}) =>
    startServer({ script, environment: { NODE_ENV: 'production', ...environment }, resources, signal });
  const [express, nodeHttp, expressOnly] = await Promise.all([
    start('test/bench/baselines/express-pg.ts', { DATABASE_URL: baseline.url }),
    start('test/bench/baselines/node-http-pg.ts', { DATABASE_URL: baseline.url }),
    start('test/bench/baselines/express-only.ts'),
  ]);
  const { apiKey, instanceName } = product.tenant;
  const loadOf = (url: string, messagePrefix: string, key: string) => {
    const nextRequest = inboundRequests({ messagePrefix, instanceName, apiKey: key, secret: product.webhookSecret });
    return new HttpLoad({ url, path, method: 'POST', connections, nextRequest, expected: '"duplicate":false', signal });
  };
  const countOf = (url: string, messagePrefix: string) => () => countMessages(url, messagePrefix);
  return [
    { name: 'Leadwire', load: loadOf(product.url, 'p', apiKey), countMessages: countOf(product.databaseUrl, 'p') },
    {
      name: 'Express + pg, one statement',
      load: loadOf(express, 'e', baseline.apiKey),
      countMessages: countOf(baseline.url, 'e'),
    },
    {
      name: 'node:http + pg, one statement',
      load: loadOf(nodeHttp, 'n', baseline.apiKey),
      countMessages: countOf(baseline.url, 'n'),
    },
    { name: 'Express, no database', load: loadOf(expressOnly, 'x', baseline.apiKey) },
  ];
}

function toSide({ name, load }: LoadedServer): Side {
  return { name, warmUp: () => load.warmUp(warmUpMs), measure: () => load.measure(roundMs) };
}

interface RequestOptions {
  /** Keeps the message ids of two servers on one database apart. */
  messagePrefix: string;
  instanceName: string;
  apiKey: string;
  secret: string;
}

/** Each call makes a request with a message id of its own, from the leads in turn. */
function inboundRequests({ messagePrefix, instanceName, apiKey, secret }: RequestOptions): () => LoadRequest {
  const numbers = chatNumbers();
  let index = 0;
  return () => {
    const body = JSON.stringify({
      instance: instanceName,
      messageId: `${messagePrefix}-${index}`,
      from: numbers[index % leadCount],
      name: `Lead ${index % leadCount}`,
      type: 'text',
      text: `Bom dia! Ainda tem a casa da rua ${index}? Posso visitar amanhã às 15h.`,
      timestamp: Math.floor(Date.now() / 1_000),
    });
    index += 1;
    const headers = { 'content-type': 'application/json', 'x-tenant-key': apiKey, 'x-signature': sign(secret, body) };
    return { body, headers };
  };
}

function chatNumbers(): string[] {
  return Array.from({ length: leadCount }, (_, index) => `55119${String(80_000_000 + index)}`);
}

// Through the product's own door, so that its leads are whole: identity, inbox position and event.
async function createLeads({ url, tenant, webhookSecret }: Product): Promise<void> {
  const numbers = chatNumbers();
  for (let start = 0; start < leadCount; start += leadsPerCall) {
    const messages = numbers
      .slice(start, start + leadsPerCall)
      .map((from, index) => ({ messageId: `seed-${start + index}`, from, name: `Lead ${start + index}`, text: 'Oi' }));
    const body = JSON.stringify({ messages });
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tenant-key': tenant.apiKey,
        'x-signature': sign(webhookSecret, body),
      },
      body,
    });
    const answer = await response.text();
    if (!response.ok || !answer.includes(`"accepted":${messages.length}`)) {
      throw new Error(`The leads could not be created: ${response.status} ${answer.slice(0, 500)}`);
    }
  }
}

// Otherwise the statistics of the first rounds would be those of empty tables.
async function settle(databaseUrls: readonly string[]): Promise<void> {
  for (const url of databaseUrls) {
    await withClient(url, async (client) => {
      await client.query('VACUUM ANALYZE');
      await client.query('CHECKPOINT');
    });
  }
}

async function countMessages(url: string, messagePrefix: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM messages WHERE external_id LIKE $1 AND lead_id IS NOT NULL',
      [`${messagePrefix}-%`],
    );
    return Number(rows[0]?.count);
  });
}

async function countAll(servers: readonly LoadedServer[]): Promise<(number | undefined)[]> {
  return Promise.all(servers.map(async ({ countMessages: count }) => count?.()));
}

async function compareWithStored(servers: readonly LoadedServer[], before: (number | undefined)[]): Promise<void> {
  const after = await countAll(servers);
  for (const [index, { name, load }] of servers.entries()) {
    const [first, last] = [before[index], after[index]];
    if (first === undefined || last === undefined || last - first === load.answeredCount) continue;
    throw new Error(`${name} acknowledged ${load.answeredCount} messages and stored ${last - first}.`);
  }
}

function describeShare(servers: readonly LoadedServer[]): string {
  return servers.map(({ name, load }) => `${(load.generatorShare * 100).toFixed(0)} % (${name})`).join(', ');
}
