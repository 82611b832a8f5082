// Entry of `npm run bench`: runs every bench, or those named (`npm run bench -- inbound`), and prints the performance table. With
// `--write` (`npm run bench -- --write inbound`) it also replaces the tables in src/docs.
// It judges no figure: it fails only when something is broken. Ctrl-C stops and removes everything, as the normal end does.

import { authenticationBench } from './authentication.bench.js';
import { dashboardsBench } from './dashboards.bench.js';
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
import { paceBench } from './pace.bench.js';
import { planBench } from './plan.bench.js';
import { startBenchPostgres } from './postgres.js';
import { processesBench } from './processes.bench.js';
import { quietTenantBench } from './quiet-tenant.bench.js';
import { describeMachine, renderTable, writeReport } from './report.js';
import type { Bench } from './side-by-side.js';
import { statusBench } from './status.bench.js';

const benches: readonly Bench[] = [
  inboundBench,
  leadsBench,
  statusBench,
  processesBench,
  growthBench,
  authenticationBench,
  inboxBench,
  dashboardsBench,
  dispatchBench,
  enqueueBench,
  idleBench,
  quietTenantBench,
  paceBench,
  fanOutBench,
  liveLatencyBench,
  idleSocketsBench,
  hostileBench,
  planBench,
];

await main(process.argv.slice(2));

async function main(options: readonly string[]): Promise<void> {
  const names = options.filter((option) => option !== '--write');
  const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    const known = benches.map(({ name }) => name).join(', ');
    process.stderr.write(`There is no bench called ${unknown.join(', ')}; there are: ${known}.\n`);
    process.exitCode = 2;
    return;
  }
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const chosen = names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name));
  try {
    for (const bench of chosen) {
      const report = await run(bench, interruption.signal);
      if (options.includes('--write')) await writeReport(`bench-${bench.name}`, report);
    }
  } catch (error) {
    const interrupted = interruption.signal.aborted;
    process.stderr.write(`${interrupted ? 'Interrupted.' : error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = interrupted ? 130 : 1;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Each bench has a server of its own, so that none is slowed by what another left behind. @returns what it printed, as Markdown */
async function run(bench: Bench, signal: AbortSignal): Promise<string> {
  await using resources = new AsyncDisposableStack();
  const postgres = await startBenchPostgres(resources);
  signal.throwIfAborted();
  const progress = (line: string) => process.stderr.write(`${bench.name}: ${line}\n`);
  const tables = await bench.run({ postgres, resources, signal, progress });
  const report = tables.map((table) => `${renderTable(table)}\n${describeMachine(postgres.version)}\n`).join('\n');
  process.stdout.write(`${report}\n`);
  return report;
}
