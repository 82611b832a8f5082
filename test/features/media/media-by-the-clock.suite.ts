// The media's hourly and minutely looks happen here on a clock that the test moves. No application may run meanwhile: the clock is the
// whole process's, and its connections, sweeps and jobs would all work through these hours.

import type { ObjectStore } from '../../../src/clients/object-store/object-store.js';
import { MediaFetcher, type MediaFetcherOptions } from '../../../src/features/media/media-fetcher.js';
import { MediaObjects } from '../../../src/features/media/media-objects.js';
import { claimDeletions } from '../../../src/features/media/media-objects.sql.js';
import type { Database } from '../../../src/platform/database/database.js';
import type { Logger } from '../../../src/platform/observability/logger.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { jest } from '../../support/jest.js';

export function describeMediaByTheClock(): void {
  const nothing = () => Promise.resolve([]);
  const database = { query: nothing, change: nothing } as unknown as Database;
  const log = { info: () => undefined, warn: () => undefined } as unknown as Logger;

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('what killed processes have left half received is looked for each hour', async () => {
    const sweep = jest.fn(() => Promise.resolve(0));
    const store = { start: nothing, staging: { sweep } } as unknown as ObjectStore;
    const mediaObjects = new MediaObjects({ database, store, log, metrics: new Metrics(), sweepIntervalMs: 60_000 });
    await mediaObjects.start();
    await jest.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(sweep).toHaveBeenCalledTimes(1 + 3);
    mediaObjects.stop();
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(sweep).toHaveBeenCalledTimes(1 + 3);
  });

  /** The objects of two tenants that have 2,000 to delete each, and whose they were, in their order. */
  function manyDeletions(onDelete: (deleted: string[]) => void) {
    const left = new Map([
      ['ana', 2_000],
      ['bia', 2_000],
    ]);
    const deleted: string[] = [];
    const twoTenants = {
      query: () => Promise.resolve([...left.keys()].map((tenantId) => ({ tenantId }))),
      change: (tenantId: string, statement: object, values: [string, number]) => {
        if (statement !== claimDeletions) return nothing();
        const count = Math.min(values[1], left.get(tenantId) ?? 0);
        left.set(tenantId, (left.get(tenantId) ?? 0) - count);
        return Promise.resolve(Array.from({ length: count }, (_, index) => ({ objectId: `${index}`, isUsed: false })));
      },
    };
    const store = {
      delete: ({ tenantId }: { tenantId: string }) => {
        deleted.push(tenantId);
        onDelete(deleted);
        return Promise.resolve();
      },
    };
    const place = { database: twoTenants as unknown as Database, store: store as unknown as ObjectStore };
    const objects = new MediaObjects({ ...place, log, metrics: new Metrics(), sweepIntervalMs: 60_000 });
    return { objects, deleted };
  }

  test('the files of one tenant, however many, do not hold up those of another', async () => {
    const { objects, deleted } = manyDeletions(() => undefined);
    await objects.sweep.run();
    expect(deleted.indexOf('bia')).toBe(500);
    expect(deleted).toHaveLength(1_000);
  });

  test('a process that stops deletes no more files', async () => {
    const { objects, deleted } = manyDeletions(({ length }) => {
      if (length === 3) objects.stop();
    });
    await objects.sweep.run();
    expect(deleted).toHaveLength(3);
  });

  test('fetches for erased messages are looked for within a minute', async () => {
    const limits = { concurrency: 1, totalConcurrency: 1, timeoutMs: 1_000, leaseMs: 2_000, sweepIntervalMs: 5_000 };
    const fetcher = new MediaFetcher({ database, log, ...limits } as unknown as MediaFetcherOptions);
    const stopErased = jest.spyOn(fetcher, 'stopErased');
    fetcher.start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(stopErased).toHaveBeenCalled();
    const stopped = fetcher.stop(0);
    await jest.advanceTimersByTimeAsync(1_000);
    await stopped;
  });
}
