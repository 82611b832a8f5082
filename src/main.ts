// Production's entry: configuration → database → application → listen → drain on SIGTERM or SIGINT.

import { loadConfig } from './config.js';
import { reasonOf } from './platform/fault.js';
import { runProcess } from './process.js';

try {
  await runProcess(loadConfig(process.env));
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  // What had started is stopped; whatever may still hold the process open has nothing left to do.
  process.exit(1);
}
