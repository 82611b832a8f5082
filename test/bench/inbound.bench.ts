// Inbound messages: the product's whole intake (signature, rate limit, journal, events, inbox) against a server written by hand that keeps
// the same promises. Two more servers promise nothing but the message, and Express runs by itself. The bench measures the maximum of each,
// and then the time that callers wait at half of it.

import { createBaselineDatabase, type BaselineDatabase } from './baselines/intake-store.js';
import { measureAtHalf, type PacedServer } from './half-load.js';
import { chatNumbers, createLeads, inboundPath, inboundRequests, leadCount, signedHeaders } from './inbound-call.js';
import { HttpLoad, type HttpLoadOptions, type LoadedProcesses } from './load.js';
import {
  countRows,
  describeCpu,
  describeShare,
  measureLoaded,
  settle,
  type Counts,
  type LoadedServer,
} from './loaded-server.js';
import { PacedLoad } from './paced-load.js';
import { beforeName, startBefore, startProduct, type Product } from './product.js';
import { countMessagesKept, promisingName, promisingNote, startPromising, type PromisingServer } from './promising.js';
import { confirmSameAnswers } from './same-answers.js';
import { startProcess } from './server-process.js';
import {
  timingOf,
  type Bench,
  type BenchContext,
  type Comparison,
  type Listing,
  type SideResult,
  type Timing,
} from './side-by-side.js';

const connections = 64;
// With the three sides of each half load, the whole bench stays within five minutes on two cores.
const timing: Timing = { rounds: 5, roundMs: 3_000, warmUpMs: 500 };

export const inboundBench: Bench = { name: 'inbound', run: runInbound };

interface InboundServer extends LoadedServer {
  /** The options of every load on the server. */
  loadOptions: HttpLoadOptions;
}

interface InboundServers {
  product: InboundServer;
  /** The previous version of the product, if the bench compares with one. */
  before: InboundServer[];
  promising: InboundServer;
  express: InboundServer;
  nodeHttp: InboundServer;
  expressOnly: InboundServer;
}

async function runInbound(context: BenchContext): Promise<(Comparison | Listing)[]> {
  const { signal, progress } = context;
  const product = await startProduct(context);
  const before = await startBefore(context);
  const promising = await startPromising(context);
  const baseline = await createBaselineDatabase(await context.postgres.createDatabase('baseline'), chatNumbers);
  const servers = await startServers(context, { product, before, promising, baseline });
  for (const each of [product, ...before]) await createLeads(each);
  await confirmAlike(product, promising);
  const databases = [product, ...before, promising].map(({ databaseUrl }) => databaseUrl);
  await settle([...databases, baseline.url]);
  const { promising: fair, express, nodeHttp, expressOnly } = servers;
  const all = [servers.product, ...servers.before, fair, express, nodeHttp, expressOnly];
  const options = { ...timingOf(context, timing), signal, progress };
  const throughput = await measureLoaded(all, options);
  const paced = (server: InboundServer): PacedServer => ({
    ...server,
    load: new PacedLoad(server.loadOptions),
    maximumPerSecond: throughput.find(({ name }) => name === server.name)?.perSecond ?? 0,
  });
  const tables = [describeThroughput(throughput, all), describeCpu('Inbound webhook', all)];
  for (const rival of [fair, nodeHttp])
    tables.push(describeLatency(rival.name, await measureAtHalf(paced(servers.product), paced(rival), options)));
  return tables;
}

/** Compares the answers to a message of a known lead, to the same one again, and to one of an unknown lead. */
async function confirmAlike(product: Product, promising: PromisingServer): Promise<void> {
  const callsOf = ({ webhookSecret: secret, tenant: { apiKey, instanceName } }: Product | PromisingServer) => {
    const next = inboundRequests({ messagePrefix: 'alike', instanceName, apiKey, secret });
    const known = next();
    const body = JSON.stringify({
      ...(JSON.parse(known.body) as object),
      from: '5511977776666',
      messageId: 'alike-new',
    });
    return [known, known, { body, headers: signedHeaders(body, { apiKey, secret }) }];
  };
  const servers = [
    { name: 'Leadwire', url: product.url, calls: callsOf(product) },
    { name: promisingName, url: promising.url, calls: callsOf(promising) },
  ];
  await confirmSameAnswers(inboundPath, servers);
}

interface Subjects {
  product: Product;
  before: readonly Product[];
  promising: PromisingServer;
  baseline: BaselineDatabase;
}

