// The listening connection, behind a proxy that can drop it without a word, as a router does.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PostgresNotifier } from '../../../src/platform/events/postgres-notifier.js';
import { until } from '../../features/messages/sending-harness.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const log = { warn: () => undefined };

export function describePostgresNotifier(): void {
  let database: TestDatabase;
  let proxy: Server;
  let through: [Socket, Socket][] = [];
  let started: PostgresNotifier[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    proxy = createServer((near) => {
      const far = connect({ host: hostname, port: Number(port) });
      through.push([near, far]);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });

  afterEach(async () => {
    for (const notifier of started) await notifier.stop();
    for (const socket of through.flat()) socket.destroy();
    [started, through] = [[], []];
  });

  afterAll(async () => {
    proxy.close();
    await database.drop();
  });

  async function start(url: string): Promise<{ notifier: PostgresNotifier; heard: string[] }> {
    const notifier = new PostgresNotifier(url, log, { heartbeatIntervalMs: 50, answerTimeoutMs: 2_000 });
    started.push(notifier);
    const heard: string[] = [];
    await notifier.start((text) => heard.push(text));
    return { notifier, heard };
  }

  test('a connection that gives no answer any more is replaced, and nobody waits for it for ever', async () => {
    const url = new URL(database.url);
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const [direct, proxied] = [await start(database.url), await start(url.href)];
    await direct.notifier.send('before');
    await until(
      () => proxied.heard,
      (heard) => heard.includes('before'),
    );
    for (const [near, far] of through) {
      near.unpipe(far);
      far.unpipe(near);
    }
    await expect(proxied.notifier.send('into nothing')).rejects.toThrow();
    await until(
      async () => {
        await direct.notifier.send('after');
        return proxied.heard;
      },
      (heard) => heard.includes('after'),
    );
    await until(
      async () => {
        await proxied.notifier.send('back').catch(() => undefined);
        return direct.heard;
      },
      (heard) => heard.includes('back'),
    );
  });
}
