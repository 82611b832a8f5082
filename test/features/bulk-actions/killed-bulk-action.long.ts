// Workers that are killed in the middle of a bulk action and of its undo: another goes on, and each lead changes once. The cases of
// bulk-action.suite.ts show what a batch that fails does.

import { query } from '../../support/graphql-client.js';
import { UndoBulkActionDocument } from '../../support/operations.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { ServiceProcess } from '../../faults/service-process.js';
import { storeLeads } from '../bulk-sends/bulk-harness.js';
import { loggedEvents } from '../leads/conversation-harness.js';
import { untilSomebodyWaits } from '../leads/lead-harness.js';
import { until } from '../messages/sending-harness.js';
import { begin, HeldLead, readAction, stateOfLeads, untilEnded } from './bulk-action-harness.js';

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

/** Kills a worker in the middle of the batch that has this lead. */
async function killAt(leadId: string, isNear: () => Promise<unknown>): Promise<void> {
  const held = await HeldLead.hold(app, leadId);
  try {
    const worker = await startWorker();
    await isNear();
    await untilSomebodyWaits(app);
    expect(await worker.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  } finally {
    await held.release();
  }
}

test('a worker is killed within a batch, of an action and of its undo: another goes on, and each lead changes once', async () => {
  const leads = await storeLeads(app, tenant, 900);
  const { id } = await begin(app, tenant, { leadIds: leads, action: { assigneeId: tenant.operator.id } });
  const reached = (done: number) =>
    until(
      () => readAction(app, tenant, id),
      (action) => action.done >= done,
    );
  await killAt(leads[500]!, () => reached(400));
  expect(await readAction(app, tenant, id)).toMatchObject({ status: 'RUNNING', done: 400, skipped: 0 });
  const second = await startWorker();
  expect(await untilEnded(app, tenant, id)).toMatchObject({ status: 'COMPLETED', done: 900, skipped: 0 });
  const told = () => loggedEvents(app, tenant, ['LEAD_ASSIGNED']);
  expect((await told()).map(({ leadId }) => leadId).toSorted()).toEqual(leads.toSorted());
  await second.end('SIGKILL');

  await query(app, tenant.operator, UndoBulkActionDocument, { id });
  await killAt(leads[700]!, () => reached(600));
  await startWorker();
  expect(await untilEnded(app, tenant, id)).toMatchObject({ status: 'UNDONE', done: 900, skipped: 0 });
  expect(await told()).toHaveLength(1_800);
  expect(new Set(await stateOfLeads(app, leads, 'assignee_id'))).toEqual(new Set([null]));
});
