// The journal over GraphQL: the fields of each call, and its filter.

import { randomUUID } from 'node:crypto';
import { jest } from '../support/jest.js';
import {
  inboundPath,
  postWebhook,
  readJournal,
  signatureOf,
  someMessage,
  statusPath,
  webhookSecret,
} from '../features/webhooks/journal-harness.js';
import { execute, query } from '../support/graphql-client.js';
import {
  MergeLeadsDocument,
  WebhookDeliveriesDocument,
  WebhookDeliveryDocument,
  type WebhookDeliveryFilter,
} from '../support/operations.js';
import { withTenantEach } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeWebhookCalls(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made), { CHAT_WEBHOOK_SECRET: webhookSecret });

  interface Taken {
    results: { messageId: string }[];
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    postWebhook(app, tenant, path, body, headers);
  const journal = (filter: WebhookDeliveryFilter = {}) => readJournal(app, tenant, filter);

  describe('an entry', () => {
    test('of a call that was taken in', async () => {
      const body = JSON.stringify(someMessage('Olá ✓'));
      const before = Date.now();
      const entry = await post(inboundPath, body, { 'user-agent': 'a gateway' });
      expect(entry).toEqual({
        id: entry.id,
        route: inboundPath,
        dialect: 'NEUTRAL',
        headers: { 'content-type': 'application/json', 'user-agent': 'a gateway', 'x-signature': signatureOf(body) },
        body,
        bodyBase64: Buffer.from(body).toString('base64'),
        bodyBytes: Buffer.byteLength(body),
        isBodyComplete: true,
        outcome: 'PROCESSED',
        reason: null,
        result: { accepted: 1, results: [expect.objectContaining({ duplicate: false })] },
        replayOfId: null,
        replayOf: null,
        replays: [],
        receivedAt: entry.receivedAt,
        erasedAt: null,
        kinds: ['MESSAGE'],
        reported: [],
        tookMs: expect.any(Number),
        itemCount: 1,
        message: { id: expect.any(String) },
        lead: { id: expect.any(String) },
        instance: { id: tenant.instance.id },
        leadSource: null,
      });
      expect(entry.tookMs).toBeGreaterThanOrEqual(0);
      expect(Date.parse(entry.receivedAt)).toBeGreaterThanOrEqual(before);
      expect(JSON.stringify(entry)).not.toContain(tenant.apiKey);
    });

    test('of a lead', async () => {
      const entry = await post('/webhooks/leads', { chat: '5511988887777' });
      expect(entry).toMatchObject({ route: '/webhooks/leads', dialect: 'LEAD', result: { created: true } });
      const { id } = entry.result as { id: string };
      expect(entry).toMatchObject({ kinds: ['LEAD'], itemCount: 1, lead: { id }, message: null, instance: null });
      const other = await post('/webhooks/leads', { chat: '5511977776666' });
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: id, intoId: other.lead!.id });
      expect((await journal({ route: '/webhooks/leads' })).map(({ lead }) => lead?.id)).toEqual([
        other.lead?.id,
        other.lead?.id,
      ]);
    });

    test('of a message of a known person, and of its statuses, says whom and what they are about', async () => {
      const first = await post(inboundPath, someMessage());
      const again = await post(inboundPath, someMessage());
      const { id: instanceId } = tenant.instance;
      const about = { lead: first.lead, instance: { id: instanceId }, reported: [], kinds: ['MESSAGE'] };
      expect(again).toMatchObject({ ...about, message: { id: (again.result as Taken).results[0]?.messageId } });
      expect(again.message).not.toEqual(first.message);
      const externalId = randomUUID();
      const [sent] = await app.sql<{ id: string }>(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, status, external_id)
         VALUES ($1, $2, $3, $4, 'OUTBOUND', 'text', 'Olá', 'SENT', $5) RETURNING id`,
        [tenant.id, randomUUID(), first.lead?.id, instanceId, externalId],
      );
      const delivered = await post(statusPath, { messageId: externalId, status: 'DELIVERED' });
      const told = { kinds: ['STATUS'], reported: ['DELIVERED'], itemCount: 1, message: sent, lead: first.lead };
      expect(delivered).toMatchObject({ ...told, instance: { id: instanceId } });
      const statuses = [
        { messageId: externalId, status: 'READ' },
        { messageId: externalId, status: 'FAILED' },
      ];
      const both = await post(statusPath, { statuses });
      expect(both).toMatchObject({ ...told, reported: ['READ', 'FAILED'], itemCount: 2 });
      expect(await journal({ reported: 'FAILED' })).toEqual([both]);
      expect(await journal({ kind: 'STATUS' })).toEqual([both, delivered]);
      expect(await journal({ instanceId })).toEqual([both, delivered, again, first]);
      expect(await journal({ instanceId: randomUUID() })).toEqual([]);
    });

    test('of several kinds of items names each once, also those that could not be read', async () => {
      const entry = await post(inboundPath, { messages: [{ messageId: 'x' }, someMessage(), someMessage()] });
      expect(entry).toMatchObject({ kinds: ['UNREADABLE', 'MESSAGE'], itemCount: 3, lead: { id: expect.any(String) } });
    });

    test('of a connection says which instance and which state', async () => {
      const evolution = { event: 'connection.update', instance: tenant.instance.name, data: { state: 'close' } };
      const entry = await post('/webhooks/chat/gateway/connection-update', evolution);
      const said = { kinds: ['CONNECTION'], reported: ['DISCONNECTED'], instance: { id: tenant.instance.id } };
      expect(entry).toMatchObject({ ...said, lead: null, message: null });
    });

    test('of a call that was refused says what its route tells', async () => {
      const wrongLead = await post('/webhooks/leads', { chat: 'nobody' });
      expect(wrongLead).toMatchObject({ outcome: 'REFUSED', kinds: ['LEAD'], lead: null, itemCount: 0 });
      const unsigned = await post(inboundPath, someMessage(), { 'x-signature': 'sha256=x' });
      expect(unsigned).toMatchObject({ outcome: 'REFUSED', kinds: [], reported: [], instance: null });
      expect(unsigned.tookMs).toBeGreaterThanOrEqual(0);
    });

    test('of a version before this one has no kinds and no time', async () => {
      const entry = await post(inboundPath, someMessage());
      await app.sql(
        'UPDATE webhook_deliveries SET kinds = NULL, reported = NULL, instance_id = NULL, took_ms = NULL WHERE id = $1',
        [entry.id],
      );
      expect(await journal()).toEqual([{ ...entry, kinds: [], reported: [], instance: null, tookMs: null }]);
    });

    test('of a call with a wrong item', async () => {
      const entry = await post(inboundPath, { messages: [someMessage(), { messageId: 'x' }] });
      const results = [expect.anything(), { outcome: 'refused', errors: [expect.objectContaining({ path: 'from' })] }];
      expect(entry).toMatchObject({ outcome: 'PARTIAL', reason: null, result: { accepted: 1, results } });
    });

    test('of a refused call, of whose body 64 KiB are kept', async () => {
      const entry = await post(inboundPath, { ...someMessage('x'.repeat(100_000)), from: 'nobody' });
      expect(entry).toMatchObject({ outcome: 'REFUSED', isBodyComplete: false, result: null });
      expect(entry.reason).toMatch(/^VALIDATION_FAILED: .*from/);
      expect(entry.bodyBytes).toBeGreaterThan(100_000);
      expect(entry.body).toHaveLength(64 * 1024);
    });

    test('of a body that is no UTF-8: replaced in the text, exact in Base64', async () => {
      const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
      await fetch(`${app.url}${inboundPath}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...withKey(tenant), 'x-signature': 'sha256=x' },
        body: bytes,
      });
      const [entry] = await journal();
      expect(entry).toMatchObject({ body: '{\uFFFD\u0000}', bodyBase64: bytes.toString('base64'), dialect: null });
    });
  });

  test('bodies are read only where they are asked for, and then all at once', async () => {
    for (let index = 0; index < 3; index += 1) await post(inboundPath, someMessage());
    const spy = jest.spyOn(app.app.services.database, 'query');
    const bodiesRead = () =>
      spy.mock.calls.filter(([statement]) =>
        (typeof statement === 'string' ? statement : statement.text).match(/, body /),
      );
    try {
      const ask = async (fields: string) => {
        const document = `{ webhookDeliveries { edges { node { ${fields} } } } }`;
        await app.post('/graphql', { query: document }, withToken(tenant.admin));
      };
      await ask('id outcome bodyBytes isBodyComplete');
      expect(bodiesRead()).toHaveLength(0);
      await ask('id body bodyBase64');
      expect(bodiesRead()).toHaveLength(1);
    } finally {
      spy.mockRestore();
    }
  });

  describe('the list', () => {
    test('is the newest first, page by page', async () => {
      for (let index = 0; index < 5; index += 1) await post(inboundPath, someMessage());
      const all = await journal();
      expect(all.map(({ receivedAt }) => receivedAt)).toEqual(
        all
          .map(({ receivedAt }) => receivedAt)
          .sort()
          .reverse(),
      );
      const first = (await query(app, tenant.admin, WebhookDeliveriesDocument, { first: 2 })).webhookDeliveries;
      const { endCursor: after, hasNextPage } = first.pageInfo;
      expect(hasNextPage).toBe(true);
      const rest = (await query(app, tenant.admin, WebhookDeliveriesDocument, { first: 10, after })).webhookDeliveries;
      expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      expect([...first.edges, ...rest.edges].map(({ node }) => node)).toEqual(all);
    });

    test('is filtered by outcome, trouble, route and dialect', async () => {
      await post(inboundPath, someMessage());
      await post(inboundPath, { messages: [someMessage(), {}] });
      await post(inboundPath, someMessage(), { 'x-signature': 'sha256=x' });
      await post('/public/leads', { chat: '5511988887777' });
      const evolution = { event: 'connection.update', instance: tenant.instance.name, data: { state: 'open' } };
      await post('/webhooks/chat/gateway/connection-update', evolution);
      const all = await journal();
      expect(all.map(({ outcome, dialect }) => [outcome, dialect])).toEqual([
        ['PROCESSED', 'EVOLUTION'],
        ['PROCESSED', 'LEAD'],
        ['REFUSED', null],
        ['PARTIAL', 'NEUTRAL'],
        ['PROCESSED', 'NEUTRAL'],
      ]);
      const at = (...places: number[]) => places.map((place) => all[place]);
      expect(await journal({ outcomes: ['REFUSED'] })).toEqual(at(2));
      expect(await journal({ outcomes: ['PARTIAL', 'PROCESSED'] })).toEqual(at(0, 1, 3, 4));
      expect(await journal({ troubled: true })).toEqual(at(2, 3));
      expect(await journal({ troubled: false })).toEqual(at(0, 1, 4));
      expect(await journal({ troubled: true, outcomes: ['PARTIAL', 'PROCESSED'] })).toEqual(at(3));
      expect(await journal({ troubled: null, outcomes: null, route: null })).toEqual(all);
      expect(await journal({ route: '/public/leads' })).toEqual(at(1));
      expect(await journal({ route: '/public' })).toEqual([]);
      expect(await journal({ dialect: 'NEUTRAL' })).toEqual(at(3, 4));
      expect(await journal({ dialect: 'NEUTRAL', troubled: true })).toEqual(at(3));
    });

    test('is filtered by time: since is inclusive, until exclusive', async () => {
      for (let index = 0; index < 4; index += 1) await post(inboundPath, someMessage());
      const all = await journal();
      const at = all[2]!.receivedAt;
      expect(await journal({ since: at })).toEqual(all.filter(({ receivedAt }) => receivedAt >= at));
      expect(await journal({ until: at })).toEqual(all.filter(({ receivedAt }) => receivedAt < at));
      expect(await journal({ since: at, until: at })).toEqual([]);
      expect(await journal({ since: '1900-01-01T00:00:00Z', until: '9999-12-31T00:00:00Z' })).toEqual(all);
    });

    test('is searched for words, numbers and ids, in bodies and answers', async () => {
      const first = await post(inboundPath, { ...someMessage('A chave está na portaria'), name: 'Helena Prado' });
      const second = await post(inboundPath, { ...someMessage('See 50% off'), from: '447700900641' });
      const third = await post('/public/leads', { chat: '+55 21 97777-6666', name: 'Rui' });
      const found = async (search: string, filter: WebhookDeliveryFilter = {}) =>
        (await journal({ ...filter, search })).map(({ id }) => id);
      expect(await found('helena')).toEqual([first.id]);
      expect(await found('está na')).toEqual([first.id]);
      expect(await found(' 900641 ')).toEqual([second.id]);
      expect(await found('50%')).toEqual([second.id]);
      expect(await found('5_%')).toEqual([]);
      expect(await found((third.result as { id: string }).id.toUpperCase())).toEqual([third.id]);
      expect(await found(second.id)).toEqual([second.id]);
      expect(await found('helena', { route: '/public/leads' })).toEqual([]);
      expect(await found('"')).toEqual([third.id, second.id, first.id]);
    });

    test('a search reads bodies that are no UTF-8, and quotes and backslashes as they are', async () => {
      const bytes = Buffer.concat([Buffer.from([0x7b, 0xff, 0x00]), Buffer.from('a\\b')]);
      const headers = { 'content-type': 'application/json', ...withKey(tenant), 'x-signature': 'sha256=x' };
      await fetch(`${app.url}${inboundPath}`, { method: 'POST', headers, body: bytes });
      expect(await journal({ search: 'a\\b' })).toHaveLength(1);
      expect(await journal({ search: "a'b" })).toEqual([]);
      expect(await journal({ search: '377' })).toEqual([]);
    });

    test('is counted by outcome, by kind and by what was not sent', async () => {
      const count = async (filter: WebhookDeliveryFilter, by = tenant) => {
        const document = `query ($filter: WebhookDeliveryFilter) { webhookDeliveryCounts(filter: $filter) {
          total partial refused notSent isComplete kinds { kind count } } }`;
        const answer = await app.post('/graphql', { query: document, variables: { filter } }, withToken(by.admin));
        const { data } = (await answer.json()) as { data: { webhookDeliveryCounts: object } };
        return data.webhookDeliveryCounts;
      };
      await post(inboundPath, someMessage('uma chave'));
      await post(inboundPath, { messages: [someMessage(), {}] });
      await post(inboundPath, someMessage(), { 'x-signature': 'sha256=x' });
      await post(statusPath, { messageId: 'unknown', status: 'FAILED' });
      const outcomes = { total: 4, partial: 1, refused: 1, notSent: 1, isComplete: true };
      expect(await count({})).toMatchObject(outcomes);
      expect(await count({})).toMatchObject({
        kinds: expect.arrayContaining([
          { kind: 'MESSAGE', count: 2 },
          { kind: 'STATUS', count: 1 },
        ]),
      });
      expect(await count({ outcomes: ['REFUSED'] })).toMatchObject({ total: 1, refused: 1, partial: 0 });
      expect(await count({ search: 'chave' })).toMatchObject({ total: 1, kinds: [{ kind: 'MESSAGE', count: 1 }] });
      const none = { total: 0, partial: 0, refused: 0, notSent: 0, isComplete: true, kinds: [] };
      expect(await count({}, await app.createTenant())).toEqual(none);
    });

    test('more calls than are looked through are said to be incomplete, also by a search that finds nothing in them', async () => {
      const read = async (search?: string) => {
        const document = `query ($filter: WebhookDeliveryFilter) { webhookDeliveryCounts(filter: $filter) { total isComplete } }`;
        const answer = await app.post(
          '/graphql',
          { query: document, variables: { filter: { search } } },
          withToken(tenant.admin),
        );
        const { data } = (await answer.json()) as { data: { webhookDeliveryCounts: object } };
        return data.webhookDeliveryCounts;
      };
      await post(inboundPath, someMessage('the oldest call'));
      await app.sql(
        `INSERT INTO webhook_deliveries
        SELECT (d).* FROM (
          SELECT jsonb_populate_record(d, jsonb_build_object('id', uuidv7(), 'body', '\\x7b7d')) AS d
          FROM webhook_deliveries d, generate_series(1, 9999) WHERE d.tenant_id = $1
        ) n`,
        [tenant.id],
      );
      expect(await read()).toEqual({ total: 10_000, isComplete: false });
      expect(await read('oldest')).toEqual({ total: 1, isComplete: false });
      await app.sql(
        'DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND id = (SELECT max(id::text)::uuid FROM webhook_deliveries WHERE tenant_id = $1)',
        [tenant.id],
      );
      expect(await read()).toEqual({ total: 9_999, isComplete: true });
    });

    test.each([
      ['outcomes', { outcomes: [] }],
      ['search', { search: 'x'.repeat(101) }],
      ['replayOfId', { replayOfId: 'x' }],
      ['route', { route: '' }],
      ['reported', { reported: '' }],
      ['instanceId', { instanceId: 'x' }],
    ])('a filter with a wrong %s is refused by name', async (field, filter) => {
      const { errors } = await execute(app, tenant.admin, WebhookDeliveriesDocument, { filter });
      expect(errors).toMatchObject([{ extensions: { errors: [{ path: `filter.${field}` }] } }]);
    });

    test('has each call by its id, and no other', async () => {
      const entry = await post(inboundPath, someMessage());
      const find = async (id: string, by = tenant.admin) =>
        (await query(app, by, WebhookDeliveryDocument, { id })).webhookDelivery;
      expect(await find(entry.id)).toEqual(entry);
      const stranger = await app.createTenant();
      expect(await find(entry.id, stranger.admin)).toBeNull();
      expect([await find(randomUUID()), await find('x')]).toEqual([null, null]);
    });

    test("holds nothing of another tenant's, whatever is asked for", async () => {
      const entry = await post(inboundPath, someMessage());
      const stranger = await app.createTenant();
      for (const filter of [{}, { replayOfId: entry.id }, { troubled: false }]) {
        const answer = await query(app, stranger.admin, WebhookDeliveriesDocument, { filter });
        expect(answer.webhookDeliveries.edges).toEqual([]);
      }
    });
  });
}
