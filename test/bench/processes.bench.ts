// What a second api and a second worker process add to intake: with all that the machine has, and with each process held to a share of
// a core, so that PostgreSQL and the load generator have room for two. Where Caddy is installed, also through the proxy of
// docker-compose.yml, which is not held.

import { setTimeout as delay } from 'node:timers/promises';
import { caddyInstalled, startCaddy } from '../support/caddy.js';
import { readComposition } from '../support/composition.js';
import { freePort } from '../support/redis-server.js';
import { canHoldToShare, holdToShare } from './cpu-share.js';
import { createLeads, inboundPath, inboundRequests } from './inbound-call.js';
import { HttpLoad } from './load.js';
import type { LoadRequest } from './load.js';
import { countRows, measureLoaded, settle } from './loaded-server.js';
import type { LoadedServer } from './loaded-server.js';
import { startProduct } from './product.js';
import type { Product } from './product.js';
import type { Bench, BenchContext, Comparison, RoundFigures } from './side-by-side.js';

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
  /** Of a core, that each process is held to; not held where there is none. */
  cpuShare: number | undefined;
  hasProxy: boolean;
}

/** Intake over several processes at once. */
class SpreadLoad {
  constructor(private readonly loads: readonly HttpLoad[]) {}

  get answeredCount(): number {
    return this.loads.reduce((sum, load) => sum + load.answeredCount, 0);
  }

  get generatorShare(): number {
    return Math.max(...this.loads.map((load) => load.generatorShare));
  }

  async warmUp(durationMs: number): Promise<void> {
    await Promise.all(this.loads.map((load) => load.warmUp(durationMs)));
  }

  async measure(durationMs: number): Promise<RoundFigures> {
    const figures = await Promise.all(this.loads.map((load) => load.measure(durationMs)));
    return {
      perSecond: figures.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50Ms: Math.max(...figures.map(({ p50Ms }) => p50Ms)),
      p99Ms: Math.max(...figures.map(({ p99Ms }) => p99Ms)),
    };
  }
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
  const doors = hasProxy ? await startProxy(context, urls) : urls;
  const loads = doors.map((url, index) => {
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
  if (cpuShare !== undefined) for (const pid of pids) context.resources.defer(await holdToShare(pid, cpuShare));
  const countStored = () =>
    countRows(product.databaseUrl, 'SELECT count(*) FROM messages WHERE external_id LIKE $1', ['p%']);
  const name = count === 1 ? 'one api, one worker' : 'two api, two workers';
  return { name, load, countStored, databaseUrl: product.databaseUrl };
}

/** @returns its address, as often as there are processes */
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

/** One call for each tenant in turn. */
function requestsOfAll(
  { tenant, otherTenants, webhookSecret: secret }: Product,
  messagePrefix: string,
): () => LoadRequest {
  const makers = [tenant, ...otherTenants].map(({ apiKey, instanceName }) =>
    inboundRequests({ messagePrefix, instanceName, apiKey, secret }),
  );
  let count = 0;
  return () => {
    const make = makers[(count += 1) % makers.length];
    if (make === undefined) throw new Error('there is no tenant');
    return make();
  };
}

async function startMore(count: number, start: () => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, start));
}
