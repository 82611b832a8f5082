// Entry of `npm run faults [-- names]`: puts the running service through every fault, or the named ones, under mixed load, and prints the
// fault tables; `--write` also replaces those in src/docs. It fails when an acknowledged call is lost, doubled or out of order, a limit
// was exceeded, or a process logged a fault of ours.

import { asynchronousCases, clusterCases, machineCases } from '../faults/cluster-cases.js';
import { machinesAllowed } from '../faults/cluster-machines.js';
import { DurablePostgres } from '../faults/durable-postgres.js';
import { faultCases, type FaultCase } from '../faults/fault-cases.js';
import { FaultStage, neighbourLimit, type StagePostgres } from '../faults/fault-stage.js';
import { clusterInstalled } from '../faults/cluster-settings.js';
import { PostgresCluster } from '../faults/postgres-cluster.js';
import { StageLoad, fullestWindow } from '../faults/stage-load.js';
import { redisServerInstalled } from '../support/redis-server.js';
import type { ServiceProcess } from '../faults/service-process.js';
import type { LossWindow } from '../faults/toll.js';
import { describeMachine, renderTable, writeReport } from './report.js';

const wellOutcomes = new Set(['200', '201', 'OK']);
const complaintsShown = 10;
/** The calls acknowledged before a fault, so that it meets a service at work. */
const callsBefore = 50;

/** The faults of one PostgreSQL, which share a stage and a table of src/docs. */
interface Group {
  /** The name on the command line, for all faults of the group. */
  name: string;
  block: string;
  names: readonly string[];
  /** The programs that the group needs; undefined if all are there. */
  lacks: () => string | undefined;
  play: (names: readonly string[], resources: AsyncDisposableStack) => Promise<Played>;
}

const groups: readonly Group[] = [
  {
    name: 'server',
    block: 'faults',
    names: faultCases.map(({ name }) => name),
    lacks: () => (redisServerInstalled() ? undefined : 'redis-server'),
    play: async (names, resources) =>
      playOn(await DurablePostgres.start('faults'), chosen(faultCases, names), resources),
  },
  {
    name: 'cluster',
    block: 'faults-of-clusters',
    names: [...clusterCases, ...machineCases, ...asynchronousCases].map(({ name }) => name),
    lacks: () =>
      redisServerInstalled() && clusterInstalled()
        ? undefined
        : 'redis-server, patroni, etcd, haproxy and PostgreSQL of Debian',
    play: playOnClusters,
  },
];

async function playOnClusters(names: readonly string[], resources: AsyncDisposableStack): Promise<Played> {
  const kinds = [
    { options: {}, cases: clusterCases },
    { options: { hasMachines: true }, cases: machineCases },
    { options: { isSynchronous: false }, cases: asynchronousCases },
  ];
  const played: Played[] = [];
  for (const { options, cases } of kinds) {
    const asked = chosen(cases, names);
    if (asked.length === 0) continue;
    if ('hasMachines' in options && !machinesAllowed()) {
      const left = asked.map(({ name }) => name).join(' and ');
      process.stderr.write(`faults: ${left} are left out: they need root, mounts and network namespaces\n`);
      continue;
    }
    played.push(await playOn(await PostgresCluster.start(options), asked, resources));
  }
  return { results: played.flatMap(({ results }) => results), version: played[0]?.version ?? '' };
}

const chosen = <Fault extends { name: string }>(faults: readonly Fault[], names: readonly string[]): Fault[] =>
  faults.filter(({ name }) => names.includes(name));

await main(process.argv.slice(2));

