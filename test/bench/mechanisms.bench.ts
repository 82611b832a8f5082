// Measures each mechanism: the product with it and without it, in turns.

import { createLeads, inboundPath, inboundRequests } from './inbound-call.js';
import { listPages, loadedWith, serverOf, startFilled } from './inbox.bench.js';
import { HttpLoad } from './load.js';
import { measureLoaded, settle, type LoadedServer } from './loaded-server.js';
import { countLines, mechanisms, withoutMechanism, type Mechanism } from './mechanism.js';
import { startProduct, type Product } from './product.js';
import { timingOf, type Bench, type BenchContext, type Listing, type Timing } from './side-by-side.js';
import type { ProductVersion } from './product-version.js';

const timing: Timing = { rounds: 10, roundMs: 1_500, warmUpMs: 300 };
const connections = 64;
const messageCount = 50_000;

export const mechanismsBench: Bench = { name: 'mechanisms', run: runMechanisms };

async function runMechanisms(context: BenchContext): Promise<Listing[]> {
  const { rounds, roundMs } = timingOf(context, timing);
  const rows: string[][] = [];
  const names = new RegExp(context.pathNames ?? '');
  for (const mechanism of mechanisms.filter(({ name }) => names.test(name)))
    rows.push(await measureWithout(context, mechanism));
  return [
    {
      title: 'Mechanisms: what goes without them',
      columns: ['mechanism', 'lines', 'instead', 'calls', 'rate without ÷ with', 'CPU of a call, without ÷ with'],
      rows,
      notes: [
        `${rounds} rounds of ${roundMs / 1_000} s a side in turn; medians of the ratios of each round, with the lowest and the ` +
          'highest. CPU is that of the process and PostgreSQL together, in the medians of the rounds.',
      ],
    },
  ];
}

async function measureWithout(context: BenchContext, mechanism: Mechanism): Promise<string[]> {
  await using resources = new AsyncDisposableStack();
  const own = { ...context, resources };
  const start = startOf[mechanism.load];
  const number = mechanisms.indexOf(mechanism);
  const servers = [
    await start(own, `with_${number}`, undefined),
    await start(own, `without_${number}`, await withoutMechanism(mechanism, resources)),
  ] as const;
  const [, without] = await measureLoaded(servers, { ...context, ...timingOf(context, timing) });
  const [cpuWith, cpuWithout] = servers.map(({ load }) => (load.cpu?.process ?? 0) + (load.cpu?.postgres ?? 0));
  const lines = await countLines(mechanism);
  const rate = without?.ratio;
  // The ratio of a comparison is the first side's rate divided by the other's.
  const share = (ratio: number) => `${(100 / ratio).toFixed(0)} %`;
  return [
    mechanism.name,
    lines === 0 ? '–' : String(lines),
    mechanism.without,
    mechanism.load,
    rate === undefined ? '–' : `${share(rate.median)} (${share(rate.highest)}–${share(rate.lowest)})`,
    `${(((cpuWithout ?? 0) / (cpuWith || 1)) * 100).toFixed(0)} %`,
  ];
}

type Start = (
  context: BenchContext,
  databaseName: string,
  version: ProductVersion | undefined,
) => Promise<LoadedServer>;

const startOf: Record<Mechanism['load'], Start> = {
  inbound: startInbound,
  inbox: (context, databaseName, version) => startInbox(context, databaseName, version, 1),
  'inbox pages': (context, databaseName, version) => startInbox(context, databaseName, version, undefined),
};

async function startInbound(
  context: BenchContext,
  databaseName: string,
  version: ProductVersion | undefined,
): Promise<LoadedServer> {
  const product = await startProduct(context, { databaseName, version });
  await createLeads(product);
  await settle([product.databaseUrl]);
  const { url, pid, databaseUrl, webhookSecret: secret, tenant } = product;
  const { apiKey, instanceName } = tenant;
  const nextRequest = inboundRequests({ messagePrefix: 'm', instanceName, apiKey, secret });
  const { signal } = context;
  const load = new HttpLoad({
    url,
    path: inboundPath,
    method: 'POST',
    connections,
    nextRequest,
    expected: '"duplicate":false',
    processes: { pid, databaseUrl },
    signal,
  });
  return { name: databaseName, load };
}

async function startInbox(
  context: BenchContext,
  databaseName: string,
  version: ProductVersion | undefined,
  pageCount: number | undefined,
): Promise<LoadedServer> {
  const product: Product = await startFilled(context, { databaseName, version }, messageCount);
  const server = serverOf(databaseName, product, context.signal);
  return loadedWith(server, (await listPages(server)).slice(0, pageCount));
}
