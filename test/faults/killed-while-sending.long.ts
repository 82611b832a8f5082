// A worker is killed 20 times while 5,000 messages leave: each arrives under one key, and is repeated only when a worker died with it.

import { gatewayToken, startSender, until } from '../features/messages/sending-harness.js';
import { storeLeads, storeWaiting } from '../bench/waiting-messages.js';
import { PacedGateway } from './paced-gateway.js';
import { WorkerGroup } from './worker-group.js';

const killCount = 20;
const messageCount = 5_000;
const leadCount = 500;
const workerCount = 3;
/** Sends that wait for their answers when a worker is killed. */
const sendsUnderWay = 30;
/** This is longer than a living worker takes to store an answer. */
const holdMs = 1_000;

test('5,000 sends, 20 kills: one key for each message, and no more repetitions than sends that died with a worker', async () => {
  await using resources = new AsyncDisposableStack();
  const gateway = await PacedGateway.start();
  resources.defer(() => gateway.close());
  const api = await startSender(gateway, { PROCESS_ROLE: 'api' });
  resources.defer(() => api.stop());
  const tenant = await api.createTenant();
  const sql = (text: string, values: unknown[]) => api.sql(text, values);
  const numbers = Array.from({ length: leadCount }, (_, index) => `4917${String(index).padStart(4, '0')}6666`);
  await storeLeads(sql, tenant.id, numbers);
  await storeWaiting(sql, { tenantId: tenant.id, count: messageCount, textPrefix: '', priority: 0 });

  const environment = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gatewayToken };
  const liveKeys = () => gateway.liveKeys();
  const workers = new WorkerGroup({ api, environment, holdMs, liveKeys });
  resources.defer(() => workers.stop());
  await Promise.all(Array.from({ length: workerCount }, () => workers.add()));
  const starting: Promise<void>[] = [];
  for (let kill = 1; kill <= killCount; kill += 1) {
    // At least two workers live. If each new worker died alone, the same messages would die with all of them, and be given up after some
    // attempts.
    await starting.at(-2);
    gateway.answerUpTo((kill * messageCount) / (killCount + 1));
    await until(
      async () => {
        await workers.endLeasesOfTheDead();
        return gateway.heldCount;
      },
      (count) => count >= sendsUnderWay,
    );
    expect(await workers.kill(1)).toBe(1);
    starting.push(workers.add());
  }
  await Promise.all(starting);
  gateway.answerUpTo(Infinity);
  const look = async () => {
    await workers.endLeasesOfTheDead();
    return api.sql('SELECT * FROM outbox_entries LIMIT 20');
  };
  await until(look, (waiting) => waiting.length === 0, 120_000);

  const stored = await api.sql<{ id: string; text: string; status: string }>(
    'SELECT id, body AS text, status FROM messages WHERE tenant_id = $1 ORDER BY body::int',
    [tenant.id],
  );
  expect(stored.filter(({ status }) => status !== 'SENT')).toEqual([]);
  const keysOf = Map.groupBy(gateway.arrivals, ({ text }) => text);
  const wrong = stored.filter(({ id, text }) => !(keysOf.get(text) ?? [{ key: '' }]).every(({ key }) => key === id));
  expect({ texts: keysOf.size, wrong }).toEqual({ texts: messageCount, wrong: [] });

  const abandoned = Map.groupBy(workers.abandoned, ({ key }) => key);
  // A machine under load may take longer to kill a worker than a worker waits for an answer.
  const givenUp = Map.groupBy(gateway.givenUp, (key) => key);
  const arrivals = Map.groupBy(gateway.arrivals, ({ key }) => key);
  const mayArrive = (key: string) => 1 + (abandoned.get(key)?.length ?? 0) + (givenUp.get(key)?.length ?? 0);
  const tooOften = [...arrivals].filter(([key, times]) => times.length > mayArrive(key));
  expect(tooOften).toEqual([]);
  expect(workers.abandoned.length).toBeGreaterThanOrEqual(killCount);

  // The leads take turns: a lead's later message must never arrive before its earlier one.
  const firstOf = new Map<string, number>();
  for (const [index, { text }] of gateway.arrivals.entries()) if (!firstOf.has(text)) firstOf.set(text, index);
  const place = (number: number) => firstOf.get(String(number)) ?? -1;
  const numbered = Array.from({ length: messageCount - leadCount }, (_, index) => index + 1);
  expect(numbered.filter((number) => place(number) > place(number + leadCount))).toEqual([]);
}, 300_000);
