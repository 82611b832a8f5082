// The log tells that a database goes away and comes back, also one that only takes no changes.

import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../../src/platform/database/database.js';
import { OutageWatch } from '../../../src/platform/database/outage-watch.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { until } from '../../features/messages/sending-harness.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { createTestDatabase, runOnServer, type TestDatabase } from '../../support/test-database.js';

const intervalMs = 20;

interface Line {
  level: number;
  msg: string;
  awaySeconds: number;
  err?: { message: string };
}

export function describeOutageWatch(): void {
  let own: TestDatabase;
  let proxy: DatabaseProxy;
  let database: Database;
  let watch: OutageWatch;
  let lines: Line[];

  beforeEach(async () => {
    own = await createTestDatabase();
    proxy = await DatabaseProxy.to(own);
    lines = [];
    database = new Database({ url: proxy.database.url, poolSize: 2, log: createLogger('silent') });
  });
  afterEach(async () => {
    watch.stop();
    await database.close();
    await proxy.close();
    await own.drop();
  });

  function startWatch(reminderMs?: number): void {
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
    watch = new OutageWatch({ database, log: createLogger('info', { destination }), intervalMs, reminderMs });
    watch.start();
  }

  const sentences = () => lines.map(({ level, msg }) => `${level} ${msg.split(':')[0]}`);
  const away = '40 PostgreSQL does not answer';
  const back = '40 PostgreSQL answers again';

  test('one line when it goes, with the reason, and one when it is back, however many looks there were', async () => {
    startWatch();
    await delay(5 * intervalMs);
    expect(lines).toEqual([]);
    proxy.cut();
    await until(sentences, (told) => told.includes(away));
    await delay(10 * intervalMs);
    proxy.restore();
    await until(sentences, (told) => told.includes(back));
    expect(sentences()).toEqual([away, back]);
    expect(lines[0]?.err?.message).toMatch(/terminated|reset|ECONN/i);
    expect(lines[1]?.awaySeconds).toBeGreaterThanOrEqual(0);
  });

  test('as long as it is away, a line comes again from time to time', async () => {
    startWatch(3 * intervalMs);
    proxy.cut();
    await until(sentences, (told) => told.length >= 3);
    expect(new Set(sentences())).toEqual(new Set([away]));
  });

  test('a server that takes no changes counts as away, until a new connection finds one that does', async () => {
    const name = new URL(own.url).pathname.slice(1);
    await runOnServer(own.url, [`ALTER DATABASE ${name} SET default_transaction_read_only = on`]);
    startWatch();
    await until(sentences, (told) => told.includes(away));
    expect(lines[0]?.err?.message).toMatch(/takes no changes/);
    await expect(database.transaction((sql) => sql.query('CREATE TABLE t (n int)'))).rejects.toMatchObject({
      code: '25006',
    });
    await runOnServer(process.env['LEADWIRE_TEST_SERVER_URL'] ?? '', [
      `ALTER DATABASE ${name} RESET default_transaction_read_only`,
    ]);
    await until(sentences, (told) => told.includes(back));
    await database.transaction((sql) => sql.query('CREATE TABLE t (n int)'));
  });

  test('the end of the process is no outage', async () => {
    startWatch();
    await delay(2 * intervalMs);
    watch.stop();
    await database.close();
    await delay(3 * intervalMs);
    expect(lines).toEqual([]);
  });
}