async function main(options: readonly string[]): Promise<void> {
  const asked = options.filter((option) => option !== '--write');
  const known = groups.flatMap(({ name, names }) => [name, ...names]);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return refuse(`There is no fault called ${unknown.join(', ')}; there are: ${known.join(', ')}.`);
  const plans = groups.flatMap((group) => {
    const isWhole = asked.length === 0 || asked.includes(group.name);
    const names = isWhole ? group.names : group.names.filter((name) => asked.includes(name));
    return names.length === 0 ? [] : [{ group, names, isWhole }];
  });
  const writes = options.includes('--write');
  if (writes && plans.some(({ isWhole }) => !isWhole))
    return refuse('A table in src/docs has all faults of its group: give --write with names of groups, or alone.');
  await using resources = new AsyncDisposableStack();
  const interrupt = () => void resources.disposeAsync().finally(() => process.exit(130));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  for (const { group, names } of plans) {
    const lacking = group.lacks();
    if (lacking !== undefined && asked.length > 0) return refuse(`The faults of the ${group.name} need ${lacking}.`);
    if (lacking !== undefined) {
      process.stderr.write(`faults: the ${group.name} is left out: it needs ${lacking}\n`);
      continue;
    }
    const { results, version } = await group.play(names, resources);
    const report = `${renderTable(listingOf(results))}\n${describeMachine(version)}\n`;
    process.stdout.write(report);
    if (writes) await writeReport(group.block, report);
    if (results.some(({ complaints }) => complaints.length > 0)) process.exitCode = 1;
  }
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
}

function refuse(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

interface FaultResult {
  fault: Pick<FaultCase, 'name' | 'title'>;
  saw: string;
  lost: string;
  doubled: number;
  recovery: string;
  complaints: string[];
}

/** The results on one PostgreSQL. */
interface Played {
  results: FaultResult[];
  version: string;
}

/** The known effects of a fault before all accepted messages have left. */
interface PlayedFault<Postgres extends StagePostgres> {
  fault: FaultCase<Postgres>;
  load: StageLoad;
  /** The processes that lived meanwhile, each with the number of lines that it had written before. */
  processes: Map<ServiceProcess, number>;
  struckAtMs: number;
  endedAtMs: number;
  recoveredAtMs: number;
  /** The time in which the primary acknowledged what was lost with it. */
  window: LossWindow | undefined;
}

async function playOn<Postgres extends StagePostgres & { stop: () => Promise<void> }>(
  postgres: Postgres,
  faults: readonly FaultCase<Postgres>[],
  resources: AsyncDisposableStack,
): Promise<Played> {
  // Everything on this PostgreSQL has ended before the next one starts.
  await using own = resources.use(new AsyncDisposableStack());
  own.defer(() => postgres.stop());
  const stage = await FaultStage.start(postgres, own);
  const results = await playAll(stage, faults);
  const [row] = await postgres.rowsOf<{ server_version: string }>('SHOW server_version');
  return { results, version: row?.server_version ?? '' };
}

async function playAll<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  faults: readonly FaultCase<Postgres>[],
): Promise<FaultResult[]> {
  const results: FaultResult[] = [];
  const unjudged: PlayedFault<Postgres>[] = [];
  for (const [index, fault] of faults.entries()) {
    process.stderr.write(`faults: ${fault.name}\n`);
    unjudged.push(await play(stage, fault));
    if (fault.leavesLeases === true && faults[index + 1]?.leavesLeases === true) continue;
    await stage.untilNothingWaits();
    for (const played of unjudged.splice(0)) results.push(await judge(stage, played));
  }
  return results;
}

async function play<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  fault: FaultCase<Postgres>,
): Promise<PlayedFault<Postgres>> {
  await fault.prepare?.(stage);
  // Lines that an earlier fault made a process write belong to that fault.
  const before = [stage.api, stage.worker].map((process) => [process, process.lineCount] as const);
  const load = new StageLoad(stage, fault.name);
  try {
    await load.watch();
    await load.intake.untilAcknowledged(callsBefore);
    const struckAtMs = performance.now();
    const ended = (await fault.strike(stage, load)) ?? performance.now();
    const { endedAtMs, window } = typeof ended === 'number' ? { endedAtMs: ended, window: undefined } : ended;
    await load.untilAllGoesOn(endedAtMs);
    const recoveredAtMs = performance.now();
    await load.finish();
    const processes = new Map([[stage.api, 0] as const, [stage.worker, 0] as const, ...before]);
    return { fault, load, processes, struckAtMs, endedAtMs, recoveredAtMs, window };
  } catch (error) {
    load.stopReaders();
    throw error;
  } finally {
    load.stop();
  }
}

