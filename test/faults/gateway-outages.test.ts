// Gateways that are away, never answer, talk rubbish or reset, one for each tenant and all at once. Accepted messages wait and leave in
// their order, each once, and a tenant whose gateway is well is not delayed.

import {
  createLeads,
  hurryRetries,
  readMessage,
  send,
  startSender,
  stateOf,
  until,
  waitForStatus,
} from '../features/messages/sending-harness.js';
import type { TestApp, TestTenant } from '../support/test-app.js';
import { FaultyGateway, resetting, rubbish, slow } from './faulty-gateway.js';

/** The time limit of a gateway's answer: short, because the silent gateway's callers wait for its end. */
const gatewayTimeoutMs = 3_000;
const leadCount = 3;
const messagesPerLead = 3;

/** A tenant with a gateway of its own. */
interface Sender {
  tenant: TestTenant;
  gateway: FaultyGateway;
  leadIds: string[];
  /** Ids of each lead's messages, in the order of acceptance. */
  sent: string[][];
}

let app: TestApp;
let down: Sender;
let silent: Sender;
let confused: Sender;
let torn: Sender;
let healthy: Sender;
let struck: Sender[];

beforeAll(async () => {
  app = await startSender({ url: 'http://127.0.0.1:9' }, {}, undefined, { gatewayTimeoutMs });
  [down, silent, confused, torn, healthy] = (await Promise.all(Array.from({ length: 5 }, createSender))) as [
    Sender,
    Sender,
    Sender,
    Sender,
    Sender,
  ];
  struck = [down, silent, confused, torn];
});

afterAll(async () => {
  await app.stop();
  await Promise.all([...struck, healthy].map(({ gateway }) => gateway.goDown()));
});

async function createSender(): Promise<Sender> {
  const [tenant, gateway] = await Promise.all([app.createTenant(), FaultyGateway.start()]);
  const values = [tenant.instance.id, gateway.url];
  await app.sql('UPDATE chat_instances SET base_url = $2 WHERE id = $1', values);
  return { tenant, gateway, leadIds: await createLeads(app, tenant, leadCount), sent: [] };
}

/** Sends messages to every lead; each call has to be acknowledged. */
async function sendAll(sender: Sender): Promise<void> {
  sender.sent = await Promise.all(
    sender.leadIds.map(async (leadId) => {
      const ids: string[] = [];
      for (let number = 0; number < messagesPerLead; number += 1)
        ids.push(await send(app, sender.tenant, { leadId, body: `${number}` }));
      return ids;
    }),
  );
}

/** Counts the send attempts of the tenant's messages with this outcome. */
async function attemptsOf({ tenant }: Sender, outcome: string): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM send_attempts WHERE tenant_id = $1 AND outcome = $2';
  const [row] = await app.sql<{ count: number }>(text, [tenant.id, outcome]);
  return row?.count ?? 0;
}

test('what is accepted meanwhile waits, and leaves in its order, each message once; the neighbour waits for nobody', async () => {
  await down.gateway.goDown();
  silent.gateway.misbehave(slow);
  confused.gateway.misbehave(rubbish);
  torn.gateway.misbehave(resetting);
  await Promise.all(struck.map(sendAll));
  await until(
    () => silent.gateway.arrivalCount,
    (count) => count >= leadCount,
  );
  for (const sender of [down, confused, torn])
    await until(
      async () => (await attemptsOf(sender, 'temporary')) + (await attemptsOf(sender, 'unknown')),
      (count) => count >= leadCount,
    );

  await sendAll(healthy);
  for (const id of healthy.sent.flat()) await waitForStatus(app, id, 'SENT');
  expect(healthy.gateway.acceptances).toHaveLength(leadCount * messagesPerLead);
  for (const { sent } of struck) {
    for (const [first, ...others] of sent) {
      expect((await stateOf(app, first!)).status).toBe('SENDING');
      for (const id of others) expect((await stateOf(app, id)).status).toBe('QUEUED');
    }
  }

  await down.gateway.comeBack();
  for (const { gateway } of struck) gateway.misbehave([]);
  // The calls that the silent gateway has received end at their time limit.
  const waiting = async () => {
    for (const { tenant } of struck) await hurryRetries(app, tenant);
    return app.sql('SELECT message_id, attempt_count, due_at, lease_until FROM outbox_entries');
  };
  await until(waiting, (rows) => rows.length === 0, 120_000);

  for (const sender of struck) await expectSentOnce(sender);
}, 300_000);

/** Checks that the gateway accepted each message under its own key, in the order of its lead, and that every message is SENT. */
async function expectSentOnce({ tenant, gateway, sent }: Sender): Promise<void> {
  const keys = gateway.acceptances.map(({ key }) => key);
  expect(keys.toSorted()).toEqual(sent.flat().toSorted());
  for (const ids of sent) {
    expect(keys.filter((key) => ids.includes(key))).toEqual(ids);
    for (const id of ids) {
      const { status, timeline } = await readMessage(app, tenant, id);
      expect({ status, steps: timeline.map(({ toStatus }) => toStatus) }).toEqual({
        status: 'SENT',
        steps: ['QUEUED', 'SENDING', 'SENT'],
      });
    }
  }
}
