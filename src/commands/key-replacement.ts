// Encrypts everything with ENCRYPTION_KEY that ENCRYPTION_KEY_PREVIOUS had encrypted.

import { ConfigError, loadConfig } from '../config/config.js';
import { Database } from '../platform/database/database.js';
import { createLogger } from '../platform/observability/logger.js';
import { sealColumnAnew, SecretBox } from '../platform/secret-box.js';
import { daysOfErasure, selectErasedUntil } from '../features/leads/identity/erased-identity.service.js';
import { sealedColumns } from './sealed-columns.js';

/**
 * The call may be repeated, and may run while servers run.
 *
 * @param print receives each line
 * @throws Error with a sentence when the configuration or a key is wrong
 */
export async function encryptAnew(
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<void> {
  const { databaseUrl, databaseDirectUrl: url = databaseUrl, ...others } = loadConfig(environment);
  const { encryptionKey, encryptionKeyPrevious, retention } = others;
  if (url === undefined) throw new ConfigError('DATABASE_URL is required.');
  // Errors are printed as sentences, so the log stays silent.
  const database = new Database({ url, poolSize: 1, log: createLogger('silent') });
  const secretBox = new SecretBox(encryptionKey, encryptionKeyPrevious);
  try {
    for (const column of sealedColumns) {
      const count = await sealColumnAnew(database, secretBox, column);
      print(`${column.table}.${column.column}: ${count}\n`);
    }
    const [erased] = await database.query<{ until: Date }>(selectErasedUntil, [daysOfErasure(retention.deliveryDays)]);
    const use = 'Until then no history, replay or late call brings back a person who was erased under it.';
    print(
      erased === undefined
        ? 'Everything is encrypted with ENCRYPTION_KEY: ENCRYPTION_KEY_PREVIOUS is not needed any more.\n'
        : `Everything is encrypted with ENCRYPTION_KEY. Keep ENCRYPTION_KEY_PREVIOUS until ${erased.until.toISOString()}. ${use}\n`,
    );
  } finally {
    await database.close();
  }
}
