// Messages through WAHA while every fifth answer is lost and workers are killed: each reaches the network once, under one id.
// RESERVED_ID_SENDS sets their number; the default is 1,000.

import { setTimeout as delay } from 'node:timers/promises';
import { storeLeads, storeWaiting } from '../bench/waiting-messages.js';
import { startSender, until } from '../features/messages/sending-harness.js';
import { WahaServer } from '../support/waha-server.js';
import { CuttingWaha } from './cutting-waha.js';
import { WorkerGroup } from './worker-group.js';

const messageCount = Number(process.env.RESERVED_ID_SENDS ?? 1_000);
const killCount = Math.max(5, Math.round(messageCount / 500));
const leadCount = Math.max(100, messageCount / 10);
const workerCount = 3;
/** Calls that wait for their answers when a worker is killed. */
const callsUnderWay = 30;
/** This is longer than a living worker takes to store an answer. */
const holdMs = 1_000;
const idlePollMs = 50;

test(`${messageCount} sends, every fifth answer lost, ${killCount} kills: each is sent once, under one id`, async () => {
  await using resources = new AsyncDisposableStack();
  const waha = await CuttingWaha.start();
  resources.defer(() => waha.close());
  const environment = { GATEWAY_URL: waha.url, GATEWAY_TOKEN: WahaServer.apiKey };
  const api = await startSender(waha, { PROCESS_ROLE: 'api', ...environment });
  resources.defer(() => api.stop());
  const tenant = await api.createTenant();
  const sql = (text: string, values: unknown[]) => api.sql(text, values);
  await sql("UPDATE chat_instances SET provider = 'waha' WHERE id = $1", [tenant.instance.id]);
  waha.sessions.set(tenant.instance.name, 'WORKING');
  const numbers = Array.from({ length: leadCount }, (_, index) => `4917${String(index).padStart(4, '0')}6666`);
  await storeLeads(sql, tenant.id, numbers);
  await storeWaiting(sql, { tenantId: tenant.id, count: messageCount, textPrefix: '', priority: 0 });
  const stored = await api.sql<{ id: string; text: string }>(
    'SELECT id, body AS text FROM messages WHERE tenant_id = $1',
    [tenant.id],
  );
  const idOf = new Map(stored.map(({ id, text }) => [text, id]));

  const liveKeys = () => waha.heldTexts.flatMap((text) => idOf.get(text) ?? []);
  const workers = new WorkerGroup({ api, environment, holdMs, liveKeys });
  resources.defer(() => workers.stop());
  await Promise.all(Array.from({ length: workerCount }, () => workers.add()));
  const starting: Promise<void>[] = [];
  for (let kill = 1; kill <= killCount; kill += 1) {
    waha.answerUpTo((kill * messageCount) / (killCount + 1));
    await until(
      async () => {
        await workers.endLeasesOfTheDead();
        await delay(idlePollMs);
        return waha.heldTexts.length;
      },
      (count) => count >= callsUnderWay,
    );
    expect(await workers.kill(1)).toBe(1);
    starting.push(workers.add());
  }
  await Promise.all(starting);
  waha.answerUpTo(Infinity);
  const look = async () => {
    await workers.endLeasesOfTheDead();
    await delay(idlePollMs);
    return api.sql('SELECT message_id FROM outbox_entries LIMIT 20');
  };
  await until(look, (waiting) => waiting.length === 0, 300_000);

  const sent = await api.sql<{ text: string; status: string; externalId: string }>(
    'SELECT body AS text, status, external_id AS "externalId" FROM messages WHERE tenant_id = $1',
    [tenant.id],
  );
  expect(sent.filter(({ status }) => status !== 'SENT')).toEqual([]);
  // The network has each message once, under the id that the service stored.
  expect({ messages: waha.messages.size, texts: new Set(waha.texts).size }).toEqual({
    messages: messageCount,
    texts: messageCount,
  });
  expect(sent.filter(({ text, externalId }) => waha.messages.get(externalId)?.text !== text)).toEqual([]);
  const calledUnderSeveral = [...waha.idsOf].filter(([, ids]) => new Set(ids).size !== 1 || ids[0] === '');
  expect(calledUnderSeveral).toEqual([]);
  // The faults did happen. There are fewer than one in five: the calls of killed callers had no connection left to cut.
  expect(waha.cutCount).toBeGreaterThanOrEqual(messageCount / 10);
  expect(waha.lookUpCount).toBeGreaterThanOrEqual(waha.cutCount);
  expect(workers.abandoned.length).toBeGreaterThanOrEqual(killCount);
  expect(waha.callCount).toBeGreaterThan(messageCount);
  const figures = {
    calls: waha.callCount,
    cut: waha.cutCount,
    lookUps: waha.lookUpCount,
    left: workers.abandoned.length,
  };
  process.stdout.write(`${JSON.stringify({ messageCount, killCount, ...figures })}\n`);
}, 1_800_000);
