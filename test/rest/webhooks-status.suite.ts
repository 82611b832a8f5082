// POST /webhooks/chat/gateway/status in the neutral dialect.

import { randomUUID } from 'node:crypto';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, serviceOperator, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';
import { describeSignature } from './signed-endpoint.js';

const path = '/webhooks/chat/gateway/status';
const statuses = ['SENT', 'DELIVERED', 'READ', 'FAILED'] as const;
type Status = (typeof statuses)[number];

interface StatusAnswer {
  accepted: number;
  results: { messageId: string | null; outcome: string; errors?: { path: string; message: string }[] }[];
}

interface Outbound {
  id: string;
  externalId: string;
}

export function describeWebhooksStatus(): void {
  let app: TestApp;

  beforeAll(async () => {
    app = await sharedApp();
  });

  const post = (tenant: TestTenant, body: unknown) => app.post(path, body, withKey(tenant));

  async function accepted(tenant: TestTenant, body: unknown): Promise<StatusAnswer> {
    const response = await post(tenant, body);
    const answer = (await response.json()) as StatusAnswer;
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer;
  }

  /** Stores messages that were handed to the gateway under these ids. */
  async function sentMessages(
    to: TestApp,
    tenant: TestTenant,
    externalIds: string[],
    status = 'SENDING',
    instanceId?: string,
  ): Promise<Outbound[]> {
    const leadId = randomUUID();
    await to.sql(
      `INSERT INTO leads (tenant_id, id, name, chat, source, updated_at) VALUES ($1, $2, 'Ana', '5511988887777', 'test', now())`,
      [tenant.id, leadId],
    );
    const messages = externalIds.map((externalId) => ({ id: randomUUID(), externalId }));
    await to.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, external_id)
     SELECT $1, id, $2, $3, 'OUTBOUND', $4::message_status, 'text', 'Oi', external_id FROM unnest($5::uuid[], $6::text[]) AS m (id, external_id)`,
      [tenant.id, leadId, instanceId ?? tenant.instance.id, status, messages.map(({ id }) => id), externalIds],
    );
    return messages;
  }

  async function sentMessage(tenant: TestTenant, status?: string): Promise<Outbound> {
    const [message] = await sentMessages(app, tenant, [randomUUID()], status);
    if (message === undefined) throw new Error('no message was written');
    return message;
  }

  async function read({ id }: Outbound) {
    const [row] = await app.sql(
      'SELECT status, error_code, error_message, sent_at, delivered_at, read_at, failed_at FROM messages WHERE id = $1',
      [id],
    );
    return row;
  }

  const timeline = ({ id }: Outbound) =>
    app.sql(
      `SELECT from_status AS "from", to_status AS "to", source, provider_code AS code, detail, occurred_at AS at
     FROM message_status_transitions WHERE message_id = $1 ORDER BY id`,
      [id],
    );

  const parked = (tenant: TestTenant) =>
    app.sql(
      `SELECT instance_id AS instance, external_id AS "externalId", status, provider_code AS code, detail, occurred_at AS at
     FROM parked_statuses WHERE tenant_id = $1 ORDER BY id`,
      [tenant.id],
    );

  function permutations<Item>(items: readonly Item[]): Item[][] {
    if (items.length === 0) return [[]];
    return items.flatMap((item, i) =>
      permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
    );
  }

  function subsets<Item>(items: readonly Item[]): Item[][] {
    return items.reduce<Item[][]>((found, item) => [...found, ...found.map((subset) => [...subset, item])], [[]]);
  }

  /** The final status of a message after these reports, in whatever order they came. */
  function finalStatus(reported: readonly Status[]): Status {
    for (const status of ['READ', 'DELIVERED', 'FAILED', 'SENT'] as const) if (reported.includes(status)) return status;
    throw new Error('nothing was reported');
  }

  describe('200 applied and ignored', () => {
    const sets = subsets(statuses).filter((subset) => subset.length > 0);
    test.each(sets.map((subset) => [subset.join(', '), finalStatus(subset), subset] as const))(
      'every order of %s, repeats included, ends in %s',
      async (_, expected, subset) => {
        const tenant = await app.createTenant();
        const orders = permutations(subset);
        const messages = await sentMessages(
          app,
          tenant,
          orders.map(() => randomUUID()),
        );
        await Promise.all(
          messages.map(async (message, i) => {
            const order = orders[i] ?? [];
            const reports = [...order.flatMap((status) => [status, status]), ...order];
            for (const status of reports) await accepted(tenant, { messageId: message.externalId, status });
          }),
        );
        const ended = await Promise.all(
          messages.map(async (message, i) => [orders[i]?.join(), (await read(message))?.['status']]),
        );
        expect(ended).toEqual(orders.map((order) => [order.join(), expected]));
      },
    );

    test('all orders at the same moment end alike too', async () => {
      const tenant = await app.createTenant();
      const orders = permutations(statuses);
      const messages = await sentMessages(
        app,
        tenant,
        orders.map(() => randomUUID()),
      );
      await Promise.all(
        messages.flatMap(({ externalId }, i) =>
          (orders[i] ?? []).map((status) => accepted(tenant, { messageId: externalId, status })),
        ),
      );
      const ended = await Promise.all(messages.map(async (message) => (await read(message))?.['status']));
      expect(ended).toEqual(Array(24).fill('READ'));
    });

    test('each status sets its time from the report, and the timeline tells every change', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      const report = { messageId: message.externalId, instance: tenant.instance.name };
      const times = [1_773_027_345, 1_773_027_350, '2026-03-09T03:36:00Z'];
      for (const [i, status] of (['SENT', 'DELIVERED', 'READ'] as const).entries()) {
        const answer = await accepted(tenant, { ...report, status, timestamp: times[i] });
        expect(answer).toEqual({
          accepted: 1,
          results: [expect.objectContaining({ messageId: message.id, outcome: 'applied' })],
        });
      }
      const [sentAt, deliveredAt, readAt] = [
        '2026-03-09T03:35:45Z',
        '2026-03-09T03:35:50Z',
        '2026-03-09T03:36:00Z',
      ].map((at) => new Date(at));
      expect(await read(message)).toEqual({
        status: 'READ',
        error_code: null,
        error_message: null,
        sent_at: sentAt,
        delivered_at: deliveredAt,
        read_at: readAt,
        failed_at: null,
      });
      const common = { source: 'gateway', code: null, detail: null };
      expect(await timeline(message)).toEqual([
        { ...common, from: 'SENDING', to: 'SENT', at: sentAt },
        { ...common, from: 'SENT', to: 'DELIVERED', at: deliveredAt },
        { ...common, from: 'DELIVERED', to: 'READ', at: readAt },
      ]);
    });

    test('what repeats or comes late is ignored: nothing changes, and the timeline stays as it is', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      const report = { messageId: message.externalId };
      await accepted(tenant, { ...report, status: 'READ', timestamp: 1_773_027_345 });
      const before = [await read(message), await timeline(message)];
      for (const status of ['READ', 'DELIVERED', 'SENT', 'FAILED'] as const) {
        const { results } = await accepted(tenant, {
          ...report,
          status,
          timestamp: 1_773_027_999,
          error: { code: '1' },
        });
        expect(results).toMatchObject([{ messageId: message.id, outcome: 'ignored' }]);
      }
      expect([await read(message), await timeline(message)]).toEqual(before);
    });

    test('a status in lower case counts', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      const { results } = await accepted(tenant, { messageId: message.externalId, status: 'delivered' });
      expect(results).toMatchObject([{ messageId: message.id, outcome: 'applied' }]);
      expect(await read(message)).toMatchObject({ status: 'DELIVERED' });
    });

    test('READ without DELIVERED fills the delivered time', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      await accepted(tenant, { messageId: message.externalId, status: 'READ', timestamp: 1_773_027_345 });
      const at = new Date('2026-03-09T03:35:45Z');
      expect(await read(message)).toMatchObject({ status: 'READ', delivered_at: at, read_at: at });
    });

    test('READ after DELIVERED leaves the delivered time', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      await accepted(tenant, { messageId: message.externalId, status: 'DELIVERED', timestamp: 1_773_027_345 });
      await accepted(tenant, { messageId: message.externalId, status: 'READ', timestamp: 1_773_027_400 });
      expect(await read(message)).toMatchObject({
        delivered_at: new Date('2026-03-09T03:35:45Z'),
        read_at: new Date('2026-03-09T03:36:40Z'),
      });
    });

    test.each([
      ['as text', '131026', '131026'],
      ['as a number', 131_026, '131026'],
    ])("FAILED keeps the provider's code (%s) and sentence", async (_, code, kept) => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant, 'SENT');
      const error = { code, message: 'Message undeliverable' };
      await accepted(tenant, { messageId: message.externalId, status: 'FAILED', timestamp: 1_773_027_345, error });
      const at = new Date('2026-03-09T03:35:45Z');
      expect(await read(message)).toMatchObject({
        status: 'FAILED',
        error_code: kept,
        error_message: error.message,
        failed_at: at,
      });
      expect(await timeline(message)).toEqual([
        { from: 'SENT', to: 'FAILED', source: 'gateway', code: kept, detail: error.message, at },
      ]);
    });

    test('FAILED with a reason that is a text keeps the text', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant, 'SENT');
      await accepted(tenant, { messageId: message.externalId, status: 'FAILED', error: 'no such number' });
      expect(await read(message)).toMatchObject({
        status: 'FAILED',
        error_code: 'UNKNOWN',
        error_message: 'no such number',
      });
    });

    test.each(['DELIVERED', 'READ'] as const)('FAILED, then %s: the failure is taken back', async (status) => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant, 'SENT');
      await accepted(tenant, { messageId: message.externalId, status: 'FAILED', error: { code: '1', message: 'no' } });
      const { results } = await accepted(tenant, { messageId: message.externalId, status });
      expect(results).toMatchObject([{ messageId: message.id, outcome: 'applied' }]);
      expect(await read(message)).toMatchObject({
        status,
        error_code: null,
        error_message: null,
        failed_at: null,
        delivered_at: expect.any(Date),
      });
      expect(await timeline(message)).toMatchObject([
        { from: 'SENT', to: 'FAILED' },
        { from: 'FAILED', to: status },
      ]);
    });

    test('FAILED, then SENT: it stays failed', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      await accepted(tenant, { messageId: message.externalId, status: 'FAILED' });
      expect((await accepted(tenant, { messageId: message.externalId, status: 'SENT' })).results).toMatchObject([
        { outcome: 'ignored' },
      ]);
      expect(await read(message)).toMatchObject({ status: 'FAILED', sent_at: null });
    });

    test.each(['DELIVERED', 'READ'] as const)('%s, then FAILED: it stays so', async (status) => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      await accepted(tenant, { messageId: message.externalId, status });
      expect((await accepted(tenant, { messageId: message.externalId, status: 'FAILED' })).results).toMatchObject([
        { outcome: 'ignored' },
      ]);
      expect(await read(message)).toMatchObject({ status, failed_at: null, error_code: null });
    });

    test('a report from a clock that runs ahead is not later than now', async () => {
      const tenant = await app.createTenant();
      const message = await sentMessage(tenant);
      await accepted(tenant, { messageId: message.externalId, status: 'DELIVERED', timestamp: '2099-12-31T00:00:00Z' });
      const [row] = await app.sql('SELECT delivered_at <= now() AS "isPast" FROM messages WHERE id = $1', [message.id]);
      expect(row).toEqual({ isPast: true });
    });

    test('many: one result each, in their order, and a wrong one does not refuse the others', async () => {
      const tenant = await app.createTenant();
      const [one, other] = [await sentMessage(tenant), await sentMessage(tenant)];
      const answer = await accepted(tenant, {
        statuses: [
          { messageId: other.externalId, status: 'SENT' },
          { messageId: one.externalId, status: 'QUEUED' },
          { messageId: one.externalId, status: 'DELIVERED' },
          { messageId: one.externalId, status: 'SENT' },
          'DELIVERED',
          { messageId: 'never sent', status: 'SENT' },
          { messageId: other.externalId, status: 'SENT', instance: 'nobody' },
        ],
      });
      expect(answer.accepted).toBe(4);
      expect(
        answer.results.map(({ outcome, messageId, errors }) => [
          outcome,
          messageId ?? errors?.map((error) => error.path),
        ]),
      ).toEqual([
        ['applied', other.id],
        ['refused', ['status']],
        ['applied', one.id],
        ['ignored', one.id],
        ['refused', ['']],
        ['parked', undefined],
        ['refused', ['instance']],
      ]);
      expect(await app.sql('SELECT outcome FROM webhook_deliveries WHERE tenant_id = $1', [tenant.id])).toEqual([
        { outcome: 'partial' },
      ]);
    });

    test('an empty list is accepted and changes nothing', async () => {
      expect(await accepted(await app.createTenant(), { statuses: [] })).toEqual({ accepted: 0, results: [] });
    });

    test('500 statuses in one call', async () => {
      const tenant = await app.createTenant();
      const messages = await sentMessages(
        app,
        tenant,
        Array.from({ length: 500 }, () => randomUUID()),
      );
      const answer = await accepted(tenant, {
        statuses: messages.map(({ externalId }) => ({ messageId: externalId, status: 'SENT' })),
      });
      expect(answer.results.map(({ messageId }) => messageId)).toEqual(messages.map(({ id }) => id));
    });
  });

  describe('200 parked', () => {
    test('a provider id that is not known yet: kept with all it said', async () => {
      const tenant = await app.createTenant();
      const report = {
        messageId: '3EB0',
        status: 'FAILED',
        timestamp: 1_773_027_350,
        error: { code: '131026', message: 'Undeliverable' },
      };
      const answer = await accepted(tenant, report);
      expect(answer).toMatchObject({ accepted: 1, results: [{ outcome: 'parked' }] });
      expect(await parked(tenant)).toEqual([
        {
          instance: tenant.instance.id,
          externalId: '3EB0',
          status: 'FAILED',
          code: '131026',
          detail: 'Undeliverable',
          at: new Date('2026-03-09T03:35:50Z'),
        },
      ]);
    });

    test("another tenant's provider id is not known here, and that message stays as it is", async () => {
      const [owner, stranger] = [await app.createTenant(), await app.createTenant()];
      const message = await sentMessage(owner);
      const answer = await accepted(stranger, { messageId: message.externalId, status: 'READ' });
      expect(answer.results).toMatchObject([{ outcome: 'parked' }]);
      expect(JSON.stringify(answer)).not.toContain(message.id);
      expect(await read(message)).toMatchObject({ status: 'SENDING', read_at: null });
      expect(await timeline(message)).toEqual([]);
      expect(await parked(owner)).toEqual([]);
    });

    test('the same provider id in another tenant is another message', async () => {
      const [one, other] = [await app.createTenant(), await app.createTenant()];
      const [[first], [second]] = [await sentMessages(app, one, ['3EB0']), await sentMessages(app, other, ['3EB0'])];
      expect((await accepted(one, { messageId: '3EB0', status: 'READ' })).results).toMatchObject([
        { messageId: first?.id, outcome: 'applied' },
      ]);
      expect(await read(second!)).toMatchObject({ status: 'SENDING' });
    });

    test('the same provider id in another instance is another message', async () => {
      const tenant = await app.createTenant();
      const input = { accountId: tenant.admin.accountId, instanceName: 'second', isDefault: false };
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const { id: secondId } = await app.app.services.chatInstances.create(serviceOperator, input, place);
      const [first] = await sentMessages(app, tenant, ['3EB0']);
      expect((await accepted(tenant, { messageId: '3EB0', status: 'READ', instance: 'second' })).results).toMatchObject(
        [{ outcome: 'parked' }],
      );
      const [second] = await sentMessages(app, tenant, ['3EB0'], 'SENDING', secondId);
      expect((await accepted(tenant, { messageId: '3EB0', status: 'SENT', instance: 'second' })).results).toMatchObject(
        [{ messageId: second?.id }],
      );
      expect(await read(first!)).toMatchObject({ status: 'SENDING' });
      expect(await read(second!)).toMatchObject({ status: 'SENT' });
    });
  });

  describe('200 under contention', () => {
    let busyApp: TestApp;

    beforeAll(async () => {
      busyApp = await TestApp.start();
    });
    afterAll(() => busyApp.stop());

    test('10 simultaneous calls with the same many statuses in other orders are all taken', async () => {
      const tenant = await busyApp.createTenant();
      const messages = await sentMessages(
        busyApp,
        tenant,
        Array.from({ length: 20 }, () => randomUUID()),
      );
      const reports = messages.flatMap(({ externalId }) =>
        statuses.map((status) => ({ messageId: externalId, status })),
      );
      const calls = Array.from({ length: 10 }, (_, i) => {
        const rotated = [...reports.slice(i * 8), ...reports.slice(0, i * 8)];
        return { statuses: i % 2 === 0 ? rotated : rotated.reverse() };
      });
      const responses = await Promise.all(calls.map((call) => busyApp.post(path, call, withKey(tenant))));
      expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
      const ended = await busyApp.sql('SELECT DISTINCT status FROM messages WHERE tenant_id = $1', [tenant.id]);
      expect(ended).toEqual([{ status: 'READ' }]);
    });
  });

  test('a status for an inbound message is ignored', async () => {
    const tenant = await app.createTenant();
    await app.post(
      '/webhooks/chat/gateway/inbound',
      { messageId: '3A55', from: '5511988887777', text: 'Oi' },
      withKey(tenant),
    );
    expect((await accepted(tenant, { messageId: '3A55', status: 'READ' })).results).toMatchObject([
      { outcome: 'ignored' },
    ]);
    expect(await app.sql('SELECT status, read_at FROM messages WHERE tenant_id = $1', [tenant.id])).toEqual([
      { status: null, read_at: null },
    ]);
  });

  describe('400', () => {
    test('a body that is not JSON', async () => {
      await expectProblem(await post(await app.createTenant(), '{'), 'BAD_REQUEST');
    });
  });

  describe('401', () => {
    test.each([
      ['no key', {}],
      ['an unknown key', { 'x-tenant-key': `lw_${'D'.repeat(43)}` }],
    ])('%s', async (_, headers) => {
      await expectProblem(await app.post(path, { messageId: '3EB0', status: 'SENT' }, headers), 'UNAUTHENTICATED');
    });

    test("a user's token", async () => {
      const { admin } = await app.createTenant();
      await expectProblem(
        await app.post(path, { messageId: '3EB0', status: 'SENT' }, withToken(admin)),
        'UNAUTHENTICATED',
      );
    });
  });

  describe('422', () => {
    test.each<[string, object, string[]]>([
      ['no messageId', { messageId: undefined }, ['messageId']],
      ['messageId empty', { messageId: ' ' }, ['messageId']],
      ['messageId of 256 characters', { messageId: 'a'.repeat(256) }, ['messageId']],
      ['no status', { status: undefined }, ['status']],
      ['a status of ours alone', { status: 'QUEUED' }, ['status']],
      ['a status that was made up', { status: 'ARRIVED' }, ['status']],
      ['a status that is a list', { status: ['READ'] }, ['status']],
      ['a timestamp far from now', { timestamp: 32_503_680_000 }, ['timestamp']],
      ['a timestamp in words', { timestamp: 'now' }, ['timestamp']],
      ['an error that is a flag', { error: true }, ['error']],
      ['an error whose sentence is a list', { error: { code: '1', message: ['no'] } }, ['error.message']],
      ['an unknown instance', { instance: 'nobody' }, ['instance']],
    ])('%s: refused and journalled', async (_, fields, paths) => {
      const tenant = await app.createTenant();
      await expectProblem(
        await post(tenant, { messageId: '3EB0', status: 'SENT', ...fields }),
        'VALIDATION_FAILED',
        paths,
      );
      expect(await parked(tenant)).toEqual([]);
      const deliveries = await app.sql('SELECT route, outcome FROM webhook_deliveries WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect(deliveries).toEqual([{ route: path, outcome: 'refused' }]);
    });

    test.each([
      ['statuses that are an object', { statuses: {} }],
      ['501 statuses', { statuses: Array.from({ length: 501 }, () => ({ messageId: 'a', status: 'SENT' })) }],
    ])('%s', async (_, body) => {
      await expectProblem(await post(await app.createTenant(), body), 'VALIDATION_FAILED', ['statuses']);
    });
  });

  describe('x-signature', () => {
    describeSignature({
      path,
      bodyWith: (_, text) => ({ messageId: randomUUID(), status: 'FAILED', error: { code: '1', message: text } }),
      effectCount: async (signedApp, tenant) => {
        const [row] = await signedApp.sql<{ count: number }>(
          'SELECT count(*)::int AS count FROM parked_statuses WHERE tenant_id = $1',
          [tenant.id],
        );
        return row?.count ?? -1;
      },
    });
  });
}
