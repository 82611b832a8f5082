// What a second api and a second worker process add to intake: with all that the machine has, and with each process held to a share of
// a core, so that PostgreSQL and the load generator have room for two.

import { canHoldToShare, holdToShare } from './cpu-share.js';
import { createLeads, inboundPath } from './inbound-call.js';
import { HttpLoad } from './load.js';
import { countRows, measureLoaded, settle } from './loaded-server.js';
import type { LoadedServer } from './loaded-server.js';
import { startProduct } from './product.js';
import type { Bench, BenchContext, Comparison } from './side-by-side.js';
import { requestsOfAll, SpreadLoad } from './spread-load.js';

/** To each api process. */
const connections = 64;
const rounds = 5;
const roundMs = 5_000;
const warmUpMs = 1_000;
/** Until every process has served some ten thousand calls: held, it gains for minutes while its code is optimised. */
const freeWarmUpMs = 20_000;
const heldShare = 0.2;
const otherTenantCount = 15;

export const processesBench: Bench = { name: 'processes', run: runProcesses };

async function runProcesses(context: BenchContext): Promise<Comparison[]> {
  const shares = canHoldToShare() ? [heldShare, undefined] : [undefined];
  const comparisons: Comparison[] = [];
  for (const share of shares) comparisons.push(await compare(context, share));
  return comparisons;
}

async function compare(context: BenchContext, cpuShare: number | undefined): Promise<Comparison> {
  await using resources = new AsyncDisposableStack();
  const own = { ...context, resources };
  const two = await startSide(own, 2, cpuShare);
  const one = await startSide(own, 1, cpuShare);
  await settle([two.databaseUrl, one.databaseUrl]);
  const { signal, progress } = context;
  const sides = await measureLoaded([two, one], { rounds, roundMs, warmUpMs, signal, progress });
  const share = cpuShare === undefined ? 'no bounds' : `each held to ${cpuShare * 100} % of a core`;
  return {
    title: `Two api and two worker processes against one of each, ${share}: \`POST ${inboundPath}\`, one new message a call`,
    sides,
    ratioTitle: 'two ÷ one',
    notes: [
      `${connections} connections to each api process (with fewer it batches fewer calls), ${otherTenantCount + 1} tenants, ${rounds} rounds of about ${roundMs / 1_000} s a side in ` +
        'turn; every acknowledged message was found in its database afterwards.',
    ],
  };
}

async function startSide(
  context: BenchContext,
  count: number,
  cpuShare: number | undefined,
): Promise<LoadedServer & { databaseUrl: string }> {
  const databaseName = `processes_${count}_${cpuShare === undefined ? 'free' : 'held'}`;
  const pids: number[] = [];
  const product = await startProduct(context, {
    databaseName,
    environment: { PROCESS_ROLE: 'api' },
    otherTenantCount,
    onSpawn: (pid) => pids.push(pid),
  });
  await createLeads(product);
  const urls = [product.url, ...(await startMore(count - 1, () => product.startAnother('api')))];
  await startMore(count, () => product.startAnother('worker'));
  const { signal } = context;
  const loads = urls.map((url, index) => {
    const nextRequest = requestsOfAll(product, `p${index}`);
    return new HttpLoad({
      url,
      path: inboundPath,
      method: 'POST',
      connections,
      nextRequest,
      expected: '"duplicate":false',
      signal,
    });
  });
  const load = new SpreadLoad(loads);
  // Held, a process would take minutes to start and to have its code optimised.
  await load.warmUp(freeWarmUpMs);
  if (cpuShare !== undefined) for (const pid of pids) context.resources.defer(await holdToShare([pid], cpuShare));
  const countStored = () =>
    countRows(product.databaseUrl, 'SELECT count(*) FROM messages WHERE external_id LIKE $1', ['p%']);
  const name = count === 1 ? 'one api, one worker' : 'two api, two workers';
  return { name, load, countStored, databaseUrl: product.databaseUrl };
}

async function startMore(count: number, start: () => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, start));
}
