// A database that falls silent behind open connections, as when its machine or the network goes without a word.

import { Database } from '../../src/platform/database.js';
import { toAppError } from '../../src/platform/fault.js';
import { createLogger } from '../../src/platform/logger.js';
import { SilentProxy } from '../support/silent-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const poolSize = 2;
/** Longer than any answer takes on an overloaded machine. */
const silenceLimitMs = 3_000;

export function describeDatabase(): void {
  let own: TestDatabase;
  let proxy: SilentProxy;
  let database: Database;

  beforeEach(async () => {
    own = await createTestDatabase();
    proxy = new SilentProxy(new URL(own.url));
    database = new Database({
      url: await proxy.open(),
      poolSize,
      log: createLogger('silent'),
      silenceLimitMs,
    });
    // Open every connection of the pool.
    await Promise.all(Array.from({ length: poolSize }, () => database.query('SELECT pg_sleep(0.2)')));
    proxy.silence();
  });

  afterEach(async () => {
    await proxy.close();
    await database.close();
    await own.drop();
  });

  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => toAppError(error).code,
    );

  test.each<[string, () => Promise<unknown>]>([
    ['a statement', () => database.query('SELECT 1')],
    ['a transaction', () => database.transaction((sql) => sql.query('SELECT 1'))],
    ['a query of Prisma', () => database.prisma.tenant.findMany()],
  ])('%s is UNAVAILABLE on each silent connection, and works on new ones', async (_, run) => {
    const codes = await Promise.all(Array.from({ length: poolSize }, () => codeOf(run())));
    expect(codes).toEqual(codes.map(() => 'UNAVAILABLE'));
    expect(await codeOf(run())).toBe('done');
  });
}
