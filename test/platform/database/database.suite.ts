// A database that falls silent behind open connections, as when its machine or the network goes without a word.

import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../../src/platform/database/database.js';
import { toAppError } from '../../../src/platform/observability/fault.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { SilentProxy } from '../../support/silent-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const poolSize = 2;
/** Longer than any answer takes on an overloaded machine. */
const silenceLimitMs = 3_000;

type Work = (database: Database) => Promise<unknown>;

const works: [string, Work][] = [
  ['a statement', (database) => database.query('SELECT 1')],
  ['a transaction', (database) => database.transaction((sql) => sql.query('SELECT 1'))],
  ['a query of Prisma', (database) => database.prisma.tenant.findMany()],
];

export function describeDatabase(): void {
  let own: TestDatabase;
  /** The codes of each work on the silent connections, and of the next one. The works wait for the limit at the same time. */
  const codes = new Map<string, { silent: string[]; next: string }>();

  beforeAll(async () => {
    own = await createTestDatabase();
    await Promise.all(works.map(async ([name, work]) => codes.set(name, await runInSilence(work))));
  });
  afterAll(() => own.drop());

  async function runInSilence(work: Work): Promise<{ silent: string[]; next: string }> {
    const proxy = new SilentProxy(new URL(own.url));
    const database = new Database({ url: await proxy.open(), poolSize, log: createLogger('silent'), silenceLimitMs });
    const codeOf = () =>
      work(database).then(
        () => 'done',
        (error: unknown) => toAppError(error).code,
      );
    try {
      // Open every connection of the pool.
      await Promise.all(Array.from({ length: poolSize }, () => database.query('SELECT pg_sleep(0.2)')));
      proxy.silence();
      return { silent: await Promise.all(Array.from({ length: poolSize }, codeOf)), next: await codeOf() };
    } finally {
      await proxy.close();
      await database.close();
    }
  }

  test('a transaction is given up after as long a silence as a statement: it waits for no ROLLBACK', async () => {
    const proxy = new SilentProxy(new URL(own.url));
    const database = new Database({ url: await proxy.open(), poolSize, log: createLogger('silent'), silenceLimitMs });
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    try {
      await Promise.all(Array.from({ length: poolSize }, () => database.query('SELECT pg_sleep(0.2)')));
      proxy.silence();
      const transaction = database.transaction((sql) => sql.query('SELECT 1')).catch(note('transaction'));
      // The statement begins later, so it ends later.
      await delay(silenceLimitMs / 2);
      await Promise.all([transaction, database.query('SELECT 1').catch(note('statement'))]);
      expect(ended).toEqual(['transaction', 'statement']);
    } finally {
      await proxy.close();
      await database.close();
    }
  }, 60_000);

  test.each(works)('%s is UNAVAILABLE on each silent connection, and works on new ones', (name) => {
    const silent = Array.from({ length: poolSize }, () => 'UNAVAILABLE');
    expect(codes.get(name)).toEqual({ silent, next: 'done' });
  });
}
