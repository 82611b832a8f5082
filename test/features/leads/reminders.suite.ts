// Reminders: a conversation comes back at a time only if the lead has not written until then. They follow the ways of snoozes.

import { randomUUID } from 'node:crypto';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  CloseConversationDocument,
  MarkLeadReadDocument,
  MergeLeadsDocument,
  RemindIfNoReplyDocument,
  SnoozeConversationDocument,
  UndoLeadMergeDocument,
  type RemindIfNoReplyMutationVariables,
} from '../../support/operations.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, until } from '../messages/sending-harness.js';
import { hear, hearMany, loggedEvents, stateOf, writeOnPhone } from './conversation-harness.js';
import { findInconsistencies } from './lead-harness.js';

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

export function describeReminders(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let number: string;
  let leadId: string;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    tenant = await app.createTenant();
    number = plainNumber();
    leadId = await createLead(app, tenant, number);
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  const remind = async (at: string, id = leadId) =>
    (await query(app, tenant.operator, RemindIfNoReplyDocument, { leadId: id, at })).remindIfNoReply;
  const changesOf = async () =>
    (await loggedEvents(app, tenant, ['CONVERSATION_STATUS_CHANGED'])).map(({ data }) => data);
  const newest = async () => {
    const [message] = await app.sql<{ id: string }>(
      'SELECT id FROM messages WHERE tenant_id = $1 AND lead_id = $2 ORDER BY id DESC LIMIT 1',
      [tenant.id, leadId],
    );
    return message?.id ?? '';
  };
  // No gateway takes a message here, and one that failed is no answer.
  const writeBack = () => writeOnPhone(app, tenant, number);
  const refusal = async (given: RemindIfNoReplyMutationVariables) =>
    failureOf(await execute(app, tenant.operator, RemindIfNoReplyDocument, given));
  const idle = { snoozedUntil: null, snoozeKind: null };

  test('it puts the conversation aside, is told apart from a snooze, and each replaces the other', async () => {
    const at = inADay();
    const { id: userId } = tenant.operator;
    expect(await remind(at)).toMatchObject({ conversationStatus: 'SNOOZED', snoozedUntil: at, snoozeKind: 'REMINDER' });
    await remind(at);
    const { snoozeConversation } = await query(app, tenant.operator, SnoozeConversationDocument, { leadId, until: at });
    expect(snoozeConversation).toMatchObject({ snoozedUntil: at, snoozeKind: 'SNOOZE' });
    expect(await remind(at)).toMatchObject({ snoozeKind: 'REMINDER' });
    const { closeConversation } = await query(app, tenant.operator, CloseConversationDocument, { leadId });
    expect(closeConversation).toMatchObject({ conversationStatus: 'CLOSED', ...idle });
    const snoozed = { conversationStatus: 'SNOOZED', snoozedUntil: at, reason: 'USER', userId };
    expect(await changesOf()).toEqual([
      { ...snoozed, isReminder: true },
      snoozed,
      { ...snoozed, isReminder: true },
      { conversationStatus: 'CLOSED', snoozedUntil: null, reason: 'USER', userId },
    ]);
  });

  test.each([
    ['known', () => hear(app, tenant, number)],
    ['one of many', () => hearMany(app, tenant, [number])],
  ])('a message of the lead, %s, opens the conversation and ends it', async (_name, write) => {
    await remind(inADay());
    await write();
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ conversationStatus: 'OPEN', ...idle });
    await app.app.services.conversations.sweep.run();
    expect((await changesOf()).map((data) => data?.['reason'])).toEqual(['USER', 'MESSAGE']);
  });

  const setRead = () => query(app, tenant.operator, MarkLeadReadDocument, { id: leadId });

  test('a reply that came just before the call stays: without a reading, and after the message that the caller has seen', async () => {
    await hear(app, tenant, number);
    const seen = await newest();
    await writeBack();
    await hear(app, tenant, number);
    const at = inADay();
    expect(await remind(at)).toMatchObject({ conversationStatus: 'OPEN', ...idle });
    expect(await refusal({ leadId, at, expectedLastMessageId: seen })).toEqual({
      code: 'CONFLICT',
      paths: ['expectedLastMessageId'],
    });
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ conversationStatus: 'OPEN', ...idle });
    expect(await changesOf()).toEqual([]);
    const shown = { leadId, at, expectedLastMessageId: await newest() };
    const { remindIfNoReply } = await query(app, tenant.operator, RemindIfNoReplyDocument, shown);
    expect(remindIfNoReply).toMatchObject({ conversationStatus: 'SNOOZED', snoozeKind: 'REMINDER' });
  });

  test('what was read, or was never answered, is put aside; our own later message is no reply', async () => {
    const at = inADay();
    await hear(app, tenant, number);
    expect(await remind(at)).toMatchObject({ conversationStatus: 'SNOOZED' });
    await hear(app, tenant, number);
    const seen = await newest();
    await writeBack();
    const shown = { leadId, at, expectedLastMessageId: seen };
    const { remindIfNoReply } = await query(app, tenant.operator, RemindIfNoReplyDocument, shown);
    expect(remindIfNoReply).toMatchObject({ conversationStatus: 'SNOOZED' });
    await hear(app, tenant, number);
    await setRead();
    expect(await remind(at)).toMatchObject({ conversationStatus: 'SNOOZED' });
  });

  test('of a reply and a reminder at the same moment, none is put aside unread', async () => {
    for (let round = 0; round < 5; round += 1) {
      await hear(app, tenant, number);
      await writeBack();
      await setRead();
      await Promise.all([hear(app, tenant, number), remind(inADay())]);
      expect(await stateOf(app, tenant, leadId)).toMatchObject({ conversationStatus: 'OPEN', ...idle });
    }
  });

  test('an id that is none, or no message of the lead, is refused', async () => {
    const other = await hear(app, tenant, plainNumber());
    for (const expectedLastMessageId of ['x', randomUUID(), other.messageId])
      expect(await refusal({ leadId, at: inADay(), expectedLastMessageId })).toEqual({
        code: 'VALIDATION_FAILED',
        paths: ['expectedLastMessageId'],
      });
  });

  test('without a reply it comes back at its time, as one event', async () => {
    await remind(inADay());
    await app.sql('UPDATE leads SET snoozed_until = now() WHERE id = $1', [leadId]);
    const state = await until(
      () => stateOf(app, tenant, leadId),
      ({ conversationStatus }) => conversationStatus === 'OPEN',
    );
    expect(state).toMatchObject(idle);
    expect((await changesOf()).at(-1)).toEqual({
      conversationStatus: 'OPEN',
      snoozedUntil: null,
      reason: 'SNOOZE_ENDED',
    });
  });

  test('a merge keeps the earlier one and its kind, and undoing it gives both back', async () => {
    const otherId = await createLead(app, tenant);
    const [sooner, later] = [new Date(Date.now() + 3_600_000).toISOString(), inADay()];
    await query(app, tenant.operator, SnoozeConversationDocument, { leadId, until: later });
    await remind(sooner, otherId);
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: otherId, intoId: leadId });
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ snoozedUntil: sooner, snoozeKind: 'REMINDER' });
    const [merge] = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE tenant_id = $1', [tenant.id]);
    await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: merge!.id });
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ snoozedUntil: later, snoozeKind: 'SNOOZE' });
    expect(await stateOf(app, tenant, otherId)).toMatchObject({ snoozedUntil: sooner, snoozeKind: 'REMINDER' });
  });

  test.each([
    ['past', () => new Date(Date.now() - 1_000).toISOString()],
    ['more than a year ahead', () => new Date(Date.now() + 400 * 86_400_000).toISOString()],
  ])('a time that is %s is refused', async (_name, make) => {
    const answer = await execute(app, tenant.operator, RemindIfNoReplyDocument, { leadId, at: make() });
    expect(failureOf(answer)).toMatchObject({ code: 'VALIDATION_FAILED', paths: ['at'] });
  });
}
