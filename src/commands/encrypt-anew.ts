// `npm run encrypt-anew`: encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, so that the previous key
// can be removed. Safe to repeat, and while servers run.

import { reasonOf } from '../platform/fault.js';
import { encryptAnew } from './key-replacement.js';

try {
  await encryptAnew(process.env, (line) => void process.stdout.write(line));
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}
