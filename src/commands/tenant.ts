// `npm run tenant -- …`: the process around a command of tenants.

import { nodeProblem } from '../node-version.js';

// A reader that closes the pipe early (`head`, `grep -m1`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The command is imported only on a Node that is new enough: on an older one, the imports would fail without a helpful message.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  const { runTenantCommand } = await import('./tenant-command.js');
  process.exitCode = await runTenantCommand(process.argv.slice(2), {
    environment: process.env,
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  });
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
