// Jest's global teardown: the run's PostgreSQL server ends, its data is deleted, and no secret may stand in what was logged.

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

/** The logs stay where something was found, for people who look into it. @throws Error which fails the run, with every place */
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
