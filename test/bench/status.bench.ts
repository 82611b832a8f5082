// Delivery statuses: the product (signature, rate limit, journal, transition, event) against a server written by hand that keeps the same
// promises, and one that only changes the message. Each call reports on a message of its own.

import { createBaselineDatabase, storeSentMessages } from './baselines/intake-store.js';
import { chatNumbers, createLeads, leadCount, randomExternalId, signedHeaders } from './inbound-call.js';
import { HttpLoad, type LoadRequest } from './load.js';
import {
  countRows,
  describeCpu,
  describeShare,
  measureLoaded,
  settle,
  type Counts,
  type LoadedServer,
} from './loaded-server.js';
import { beforeName, startBefore, startProduct, type Product } from './product.js';
import { countStatusesKept, promisingName, promisingNote, startPromising, type PromisingServer } from './promising.js';
import { confirmSameAnswers } from './same-answers.js';
import { startProcess } from './server-process.js';
import { timingOf, type Bench, type BenchContext, type Comparison, type Listing, type Timing } from './side-by-side.js';
import { storeProductSends } from './stored-messages.js';

const path = '/webhooks/chat/gateway/status';
const connections = 64;
const timing: Timing = { rounds: 5, roundMs: 5_000, warmUpMs: 700 };
/** The messages that are sent before the measurement. */
const sentBefore = 20_000;
const text = 'Olá! A visita está marcada para amanhã às 15h.';

export const statusBench: Bench = { name: 'status', run: runStatus };

interface ReportedServer {
  name: string;
  url: string;
  apiKey: string;
  instanceName: string;
  secret: string;
  pid: number;
  databaseUrl: string;
  /** Stores messages that have been sent under these provider ids. */
  store: (externalIds: readonly string[]) => Promise<void>;
  countStored: () => Promise<number | Counts>;
}

async function runStatus(context: BenchContext): Promise<(Comparison | Listing)[]> {
  const { signal, progress } = context;
  const product = await startProduct(context);
  const before = await startBefore(context);
  for (const each of [product, ...before]) await createLeads(each);
  const keeping = [
    keepingAll('Leadwire', product),
    ...before.map((each) => keepingAll(beforeName, each)),
    keepingAll(promisingName, await startPromising(context)),
  ];
  const reported = [...keeping, await startBaseline(context, product.tenant.instanceName)];
  for (const { store } of reported) await store(externalIdsOf(sentBefore));
  await confirmAlike(keeping);
  await settle(reported.map(({ databaseUrl }) => databaseUrl));
  const servers = reported.map((server) => loadServer(server, signal));
  const sides = await measureLoaded(servers, { ...timingOf(context, timing), signal, progress });
  const title = `Status webhook: \`POST ${path}\`, one message delivered a call`;
  return [{ title, path: 'status', sides, notes: notesOn(servers) }, describeCpu('Status webhook', servers)];
}

function keepingAll(name: string, product: Product | PromisingServer): ReportedServer {
  const { url, pid, databaseUrl, webhookSecret: secret, tenant } = product;
  const { id: tenantId, apiKey, instanceName } = tenant;
  const store = (externalIds: readonly string[]) => storeProductSends(databaseUrl, { tenantId, text, externalIds });
  const countStored = () => countStatusesKept(databaseUrl, path);
  return { name, url, pid, databaseUrl, apiKey, instanceName, secret, store, countStored };
}

async function startBaseline(
  { postgres, resources, signal }: BenchContext,
  instanceName: string,
): Promise<ReportedServer> {
  const baseline = await createBaselineDatabase(await postgres.createDatabase('baseline'), chatNumbers);
  const { url: databaseUrl, apiKey } = baseline;
  const environment = { NODE_ENV: 'production', DATABASE_URL: databaseUrl };
  const started = await startProcess({
    script: 'test/bench/baselines/node-http-pg.ts',
    environment,
    resources,
    signal,
  });
  const store = (externalIds: readonly string[]) => storeSentMessages(databaseUrl, { instanceName, text, externalIds });
  const countStored = () => countRows(databaseUrl, "SELECT count(*) FROM messages WHERE status = 'DELIVERED'");
  const name = 'node:http + pg that promises nothing';
  return { name, ...started, databaseUrl, apiKey, instanceName, secret: '', store, countStored };
}

/** Compares the answers to a message's DELIVERED, and to the same report again. */
async function confirmAlike(servers: readonly ReportedServer[]): Promise<void> {
  const messageId = 'alike';
  const asked = servers.map((server) => {
    const call = callOf(server, messageId);
    return { name: server.name, url: server.url, calls: [call, call] };
  });
  for (const { store } of servers) await store([messageId]);
  await confirmSameAnswers(path, asked);
}

function callOf({ instanceName, apiKey, secret }: ReportedServer, messageId: string): LoadRequest {
  const timestamp = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ instance: instanceName, messageId, status: 'DELIVERED', timestamp });
  return { body, headers: signedHeaders(body, { apiKey, secret }) };
}

function loadServer(server: ReportedServer, signal: AbortSignal): LoadedServer {
  const { name, url, pid, databaseUrl, store, countStored } = server;
  let unreported: string[] = [];
  const prepare = async (amount: number) => {
    unreported = externalIdsOf(amount);
    await store(unreported);
  };
  const nextRequest = () => callOf(server, unreported.pop() ?? 'none');
  const processes = { pid, databaseUrl };
  const target = { url, path, method: 'POST', connections, processes, signal } as const;
  const load = new HttpLoad({ ...target, prepare, nextRequest, expected: '"outcome":"applied"' });
  return { name, load, countStored };
}

function externalIdsOf(count: number): string[] {
  return Array.from({ length: count }, () => randomExternalId('s'));
}

function notesOn(servers: readonly LoadedServer[]): string[] {
  return [
    `${connections} connections, ${leadCount} leads, ${timing.rounds} rounds of about ${timing.roundMs / 1_000} s a side in turn; the ` +
      'messages of a turn were stored as sent before it, and every acknowledged status was found in its database afterwards, with its ' +
      'transition, journal entry and event where they are promised.',
    promisingNote,
    'The one that promises nothing changes the message in one conditional statement. All on one durable PostgreSQL, 10 connections each ' +
      'but where it is said.',
    describeShare(servers),
  ];
}
