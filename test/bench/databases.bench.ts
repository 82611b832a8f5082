// The intake that a second PostgreSQL adds when the first is full, and the cost of a message in PostgreSQL by the stored amount. Together
// they say from which size on tenants are worth spreading.

import { canHoldToShare, holdToShare } from './cpu-share.js';
import { chatNumbers, createLeads, inboundPath, inboundRequests } from './inbound-call.js';
import { HttpLoad } from './load.js';
import { countRows, measureLoaded, settle, type LoadedServer } from './loaded-server.js';
import { pidOn, serverCpuMs, serverPids } from './postgres-processes.js';
import { startBenchPostgres, withClient, type BenchPostgres } from './postgres.js';
import { startProduct, type Product } from './product.js';
import { median, type Bench, type BenchContext, type Comparison, type Listing } from './side-by-side.js';
import { requestsOfAll, SpreadLoad } from './spread-load.js';
import { replaceInbound } from './stored-messages.js';

/** The connections to each api process; each side has two processes. */
const connections = 64;
const rounds = 5;
const roundMs = 4_000;
const warmUpMs = 1_000;
const freeWarmUpMs = 8_000;
/** The share of a core for each PostgreSQL: so little that it is full long before anything else is. */
const heldShare = 0.15;
const otherTenantCount = 15;
const storedCounts = [10_000, 1_000_000, 5_000_000];

export const databasesBench: Bench = { name: 'databases', run: compare };
export const storedBench: Bench = { name: 'stored', run: measureCosts };

async function compare(context: BenchContext): Promise<Comparison[]> {
  if (!canHoldToShare()) throw new Error('PostgreSQL can only be held to a share of a core on Linux, as root');
  const { resources, signal, progress } = context;
  const [third, fourth] = [await startBenchPostgres(resources, 2), await startBenchPostgres(resources, 3)];
  const sides = [await startSide(context, [third, fourth]), await startSide(context, [context.postgres])];
  const comparison = {
    title: `Two PostgreSQL against one, each held to ${heldShare * 100} % of a core: \`POST ${inboundPath}\`, one new message a call`,
    sides: await measureLoaded(sides, { rounds, roundMs, warmUpMs, signal, progress }),
    ratioTitle: 'two ÷ one',
    notes: [
      `Two api processes on either side, ${connections} connections and ${otherTenantCount + 1} tenants to each; ${rounds} rounds of about ` +
        `${roundMs / 1_000} s a side in turn. Every acknowledged message was found afterwards.`,
    ],
  };
  return [comparison];
}

async function startSide(context: BenchContext, servers: readonly BenchPostgres[]): Promise<LoadedServer> {
  const products: Product[] = [];
  for (const postgres of servers) {
    const environment = { PROCESS_ROLE: 'api' };
    products.push(await startProduct({ ...context, postgres }, { environment, otherTenantCount }));
  }
  for (const product of products) await createLeads(product);
  const targets = products.flatMap((product) => (servers.length === 1 ? [product, product] : [product]));
  const [first] = products;
  const urls = servers.length === 1 ? [first!.url, await first!.startAnother('api')] : products.map(({ url }) => url);
  const loads = targets.map((product, index) => {
    const nextRequest = requestsOfAll(product, `d${index}`);
    const target = {
      url: urls[index]!,
      path: inboundPath,
      method: 'POST',
      connections,
      signal: context.signal,
    } as const;
    return new HttpLoad({ ...target, nextRequest, expected: '"duplicate":false' });
  });
  const load = new SpreadLoad(loads);
  await load.warmUp(freeWarmUpMs);
  await settle(products.map(({ databaseUrl }) => databaseUrl));
  for (const { databaseUrl } of products) {
    context.resources.defer(await holdToShare(await serverPids(await pidOn(databaseUrl)), heldShare));
  }
  const count = (url: string) => countRows(url, 'SELECT count(*) FROM messages WHERE external_id LIKE $1', ['d%']);
  return {
    name: servers.length === 1 ? 'one PostgreSQL' : 'two PostgreSQL',
    load,
    countStored: async () => {
      const counts = await Promise.all(products.map(({ databaseUrl }) => count(databaseUrl)));
      return counts.reduce((sum, stored) => sum + stored, 0);
    },
  };
}

async function measureCosts(context: BenchContext): Promise<Listing[]> {
  const { signal, progress } = context;
  const product = await startProduct(context, { databaseName: 'stored' });
  const { url, databaseUrl, tenant, webhookSecret: secret } = product;
  const { apiKey, instanceName } = tenant;
  const nextRequest = inboundRequests({ messagePrefix: 's', instanceName, apiKey, secret });
  const target = { url, path: inboundPath, method: 'POST', connections, signal } as const;
  const load = new HttpLoad({ ...target, nextRequest, expected: '"duplicate":false' });
  const rows: string[][] = [];
  for (const messageCount of storedCounts) {
    progress(`storing ${messageCount} messages`);
    await replaceInbound(databaseUrl, { tenantId: tenant.id, chatNumbers, messageCount, route: inboundPath, signal });
    await settle([databaseUrl]);
    await load.warmUp(freeWarmUpMs);
    const turns: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = await readUse(databaseUrl);
      const answered = load.answeredCount;
      const { perSecond } = await load.measure(roundMs);
      const after = await readUse(databaseUrl);
      const each = (used: number) => used / (load.answeredCount - answered);
      turns.push([perSecond, each(after.cpuMs - before.cpuMs) * 1_000, each(after.walBytes - before.walBytes)]);
    }
    const middle = (place: number) => median(turns.map((turn) => turn[place] ?? 0));
    const [perSecond, cpuUs, walBytes] = [middle(0), middle(1), middle(2)];
    rows.push([
      messageCount.toLocaleString('en'),
      Math.round(perSecond).toLocaleString('en'),
      `${cpuUs.toFixed(0)} µs`,
      `${(walBytes / 1_000).toFixed(1)} kB`,
      Math.round(1e6 / cpuUs).toLocaleString('en'),
    ]);
  }
  const listing = {
    title: 'What a message costs PostgreSQL at full load, by what is stored already',
    columns: ['stored', 'per second', 'CPU of PostgreSQL', 'WAL', 'per second and core of PostgreSQL'],
    rows,
    notes: [
      `One tenant, ${connections} connections, ${rounds} rounds of about ${roundMs / 1_000} s; medians. Default settings of PostgreSQL (128 MB of ` +
        'shared buffers). The last column is what its CPU allows if nothing else bounds it.',
    ],
  };
  return [listing];
}

async function readUse(url: string): Promise<{ cpuMs: number; walBytes: number }> {
  const walBytes = await withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      `SELECT (pg_current_wal_insert_lsn() - '0/0')::float AS bytes`,
    );
    return rows[0]?.bytes ?? Number.NaN;
  });
  return { cpuMs: await serverCpuMs(await pidOn(url)), walBytes };
}
