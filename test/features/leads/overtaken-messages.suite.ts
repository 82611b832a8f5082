// A lead's message that is being written while an operator answers, who has not seen it. The message stands after the answer and waits, and
// the next answer has to have seen it.

import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../src/platform/database/transaction.js';
import { execute, query } from '../../support/graphql-client.js';
import { MessagesDocument, OrderInboxDocument, SendMessageDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createTemplate, operatorOf, recipientsOf } from '../bulk-sends/bulk-harness.js';
import { createLead, plainNumber, send, trySend } from '../messages/sending-harness.js';
import { createTenantWhoseSendsWait, hear, stateOf } from './conversation-harness.js';
import { findInconsistencies, transact, untilSomebodyWaits } from './lead-harness.js';

const inboundPath = '/webhooks/chat/gateway/inbound';

export function describeOvertakenMessages(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let number: string;
  let leadId: string;

  beforeAll(async () => {
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await createTenantWhoseSendsWait(app);
    number = plainNumber();
    leadId = await createLead(app, tenant, number);
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  /** Each body takes its own path: one message the fast path, several messages the general one. */
  const ways: [string, (externalId: string) => object][] = [
    ['by itself', (messageId) => ({ messageId, from: number, text: 'And one more thing' })],
    [
      'among others',
      (messageId) => ({
        messages: [
          { messageId: randomUUID(), from: plainNumber(), text: 'Oi' },
          { messageId, from: number, text: 'And one more thing' },
        ],
      }),
    ],
  ];

  const answer = (body: string, expectedLastMessageId: string) =>
    execute(app, tenant.operator, SendMessageDocument, { input: { leadId, body, expectedLastMessageId } });

  const orderOf = async () => {
    const rows = await app.sql<{ body: string }>('SELECT body FROM messages WHERE lead_id = $1 ORDER BY position, id', [
      leadId,
    ]);
    return rows.map((row) => row.body);
  };

  /** Writes a message of either side in the transaction, as another process would. @returns its id */
  async function write(tx: Transaction, direction: 'INBOUND' | 'OUTBOUND', body: string): Promise<string> {
    const [{ id, position }] = (await tx.query<{ id: string; position: string }>(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body)
       VALUES ($1, uuidv7(), $2, $3, $4::message_direction, CASE WHEN $4 = 'OUTBOUND' THEN 'SENT'::message_status END, 'text', $5)
       RETURNING id, position`,
      [tenant.id, leadId, tenant.instance.id, direction, body],
    )) as [{ id: string; position: string }];
    await app.app.services.leads.recordMessages(tx, [
      { leadId, messageId: id, position, unread: direction === 'INBOUND' },
    ]);
    return id;
  }

  /** Holds the lead, runs the first work, waits until somebody waits for the lead, and runs the second. */
  async function whileHeld<Result>(begin: () => void, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return transact(app, tenant, async (tx) => {
      await app.app.services.leads.hold(tx, [leadId]);
      begin();
      await untilSomebodyWaits(app);
      return work(tx);
    });
  }

  test.each(ways)('%s: it stands after the answer that was recorded first, and waits', async (_way, body) => {
    const { messageId: seen } = await hear(app, tenant, number);
    const posted: Promise<Response>[] = [];
    const answerId = await whileHeld(
      () => posted.push(app.post(inboundPath, body(randomUUID()), withKey(tenant))),
      (tx) => write(tx, 'OUTBOUND', 'Bom dia'),
    );
    const [response] = await Promise.all(posted);
    expect(response!.status).toBe(200);
    const { results } = (await response!.json()) as { results: { messageId: string }[] };
    const late = results.at(-1)!.messageId;
    expect((await orderOf()).slice(-2)).toEqual(['Bom dia', 'And one more thing']);
    const state = await stateOf(app, tenant, leadId);
    expect(state.waitingSince).not.toBeNull();
    for (const former of [seen, answerId]) {
      const refused = await answer('Ate logo', former);
      expect(refused.errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
    }
    expect((await answer('Ate logo', late)).errors).toBeUndefined();
  });

  test('a bulk message that is being written while the lead writes stands after it', async () => {
    const templateId = await createTemplate(app, tenant, 'Offer');
    const sent: Promise<unknown>[] = [];
    const bulk = { templateId, recipients: recipientsOf([leadId]), idempotencyKey: randomUUID() };
    const heard = await whileHeld(
      () => sent.push(app.app.services.bulkSends.send(operatorOf(tenant), bulk)),
      (tx) => write(tx, 'INBOUND', 'And one more thing'),
    );
    await Promise.all(sent);
    expect(await orderOf()).toEqual(['And one more thing', 'Offer']);
    // A bulk message is no answer, and moves no lead in the inbox.
    expect((await stateOf(app, tenant, leadId)).waitingSince).not.toBeNull();
    const [lead] = await app.sql('SELECT last_message_id AS id FROM leads WHERE id = $1', [leadId]);
    expect(lead).toEqual({ id: heard });
  });

  test('cursors from before messages had positions are refused, never misread', async () => {
    const { messageId } = await hear(app, tenant, number);
    const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
    const refusal = [{ message: expect.stringContaining('after'), extensions: { code: 'VALIDATION_FAILED' } }];
    const after = cursorOf(`messages:${messageId}`);
    expect((await execute(app, tenant.operator, MessagesDocument, { leadId, after })).errors).toMatchObject(refusal);
    for (const [orderBy, old] of [
      ['NEWEST_MESSAGE', `inbox:${messageId}`],
      ['NEWEST_INBOUND', `inbox-NEWEST_INBOUND:i${messageId}${Date.now()}`],
      ['LONGEST_WAITING', `inbox-LONGEST_WAITING:m${messageId}`],
    ] as const) {
      const page = await execute(app, tenant.operator, OrderInboxDocument, { orderBy, after: cursorOf(old) });
      expect(page.errors).toMatchObject(refusal);
    }
  });

  test('messages of one call stand in their order, whatever their ids are', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `message ${index}`);
    const messages = texts.map((text, index) => ({ messageId: `m-${1_000 - index}`, from: number, text }));
    const response = await app.post(inboundPath, { messages }, withKey(tenant));
    expect(response.status).toBe(200);
    expect(await orderOf()).toEqual(texts);
  });

  test('an answer that is being written while the lead writes stands after it', async () => {
    const sent: Promise<string>[] = [];
    const heard = await whileHeld(
      () => sent.push(send(app, tenant, { leadId, body: 'Bom dia' })),
      (tx) => write(tx, 'INBOUND', 'And one more thing'),
    );
    const [answerId] = await Promise.all(sent);
    expect(await orderOf()).toEqual(['And one more thing', 'Bom dia']);
    const { messages } = await query(app, tenant.operator, MessagesDocument, { leadId, last: 10 });
    expect(messages.edges.map(({ node }) => node.id)).toEqual([heard, answerId]);
    const [after] = messages.edges;
    const page = await query(app, tenant.operator, MessagesDocument, { leadId, after: after!.cursor });
    expect(page.messages.edges.map(({ node }) => node.id)).toEqual([answerId]);
  });

  // The clock of the database was set back, or another database has become primary.
  test.each(ways)('the newest message is an hour ahead: what comes next stands after it, %s', async (_way, body) => {
    const ahead = await send(app, tenant, { leadId, body: 'Bom dia' });
    await app.sql(
      `WITH moved AS (UPDATE messages SET position = message_position(now() + interval '1 hour') WHERE id = $1 RETURNING position)
       UPDATE leads SET last_answer_position = moved.position, last_message_position = moved.position FROM moved WHERE id = $2`,
      [ahead, leadId],
    );
    const response = await app.post(inboundPath, body(randomUUID()), withKey(tenant));
    expect(response.status).toBe(200);
    expect(await orderOf()).toEqual(['Bom dia', 'And one more thing']);
    expect((await trySend(app, tenant, { leadId, body: 'Oi', expectedLastMessageId: ahead })).errors).toMatchObject([
      { extensions: { code: 'CONFLICT' } },
    ]);
    await send(app, tenant, { leadId, body: 'Ate logo' });
    expect(await orderOf()).toEqual(['Bom dia', 'And one more thing', 'Ate logo']);
  });
}
