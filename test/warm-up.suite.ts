// A production process warms up before it serves: the warm-up changes nothing, no metric counts it, and readiness does not depend on its
// success.

import pg from 'pg';
import { ServiceProcess } from './faults/service-process.js';
import { until } from './features/messages/sending-harness.js';
import { freePort } from './support/redis-server.js';
import { changingNothing } from './support/table-checksums.js';
import { TestApp } from './support/test-app.js';

const role = { PROCESS_ROLE: 'api' };

export function describeWarmUp(): void {
  let app: TestApp;
  let blocker: pg.Client;

  beforeAll(async () => {
    app = await TestApp.start(role);
    await app.createTenant();
    blocker = new pg.Client({ connectionString: app.database.url });
    await blocker.connect();
  });
  afterAll(async () => {
    await blocker.end();
    await app.stop();
  });

  const isReady = (port: number) =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const blockedStatements = () =>
    app.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'leadwire' AND wait_event_type = 'Lock'`,
    );

  test('changes no row, and no metric counts an operation or a refusal', async () => {
    const second = await changingNothing(app, () => TestApp.start(role, app.database, {}, { warmUpLimitMs: 60_000 }));
    const { graphqlOperations, rateLimited } = second.app.services.metrics;
    const counted = await Promise.all([graphqlOperations, rateLimited].map((metric) => metric.get()));
    expect(counted.flatMap(({ values }) => values.filter(({ value }) => value > 0))).toEqual([]);
    await second.stop({ keepDatabase: true });
  });

  test('is not ready before it is warm', async () => {
    const port = await freePort();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    const starting = TestApp.start({ ...role, PORT: String(port) }, app.database, {}, { warmUpLimitMs: 60_000 });
    await until(blockedStatements, (waiting) => waiting.length > 0);
    expect(await isReady(port)).toBe(false);
    await blocker.query('ROLLBACK');
    const second = await starting;
    expect(await isReady(port)).toBe(true);
    await second.stop({ keepDatabase: true });
  });

  test('is ready where it does not get warm in time', async () => {
    const port = await freePort();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    const second = await TestApp.start({ ...role, PORT: String(port) }, app.database, {}, { warmUpLimitMs: 1_000 });
    await until(blockedStatements, (waiting) => waiting.length > 0);
    await blocker.query('ROLLBACK');
    expect(await isReady(port)).toBe(true);
    await second.stop({ keepDatabase: true });
  });

  test('of production as all: warm, then it listens', async () => {
    const service = await ServiceProcess.start(app.database, { PROCESS_ROLE: 'all' });
    await service.end('SIGTERM');
    expectWarmBeforeListening(service);
  });
}

export function expectWarmBeforeListening({ log }: ServiceProcess): void {
  const ends = /"tookMs":\d+,"msg":"(?:warmed up|the warm-up was given up: first calls may take longer)"/;
  const said = log.split('\n').filter((line) => ends.test(line) || line.includes('"msg":"listening"'));
  // On a machine that is busy, 3 s may pass before it is warm.
  expect(said).toEqual([expect.stringMatching(ends), expect.stringContaining('"msg":"listening"')]);
}
