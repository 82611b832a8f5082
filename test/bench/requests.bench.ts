// The cost of single requests for the process. For strangers' requests, it is the bytes of the answer and the CPU time; for those of
// signed-in callers, the time that they hold all others up.

import { randomUUID } from 'node:crypto';
import { enlargeLeads } from './large-leads.js';
import { startProduct, type Product } from './product.js';
import { ProductVersion } from './product-version.js';
import { json, type BoundedRequest, type Subject } from './requests/bounded-request.js';
import { signedRequests } from './requests/signed-requests.js';
import { strangerRequests } from './requests/stranger-requests.js';
import { ServerProbe } from './server-probe.js';
import { median, type Bench, type BenchContext, type Listing } from './side-by-side.js';
import { storeConversations } from './stored-conversations.js';

const repetitions = 5;
const warmUpCount = 200;
const leadCount = 1_000;
const messageCount = 50_000;
const largeLeads = 300;
const days = 30;

export const requestsBench: Bench = { name: 'requests', run: runRequests };

interface Cost {
  outcome: string;
  bytes: number;
  cpuMs: number;
  blockedMs: number;
}

interface MeasuredProduct {
  subject: Subject;
  probe: ServerProbe;
}

async function runRequests(context: BenchContext): Promise<Listing[]> {
  const { before } = context;
  const products = [
    ...(before === undefined ? [] : [await start(context, before, 'requests_before')]),
    await start(context, ProductVersion.current, 'requests'),
  ];
  const rowsOf = async (requests: readonly BoundedRequest[]): Promise<string[][]> => {
    const rows: string[][] = [];
    for (const request of requests) {
      const costs: Cost[] = [];
      for (const product of products) {
        context.signal.throwIfAborted();
        costs.push(await measure(request, product));
      }
      const cell = (of: (cost: Cost) => string) => costs.map(of).join(' → ');
      rows.push([
        request.isDocument === true ? `${request.name} (a document)` : request.name,
        cell(({ outcome }) => outcome),
        cell(({ bytes }) => bytes.toLocaleString('en')),
        cell(({ cpuMs }) => `${cpuMs.toFixed(1)} ms`),
        cell(({ blockedMs }) => `${blockedMs.toFixed(0)} ms`),
      ]);
      context.progress(rows.at(-1)?.join(', ') ?? '');
    }
    return rows;
  };
  const columns = ['request', 'answer', 'bytes', 'CPU', 'longest block'];
  const versions = before === undefined ? '' : ', before → now';
  const notes = [
    `Medians of ${repetitions}, one after the other. A block is a time in which the event loop stood still, the longest of each request; ` +
      'what else the machine does is part of it. No rate limit is reached.',
  ];
  return [
    { title: `Single requests of strangers${versions}`, columns, rows: await rowsOf(strangerRequests), notes },
    {
      title: `Single requests of those who may come in${versions}`,
      columns,
      rows: await rowsOf(signedRequests),
      notes,
    },
  ];
}

async function start(context: BenchContext, version: ProductVersion, databaseName: string): Promise<MeasuredProduct> {
  const probe = await ServerProbe.prepare();
  const { environment, nodeArguments } = probe.options;
  const product = await startProduct(context, {
    version,
    databaseName,
    // The limit of failed calls is raised, so that it does not hide the cost of a single call.
    environment: { ...environment, FAILED_AUTH_LIMIT: '1000000' },
    nodeArguments,
  });
  context.progress(`${databaseName}: storing ${messageCount.toLocaleString('en')} messages`);
  const { databaseUrl, tenant } = product;
  const { signal } = context;
  await storeConversations(databaseUrl, { tenantId: tenant.id, leadCount, messageCount, days, signal });
  const leadIds = await enlargeLeads(databaseUrl, { tenantId: tenant.id, count: largeLeads });
  const subject = await prepareSubject(product, leadIds);
  for (let count = 0; count < warmUpCount; count += 1)
    await ask(product, '{ leads(first: 20) { edges { node { id name lastMessage { body } } } } }');
  await probe.readBlockedMs();
  return { subject, probe };
}

async function prepareSubject(product: Product, leadIds: readonly string[]): Promise<Subject> {
  const { url, tenant, webhookSecret } = product;
  const secret = randomUUID();
  const create = 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }';
  const input = {
    accountId: tenant.accountId,
    provider: 'cloud',
    instanceName: 'network',
    token: 'a-token-of-nobody',
    webhookSecret: secret,
  };
  const { createChatInstance } = await ask<{ createChatInstance: { id: string } }>(product, create, { input });
  const template = 'mutation { createTemplate(input: {name: "Bound", body: "Bom dia, {{lead.name}}!"}) { id } }';
  const { createTemplate } = await ask<{ createTemplate: { id: string } }>(product, template);
  const network = { id: createChatInstance.id, secret };
  return { url, tenant, webhookSecret, largeLeadId: leadIds[0] ?? '', leadIds, templateId: createTemplate.id, network };
}

async function ask<Data>({ url, tenant }: Product, query: string, variables?: object): Promise<Data> {
  const { headers, body } = json('/graphql', { query, variables }, { authorization: `Bearer ${tenant.token}` });
  const answer = await (
    await fetch(`${url}/graphql`, { method: 'POST', headers: headers as Record<string, string>, body: String(body) })
  ).text();
  const { data, errors } = JSON.parse(answer) as { data?: Data; errors?: unknown };
  if (data == null || errors !== undefined) throw new Error(`Not answered: ${answer.slice(0, 500)}`);
  return data;
}

let sentCount = 0;

async function measure(request: BoundedRequest, { subject, probe }: MeasuredProduct): Promise<Cost> {
  const send = () => request.send(subject, (sentCount += 1));
  await send();
  const cpuMs: number[] = [];
  const blockedMs: number[] = [];
  let bytes = 0;
  let outcome = '';
  for (let count = 0; count < repetitions; count += 1) {
    await probe.readBlockedMs();
    const before = await probe.readCpuMs();
    const answer = await send();
    cpuMs.push((await probe.readCpuMs()) - before);
    blockedMs.push(await probe.readBlockedMs());
    bytes = Math.max(bytes, answer.bytes);
    ({ outcome } = answer);
  }
  return { outcome, bytes, cpuMs: median(cpuMs), blockedMs: median(blockedMs) };
}
