// Processes that are killed while a file comes: no part of it is ever shown or left, and a file that was being fetched is fetched again.
// interrupted-media.suite.ts shows the same without a process's end.

import { readdir, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { ServiceProcess } from '../../faults/service-process.js';
import { dataFolderOf, TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { readMessage, until } from '../messages/sending-harness.js';
import { FileServer } from './file-server.js';
import { png } from './sample-files.js';

/** The time limit in ms for a test that starts several processes. */
const timeLimitMs = 120_000;
const longAgo = Date.now() / 1_000 - 7_200;

let app: TestApp;
let tenant: TestTenant;
let files: FileServer;
let processes: ServiceProcess[] = [];
let incoming: string;

beforeAll(async () => {
  files = await FileServer.start();
  app = await TestApp.start({ PROCESS_ROLE: 'api' });
  tenant = await app.createTenant();
  incoming = join(dataFolderOf(app.database), 'media', '.incoming');
});
afterEach(async () => {
  await Promise.all(processes.map((service) => service.end('SIGKILL')));
  processes = [];
});
afterAll(async () => {
  await app.stop();
  await files.close();
});

async function start(role: string): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(app.database, { PROCESS_ROLE: role });
  processes.push(service);
  return service;
}

const objects = async () =>
  (await readdir(join(dataFolderOf(app.database), 'media', tenant.id), { recursive: true }).catch(() => [])).filter(
    (name) => name.includes('/'),
  );

/** Waits until a part of the file has come. */
const half = () =>
  until(
    () => readdir(incoming),
    ({ length }) => length > 0,
  );

test(
  'in the middle of an upload: there is no file, and what had come goes at the next start',
  async () => {
    const service = await start('api');
    const headers = { ...withToken(tenant.operator), 'content-type': 'image/png', 'content-length': '1000000' };
    const call = request(`${service.url}/media`, { method: 'POST', headers });
    call.on('error', () => undefined).write(png(500_000));
    const hungUp = new Promise((resolve) => call.on('close', resolve));
    const [name = ''] = await half();
    await service.end('SIGKILL');
    await hungUp;
    expect(await app.sql('SELECT FROM media_files WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    expect(await objects()).toEqual([]);
    // A starting process leaves a file alone that may be another process's, until the file is old.
    await (await start('api')).end('SIGKILL');
    expect(await readdir(incoming)).toEqual([name]);
    await utimes(join(incoming, name), longAgo, longAgo);
    await start('api');
    expect(await readdir(incoming)).toEqual([]);
  },
  timeLimitMs,
);

test(
  'in the middle of a fetch: another worker fetches the file, once',
  async () => {
    let holds = true;
    const bytes = png(300_000);
    const url = files.give('/held.png', (response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
      if (holds) response.write(bytes.subarray(0, 200_000));
      else response.end(bytes);
    });
    const first = await start('worker');
    const message = { messageId: 'held', from: '4915100000001', media: { url } };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    const { results } = (await answer.json()) as { results: { messageId: string }[] };
    const id = results[0]?.messageId ?? '';
    await half();
    await first.end('SIGKILL');
    holds = false;
    expect((await readMessage(app, tenant, id)).media).toMatchObject({ state: 'PENDING', url: null });
    await app.sql('UPDATE media_files SET due_at = now() WHERE id = $1', [id]);
    await start('worker');
    const media = await until(
      async () => (await readMessage(app, tenant, id)).media,
      (found) => found?.state === 'STORED',
    );
    expect(Buffer.from(await (await fetch(media?.url ?? '')).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await objects()).toHaveLength(1);
  },
  timeLimitMs,
);
