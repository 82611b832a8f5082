// Webhook endpoints over GraphQL: keeping them, their secrets, listing deliveries, and the audit of changes.

import { randomUUID } from 'node:crypto';
import { createEndpoint } from '../features/outgoing-webhooks/endpoint-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  AuditLogDocument,
  CreateWebhookEndpointDocument,
  DeleteWebhookEndpointDocument,
  EndpointDeliveriesDocument,
  EndpointDeliveryDocument,
  PingWebhookEndpointDocument,
  ReplayFailedEndpointDeliveriesDocument,
  RotateWebhookEndpointSecretDocument,
  UpdateWebhookEndpointDocument,
  WebhookEndpointDocument,
  WebhookEndpointsDocument,
  type CreateWebhookEndpointInput,
  type EndpointDeliveriesQueryVariables,
  type UpdateWebhookEndpointInput,
} from '../support/operations.js';
import { TestApp, type TestTenant } from '../support/test-app.js';

const base = 'https://hooks.example';

export function describeWebhookEndpoints(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    // Without a worker, no delivery is posted.
    app = await TestApp.start({ PROCESS_ROLE: 'api', WEBHOOK_ENDPOINT_ALLOWED_HOSTS: 'hooks.internal' });
  });
  afterAll(() => app.stop());

  const create = (input: Partial<CreateWebhookEndpointInput> = {}) => {
    const wanted: CreateWebhookEndpointInput = { url: base, eventTypes: ['LEAD_CREATED'], ...input };
    return execute(app, tenant.admin, CreateWebhookEndpointDocument, { input: wanted });
  };
  const update = (id: string, input: UpdateWebhookEndpointInput) =>
    execute(app, tenant.admin, UpdateWebhookEndpointDocument, { id, input });
  const list = async () => (await query(app, tenant.admin, WebhookEndpointsDocument, {})).webhookEndpoints;

  async function renewTenant(): Promise<void> {
    tenant = await app.createTenant();
  }

  describe('creating', () => {
    beforeAll(renewTenant);

    test('shows the endpoint and its secret once, and keeps the secret encrypted', async () => {
      const input = { description: ' What we do ', eventTypes: ['LEAD_CREATED', 'LEAD_READ', 'LEAD_CREATED'] as const };
      const { data } = await create({ ...input, eventTypes: [...input.eventTypes] });
      const { secret, endpoint } = data!.createWebhookEndpoint;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(endpoint).toMatchObject({
        url: base,
        description: 'What we do',
        eventTypes: ['LEAD_CREATED', 'LEAD_READ'],
        isEnabled: true,
        disabledReason: null,
        failingSince: null,
        previousSecretUntil: null,
        version: 1,
      });
      expect(await list()).toEqual([endpoint]);
      expect((await query(app, tenant.admin, WebhookEndpointDocument, { id: endpoint.id })).webhookEndpoint).toEqual(
        endpoint,
      );
      const [{ text } = { text: '' }] = await app.sql<{ text: string }>(
        `SELECT string_agg(t, ' ') AS text FROM (
         SELECT e::text || convert_from(decode(encode(e.secret_ciphertext, 'hex'), 'escape'), 'LATIN1') AS t FROM webhook_endpoints e
         UNION ALL SELECT a::text FROM audit_entries a) rows`,
      );
      expect(text).toContain(endpoint.id);
      expect(text).not.toContain(secret.slice(6, 40));
    });

    test.each<[string, Partial<CreateWebhookEndpointInput>, string, RegExp]>([
      ['no URL', { url: 'hooks' }, 'url', /URL/],
      [
        'another protocol, which is said once',
        { url: 'ftp://hooks.example' },
        'url',
        /^has to be an http or https URL$/,
      ],
      ['plain http', { url: 'http://hooks.example' }, 'url', /https/],
      ['credentials', { url: 'https://ana:x@hooks.example' }, 'url', /credentials/],
      ['a private address', { url: 'https://10.0.0.1' }, 'url', /WEBHOOK_ENDPOINT_ALLOWED_HOSTS/],
      ['the metadata of a cloud', { url: 'https://169.254.169.254' }, 'url', /public/],
      ['a mapped address', { url: 'https://[::ffff:10.0.0.1]' }, 'url', /public/],
      ['a long URL', { url: `${base}/${'a'.repeat(2_048)}` }, 'url', /2048/],
      ['no event', { eventTypes: [] }, 'eventTypes', /empty/],
      ['an empty description', { description: ' ' }, 'description', /empty/],
      ['a long description', { description: 'a'.repeat(201) }, 'description', /200/],
    ])('with %s is refused by name', async (_, input, path, message) => {
      const answer = await create(input);
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
      expect(answer.errors?.[0]?.extensions.errors?.[0]?.message).toMatch(message);
      expect((await list()).map(({ url }) => url)).not.toContain(input.url ?? null);
    });

    test("of a host on the operator's list is permitted by http", async () => {
      expect((await create({ url: 'http://hooks.internal:8080' })).errors).toBeUndefined();
    });

    test('ten at most, also when many are created at once; a deleted one leaves its place', async () => {
      await renewTenant();
      const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(10);
      expect(answers.flatMap((answer) => (answer.errors === undefined ? [] : [failureOf(answer).code]))).toEqual([
        'CONFLICT',
        'CONFLICT',
      ]);
      const [first] = await list();
      await query(app, tenant.admin, DeleteWebhookEndpointDocument, { id: first!.id });
      expect((await create()).errors).toBeUndefined();
      expect(await list()).toHaveLength(10);
    });
  });

  describe('changing', () => {
    beforeAll(renewTenant);

    test('fields that are left out stay; the version rises, and guards against a stale change', async () => {
      const { id } = await createEndpoint(app, tenant, base);
      const { data } = await update(id, { description: 'x', eventTypes: ['LEAD_READ'], expectedVersion: 1 });
      expect(data?.updateWebhookEndpoint).toMatchObject({ description: 'x', eventTypes: ['LEAD_READ'], version: 2 });
      expect(failureOf(await update(id, { url: base, expectedVersion: 1 }))).toEqual({
        code: 'CONFLICT',
        paths: ['expectedVersion'],
      });
      const off = await update(id, { isEnabled: false, description: null });
      expect(off.data?.updateWebhookEndpoint).toMatchObject({
        description: null,
        isEnabled: false,
        disabledReason: 'ADMIN',
        disabledAt: expect.any(String),
        version: 3,
      });
      expect((await update(id, { isEnabled: false })).data?.updateWebhookEndpoint.version).toBe(3);
      const on = await update(id, { isEnabled: true });
      expect(on.data?.updateWebhookEndpoint).toMatchObject({ isEnabled: true, disabledReason: null, disabledAt: null });
      expect(failureOf(await update(id, { url: 'http://10.0.0.1' }))).toEqual({
        code: 'VALIDATION_FAILED',
        paths: ['url'],
      });
    });

    test('the secret: for how long the one before signs is bounded', async () => {
      const { id, secret } = await createEndpoint(app, tenant, base);
      const rotate = (graceSeconds: number) =>
        execute(app, tenant.admin, RotateWebhookEndpointSecretDocument, { id, graceSeconds });
      for (const wrong of [-1, 604_801])
        expect(failureOf(await rotate(wrong))).toEqual({ code: 'VALIDATION_FAILED', paths: ['graceSeconds'] });
      const { data } = await rotate(604_800);
      expect(data?.rotateWebhookEndpointSecret.secret).not.toBe(secret);
      expect(data?.rotateWebhookEndpointSecret.endpoint.version).toBe(2);
    });

    test('what was deleted is not there, in any way', async () => {
      const { id } = await createEndpoint(app, tenant, base);
      expect((await query(app, tenant.admin, DeleteWebhookEndpointDocument, { id })).deleteWebhookEndpoint).toBe(id);
      expect((await query(app, tenant.admin, WebhookEndpointDocument, { id })).webhookEndpoint).toBeNull();
      expect((await list()).map((endpoint) => endpoint.id)).not.toContain(id);
      const again = await Promise.all([
        update(id, { description: 'x' }),
        execute(app, tenant.admin, DeleteWebhookEndpointDocument, { id }),
        execute(app, tenant.admin, RotateWebhookEndpointSecretDocument, { id, graceSeconds: 0 }),
        execute(app, tenant.admin, PingWebhookEndpointDocument, { id }),
      ]);
      expect(again.map((answer) => failureOf(answer).code)).toEqual(again.map(() => 'NOT_FOUND'));
    });

    test('each change is audited, secrets left out', async () => {
      const { id } = await createEndpoint(app, tenant, base);
      await update(id, { description: 'x' });
      await query(app, tenant.admin, RotateWebhookEndpointSecretDocument, { id, graceSeconds: 60 });
      await query(app, tenant.admin, DeleteWebhookEndpointDocument, { id });
      const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: id } });
      const entries = auditLog.edges.map(({ node }) => node);
      expect(entries).toMatchObject([
        { action: 'WEBHOOK_ENDPOINT_DELETED', before: { description: 'x' }, after: null },
        { action: 'WEBHOOK_ENDPOINT_SECRET_ROTATED', before: null, after: { graceSeconds: 60 } },
        { action: 'WEBHOOK_ENDPOINT_UPDATED', before: { description: null }, after: { description: 'x' } },
        { action: 'WEBHOOK_ENDPOINT_CREATED', before: null, after: { isEnabled: true } },
      ]);
      expect(JSON.stringify(entries)).not.toContain('whsec_');
    });
  });

  describe('deliveries', () => {
    beforeAll(renewTenant);

    test('come newest first by pages, and can be asked for by endpoint, state and type', async () => {
      const [one, other] = [await createEndpoint(app, tenant, base), await createEndpoint(app, tenant, base)];
      const ping = async (id: string) =>
        (await query(app, tenant.admin, PingWebhookEndpointDocument, { id })).pingWebhookEndpoint.id;
      const made = [await ping(one.id), await ping(other.id), await ping(one.id)];
      await app.sql("UPDATE endpoint_deliveries SET state = 'FAILED', due_at = NULL WHERE id = $1", [made[0]]);
      const read = async (variables: EndpointDeliveriesQueryVariables) =>
        (await query(app, tenant.admin, EndpointDeliveriesDocument, variables)).endpointDeliveries;
      const ids = async (variables: EndpointDeliveriesQueryVariables) =>
        (await read(variables)).edges.map(({ node }) => node.id);
      expect(await ids({})).toEqual(made.toReversed());
      const first = await read({ first: 2 });
      expect(first.pageInfo.hasNextPage).toBe(true);
      expect(first.edges[0]?.node).toMatchObject({
        state: 'PENDING',
        type: 'PING',
        attemptCount: 0,
        endpoint: { id: one.id },
      });
      expect(await ids({ after: first.pageInfo.endCursor })).toEqual([made[0]]);
      expect(await ids({ filter: { endpointId: one.id } })).toEqual([made[2], made[0]]);
      expect(await ids({ filter: { states: ['FAILED', 'DELIVERED'] } })).toEqual([made[0]]);
      expect(await ids({ filter: { types: ['MESSAGE_RECEIVED', 'RESYNC_REQUIRED'] } })).toEqual([]);
      expect(
        (await query(app, tenant.admin, EndpointDeliveryDocument, { id: randomUUID() })).endpointDelivery,
      ).toBeNull();
      const replayed = { endpointId: one.id, since: new Date(0).toISOString() };
      const { replayFailedEndpointDeliveries } = await query(
        app,
        tenant.admin,
        ReplayFailedEndpointDeliveriesDocument,
        replayed,
      );
      expect(replayFailedEndpointDeliveries).toBe(1);
      expect(await ids({ filter: { states: ['FAILED'] } })).toEqual([]);
    });

    test('ten test deliveries may wait, and no more', async () => {
      const { id } = await createEndpoint(app, tenant, base);
      for (let count = 0; count < 10; count += 1) await query(app, tenant.admin, PingWebhookEndpointDocument, { id });
      expect(failureOf(await execute(app, tenant.admin, PingWebhookEndpointDocument, { id })).code).toBe('CONFLICT');
    });

    test('of a disabled endpoint are neither made nor posted again', async () => {
      const { id } = await createEndpoint(app, tenant, base, { isEnabled: false });
      const since = new Date(0).toISOString();
      const refused = [
        await execute(app, tenant.admin, PingWebhookEndpointDocument, { id }),
        await execute(app, tenant.admin, ReplayFailedEndpointDeliveriesDocument, { endpointId: id, since }),
      ];
      expect(refused.map((answer) => failureOf(answer).code)).toEqual(['CONFLICT', 'CONFLICT']);
    });
  });

  test('what is over goes once it has expired, and with the last of it a deleted endpoint', async () => {
    const { id } = await createEndpoint(app, tenant, base);
    const write = (ageDays: number, state: string, dueDaysAgo: number | null) =>
      app.sql<{ id: string }>(
        `INSERT INTO endpoint_deliveries (tenant_id, id, endpoint_id, type, occurred_at, state, due_at)
       SELECT $1, (lpad(to_hex((extract(epoch FROM now() - $3 * interval '1 day') * 1000)::bigint), 12, '0')
         || substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid, $2, 'PING', now(), $4, now() - $5::float * interval '1 day'
       RETURNING id`,
        [tenant.id, id, ageDays, state, dueDaysAgo],
      );
    await write(8, 'DELIVERED', null);
    await write(8, 'FAILED', null);
    const kept = [
      await write(8, 'PENDING', 7.5),
      await write(8, 'PENDING', 1),
      await write(6, 'DELIVERED', null),
      await write(6, 'PENDING', 6),
    ];
    const prune = () => app.app.services.pruning.prune();
    expect((await prune()).endpointDeliveries).toBe(2);
    const left = await app.sql<{ id: string }>('SELECT id FROM endpoint_deliveries WHERE endpoint_id = $1', [id]);
    expect(left.map((row) => row.id).toSorted()).toEqual(kept.map(([row]) => row?.id ?? '').toSorted());
    await query(app, tenant.admin, DeleteWebhookEndpointDocument, { id });
    const endpoints = () => app.sql('SELECT FROM webhook_endpoints WHERE id = $1', [id]);
    await prune();
    expect(await endpoints()).toHaveLength(1);
    await app.sql('DELETE FROM endpoint_deliveries WHERE endpoint_id = $1', [id]);
    await prune();
    expect(await endpoints()).toHaveLength(0);
  });
}