/** Judges a fault once nothing waits any more. */
async function judge<Postgres extends StagePostgres>(
  stage: FaultStage<Postgres>,
  played: PlayedFault<Postgres>,
): Promise<FaultResult> {
  const { fault, load, processes, window } = played;
  const { lost, gone, doubled, disordered } = await load.readToll(window);
  const fullest = fullestWindow(stage.healthyGateway.acceptances);
  const complaints = [
    ...lost.map((name) => `lost: ${name}`),
    ...doubled.map((name) => `doubled: ${name}`),
    ...disordered.map((name) => `out of order: ${name}`),
    ...(fullest > neighbourLimit.max ? [`a window of the neighbour's limit held ${fullest}`] : []),
    ...(window === undefined && load.resyncCount > 0 ? ['a client of the feed had to read again'] : []),
    ...(window !== undefined && load.resyncCount < 2 ? ['the clients of the feed were not ahead of the standby'] : []),
    ...[...processes].flatMap(([process, lineCount]) => complaintsOf(process, lineCount)),
  ];
  for (const complaint of complaints.slice(0, complaintsShown))
    process.stderr.write(`faults: ${fault.name}: ${complaint}\n`);
  const saw = describeSeen(played);
  return {
    fault,
    saw,
    lost:
      window === undefined ? String(lost.length) : `${lost.length} that the standby had, ${gone.length} that it lacked`,
    doubled: doubled.length,
    recovery: describeRecovery(stage, played),
    complaints,
  };
}

function complaintsOf(process: ServiceProcess, lineCount: number): string[] {
  const { faults, crash } = process.complaintsSince(lineCount);
  return [...faults, crash].filter((text) => text !== '');
}

// Kinds of calls that all went well stand together.
function describeSeen({
  load,
  struckAtMs: fromMs,
  recoveredAtMs: toMs,
}: Omit<PlayedFault<StagePostgres>, 'fault'>): string {
  const kinds = Object.entries(load.logs).map(([name, log]) => ({ name, counts: log.outcomes(fromMs, toMs) }));
  const isWell = ({ counts }: { counts: Map<string, number> }) =>
    [...counts.keys()].every((outcome) => wellOutcomes.has(outcome));
  const troubled = kinds.filter((kind) => !isWell(kind)).map(({ name, counts }) => `${name} ${renderCounts(counts)}`);
  const wellCount = kinds.filter(isWell).flatMap(({ counts }) => [...counts.values()]);
  const total = wellCount.reduce((sum, count) => sum + count, 0);
  const well = total === 0 ? [] : [`${troubled.length === 0 ? 'everything' : 'all else'} well × ${total}`];
  const delays = load.neighbourDelaysMs(fromMs, toMs);
  const slowest =
    delays.length === 0 ? [] : [`the neighbour's messages left within ${Math.max(...delays).toFixed(0)} ms`];
  return [...troubled, ...well, ...slowest].join('; ');
}

function renderCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([outcome, count]) => `${outcome} × ${count}`).join(', ');
}

function describeRecovery(
  { gateway }: FaultStage<StagePostgres>,
  { load, endedAtMs }: Omit<PlayedFault<StagePostgres>, 'fault'>,
): string {
  const firstOf = (name: string) => load.logs[name]?.acknowledgedAfter(endedAtMs) ?? Infinity;
  const moments = {
    intake: firstOf('intake'),
    'every kind of call': Math.max(...Object.keys(load.logs).map(firstOf)),
    ready: firstOf('readiness'),
    sending: gateway.acceptedAfter(endedAtMs) ?? Infinity,
    'nothing waits': load.lastLeftAtMs,
  };
  return Object.entries(moments)
    .map(([name, atMs]) => `${name} ${(Math.max(0, atMs - endedAtMs) / 1_000).toFixed(2)} s`)
    .join(', ');
}

function listingOf(results: readonly FaultResult[]) {
  return {
    title: 'Faults',
    columns: ['fault', 'what callers saw', 'lost', 'doubled', 'recovery', 'command'],
    rows: results.map(({ fault, saw, lost, doubled, recovery }) => [
      fault.title,
      saw,
      lost,
      String(doubled),
      recovery,
      `\`npm run faults -- ${fault.name}\``,
    ]),
    notes: [
      'what callers saw: how calls ended from the fault to the recovery; `no answer` is a connection that was refused or broke',
      'recovery: from the end of the fault to the first call acknowledged, ready, the first new message at the gateway, and the last ' +
        'one accepted before or meanwhile; of a killed process from its death, its start included',
      'lost: acknowledged and not stored, or not at the gateway; doubled: stored, reported or accepted by the gateway twice',
    ],
  };
}
