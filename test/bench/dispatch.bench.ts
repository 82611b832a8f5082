// Dispatch without a limit: how fast waiting messages leave, claim, HTTP call, status, transition and event included, against
// pg-boss by itself fetching and completing as many empty jobs.

import { chatNumbers, leadCount } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { machineTimeMs } from './machine-clock.js';
import { beforeName } from './product.js';
import type { ProductOptions } from './product.js';
import { BenchGateway, SendingProduct } from './sending-product.js';
import { startServer } from './server-process.js';
import { measureSideBySide, percentile } from './side-by-side.js';
import type { Bench, BenchContext, Comparison, RoundFigures, Side } from './side-by-side.js';
import { storeLeads } from './waiting-messages.js';

const messageCount = 20_000;
const warmUpCount = 2_000;
const rounds = 5;
/** As many as the product has for its sends. */
const connections = 10;
const bareQueues = [
  { name: `pg-boss, ${connections} × batches of 500`, workers: connections, batchSize: 500 },
  // As many in hand at once as the product has of one instance.
  { name: 'pg-boss, batches of 48', workers: 1, batchSize: 48 },
];

export const dispatchBench: Bench = { name: 'dispatch', run: runDispatch };

async function runDispatch(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const bare = await startBareSides(context);
  const product = await startProductSide(context, { name: 'Leadwire' });
  const before = context.before && [
    await startProductSide(context, { name: beforeName, version: context.before, databaseName: 'before' }),
  ];
  const sides = [product, ...(before ?? []), ...bare] as const;
  const comparison = {
    title: `Dispatch: ${messageCount.toLocaleString('en')} waiting messages to a gateway that answers at once, no limit`,
    sides: await measureSideBySide(sides, { rounds, signal, progress }),
    notes: [
      `${rounds} rounds a side in turn. A turn ends when every message is stored as SENT; p50 and p99 are the times by which half ` +
        `and 99 % of them had arrived at the gateway (of the jobs: were completed). ${leadCount} leads in turn.`,
      `One worker process with ${connections} connections for its sends, and the gateway in a process of its own; the others ` +
        `are one process that fetches and completes batches, ${connections} side by side or one after the other.`,
    ],
  };
  return [comparison];
}

async function startProductSide(
  context: BenchContext,
  { name, ...version }: { name: string } & Pick<ProductOptions, 'version' | 'databaseName'>,
): Promise<Side> {
  const gateway = await BenchGateway.start(context);
  const environment = { ...gateway.environment, PROCESS_ROLE: 'worker', DATABASE_POOL_SIZE: String(connections) };
  const sending = await SendingProduct.start(context, { environment, ...version });
  const { tenant, databaseUrl } = sending.product;
  await storeLeads(sending.sql, tenant.id, chatNumbers);
  const send = async (count: number): Promise<RoundFigures> => {
    // Workers look for what waits by themselves now and then.
    await sending.setActive(tenant.id, false);
    await sending.storeWaiting({ tenantId: tenant.id, count, textPrefix: 'Oi ', priority: 10 });
    await settle([databaseUrl]);
    await gateway.forget();
    const startedAt = machineTimeMs();
    await sending.setActive(tenant.id, true);
    await sending.wake(tenant.id);
    await sending.untilNothingWaits(tenant.id, context.signal);
    const durationMs = machineTimeMs() - startedAt;
    const { times } = await gateway.arrivals(tenant.instanceName);
    if (times.length !== count) throw new Error(`${times.length} of ${count} messages arrived.`);
    const afterMs = times.map((time) => time - startedAt);
    return figuresOf(afterMs, durationMs);
  };
  return {
    name,
    warmUp: async () => void (await send(warmUpCount)),
    measure: () => send(messageCount),
  };
}

async function startBareSides({ postgres, resources, signal }: BenchContext): Promise<Side[]> {
  const environment = { DATABASE_URL: await postgres.createDatabase('bare'), CONNECTIONS: String(connections) };
  const url = await startServer({ script: 'test/bench/baselines/bare-queue.ts', environment, resources, signal });
  return bareQueues.map(({ name, workers, batchSize }) => {
    const drain = async (count: number): Promise<RoundFigures> => {
      const path = `/drain?count=${count}&workers=${workers}&batchSize=${batchSize}`;
      const response = await fetch(`${url}${path}`, { method: 'POST', signal });
      const doneAtMs = (await response.json()) as number[];
      if (doneAtMs.length !== count) throw new Error(`${doneAtMs.length} of ${count} jobs were completed.`);
      return figuresOf(doneAtMs, doneAtMs.at(-1) ?? 0);
    };
    return { name, warmUp: async () => void (await drain(warmUpCount)), measure: () => drain(messageCount) };
  });
}

function figuresOf(afterMs: readonly number[], durationMs: number): RoundFigures {
  const sorted = Float64Array.from(afterMs).sort();
  const perSecond = (afterMs.length / durationMs) * 1_000;
  return { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
