// Processes that are told to end while they send. They have a stage of their own, because messages that another case leaves behind would
// be sent too.

import { once } from 'node:events';
import WebSocket from 'ws';
import { createLead, createLeads, send, stateOf, until, waitForStatus } from '../features/messages/sending-harness.js';
import { withKilledWorkerStage, type KilledWorkerStage } from './killed-worker-harness.js';

let stage: KilledWorkerStage;

withKilledWorkerStage((made) => (stage = made));

test('SIGTERM during a send: it is finished and stored, sockets close with 1001, the exit code is 0, nothing is lost', async () => {
  const max = 5;
  const limited = await stage.api.createTenant({ chatRateLimit: { max, durationMs: 86_400_000 } });
  const service = await stage.startProcess('all');
  const leads = await createLeads(stage.api, limited, 20);
  const ids = await Promise.all(leads.map((leadId) => send(stage.api, limited, { leadId, body: 'Oi' })));
  await until(
    () => stage.holding.held.length,
    (count) => count === max,
  );
  const socket = new WebSocket(`ws://127.0.0.1:${service.port}/graphql`, ['graphql-transport-ws']);
  await once(socket, 'open');
  const closed = once(socket, 'close');

  const ended = service.end('SIGTERM');
  await service.untilLogged('draining');
  expect((await closed)[0]).toBe(1001);
  for (const { release } of stage.holding.held) release();
  expect({ ...(await ended), log: service.log }).toMatchObject({ code: 0, signal: null });

  const accepted = [...stage.holding.keys];
  expect(accepted).toHaveLength(max);
  for (const id of accepted) expect((await stateOf(stage.api, id)).status).toBe('SENT');
  const rest = ids.filter((id) => !accepted.includes(id));
  for (const id of rest) expect((await stateOf(stage.api, id)).status).toBe('QUEUED');

  stage.holding.holds = false;
  await stage.api.sql('UPDATE tenants SET chat_rate_max = NULL, chat_rate_duration_ms = NULL WHERE id = $1', [
    limited.id,
  ]);
  const next = await stage.startProcess('worker');
  for (const id of rest) await waitForStatus(stage.api, id, 'SENT');
  expect(stage.holding.keys.toSorted()).toEqual(ids.toSorted());
  expect(await next.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a send that nobody answers holds a process no longer than SHUTDOWN_TIMEOUT_MS', async () => {
  const service = await stage.startProcess('worker', { SHUTDOWN_TIMEOUT_MS: '1000' });
  await send(stage.api, stage.tenant, { leadId: await createLead(stage.api, stage.tenant), body: 'Oi' });
  await until(
    () => stage.holding.held.length,
    (count) => count === 1,
  );
  expect(await service.end('SIGTERM')).toEqual({ code: 1, signal: null });
  expect(service.faults).toEqual([expect.stringContaining('SHUTDOWN_TIMEOUT_MS')]);
});
