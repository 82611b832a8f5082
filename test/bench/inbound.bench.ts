// Inbound messages: the product's whole intake (signature, rate limit, journal, events, inbox) against servers written by
// hand that do the least that could be called the same, and against Express by itself. First what each can do at most, then
// how long callers wait at half of that.

import { createBaselineDatabase } from './baselines/intake-store.js';
import type { BaselineDatabase } from './baselines/intake-store.js';
import { measureAtHalf } from './half-load.js';
import type { PacedServer } from './half-load.js';
import { chatNumbers, createLeads, inboundPath, inboundRequests, leadCount } from './inbound-call.js';
import { HttpLoad } from './load.js';
import type { HttpLoadOptions } from './load.js';
import { countRows, describeShare, measureLoaded, settle } from './loaded-server.js';
import type { LoadedServer } from './loaded-server.js';
import { PacedLoad } from './paced-load.js';
import { beforeName, startBefore, startProduct } from './product.js';
import type { Product } from './product.js';
import { startServer } from './server-process.js';
import type { Bench, BenchContext, Comparison, SideResult } from './side-by-side.js';

const connections = 64;
const rounds = 5;
const roundMs = 5_000;
const warmUpMs = 700;

export const inboundBench: Bench = { name: 'inbound', run: runInbound };

interface InboundServer extends LoadedServer {
  /** What every load on it is made of. */
  loadOptions: HttpLoadOptions;
}

interface InboundServers {
  product: InboundServer;
  /** The product's version before, where one is compared with. */
  before: InboundServer[];
  express: InboundServer;
  nodeHttp: InboundServer;
  expressOnly: InboundServer;
}

async function runInbound(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const product = await startProduct(context);
  const before = await startBefore(context);
  const baseline = await createBaselineDatabase(await context.postgres.createDatabase('baseline'), chatNumbers);
  const servers = await startServers(context, { product, before, baseline });
  for (const each of [product, ...before]) await createLeads(each);
  await settle([product, ...before].map(({ databaseUrl }) => databaseUrl).concat(baseline.url));
  const options = { rounds, roundMs, warmUpMs, signal, progress };
  const all = [servers.product, ...servers.before, servers.express, servers.nodeHttp, servers.expressOnly];
  const throughput = await measureLoaded(all, options);
  const paced = (server: InboundServer): PacedServer => ({
    ...server,
    load: new PacedLoad(server.loadOptions),
    maximumPerSecond: throughput.find(({ name }) => name === server.name)?.perSecond ?? 0,
  });
  const latency = await measureAtHalf(paced(servers.product), paced(servers.nodeHttp), options);
  return [describeThroughput(throughput, all), describeLatency(latency)];
}

interface Subjects {
  product: Product;
  before: readonly Product[];
  baseline: BaselineDatabase;
}

async function startServers(
  { resources, signal }: BenchContext,
  { product, before, baseline }: Subjects,
): Promise<InboundServers> {
  const start = (script: string, environment: Record<string, string> = {}) =>
    startServer({ script, environment: { NODE_ENV: 'production', ...environment }, resources, signal });
  const [express, nodeHttp, expressOnly] = await Promise.all([
    start('test/bench/baselines/express-pg.ts', { DATABASE_URL: baseline.url }),
    start('test/bench/baselines/node-http-pg.ts', { DATABASE_URL: baseline.url }),
    start('test/bench/baselines/express-only.ts'),
  ]);
  const { tenant, webhookSecret } = product;
  const { instanceName } = tenant;
  const serverOf = (
    name: string,
    url: string,
    messagePrefix: string,
    apiKey: string,
    databaseUrl?: string,
    secret = webhookSecret,
  ) => {
    const nextRequest = inboundRequests({ messagePrefix, instanceName, apiKey, secret });
    const expected = '"duplicate":false';
    const loadOptions = { url, path: inboundPath, method: 'POST', connections, nextRequest, expected, signal } as const;
    const server = { name, load: new HttpLoad(loadOptions), loadOptions };
    return databaseUrl === undefined
      ? server
      : { ...server, countStored: () => countMessages(databaseUrl, messagePrefix) };
  };
  const productOf = (name: string, { url, databaseUrl, webhookSecret: secret, tenant: { apiKey } }: Product) =>
    serverOf(name, url, 'p', apiKey, databaseUrl, secret);
  return {
    product: productOf('Leadwire', product),
    before: before.map((each) => productOf(beforeName, each)),
    express: serverOf('Express + pg, one statement', express, 'e', baseline.apiKey, baseline.url),
    nodeHttp: serverOf('node:http + pg, one statement', nodeHttp, 'n', baseline.apiKey, baseline.url),
    expressOnly: serverOf('Express, no database', expressOnly, 'x', baseline.apiKey),
  };
}

function countMessages(url: string, messagePrefix: string): Promise<number> {
  const text = 'SELECT count(*) FROM messages WHERE external_id LIKE $1 AND lead_id IS NOT NULL';
  return countRows(url, text, [`${messagePrefix}-%`]);
}

function describeThroughput(sides: SideResult[], servers: readonly LoadedServer[]): Comparison {
  return {
    title: `Inbound webhook: \`POST ${inboundPath}\`, one new message a call`,
    sides,
    notes: [
      `${connections} connections, ${leadCount} leads, ${rounds} rounds of about ${roundMs / 1_000} s a side in turn; ` +
        'every acknowledged message was found in its database afterwards.',
      'Leadwire checks the signature, counts the rate limit, journals the call, appends the event and keeps the inbox; ' +
        'the others write one lead and message in one statement, or nothing. All on one durable PostgreSQL, 10 connections each.',
      describeShare(servers),
    ],
  };
}

function describeLatency(sides: SideResult[]): Comparison {
  return {
    title: `Inbound webhook at half load: \`POST ${inboundPath}\`, one new message a call at a fixed rate`,
    sides,
    ratioTitle: 'p99 ÷ that of the last',
    notes: [
      `The maximum is the median of the table above; ${rounds} rounds of ${roundMs / 1_000} s a side in turn, ` +
        `${connections} connections; every acknowledged message was found in its database afterwards.`,
      'Requests are due at even intervals and a latency counts from the moment its request was due, not from when it could be ' +
        'sent: what a slow answer makes wait is counted too. Up to about 1 ms of it is the timer of the load generator.',
    ],
  };
}
