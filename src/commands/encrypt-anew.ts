// `npm run encrypt-anew`: encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted, so that the previous key
// can be removed. Safe to repeat, and while servers run.

import { ConfigError, loadConfig } from '../config/config.js';
import { Database } from '../platform/database.js';
import { reasonOf } from '../platform/fault.js';
import { createLogger } from '../platform/logger.js';
import { sealColumnAnew, SecretBox } from '../platform/secret-box.js';
import { sealedColumns } from './sealed-columns.js';

try {
  await run();
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { databaseUrl, databaseDirectUrl: url = databaseUrl, ...keys } = loadConfig(process.env);
  const { encryptionKey, encryptionKeyPrevious } = keys;
  if (url === undefined) throw new ConfigError('DATABASE_URL is required.');
  // Errors are printed as sentences, so the log stays silent.
  const database = new Database({ url, poolSize: 1, log: createLogger('silent') });
  const secretBox = new SecretBox(encryptionKey, encryptionKeyPrevious);
  try {
    for (const column of sealedColumns) {
      const count = await sealColumnAnew(database, secretBox, column);
      process.stdout.write(`${column.table}.${column.column}: ${count}\n`);
    }
    process.stdout.write(
      'Everything is encrypted with ENCRYPTION_KEY: ENCRYPTION_KEY_PREVIOUS is not needed any more.\n',
    );
  } finally {
    await database.close();
  }
}
