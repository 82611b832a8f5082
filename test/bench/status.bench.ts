// Delivery statuses: the product (signature, rate limit, journal, transition, event) against a server written by hand that
// changes the message in one conditional statement. Each call reports on a message of its own.

import { createBaselineDatabase, storeSentMessages } from './baselines/intake-store.js';
import { chatNumbers, createLeads, leadCount, randomExternalId, signedHeaders } from './inbound-call.js';
import { HttpLoad } from './load.js';
import { countRows, describeShare, measureLoaded, settle } from './loaded-server.js';
import type { LoadedServer } from './loaded-server.js';
import { startProduct } from './product.js';
import type { Product } from './product.js';
import { startServer } from './server-process.js';
import type { Bench, BenchContext, Comparison } from './side-by-side.js';
import { storeProductSends } from './stored-messages.js';

const path = '/webhooks/chat/gateway/status';
const connections = 64;
const rounds = 5;
const roundMs = 5_000;
const warmUpMs = 700;
/** Sent before anything is measured. */
const sentBefore = 20_000;
const text = 'Olá! A visita está marcada para amanhã às 15h.';

export const statusBench: Bench = { name: 'status', run: runStatus };

interface ReportedServer {
  name: string;
  url: string;
  databaseUrl: string;
  apiKey: string;
  /** Stores messages that have been sent under these provider ids. */
  store: (externalIds: readonly string[]) => Promise<void>;
}

async function runStatus(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const product = await startProduct(context);
  await createLeads(product);
  const reported = [reportedProduct(product), await startBaseline(context, product.tenant.instanceName)];
  for (const { store } of reported) await store(externalIdsOf(sentBefore));
  await settle(reported.map(({ databaseUrl }) => databaseUrl));
  const options = { instanceName: product.tenant.instanceName, secret: product.webhookSecret, signal };
  const servers = reported.map((server) => loadServer(server, options));
  const sides = await measureLoaded(servers, { rounds, roundMs, warmUpMs, signal, progress });
  return [{ title: `Status webhook: \`POST ${path}\`, one message delivered a call`, sides, notes: notesOn(servers) }];
}

function reportedProduct({ url, databaseUrl, tenant: { id: tenantId, apiKey } }: Product): ReportedServer {
  const store = (externalIds: readonly string[]) => storeProductSends(databaseUrl, { tenantId, text, externalIds });
  return { name: 'Leadwire', url, databaseUrl, apiKey, store };
}

async function startBaseline({ postgres, resources, signal }: BenchContext, instanceName: string) {
  const baseline = await createBaselineDatabase(await postgres.createDatabase('baseline'), chatNumbers);
  const { url: databaseUrl, apiKey } = baseline;
  const environment = { NODE_ENV: 'production', DATABASE_URL: databaseUrl };
  const url = await startServer({ script: 'test/bench/baselines/node-http-pg.ts', environment, resources, signal });
  const store = (externalIds: readonly string[]) => storeSentMessages(databaseUrl, { instanceName, text, externalIds });
  return { name: 'node:http + pg, one statement', url, databaseUrl, apiKey, store } satisfies ReportedServer;
}

function loadServer(
  { name, url, databaseUrl, apiKey, store }: ReportedServer,
  { instanceName, secret, signal }: { instanceName: string; secret: string; signal: AbortSignal },
): LoadedServer {
  let unreported: string[] = [];
  const prepare = async (amount: number) => {
    unreported = externalIdsOf(amount);
    await store(unreported);
  };
  const nextRequest = () => {
    const messageId = unreported.pop() ?? 'none';
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ instance: instanceName, messageId, status: 'DELIVERED', timestamp });
    return { body, headers: signedHeaders(body, { apiKey, secret }) };
  };
  const target = { url, path, method: 'POST', connections, signal } as const;
  const load = new HttpLoad({ ...target, prepare, nextRequest, expected: '"outcome":"applied"' });
  const countStored = () => countRows(databaseUrl, "SELECT count(*) FROM messages WHERE status = 'DELIVERED'");
  return { name, load, countStored };
}

function externalIdsOf(count: number): string[] {
  return Array.from({ length: count }, () => randomExternalId('s'));
}

function notesOn(servers: readonly LoadedServer[]): string[] {
  return [
    `${connections} connections, ${leadCount} leads, ${rounds} rounds of about ${roundMs / 1_000} s a side in turn; the ` +
      'messages of a turn were stored as sent before it, and every acknowledged status was found in its database afterwards.',
    'Leadwire checks the signature, counts the rate limit, journals the call, records the transition and appends the event; ' +
      'the other changes the message in one conditional statement. Both on one durable PostgreSQL, 10 connections each.',
    describeShare(servers),
  ];
}
