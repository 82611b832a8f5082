// A database that falls silent behind open connections, as when its machine or the network goes without a word.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Database } from '../../src/platform/database.js';
import { toAppError } from '../../src/platform/fault.js';
import { createLogger } from '../../src/platform/logger.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const poolSize = 2;
/** Longer than any answer takes on a machine out of breath. */
const silenceLimitMs = 3_000;

let own: TestDatabase;
let proxy: SilentProxy;
let database: Database;

/** Passes everything on, until it is told to pass nothing on through the connections that there are. */
class SilentProxy {
  private readonly pairs: { near: Socket; far: Socket }[] = [];
  private readonly server = createServer((near) => {
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    far.pipe(near);
    this.pairs.push({ near, far });
  });

  constructor(private readonly target: URL) {}

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  silence(): void {
    for (const { near, far } of this.pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const { near, far } of this.pairs) for (const socket of [near, far]) socket.destroy();
    await closed;
  }
}

beforeEach(async () => {
  own = await createTestDatabase();
  proxy = new SilentProxy(new URL(own.url));
  database = new Database({
    url: await proxy.open(),
    poolSize,
    log: createLogger('silent'),
    silenceLimitMs,
  });
  // Every connection of the pool is there.
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
