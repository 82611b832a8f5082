// `npm run doctor`: checks the environment and everything that it leads to, also where much of it is wrong. Changes nothing.

import { nodeProblem } from '../node-version.js';

// The command is imported only on a Node that is new enough, as in main.ts.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) await run();
else fail(problem);

async function run(): Promise<void> {
  const { examine } = await import('./doctor/examination.js');
  // A reader that closes the pipe early is not an error.
  process.stdout.on('error', () => process.exit(1));
  const code = await examine(process.argv.slice(2), process.env, (text) => void process.stdout.write(text));
  // A check that ran out of time may still wait for the other side.
  process.stdout.write('', () => process.exit(code));
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
