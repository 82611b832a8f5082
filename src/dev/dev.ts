// `npm run dev`: development's entry.

import { nodeProblem } from '../node-version.js';

const usage = `Usage: npm run dev

Runs Leadwire with a database, a gateway simulator and a demo tenant. It takes no arguments, and prints what to try next.
The environment has its settings:

  PORT                 4000 by default; the simulator takes the next port that is free
  HOST                 0.0.0.0 opens it to the network, where everybody may sign in
  DATA_DIR             the folder of database, files and secrets: .data by default
  DATABASE_URL         another database than the embedded one
  GATEWAY_URL          a gateway in place of the simulator
  DEMO_DATA=0          leaves the demo data out
  SIMULATOR_CUSTOMERS  messages a minute from customers who are played: 6 by default

src/docs/configuration.md lists the others.
`;

const startedAtMs = performance.now();

// The command is imported only on a Node that is new enough, as in main.ts.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) fail(problem);
const { answerArguments } = await import('../commands/arguments.js');
const answered = answerArguments(process.argv.slice(2), { usage });
if (answered === undefined) await run();
else process.exitCode = answered;

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
