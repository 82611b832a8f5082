// Jest's global teardown: it stops the run's PostgreSQL server, deletes the data, and fails the run if a log holds a secret.

import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export default async function tearDown(): Promise<void> {
  await globalThis.leadwireTestServer?.stop();
  await searchLogs();
  const support = dirname(fileURLToPath(import.meta.url));
  const { endedVariable } = (await import(join(support, 'test-run.ts'))) as typeof import('./test-run.js');
  const ended = process.env[endedVariable];
  if (ended !== undefined) await writeFile(ended, '');
}

/**
 * Searches the logs for secrets. A log with a finding stays on disk, so that people can look into it. @throws Error that fails the run and
 * names every place
 */
async function searchLogs(): Promise<void> {
  const support = dirname(fileURLToPath(import.meta.url));
  const testLog = (await import(join(support, 'test-log.ts'))) as typeof import('./test-log.js');
  const logSearch = (await import(join(support, 'log-search.ts'))) as typeof import('./log-search.js');
  const folder = process.env[testLog.logFolderVariable];
  if (folder === undefined) return;
  const leaks = await logSearch.findLeaks(folder, testLog.secretsFileName);
  await rm(leaks.length === 0 ? folder : join(folder, testLog.secretsFileName), { recursive: true, force: true });
  if (leaks.length > 0) throw new Error(logSearch.describeLeaks(leaks));
}
