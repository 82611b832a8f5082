// A queue whose database falls silent behind open connections goes on with new connections. A start changes only what is otherwise than
// asked for.

import { once, EventEmitter } from 'node:events';
import { Database } from '../../../src/platform/database/database.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Queue, type JobQueue } from '../../../src/platform/jobs/queue.js';
import { SilentProxy } from '../../support/silent-proxy.js';
import { slow } from '../../support/slow.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const log = createLogger('silent');
const greetings: JobQueue<{ name: string }> = { name: 'greetings', expireInSeconds: 60, retryLimit: 3 };

export function describeQueue(): void {
  let own: TestDatabase;
  let proxy: SilentProxy;
  let database: Database;
  let queue: Queue;

  beforeEach(async () => {
    own = await createTestDatabase();
    proxy = new SilentProxy(new URL(own.url));
    database = new Database({ url: own.url, poolSize: 2, log });
    queue = new Queue({ url: await proxy.open(), works: true, log, silenceLimitMs: 3_000 });
  });

  afterEach(async () => {
    // Close the proxy first: otherwise the queue would wait for a silent connection.
    await proxy.close();
    await queue.stop();
    await database.close();
    await own.drop();
  });

  slow('jobs are worked on again although no connection that was open says a word', async () => {
    const greeted = new EventEmitter();
    const send = (name: string) => database.transaction((sql) => queue.send(sql, greetings, { name }));
    await queue.start([greetings]);
    await queue.work(greetings, async (payloads) => payloads.forEach(({ name }) => greeted.emit(name)));
    const [ana, rui] = [once(greeted, 'Ana'), once(greeted, 'Rui')];
    await send('Ana');
    await ana;
    proxy.silence();
    await send('Rui');
    await rui;
  });

  test('a start leaves a queue as it is, and changes one that is otherwise than asked for', async () => {
    await queue.start([greetings]);
    const read = () =>
      database.query<{ retryLimit: number; changedAt: string }>(
        `SELECT retry_limit AS "retryLimit", updated_on::text AS "changedAt" FROM pgboss.queue WHERE name = '${greetings.name}'`,
      );
    const startAnother = async (asked: JobQueue<{ name: string }>) => {
      const another = new Queue({ url: own.url, works: false, log });
      await another.start([asked]);
      await another.stop();
      return read();
    };
    const [made] = await read();
    expect(made?.retryLimit).toBe(3);
    expect(await startAnother(greetings)).toEqual([made]);
    expect(await startAnother({ ...greetings, retryLimit: 5 })).toMatchObject([{ retryLimit: 5 }]);
  });
}
