// The delay of a subscriber: from the webhook's 2xx at its caller to the subscriber's socket, with subscribers on the process that
// took the webhook, and on another one.

import { setTimeout as delay } from 'node:timers/promises';
import { openAudience, openGraphqlSocket, subscribe, type AudienceSocket } from './audience.js';
import { Connection } from './connection.js';
import { chatNumbers, createLeads, inboundPath, randomExternalId, signedHeaders } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { machineTimeMs } from './machine-clock.js';
import { startProduct, type Product } from './product.js';
import { startServer } from './server-process.js';
import {
  measureSideBySide,
  percentile,
  type Bench,
  type BenchContext,
  type Comparison,
  type RoundFigures,
  type Side,
} from './side-by-side.js';

const subscriberCount = 200;
const eventsPerSecond = 200;
const roundMs = 5_000;
const warmUpMs = 1_000;
const rounds = 3;
const arrivalLimitMs = 20_000;
const connectionCount = 16;
const textStart = '"body":"';

export const liveLatencyBench: Bench = { name: 'live-latency', run: runLiveLatency };

async function runLiveLatency(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress, resources } = context;
  const keys = { JWT_SECRET: 'live latency '.repeat(4), ENCRYPTION_KEY: '0123456789abcdef'.repeat(4) };
  const environment = { ...keys, SOCKETS_PER_USER: '100000' };
  const product = await startProduct(context, { environment });
  const shared = {
    NODE_ENV: 'production',
    PORT: '0',
    TRUST_PROXY: 'false',
    PROCESS_ROLE: 'api',
    THROTTLE_LIMIT: '10000000',
  };
  const other = {
    script: 'dist/main.js',
    environment: { ...shared, ...environment, DATABASE_URL: product.databaseUrl },
    resources,
    signal,
  };
  const otherUrl = await startServer(other);
  await createLeads(product);
  await settle([product.databaseUrl]);
  const sides = [
    await startSide(context, product, 'subscribers on the process that takes the webhook', product.url),
    await startSide(context, product, 'subscribers on another process', otherUrl),
  ] as const;
  const comparison = {
    title: `Live: from the webhook's 2xx to the socket, ${eventsPerSecond} events per second, ${subscriberCount} subscribers`,
    sides: await measureSideBySide(sides, { rounds, signal, progress, ratio: () => undefined }),
    notes: [
      `${rounds} rounds of ${roundMs / 1_000} s a side in turn; per second: events. Each event counts once for each subscriber. What ` +
        'reaches a socket before the caller has its 2xx counts as 0.',
    ],
  };
  return [comparison];
}

async function startSide(context: BenchContext, product: Product, name: string, url: string): Promise<Side> {
  const open = () => openAudience(subscriberCount, () => openGraphqlSocket(url, product.tenant.token));
  const measure = async (durationMs: number): Promise<RoundFigures> => {
    const sockets = await open();
    try {
      return await listen(product, sockets, durationMs, context.signal);
    } finally {
      for (const socket of sockets) socket.close();
    }
  };
  return { name, warmUp: async () => void (await measure(warmUpMs)), measure: () => measure(roundMs) };
}

async function listen(
  product: Product,
  sockets: readonly AudienceSocket[],
  durationMs: number,
  signal: AbortSignal,
): Promise<RoundFigures> {
  const arrivals: [text: string, atMs: number][] = [];
  for (const socket of sockets) {
    socket.onText = (payload) => arrivals.push([textOf(payload), machineTimeMs()]);
    subscribe(socket, 'subscription { messageReceived { body } }');
  }
  // Nothing acknowledges a subscription, so the bench waits.
  await delay(500, undefined, { signal });
  const startedAt = machineTimeMs();
  const answeredAt = await write(product, Math.round((eventsPerSecond * durationMs) / 1_000), signal);
  const perSecond = (answeredAt.size / (machineTimeMs() - startedAt)) * 1_000;
  const expected = answeredAt.size * sockets.length;
  const deadline = machineTimeMs() + arrivalLimitMs;
  while (arrivals.length < expected) {
    if (machineTimeMs() > deadline) throw new Error(`${arrivals.length} of ${expected} deliveries arrived.`);
    await delay(20, undefined, { signal });
  }
  const waits = arrivals.map(([text, atMs]) => Math.max(0, atMs - (answeredAt.get(text) ?? Number.NaN)));
  const sorted = Float64Array.from(waits).sort();
  return { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

// A frame has no other text between these two. Parsing each frame would cost more than the rest of the load generator's work.
function textOf(payload: Buffer): string {
  const start = payload.indexOf(textStart) + textStart.length;
  return payload.toString('latin1', start, payload.indexOf('"', start));
}

/** @returns the time of each message's 2xx, by its text */
async function write(
  { url, tenant, webhookSecret: secret }: Product,
  count: number,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const answeredAt = new Map<string, number>();
  const idle = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(url)));
  const opened = [...idle];
  const startedAt = machineTimeMs();
  const answers: Promise<unknown>[] = [];
  for (let number = 0; number < count; number += 1) {
    await delay(Math.max(0, startedAt + (number * 1_000) / eventsPerSecond - machineTimeMs()), undefined, { signal });
    const messageId = randomExternalId('live');
    const body = JSON.stringify({ messageId, from: chatNumbers[number % chatNumbers.length], text: messageId });
    const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret });
    const connection = idle.shift() ?? (await Connection.open(url));
    if (!opened.includes(connection)) opened.push(connection);
    const request = Connection.serialise(url, { method: 'POST', path: inboundPath, body, headers });
    const answer = exchange(connection, request).then(() => {
      idle.push(connection);
      return answeredAt.set(messageId, machineTimeMs());
    });
    // A failure is thrown below, when every request has been written.
    answer.catch(() => undefined);
    answers.push(answer);
  }
  await Promise.all(answers);
  for (const connection of opened) connection.close();
  return answeredAt;
}

async function exchange(connection: Connection, request: Buffer): Promise<void> {
  const { status } = await connection.exchange(request);
  if (status !== 200) throw new Error(`A message was answered with ${status}.`);
}
