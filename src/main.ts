// Production's entry: Node's version → configuration → database → application → listen → drain on SIGTERM or SIGINT.

import { nodeProblem } from './node-version.js';

const usage = `Usage: npm start

Runs Leadwire: node dist/main.js. The environment has its settings, which src/docs/configuration.md lists. SIGTERM stops it
in order. npm run doctor checks the settings, and everything that they lead to.
`;

/** The time limit of the warm-up, which takes about 0.5 s. */
const warmUpLimitMs = 3_000;

// Modules are imported only on a Node that is new enough: on an older one, the imports would fail without a helpful message.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) fail(problem);
const { answerArguments } = await import('./commands/arguments.js');
const answered = answerArguments(process.argv.slice(2), { usage });
if (answered === undefined) await run();
else process.exitCode = answered;

async function run(): Promise<void> {
  const { loadConfig } = await import('./config/config.js');
  const { reasonOf } = await import('./platform/observability/fault.js');
  const { runProcess } = await import('./process.js');
  try {
    await runProcess(loadConfig(process.env), { warmUpLimitMs });
  } catch (error) {
    fail(reasonOf(error));
  }
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  // Everything that had started is stopped; nothing that keeps the process open is needed any more.
  process.exit(1);
}
