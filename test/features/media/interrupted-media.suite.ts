// Files that stop half-way: an upload that breaks off, what a killed process has left of one, and a fetch whose process says no more.
// media-by-the-clock.suite.ts has its hours, and killed-media.long.ts kills processes.

import { readdir, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
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
}
