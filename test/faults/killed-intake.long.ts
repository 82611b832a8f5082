// Intake under mixed load while the service, and separately PostgreSQL, is killed again and again. Every acknowledged record exists exactly
// once, and nothing is half-written. The database commits durably here, as in production.

import { DurableService } from './durable-service.js';
import { IntakeLoad } from './intake-load.js';
import { expectWhole } from './intake-verdict.js';

const rounds = 10;
/** The least number of acknowledged calls between two kills; it differs from round to round. */
const callsBetweenKills = (round: number) => 70 + ((round * 37) % 100);

let durable: DurableService;

beforeAll(async () => {
  durable = await DurableService.start('killed-intake');
}, 240_000);
afterAll(() => durable.stop());

/** Keeps up the load through every kill; at the end every call that has begun is acknowledged or given up. */
async function killUnderLoad(prefix: string, kill: () => Promise<void>): Promise<IntakeLoad> {
  const load = new IntakeLoad(prefix, durable.tenant, () => durable.service.url);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAcknowledged(callsBetweenKills(round));
      await kill();
    }
    await load.finish();
  } finally {
    load.stop();
  }
  return load;
}

beforeEach(async () => {
  // A crash forgets that statistics are due: the second load uses those of the first load.
  await durable.rowsOf('ANALYZE');
  const settings = await durable.rowsOf<{ setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')",
  );
  expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
});

test('the service killed ten times: what was acknowledged is there once, and all that is there is whole', async () => {
  const load = await killUnderLoad('service', () => durable.killService());
  expect([...load.outcomes.keys()].toSorted()).toEqual(['200', '201', 'no answer']);
  expect(load.outcomes.get('no answer')).toBeGreaterThan(rounds);
  await expectWhole(durable.rowsOf, load);
}, 300_000);

test('PostgreSQL killed ten times: the same, and the service lives and tells its callers to retry', async () => {
  const load = await killUnderLoad('database', () => durable.postgres.kill());
  expect([...load.outcomes.keys()].toSorted()).toEqual(['200', '201', '503']);
  expect(load.outcomes.get('503')).toBeGreaterThan(rounds);
  const { service } = durable;
  expect({ isRunning: service.isRunning, crash: service.crash, faults: service.faults }).toEqual({
    isRunning: true,
    crash: '',
    faults: [],
  });
  await expectWhole(durable.rowsOf, load);
}, 300_000);
