// Events on their way to webhook endpoints: signed, complete, tried again, kept apart, and ended where no endpoint takes them.

import { randomUUID } from 'node:crypto';
import { releaseDeliveries } from '../../../src/features/outgoing-webhooks/endpoint-claim.sql.js';
import { EndpointFeedService } from '../../../src/features/outgoing-webhooks/endpoint-feed.service.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  DeleteLeadDocument,
  DeleteWebhookEndpointDocument,
  EndpointDeliveryDocument,
  PingWebhookEndpointDocument,
  ReplayEndpointDeliveryDocument,
  ReplayFailedEndpointDeliveriesDocument,
  RotateWebhookEndpointSecretDocument,
  UpdateWebhookEndpointDocument,
  WebhookEndpointDocument,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { serviceOperator, withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, send, until } from '../messages/sending-harness.js';
import { createEndpoint, hurryDeliveries, listDeliveries, receive, type MadeEndpoint } from './endpoint-harness.js';
import { WebhookReceiver, answering, verified, type Answer } from './webhook-receiver.js';

export function describeEndpointDeliveries(): void {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    receiver.letGo();
    await receiver.close();
  });

  async function renewTenant(): Promise<void> {
    tenant = await app.createTenant();
  }

  /** The answer delays the retry until a test hurries it. */
  const failing = answering(500, { 'retry-after': '3600' });

  const arrived = (path: string, count = 1) =>
    until(
      () => receiver.on(path),
      (webhooks) => webhooks.length >= count,
    );

  /** The endpoint's newest delivery, once it satisfies the condition. */
  const settled = (
    endpointId: string,
    isDone: (delivery: Awaited<ReturnType<typeof listDeliveries>>[number]) => boolean,
  ) =>
    until(
      async () => (await listDeliveries(app, tenant, { endpointId }))[0],
      (delivery) => delivery !== undefined && isDone(delivery),
    );

  const endpointOf = async ({ id }: MadeEndpoint) =>
    (await query(app, tenant.admin, WebhookEndpointDocument, { id })).webhookEndpoint;

  describe('what is posted', () => {
    beforeAll(renewTenant);

    test('a message with its lead, signed, and nothing that was not asked for', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      const from = plainNumber();
      await receive(app, tenant, from, 'Ainda tem? 🙂');
      const [webhook] = await arrived(endpoint.path);
      if (webhook === undefined) throw new Error('nothing came');
      expect(verified(webhook, endpoint.secret)).toHaveLength(1);
      expect(webhook.signatures).toHaveLength(1);
      expect(Math.abs(webhook.timestamp - Date.now() / 1_000)).toBeLessThan(300);
      expect(webhook.body).toEqual({
        type: 'message.received',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: {
          sequence: expect.any(Number),
          messageId: expect.any(String),
          leadId: expect.any(String),
          message: expect.objectContaining({
            direction: 'INBOUND',
            status: null,
            type: 'text',
            body: 'Ainda tem? 🙂',
            error: null,
          }),
          lead: expect.objectContaining({ chat: from, tags: [], customFields: {} }),
        },
      });
      const delivery = await settled(endpoint.id, ({ state }) => state === 'DELIVERED');
      expect(delivery).toMatchObject({
        id: webhook.id,
        type: 'MESSAGE_RECEIVED',
        attemptCount: 1,
        lastStatus: 204,
        lastError: null,
        nextAttemptAt: null,
        endpoint: { id: endpoint.id },
      });
      // The endpoint did not ask for LEAD_CREATED.
      expect(await listDeliveries(app, tenant, { endpointId: endpoint.id })).toHaveLength(1);
    });

    test('the ad that a message came through, with the message and its lead', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      const referral = { kind: 'AD', sourceId: '120239', headline: 'Turmas abertas', clickId: 'Affc9' };
      const message = { messageId: randomUUID(), from: plainNumber(), text: 'Oi', referral };
      await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
      const [webhook] = await arrived(endpoint.path);
      const whole = { ...referral, sourceUrl: null, body: null };
      expect(webhook?.body).toMatchObject({ data: { message: { referral: whole }, lead: { firstReferral: whole } } });
    });

    test('a change of a message, with what it is from then on', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url, { eventTypes: ['MESSAGE_UPDATED'] });
      const from = plainNumber();
      const item = (content: object) => ({ instance: tenant.instance.name, from, ...content });
      const messages = [
        item({ messageId: 'changed-1', text: 'Oi', timestamp: 1_795_180_500 }),
        item({ type: 'edit', edit: { messageId: 'changed-1', text: 'Olá' }, timestamp: 1_795_180_501 }),
        item({ type: 'reaction', reaction: { messageId: 'changed-1', emoji: '👍' }, timestamp: 1_795_180_502 }),
      ];
      expect((await app.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant))).status).toBe(200);
      const [webhook] = await arrived(endpoint.path);
      expect(webhook?.body).toMatchObject({
        type: 'message.updated',
        data: {
          message: {
            origin: 'LEAD',
            body: 'Olá',
            authorId: null,
            editedAt: new Date(1_795_180_501_000).toISOString(),
            deletedAt: null,
            reactions: [{ emoji: '👍', fromLead: true, userId: null }],
          },
        },
      });
      await settled(endpoint.id, ({ state }) => state === 'DELIVERED');
    });

    test('each change of a status as it was at the change, in the order of the log', async () => {
      const eventTypes = ['MESSAGE_STATUS_CHANGED', 'LEAD_CREATED'] as const;
      const endpoint = await createEndpoint(app, tenant, receiver.url, { eventTypes: [...eventTypes] });
      const leadId = await createLead(app, tenant);
      // There is no gateway, so the message fails.
      const messageId = await send(app, tenant, { leadId, body: 'Oi' });
      const tells = (webhooks: typeof receiver.received, status: string) =>
        webhooks.some(({ body }) => (body.data['message'] as { status?: string } | undefined)?.status === status);
      const webhooks = (
        await until(
          () => receiver.on(endpoint.path),
          (all) => tells(all, 'QUEUED') && tells(all, 'FAILED') && all.some(({ body }) => body.type === 'lead.created'),
        )
      ).toSorted((a, b) => Number(a.body.data['sequence']) - Number(b.body.data['sequence']));
      expect(webhooks.map(({ body }) => body.type)).toEqual([
        'lead.created',
        ...webhooks.slice(1).map(() => 'message.status_changed'),
      ]);
      expect(webhooks[0]?.body.data).toMatchObject({ leadId, lead: { id: leadId } });
      expect(webhooks[1]?.body.data).toMatchObject({
        messageId,
        message: { status: 'QUEUED', error: null, failedAt: null },
      });
      expect(webhooks.at(-1)?.body.data).toMatchObject({
        message: { status: 'FAILED', error: { code: expect.any(String), message: expect.any(String) } },
      });
      const [kept] = await app.sql<{ data: string }>(
        "SELECT string_agg(data::text, ' ') AS data FROM endpoint_deliveries WHERE endpoint_id = $1",
        [endpoint.id],
      );
      expect(kept?.data).toContain('errorCode');
      expect(kept?.data).not.toContain('errorMessage');
    });

    test("another tenant's events to nobody but its own endpoints", async () => {
      const other = await app.createTenant();
      const [own, theirs] = [
        await createEndpoint(app, tenant, receiver.url),
        await createEndpoint(app, other, receiver.url),
      ];
      await receive(app, other, plainNumber(), 'theirs');
      await arrived(theirs.path);
      await receive(app, tenant, plainNumber(), 'ours');
      const [first] = await arrived(own.path);
      expect(first?.body.data['message']).toMatchObject({ body: 'ours' });
      expect(verified(first!, theirs.secret)).toEqual([]);
      expect(receiver.on(theirs.path)).toHaveLength(1);
      const strangers = await app.sql(
        `SELECT FROM endpoint_deliveries d LEFT JOIN events e ON e.tenant_id = d.tenant_id AND e.message_id = d.message_id
       WHERE d.message_id IS NOT NULL AND e.seq IS NULL`,
      );
      expect(strangers).toEqual([]);
    });

    test('a test delivery, when an ADMIN asks for one', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      const { pingWebhookEndpoint: ping } = await query(app, tenant.admin, PingWebhookEndpointDocument, {
        id: endpoint.id,
      });
      const [webhook] = await arrived(endpoint.path);
      expect(webhook).toMatchObject({
        id: ping.id,
        body: { type: 'endpoint.ping', data: { endpointId: endpoint.id } },
      });
      expect(verified(webhook!, endpoint.secret)).toHaveLength(1);
    });

    test('of a lead that was erased meanwhile nothing but ids', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url, {
        eventTypes: ['MESSAGE_RECEIVED', 'LEAD_DELETED'],
      });
      receiver.answer(endpoint.path, answering(503, { 'retry-after': '3600' }));
      const from = plainNumber();
      await receive(app, tenant, from, 'something private');
      const [first] = await arrived(endpoint.path);
      await settled(endpoint.id, ({ lastStatus, nextAttemptAt }) => lastStatus === 503 && nextAttemptAt !== null);
      const leadId = String(first?.body.data['leadId']);
      await query(app, tenant.admin, DeleteLeadDocument, { id: leadId });
      receiver.answer(endpoint.path, answering(204));
      const isBoth = (webhooks: typeof receiver.received) =>
        webhooks.slice(1).some(({ id }) => id === first?.id) &&
        webhooks.some(({ body }) => body.type === 'lead.deleted');
      const webhooks = await until(async () => {
        await hurryDeliveries(app, tenant, endpoint.id);
        return receiver.on(endpoint.path);
      }, isBoth);
      const later = webhooks.slice(1);
      expect(later.find(({ id }) => id === first?.id)?.body.data).toMatchObject({ leadId, lead: null, message: null });
      expect(later.find(({ body }) => body.type === 'lead.deleted')?.body.data).toMatchObject({ leadId, lead: null });
      const text = later.map(({ bytes }) => bytes.toString()).join();
      for (const personal of [from, 'something private']) expect(text).not.toContain(personal);
    });

    test('with the secret before beside the present one, while that is to sign', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      const rotate = async (graceSeconds: number) =>
        (await query(app, tenant.admin, RotateWebhookEndpointSecretDocument, { id: endpoint.id, graceSeconds }))
          .rotateWebhookEndpointSecret;
      const second = await rotate(600);
      expect(second.endpoint.previousSecretUntil).not.toBeNull();
      await receive(app, tenant, plainNumber());
      const [both] = await arrived(endpoint.path);
      expect([second.secret, endpoint.secret].map((secret) => verified(both!, secret))).toEqual(
        both!.signatures.map((signature) => [signature]),
      );
      const third = await rotate(0);
      expect(third.endpoint.previousSecretUntil).toBeNull();
      await receive(app, tenant, plainNumber());
      const [, one] = await arrived(endpoint.path, 2);
      expect([third.secret, second.secret, endpoint.secret].map((secret) => verified(one!, secret).length)).toEqual([
        1, 0, 0,
      ]);
      expect(one?.signatures).toHaveLength(1);
    });
  });

  describe('what fails', () => {
    beforeAll(renewTenant);

    test('is tried again under the same id, later each time, and no sooner than the endpoint asks for', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      receiver.answer(endpoint.path, failing);
      await receive(app, tenant, plainNumber());
      const first = await settled(endpoint.id, ({ lastStatus }) => lastStatus === 500);
      expect(first).toMatchObject({ state: 'PENDING', attemptCount: 1, lastError: 'The endpoint answered 500.' });
      expect((await endpointOf(endpoint))?.failingSince).not.toBeNull();
      receiver.answer(endpoint.path, answering(429, { 'retry-after': '3000' }));
      await hurryDeliveries(app, tenant, endpoint.id);
      const second = await settled(endpoint.id, ({ lastStatus }) => lastStatus === 429);
      expect(second?.attemptCount).toBe(2);
      expect(Date.parse(second!.nextAttemptAt!) - Date.parse(second!.lastAttemptAt!)).toBeGreaterThanOrEqual(3_000_000);
      receiver.answer(endpoint.path, answering(204));
      await hurryDeliveries(app, tenant, endpoint.id);
      const last = await settled(endpoint.id, ({ state }) => state === 'DELIVERED');
      expect(last).toMatchObject({ id: first?.id, attemptCount: 3, lastStatus: 204, lastError: null });
      expect((await endpointOf(endpoint))?.failingSince).toBeNull();
      const webhooks = receiver.on(endpoint.path);
      expect(new Set(webhooks.map(({ id }) => id)).size).toBe(1);
      for (const webhook of webhooks) expect(verified(webhook, endpoint.secret)).toHaveLength(1);
    });

    test('ten times has failed; replayed, it is tried as often again', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      receiver.answer(endpoint.path, failing);
      for (let count = 0; count < 2; count += 1) await receive(app, tenant, plainNumber());
      const listed = (isDone: (states: string[]) => boolean) =>
        until(
          () => listDeliveries(app, tenant, { endpointId: endpoint.id }),
          (deliveries) =>
            deliveries.length === 2 && isDone(deliveries.map(({ state, lastStatus }) => `${state} ${lastStatus}`)),
        );
      await listed((states) => states.every((state) => state === 'PENDING 500'));
      await app.sql('UPDATE endpoint_deliveries SET attempt_count = 9 WHERE endpoint_id = $1', [endpoint.id]);
      await hurryDeliveries(app, tenant, endpoint.id);
      const given = await listed((states) => states.every((state) => state === 'FAILED 500'));
      expect(given.map(({ attemptCount, nextAttemptAt }) => [attemptCount, nextAttemptAt])).toEqual([
        [10, null],
        [10, null],
      ]);
      const [one, other] = given.map(({ id }) => id);
      const { replayEndpointDelivery } = await query(app, tenant.admin, ReplayEndpointDeliveryDocument, { id: one! });
      expect(replayEndpointDelivery.state).toBe('PENDING');
      const read = async (id: string) =>
        (await query(app, tenant.admin, EndpointDeliveryDocument, { id })).endpointDelivery;
      const isAnswered = ({
        lastAttemptAt,
        nextAttemptAt,
      }: {
        lastAttemptAt: string | null;
        nextAttemptAt: string | null;
      }) => Date.parse(nextAttemptAt ?? '') - Date.parse(lastAttemptAt ?? '') >= 3_600_000;
      const again = await until(
        () => read(one!),
        (delivery) => delivery?.attemptCount === 11 && (delivery.state !== 'PENDING' || isAnswered(delivery)),
      );
      expect(again?.state).toBe('PENDING');
      receiver.answer(endpoint.path, answering(204));
      const since = { endpointId: endpoint.id, since: new Date(0).toISOString() };
      const later = { endpointId: endpoint.id, since: new Date(Date.now() + 3_600_000).toISOString() };
      const replay = async (variables: typeof since) =>
        (await query(app, tenant.admin, ReplayFailedEndpointDeliveriesDocument, variables))
          .replayFailedEndpointDeliveries;
      expect(await replay(later)).toBe(0);
      expect(await replay(since)).toBe(1);
      await until(
        () => read(other!),
        (delivery) => delivery?.state === 'DELIVERED',
      );
      await hurryDeliveries(app, tenant, endpoint.id);
      await listed((states) => states.every((state) => state === 'DELIVERED 204'));
      // A delivered event can be had again, as when the integrator has lost it.
      const before = receiver.on(endpoint.path).length;
      await query(app, tenant.admin, ReplayEndpointDeliveryDocument, { id: one! });
      const webhooks = await arrived(endpoint.path, before + 1);
      expect(webhooks.at(-1)?.id).toBe(one);
      const { auditLog } = await query(app, tenant.admin, AuditLogDocument, {
        filter: { action: 'WEBHOOK_ENDPOINT_REPLAYED' },
      });
      expect(auditLog.edges).toHaveLength(4);
    });

    test('with 410 disables the endpoint at once; enabled again, it gets what happened meanwhile', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      receiver.answer(endpoint.path, answering(410));
      await receive(app, tenant, plainNumber());
      const gone = await settled(endpoint.id, ({ state }) => state === 'FAILED');
      expect(gone).toMatchObject({ lastStatus: 410, lastError: expect.stringMatching(/gone/) });
      expect(await endpointOf(endpoint)).toMatchObject({ isEnabled: false, disabledReason: 'GONE' });
      const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter: { targetId: endpoint.id } });
      expect(auditLog.edges[0]?.node).toMatchObject({ action: 'WEBHOOK_ENDPOINT_DISABLED', actorKind: 'SYSTEM' });
      const refused = await execute(app, tenant.admin, PingWebhookEndpointDocument, { id: endpoint.id });
      expect(failureOf(refused).code).toBe('CONFLICT');
      expect(failureOf(await execute(app, tenant.admin, ReplayEndpointDeliveryDocument, { id: gone!.id })).code).toBe(
        'CONFLICT',
      );
      receiver.answer(endpoint.path, answering(204));
      await receive(app, tenant, plainNumber(), 'meanwhile');
      const input = { isEnabled: true };
      const { updateWebhookEndpoint } = await query(app, tenant.admin, UpdateWebhookEndpointDocument, {
        id: endpoint.id,
        input,
      });
      expect(updateWebhookEndpoint).toMatchObject({
        isEnabled: true,
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
      });
      const [, second] = await arrived(endpoint.path, 2);
      expect(second?.body.data['message']).toMatchObject({ body: 'meanwhile' });
    });

    test('with 410 at an address that was replaced meanwhile is tried again at the new one', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      const held: Parameters<Answer>[0][] = [];
      receiver.answer(endpoint.path, (response) => void held.push(response));
      await receive(app, tenant, plainNumber());
      await until(
        () => held.length,
        (count) => count === 1,
      );
      const path = `/${randomUUID()}`;
      const input = { url: `${receiver.url}${path}` };
      await query(app, tenant.admin, UpdateWebhookEndpointDocument, { id: endpoint.id, input });
      for (const response of held) response.writeHead(410).end();
      const failed = await settled(endpoint.id, ({ lastStatus }) => lastStatus === 410);
      expect(failed?.state).toBe('PENDING');
      expect(await endpointOf(endpoint)).toMatchObject({ isEnabled: true, disabledReason: null });
      await hurryDeliveries(app, tenant, endpoint.id);
      const [webhook] = await arrived(path);
      expect(webhook?.id).toBe(failed?.id);
    });

    test('for three days disables the endpoint; what waits is posted once it is enabled', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      receiver.answer(endpoint.path, failing);
      await receive(app, tenant, plainNumber());
      await settled(endpoint.id, ({ lastStatus }) => lastStatus === 500);
      expect(await endpointOf(endpoint)).toMatchObject({ isEnabled: true });
      await app.sql("UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours' WHERE id = $1", [
        endpoint.id,
      ]);
      await hurryDeliveries(app, tenant, endpoint.id);
      await until(
        () => endpointOf(endpoint),
        (found) => found?.disabledReason === 'FAILING',
      );
      receiver.answer(endpoint.path, answering(204));
      await query(app, tenant.admin, UpdateWebhookEndpointDocument, { id: endpoint.id, input: { isEnabled: true } });
      await hurryDeliveries(app, tenant, endpoint.id);
      await settled(endpoint.id, ({ state }) => state === 'DELIVERED');
    });

    test('with a deleted endpoint is over, and says so', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      receiver.answer(endpoint.path, failing);
      await receive(app, tenant, plainNumber());
      await settled(endpoint.id, ({ lastStatus }) => lastStatus === 500);
      await query(app, tenant.admin, DeleteWebhookEndpointDocument, { id: endpoint.id });
      const [delivery] = await listDeliveries(app, tenant, { endpointId: endpoint.id, states: ['FAILED'] });
      expect(delivery).toMatchObject({
        endpointId: endpoint.id,
        endpoint: null,
        lastError: 'The endpoint was deleted.',
      });
      const replayed = await execute(app, tenant.admin, ReplayEndpointDeliveryDocument, { id: delivery!.id });
      expect(failureOf(replayed).code).toBe('CONFLICT');
      const [left] = await app.sql(
        'SELECT secret_ciphertext, previous_secret_ciphertext FROM webhook_endpoints WHERE id = $1',
        [endpoint.id],
      );
      expect(left).toEqual({ secret_ciphertext: null, previous_secret_ciphertext: null });
    });

    test('delays nobody else: an endpoint that hangs has a few posts under way, and another gets all of its own', async () => {
      const [hanging, quick] = [
        await createEndpoint(app, tenant, receiver.url),
        await createEndpoint(app, tenant, receiver.url),
      ];
      receiver.answer(hanging.path, receiver.hang);
      const numbers = Array.from({ length: 20 }, plainNumber);
      await Promise.all(numbers.map((number) => receive(app, tenant, number)));
      expect(new Set((await arrived(quick.path, 20)).map(({ id }) => id)).size).toBe(20);
      await until(
        () => receiver.on(hanging.path).length,
        (count) => count >= 8,
      );
      expect(receiver.hanging).toBeLessThanOrEqual(8);
      receiver.answer(hanging.path, answering(204));
      receiver.letGo();
      const taken = await until(
        () => listDeliveries(app, tenant, { endpointId: hanging.id, states: ['DELIVERED'] }),
        (deliveries) => deliveries.length === 20,
      );
      expect(taken).toHaveLength(20);
    });
  });

  describe('nothing is lost', () => {
    beforeAll(renewTenant);

    test('what a worker had claimed when it died is posted again, under the same id', async () => {
      const endpoint = await createEndpoint(app, tenant, receiver.url);
      receiver.answer(endpoint.path, failing);
      await receive(app, tenant, plainNumber());
      await settled(endpoint.id, ({ lastStatus }) => lastStatus === 500);
      receiver.answer(endpoint.path, answering(204));
      // Simulates a claim whose lease has ended.
      await app.sql(
        'UPDATE endpoint_deliveries SET attempt_count = 2, due_at = now(), lease_until = now() WHERE endpoint_id = $1',
        [endpoint.id],
      );
      // Nothing wakes the dispatcher: it finds the delivery by itself.
      const delivery = await settled(endpoint.id, ({ state }) => state === 'DELIVERED');
      expect(delivery?.attemptCount).toBe(3);
      expect(new Set(receiver.on(endpoint.path).map(({ id }) => id))).toEqual(new Set([delivery?.id]));
    });

    /** Creates deliveries of a tenant that no dispatcher knows. */
    async function createQuiet(count: number): Promise<{ tenantId: string; endpointId: string }> {
      const slug = `quiet-${randomUUID()}`;
      const { id: tenantId } = await app.app.services.tenantCreation.create(serviceOperator, { name: slug, slug });
      const endpointId = randomUUID();
      await app.sql(
        `INSERT INTO webhook_endpoints (tenant_id, id, url, event_types, position_seq, is_enabled)
       SELECT $1, $2, 'https://hooks.example', '{LEAD_UPDATED,MESSAGE_RECEIVED}', coalesce(max(last_seq), 0), true
       FROM event_heads WHERE tenant_id = $1`,
        [tenantId, endpointId],
      );
      await app.sql('UPDATE tenants SET is_active = false WHERE id = $1', [tenantId]);
      await app.sql(
        `WITH head AS (
         INSERT INTO event_heads AS h (tenant_id, last_seq) VALUES ($1, $2)
         ON CONFLICT (tenant_id) DO UPDATE SET last_seq = h.last_seq + $2 RETURNING last_seq - $2 AS before
       )
       INSERT INTO events (tenant_id, seq, type)
       SELECT $1, before + n, CASE n % 3 WHEN 0 THEN 'LEAD_READ' ELSE 'LEAD_UPDATED' END FROM head, generate_series(1, $2) n`,
        [tenantId, count],
      );
      return { tenantId, endpointId };
    }

    const fed = async (endpointId: string) =>
      (
        await app.sql<{ seq: string }>(
          'SELECT event_seq AS seq FROM endpoint_deliveries WHERE endpoint_id = $1 ORDER BY id',
          [endpointId],
        )
      ).map(({ seq }) => Number(seq));

    const eventsOf = async (tenantId: string) =>
      (
        await app.sql<{ seq: string }>(
          "SELECT seq FROM events WHERE tenant_id = $1 AND type = 'LEAD_UPDATED' ORDER BY seq",
          [tenantId],
        )
      ).map(({ seq }) => Number(seq));

    test('by processes that read the log at once, and die in between: each event is one delivery, in order', async () => {
      const { tenantId, endpointId } = await createQuiet(2_000);
      const { database } = app.app.services;
      let failures = 0;
      const mortal = {
        transaction: (work: Parameters<typeof database.transaction>[0]) =>
          database.transaction(async (sql) => {
            const result = await work({
              query: async (statement, values) => {
                const rows = await sql.query<never>(statement, values);
                if (typeof statement !== 'string' && statement.name === 'insert-endpoint-deliveries' && failures < 3) {
                  failures += 1;
                  throw new Error('the process died');
                }
                return rows;
              },
            });
            return result;
          }),
      } as typeof database;
      const dying = new EndpointFeedService({ database: mortal });
      for (let count = 0; count < 3; count += 1) await expect(dying.feed(tenantId)).rejects.toThrow('the process died');
      expect(await fed(endpointId)).toEqual([]);
      const feeds = [1, 2, 3].map(() => new EndpointFeedService({ database }));
      const wanted = await eventsOf(tenantId);
      for (let done = false; !done;) {
        await Promise.all(feeds.map((feed) => feed.feed(tenantId)));
        done = (await fed(endpointId)).length >= wanted.length;
      }
      await Promise.all(feeds.map((feed) => feed.feed(tenantId)));
      expect(await fed(endpointId)).toEqual(wanted);
    });

    test('where too much waits, the log keeps the rest', async () => {
      const { tenantId, endpointId } = await createQuiet(10);
      const feed = new EndpointFeedService({ database: app.app.services.database, maxPending: 3 });
      const wanted = await eventsOf(tenantId);
      expect(await feed.feed(tenantId)).toBe(false);
      expect(await feed.feed(tenantId)).toBe(false);
      expect(await fed(endpointId)).toEqual(wanted.slice(0, 3));
      for (let round = 0; round < 3; round += 1) {
        await app.sql("UPDATE endpoint_deliveries SET state = 'DELIVERED', due_at = NULL WHERE endpoint_id = $1", [
          endpointId,
        ]);
        await feed.feed(tenantId);
      }
      expect(await fed(endpointId)).toEqual(wanted);
    });

    test('what is given back before its first attempt keeps its turn, and is given back once', async () => {
      const { tenantId, endpointId } = await createQuiet(10);
      const { database } = app.app.services;
      await new EndpointFeedService({ database }).feed(tenantId);
      const inTurn = async () =>
        (
          await app.sql<{ id: string }>(
            'SELECT id FROM endpoint_deliveries WHERE endpoint_id = $1 ORDER BY due_at, id',
            [endpointId],
          )
        ).map(({ id }) => id);
      const fedIds = await inTurn();
      const claimed = fedIds.slice(0, 2);
      // Simulates a claim of the first two deliveries.
      await app.sql(
        `UPDATE endpoint_deliveries SET attempt_count = 1, lease_until = now() + interval '1 minute',
         due_at = now() + interval '1 minute' WHERE id = ANY($1::uuid[])`,
        [claimed],
      );
      expect(await inTurn()).not.toEqual(fedIds);
      for (let time = 0; time < 2; time += 1) await database.query(releaseDeliveries, [tenantId, claimed, [1, 1]]);
      expect(await inTurn()).toEqual(fedIds);
      const attempts = await app.sql(
        'SELECT DISTINCT attempt_count AS count FROM endpoint_deliveries WHERE endpoint_id = $1',
        [endpointId],
      );
      expect(attempts).toEqual([{ count: 0 }]);
    });

    test('one endpoint that is far behind keeps no other from what is new', async () => {
      const { tenantId, endpointId: behind } = await createQuiet(1_800);
      const endpointId = randomUUID();
      await app.sql(
        `INSERT INTO webhook_endpoints (tenant_id, id, url, event_types, position_seq, is_enabled)
       SELECT tenant_id, $2, url, event_types, 1795, true FROM webhook_endpoints WHERE id = $1`,
        [behind, endpointId],
      );
      const wanted = await eventsOf(tenantId);
      const feed = new EndpointFeedService({ database: app.app.services.database });
      expect(await feed.feed(tenantId)).toBe(true);
      expect(await fed(endpointId)).toEqual(wanted.filter((seq) => seq > 1_795));
      expect(await fed(behind)).toEqual(wanted.slice(0, 500));
      while (await feed.feed(tenantId));
      expect(await fed(behind)).toEqual(wanted);
      expect(await fed(endpointId)).toEqual(wanted.filter((seq) => seq > 1_795));
    });

    test('what is removed from the log while it is read is reported', async () => {
      const { tenantId, endpointId } = await createQuiet(10);
      const wanted = await eventsOf(tenantId);
      const { database } = app.app.services;
      const overtaken = {
        transaction: (work: Parameters<typeof database.transaction>[0]) =>
          database.transaction((sql) =>
            work({
              query: async (statement, values) => {
                if (typeof statement !== 'string' && statement.name === 'select-fed-events')
                  await app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq < $2', [tenantId, wanted[3]]);
                return sql.query<never>(statement, values);
              },
            }),
          ),
      } as typeof database;
      await new EndpointFeedService({ database: overtaken }).feed(tenantId);
      expect(await fed(endpointId)).toEqual([wanted[3]! - 1, ...wanted.slice(3)]);
    });

    test('where the database has lost what an endpoint got, the endpoint is told once, before what follows', async () => {
      const { tenantId, endpointId } = await createQuiet(10);
      const feed = new EndpointFeedService({ database: app.app.services.database });
      await feed.feed(tenantId);
      const fedBefore = await fed(endpointId);
      // The database is that of two deliveries ago.
      const kept = fedBefore.at(-3)!;
      await app.sql('DELETE FROM endpoint_deliveries WHERE endpoint_id = $1 AND event_seq > $2', [endpointId, kept]);
      await app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq > $2', [tenantId, kept]);
      await app.sql('UPDATE event_heads SET last_seq = $2::bigint + 1 WHERE tenant_id = $1', [tenantId, kept]);
      await app.sql('UPDATE webhook_endpoints SET position_seq = $2 WHERE id = $1', [endpointId, kept]);
      await app.sql("INSERT INTO events (tenant_id, seq, type) VALUES ($1, $2::bigint + 1, 'LEAD_UPDATED')", [
        tenantId,
        kept,
      ]);
      for (let time = 0; time < 2; time += 1) await feed.feed(tenantId);
      const types = await app.sql<{ type: string; seq: string }>(
        'SELECT type, event_seq AS seq FROM endpoint_deliveries WHERE endpoint_id = $1 AND event_seq >= $2 ORDER BY id',
        [endpointId, kept],
      );
      expect(types.map(({ type, seq }) => [type, Number(seq)])).toEqual([
        ['LEAD_UPDATED', kept],
        ['RESYNC_REQUIRED', kept],
        ['LEAD_UPDATED', kept + 1],
      ]);
    });

    test('where the log does not reach back any more, the endpoint is told, and what follows is whole', async () => {
      const { tenantId, endpointId } = await createQuiet(10);
      const wanted = await eventsOf(tenantId);
      await app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq < $2', [tenantId, wanted[3]]);
      const feed = new EndpointFeedService({ database: app.app.services.database });
      await feed.feed(tenantId);
      const types = await app.sql<{ type: string }>(
        'SELECT type FROM endpoint_deliveries WHERE endpoint_id = $1 ORDER BY id',
        [endpointId],
      );
      expect(types.map(({ type }) => type)).toEqual(['RESYNC_REQUIRED', ...wanted.slice(3).map(() => 'LEAD_UPDATED')]);
      expect((await fed(endpointId)).slice(1)).toEqual(wanted.slice(3));
      await app.sql('DELETE FROM events WHERE tenant_id = $1', [tenantId]);
      await app.sql('UPDATE event_heads SET last_seq = last_seq + 5 WHERE tenant_id = $1', [tenantId]);
      await feed.feed(tenantId);
      await feed.feed(tenantId);
      expect(
        await app.sql("SELECT FROM endpoint_deliveries WHERE endpoint_id = $1 AND type = 'RESYNC_REQUIRED'", [
          endpointId,
        ]),
      ).toHaveLength(2);
    });
  });
}
