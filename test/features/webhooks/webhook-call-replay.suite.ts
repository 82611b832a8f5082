// A call of the journal is run again, with the same effects and whatever its signature. Effects that were there already do not come again.

import { randomInt, randomUUID } from 'node:crypto';
import { execute, query } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  ReplayWebhookDeliveryDocument,
  type DeliveryFieldsFragment,
  type WebhookDeliveryFilter,
} from '../../support/operations.js';
import { platformOf, sharedApp } from '../../support/shared-app.js';
import { serviceOperator, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  inboundPath,
  postWebhook,
  readJournal,
  signatureOf,
  someMessage,
  statusPath,
  webhookSecret,
} from './journal-harness.js';

export function describeWebhookCallReplay(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let stranger: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ CHAT_WEBHOOK_SECRET: webhookSecret });
    // The ADMINs of the platform tenant see other tenants.
    stranger = await platformOf(app);
    tenant = await app.createTenant();
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    postWebhook(app, tenant, path, body, headers);
  const journal = (filter: WebhookDeliveryFilter = {}) => readJournal(app, tenant, filter);

  async function replay({ id }: { id: string }): Promise<DeliveryFieldsFragment> {
    return (await query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id })).replayWebhookDelivery;
  }

  async function failedReplay(id: string, of = tenant): Promise<string | undefined> {
    const { errors } = await execute(app, of.admin, ReplayWebhookDeliveryDocument, { id });
    return errors?.[0]?.extensions.code;
  }

  /** The number of rows of the tenant. */
  async function count(table: 'messages' | 'webhook_deliveries' | 'audit_entries'): Promise<number> {
    const text = `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`;
    const [row] = await app.sql<{ count: number }>(text, [tenant.id]);
    return row?.count ?? 0;
  }

  async function messageCount({ messageId }: { messageId: string }): Promise<number> {
    const rows = await app.sql('SELECT FROM messages WHERE tenant_id = $1 AND external_id = $2', [
      tenant.id,
      messageId,
    ]);
    return rows.length;
  }

  test('of an inbound message records nothing twice', async () => {
    const message = someMessage();
    const entry = await post(inboundPath, message);
    const again = await replay(entry);
    const [{ messageId, leadId }] = (entry.result as { results: [{ messageId: string; leadId: string }] }).results;
    expect(again).toMatchObject({
      route: inboundPath,
      dialect: 'NEUTRAL',
      headers: { 'content-type': 'application/json' },
      body: entry.body,
      outcome: 'PROCESSED',
      result: { accepted: 1, results: [{ messageId, leadId, duplicate: true }] },
      replayOfId: entry.id,
      replayOf: { id: entry.id, outcome: 'PROCESSED' },
    });
    expect(await messageCount(message)).toBe(1);
  });

  test('of what was refused takes it in once it can be: many at the same moment, once', async () => {
    const message = { ...someMessage(), instance: 'a later instance' };
    const entry = await post(inboundPath, message);
    expect(entry).toMatchObject({ outcome: 'REFUSED', reason: expect.stringContaining('instance') });
    await app.sql("UPDATE chat_instances SET instance_name = 'a later instance' WHERE tenant_id = $1", [tenant.id]);
    const replays = await Promise.all(Array.from({ length: 20 }, () => replay(entry)));
    const duplicates = replays.map(
      ({ result }) => (result as { results: [{ duplicate: boolean }] }).results[0].duplicate,
    );
    expect(duplicates.filter((duplicate) => !duplicate)).toHaveLength(1);
    expect(await messageCount(message)).toBe(1);
  });

  test('overrules a wrong signature', async () => {
    const message = someMessage();
    const entry = await post(inboundPath, message, { 'x-signature': signatureOf('{}', 'another secret') });
    expect(entry.reason).toMatch(/^SIGNATURE_INVALID/);
    expect(await messageCount(message)).toBe(0);
    expect(await replay(entry)).toMatchObject({ outcome: 'PROCESSED', reason: null });
    expect(await messageCount(message)).toBe(1);
  });

  test('of what is still wrong gives the new entry, refused', async () => {
    const entry = await post(inboundPath, { ...someMessage(), from: 'nobody' });
    const again = await replay(entry);
    expect(again).toMatchObject({ outcome: 'REFUSED', reason: entry.reason, replayOfId: entry.id, body: entry.body });
    expect(await journal({ troubled: true, replayOfId: entry.id })).toEqual([again]);
  });

  test('of what was no JSON says so again', async () => {
    const entry = await post(inboundPath, '{"messageId":');
    expect(await replay(entry)).toMatchObject({ outcome: 'REFUSED', reason: entry.reason, dialect: null });
    const typed = await post(inboundPath, someMessage(), { 'content-type': 'text/plain' });
    expect(typed.reason).toMatch(/^UNSUPPORTED_MEDIA_TYPE/);
    expect(await replay(typed)).toMatchObject({ outcome: 'REFUSED', reason: typed.reason });
  });

  test.each([
    ['/public/leads', 'public'],
    ['/webhooks/leads', 'webhook'],
  ])('of a call of %s is read as it was: source %s', async (path, source) => {
    const entry = await post(path, { chat: `+55 11 9${randomInt(60_000_000, 99_999_999)}` });
    const again = await replay(entry);
    expect(entry.result).toMatchObject({ created: true, source });
    expect(again.result).toEqual({ ...(entry.result as object), created: false });
    const { id } = entry.result as { id: string };
    await app.sql('DELETE FROM leads WHERE tenant_id = $1 AND id = $2', [tenant.id, id]);
    expect(await replay(entry)).toMatchObject({ result: { created: true, source } });
  });

  test('of a status whose message is known since applies it', async () => {
    const externalId = randomUUID();
    const entry = await post(statusPath, { messageId: externalId, status: 'FAILED' });
    expect(entry).toMatchObject({ result: { results: [{ outcome: 'parked' }] } });
    const sent = await post(inboundPath, someMessage());
    const [{ messageId }] = (sent.result as { results: [{ messageId: string }] }).results;
    await app.sql(
      "UPDATE messages SET direction = 'OUTBOUND', status = 'SENT', received_at = NULL, external_id = $2 WHERE id = $1",
      [messageId, externalId],
    );
    const results = [{ messageId, externalId, outcome: 'applied' }];
    expect(await replay(entry)).toMatchObject({ dialect: 'NEUTRAL', result: { results } });
    expect(await replay(entry)).toMatchObject({ result: { results: [{ ...results[0], outcome: 'ignored' }] } });
  });

  test('of an event whose path names it is read as that event', async () => {
    const path = '/webhooks/chat/gateway/connection-update';
    const entry = await post(path, { instance: 'another instance', data: { state: 'open' } });
    expect(entry).toMatchObject({ route: path, dialect: 'EVOLUTION', outcome: 'REFUSED' });
    await app.sql("UPDATE chat_instances SET instance_name = 'another instance' WHERE tenant_id = $1", [tenant.id]);
    expect(await replay(entry)).toMatchObject({ route: path, dialect: 'EVOLUTION', outcome: 'PROCESSED' });
  });

  test("of a call of Evolution's, of whose body the gateway's key was not kept", async () => {
    const body = { event: 'connection.update', instance: 'elsewhere', apikey: 'a live key', data: { state: 'open' } };
    const entry = await post(inboundPath, body);
    expect(entry).toMatchObject({ dialect: 'EVOLUTION', outcome: 'REFUSED', isBodyComplete: true });
    expect(entry.body).not.toContain('a live key');
    await app.sql("UPDATE chat_instances SET instance_name = 'elsewhere' WHERE tenant_id = $1", [tenant.id]);
    expect(await replay(entry)).toMatchObject({ dialect: 'EVOLUTION', outcome: 'PROCESSED' });
  });

  test("of a call of WAHA's, whose signature was wrong", async () => {
    const instance = { instanceName: 'waha', provider: 'waha', webhookSecret: 'the WAHA key'.replaceAll(' ', '-') };
    const input = { accountId: tenant.admin.accountId, ...instance };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    await app.app.services.chatInstances.create(serviceOperator, input, place);
    const payload = { id: 'false_5511988887777@c.us_3EB0AA', from: '5511988887777@c.us', body: 'Oi' };
    const entry = await post(inboundPath, { event: 'message.any', session: 'waha', payload });
    expect(entry).toMatchObject({
      dialect: null,
      outcome: 'REFUSED',
      reason: expect.stringContaining('X-Webhook-Hmac'),
    });
    const results = [expect.objectContaining({ duplicate: false })];
    expect(await replay(entry)).toMatchObject({ dialect: 'WAHA', outcome: 'PROCESSED', result: { results } });
  });

  test("of Meta's call for an instance is read for that instance, and refused for one that takes no such calls", async () => {
    const appSecret = 'the-secret-of-an-app';
    const instance = { accountId: tenant.admin.accountId, instanceName: 'cloud', webhookSecret: appSecret };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { id } = await app.app.services.chatInstances.create(serviceOperator, instance, place);
    const text = { id: 'wamid.1', from: '5511988887777', timestamp: '1773027345', type: 'text', text: { body: 'Oi' } };
    const value = { metadata: { phone_number_id: '1' }, messages: [text] };
    const body = { object: 'whatsapp_business_account', entry: [{ id: '0', changes: [{ field: 'messages', value }] }] };
    const signature = { 'x-hub-signature-256': signatureOf(JSON.stringify(body), appSecret) };
    const entry = await post(`/webhooks/chat/cloud/${id}`, body, signature);
    expect(entry).toMatchObject({ dialect: 'CLOUD', outcome: 'PROCESSED' });
    const [first] = (entry.result as { results: object[] }).results;
    const results = [{ ...first, duplicate: true }];
    expect(await replay(entry)).toMatchObject({ dialect: 'CLOUD', outcome: 'PROCESSED', result: { results } });
    const elsewhere = `/webhooks/chat/cloud/${tenant.instance.id}`;
    await app.sql('UPDATE webhook_deliveries SET route = $2 WHERE id = $1', [entry.id, elsewhere]);
    expect(await replay(entry)).toMatchObject({ outcome: 'REFUSED', reason: expect.stringMatching(/^CONFLICT/) });
  });

  test('of a route that nothing reads any more is refused with the reason', async () => {
    const entry = await post(inboundPath, someMessage());
    await app.sql("UPDATE webhook_deliveries SET route = '/webhooks/gone' WHERE id = $1", [entry.id]);
    expect(await replay(entry)).toMatchObject({
      outcome: 'REFUSED',
      reason: expect.stringContaining('/webhooks/gone'),
    });
  });

  test('can itself be run again; each call knows what ran it again', async () => {
    const entry = await post(inboundPath, someMessage());
    const [second, third] = [await replay(entry), await replay(entry)];
    const fourth = await replay(second);
    const original = (await journal()).find(({ id }) => id === entry.id);
    expect(original?.replays).toEqual([third, second].map(({ id, outcome }) => ({ id, outcome })));
    expect(fourth.replayOf?.id).toBe(second.id);
    const found = await journal({ replayOfId: entry.id });
    expect(found.map(({ id }) => id)).toEqual([third.id, second.id]);
  });

  test('knows that what it ran again is gone', async () => {
    const entry = await post(inboundPath, someMessage());
    const again = await replay(entry);
    await app.sql('DELETE FROM webhook_deliveries WHERE id = $1', [entry.id]);
    expect(await journal({ replayOfId: entry.id })).toMatchObject([
      { id: again.id, replayOfId: entry.id, replayOf: null },
    ]);
  });

  test('is audited with the entry that it makes', async () => {
    const entry = await post(inboundPath, { ...someMessage(), from: 'nobody' });
    const again = await replay(entry);
    const filter = { action: 'WEBHOOK_REPLAYED' as const, targetId: entry.id };
    const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { filter });
    expect(auditLog.edges.map(({ node }) => node)).toEqual([
      expect.objectContaining({
        actorKind: 'USER',
        actorId: tenant.admin.id,
        targetKind: 'WEBHOOK_DELIVERY',
        before: null,
        after: { replayId: again.id },
      }),
    ]);
  });

  test('of a call whose body was cut is CONFLICT, and leaves nothing behind', async () => {
    const entry = await post(inboundPath, { ...someMessage('x'.repeat(100_000)), from: 'nobody' });
    const before = [await count('webhook_deliveries'), await count('audit_entries')];
    expect(await failedReplay(entry.id)).toBe('CONFLICT');
    expect([await count('webhook_deliveries'), await count('audit_entries')]).toEqual(before);
  });

  test("of another tenant's call, an unknown one or no id at all is NOT_FOUND", async () => {
    const entry = await post(inboundPath, someMessage());
    const before = await count('webhook_deliveries');
    for (const [id, caller] of [
      [entry.id, stranger],
      [randomUUID(), tenant],
      ['x', tenant],
      ['', tenant],
    ] as const)
      expect(await failedReplay(id, caller)).toBe('NOT_FOUND');
    expect(await count('webhook_deliveries')).toBe(before);
  });

  test('that meets a fault is an error: it was audited before, and nothing else is written', async () => {
    const entry = await post(inboundPath, someMessage());
    const [deliveries, audited] = [await count('webhook_deliveries'), await count('audit_entries')];
    await app.sql('ALTER TABLE messages RENAME TO messages_away');
    try {
      expect(await failedReplay(entry.id)).toBe('INTERNAL');
    } finally {
      await app.sql('ALTER TABLE messages_away RENAME TO messages');
    }
    expect(await count('webhook_deliveries')).toBe(deliveries);
    expect(await count('audit_entries')).toBe(audited + 1);
    expect(await replay(entry)).toMatchObject({ outcome: 'PROCESSED' });
  });
}
