// The cost of another tenant's backlog for a quiet tenant: its time from `sendMessage` to the gateway, while 100,000 messages of the
// other leave without a limit, leave under one, or wait.

import { chatNumbers } from './inbound-call.js';
import { settle } from './loaded-server.js';
import { PacedSends } from './paced-sends.js';
import { BenchGateway, SendingProduct, type Limit } from './sending-product.js';
import {
  measureSideBySide,
  type Bench,
  type BenchContext,
  type Comparison,
  type RoundFigures,
  type Side,
} from './side-by-side.js';
import { addTenant, storeLeads } from './waiting-messages.js';

const backlog = 100_000;
const gatewayLatencyMs = 20;
const limit: Limit = { max: 20, durationMs: 1_000 };
const sendCount = 300;
const warmUpCount = 50;
const intervalMs = 30;
const rounds = 3;

export const quietTenantBench: Bench = { name: 'quiet-tenant', run: runQuietTenant };

interface Backlog {
  name: string;
  isSent: boolean;
  limit: Limit | null;
}

const backlogs: readonly [Backlog, ...Backlog[]] = [
  { name: 'no backlog leaves', isSent: false, limit: null },
  { name: `100,000 leave at ${limit.max} each ${limit.durationMs} ms`, isSent: true, limit },
  { name: '100,000 leave without a limit', isSent: true, limit: null },
];

async function runQuietTenant(context: BenchContext): Promise<Comparison[]> {
  const { signal, progress } = context;
  const gateway = await BenchGateway.start(context, gatewayLatencyMs);
  const sending = await SendingProduct.start(context, { environment: gateway.environment });
  const { tenant, databaseUrl } = sending.product;
  const busy = await addTenant(sending.sql, tenant.id, 'busy');
  for (const tenantId of [tenant.id, busy.id]) await storeLeads(sending.sql, tenantId, chatNumbers);
  const leadIds = await sending.listLeadIds(tenant.id);
  const sends = new PacedSends({ sending, gateway, leadIds, intervalMs, signal });
  const sentMeanwhile = new Map<string, number[]>();
  const sideOf = ({ name, isSent, limit: busyLimit }: Backlog): Side => ({
    name,
    warmUp: async () => {
      await sending.setActive(busy.id, false);
      await refill(sending, busy.id, databaseUrl);
      await gateway.forget();
      await sending.setLimit(busy.id, busyLimit);
      await sending.setActive(busy.id, isSent);
      if (isSent) await sending.wake(busy.id);
      await sends.measure(warmUpCount);
    },
    measure: async () => {
      const before = (await gateway.arrivals(busy.instanceName)).times.length;
      const figures = await sends.measure(sendCount);
      const { times } = await gateway.arrivals(busy.instanceName);
      const perSecond = Math.round((times.length - before) / (sendCount / figures.perSecond));
      sentMeanwhile.set(name, [...(sentMeanwhile.get(name) ?? []), perSecond]);
      return figures;
    },
  });
  const [first, ...others] = backlogs;
  const sides = [sideOf(first), ...others.map(sideOf)] as const;
  const results = await measureSideBySide(sides, { rounds, signal, progress, ratio: p99ToFirst });
  const comparison = {
    title: 'A quiet tenant: from the request of `sendMessage` to the gateway, by what another tenant sends meanwhile',
    sides: results,
    ratioTitle: 'p99 of the side ÷ without',
    notes: [
      `${rounds} rounds of ${sendCount} sends a side in turn, one each ${intervalMs} ms; one process. The gateway answers after ` +
        `${gatewayLatencyMs} ms; before each turn the other tenant has ${backlog.toLocaleString('en')} messages waiting.`,
      `The other tenant's sends per second in each round: ${describeSent(sentMeanwhile)}.`,
    ],
  };
  return [comparison];
}

async function refill(sending: SendingProduct, tenantId: string, databaseUrl: string): Promise<void> {
  const count = backlog - (await sending.countWaiting(tenantId));
  await sending.storeWaiting({ tenantId, count, textPrefix: 'Oi ', priority: 10 });
  await settle([databaseUrl]);
}

function p99ToFirst(round: readonly RoundFigures[], index: number): number | undefined {
  const [first, side] = [round[0], round[index]];
  return index === 0 || first === undefined || side === undefined ? undefined : side.p99Ms / first.p99Ms;
}

function describeSent(sent: ReadonlyMap<string, number[]>): string {
  return [...sent].map(([name, perSecond]) => `${perSecond.join(', ')} (${name})`).join('; ');
}
