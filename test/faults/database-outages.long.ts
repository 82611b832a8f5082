// Intake under mixed load while PostgreSQL stands still, has no connection left, or cannot write. Callers are told to retry or wait, no
// acknowledged call is lost or doubled, and the service recovers by itself.

import type pg from 'pg';
import { until } from '../features/messages/sending-harness.js';
import { DurableService } from './durable-service.js';
import { IntakeLoad } from './intake-load.js';
import { expectWhole } from './intake-verdict.js';

let durable: DurableService;

beforeAll(async () => {
  durable = await DurableService.start('database-outages');
}, 240_000);
afterAll(() => durable.stop());

/** Load before, through and after an outage. */
async function loadThrough(prefix: string, outage: (load: IntakeLoad) => Promise<void>): Promise<void> {
  const load = new IntakeLoad(prefix, durable.tenant, () => durable.service.url, { answerLimitMs: 90_000 });
  try {
    await load.untilAcknowledged(200);
    await outage(load);
    await load.untilAcknowledged(200);
    await load.finish();
  } finally {
    load.stop();
  }
  await expectWhole(durable.rowsOf, load);
  const { isRunning, crash, faults } = durable.service;
  expect({ isRunning, crash, faults }).toEqual({ isRunning: true, crash: '', faults: [] });
  expect([...load.outcomes.keys()].filter((outcome) => !['200', '201', '503'].includes(outcome))).toEqual([]);
}

const statusOf = async (path: string) => (await fetch(`${durable.service.url}${path}`)).status;

const refusedBy = (load: IntakeLoad) => load.outcomes.get('503') ?? 0;
const manyRefusals = 100;

test('it stands still: every caller is told to retry in time, watchers are told, and what was sent is stored', async () => {
  await loadThrough('frozen', (load) =>
    durable.postgres.freeze(async () => {
      const refusedBefore = refusedBy(load);
      const [ready, live] = [statusOf('/health/ready'), statusOf('/health/live')];
      expect(await live).toBe(200);
      expect(await ready).toBe(503);
      const waiting = await load.untilAnswered(60_000);
      expect(waiting).toBeGreaterThan(0);
      expect(refusedBy(load) - refusedBefore).toBeGreaterThanOrEqual(waiting);
    }),
  );
  await until(
    () => statusOf('/health/ready'),
    (status) => status === 200,
  );
}, 400_000);

/** Resolves when many calls in a row have been refused while the service had no connection. */
async function starve(load: IntakeLoad, others: pg.Client[]): Promise<void> {
  let refusedBefore = refusedBy(load);
  await until(
    async () => {
      // The service may take a freed connection before this test does. It may do so a moment later too, because a server process takes time
      // to end.
      const ended = await durable.postgres.endConnections();
      await durable.postgres.takeEveryConnection(others);
      if (ended > 0) refusedBefore = refusedBy(load);
      return refusedBy(load) - refusedBefore;
    },
    (refused) => refused >= manyRefusals,
  );
}

test('it has no connection left: callers are told to retry until one is free', async () => {
  const others: pg.Client[] = [];
  await loadThrough('exhausted', async (load) => {
    try {
      await starve(load, others);
      expect(await statusOf('/health/ready')).toBe(503);
    } finally {
      await Promise.all(others.map((client) => client.end()));
    }
  });
}, 240_000);

test('its disk is full: callers are told to retry until there is room', async () => {
  await loadThrough('full', (load) =>
    durable.postgres.fillDisk(async () => {
      const wanted = refusedBy(load) + manyRefusals;
      await until(
        () => refusedBy(load),
        (refused) => refused >= wanted,
      );
    }),
  );
}, 240_000);
