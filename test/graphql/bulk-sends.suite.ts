// Bulk sends over GraphQL: sending, reading back with progress, canceling, and what is refused by name.

import { randomUUID } from 'node:crypto';
import { createTemplate, storeLeads } from '../features/bulk-sends/bulk-harness.js';
import { waitForSubscribers } from '../features/live/live-harness.js';
import { connect, execute, failureOf, query, Subscription } from '../support/graphql-client.js';
import {
  AllMessagesDocument,
  BulkSendDocument,
  BulkSendsDocument,
  CancelBulkSendDocument,
  DeleteLeadDocument,
  MessageStatusChangedDocument,
  SendMessagesDocument,
  type SendMessagesInput,
} from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import { withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeBulkSends(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  // Without a worker, queued messages stay in the queue.
  withSharedApp((made) => ({ app, tenant, other } = made), { PROCESS_ROLE: 'api' });

  const noProgress = { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0, canceled: 0 };

  async function inputTo(leads: number, of = tenant): Promise<SendMessagesInput> {
    const recipients = (await storeLeads(app, of, leads)).map((leadId) => ({ leadId }));
    return { templateId: await createTemplate(app, of), recipients, idempotencyKey: randomUUID() };
  }

  const send = async (input: SendMessagesInput, by = tenant.operator) =>
    (await query(app, by, SendMessagesDocument, { input })).sendMessages;

  test('its messages are a list, filtered by status', async () => {
    const { id } = await send(await inputTo(3));
    await send(await inputTo(1));
    const list = async (filter: object, by = tenant) =>
      (await query(app, by.operator, AllMessagesDocument, { filter: { bulkSendId: id, ...filter } })).allMessages;
    expect((await list({})).totalCount).toBe(3);
    expect((await list({ statuses: ['QUEUED'] })).edges).toHaveLength(3);
    expect((await list({ statuses: ['FAILED'] })).totalCount).toBe(0);
    expect((await list({}, other)).totalCount).toBe(0);
  });

  test('2,000 leads, each with its variables, in one call', async () => {
    const templateId = await createTemplate(app, tenant, '{{lead.firstName}}, {{when}}: nº {{n}}');
    const leads = await storeLeads(app, tenant, 2_000);
    const recipients = leads.map((leadId, n) => ({ leadId, variables: { when: 'hoje', n } }));
    const input = { templateId, recipients, instanceId: tenant.instance.id, idempotencyKey: randomUUID() };
    const bulkSend = await send(input);
    expect(bulkSend).toEqual({
      id: expect.any(String),
      skipped: 0,
      scheduledFor: null,
      template: { id: templateId, name: expect.any(String) },
      templateVersion: 1,
      instance: { id: tenant.instance.id },
      total: 2_000,
      progress: { ...noProgress, queued: 2_000 },
      createdAt: expect.any(String),
      canceledAt: null,
    });
    expect((await send(input, tenant.admin)).id).toBe(bulkSend.id);
    expect((await query(app, tenant.operator, BulkSendDocument, { id: bulkSend.id })).bulkSend).toEqual(bulkSend);
    const [last] = await app.sql<{ body: string }>('SELECT body FROM messages WHERE lead_id = $1', [leads[1_999]]);
    expect(last?.body).toBe('Ana, hoje: nº 1999');
  });

  test('other content under the key is CONFLICT', async () => {
    const input = await inputTo(2);
    await send(input);
    const changed = { ...input, recipients: input.recipients.slice(1) };
    const answer = await execute(app, tenant.operator, SendMessagesDocument, { input: changed });
    expect(failureOf(answer).code).toBe('CONFLICT');
  });

  test('what is wrong is named by the index of the recipient', async () => {
    const input = { ...(await inputTo(3)), templateId: await createTemplate(app, tenant, '{{when}}') };
    const [one, two] = input.recipients as [{ leadId: string }, { leadId: string }];
    const given = { when: 'hoje' };
    input.recipients = [{ ...one, variables: given }, two, { ...one, variables: given }, { leadId: randomUUID() }];
    const answer = await execute(app, tenant.operator, SendMessagesDocument, { input });
    expect(failureOf(answer)).toEqual({
      code: 'VALIDATION_FAILED',
      paths: ['recipients.1.variables.when', 'recipients.2.leadId', 'recipients.3.leadId'],
    });
  });

  test('a time is read in any zone', async () => {
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 7_200_000);
    const shifted = new Date(at.getTime() - 3 * 3_600_000).toISOString().replace('.000Z', '-03:00');
    const { id } = await send({ ...(await inputTo(1)), sendAt: shifted });
    const rows = await app.sql('SELECT scheduled_for AS at FROM messages WHERE bulk_send_id = $1', [id]);
    expect(rows).toEqual([{ at }]);
  });

  test('canceling returns what is left, and tells watchers', async () => {
    const input = await inputTo(2);
    const bulkSend = await send(input);
    const client = connect(app, tenant.operator);
    try {
      const leadId = input.recipients[0]?.leadId;
      const changes = new Subscription(client, MessageStatusChangedDocument, { leadId });
      await waitForSubscribers(app, tenant, 1);
      const canceled = (await query(app, tenant.operator, CancelBulkSendDocument, { id: bulkSend.id })).cancelBulkSend;
      expect(canceled).toMatchObject({ progress: { ...noProgress, canceled: 2 }, canceledAt: expect.any(String) });
      const again = (await query(app, tenant.admin, CancelBulkSendDocument, { id: bulkSend.id })).cancelBulkSend;
      expect(again).toEqual(canceled);
      const [change] = await changes.until((received) => received.length > 0);
      expect(change?.messageStatusChanged).toMatchObject({ status: 'CANCELED' });
    } finally {
      await client.dispose();
    }
  });

  test('the newest first, in pages, each with its own progress', async () => {
    const own = await app.createTenant();
    const ids: string[] = [];
    for (const leads of [1, 2, 3]) ids.unshift((await send(await inputTo(leads, own), own.operator)).id);
    await query(app, own.operator, CancelBulkSendDocument, { id: ids[0]! });
    const first = (await query(app, own.operator, BulkSendsDocument, { first: 2 })).bulkSends;
    expect(first.edges.map(({ node }) => [node.id, node.progress])).toEqual([
      [ids[0], { ...noProgress, canceled: 3 }],
      [ids[1], { ...noProgress, queued: 2 }],
    ]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect(first.totalCount).toBe(3);
    const rest = (await query(app, own.operator, BulkSendsDocument, { after: first.pageInfo.endCursor })).bulkSends;
    expect(rest.edges.map(({ node }) => node.id)).toEqual([ids[2]]);
    expect((await query(app, other.operator, BulkSendsDocument, {})).bulkSends.edges).toEqual([]);
  });

  test('one whose recipients were all erased is still shown, listed, canceled and repeated', async () => {
    const own = await app.createTenant();
    const input = await inputTo(2, own);
    const { id } = await send(input, own.operator);
    for (const { leadId } of input.recipients) await query(app, own.operator, DeleteLeadDocument, { id: leadId });
    const kept = { id, total: 2, progress: noProgress };
    expect((await query(app, own.operator, BulkSendDocument, { id })).bulkSend).toMatchObject(kept);
    const { edges } = (await query(app, own.operator, BulkSendsDocument, {})).bulkSends;
    expect(edges.map(({ node }) => node)).toEqual([expect.objectContaining({ id, progress: noProgress })]);
    expect(await send(input, own.operator)).toMatchObject(kept);
    const { cancelBulkSend } = await query(app, own.operator, CancelBulkSendDocument, { id });
    expect(cancelBulkSend).toMatchObject({ ...kept, canceledAt: expect.any(String) });
  });

  test('a deleted template is still shown', async () => {
    const input = await inputTo(1);
    const { id } = await send(input);
    await app.post(
      '/graphql',
      { query: `mutation { deleteTemplate(id: "${input.templateId}") }` },
      withToken(tenant.operator),
    );
    const { bulkSend } = await query(app, tenant.operator, BulkSendDocument, { id });
    expect(bulkSend?.template?.id).toBe(input.templateId);
  });

  test("another tenant's is null, and cannot be canceled", async () => {
    const { id } = await send(await inputTo(1));
    expect((await query(app, other.operator, BulkSendDocument, { id })).bulkSend).toBeNull();
    for (const wanted of [id, randomUUID(), 'x']) {
      const answer = await execute(app, other.operator, CancelBulkSendDocument, { id: wanted });
      expect(failureOf(answer).code).toBe('NOT_FOUND');
    }
    expect((await query(app, tenant.operator, BulkSendDocument, { id })).bulkSend).toMatchObject({
      canceledAt: null,
      progress: { queued: 1 },
    });
  });
}
