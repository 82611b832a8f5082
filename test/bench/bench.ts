// Entry of `npm run bench`: runs every bench, or the named ones (`npm run bench -- inbound`), and prints the performance table. With
// `--write` (`npm run bench -- --write inbound`) it also replaces the tables in src/docs.
// It judges no figure: it fails only when something is broken. Ctrl-C stops and removes everything, as the normal end does.
// `paths` runs the benches of all paths and makes one table of them. `--help` says what the other options are for.

import { parseArgs } from 'node:util';
import { attacksBench } from './attacks.bench.js';
import { authenticationBench } from './authentication.bench.js';
import { bulkSendBench } from './bulk-send.bench.js';
import { consoleBench } from './console.bench.js';
import { dashboardsBench } from './dashboards.bench.js';
import { databasesBench, storedBench } from './databases.bench.js';
import { dispatchBench } from './dispatch.bench.js';
import { enqueueBench } from './enqueue.bench.js';
import { fanOutBench } from './fan-out.bench.js';
import { growthBench } from './growth.bench.js';
import { idleSocketsBench } from './idle-sockets.bench.js';
import { hostileBench } from './hostile.bench.js';
import { idleBench } from './idle.bench.js';
import { inboxBench } from './inbox.bench.js';
import { inboundBench } from './inbound.bench.js';
import { leadsBench } from './leads.bench.js';
import { liveLatencyBench } from './live-latency.bench.js';
import { mechanismsBench } from './mechanisms.bench.js';
import { mediaBench } from './media.bench.js';
import { migrationsBench } from './migrations.bench.js';
import { millionBench } from './million.bench.js';
import { paceBench } from './pace.bench.js';
import { describePaths } from './paths.js';
import { planBench } from './plan.bench.js';
import { startBenchPostgres } from './postgres.js';
import { processesBench } from './processes.bench.js';
import { ProductVersion } from './product-version.js';
import { quietTenantBench } from './quiet-tenant.bench.js';
import { describeMachine, renderTable, writeReport } from './report.js';
import { replicasBench } from './replicas.bench.js';
import { requestsBench } from './requests.bench.js';
import { restoreDrillBench } from './restore-drill.bench.js';
import type { Bench, BenchContext, Comparison, Listing } from './side-by-side.js';
import { statusBench } from './status.bench.js';
import { tenantsBench } from './tenants.bench.js';
import { upgradeBench } from './upgrade.bench.js';
import { yearsBench } from './years.bench.js';

const benches: readonly Bench[] = [
  inboundBench,
  leadsBench,
  statusBench,
  processesBench,
  replicasBench,
  growthBench,
  yearsBench,
  millionBench,
  databasesBench,
  storedBench,
  authenticationBench,
  inboxBench,
  dashboardsBench,
  dispatchBench,
  enqueueBench,
  bulkSendBench,
  idleBench,
  quietTenantBench,
  paceBench,
  fanOutBench,
  liveLatencyBench,
  idleSocketsBench,
  tenantsBench,
  hostileBench,
  requestsBench,
  attacksBench,
  planBench,
  mechanismsBench,
  mediaBench,
  consoleBench,
  migrationsBench,
  upgradeBench,
  restoreDrillBench,
];
/** Names of several benches. The tables of `paths` become one at the end. */
const groups: Readonly<Record<string, readonly Bench[]>> = {
  paths: [inboundBench, leadsBench, statusBench, dispatchBench, inboxBench, fanOutBench],
  hostile: [hostileBench, requestsBench, attacksBench],
};

/** The seconds of each attack when every bench runs. The attacks bench by itself has its own default. */
const secondsAmongAll = 5;

