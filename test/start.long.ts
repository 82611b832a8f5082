// The start of the built product, by one process for each fact: start.suite.ts shows most of them in a process of its own.

import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf } from './failing-start.js';
import { ServiceProcess } from './faults/service-process.js';
import { expectWarmBeforeListening } from './warm-up.suite.js';
import { withTestDatabase, type TestDatabase } from './support/test-database.js';

let database: TestDatabase;
let folder: string;

withTestDatabase((made) => (database = made));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadwire-start-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

test('a proxy that is not configured is noticed once, by its X-Forwarded-For', async () => {
  const service = await ServiceProcess.start(database, { PROCESS_ROLE: 'api', TRUST_PROXY: 'false' });
  const trusting = await ServiceProcess.start(database, { PROCESS_ROLE: 'api', TRUST_PROXY: '1' });
  const ask = ({ url }: ServiceProcess) =>
    fetch(`${url}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.1' } });
  for (let count = 0; count < 3; count += 1) await Promise.all([ask(service), ask(trusting)]);
  await Promise.all([service, trusting].map((one) => one.end('SIGTERM')));
  expect(service.log.split('X-Forwarded-For was sent, and TRUST_PROXY is false')).toHaveLength(2);
  expect(trusting.log).not.toContain('X-Forwarded-For');
});

test('an address of another machine is named in the refusal', async () => {
  await expect(ServiceProcess.start(database, { HOST: '192.0.2.1' })).rejects.toThrow(
    /HOST 192\.0\.2\.1 is not an address of this machine/,
  );
});

test.each(['main', 'dev/dev'])('%s says that DATA_DIR cannot be used, in one sentence', async (entry) => {
  for (const path of ['file', 'file/below']) {
    const dataDir = join(folder, path);
    expect(await failureOf(entry, { DATA_DIR: dataDir, PORT: '0' })).toBe(
      `DATA_DIR ${dataDir} cannot be used: it is a file, or lies below one. Choose a folder that this user can write to.\n`,
    );
  }
  // The kernel creates no folder there for any user: `mkdir` says that it does not exist.
  expect(await failureOf(entry, { DATA_DIR: '/proc/leadwire', PORT: '0' })).toMatch(
    /^DATA_DIR \/proc\/leadwire cannot be used: .*\. Choose a folder that this user can write to\.\n$/,
  );
});

test('a MEDIA_STORE where no folder can be made is named', async () => {
  const environment = { DATA_DIR: folder, DATABASE_URL: database.url, MEDIA_STORE: 'file:/proc/leadwire', PORT: '0' };
  expect(await failureOf('main', environment)).toMatch(/^MEDIA_STORE: the folder \/proc\/leadwire cannot be written/m);
});

test('development says that METRICS_PORT is taken before it starts anything', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: String(port),
  };
  try {
    expect(await failureOf('dev/dev', environment)).toBe(
      `METRICS_PORT ${port} is in use. Stop the program that uses it, or choose another port.\n`,
    );
    expect(await readdir(join(folder, 'data'))).not.toContain('postgres');
  } finally {
    taken.close();
  }
});

test.each(['api', 'worker'])('warm-up of production as %s: warm, then it listens', async (processRole) => {
  const service = await ServiceProcess.start(database, { PROCESS_ROLE: processRole });
  await service.end('SIGTERM');
  expectWarmBeforeListening(service);
});
