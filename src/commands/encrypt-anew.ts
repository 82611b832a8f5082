// `npm run encrypt-anew`: encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, so that the previous key
// can be removed. The command may be repeated, and may run while servers run.

import { answerArguments } from './arguments.js';
import { nodeProblem } from '../node-version.js';

const usage = `Usage: npm run encrypt-anew

Encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, in the database of DATABASE_URL. Needs
the environment of the servers, which may run meanwhile. It takes no arguments, and may be repeated.
`;

// The command is imported only on a Node that is new enough, as in main.ts.
const problem = nodeProblem(process.versions.node);
const answered = problem === undefined ? answerArguments(process.argv.slice(2), { usage }) : 1;
if (problem !== undefined) fail(problem);
else if (answered === undefined) await run();
else process.exitCode = answered;

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
