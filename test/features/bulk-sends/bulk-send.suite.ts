// Queueing bulk sends while no worker runs: all or nothing, once for each key, in their order, behind replies.

import { randomUUID } from 'node:crypto';
import type { RecipientInput, SendMessagesInput } from '../../../src/features/bulk-sends/bulk-send.schema.js';
import { BulkSendService } from '../../../src/features/bulk-sends/bulk-send.service.js';
import { BulkEnqueueService } from '../../../src/features/outbox/bulk-enqueue.service.js';
import { AppError } from '../../../src/platform/errors.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { after } from '../leads/lead-harness.js';
import { createTemplate, messagesOf, operatorOf, recipientsOf, storeLeads } from './bulk-harness.js';

export function describeBulkSend(): void {
  describeSends(2_000);
}

export function describeLargestBulkSend(): void {
  describeSends(10_000);
}

function describeSends(largest: number): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    // No worker runs, so queued messages stay in the queue.
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
  });

  const noProgress = { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0, canceled: 0 };
  const newKey = () => `key-${randomUUID()}`;

  function send(input: Partial<SendMessagesInput>, by = tenant) {
    const wanted = { recipients: [], idempotencyKey: newKey(), ...input };
    return app.app.services.bulkSends.send(operatorOf(by), wanted);
  }

  async function progressOf(id: string, by = tenant) {
    const rows = await app.app.services.bulkSends.listProgress(operatorOf(by), [id]);
    return rows[0]?.progress;
  }

  // Templates have events too, so only the events of messages count.
  const conditions = new Map([
    ['pgboss.job', "data->>'tenantId' = $1"],
    ['events', 'tenant_id = $1::uuid AND message_id IS NOT NULL'],
  ]);

  async function count(table: string, of = tenant): Promise<number> {
    const [row] = await app.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${conditions.get(table) ?? 'tenant_id = $1::uuid'}`,
      [of.id],
    );
    return row?.count ?? 0;
  }

  const written = [
    'bulk_sends',
    'messages',
    'message_status_transitions',
    'outbox_entries',
    'events',
    'pgboss.job',
  ] as const;

  async function countWritten(of = tenant): Promise<number[]> {
    const counts: number[] = [];
    for (const table of written) counts.push(await count(table, of));
    return counts;
  }

  test(`${largest.toLocaleString('en')} leads are queued in their order: message, transition, outbox, newest message, event, and one job`, async () => {
    const own = await app.createTenant();
    const leads = (await storeLeads(app, own, largest)).reverse();
    const templateId = await createTemplate(
      app,
      own,
      'Oi {{lead.firstName}} de {{lead.metadata.city}} ({{lead.customFields.plan}}), nº {{n}}',
    );
    const recipients = leads.map((leadId, n) => ({ leadId, variables: { n } }));
    const bulkSend = await send({ templateId, recipients }, own);
    expect(bulkSend).toMatchObject({ templateId, templateVersion: 1, instanceId: own.instance.id, canceledAt: null });
    expect(bulkSend).toMatchObject({ total: largest, authorId: own.operator.id });
    // Each message has two events: MESSAGE_CREATED and MESSAGE_STATUS_CHANGED.
    expect(await countWritten(own)).toEqual([1, largest, largest, largest, 2 * largest, 1]);
    expect(await progressOf(bulkSend.id, own)).toEqual({ ...noProgress, queued: largest });
    const messages = await messagesOf(app, bulkSend.id);
    expect(messages.map(({ leadId }) => leadId)).toEqual(leads);
    expect(messages.map(({ body }) => body)).toEqual(leads.map((_, n) => `Oi Ana de Recife (gold), nº ${n}`));
    expect(new Set(messages.map(({ status, priority }) => `${status} ${priority}`))).toEqual(new Set(['QUEUED 10']));
    const newest = await app.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM leads l JOIN messages m ON m.tenant_id = l.tenant_id AND m.id = l.last_bulk_message_id
     WHERE l.tenant_id = $1 AND l.last_message_id IS NULL AND m.lead_id = l.id AND m.bulk_send_id = $2 AND l.unread_count = 0`,
      [own.id, bulkSend.id],
    );
    expect(newest).toEqual([{ count: largest }]);
    const events = await app.sql<{ type: string; messageId: string; leadId: string; instanceId: string; data: object }>(
      `SELECT type, message_id AS "messageId", lead_id AS "leadId", instance_id AS "instanceId", data FROM events
       WHERE tenant_id = $1 AND message_id IS NOT NULL ORDER BY seq`,
      [own.id],
    );
    expect(events.map(({ messageId }) => messageId)).toEqual(messages.flatMap(({ id }) => [id, id]));
    const { id, leadId } = messages[0]!;
    const data = expect.objectContaining({ id, leadId, status: 'QUEUED', externalId: null, sentAt: null });
    const of = { messageId: id, leadId, data };
    const instanceId = own.instance.id;
    expect(events.slice(0, 2)).toEqual([
      { type: 'MESSAGE_CREATED', ...of, instanceId },
      { type: 'MESSAGE_STATUS_CHANGED', ...of, instanceId },
    ]);
  });

  describe('one key for the whole', () => {
    test('the same key with the same content gives the same bulk send, whatever has become of the template', async () => {
      const leads = await storeLeads(app, tenant, 2);
      const templateId = await createTemplate(app, tenant);
      const idempotencyKey = newKey();
      const variables = [
        { a: 'x', b: 1 },
        { b: '1', c: null, a: 'x' },
      ];
      const asked = (values: object) => ({
        templateId,
        idempotencyKey,
        recipients: leads.map((leadId) => ({ leadId, variables: { ...values } })),
      });
      const first = await send(asked(variables[0]!));
      const before = await countWritten();
      await app.app.services.templates.delete(operatorOf(tenant), templateId);
      const second = await send({ ...asked(variables[1]!), instanceId: null, sendAt: null });
      expect(second.id).toBe(first.id);
      expect(await countWritten()).toEqual(before);
    });

    test('simultaneous calls with one key queue it once', async () => {
      const recipients = recipientsOf(await storeLeads(app, tenant, 1_500));
      const templateId = await createTemplate(app, tenant);
      const idempotencyKey = newKey();
      const sent = await Promise.all(
        Array.from({ length: 5 }, () => send({ templateId, idempotencyKey, recipients: [...recipients] })),
      );
      const [id] = new Set(sent.map((bulkSend) => bulkSend.id));
      expect(sent.map((bulkSend) => bulkSend.id)).toEqual(sent.map(() => id));
      expect(await messagesOf(app, id!)).toHaveLength(1_500);
    });

    test('other content under the same key is CONFLICT, also at the same moment', async () => {
      const [one = '', two = ''] = await storeLeads(app, tenant, 2);
      const templateId = await createTemplate(app, tenant);
      const other = await createTemplate(app, tenant);
      const idempotencyKey = newKey();
      const asked: SendMessagesInput = { templateId, idempotencyKey, recipients: recipientsOf([one, two]) };
      await send(asked);
      const before = await countWritten();
      const changes: Partial<SendMessagesInput>[] = [
        { recipients: recipientsOf([two, one]) },
        { recipients: recipientsOf([one]) },
        { recipients: [{ leadId: one, variables: { a: 'x' } }, { leadId: two }] },
        { templateId: other },
        { instanceId: tenant.instance.id },
        { sendAt: new Date(Date.now() + 3_600_000) },
      ];
      for (const change of changes)
        await expect(send({ ...asked, ...change })).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await countWritten()).toEqual(before);
      const key = newKey();
      const race = await Promise.allSettled(
        [one, two].map((leadId) => send({ ...asked, idempotencyKey: key, recipients: [{ leadId }] })),
      );
      expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(race.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
    });

    test('another tenant may use the same key', async () => {
      const other = await app.createTenant();
      const idempotencyKey = newKey();
      for (const owner of [tenant, other]) {
        const recipients = recipientsOf(await storeLeads(app, owner, 1));
        await send({ templateId: await createTemplate(app, owner), recipients, idempotencyKey }, owner);
      }
      expect(await count('bulk_sends', other)).toBe(1);
    });
  });

  describe('refused before anything is queued', () => {
    async function refusalOf(input: Parameters<typeof send>[0]): Promise<Pick<AppError, 'code' | 'errors'>> {
      const before = await countWritten();
      const refusal = await send(input).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(refusal instanceof AppError)) throw new Error(`it was not refused: ${String(refusal)}`);
      expect(await countWritten()).toEqual(before);
      return refusal;
    }

    test('a lead without a value for a variable, each by name', async () => {
      const leads = await storeLeads(app, tenant, 1_203);
      const templateId = await createTemplate(app, tenant, '{{a}} {{b}} {{lead.metadata.street}} {{c | x}}');
      const recipients: RecipientInput[] = leads.map((leadId) => ({
        leadId,
        variables: { a: 1, b: 2, 'lead.metadata.street': 'x' },
      }));
      recipients[3] = { leadId: leads[3]!, variables: { b: 'x' } };
      recipients[1_202] = { leadId: leads[1_202]!, variables: null };
      const { code, errors } = await refusalOf({ templateId, recipients });
      expect(code).toBe('VALIDATION_FAILED');
      expect(errors?.map(({ path }) => path)).toEqual([
        'recipients.3.variables.a',
        'recipients.3.variables.lead.metadata.street',
        'recipients.1202.variables.a',
        'recipients.1202.variables.b',
        'recipients.1202.variables.lead.metadata.street',
      ]);
      expect(new Set(errors?.map(({ message }) => message))).toEqual(
        new Set([expect.stringMatching(/^is required/) as string]),
      );
    });

    test('of very many problems the first 100 are listed, and how many more there are', async () => {
      const leads = await storeLeads(app, tenant, 600);
      const templateId = await createTemplate(app, tenant, '{{a}} {{b}}');
      const { errors } = await refusalOf({ templateId, recipients: recipientsOf(leads) });
      expect(errors).toHaveLength(101);
      expect(errors?.[99]?.path).toBe('recipients.49.variables.b');
      expect(errors?.[100]).toEqual({ path: '', message: expect.stringMatching(/^1100 more/) });
      const wrongIds = recipientsOf(leads.map((_, index) => `x${index}`));
      const wrong = (await refusalOf({ templateId, recipients: wrongIds })).errors;
      expect([wrong?.length, wrong?.[0]?.path, wrong?.[100]?.message]).toEqual([
        101,
        'recipients.0.leadId',
        expect.stringMatching(/^500 more/),
      ]);
    });

    test('leads that are unknown, of another tenant, without a number or named twice', async () => {
      const other = await app.createTenant();
      const [foreign = ''] = await storeLeads(app, other, 1);
      const [one = '', two = '', three = '', numberless = ''] = await storeLeads(app, tenant, 4);
      await app.sql('UPDATE leads SET chat = NULL WHERE id = $1', [numberless]);
      await app.app.services.leadMerges.merge(operatorOf(tenant), three, two);
      const leads = [one, foreign, randomUUID(), numberless, two, one.toUpperCase(), three];
      const { code, errors } = await refusalOf({
        templateId: await createTemplate(app, tenant),
        recipients: recipientsOf(leads),
      });
      expect(code).toBe('VALIDATION_FAILED');
      expect(errors).toEqual([
        { path: 'recipients.1.leadId', message: 'there is no such lead' },
        { path: 'recipients.2.leadId', message: 'there is no such lead' },
        { path: 'recipients.3.leadId', message: 'this lead has no chat number yet' },
        { path: 'recipients.5.leadId', message: 'is the same lead as recipients.0.leadId' },
        { path: 'recipients.6.leadId', message: 'is the same lead as recipients.4.leadId' },
      ]);
    });

    test.each<[string, (leadId: string) => Partial<SendMessagesInput>, string[]]>([
      ['no recipients', () => ({ recipients: [] }), ['recipients']],
      ['10,001 recipients', (leadId) => ({ recipients: recipientsOf(Array(10_001).fill(leadId)) }), ['recipients']],
      ['no key', () => ({ idempotencyKey: ' ' }), ['idempotencyKey']],
      ['a key of 256 characters', () => ({ idempotencyKey: 'k'.repeat(256) }), ['idempotencyKey']],
      ['a time beyond a year', () => ({ sendAt: new Date('2099-01-01') }), ['sendAt']],
      ['no UUIDs', () => ({ templateId: 'x', instanceId: 'y' }), ['templateId', 'instanceId']],
      [
        'values of the wrong kind',
        (leadId) => ({ recipients: [{ leadId, variables: { a: {}, b: 'x'.repeat(1_001), c: 1 } }] }),
        ['recipients.0.variables.a', 'recipients.0.variables.b'],
      ],
      [
        'a text that is too long',
        (leadId) => ({
          recipients: [
            {
              leadId,
              variables: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(1_000)])),
            },
          ],
        }),
        ['recipients.0.variables'],
      ],
      [
        'an unknown field of a recipient',
        (leadId) => ({ recipients: [{ leadId, name: 'x' } as RecipientInput] }),
        ['recipients.0'],
      ],
    ])('%s', async (_, change, paths) => {
      const [leadId = ''] = await storeLeads(app, tenant, 1);
      const templateId = await createTemplate(app, tenant, '{{a|x}}{{b|x}}{{c|x}}{{d|x}}{{e|x}}');
      const { code, errors } = await refusalOf({ templateId, recipients: [{ leadId }], ...change(leadId) });
      expect({ code, paths: errors?.map(({ path }) => path) }).toEqual({ code: 'VALIDATION_FAILED', paths });
    });

    test('a template or an instance that the tenant has not', async () => {
      const other = await app.createTenant();
      const recipients = recipientsOf(await storeLeads(app, tenant, 1));
      const templateId = await createTemplate(app, tenant);
      for (const id of [await createTemplate(app, other), randomUUID()])
        expect(await refusalOf({ templateId: id, recipients })).toMatchObject({ code: 'NOT_FOUND' });
      for (const instanceId of [other.instance.id, randomUUID()])
        expect(await refusalOf({ templateId, recipients, instanceId })).toMatchObject({ code: 'NOT_FOUND' });
    });

    test('where the tenant has no instance at all', async () => {
      const bare = await app.createTenant();
      await app.sql('UPDATE chat_instances SET deleted_at = now(), is_default = false WHERE tenant_id = $1', [bare.id]);
      const recipients = recipientsOf(await storeLeads(app, bare, 1));
      const sending = send({ templateId: await createTemplate(app, bare), recipients }, bare);
      await expect(sending).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'instanceId' }] });
      expect(await count('bulk_sends', bare)).toBe(0);
    });
  });

  describe('scheduled', () => {
    const scheduleOf = (id: string) =>
      app.sql<{ scheduledFor: Date | null; scheduledAt: Date | null }>(
        `SELECT m.scheduled_for AS "scheduledFor", o.scheduled_at AS "scheduledAt" FROM messages m
       JOIN outbox_entries o ON o.tenant_id = m.tenant_id AND o.message_id = m.id WHERE m.bulk_send_id = $1`,
        [id],
      );

    test('it waits for its time; a time that is past is none', async () => {
      const recipients = recipientsOf(await storeLeads(app, tenant, 1));
      const templateId = await createTemplate(app, tenant);
      const later = new Date(Date.now() + 3_600_000);
      const { id, scheduledFor } = await send({ templateId, recipients, sendAt: later });
      expect(scheduledFor).toEqual(later);
      expect(await scheduleOf(id)).toEqual([{ scheduledFor: later, scheduledAt: later }]);
      const past = await send({ templateId, recipients, sendAt: new Date(0) });
      expect(past.scheduledFor).toBeNull();
      expect(await scheduleOf(past.id)).toEqual([{ scheduledFor: null, scheduledAt: null }]);
    });
  });

  describe('what happens at the same moment', () => {
    /** Bulk sends in whose transaction `interrupt` runs once, after the statement of this name. */
    function interrupted(statement: string, interrupt: () => Promise<unknown>): BulkSendService {
      const { database, notifier, queue, templates, channelTemplates, leads, chatInstances, consent } =
        app.app.services;
      const bulkEnqueue = new BulkEnqueueService({ queue, leads, chatInstances });
      const transactor = new Transactor(database, notifier);
      const run = transactor.run.bind(transactor);
      transactor.run = (tenantId, work) => run(tenantId, (tx) => work(after(tx, statement, interrupt)));
      return new BulkSendService({ database, transactor, templates, channelTemplates, consent, bulkEnqueue });
    }

    test('a lead that is merged meanwhile: its message is the survivor’s', async () => {
      const own = await app.createTenant();
      const [one = '', two = '', three = ''] = await storeLeads(app, own, 3);
      const { leadMerges } = app.app.services;
      const merge = () => leadMerges.merge(operatorOf(own), two, three);
      const input = { templateId: await createTemplate(app, own), recipients: recipientsOf([one, two]) };
      const service = interrupted('insert-queued-texts', merge);
      const { id } = await service.send(operatorOf(own), { ...input, idempotencyKey: newKey() });
      const messages = await messagesOf(app, id);
      expect(messages.map(({ leadId }) => leadId)).toEqual([one, three]);
      const events = await app.sql<{ leadId: string }>(
        `SELECT lead_id AS "leadId" FROM events WHERE tenant_id = $1 AND type = 'MESSAGE_STATUS_CHANGED' ORDER BY seq`,
        [own.id],
      );
      expect(events.map(({ leadId }) => leadId)).toEqual([one, three]);
      const [survivor] = await app.sql(
        'SELECT last_message_id AS id, last_bulk_message_id AS "bulkId" FROM leads WHERE id = $1',
        [three],
      );
      expect(survivor).toEqual({ id: null, bulkId: messages[1]?.id });
    });

    test('a reply that is accepted meanwhile does not wait for the whole bulk', async () => {
      const own = await app.createTenant();
      const leads = await storeLeads(app, own, 3);
      const { messageSend } = app.app.services;
      const reply = () => messageSend.send(operatorOf(own), { leadId: leads[1]!, body: 'Oi' });
      const input = { templateId: await createTemplate(app, own), recipients: recipientsOf(leads) };
      const service = interrupted('insert-queued-texts', reply);
      const { id } = await service.send(operatorOf(own), { ...input, idempotencyKey: newKey() });
      expect((await messagesOf(app, id)).map(({ priority }) => priority)).toEqual([10, 0, 10]);
    });

    test('an instance that is being deleted takes none', async () => {
      const own = await app.createTenant();
      const recipients = recipientsOf(await storeLeads(app, own, 1));
      const input = { templateId: await createTemplate(app, own), recipients, idempotencyKey: newKey() };
      const remove = () => app.sql('UPDATE chat_instances SET deleted_at = now() WHERE id = $1', [own.instance.id]);
      const sending = interrupted('list-known-instances', remove).send(operatorOf(own), input);
      await expect(sending).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await count('bulk_sends', own)).toBe(0);
    });
  });

  describe('canceling', () => {
    test('what no worker has in hands, tried before or not: status, transition, event; what one has stays', async () => {
      const own = await app.createTenant();
      const leads = await storeLeads(app, own, 5);
      const { id } = await send({ templateId: await createTemplate(app, own), recipients: recipientsOf(leads) }, own);
      const untouched = await send(
        { templateId: await createTemplate(app, own), recipients: recipientsOf(leads) },
        own,
      );
      const [taken = '', retried = ''] = (await messagesOf(app, id)).map((message) => message.id);
      await app.sql(`UPDATE messages SET status = 'SENDING' WHERE id = ANY($1)`, [[taken, retried]]);
      await app.sql(
        `UPDATE outbox_entries SET attempt_count = 1, lease_until = CASE WHEN message_id = $1 THEN now() + interval '1 min' END
       WHERE message_id = ANY($2)`,
        [taken, [taken, retried]],
      );
      const { bulkSends } = app.app.services;
      const canceled = await bulkSends.cancel(operatorOf(own), id);
      expect(canceled.canceledAt).toBeInstanceOf(Date);
      expect(await progressOf(id, own)).toEqual({ ...noProgress, sending: 1, canceled: 4 });
      expect(await progressOf(untouched.id, own)).toEqual({ ...noProgress, queued: 5 });
      const waiting = (await messagesOf(app, id)).filter(({ priority }) => priority !== null);
      expect(waiting.map((message) => message.id)).toEqual([taken]);
      const told = await app.sql(
        `SELECT e.data->>'status' AS event, t.from_status, t.to_status, t.source FROM events e
       JOIN message_status_transitions t ON t.message_id = e.message_id AND t.to_status = 'CANCELED'
       WHERE e.tenant_id = $1 AND e.data->>'status' = 'CANCELED' ORDER BY t.from_status`,
        [own.id],
      );
      const change = { event: 'CANCELED', from_status: 'QUEUED', to_status: 'CANCELED', source: 'user' };
      expect(told).toEqual([change, change, change, { ...change, from_status: 'SENDING' }]);
      const before = await countWritten(own);
      expect(await bulkSends.cancel(operatorOf(own), id)).toEqual(canceled);
      expect(await countWritten(own)).toEqual(before);
    });

    test('ten at once are one', async () => {
      const own = await app.createTenant();
      const recipients = recipientsOf(await storeLeads(app, own, 1_200));
      const { id } = await send({ templateId: await createTemplate(app, own), recipients }, own);
      const { bulkSends } = app.app.services;
      const canceled = await Promise.all(Array.from({ length: 10 }, () => bulkSends.cancel(operatorOf(own), id)));
      expect(new Set(canceled.map(({ canceledAt }) => canceledAt?.getTime())).size).toBe(1);
      expect(await progressOf(id, own)).toEqual({ ...noProgress, canceled: 1_200 });
      expect(await count('message_status_transitions', own)).toBe(2_400);
    });

    test("another tenant's is not found, and nothing of it is canceled", async () => {
      const other = await app.createTenant();
      const recipients = recipientsOf(await storeLeads(app, other, 1));
      const { id } = await send({ templateId: await createTemplate(app, other), recipients }, other);
      const { bulkSends } = app.app.services;
      for (const wanted of [id, randomUUID(), 'x'])
        await expect(bulkSends.cancel(operatorOf(tenant), wanted)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await progressOf(id, other)).toEqual({ ...noProgress, queued: 1 });
      expect(await bulkSends.find(operatorOf(tenant), id)).toBeNull();
      expect(await bulkSends.listProgress(operatorOf(tenant), [id])).toEqual([]);
    });
  });
}
