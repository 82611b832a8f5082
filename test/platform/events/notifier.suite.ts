// Waking other processes: through Redis while it answers, through PostgreSQL otherwise, and then through Redis again without help.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Notifier, type NotifierOptions } from '../../../src/platform/events/notifier.js';
import { until } from '../../features/messages/sending-harness.js';
import { RedisServer, redisServerInstalled } from '../../support/redis-server.js';
import { TestApp } from '../../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const whenRedis = redisServerInstalled() ? describe : describe.skip;

export function describeNotifier(): void {
  let database: TestDatabase;
  let listener: pg.Client;
  /** The notifications that went through PostgreSQL. */
  let notified: string[] = [];
  let started: Notifier[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    listener.on('notification', ({ payload }) => notified.push(...(payload ?? '').split(',')));
    await listener.query('LISTEN leadwire_events');
  });

  afterEach(async () => {
    for (const notifier of started) await notifier.stop();
    started = [];
    notified = [];
  });

  afterAll(async () => {
    await listener.end();
    await database.drop();
  });

  interface Heard {
    notifier: Notifier;
    heard: string[];
    lines: string[];
  }

  async function start(options: Partial<NotifierOptions> = {}): Promise<Heard> {
    const lines: string[] = [];
    const note = (_fields: object, line: string) => void lines.push(line);
    const log = { info: note, warn: note } as unknown as NotifierOptions['log'];
    const notifier = new Notifier({ url: database.url, log, ...options });
    const heard: string[] = [];
    notifier.subscribe((tenantId) => heard.push(tenantId));
    started.push(notifier);
    await notifier.start();
    return { notifier, heard, lines };
  }

  const untilHeard = ({ heard }: Heard, tenantId: string) =>
    until(
      () => heard.includes(tenantId),
      (isHeard) => isHeard,
    );

  test('without Redis PostgreSQL carries it, many tenants in one notification', async () => {
    const [one, other] = [await start(), await start()];
    const tenantIds = Array.from({ length: 500 }, () => randomUUID());
    for (const tenantId of tenantIds) one.notifier.wakeAll(tenantId);
    expect(one.heard).toEqual(tenantIds);
    for (const tenantId of tenantIds) await untilHeard(other, tenantId);
    expect(new Set(other.heard)).toEqual(new Set(tenantIds));
    expect(one.notifier.isDegraded).toBe(false);
  });

  whenRedis('with Redis', () => {
    let redis: RedisServer;

    beforeEach(async () => {
      redis = await RedisServer.start();
    });

    afterEach(() => redis.stop());

    // A busy machine may take longer than 2 s for the first answers, and the log would say that Redis was away before a case begins.
    const startPatient = () => start({ redisUrl: redis.url, redisOpenTimeoutMs: 60_000 });

    const untilDegraded = ({ notifier }: Heard, isDegraded: boolean) =>
      until(
        () => notifier.isDegraded,
        (value) => value === isDegraded,
      );

    test('it carries what PostgreSQL does otherwise', async () => {
      const [one, other] = [await startPatient(), await startPatient()];
      for (const heard of [one, other]) await untilDegraded(heard, false);
      const tenantId = randomUUID();
      one.notifier.wakeAll(tenantId);
      await untilHeard(other, tenantId);
      expect(notified).toEqual([]);
      expect([...one.lines, ...other.lines]).toEqual([]);
    });

    test.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
      ['ends', () => redis.stop(), () => redis.start()],
      ['says nothing any more', () => redis.pause(), () => redis.resume()],
    ])(
      'one that %s is said so once, PostgreSQL steps in, and Redis is back by itself',
      async (_name, breakIt, mendIt) => {
        const [one, other] = [await startPatient(), await startPatient()];
        for (const heard of [one, other]) await untilDegraded(heard, false);
        await breakIt();
        for (const heard of [one, other]) await untilDegraded(heard, true);
        const during = randomUUID();
        one.notifier.wakeAll(during);
        await untilHeard(other, during);
        await until(
          () => notified.length,
          (count) => count > 0,
        );
        expect(notified).toEqual([during]);
        await mendIt();
        for (const heard of [one, other]) await untilDegraded(heard, false);
        const after = randomUUID();
        one.notifier.wakeAll(after);
        await untilHeard(other, after);
        expect(notified).toEqual([during]);
        for (const { lines } of [one, other])
          expect(lines).toEqual([expect.stringContaining('Redis is away'), expect.stringContaining('Redis is back')]);
      },
    );

    test('a process that starts without it is ready, says what it does without, and takes it up later', async () => {
      await redis.stop();
      const app = await TestApp.start({ REDIS_URL: redis.url }, database);
      const readiness = async () => {
        const answer = await app.get('/health/ready');
        return { status: answer.status, body: await answer.json() };
      };
      try {
        expect(await readiness()).toEqual({ status: 200, body: { status: 'ok', degraded: ['redis'] } });
        await redis.start();
        await until(readiness, ({ body }) => JSON.stringify(body) === '{"status":"ok"}');
      } finally {
        await app.stop({ keepDatabase: true });
      }
    });
  });
}
