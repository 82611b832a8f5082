// An upgrade without a stop: callers see no error, and nothing is lost, doubled or out of order, while both versions work on one database.

import { redisServerInstalled } from '../support/redis-server.js';
import { createTestDatabase } from '../support/test-database.js';
import { buildVersionBefore } from '../support/version-before.js';
import { RollingUpgrade } from './rolling-upgrade.js';

const spanMs = 3_000;
const resources = new AsyncDisposableStack();
const before = redisServerInstalled() ? await buildVersionBefore(resources) : 'redis-server is not installed';
afterAll(() => resources.disposeAsync());

if (typeof before === 'string')
  test.skip(`the version before and this one together (skipped: ${before})`, () => undefined);
else
  test(`${before.name} and this version together under load`, async () => {
    const database = await createTestDatabase('template1');
    resources.defer(() => database.drop());
    const result = await RollingUpgrade.play({ database, oldFolder: before.folder, spanMs }, resources);
    const outcomes = Object.fromEntries(
      Object.entries(result.logs).map(([name, log]) => [name, [...log.outcomes().keys()].toSorted()]),
    );
    expect(outcomes).toEqual({ intake: ['200', '201'], sending: ['OK'], inbox: ['200'] });
    expect(result.toll).toEqual({ lost: [], gone: [], doubled: [], disordered: [] });
    const { told, count } = result.feed;
    expect(told).toEqual(Array.from({ length: told.length }, (_, index) => count - told.length + 1 + index));
    expect(result.ends).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    expect(result.faults).toEqual([]);
    expect(Object.values(result.logs).map((log) => log.acknowledgedCount > 50)).toEqual([true, true, true]);
  }, 150_000);
