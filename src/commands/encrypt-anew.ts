// `npm run encrypt-anew`: encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, so that the previous key
// can be removed. The command may be repeated, and may run while servers run.

import { nodeProblem } from '../node-version.js';

const usage = `Usage: npm run encrypt-anew

Encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, in the database of DATABASE_URL. Needs
the environment of the servers, which may run meanwhile. It takes no arguments, and may be repeated.
`;

// The command is imported only on a Node that is new enough, as in main.ts.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) await run();
else fail(problem);

async function run(): Promise<void> {
  const { answerArguments } = await import('./arguments.js');
  const answered = answerArguments(process.argv.slice(2), { usage });
  if (answered !== undefined) {
    process.exitCode = answered;
    return;
  }
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
