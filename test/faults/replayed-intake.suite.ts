// Messages that a gateway delivers again and again, by themselves and inside of larger calls. The same provider ids mean other messages on
// another instance and in another tenant. Each message is stored once, counts once, and keeps its first content.

import { serviceOperator, withKey, withTwoApps, type TestApp, type TestTenant } from '../support/test-app.js';

const path = '/webhooks/chat/gateway/inbound';
const externalIds = Array.from({ length: 5 }, (_, index) => `3EB0-${index}`);

interface Delivered {
  instance: string;
  messageId: string;
  from: string;
  name: string;
  text: string;
}

interface Result {
  messageId: string;
  leadId: string;
  duplicate: boolean;
}

/** A tenant's instance, with the results of its messages in the service's answers. */
interface Instance {
  tenant: TestTenant;
  id: string;
  name: string;
  results: Map<string, Result[]>;
}

/** @param replayCount 15 are every shape of a call with every turn of its messages */
export function describeReplayedIntake(replayCount = 15): void {
  let apps: [TestApp, TestApp];

  withTwoApps((started) => (apps = started));

  async function createInstances(): Promise<Instance[]> {
    const instances: Instance[] = [];
    for (const tenant of [await apps[0].createTenant(), await apps[0].createTenant()]) {
      const input = { accountId: tenant.admin.accountId, instanceName: 'second', isDefault: false };
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const second = await apps[0].app.services.chatInstances.create(serviceOperator, input, place);
      instances.push({ tenant, ...tenant.instance, results: new Map() });
      instances.push({ tenant, id: second.id, name: 'second', results: new Map() });
    }
    return instances;
  }

  function messageOf({ name: instance }: Instance, externalId: string): Delivered {
    // Both spellings of the sender's number are one lead.
    const from = externalId.endsWith('1') ? '551188887777' : '5511988887777';
    return { instance, messageId: externalId, from, name: 'Ana', text: `${externalId} on ${instance}` };
  }

  /** The messages of one delivery: the message alone, twice in one call, or among all others in another order. */
  function deliveryOf(instance: Instance, externalId: string, nr: number): Delivered[] {
    const message = messageOf(instance, externalId);
    if (nr % 3 === 0) return [message];
    if (nr % 3 === 1) return [message, message];
    const start = nr % externalIds.length;
    const turned = [...externalIds.slice(start), ...externalIds.slice(0, start)];
    return [message, ...turned.map((other) => messageOf(instance, other))];
  }

  async function deliver(instance: Instance, externalId: string, nr: number): Promise<void> {
    const messages = deliveryOf(instance, externalId, nr);
    const body = messages.length === 1 ? messages[0] : { messages };
    const response = await apps[nr % 2 === 0 ? 0 : 1].post(path, body, withKey(instance.tenant));
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: Result[] };
    expect(results).toHaveLength(messages.length);
    for (const [index, { messageId }] of messages.entries()) {
      const seen = instance.results.get(messageId) ?? [];
      instance.results.set(messageId, [...seen, ...results.slice(index, index + 1)]);
    }
  }

  function readMessages({ id }: Instance) {
    return apps[0].sql(
      `SELECT external_id AS "externalId", id AS "messageId", lead_id AS "leadId", body FROM messages
     WHERE instance_id = $1 ORDER BY external_id`,
      [id],
    );
  }

  /** Returns each message of the instance from its answers: one id in every answer, and new in exactly one. */
  function messagesTold({ name, results }: Instance) {
    return externalIds.map((externalId) => {
      const told = results.get(externalId) ?? [];
      expect(told.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
      const ids = new Map(told.map(({ messageId, leadId }) => [`${messageId} ${leadId}`, { messageId, leadId }]));
      expect(ids.size).toBe(1);
      return { externalId, ...[...ids.values()][0], body: `${externalId} on ${name}` };
    });
  }

  async function readTenant({ id }: TestTenant) {
    const [row] = await apps[0].sql<{ newest: string; leads: object[]; told: string[] }>(
      `SELECT (SELECT json_agg(json_build_object('unread', unread_count, 'last', last_message_id)) FROM leads
         WHERE tenant_id = $1) AS leads,
       (SELECT id FROM messages WHERE tenant_id = $1 ORDER BY position DESC, id DESC LIMIT 1) AS newest,
       (SELECT array_agg(message_id::text ORDER BY message_id) FROM events
         WHERE tenant_id = $1 AND type = 'MESSAGE_RECEIVED') AS told`,
      [id],
    );
    if (row === undefined) throw new Error('a statement without FROM gives one row');
    return row;
  }

  test(`${replayCount} deliveries of each message at once: each is one message on its instance`, async () => {
    const instances = await createInstances();
    const deliveries: Promise<void>[] = [];
    for (let nr = 0; nr < replayCount; nr += 1)
      for (const externalId of externalIds)
        for (const instance of instances) deliveries.push(deliver(instance, externalId, nr));
    await Promise.all(deliveries);

    for (const instance of instances) expect(await readMessages(instance)).toEqual(messagesTold(instance));
    for (const [index, { tenant }] of instances.entries()) {
      const own = instances.filter((instance) => instance.tenant === tenant).flatMap(messagesTold);
      const ids = own.map(({ messageId = '' }) => messageId).toSorted();
      expect(new Set(ids).size).toBe(2 * externalIds.length);
      const { newest, ...rest } = await readTenant(tenant);
      expect(ids).toContain(newest);
      expect({ index, ...rest }).toEqual({ index, leads: [{ unread: ids.length, last: newest }], told: ids });
    }
    const all = instances.flatMap(messagesTold);
    expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(instances.length * externalIds.length);
  });

  test('a delivery that says something else under a known id changes nothing', async () => {
    const [instance] = await createInstances();
    if (instance === undefined) throw new Error('there is no instance');
    const { tenant } = instance;
    const post = async (body: object) => {
      const response = await apps[0].post(path, body, withKey(tenant));
      return ((await response.json()) as { results: Result[] }).results[0];
    };
    const everything = async () => [
      await readMessages(instance),
      await readTenant(tenant),
      await apps[0].sql('SELECT * FROM leads WHERE tenant_id = $1', [tenant.id]),
      await apps[0].sql('SELECT * FROM events WHERE tenant_id = $1 ORDER BY seq', [tenant.id]),
    ];
    const message = messageOf(instance, '3EB0-0');
    const first = await post(message);
    const before = await everything();
    for (const change of [
      { text: 'Other' },
      { name: 'Other' },
      { from: '4915112345678' },
      { timestamp: 1_773_027_345 },
    ])
      expect(await post({ ...message, ...change })).toEqual({ ...first, duplicate: true });
    expect(await everything()).toEqual(before);
  });
}
