// `npm run dev`: development's entry.

import { nodeProblem } from '../node-version.js';

const startedAtMs = performance.now();

// The command is imported only on a Node that is new enough, as in main.ts.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) await run();
else fail(problem);

async function run(): Promise<void> {
  const { reasonOf } = await import('../platform/observability/fault.js');
  const { develop } = await import('./development.js');
  try {
    stopWithParent();
    await develop(startedAtMs);
  } catch (error) {
    fail(reasonOf(error));
  }
}

// npm passes signals on, but not when it is killed outright: then we stop too, rather than hold the port and the database.
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  // Everything that had started is stopped; nothing that keeps the process open is needed any more.
  process.exit(1);
}
