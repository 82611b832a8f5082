// Jest's global setup: one PostgreSQL server for the whole run, and a folder for the applications' logs.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './test-postgres.js';

declare global {
  // Jest's setup and teardown share no module state, only the global object.
  var leadwireTestServer: TestServer | undefined;
}

export default async function setUp(): Promise<void> {
  // Jest resolves the imports of this file without its moduleNameMapper, so our own loader resolves them.
  const support = dirname(fileURLToPath(import.meta.url));
  await import(join(support, 'typescript-loader.ts'));
  const testPostgres = (await import(join(support, 'test-postgres.ts'))) as typeof import('./test-postgres.js');
  globalThis.leadwireTestServer = await testPostgres.startTestServer();
  process.env.LEADWIRE_TEST_SERVER_URL = globalThis.leadwireTestServer.url;
  const { logFolderVariable } = (await import(join(support, 'test-log.ts'))) as typeof import('./test-log.js');
  process.env[logFolderVariable] = await mkdtemp(join(tmpdir(), 'leadwire-log-'));
}