type Started = { url: string } & LoadedProcesses;

async function startServers(
  { resources, signal }: BenchContext,
  { product, before, promising, baseline }: Subjects,
): Promise<InboundServers> {
  const start = (script: string, environment: Record<string, string> = {}) =>
    startProcess({ script, environment: { NODE_ENV: 'production', ...environment }, resources, signal });
  const [express, nodeHttp, expressOnly] = await Promise.all([
    start('test/bench/baselines/express-pg.ts', { DATABASE_URL: baseline.url }),
    start('test/bench/baselines/node-http-pg.ts', { DATABASE_URL: baseline.url }),
    start('test/bench/baselines/express-only.ts'),
  ]);
  interface Called {
    messagePrefix: string;
    apiKey: string;
    secret?: string;
    countStored?: () => Promise<number | Counts>;
  }
  const serverOf = (
    name: string,
    { url, ...processes }: Started,
    { messagePrefix, apiKey, secret = '', countStored }: Called,
  ) => {
    const { instanceName } = product.tenant;
    const nextRequest = inboundRequests({ messagePrefix, instanceName, apiKey, secret });
    const expected = '"duplicate":false';
    const loadOptions = {
      url,
      path: inboundPath,
      method: 'POST',
      connections,
      nextRequest,
      expected,
      processes,
      signal,
    } as const;
    const server = { name, load: new HttpLoad(loadOptions), loadOptions };
    return countStored === undefined ? server : { ...server, countStored };
  };
  const keepingAll = (name: string, { url, pid, databaseUrl, webhookSecret, tenant }: Product | PromisingServer) =>
    serverOf(
      name,
      { url, pid, databaseUrl },
      {
        messagePrefix: 'p',
        apiKey: tenant.apiKey,
        secret: webhookSecret,
        countStored: () => countMessagesKept(databaseUrl),
      },
    );
  const promisingNothing = (name: string, started: Started, messagePrefix: string) => {
    const countStored = () => countMessages(baseline.url, messagePrefix);
    const { url: databaseUrl, apiKey } = baseline;
    return serverOf(name, { ...started, databaseUrl }, { messagePrefix, apiKey, countStored });
  };
  return {
    product: keepingAll('Leadwire', product),
    before: before.map((each) => keepingAll(beforeName, each)),
    promising: keepingAll(promisingName, promising),
    express: promisingNothing('Express + pg that promises nothing', express, 'e'),
    nodeHttp: promisingNothing('node:http + pg that promises nothing', nodeHttp, 'n'),
    expressOnly: serverOf('Express, no database', expressOnly, { messagePrefix: 'x', apiKey: baseline.apiKey }),
  };
}

function countMessages(url: string, messagePrefix: string): Promise<number> {
  const text = 'SELECT count(*) FROM messages WHERE external_id LIKE $1 AND lead_id IS NOT NULL';
  return countRows(url, text, [`${messagePrefix}-%`]);
}

function describeThroughput(sides: SideResult[], servers: readonly LoadedServer[]): Comparison {
  return {
    title: `Inbound webhook: \`POST ${inboundPath}\`, one new message a call`,
    path: 'message in',
    sides,
    notes: [
      `${connections} connections, ${leadCount} leads, ${timing.rounds} rounds of about ${timing.roundMs / 1_000} s a side in turn; ` +
        'every acknowledged message was found in its database afterwards, with its journal entry and event where they are promised.',
      promisingNote,
      'Those that promise nothing know the key, and write one lead and message in one statement: no signature, limit, journal, event or ' +
        'inbox. All on one durable PostgreSQL, 10 connections each but where it is said.',
      describeShare(servers),
    ],
  };
}

function describeLatency(rival: string, sides: SideResult[]): Comparison {
  return {
    title: `Inbound webhook at half load, one new message a call at a fixed rate, against ${rival}`,
    path: 'message in, at half load (p99)',
    sides,
    ratioTitle: 'p99 ÷ that of the last',
    notes: [
      `The maximum is the median of the first table; ${timing.rounds} rounds of ${timing.roundMs / 1_000} s a side in turn, ` +
        `${connections} connections; every acknowledged message was found in its database afterwards.`,
      'Requests are due at even intervals and a latency counts from the moment its request was due, not from when it could be ' +
        'sent: what a slow answer makes wait is counted too. Up to about 1 ms of it is the timer of the load generator.',
    ],
  };
}
