// The state of a conversation: operators' changes, the effects of each kind of message, the time since when a lead waits, and the events
// for clients.

import type { Client } from 'graphql-ws';
import { Subscription, connect, execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AddLeadNoteDocument,
  CancelMessageDocument,
  CloseConversationDocument,
  ConversationEventsDocument,
  CreateTemplateDocument,
  DeleteChatInstanceDocument,
  EventCursorDocument,
  MarkLeadReadDocument,
  MarkLeadUnreadDocument,
  MergeLeadsDocument,
  ReopenConversationDocument,
  RetryMessageDocument,
  SendMessagesDocument,
  SnoozeConversationDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { disposeAll } from '../live/live-harness.js';
import { createLead, plainNumber, send, until } from '../messages/sending-harness.js';
import { createEndpoint } from '../outgoing-webhooks/endpoint-harness.js';
import { WebhookReceiver, answering } from '../outgoing-webhooks/webhook-receiver.js';
import {
  createTenantWhoseSendsWait,
  hear,
  hearMany,
  loggedEvents,
  stateOf,
  storedAt,
  writeOnPhone,
} from './conversation-harness.js';
import { after, findInconsistencies, transact, untilSomebodyWaits } from './lead-harness.js';

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

export function describeConversations(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let number: string;
  let leadId: string;
  let clients: Client[] = [];

  beforeAll(async () => {
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await createTenantWhoseSendsWait(app);
    number = plainNumber();
    leadId = await createLead(app, tenant, number);
  });
  afterEach(async () => {
    await disposeAll(clients);
    clients = [];
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  const read = () => stateOf(app, tenant, leadId);
  const close = () => query(app, tenant.operator, CloseConversationDocument, { leadId });
  const reopen = () => query(app, tenant.operator, ReopenConversationDocument, { leadId });
  const snooze = (at = inADay()) => query(app, tenant.operator, SnoozeConversationDocument, { leadId, until: at });
  const changes = () => loggedEvents(app, tenant, ['CONVERSATION_STATUS_CHANGED']);
  const reasons = async () =>
    (await changes()).map(({ data }) => `${String(data?.['reason'])} ${String(data?.['conversationStatus'])}`);

  test('a new lead is open and waits for nothing', async () => {
    const nothing = { conversationStatus: 'OPEN', snoozedUntil: null, waitingSince: null, lastInboundAt: null };
    expect(await read()).toMatchObject(nothing);
  });

  describe('what operators set', () => {
    test('closing, snoozing and reopening each tell once, and the same again tells nothing', async () => {
      const at = inADay();
      expect((await close()).closeConversation).toMatchObject({ id: leadId, conversationStatus: 'CLOSED' });
      await close();
      expect((await snooze(at)).snoozeConversation).toMatchObject({ conversationStatus: 'SNOOZED', snoozedUntil: at });
      await snooze(at);
      const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
      expect((await snooze(later)).snoozeConversation.snoozedUntil).toBe(later);
      const open = { conversationStatus: 'OPEN', snoozedUntil: null };
      expect((await reopen()).reopenConversation).toMatchObject(open);
      await reopen();
      const userId = tenant.operator.id;
      expect((await changes()).map(({ data }) => data)).toEqual([
        { conversationStatus: 'CLOSED', snoozedUntil: null, reason: 'USER', userId },
        { conversationStatus: 'SNOOZED', snoozedUntil: at, reason: 'USER', userId },
        { conversationStatus: 'SNOOZED', snoozedUntil: later, reason: 'USER', userId },
        { conversationStatus: 'OPEN', snoozedUntil: null, reason: 'USER', userId },
      ]);
    });

    test.each([
      ['past', () => new Date(Date.now() - 1_000)],
      ['more than a year ahead', () => new Date(Date.now() + 370 * 86_400_000)],
    ])('a snooze until a time that is %s is VALIDATION_FAILED on until', async (_case, at) => {
      const variables = { leadId, until: at().toISOString() };
      const answer = await execute(app, tenant.operator, SnoozeConversationDocument, variables);
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['until'] });
      expect(await changes()).toEqual([]);
    });

    test('simultaneous calls change once', async () => {
      await Promise.all(Array.from({ length: 5 }, close));
      expect(await reasons()).toEqual(['USER CLOSED']);
    });

    test('unread: the newest inbound message, where none is; a lead that never wrote stays as it is', async () => {
      const mark = async () =>
        (await query(app, tenant.operator, MarkLeadUnreadDocument, { leadId })).markLeadUnread.unreadCount;
      expect(await mark()).toBe(0);
      await hear(app, tenant, number);
      await hear(app, tenant, number);
      expect(await mark()).toBe(2);
      await query(app, tenant.operator, MarkLeadReadDocument, { id: leadId });
      expect(await mark()).toBe(1);
      expect(await mark()).toBe(1);
      const data = { change: 'UNREAD', unreadCount: 1, userId: tenant.operator.id };
      expect(await loggedEvents(app, tenant, ['LEAD_UPDATED'])).toEqual([{ type: 'LEAD_UPDATED', leadId, data }]);
    });
  });

  describe('an inbound message', () => {
    const ways: [string, () => Promise<unknown>][] = [
      ['by itself', () => hear(app, tenant, number)],
      ['among others', () => hearMany(app, tenant, [number, plainNumber(), number])],
    ];
    describe.each(ways)('%s', (_way, write) => {
      test.each([
        ['closed', close],
        ['snoozed', () => snooze()],
      ])('opens a %s conversation, and tells it once', async (_state, put) => {
        await put();
        await write();
        await write();
        expect(await read()).toMatchObject({ conversationStatus: 'OPEN', snoozedUntil: null });
        const [, ...others] = await changes();
        const data = { conversationStatus: 'OPEN', snoozedUntil: null, reason: 'MESSAGE' };
        expect(others).toEqual([{ type: 'CONVERSATION_STATUS_CHANGED', leadId, data }]);
      });

      test('of an open conversation tells nothing of its status', async () => {
        await write();
        expect(await changes()).toEqual([]);
      });
    });

    test('many at once open it once', async () => {
      await hear(app, tenant, number);
      await close();
      await Promise.all(Array.from({ length: 12 }, () => hear(app, tenant, number)));
      expect(await reasons()).toEqual(['USER CLOSED', 'MESSAGE OPEN']);
    });

    test('that a gateway repeats opens nothing', async () => {
      const body = { messageId: 'once', from: number, text: 'Oi' };
      const post = () => app.post('/webhooks/chat/gateway/inbound', body, { 'x-tenant-key': tenant.apiKey });
      await post();
      await close();
      await post();
      expect(await read()).toMatchObject({ conversationStatus: 'CLOSED' });
    });
  });

  describe('who waits', () => {
    test('waits since the oldest message that was not answered; the newest one is the last inbound', async () => {
      const first = await hear(app, tenant, number);
      const second = await hear(app, tenant, number);
      const waitingSince = await storedAt(app, first.messageId);
      expect(await read()).toMatchObject({ waitingSince, lastInboundAt: await storedAt(app, second.messageId) });
      await send(app, tenant, { leadId, body: 'Oi' });
      expect(await read()).toMatchObject({ waitingSince: null, lastInboundAt: await storedAt(app, second.messageId) });
      const third = await hear(app, tenant, number);
      expect(await read()).toMatchObject({ waitingSince: await storedAt(app, third.messageId) });
      await writeOnPhone(app, tenant, number);
      expect(await read()).toMatchObject({ waitingSince: null, conversationStatus: 'OPEN' });
    });

    test('closing is no answer', async () => {
      const { messageId } = await hear(app, tenant, number);
      await close();
      expect(await read()).toMatchObject({ waitingSince: await storedAt(app, messageId) });
    });

    test('a bulk message is no answer', async () => {
      const { messageId } = await hear(app, tenant, number);
      const template = { name: 'bulk', body: 'Oi' };
      const { createTemplate } = await query(app, tenant.operator, CreateTemplateDocument, { input: template });
      const input = { templateId: createTemplate.id, recipients: [{ leadId }], idempotencyKey: 'x' };
      await query(app, tenant.operator, SendMessagesDocument, { input });
      expect(await read()).toMatchObject({ waitingSince: await storedAt(app, messageId) });
    });

    test('an answer that was canceled is none', async () => {
      const { messageId } = await hear(app, tenant, number);
      const waitingSince = await storedAt(app, messageId);
      const id = await send(app, tenant, { leadId, body: 'Oi' });
      expect(await read()).toMatchObject({ waitingSince: null });
      await query(app, tenant.operator, CancelMessageDocument, { id });
      expect(await read()).toMatchObject({ waitingSince });
    });

    test.each([
      ['alone', (said: object) => said],
      ['among others', (said: object) => ({ statuses: [said, { messageId: 'unknown', status: 'FAILED' }] })],
    ])('an answer that failed is none, until it is delivered after all: reported %s', async (_way, callOf) => {
      const { messageId } = await hear(app, tenant, number);
      const waitingSince = await storedAt(app, messageId);
      const answerId = await writeOnPhone(app, tenant, number);
      const reported = async (status: string) => {
        const body = callOf({ messageId: answerId, status });
        expect((await app.post('/webhooks/chat/gateway/status', body, withKey(tenant))).status).toBe(200);
        return read();
      };
      expect(await reported('SENT')).toMatchObject({ waitingSince: null });
      expect(await reported('FAILED')).toMatchObject({ waitingSince });
      expect(await reported('READ')).toMatchObject({ waitingSince: null });
      expect(await reported('FAILED')).toMatchObject({ waitingSince: null });
    });

    test('an answer that was given up is none, until it is retried; what came after it is not answered', async () => {
      const { messageId } = await hear(app, tenant, number);
      const id = await send(app, tenant, { leadId, body: 'Oi' });
      await query(app, tenant.admin, DeleteChatInstanceDocument, { id: tenant.instance.id });
      expect(await read()).toMatchObject({ waitingSince: await storedAt(app, messageId) });
      await app.sql('UPDATE chat_instances SET deleted_at = NULL WHERE tenant_id = $1', [tenant.id]);
      const later = await hear(app, tenant, number);
      await query(app, tenant.operator, RetryMessageDocument, { id });
      expect(await read()).toMatchObject({ waitingSince: await storedAt(app, later.messageId) });
    });

    test('two answers that are canceled at once are none', async () => {
      const { messageId } = await hear(app, tenant, number);
      const older = await send(app, tenant, { leadId, body: 'Oi' });
      const newer = await send(app, tenant, { leadId, body: 'Oi' });
      let other: Promise<unknown> = Promise.resolve();
      await transact(app, tenant, async (tx) => {
        await tx.query('DELETE FROM outbox_entries WHERE message_id = $1', [older]);
        await tx.query("UPDATE messages SET status = 'CANCELED' WHERE tenant_id = $1 AND id = $2", [
          tx.tenantId,
          older,
        ]);
        // The other cancellation comes between the lock of the lead and the commit.
        const interrupted = after(tx, 'lock-answered-leads', () => {
          other = query(app, tenant.operator, CancelMessageDocument, { id: newer });
          return Promise.race([other, untilSomebodyWaits(app)]);
        });
        await app.app.services.leads.withdrawAnswers(interrupted, [{ id: older, leadId }]);
      });
      await other;
      expect(await read()).toMatchObject({ waitingSince: await storedAt(app, messageId) });
    });
  });

  describe('a merge', () => {
    test('leaves open what was open in one of both, and its undoing gives both their state back', async () => {
      const other = plainNumber();
      const otherId = await createLead(app, tenant, other);
      await hear(app, tenant, number);
      const { messageId } = await hear(app, tenant, other);
      await close();
      await send(app, tenant, { leadId, body: 'Oi' });
      const [before, otherBefore] = [await read(), await stateOf(app, tenant, otherId)];
      expect(before).toMatchObject({ conversationStatus: 'CLOSED', waitingSince: null });
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: otherId, intoId: leadId });
      // The reply to one lead came after the message of the other.
      expect(await read()).toMatchObject({
        conversationStatus: 'OPEN',
        waitingSince: null,
        lastInboundAt: await storedAt(app, messageId),
      });
      const [{ id: mergeId } = { id: '' }] = await app.sql<{ id: string }>(
        'SELECT id FROM lead_merges WHERE tenant_id = $1',
        [tenant.id],
      );
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId });
      expect([await read(), await stateOf(app, tenant, otherId)]).toEqual([before, otherBefore]);
      expect(await reasons()).toEqual(['USER CLOSED', 'MERGE OPEN', 'MERGE_UNDONE CLOSED']);
    });

    test('that is undone leaves a conversation open that the lead has written to since', async () => {
      const otherId = await createLead(app, tenant);
      await close();
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: otherId, intoId: leadId });
      await hear(app, tenant, number);
      const [merge] = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE tenant_id = $1', [tenant.id]);
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: merge!.id });
      expect(await read()).toMatchObject({ conversationStatus: 'OPEN' });
    });
  });

  describe('what clients are told', () => {
    async function follow() {
      const client = connect(app, tenant.operator);
      clients.push(client);
      const { eventCursor } = await query(app, tenant.operator, EventCursorDocument, {});
      return new Subscription(client, ConversationEventsDocument, { after: eventCursor });
    }

    test('each change of a conversation in the state of that change, and messages as they were created', async () => {
      await hear(app, tenant, number);
      const events = await follow();
      const at = inADay();
      await close();
      await snooze(at);
      await hear(app, tenant, number);
      const messageId = await send(app, tenant, { leadId, body: 'Oi' });
      await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body: 'x' });
      await writeOnPhone(app, tenant, number);
      const isCreated = ({ events: { type } }: { events: { type: string } }) => type === 'MESSAGE_CREATED';
      const received = await events.until((seen) => seen.filter(isCreated).length === 2);
      const told = received.map((one) => one.events);
      const statuses = told.filter(({ type }) => type === 'CONVERSATION_STATUS_CHANGED').map(({ lead }) => lead);
      expect(statuses).toMatchObject([
        { conversationStatus: 'CLOSED', snoozedUntil: null },
        { conversationStatus: 'SNOOZED', snoozedUntil: at },
        { conversationStatus: 'OPEN', snoozedUntil: null },
      ]);
      const ofMessage = told
        .filter(({ message }) => message?.id === messageId)
        .map(({ type, message }) => [type, message?.status]);
      expect(ofMessage.slice(0, 2)).toEqual([
        ['MESSAGE_CREATED', 'QUEUED'],
        ['MESSAGE_STATUS_CHANGED', 'QUEUED'],
      ]);
      const created = received.filter(isCreated).map((one) => one.events);
      expect(created.map(({ chatInstance }) => chatInstance?.id)).toEqual([tenant.instance.id, tenant.instance.id]);
      const written = created.at(-1);
      expect(written).toMatchObject({ leadId, message: { status: 'SENT' } });
      const types = told.map(({ type }) => type);
      expect(types.indexOf('LEAD_NOTE_CHANGED')).toBe(types.indexOf('LEAD_UPDATED') + 1);
    });

    test('webhook endpoints get the same, with the state of the conversation in each lead', async () => {
      const receiver = await WebhookReceiver.start();
      try {
        const eventTypes = ['CONVERSATION_STATUS_CHANGED', 'MESSAGE_CREATED', 'LEAD_NOTE_CHANGED'] as const;
        const { path } = await createEndpoint(app, tenant, receiver.url, { eventTypes: [...eventTypes] });
        receiver.answer(path, answering(200));
        const { messageId } = await hear(app, tenant, number);
        await close();
        await reopen();
        await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body: 'x' });
        const id = await send(app, tenant, { leadId, body: 'Oi' });
        const got = await until(
          () => receiver.received.map(({ body }) => body),
          (bodies) => bodies.length >= 4,
        );
        const byStatus = (one: (typeof got)[number]) =>
          (one.data['lead'] as Record<string, unknown>)['conversationStatus'];
        const changed = got.filter(({ type }) => type === 'conversation.status_changed');
        expect(new Set(changed.map(byStatus))).toEqual(new Set(['CLOSED', 'OPEN']));
        expect(
          got
            .map(({ type }) => type)
            .toSorted()
            .slice(-2),
        ).toEqual(['lead.note_changed', 'message.created']);
        const created = got.find(({ type }) => type === 'message.created');
        expect(created?.data).toMatchObject({
          messageId: id,
          message: { status: 'QUEUED' },
          lead: { snoozedUntil: null, waitingSince: null, lastInboundAt: await storedAt(app, messageId) },
        });
      } finally {
        await receiver.close();
      }
    });

    test('bulk messages too', async () => {
      const template = { name: 'bulk', body: 'Oi' };
      const { createTemplate } = await query(app, tenant.operator, CreateTemplateDocument, { input: template });
      const input = { templateId: createTemplate.id, recipients: [{ leadId }], sendAt: inADay(), idempotencyKey: 'x' };
      await query(app, tenant.operator, SendMessagesDocument, { input });
      const types = ['MESSAGE_CREATED', 'MESSAGE_STATUS_CHANGED'];
      expect((await loggedEvents(app, tenant, types)).map(({ type }) => type)).toEqual(types);
    });
  });
}
