// Production's entry: Node's version → configuration → database → application → listen → drain on SIGTERM or SIGINT.

import { nodeProblem } from './node-version.js';

// What follows is imported only where it runs: on an older Node, an import may already fail without a word of help.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) await run();
else fail(problem);

async function run(): Promise<void> {
  const { loadConfig } = await import('./config/config.js');
  const { reasonOf } = await import('./platform/fault.js');
  const { runProcess } = await import('./process.js');
  try {
    await runProcess(loadConfig(process.env));
  } catch (error) {
    fail(reasonOf(error));
  }
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  // What had started is stopped; whatever may still hold the process open has nothing left to do.
  process.exit(1);
}
