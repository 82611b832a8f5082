// A server under load, and the rows in its database that prove it. The load itself belongs to load.ts and paced-load.ts, taking
// turns to side-by-side.ts.

import type { HttpLoad } from './load.js';
import { withClient } from './postgres.js';
import { measureSideBySide, type Listing, type Side, type SideBySideOptions, type SideResult } from './side-by-side.js';

/** A server with the number of calls that it acknowledged, and of those that it stored. */
export interface CountedServer {
  name: string;
  load: { readonly answeredCount: number };
  /** Counts the acknowledged calls in its database, by each kind of row that a call writes; undefined when it has none. */
  countStored?: () => Promise<number | Counts>;
}

/** The numbers of rows, by their names in errors. */
export type Counts = Record<string, number>;

export interface LoadedServer extends CountedServer {
  load: Pick<HttpLoad, 'answeredCount' | 'generatorShare' | 'pace' | 'warmUp' | 'measure'> &
    Partial<Pick<HttpLoad, 'cpu'>>;
}

export interface LoadedOptions extends SideBySideOptions {
  warmUpMs: number;
  roundMs: number;
}

/** A first warm-up is this many times as long as the others. It is repeated while the pace rises: V8 compiles what is often called. */
const firstWarmUps = 10;
const mostFirstWarmUps = 12;
const steadyRise = 1.03;

/**
 * Measures every server at the most it can do, once it is warm.
 * @throws Error when a server stored another number of calls than it acknowledged
 */
export async function measureLoaded(
  servers: readonly LoadedServer[],
  { warmUpMs, roundMs, ...options }: LoadedOptions,
): Promise<SideResult[]> {
  const [product, ...baselines] = servers.map(({ name, load }): Side => ({
    name,
    warmUp: () => load.warmUp(warmUpMs),
    measure: () => load.measure(roundMs),
  }));
  if (product === undefined) throw new Error('there is no side to measure');
  return confirmStored(servers, async () => {
    for (const { load } of servers) await warmUntilSteady(load, warmUpMs * firstWarmUps);
    const sides = await measureSideBySide([product, ...baselines], options);
    return sides.map((side, index) => ({ ...side, cpuUs: cpuOfCall(servers[index]) }));
  });
}

async function warmUntilSteady(load: LoadedServer['load'], turnMs: number): Promise<void> {
  for (let turn = 0, before = 0; turn < mostFirstWarmUps; turn += 1, before = load.pace) {
    await load.warmUp(turnMs);
    if (load.pace < before * steadyRise) return;
  }
}

function cpuOfCall(server: LoadedServer | undefined): number | undefined {
  const cpu = server?.load.cpu;
  return cpu === undefined ? undefined : cpu.process + cpu.postgres;
}

/** Runs `work`. @throws Error when a server stored another number of calls meanwhile than it acknowledged */
export async function confirmStored<Result>(
  servers: readonly CountedServer[],
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await Promise.all(servers.map(count));
  const result = await work();
  const after = await Promise.all(servers.map(count));
  for (const [index, { name }] of servers.entries()) {
    const [first, last] = [before[index], after[index]];
    if (first?.stored === undefined || last?.stored === undefined) continue;
    const acknowledged = last.acknowledged - first.acknowledged;
    for (const [kind, rows] of Object.entries(last.stored)) {
      const stored = rows - (first.stored[kind] ?? 0);
      if (acknowledged !== stored)
        throw new Error(`${name} acknowledged ${acknowledged} calls and stored ${stored} (${kind}).`);
    }
  }
  return result;
}

async function count({ load, countStored }: CountedServer): Promise<{ acknowledged: number; stored?: Counts }> {
  const acknowledged = load.answeredCount;
  if (countStored === undefined) return { acknowledged };
  const stored = await countStored();
  return { acknowledged, stored: typeof stored === 'number' ? { calls: stored } : stored };
}

/** The number that a `SELECT count(*)` gives. */
export async function countRows(url: string, text: string, values: unknown[] = []): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(text, values);
    return Number(rows[0]?.count);
  });
}

/** @param kinds the name of each count, and the table that is counted, with a condition if any */
export async function countEach(url: string, kinds: Record<string, string>): Promise<Counts> {
  const columns = Object.entries(kinds).map(([kind, from]) => `(SELECT count(*)::int FROM ${from}) AS "${kind}"`);
  return withClient(url, async (client) => {
    const { rows } = await client.query<Counts>(`SELECT ${columns.join(', ')}`);
    return rows[0] ?? {};
  });
}

/** Vacuums and analyzes: otherwise, the first rounds would run on the statistics of empty tables. */
export async function settle(databaseUrls: readonly string[]): Promise<void> {
  for (const url of databaseUrls) {
    await withClient(url, async (client) => {
      await client.query('VACUUM ANALYZE');
      await client.query('CHECKPOINT');
    });
  }
}

/** The cost of a call for the processes that answer it, as a table of its own. @param what is called */
export function describeCpu(what: string, servers: readonly LoadedServer[]): Listing {
  const rows = servers.flatMap(({ name, load: { cpu } }) => {
    if (cpu === undefined) return [];
    const { process: own, postgres, generator } = cpu;
    return [[name, ...[own, postgres, generator, own + postgres + generator].map((us) => us.toFixed(0))]];
  });
  return {
    title: `${what}: CPU for each call, in microseconds`,
    columns: ['side', 'process', 'PostgreSQL', 'load generator', 'all'],
    rows,
    notes: ['Medians of the same rounds, user and system time, of PostgreSQL with all its processes.'],
  };
}

/** The load generator's greatest share of one core, for a table's notes. */
export function describeShare(servers: readonly LoadedServer[]): string {
  const shares = servers.map(({ name, load }) => `${(load.generatorShare * 100).toFixed(0)} % (${name})`);
  return `The load generator took at most this share of one core: ${shares.join(', ')}.`;
}
