// `npm run encrypt-anew`: encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, so that the previous key
// can be removed. The command may be repeated, and may run while servers run.

import { nodeProblem } from '../node-version.js';

// The command is imported only on a Node that is new enough, as in main.ts.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) await run();
else fail(problem);

async function run(): Promise<void> {
  const { reasonOf } = await import('../platform/observability/fault.js');
  const { encryptAnew } = await import('./key-replacement.js');
  try {
    await encryptAnew(process.env, (line) => void process.stdout.write(line));
  } catch (error) {
    fail(reasonOf(error));
  }
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
