// `npm run soak [-- minutes] [--write]`: one process under mixed load for ten minutes, or 1 to 240. It prints memory and latency as they
// go, compares the last third with the first, and ends with the tables, their bloat and the WAL. It judges no figure: it fails when an
// answer was wrong, or a subscriber missed an event. The disk is measured beside it, because every commit waits for it.

import { freePort } from '../support/redis-server.js';
import { openAudience, openGraphqlSocket, subscribe, type AudienceSocket } from './audience.js';
import { DiskProbe, type SyncTimes } from './disk-probe.js';
import { createLeads, inboundPath, inboundRequests, randomExternalId, signedHeaders } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { PacedLoad } from './paced-load.js';
import { startBenchPostgres } from './postgres.js';
import type { Product } from './product.js';
import { describeMachine, renderTable, writeReport } from './report.js';
import { BenchGateway, SendingProduct } from './sending-product.js';
import { median, type BenchContext, type Listing, type RoundFigures } from './side-by-side.js';
import { storeProductSends } from './stored-messages.js';
import { TableGrowth } from './table-growth.js';

const sliceMs = 30_000;
const subscriberCount = 20;
const connections = 16;
const statusPath = '/webhooks/chat/gateway/status';
const graphqlPath = '/graphql';
const mebibyte = 2 ** 20;

const inboxQuery =
  '{ inbox(first: 50) { edges { node { id name unreadCount lastMessage { id body } assignee { id email } } } } }';
const sendMutation = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id status } }';

/** A kind of call, at a rate that does not change. */
interface Kind {
  name: string;
  perSecond: number;
  load: PacedLoad;
  /** Prepares a slice of so many calls. */
  prepare?: (amount: number) => Promise<void>;
}

interface Slice {
  figures: RoundFigures[];
  disk: SyncTimes;
  residentMib: number;
  heapMib: number;
}

await main();

async function main(): Promise<void> {
  const options = process.argv.slice(2);
  const minutes = Number(options.find((option) => option !== '--write') ?? 10);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > 240) throw new Error('Say how many minutes: 1 to 240.');
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  await using resources = new AsyncDisposableStack();
  const postgres = await startBenchPostgres(resources);
  const progress = (line: string) => process.stderr.write(`soak: ${line}\n`);
  const context = { postgres, resources, signal: interruption.signal, progress };
  for (const [block, listing] of Object.entries(await soak(context, minutes))) {
    const report = `${renderTable(listing)}\n${describeMachine(postgres.version)}\n`;
    process.stdout.write(report);
    if (options.includes('--write')) await writeReport(block, report);
  }
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
}

/** Returns a table for each of its blocks in the documents. */
async function soak(context: BenchContext, minutes: number): Promise<Record<'soak' | 'soak-tables', Listing>> {
  const metricsPort = await freePort();
  const gateway = await BenchGateway.start(context);
  const environment = { ...gateway.environment, METRICS_PORT: String(metricsPort) };
  const sending = await SendingProduct.start(context, { environment });
  const { product } = sending;
  await createLeads(product);
  await settle([product.databaseUrl]);
  const kinds = kindsOf(product, await sending.listLeadIds(product.tenant.id), context.signal);
  const sockets = await openAudience(subscriberCount, () => openGraphqlSocket(product.url, product.tenant.token));
  for (const socket of sockets) subscribe(socket, 'subscription { messageReceived { id body } }');
  const disk = context.resources.use(await DiskProbe.start(context.postgres.folder));
  const growth = new TableGrowth(product.databaseUrl);
  await growth.sample();
  const slices: Slice[] = [];
  for (let number = 1; number <= (minutes * 60_000) / sliceMs; number += 1) {
    disk.forget();
    const figures = await runSlice(kinds, sockets);
    slices.push({ figures, disk: disk.read(), ...(await readMemory(metricsPort)) });
    await gateway.forget();
    await growth.sample();
    context.progress(rowOf(slices.at(-1)!, number).join(', '));
  }
  for (const socket of sockets) socket.close();
  return { soak: listingOf(kinds, slices, minutes), 'soak-tables': await growth.finish() };
}

