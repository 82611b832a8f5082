// Jest's global setup: one PostgreSQL server for the whole run.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './test-postgres.js';

declare global {
  // Jest's setup and teardown share no module state, only the global object.
  var leadwireTestServer: TestServer | undefined;
}

export default async function setUp(): Promise<void> {
  // Jest resolves the imports of this file without its moduleNameMapper, so they are left to our own loader.
  const support = dirname(fileURLToPath(import.meta.url));
  await import(join(support, 'typescript-loader.ts'));
  const testPostgres = (await import(join(support, 'test-postgres.ts'))) as typeof import('./test-postgres.js');
  globalThis.leadwireTestServer = await testPostgres.startTestServer();
  process.env.LEADWIRE_TEST_SERVER_URL = globalThis.leadwireTestServer.url;
}
