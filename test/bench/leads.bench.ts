// Lead intake: the product (deduplication by every writing of a number, touch, journal, event) against a server written by
// hand that finds or creates a lead in one statement.

import { createBaselineDatabase } from './baselines/intake-store.js';
import { chatNumberOf, chatNumbers, createLeads, leadCount } from './inbound-call.js';
import { HttpLoad } from './load.js';
import type { LoadRequest } from './load.js';
import { countRows, describeShare, measureLoaded, settle } from './loaded-server.js';
import type { LoadedServer } from './loaded-server.js';
import { beforeName, startBefore, startProduct } from './product.js';
import { startServer } from './server-process.js';
import type { Bench, BenchContext, Comparison } from './side-by-side.js';

const path = '/webhooks/leads';
const connections = 64;
const rounds = 5;
const roundMs = 5_000;
const warmUpMs = 700;

export const leadsBench: Bench = { name: 'leads', run: runLeads };

async function runLeads(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress, resources, postgres } = context;
  const product = await startProduct(context);
  const before = await startBefore(context);
  const baseline = await createBaselineDatabase(await postgres.createDatabase('baseline'), chatNumbers);
  const environment = { NODE_ENV: 'production', DATABASE_URL: baseline.url };
  const nodeHttp = await startServer({
    script: 'test/bench/baselines/node-http-pg.ts',
    environment,
    resources,
    signal,
  });
  for (const each of [product, ...before]) await createLeads(each);
  await settle([product, ...before].map(({ databaseUrl }) => databaseUrl).concat(baseline.url));
  const serverOf = (name: string, url: string, apiKey: string, databaseUrl: string): LoadedServer => {
    const loadOptions = { url, path, method: 'POST', connections, nextRequest: newLeads(apiKey), signal } as const;
    const load = new HttpLoad({ ...loadOptions, expected: '"created":true' });
    return { name, load, countStored: () => countRows(databaseUrl, 'SELECT count(*) FROM leads') };
  };
  const servers = [
    serverOf('Leadwire', product.url, product.tenant.apiKey, product.databaseUrl),
    ...before.map((each) => serverOf(beforeName, each.url, each.tenant.apiKey, each.databaseUrl)),
    serverOf('node:http + pg, one statement', nodeHttp, baseline.apiKey, baseline.url),
  ];
  const sides = await measureLoaded(servers, { rounds, roundMs, warmUpMs, signal, progress });
  return [{ title: `Lead intake: \`POST ${path}\`, one new lead a call`, sides, notes: notesOn(servers) }];
}

/** Each call makes a request with a number that has not been sent before. */
function newLeads(apiKey: string): () => LoadRequest {
  let index = leadCount;
  return () => {
    const body = JSON.stringify({ chat: `+${chatNumberOf(index)}`, name: `Lead ${index}`, source: 'landing page' });
    index += 1;
    return { body, headers: { 'content-type': 'application/json', 'x-tenant-key': apiKey } };
  };
}

function notesOn(servers: readonly LoadedServer[]): string[] {
  return [
    `${connections} connections, ${leadCount} leads at the start, ${rounds} rounds of about ${roundMs / 1_000} s a side in ` +
      'turn; every acknowledged lead was found in its database afterwards.',
    'Leadwire counts the rate limit, knows a lead under every writing of its number, records the touch, journals the call and ' +
      'appends the event; the other finds or creates a lead in one statement. Both on one durable PostgreSQL, 10 connections each.',
    describeShare(servers),
  ];
}
