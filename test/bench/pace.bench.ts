// Sends under a limit, as the gateway saw them: the used share of the permitted rate while messages wait, and the fullest window.

import { setTimeout as delay } from 'node:timers/promises';
import { chatNumbers } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { BenchGateway, SendingProduct, type Limit } from './sending-product.js';
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

const backlog = 5_000;
const roundMs = 12_000;
const lookIntervalMs = 20;
/** The rest is longer than any window, so that a turn begins with all of them empty. */
const restMs = 1_500;
const rounds = 3;
const limits: readonly [Limit, ...Limit[]] = [
  { max: 20, durationMs: 1_000 },
  { max: 1, durationMs: 250 },
];

export const paceBench: Bench = { name: 'pace', run: runPace };

async function runPace(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const gateway = await BenchGateway.start(context);
  const sending = await SendingProduct.start(context, {
    environment: { ...gateway.environment, PROCESS_ROLE: 'worker' },
  });
  const { tenant, databaseUrl } = sending.product;
  await sending.setActive(tenant.id, false);
  await storeLeads(sending.sql, tenant.id, chatNumbers);
  await sending.storeWaiting({ tenantId: tenant.id, count: backlog, textPrefix: 'Oi ', priority: 10 });
  await settle([databaseUrl]);
  const fullest = new Map<Limit, number>();
  const sideOf = (limit: Limit): Side => ({
    name: nameOf(limit),
    warmUp: async () => {
      await sending.setActive(tenant.id, false);
      await delay(restMs, undefined, { signal });
    },
    measure: async () => {
      await gateway.forget();
      await sending.setLimit(tenant.id, limit);
      await sending.setActive(tenant.id, true);
      await sending.wake(tenant.id);
      const times = await watch(gateway, tenant.instanceName, signal);
      fullest.set(limit, Math.max(fullest.get(limit) ?? 0, fullestWindow(times, limit.durationMs)));
      return figuresOf(times, limit);
    },
  });
  const [first, ...others] = limits;
  const shareOf = (round: readonly RoundFigures[], index: number) => {
    const [side, limit] = [round[index], limits[index]];
    return side === undefined || limit === undefined
      ? undefined
      : (side.perSecond * limit.durationMs) / 1_000 / limit.max;
  };
  const sides = [sideOf(first), ...others.map(sideOf)] as const;
  const results = await measureSideBySide(sides, { rounds, signal, progress, ratio: shareOf });
  const windows = [...fullest].map(([limit, count]) => `${count} of ${limit.max} (${nameOf(limit)})`).join(', ');
  const comparison = {
    title: 'Pace: sends under a limit while messages wait, by the clock of the gateway',
    sides: results,
    ratioTitle: 'share of what is permitted',
    notes: [
      `${rounds} rounds of ${roundMs / 1_000} s a limit in turn, from the first arrival on; one worker process.`,
      'p50 and p99: the time from one send to the one that the limit allows only a whole window later, so never below the window. ' +
        'The rate and the share are by its mean.',
      `The fullest sliding window: ${windows}.`,
    ],
  };
  return [comparison];
}

/** @returns the arrivals of the turn, as times since the first one */
async function watch(gateway: BenchGateway, instanceName: string, signal: AbortSignal): Promise<number[]> {
  for (;;) {
    await delay(lookIntervalMs, undefined, { signal });
    if ((await gateway.arrivals(instanceName)).times.length > 0) break;
  }
  await delay(roundMs, undefined, { signal });
  const { times } = await gateway.arrivals(instanceName);
  const startedAt = times[0] ?? 0;
  return times.map((time) => time - startedAt).filter((time) => time < roundMs);
}

function figuresOf(times: readonly number[], { max }: Limit): RoundFigures {
  const gaps = times.slice(max).map((time, index) => time - (times[index] ?? 0));
  const sorted = Float64Array.from(gaps).sort();
  // The rate comes from the gaps, because a whole window's sends leave at once when a turn begins and ends.
  const meanMs = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const perSecond = (max / meanMs) * 1_000;
  return { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

/** The most arrivals in any window, wherever it begins. */
function fullestWindow(times: readonly number[], durationMs: number): number {
  const held = times.map((start) => times.filter((time) => time >= start && time < start + durationMs).length);
  return Math.max(0, ...held);
}

function nameOf({ max, durationMs }: Limit): string {
  return `${max} in ${durationMs.toLocaleString('en')} ms`;
}
