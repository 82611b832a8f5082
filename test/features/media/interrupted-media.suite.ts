// Files that stop half-way: an upload that breaks off, what a killed process has left of one, and a fetch whose process says no more.
// killed-media.long.ts kills processes.

import { readdir, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { ObjectStore } from '../../../src/clients/object-store/object-store.js';
import { MediaFetcher, type MediaFetcherOptions } from '../../../src/features/media/media-fetcher.js';
import { MediaObjects } from '../../../src/features/media/media-objects.js';
import type { Database } from '../../../src/platform/database/database.js';
import type { Logger } from '../../../src/platform/observability/logger.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { jest } from '../../support/jest.js';
import { dataFolderOf, TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { readMessage, until } from '../messages/sending-harness.js';
import { FileServer } from './file-server.js';
import { png } from './sample-files.js';

const longAgo = Date.now() / 1_000 - 7_200;

export function describeInterruptedMedia(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let files: FileServer;
  let media: string;
  let incoming: string;

  beforeAll(async () => {
    files = await FileServer.start();
    app = await TestApp.start({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    media = join(dataFolderOf(app.database), 'media');
    incoming = join(media, '.incoming');
  });
  afterAll(async () => {
    await app.stop();
    await files.close();
  });

  const start = (role: string) => TestApp.start({ PROCESS_ROLE: role }, app.database);
  const objects = async () =>
    (await readdir(join(media, tenant.id), { recursive: true }).catch(() => [])).filter((name) => name.includes('/'));

  /** Waits until this many files are on their way. */
  const untilIncoming = (count: number) =>
    until(
      () => readdir(incoming),
      ({ length }) => length === count,
    );

  test('an upload that breaks off leaves nothing', async () => {
    const headers = { ...withToken(tenant.operator), 'content-type': 'image/png', 'content-length': '1000000' };
    const call = request(`${app.url}/media`, { method: 'POST', headers });
    call.on('error', () => undefined).write(png(500_000));
    await untilIncoming(1);
    call.destroy();
    await untilIncoming(0);
    expect(await app.sql('SELECT FROM media_files WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    expect(await objects()).toEqual([]);
  });

  test('what a process has left of an upload goes at a start, once it is old', async () => {
    await writeFile(join(incoming, 'left'), png(500_000));
    // A starting process leaves a file alone that may be another process's.
    await (await start('api')).stop({ keepDatabase: true });
    expect(await readdir(incoming)).toEqual(['left']);
    await utimes(join(incoming, 'left'), longAgo, longAgo);
    await (await start('api')).stop({ keepDatabase: true });
    expect(await readdir(incoming)).toEqual([]);
  });

  test('a fetch whose process says no more is made by another worker, once', async () => {
    let holds = true;
    let stopHolding: () => void = () => undefined;
    const bytes = png(300_000);
    const url = files.give('/held.png', (response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
      if (!holds) return response.end(bytes);
      response.write(bytes.subarray(0, 200_000));
      stopHolding = () => response.destroy();
      return undefined;
    });
    const first = await start('worker');
    const message = { messageId: 'held', from: '4915100000001', media: { url } };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    const { results } = (await answer.json()) as { results: { messageId: string }[] };
    const id = results[0]?.messageId ?? '';
    await untilIncoming(1);
    holds = false;
    expect((await readMessage(app, tenant, id)).media).toMatchObject({ state: 'PENDING', url: null });
    await app.sql('UPDATE media_files SET due_at = now() WHERE id = $1', [id]);
    const second = await start('worker');
    const stored = await until(
      async () => (await readMessage(app, tenant, id)).media,
      (found) => found?.state === 'STORED',
    );
    stopHolding();
    await untilIncoming(0);
    expect(Buffer.from(await (await fetch(stored?.url ?? '')).arrayBuffer()).equals(bytes)).toBe(true);
    expect((await readMessage(app, tenant, id)).media).toMatchObject({ state: 'STORED', error: null });
    expect(await objects()).toHaveLength(1);
    await Promise.all([first, second].map((worker) => worker.stop({ keepDatabase: true })));
  });

  describe('by the clock', () => {
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
  });
}
