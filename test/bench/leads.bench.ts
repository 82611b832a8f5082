// Lead intake: the product (deduplication by every writing of a number, touch, journal, event) against a hand-written server with the same
// promises. Another server only finds or creates a lead.

import { createBaselineDatabase } from './baselines/intake-store.js';
import { chatNumberOf, chatNumbers, createLeads, leadCount } from './inbound-call.js';
import { HttpLoad, type LoadedProcesses, type LoadRequest } from './load.js';
import { countRows, describeCpu, describeShare, measureLoaded, settle, type LoadedServer } from './loaded-server.js';
import { beforeName, startBefore, startProduct, type Product } from './product.js';
import { countLeadsKept, promisingName, promisingNote, startPromising, type PromisingServer } from './promising.js';
import { confirmSameAnswers } from './same-answers.js';
import { startProcess } from './server-process.js';
import { timingOf, type Bench, type BenchContext, type Comparison, type Listing, type Timing } from './side-by-side.js';

const path = '/webhooks/leads';
const connections = 64;
const timing: Timing = { rounds: 5, roundMs: 5_000, warmUpMs: 700 };

export const leadsBench: Bench = { name: 'leads', run: runLeads };

async function runLeads(context: BenchContext): Promise<(Comparison | Listing)[]> {
  const { signal, progress, resources, postgres } = context;
  const product = await startProduct(context);
  const before = await startBefore(context);
  const promising = await startPromising(context);
  const baseline = await createBaselineDatabase(await postgres.createDatabase('baseline'), chatNumbers);
  const environment = { NODE_ENV: 'production', DATABASE_URL: baseline.url };
  const nodeHttp = await startProcess({
    script: 'test/bench/baselines/node-http-pg.ts',
    environment,
    resources,
    signal,
  });
  for (const each of [product, ...before]) await createLeads(each);
  await confirmAlike(product, promising);
  const databases = [product, ...before, promising].map(({ databaseUrl }) => databaseUrl);
  await settle([...databases, baseline.url]);
  const loadOf = ({ url, ...processes }: { url: string } & LoadedProcesses, apiKey: string) => {
    const loadOptions = { url, path, method: 'POST', connections, nextRequest: newLeads(apiKey), signal } as const;
    return new HttpLoad({ ...loadOptions, processes, expected: '"created":true' });
  };
  const keepingAll = (name: string, { url, pid, databaseUrl, tenant }: Product | PromisingServer): LoadedServer => {
    const load = loadOf({ url, pid, databaseUrl }, tenant.apiKey);
    return { name, load, countStored: () => countLeadsKept(databaseUrl, path) };
  };
  const servers = [
    keepingAll('Leadwire', product),
    ...before.map((each) => keepingAll(beforeName, each)),
    keepingAll(promisingName, promising),
    {
      name: 'node:http + pg that promises nothing',
      load: loadOf({ ...nodeHttp, databaseUrl: baseline.url }, baseline.apiKey),
      countStored: () => countRows(baseline.url, 'SELECT count(*) FROM leads'),
    },
  ];
  const sides = await measureLoaded(servers, { ...timingOf(context, timing), signal, progress });
  const comparison = {
    title: `Lead intake: \`POST ${path}\`, one new lead a call`,
    path: 'new lead',
    sides,
    notes: notesOn(servers),
  };
  return [comparison, describeCpu('Lead intake', servers)];
}

/** Compares the answers to a new lead, to the same one in another writing, and to one with other fields. */
async function confirmAlike(product: Product, promising: PromisingServer): Promise<void> {
  const leads = [
    { chat: '+55 (11) 97777-6666', name: 'Ana', source: 'fair' },
    { chat: '551177776666', name: 'Ana Maria' },
    { chat: '+551155556666', plan: 'gold' },
  ];
  const askedOf = (name: string, { url, tenant: { apiKey } }: Product | PromisingServer) => {
    const headers = { 'content-type': 'application/json', 'x-tenant-key': apiKey };
    return { name, url, calls: leads.map((lead) => ({ headers, body: JSON.stringify(lead) })) };
  };
  await confirmSameAnswers(path, [askedOf('Leadwire', product), askedOf(promisingName, promising)]);
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
    `${connections} connections, ${leadCount} leads at the start, ${timing.rounds} rounds of about ${timing.roundMs / 1_000} s a side in ` +
      'turn; every acknowledged lead was found in its database afterwards, with its identity, touch, journal entry and event where they ' +
      'are promised.',
    promisingNote,
    'The one that promises nothing finds or creates a lead by its number as it is written. All on one durable PostgreSQL, 10 connections ' +
      'each but where it is said.',
    describeShare(servers),
  ];
}
