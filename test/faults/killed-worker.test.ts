// A process that is killed between the gateway's acceptance and the service's record of it. killed-worker.long.ts covers more cases.

import { createLeads, readMessage, send, stateOf, until, waitForStatus } from '../features/messages/sending-harness.js';
import { withKilledWorkerStage, type KilledWorkerStage } from './killed-worker-harness.js';

let stage: KilledWorkerStage;

withKilledWorkerStage((made) => (stage = made));

test('a worker killed after the gateway accepted: another sends under the same key, and the message is SENT once', async () => {
  const first = await stage.startProcess('worker');
  const ids = await Promise.all(
    (await createLeads(stage.api, stage.tenant, 5)).map((leadId) =>
      send(stage.api, stage.tenant, { leadId, body: 'Oi' }),
    ),
  );
  await until(
    () => stage.holding.held.length,
    (count) => count === ids.length,
  );
  expect(await first.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  for (const id of ids) expect(await stateOf(stage.api, id)).toMatchObject({ status: 'SENDING', externalId: null });

  stage.holding.holds = false;
  await stage.api.sql('UPDATE outbox_entries SET lease_until = now()');
  await stage.startProcess('worker');
  for (const id of ids) {
    expect(await waitForStatus(stage.api, id, 'SENT')).toMatchObject({ externalId: stage.holding.ids.get(id) });
    const { timeline } = await readMessage(stage.api, stage.tenant, id);
    expect(timeline.map(({ toStatus }) => toStatus)).toEqual(['QUEUED', 'SENDING', 'SENT']);
  }
  expect(stage.holding.keys.toSorted()).toEqual([...ids, ...ids].toSorted());
  expect(await stage.api.sql('SELECT 1 FROM outbox_entries')).toEqual([]);
});
