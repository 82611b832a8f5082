// `npm run tenant -- …`: the process around a command of tenants.

import { runTenantCommand } from './tenant-command.js';

// A reader that closes the pipe early (`head`, `grep -m1`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runTenantCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
