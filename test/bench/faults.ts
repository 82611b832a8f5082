// Entry of `npm run faults [-- names]`: puts the running service through every fault, or the named ones, under mixed load, and prints the
// fault tables; `--write` also replaces those in src/docs. `--times <n>` repeats one fault of a cluster under a heavier load. It fails when
// an acknowledged call is lost, doubled or out of order, a limit was exceeded, or a process logged a fault of ours.

import { parseArgs } from 'node:util';
import { asynchronousCases, clusterCases, machineCases } from '../faults/cluster-cases.js';
import { machinesAllowed } from '../faults/cluster-machines.js';
import { DurablePostgres } from '../faults/durable-postgres.js';
import { faultCases, type FaultCase } from '../faults/fault-cases.js';
import { FaultStage, type StagePostgres } from '../faults/fault-stage.js';
import { clusterInstalled } from '../faults/cluster-settings.js';
import { PostgresCluster } from '../faults/postgres-cluster.js';
import { redisServerInstalled } from '../support/redis-server.js';
import { judge, play, type FaultResult, type PlayedFault } from './played-fault.js';
import { furtherTenantCount, playRepeatedly } from './repeated-fault.js';
import { describeMachine, renderTable, writeReport } from './report.js';

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
    lacks: lackingOfCluster,
    play: playOnClusters,
  },
];

function lackingOfCluster(): string | undefined {
  const isThere = redisServerInstalled() && clusterInstalled();
  return isThere ? undefined : 'redis-server, patroni, etcd, haproxy and PostgreSQL of Debian';
}

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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, times: { type: 'string' } },
});
await (values.times === undefined
  ? main(positionals, values.write)
  : repeat(positionals, Number(values.times), values.write));

async function main(asked: readonly string[], writes: boolean): Promise<void> {
  const known = groups.flatMap(({ name, names }) => [name, ...names]);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return refuse(`There is no fault called ${unknown.join(', ')}; there are: ${known.join(', ')}.`);
  const plans = groups.flatMap((group) => {
    const isWhole = asked.length === 0 || asked.includes(group.name);
    const names = isWhole ? group.names : group.names.filter((name) => asked.includes(name));
    return names.length === 0 ? [] : [{ group, names, isWhole }];
  });
  if (writes && plans.some(({ isWhole }) => !isWhole))
    return refuse('A table in src/docs has all faults of its group: give --write with names of groups, or alone.');
  await using resources = new AsyncDisposableStack();
  await using _ = endingOnInterrupt(resources);
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
}

async function repeat(names: readonly string[], times: number, writes: boolean): Promise<void> {
  const [fault, ...others] = chosen(clusterCases, names);
  if (fault === undefined || others.length > 0 || names.length > 1)
    return refuse(`--times repeats one of: ${clusterCases.map(({ name }) => name).join(', ')}.`);
  if (!Number.isInteger(times) || times < 1) return refuse('--times is a whole number from 1 on.');
  const lacking = lackingOfCluster();
  if (lacking !== undefined) return refuse(`The faults of the cluster need ${lacking}.`);
  await using resources = new AsyncDisposableStack();
  await using _ = endingOnInterrupt(resources);
  const postgres = await PostgresCluster.start();
  resources.defer(() => postgres.stop());
  const stage = await FaultStage.start(postgres, resources, furtherTenantCount);
  const { listing, isWell } = await playRepeatedly(stage, fault, times);
  const report = `${renderTable(listing)}\n${describeMachine(await versionOf(postgres))}\n`;
  process.stdout.write(report);
  if (writes) await writeReport('faults-repeated', report);
  if (!isWell) process.exitCode = 1;
}

/** Until it is disposed of, an interruption ends everything, and what fails by that does not end the process before. */
function endingOnInterrupt(resources: AsyncDisposableStack): AsyncDisposable {
  let ending: Promise<void> | undefined;
  const interrupt = () => void (ending ??= resources.disposeAsync().finally(() => process.exit(130)));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  return {
    [Symbol.asyncDispose]: async () => {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      await ending;
    },
  };
}

function refuse(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

/** The results on one PostgreSQL. */
interface Played {
  results: FaultResult[];
  version: string;
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
  return { results, version: await versionOf(postgres) };
}

async function versionOf({ rowsOf }: StagePostgres): Promise<string> {
  const [row] = await rowsOf<{ server_version: string }>('SHOW server_version');
  return row?.server_version ?? '';
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
