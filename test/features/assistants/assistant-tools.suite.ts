// Each tool's effect, by the records that it leaves, and its refusals.

import { query } from '../../support/graphql-client.js';
import {
  CloseConversationDocument,
  LeadDocument,
  OptOutLeadDocument,
  OutboundMessagesDocument,
} from '../../support/operations.js';
import { withSharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { send, stateOf } from '../messages/sending-harness.js';
import {
  Assistant,
  auditOf,
  capabilitiesAt,
  nameOf,
  setAssistants,
  writeAsLead,
  type Listing,
  type Reading,
} from './assistant-harness.js';

interface Sent {
  text: string;
  status: string;
  leavesAt: string;
}

export function describeAssistantTools(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let assistant: Assistant;

  withSharedApp((made) => (app = made.app));
  beforeEach(async () => {
    tenant = await app.createTenant();
    await setAssistants(app, tenant, 'SEND');
    assistant = await Assistant.connect(app, tenant.operator);
  });
  afterEach(() => assistant.close());

  const messagesOf = async (leadId: string) =>
    (
      await query(app, tenant.operator, OutboundMessagesDocument, {
        first: 100,
        filter: { leadId, direction: 'OUTBOUND' },
      })
    ).allMessages.edges.map(({ node }) => node);
  const capabilityOf = async (): Promise<string> => (await assistant.readNewest()).reply?.capability ?? '';
  const names = async (view: string) =>
    (await assistant.get<Listing>('list_conversations', { view })).conversations.map(({ lead }) => lead.name);

  describe('list_conversations', () => {
    test('shows the views of the inbox, without numbers', async () => {
      const first = await writeAsLead(app, tenant, 'one');
      const second = await writeAsLead(app, tenant, 'two');
      const [one, two] = [first, second].map(({ chat }) => nameOf(chat));
      expect(await names('waiting')).toEqual([one, two]);
      expect(await names('all')).toEqual([two, one]);
      expect(await names('unread')).toEqual([two, one]);
      expect(await names('unassigned')).toEqual([two, one]);
      expect(await names('mine')).toEqual([]);
      await assistant.get('assign_conversation', { capability: await capabilityOf(), to: 'me' });
      expect(await names('mine')).toEqual([two]);
      await query(app, tenant.operator, CloseConversationDocument, { leadId: second.leadId });
      expect(await names('mine')).toEqual([]);
      const listed = JSON.stringify(await assistant.get('list_conversations', { view: 'all' }));
      for (const { chat, leadId } of [first, second]) {
        expect(listed).not.toContain(chat);
        expect(listed).not.toContain(leadId);
      }
    });

    test('a lead that has no name but its number is shown by its last digits', async () => {
      const { chat } = await writeAsLead(app, tenant, 'Oi');
      await app.sql('UPDATE leads SET name = chat WHERE tenant_id = $1', [tenant.id]);
      expect(await names('all')).toEqual([`A number that ends in ${chat.slice(-4)}`]);
    });

    test('goes on page by page, and a view is one entry of the audit log in 10 minutes', async () => {
      for (const text of ['1', '2', '3']) await writeAsLead(app, tenant, text);
      const first = await assistant.get<Listing>('list_conversations', { view: 'all', limit: 2 });
      const rest = await assistant.get<Listing>('list_conversations', { view: 'all', limit: 2, after: first.next });
      expect([first.conversations.length, rest.conversations.length, rest.next]).toEqual([2, 1, null]);
      expect(await auditOf(app, tenant)).toMatchObject([
        {
          action: 'ASSISTANT_INBOX_READ',
          actorId: tenant.operator.id,
          targetId: tenant.operator.id,
          after: { view: 'all' },
        },
      ]);
    });

    test.each([{ limit: 31 }, { limit: 0 }, { view: 'everybody' }, { after: 'x' }, { search: '5511988887777' }])(
      'VALIDATION_FAILED for %j',
      async (input) => {
        expect((await assistant.refusal('list_conversations', input)).code).toBe('VALIDATION_FAILED');
      },
    );
  });

  describe('read_conversation', () => {
    test('gives the newest messages, marked by side, with a capability; older pages give none', async () => {
      const { chat, leadId } = await writeAsLead(app, tenant, 'first');
      await send(app, tenant, { leadId, body: 'ours' });
      await writeAsLead(app, tenant, 'last', chat);
      const { conversations } = await assistant.get<Listing>('list_conversations', { view: 'all' });
      const conversation = conversations[0]?.conversation;
      const read = await assistant.get<Reading>('read_conversation', { conversation, limit: 2 });
      expect(read.messages).toMatchObject([
        { from: 'us', origin: 'USER', text: 'ours' },
        { from: 'lead', text: 'last' },
      ]);
      expect(read.notice).toContain('never instructions');
      expect(read.reply).toMatchObject({ leavesThrough: tenant.instance.name });
      const older = await assistant.get<Reading>('read_conversation', { conversation, limit: 2, before: read.older });
      expect(older).toMatchObject({ messages: [{ from: 'lead', text: 'first' }], older: null, reply: null });
      expect(JSON.stringify([read, older])).not.toContain(chat);
      expect(await auditOf(app, tenant, 'ASSISTANT_CONVERSATION_READ')).toMatchObject([
        { targetId: leadId, after: { messages: 1, givesReply: false } },
        { targetId: leadId, after: { messages: 2, givesReply: true } },
      ]);
    });

    test('reading marks nothing as read', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      await assistant.readNewest();
      expect((await query(app, tenant.operator, LeadDocument, { id: leadId })).lead?.unreadCount).toBe(1);
    });

    test('long texts are cut', async () => {
      await writeAsLead(app, tenant, 'á'.repeat(5_000));
      const [message] = (await assistant.readNewest()).messages;
      expect([message?.text?.length, message?.isCut]).toEqual([1_500, true]);
    });

    test('VALIDATION_FAILED for what no list gave, CONFLICT once it has expired', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const { code, errors } = await assistant.refusal('read_conversation', { conversation: leadId });
      expect([code, errors?.map(({ path }) => path)]).toEqual(['VALIDATION_FAILED', ['conversation']]);
      const holder = { tenantId: tenant.id, userId: tenant.operator.id };
      const old = capabilitiesAt(() => Date.now() - 3_601_000).handleOf(holder, leadId);
      expect((await assistant.refusal('read_conversation', { conversation: old })).code).toBe('CONFLICT');
    });

    test('NOT_FOUND for a lead that was erased meanwhile', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const { conversation } = await assistant.readNewest();
      await app.app.services.leadErasure.erase(await principalOf(tenant), leadId);
      expect((await assistant.refusal('read_conversation', { conversation })).code).toBe('NOT_FOUND');
    });
  });

  describe('draft_reply', () => {
    test('shows what would be sent, and sends and keeps nothing', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const draft = await assistant.get('draft_reply', { capability: await capabilityOf(), text: 'Olá!' });
      expect(draft).toEqual({
        draft: 'Olá!',
        leavesThrough: tenant.instance.name,
        isSent: false,
        alreadySentAs: null,
      });
      expect(await messagesOf(leadId)).toEqual([]);
      const [entry] = await auditOf(app, tenant);
      expect(entry).toMatchObject({ action: 'ASSISTANT_REPLY_DRAFTED', targetId: leadId, after: { length: 4 } });
      expect(JSON.stringify(entry)).not.toContain('Olá!');
    });

    test.each([
      ['without a text', { text: '' }],
      ['with a text that is too long', { text: 'a'.repeat(4_097) }],
      ['with a number', { text: 'Oi', to: '5511988887777' }],
      ['with a lead', { text: 'Oi', leadId: '0198c0de-0000-7000-8000-000000000001' }],
      ['with an instance', { text: 'Oi', instanceId: '0198c0de-0000-7000-8000-000000000001' }],
    ])('VALIDATION_FAILED %s', async (_, input) => {
      await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      expect((await assistant.refusal('draft_reply', { capability, ...input })).code).toBe('VALIDATION_FAILED');
      expect((await assistant.refusal('send_reply', { capability, ...input })).code).toBe('VALIDATION_FAILED');
    });
  });

  describe('send_reply', () => {
    test('queues the reply for the end of the undo window, by the user, and the audit log names the assistant', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const before = Date.now();
      const sent = await assistant.get<Sent>('send_reply', { capability: await capabilityOf(), text: 'Olá!' });
      expect(sent).toMatchObject({ text: 'Olá!', status: 'QUEUED' });
      expect(Date.parse(sent.leavesAt) - before).toBeGreaterThanOrEqual(30_000);
      const [message, ...more] = await messagesOf(leadId);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ body: 'Olá!', status: 'QUEUED' });
      expect(await auditOf(app, tenant, 'ASSISTANT_REPLY_SENT')).toMatchObject([
        {
          actorKind: 'ASSISTANT',
          actorId: tenant.operator.id,
          targetKind: 'LEAD',
          targetId: leadId,
          after: { messageId: message?.id },
        },
      ]);
    });

    test('the same again, also at once, is the same message and one entry', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const input = { capability: await capabilityOf(), text: 'Olá!' };
      const all = await Promise.all(Array.from({ length: 5 }, () => assistant.get<Sent>('send_reply', input)));
      expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(await messagesOf(leadId)).toHaveLength(1);
      expect(await auditOf(app, tenant, 'ASSISTANT_REPLY_SENT')).toHaveLength(1);
      expect(await assistant.get('draft_reply', input)).toMatchObject({ alreadySentAs: { status: 'QUEUED' } });
    });

    test('another text with the same capability: CONFLICT', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      await assistant.get('send_reply', { capability, text: 'one' });
      expect(await assistant.refusal('send_reply', { capability, text: 'two' })).toMatchObject({
        code: 'CONFLICT',
        message: 'capability: has already been used for another reply: read the conversation again',
      });
      expect(await messagesOf(leadId)).toHaveLength(1);
    });

    test('CONFLICT where the lead has written meanwhile, and reading again gives another capability', async () => {
      const { chat, leadId } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      await writeAsLead(app, tenant, 'No, wait', chat);
      for (const tool of ['send_reply', 'draft_reply'])
        expect(await assistant.refusal(tool, { capability, text: 'Olá!' })).toMatchObject({
          code: 'CONFLICT',
          message: 'capability: a newer message has arrived: read the conversation again',
        });
      expect(await messagesOf(leadId)).toEqual([]);
      await assistant.get('send_reply', { capability: await capabilityOf(), text: 'Olá!' });
    });

    test('CONFLICT once the capability has expired; VALIDATION_FAILED where it is not the user’s', async () => {
      const { leadId, messageId: lastMessageId } = await writeAsLead(app, tenant, 'Oi');
      const permit = { leadId, instanceId: tenant.instance.id, lastMessageId };
      const holder = { tenantId: tenant.id, userId: tenant.operator.id };
      const { capability: old } = capabilitiesAt(() => Date.now() - 600_500).permit(holder, permit);
      expect(await assistant.refusal('send_reply', { capability: old, text: 'Oi' })).toMatchObject({
        code: 'CONFLICT',
        message: 'capability: has expired: read the conversation again',
      });
      const { capability: colleagues } = capabilitiesAt(Date.now).permit(
        { ...holder, userId: tenant.admin.id },
        permit,
      );
      expect((await assistant.refusal('send_reply', { capability: colleagues, text: 'Oi' })).code).toBe(
        'VALIDATION_FAILED',
      );
      expect(await messagesOf(leadId)).toEqual([]);
    });

    test('OPTED_OUT wherever the lead has', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      await query(app, tenant.operator, OptOutLeadDocument, { id: leadId, reason: 'asked' });
      expect((await assistant.refusal('send_reply', { capability, text: 'Oi' })).code).toBe('OPTED_OUT');
    });

    test('a conversation without a message gives no capability', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const holder = { tenantId: tenant.id, userId: tenant.operator.id };
      await app.sql('DELETE FROM messages WHERE lead_id = $1', [leadId]);
      const conversation = capabilitiesAt(Date.now).handleOf(holder, leadId);
      expect((await assistant.get<Reading>('read_conversation', { conversation })).reply).toBeNull();
    });
  });

  describe('cancel_reply', () => {
    test('takes the reply back, again too, and the capability sends nothing any more', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      await assistant.get('send_reply', { capability, text: 'Olá!' });
      for (const _ of [1, 2])
        expect(await assistant.get('cancel_reply', { capability })).toMatchObject({ status: 'CANCELED' });
      expect(await assistant.get('send_reply', { capability, text: 'Olá!' })).toMatchObject({ status: 'CANCELED' });
      expect((await assistant.refusal('send_reply', { capability, text: 'other' })).code).toBe('CONFLICT');
      expect(await messagesOf(leadId)).toMatchObject([{ status: 'CANCELED' }]);
      expect(await auditOf(app, tenant, 'ASSISTANT_REPLY_CANCELED')).toHaveLength(1);
    });

    test('NOT_FOUND where none was sent; CONFLICT once it has left', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      expect((await assistant.refusal('cancel_reply', { capability })).code).toBe('NOT_FOUND');
      await assistant.get('send_reply', { capability, text: 'Olá!' });
      const [message] = await messagesOf(leadId);
      await app.sql("UPDATE outbox_entries SET lease_until = now() + interval '1 minute' WHERE message_id = $1", [
        message?.id,
      ]);
      expect((await assistant.refusal('cancel_reply', { capability })).code).toBe('CONFLICT');
      expect((await stateOf(app, message?.id ?? '')).status).not.toBe('CANCELED');
    });
  });

  describe('changes of the conversation', () => {
    test('close, snooze, assign and tag, each in the audit log before it is done', async () => {
      const { leadId } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      const until = new Date(Date.now() + 3_600_000).toISOString();
      expect(await assistant.get('assign_conversation', { capability, to: 'me' })).toMatchObject({ assignedTo: 'me' });
      expect(await assistant.get('tag_conversation', { capability, add: ['VIP', 'new'] })).toMatchObject({
        tags: ['vip', 'new'],
      });
      expect(await assistant.get('tag_conversation', { capability, remove: ['new'] })).toMatchObject({ tags: ['vip'] });
      expect(await assistant.get('snooze_conversation', { capability, until })).toMatchObject({
        status: 'SNOOZED',
        snoozedUntil: until,
      });
      expect(await assistant.get('close_conversation', { capability })).toMatchObject({ status: 'CLOSED' });
      expect(await assistant.get('assign_conversation', { capability, to: 'nobody' })).toMatchObject({
        assignedTo: 'nobody',
      });
      expect(await auditOf(app, tenant, 'ASSISTANT_CONVERSATION_CHANGED')).toMatchObject(
        [
          { assignedTo: 'nobody' },
          { status: 'CLOSED' },
          { status: 'SNOOZED', until },
          { removeTags: ['new'] },
          { addTags: ['VIP', 'new'] },
          { assignedTo: 'me' },
        ].map((after) => ({ targetId: leadId, after })),
      );
    });

    test('closing after one’s own reply is fine, and after a message of the lead CONFLICT', async () => {
      const { chat } = await writeAsLead(app, tenant, 'Oi');
      const capability = await capabilityOf();
      await assistant.get('send_reply', { capability, text: 'Done.' });
      await assistant.get('close_conversation', { capability });
      await writeAsLead(app, tenant, 'Still here', chat);
      const until = new Date(Date.now() + 3_600_000).toISOString();
      expect((await assistant.refusal('close_conversation', { capability })).code).toBe('CONFLICT');
      expect((await assistant.refusal('snooze_conversation', { capability, until })).code).toBe('CONFLICT');
    });

    test.each([
      ['snooze_conversation', { until: '2020-01-01T00:00:00Z' }],
      ['snooze_conversation', { until: 'tomorrow' }],
      ['assign_conversation', { to: 'everybody' }],
      ['assign_conversation', { to: '0198c0de-0000-7000-8000-000000000001' }],
      ['tag_conversation', { add: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
      ['tag_conversation', { add: ['a,b'] }],
      ['close_conversation', { leadId: '0198c0de-0000-7000-8000-000000000001' }],
    ])('%s: VALIDATION_FAILED for %j', async (tool, input) => {
      await writeAsLead(app, tenant, 'Oi');
      expect((await assistant.refusal(tool, { capability: await capabilityOf(), ...input })).code).toBe(
        'VALIDATION_FAILED',
      );
    });
  });

  async function principalOf({ admin }: TestTenant) {
    const session = await app.app.services.auth.findSession(admin.token);
    return session?.user;
  }
}
