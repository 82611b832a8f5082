// The intake that a second api and worker process add, on the whole machine and with each process held to a share of a core. Held
// processes leave PostgreSQL and the load generator room for two. If Caddy is installed, the bench also measures through the proxy of
// docker-compose.yml, which is not held.

import { setTimeout as delay } from 'node:timers/promises';
import { caddyInstalled, startCaddy } from '../support/caddy.js';
import { readComposition } from '../support/composition.js';
import { freePort } from '../support/redis-server.js';
import { canHoldToShare, holdToShare } from './cpu-share.js';
import { createLeads, inboundPath } from './inbound-call.js';
import { HttpLoad } from './load.js';
import { countRows, measureLoaded, settle, type LoadedServer } from './loaded-server.js';
import { startProduct } from './product.js';
import type { Bench, BenchContext, Comparison } from './side-by-side.js';
import { requestsOfAll, SpreadLoad } from './spread-load.js';

/** The connections to each api process. */
const connections = 64;
const rounds = 5;
const roundMs = 5_000;
const warmUpMs = 1_000;
/** The time in which every process serves some ten thousand calls: a held one gains for minutes while its code is optimised. */
const freeWarmUpMs = 20_000;
const heldShare = 0.2;
const otherTenantCount = 15;

export const processesBench: Bench = { name: 'processes', run: runProcesses };

async function runProcesses(context: BenchContext): Promise<Comparison[]> {
  const settings: Setting[] = [{ cpuShare: undefined, hasProxy: false }];
  if (canHoldToShare()) {
    settings.unshift({ cpuShare: heldShare, hasProxy: false });
    if (caddyInstalled()) settings.unshift({ cpuShare: heldShare, hasProxy: true });
  }
  const comparisons: Comparison[] = [];
  for (const setting of settings) comparisons.push(await compare(context, setting));
  return comparisons;
}

interface Setting {
  /** The share of a core that each process is held to; undefined when processes are not held. */
  cpuShare: number | undefined;
  hasProxy: boolean;
}

async function compare(context: BenchContext, setting: Setting): Promise<Comparison> {
  await using resources = new AsyncDisposableStack();
  const own = { ...context, resources };
  const two = await startSide(own, 2, setting);
  const one = await startSide(own, 1, setting);
  await settle([two.databaseUrl, one.databaseUrl]);
  const { signal, progress } = context;
  const sides = await measureLoaded([two, one], { rounds, roundMs, warmUpMs, signal, progress });
  const { cpuShare, hasProxy } = setting;
  const share = cpuShare === undefined ? 'no bounds' : `each held to ${cpuShare * 100} % of a core`;
  const way = hasProxy ? ', through a proxy that is not held' : '';
  return {
    title: `Two api and two worker processes against one of each, ${share}${way}: \`POST ${inboundPath}\`, one new message a call`,
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
  { cpuShare, hasProxy }: Setting,
): Promise<LoadedServer & { databaseUrl: string }> {
  const databaseName = ['processes', count, cpuShare === undefined ? 'free' : 'held', hasProxy ? 'proxy' : ''].join(
    '_',
  );
  const pids: number[] = [];
  const product = await startProduct(context, {
    databaseName,
    environment: { PROCESS_ROLE: 'api', TRUST_PROXY: hasProxy ? '1' : 'false' },
    otherTenantCount,
    onSpawn: (pid) => pids.push(pid),
  });
  await createLeads(product);
  const urls = [product.url, ...(await startMore(count - 1, () => product.startAnother('api')))];
  await startMore(count, () => product.startAnother('worker'));
  const { signal } = context;
  const addresses = hasProxy ? await startProxy(context, urls) : urls;
  const loads = addresses.map((url, index) => {
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
  // The warm-up comes before the hold: a held process would take minutes to start and to have its code optimised.
  await load.warmUp(freeWarmUpMs);
  if (cpuShare !== undefined) for (const pid of pids) context.resources.defer(await holdToShare([pid], cpuShare));
  const countStored = () =>
    countRows(product.databaseUrl, 'SELECT count(*) FROM messages WHERE external_id LIKE $1', ['p%']);
  const name = count === 1 ? 'one api, one worker' : 'two api, two workers';
  return { name, load, countStored, databaseUrl: product.databaseUrl };
}

/** @returns the address of the proxy, once for each process */
async function startProxy({ resources, signal }: BenchContext, urls: readonly string[]): Promise<string[]> {
  const composition = await readComposition();
  const address = `http://127.0.0.1:${await freePort()}`;
  const ports = urls.map((url) => Number(new URL(url).port));
  await startCaddy({ composition, service: 'proxy', address, ports, resources });
  while (
    !(await fetch(`${address}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await delay(100, undefined, { signal });
  return urls.map(() => address);
}

async function startMore(count: number, start: () => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, start));
}