function kindsOf(
  { url, databaseUrl, tenant, webhookSecret: secret }: Product,
  leadIds: readonly string[],
  signal: AbortSignal,
): Kind[] {
  const { apiKey, instanceName, token, id: tenantId } = tenant;
  const target = { url, method: 'POST', connections, signal } as const;
  const authorized = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const graphql = (query: string, variables: object) => ({
    body: JSON.stringify({ query, variables }),
    headers: authorized,
  });
  const nextInbound = inboundRequests({ messagePrefix: 'soak', instanceName, apiKey, secret });
  const nextInbox = () => graphql(inboxQuery, {});
  let turn = 0;
  const nextSend = () =>
    graphql(sendMutation, { input: { leadId: leadIds[(turn += 1) % leadIds.length], body: 'Bom dia!' } });
  let unreported: string[] = [];
  const prepareStatuses = async (amount: number) => {
    unreported = Array.from({ length: amount }, () => randomExternalId('soak'));
    await storeProductSends(databaseUrl, { tenantId, text: 'Bom dia!', externalIds: unreported });
  };
  const nextStatus = () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({
      instance: instanceName,
      messageId: unreported.pop(),
      status: 'DELIVERED',
      timestamp,
    });
    return { body, headers: signedHeaders(body, { apiKey, secret }) };
  };
  return [
    {
      name: 'inbound',
      perSecond: 100,
      load: new PacedLoad({ ...target, path: inboundPath, nextRequest: nextInbound, expected: '"duplicate":false' }),
    },
    {
      name: 'status',
      perSecond: 50,
      load: new PacedLoad({ ...target, path: statusPath, nextRequest: nextStatus, expected: '"outcome":"applied"' }),
      prepare: prepareStatuses,
    },
    {
      name: 'inbox',
      perSecond: 10,
      load: new PacedLoad({ ...target, path: graphqlPath, nextRequest: nextInbox, expected: '"lastMessage":{"id"' }),
    },
    {
      name: 'send',
      perSecond: 20,
      load: new PacedLoad({ ...target, path: graphqlPath, nextRequest: nextSend, expected: '"QUEUED"' }),
    },
  ];
}

/** @throws Error when an answer was wrong or a subscriber has not heard of every message */
async function runSlice(kinds: readonly Kind[], sockets: readonly AudienceSocket[]): Promise<RoundFigures[]> {
  for (const { perSecond, prepare } of kinds) await prepare?.(Math.round((perSecond * sliceMs) / 1_000));
  const before = sockets.map(({ frameCount }) => frameCount);
  const written = kinds[0]?.load.answeredCount ?? 0;
  const figures = await Promise.all(kinds.map(({ load, perSecond }) => load.measure(perSecond, sliceMs)));
  const expected = (kinds[0]?.load.answeredCount ?? 0) - written;
  await Promise.all(sockets.map((socket, index) => socket.untilFrames((before[index] ?? 0) + expected)));
  return figures;
}

async function readMemory(metricsPort: number): Promise<Pick<Slice, 'residentMib' | 'heapMib'>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const mebibytesOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / mebibyte;
  return {
    residentMib: mebibytesOf('process_resident_memory_bytes'),
    heapMib: mebibytesOf('nodejs_heap_size_used_bytes'),
  };
}

function rowOf({ figures, disk, residentMib, heapMib }: Slice, number: number): string[] {
  const latencies = [...figures, disk].map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} ms`);
  return [
    `${(number * sliceMs) / 60_000} min`,
    `${residentMib.toFixed(0)} MiB`,
    `${heapMib.toFixed(0)} MiB`,
    ...latencies,
  ];
}

function listingOf(kinds: readonly Kind[], slices: readonly Slice[], minutes: number): Listing {
  const third = Math.max(1, Math.floor(slices.length / 3));
  const [first, last] = [slices.slice(0, third), slices.slice(-third)];
  const change = (valueOf: (slice: Slice) => number) => {
    const ratio = median(last.map(valueOf)) / median(first.map(valueOf));
    return `${(ratio * 100).toFixed(0)} %`;
  };
  const changeOf = (timesOf: (slice: Slice) => SyncTimes | undefined) =>
    `${change((slice) => timesOf(slice)?.p50Ms ?? 0)} / ${change((slice) => timesOf(slice)?.p99Ms ?? 0)}`;
  const changes = [...kinds.map((_, index) => changeOf(({ figures }) => figures[index])), changeOf(({ disk }) => disk)];
  return {
    title: `Soak: ${minutes} minutes of mixed load`,
    columns: [
      'after',
      'resident',
      'heap',
      ...kinds.map(({ name, perSecond }) => `${name}, ${perSecond}/s: p50 / p99`),
      'disk sync, 10/s: p50 / p99',
    ],
    rows: [
      ...slices.map((slice, index) => rowOf(slice, index + 1)),
      ['last third ÷ first', change(({ residentMib }) => residentMib), change(({ heapMib }) => heapMib), ...changes],
    ],
    notes: [
      `${subscriberCount} subscribers heard of every inbound message; what is sent goes to a gateway that answers at once.`,
    ],
  };
}
