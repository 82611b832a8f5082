// A worker that is killed while it brings words in: another goes on, and nothing is left out.

import { TestApp, type TestTenant } from '../../support/test-app.js';
import { ServiceProcess } from '../../faults/service-process.js';
import { untilSomebodyWaits } from '../leads/lead-harness.js';
import { until } from '../messages/sending-harness.js';
import { countIndexed, holding, isIndexed, storeMessages } from './word-harness.js';

let app: TestApp;
let tenant: TestTenant;
let processes: ServiceProcess[] = [];

beforeAll(async () => {
  app = await TestApp.start({ PROCESS_ROLE: 'api' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  tenant = await app.createTenant();
});
afterEach(async () => {
  await Promise.all(processes.map((service) => service.end('SIGKILL')));
  processes = [];
});

async function startWorker(): Promise<ServiceProcess> {
  const worker = await ServiceProcess.start(app.database, { PROCESS_ROLE: 'worker' });
  processes.push(worker);
  return worker;
}

test('a worker is killed within a batch: another goes on, and nothing is left out', async () => {
  const ids = await storeMessages(app, tenant, 1_200, 'palha');
  const held = { statement: 'SELECT FROM messages WHERE id = $1 FOR UPDATE', values: [ids[300]] };
  await holding(app, held, async () => {
    const worker = await startWorker();
    await until(
      () => countIndexed(app, tenant),
      (count) => count > 0,
    );
    await untilSomebodyWaits(app);
    expect(await worker.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  });
  expect(await countIndexed(app, tenant)).toBeLessThan(1_200);
  await startWorker();
  await until(() => isIndexed(app, tenant), Boolean);
  expect(await countIndexed(app, tenant)).toBe(1_200);
});
