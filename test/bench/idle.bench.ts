// The time until a message leaves when nothing else is going on: from the request of `sendMessage` to the gateway's socket, beside the
// time that pg-boss by itself takes to hand a job to a polling worker.

import { randomBytes } from 'node:crypto';
import { chatNumbers } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { PacedSends } from './paced-sends.js';
import { BenchGateway, SendingProduct } from './sending-product.js';
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
import { storeLeads } from './waiting-messages.js';

const sendCount = 300;
const warmUpCount = 100;
const intervalMs = 30;
const rounds = 3;

export const idleBench: Bench = { name: 'idle', run: runIdle };

async function runIdle(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const sides = [
    await startProductSide(context, 'Leadwire, one process', 'all'),
    await startProductSide(context, 'Leadwire, api and worker apart', 'api'),
    await startBareSide(context),
  ] as const;
  const medianToFirst = (round: readonly RoundFigures[], index: number) => {
    const [first, side] = [round[0], round[index]];
    return index === 0 || first === undefined || side === undefined ? undefined : first.p50Ms / side.p50Ms;
  };
  const comparison = {
    title: 'Idle: from the request of `sendMessage` (GraphQL) to its arrival at the gateway',
    sides: await measureSideBySide(sides, { rounds, signal, progress, ratio: medianToFirst }),
    ratioTitle: 'p50 of the first ÷ side',
    notes: [
      `${rounds} rounds of ${sendCount} sends a side in turn, one each ${intervalMs} ms, to a lead of their own. Of pg-boss: from ` +
        'the call of `send` to the call of the handler, polling every 0.5 s, the least that it allows.',
    ],
  };
  return [comparison];
}

async function startProductSide(context: BenchContext, name: string, role: 'all' | 'api'): Promise<Side> {
  const gateway = await BenchGateway.start(context);
  const keys = { JWT_SECRET: randomBytes(32).toString('hex'), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  const environment = { ...gateway.environment, ...keys };
  const options = { databaseName: `idle_${role}`, environment: { ...environment, PROCESS_ROLE: role } };
  const sending = await SendingProduct.start(context, options);
  const { tenant, databaseUrl } = sending.product;
  if (role === 'api') await startWorker(context, { ...environment, DATABASE_URL: databaseUrl });
  await storeLeads(sending.sql, tenant.id, chatNumbers);
  await settle([databaseUrl]);
  const leadIds = await sending.listLeadIds(tenant.id);
  const sends = new PacedSends({ sending, gateway, leadIds, intervalMs, signal: context.signal });
  return {
    name,
    warmUp: async () => void (await sends.measure(warmUpCount)),
    measure: () => sends.measure(sendCount),
  };
}

async function startWorker({ resources, signal }: BenchContext, own: Record<string, string>): Promise<void> {
  const environment = { NODE_ENV: 'production', PORT: '0', TRUST_PROXY: 'false', PROCESS_ROLE: 'worker', ...own };
  await startServer({ script: 'dist/main.js', environment, resources, signal });
}

async function startBareSide({ postgres, resources, signal }: BenchContext): Promise<Side> {
  const environment = { DATABASE_URL: await postgres.createDatabase('bare') };
  const url = await startServer({ script: 'test/bench/baselines/bare-queue.ts', environment, resources, signal });
  const pickUp = async (count: number): Promise<RoundFigures> => {
    const path = `/pick-up?count=${count}&intervalMs=${intervalMs}`;
    const response = await fetch(`${url}${path}`, { method: 'POST', signal });
    const sorted = Float64Array.from((await response.json()) as number[]).sort();
    const perSecond = 1_000 / intervalMs;
    return { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
  };
  return {
    name: 'pg-boss, polling every 0.5 s',
    warmUp: async () => void (await pickUp(warmUpCount)),
    measure: () => pickUp(sendCount),
  };
}