const usage = `Usage: npm run bench -- [names] [options]

Names: ${[...new Set([...Object.keys(groups), ...benches.map(({ name }) => name)])].join(', ')}. Without one, every bench runs.

  --write              replaces the tables in src/docs
  --brief              runs some benches briefly, to see whether they work
  --rounds <n>         of the benches that load servers
  --before <folder>    another version, installed and built there, to compare with
  --minutes <n>        of the console's memory
  --seconds <n>        of each attack
  --attack <pattern>   the attacks to run
  --messages <n>       that years stores
  --keep <folder>      for the databases of years, for the next run
  --path <pattern>     the paths of years to run
`;

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      before: { type: 'string' },
      seconds: { type: 'string' },
      attack: { type: 'string' },
      minutes: { type: 'string' },
      rounds: { type: 'string' },
      messages: { type: 'string' },
      keep: { type: 'string' },
      path: { type: 'string' },
      brief: { type: 'boolean' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
}

/** Returns the arguments; undefined where they were wrong, or asked for the usage, and the answer is given. */
function understoodArguments(): ReturnType<typeof readArguments> | undefined {
  try {
    const read = readArguments();
    if (read.values.help === true) {
      process.stdout.write(usage);
      return undefined;
    }
    const unknown = read.positionals.filter(
      (name) => !(name in groups) && !benches.some((bench) => bench.name === name),
    );
    if (unknown.length === 0) return read;
    process.stderr.write(`There is no bench called ${unknown.join(', ')}.\n\n${usage}`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
  process.exitCode = 2;
  return undefined;
}

async function main(): Promise<void> {
  const understood = understoodArguments();
  if (understood === undefined) return;
  const { positionals: names, values } = understood;
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const isChosen = (bench: Bench) => names.some((name) => bench.name === name || groups[name]?.includes(bench));
  const chosen = names.length === 0 ? benches : benches.filter(isChosen);
  const seconds = Number(values.seconds ?? (names.length === 0 ? secondsAmongAll : Number.NaN));
  const options = {
    before: values.before === undefined ? undefined : ProductVersion.at(values.before),
    attackSeconds: Number.isFinite(seconds) ? seconds : undefined,
    attackNames: values.attack,
    minutes: values.minutes === undefined ? undefined : Number(values.minutes),
    rounds: values.rounds === undefined ? undefined : Number(values.rounds),
    messages: values.messages === undefined ? undefined : Number(values.messages),
    keptIn: values.keep,
    pathNames: values.path,
    isBrief: values.brief,
    signal: interruption.signal,
  };
  try {
    const tablesOfPaths: (Comparison | Listing)[] = [];
    for (const bench of chosen) {
      const { report, tables } = await run(bench, options);
      const isPath = groups['paths']?.includes(bench) ?? false;
      if (isPath) tablesOfPaths.push(...tables);
      else if (values.write) await writeReport(`bench-${bench.name}`, report);
    }
    if (tablesOfPaths.length > 0 && values.write && names.length > 0 && !names.includes('paths'))
      process.stderr.write('The tables of paths are written together: npm run bench -- --write paths.\n');
    if (names.length === 0 || names.includes('paths')) {
      const report = `${renderTable(describePaths(tablesOfPaths))}\n${describeMachine()}\n`;
      process.stdout.write(`${report}\n`);
      if (values.write) await writeReport('bench-paths', report);
    }
  } catch (error) {
    const interrupted = interruption.signal.aborted;
    process.stderr.write(`${interrupted ? 'Interrupted.' : error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = interrupted ? 130 : 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Each bench has a server of its own, so that no bench is slowed by another's leftovers. @returns the printed report, as Markdown */
async function run(
  bench: Bench,
  options: Omit<BenchContext, 'postgres' | 'resources' | 'progress'>,
): Promise<{ report: string; tables: (Comparison | Listing)[] }> {
  await using resources = new AsyncDisposableStack();
  const postgres = await startBenchPostgres(resources);
  options.signal.throwIfAborted();
  const progress = (line: string) => process.stderr.write(`${bench.name}: ${line}\n`);
  const tables = await bench.run({ ...options, postgres, resources, progress });
  const report = tables.map((table) => `${renderTable(table)}\n${describeMachine(postgres.version)}\n`).join('\n');
  process.stdout.write(`${report}\n`);
  return { report, tables };
}

await main();
