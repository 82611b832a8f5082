// Fan-out: one tenant's events to many subscribers with the same selection. A bare loop sends the same bytes, and graphql-ws with
// a topic in memory executes for each subscriber.

import { setTimeout as delay } from 'node:timers/promises';
import { AudienceSocket, openAudience, openGraphqlSocket, subscribe } from './audience.js';
import { chatNumbers, createLeads, inboundPath, randomExternalId, signedHeaders } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { machineTimeMs } from './machine-clock.js';
import { beforeName, startProduct, type Product, type ProductOptions } from './product.js';
import { ServerProbe } from './server-probe.js';
import { startServer } from './server-process.js';
import {
  measureSideBySide,
  median,
  percentile,
  type Bench,
  type BenchContext,
  type Comparison,
  type RoundFigures,
  type Side,
} from './side-by-side.js';

const subscriberCount = 1_000;
const eventCount = 200;
const warmUpCount = 20;
const rounds = 5;
const lookIntervalMs = 2;
const selection = 'messageReceived { id type body createdAt lead { id name } }';

export const fanOutBench: Bench = { name: 'fan-out', run: runFanOut };

/** A side, and the cost of each of its turns for its server. */
interface CountedSide extends Side {
  /** CPU of the server for each delivery, in microseconds. */
  readonly cpuUs: number[];
}

async function runFanOut(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress, before: version } = context;
  const sides: [CountedSide, ...CountedSide[]] = [
    await startProductSide(context, 'Leadwire'),
    ...(version === undefined
      ? []
      : [await startProductSide(context, beforeName, { version, databaseName: 'before' })]),
    await startTopicSide(context, 'bare `ws` loop, the same bytes', 'bare'),
    await startTopicSide(context, 'graphql-ws, topic in memory, executing for each', 'graphql-ws'),
  ];
  const comparison = {
    title: `Fan-out: one tenant's events to ${subscriberCount} subscribers with the same selection`,
    path: 'live events',
    sides: await measureSideBySide(sides, { rounds, signal, progress }),
    notes: [
      `${rounds} rounds of ${eventCount} events to ${subscriberCount} sockets a side in turn; per second: deliveries. p50 and p99: ` +
        'when each event of one socket had arrived, from the moment the events were asked for.',
      'Leadwire takes its events in as one webhook call: signature, journal, inbox, log and reading that log are part of its time. ' +
        'The others make theirs up in memory, and write them in the same pages of 20 events for each socket.',
    ],
  };
  const cpu = sides.map(({ name, cpuUs }) => `${median(cpuUs).toFixed(1)} µs (${name})`);
  comparison.notes.push(`CPU of the server for each delivery: ${cpu.join(', ')}.`);
  return [comparison];
}

async function startProductSide(
  context: BenchContext,
  name: string,
  options: ProductOptions = {},
): Promise<CountedSide> {
  const probe = await ServerProbe.prepare();
  const { environment, nodeArguments } = probe.options;
  const product = await startProduct(context, {
    ...options,
    environment: { ...environment, SOCKETS_PER_USER: '100000' },
    nodeArguments,
  });
  await createLeads(product);
  await settle([product.databaseUrl]);
  const sockets = await openAudience(subscriberCount, () => openGraphqlSocket(product.url, product.tenant.token));
  for (const socket of sockets) subscribe(socket, `subscription { ${selection} }`);
  context.resources.defer(() => closeAll(sockets));
  await settleIn(sockets, () => publishInbound(product, 1));
  return sideOf(name, sockets, probe, (count) => publishInbound(product, count));
}

async function publishInbound({ url, tenant, webhookSecret: secret }: Product, count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, index) => ({
    messageId: randomExternalId('fan'),
    from: chatNumbers[index % 100],
    text: `Bom dia! Ainda tem a casa da rua ${index}? Posso visitar amanhã às 15h.`,
  }));
  const body = JSON.stringify({ messages });
  const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret });
  const answer = await fetch(`${url}${inboundPath}`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The events were not taken: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function startTopicSide(context: BenchContext, name: string, kind: 'bare' | 'graphql-ws'): Promise<CountedSide> {
  const { resources, signal } = context;
  const probe = await ServerProbe.prepare();
  const { nodeArguments } = probe.options;
  const script = 'test/bench/baselines/socket-topics.ts';
  const environment = { ...probe.options.environment, NODE_ENV: 'production', KIND: kind };
  const url = await startServer({ script, environment, nodeArguments, resources, signal });
  const open = () => (kind === 'bare' ? AudienceSocket.open(url, '/graphql') : openGraphqlSocket(url, ''));
  const sockets = await openAudience(subscriberCount, open);
  if (kind === 'graphql-ws') for (const socket of sockets) subscribe(socket, `subscription { ${selection} }`);
  resources.defer(() => closeAll(sockets));
  const publish = async (count: number) => {
    await fetch(`${url}/publish?count=${count}`, { method: 'POST', signal });
  };
  await settleIn(sockets, () => publish(1));
  return sideOf(name, sockets, probe, publish);
}

// Nothing acknowledges a subscription: a client that has heard an event is subscribed.
async function settleIn(sockets: readonly AudienceSocket[], publish: () => Promise<void>): Promise<void> {
  while (sockets.some(({ frameCount }) => frameCount === 0)) {
    await publish();
    await delay(200);
  }
}

function sideOf(
  name: string,
  sockets: readonly AudienceSocket[],
  probe: ServerProbe,
  publish: (count: number) => Promise<void>,
): CountedSide {
  const run = (count: number) => deliver(sockets, count, () => publish(count));
  const cpuUs: number[] = [];
  const measure = async () => {
    const beforeMs = await probe.readCpuMs();
    const figures = await run(eventCount);
    const usedMs = (await probe.readCpuMs()) - beforeMs;
    cpuUs.push((usedMs * 1_000) / (eventCount * sockets.length));
    return figures;
  };
  return { name, cpuUs, warmUp: async () => void (await run(warmUpCount)), measure };
}

async function deliver(
  sockets: readonly AudienceSocket[],
  count: number,
  publish: () => Promise<void>,
): Promise<RoundFigures> {
  for (const socket of sockets) socket.frameCount = 0;
  const [sample] = sockets;
  const arrivals: number[] = [];
  const startedAt = machineTimeMs();
  if (sample !== undefined) sample.onText = () => arrivals.push(machineTimeMs() - startedAt);
  await publish();
  for (const socket of sockets)
    while (socket.frameCount < count) {
      if (socket.isClosed) throw new Error('A subscriber was closed.');
      await delay(lookIntervalMs);
    }
  const durationMs = machineTimeMs() - startedAt;
  if (sample !== undefined) sample.onText = undefined;
  const sorted = Float64Array.from(arrivals).sort();
  const perSecond = ((count * sockets.length) / durationMs) * 1_000;
  return { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

function closeAll(sockets: readonly AudienceSocket[]): void {
  for (const socket of sockets) socket.close();
}
