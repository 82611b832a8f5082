// More than killed-worker.test.ts shows: other kinds of work under way, and other ways to end.

import { createEndpoint, receive } from '../features/outgoing-webhooks/endpoint-harness.js';
import { WebhookReceiver, answering } from '../features/outgoing-webhooks/webhook-receiver.js';
import { createLead, plainNumber, send, stateOf, until, waitForStatus } from '../features/messages/sending-harness.js';
import { withKilledWorkerStage, type KilledWorkerStage } from './killed-worker-harness.js';

let stage: KilledWorkerStage;

withKilledWorkerStage((made) => (stage = made));

test('a lease that has not ended keeps a second worker from sending', async () => {
  const first = await stage.startProcess('worker');
  const leased = await send(stage.api, stage.tenant, {
    leadId: await createLead(stage.api, stage.tenant),
    body: 'leased',
  });
  await until(
    () => stage.holding.held.length,
    (count) => count === 1,
  );
  await first.end('SIGKILL');
  stage.holding.holds = false;
  const second = await stage.startProcess('worker');
  const free = await send(stage.api, stage.tenant, { leadId: await createLead(stage.api, stage.tenant), body: 'free' });
  await waitForStatus(stage.api, free, 'SENT');
  expect(stage.holding.keys).toEqual([leased, free]);
  await stage.api.sql('UPDATE outbox_entries SET lease_until = now()');
  await waitForStatus(stage.api, leased, 'SENT');
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a worker killed while it posts to a webhook endpoint: another posts every event, each under one id', async () => {
  const receiver = await WebhookReceiver.start();
  const endpoint = await createEndpoint(stage.api, stage.tenant, receiver.url);
  receiver.answer(endpoint.path, receiver.hang);
  const first = await stage.startProcess('worker');
  const write = () => Promise.all(Array.from({ length: 20 }, () => receive(stage.api, stage.tenant, plainNumber())));
  const early = await write();
  await until(
    () => receiver.hanging,
    (count) => count === 8,
  );
  const [late] = await Promise.all([write(), first.end('SIGKILL')]);
  receiver.answer(endpoint.path, answering(204));
  await stage.api.sql('UPDATE endpoint_deliveries SET due_at = now(), lease_until = now() WHERE lease_until > now()');
  const second = await stage.startProcess('worker');
  const deliveries = await until(
    () =>
      stage.api.sql<{ id: string; externalId: string }>(
        `SELECT d.id, m.external_id AS "externalId" FROM endpoint_deliveries d JOIN messages m ON m.id = d.message_id
         WHERE d.endpoint_id = $1 AND d.state = 'DELIVERED'`,
        [endpoint.id],
      ),
    ({ length }) => length >= early.length + late.length,
  );
  expect(deliveries.map(({ externalId }) => externalId).toSorted()).toEqual([...early, ...late].toSorted());
  expect(new Set(receiver.on(endpoint.path).map(({ id }) => id))).toEqual(new Set(deliveries.map(({ id }) => id)));
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await receiver.close();
});

test('a process told to stop twice still ends with 0', async () => {
  const service = await stage.startProcess('api');
  void service.end('SIGTERM');
  await service.untilLogged('draining');
  expect({ ...(await service.end('SIGTERM')), log: service.log }).toMatchObject({ code: 0, signal: null });
});

test('a process that is told to end leaves new messages, and their jobs, to others', async () => {
  const service = await stage.startProcess('all', { SHUTDOWN_DELAY_MS: '300000' });
  const other = await stage.api.createTenant();
  const leadId = await createLead(stage.api, other);
  service.signal('SIGTERM');
  await until(
    () => fetch(`${service.url}/health/ready`),
    ({ status }) => status === 503,
  );
  // The queue has answered every earlier request of the worker.
  await until(
    () =>
      stage.api.sql(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'leadwire-queue' AND state <> 'idle'`,
      ),
    (busy) => busy.length === 0,
  );
  const id = await send(stage.api, other, { leadId, body: 'Oi' });
  // The end waits for the work under way, so handlers have had their turn by then.
  expect({ ...(await service.end('SIGTERM')), log: service.log }).toMatchObject({ code: 0, signal: null });
  const jobs = await stage.api.sql(
    "SELECT state::text FROM pgboss.job WHERE name = 'dispatch-outbound' AND data->>'tenantId' = $1",
    [other.id],
  );
  expect(jobs).toEqual([{ state: 'created' }]);
  expect((await stateOf(stage.api, id)).status).toBe('QUEUED');
});
