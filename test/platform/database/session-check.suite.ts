// The check of sessions at the start: it names a database that cannot be used, and a pooler that shares sessions or refuses settings.

import { requireOwnSessions } from '../../../src/platform/database/migrations.js';
import { Pgbouncer, pgbouncerInstalled } from '../../support/pgbouncer.js';
import { freePort } from '../../support/redis-server.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const whenInstalled = pgbouncerInstalled() ? test : test.skip;

export function describeSessionCheck(): void {
  let database: TestDatabase;
  let pooler: Pgbouncer | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await pooler?.stop();
    pooler = undefined;
  });

  afterAll(() => database.drop());

  async function startPooler(settings: string): Promise<string> {
    pooler = await Pgbouncer.start(database.url, settings);
    return pooler.url;
  }

  test('a server by itself is fine', async () => {
    await expect(requireOwnSessions(database.url)).resolves.toBeUndefined();
  });

  test('a server that cannot be reached, and a database that is not there, are named with what was asked for', async () => {
    const port = await freePort();
    const unreachable = requireOwnSessions(`postgresql://leadwire:x@127.0.0.1:${port}/leads`);
    await expect(unreachable).rejects.toThrow(
      `The database "leads" of DATABASE_URL (127.0.0.1:${port}) cannot be used: connect ECONNREFUSED`,
    );
    const url = new URL(database.url);
    url.pathname = '/not-there';
    await expect(requireOwnSessions(url.href)).rejects.toThrow(
      `The database "not-there" of DATABASE_URL (${url.host}) cannot be used: database "not-there" does not exist`,
    );
  });

  whenInstalled('a pooler that takes no settings is named', async () => {
    const url = await startPooler('pool_mode = session');
    await expect(requireOwnSessions(url)).rejects.toThrow(/^DATABASE_URL leads to a pooler that refuses settings/);
  });

  whenInstalled('one that shares sessions is named', async () => {
    const url = await startPooler('pool_mode = transaction\nignore_startup_parameters = options');
    await expect(requireOwnSessions(url)).rejects.toThrow(/^DATABASE_URL leads to a pooler that shares sessions/);
  });

  whenInstalled('one that shares none and takes settings is fine', async () => {
    const url = await startPooler('pool_mode = session\nignore_startup_parameters = options');
    await expect(requireOwnSessions(url)).resolves.toBeUndefined();
  });
}
