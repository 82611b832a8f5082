// Read replicas after a failover that lost commits: one that has what the new primary lacks is not read, and one that follows it is.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/dev/embedded-postgres/embedded-postgres.js';
import { DatabaseServer } from '../../../src/platform/database/database-server.js';
import { Operation } from '../../../src/platform/database/operation.js';
import { ReadReplicas } from '../../../src/platform/database/read-replicas.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { until } from '../../features/messages/sending-harness.js';
import { PostgresReplica } from '../../support/postgres-replica.js';
import { steadyPort } from '../../support/redis-server.js';

const silentLog = { info: () => undefined, warn: () => undefined };
const settings = { poolSize: 2, log: createLogger('silent') };
const looks = 5;

export function describePromotedReplicas(): void {
  let folder: string;
  let former: EmbeddedPostgres;
  let promoted: PostgresReplica;
  let ahead: PostgresReplica;
  let follower: PostgresReplica;
  let primary: DatabaseServer;
  let replicas: ReadReplicas;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-promoted-'));
    await chmod(folder, 0o755);
    const options = { dataDir: join(folder, 'former'), log: silentLog, preferredPort: 0, parameters: { fsync: 'off' } };
    former = await startEmbeddedPostgres(options);
    const start = async (name: string) => PostgresReplica.of(former, join(folder, name), await steadyPort());
    [promoted, ahead, follower] = [await start('promoted'), await start('ahead'), await start('follower')];
    const write = new DatabaseServer({ ...settings, url: former.databaseUrl('postgres') });
    await write.run(`CREATE TABLE notes AS SELECT 'kept' AS text`);
    for (const replica of [promoted, ahead, follower]) await untilNoted(replica, 'kept');
    for (const replica of [promoted, follower]) await replica.follow(undefined);
    // They are more bytes than a promotion writes.
    await write.run(`INSERT INTO notes SELECT 'lost' FROM generate_series(1, 100000)`);
    await untilNoted(ahead, 'lost');
    await write.close();
    await former.stop();
    await promoted.run('SELECT pg_promote()');
    primary = new DatabaseServer({ ...settings, url: promoted.databaseUrl('postgres') });
    const urls = [ahead, follower].map((replica) => replica.databaseUrl('postgres'));
    replicas = new ReadReplicas({ ...settings, urls, primary, maxLagMs: 3_000 });
  }, 90_000);

  afterAll(async () => {
    await replicas.close();
    await primary.close();
    for (const replica of [follower, ahead, promoted]) await replica.remove();
    await former.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const untilNoted = (replica: PostgresReplica, text: string) =>
    until(
      () => replica.run(`SELECT FROM notes WHERE text = '${text}' LIMIT 1`).catch(() => []),
      (rows) => rows.length > 0,
    );

  /** Reads the notes as an operation of its own does. */
  async function read(): Promise<{ text: string; isReplica: boolean }[]> {
    const operation = new Operation({ tenantId: '0198c0de-0000-7000-8000-000000000001', isReading: true });
    try {
      const server = await replicas.serverFor(operation);
      return await server.run(`SELECT DISTINCT text, pg_is_in_recovery() AS "isReplica" FROM notes ORDER BY text`);
    } finally {
      operation.end();
    }
  }

  test('one that has what the new primary lacks is not read, however often it is looked at', async () => {
    for (let look = 0; look < looks; look += 1) {
      await replicas.watch();
      expect(await read()).toEqual([{ text: 'kept', isReplica: false }]);
      expect(replicas.list[0]?.awayBecause).toBe('it does not follow this primary yet');
    }
  });

  test('one that follows the new primary is read, and has what was written since', async () => {
    await follower.follow(promoted);
    await until(
      async () => {
        await replicas.watch();
        return replicas.list[1]?.isUsable;
      },
      (isUsable) => isUsable === true,
    );
    await primary.run(`INSERT INTO notes VALUES ('new')`);
    const rows = await until(read, ([first]) => first?.isReplica === true);
    expect(rows.map(({ text }) => text)).toEqual(['kept', 'new']);
  });
}
