// An operator's reactions to earlier messages, and quotes of them, through a gateway that is the simulator. Also the customers that it
// plays.

import { randomUUID } from 'node:crypto';
import type { GatewaySimulator } from '../../../src/simulator/gateway-simulator.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  ChangedMessagesDocument,
  CreateChatInstanceDocument,
  ReactToMessageDocument,
  SendMessageDocument,
  type SendMessageInput,
} from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import {
  createLead,
  plainNumber,
  renewInstance,
  send,
  startSender,
  startSimulator,
  until,
  waitForStatus,
} from './sending-harness.js';

export function describeMessageReactions(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;
  let chat: string;

  beforeAll(async () => {
    simulator = await startSimulator();
    app = await startSender(simulator);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    await renewInstance(app, tenant);
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey }, tenant.instance.name);
    chat = plainNumber();
    leadId = await createLead(app, tenant, chat);
  });
  afterAll(async () => {
    await simulator.close();
    await app.stop();
  });

  const play = (content: Partial<Parameters<GatewaySimulator['receiveFromLead']>[0]>) =>
    simulator.receiveFromLead({ instance: tenant.instance.name, from: chat, ...content });

  async function thread() {
    const { messages } = await query(app, tenant.operator, ChangedMessagesDocument, { leadId });
    return messages.edges.map(({ node }) => node);
  }

  /** Receives a message of the lead. */
  async function received(text = 'Oi'): Promise<{ id: string; externalId: string }> {
    const { messageId: externalId } = await play({ text });
    const message = (await thread()).find((one) => one.externalId === externalId);
    return { id: message?.id ?? '', externalId };
  }

  async function sent(body = 'Hello'): Promise<{ id: string; externalId: string }> {
    const id = await send(app, tenant, { leadId, body });
    await waitForStatus(app, id, 'READ');
    return { id, externalId: (await thread()).find((message) => message.id === id)?.externalId ?? '' };
  }

  const react = async (id: string, emoji: string | null) =>
    (await query(app, tenant.operator, ReactToMessageDocument, { id, emoji })).reactToMessage.reactions;
  const tryReact = (id: string, emoji: string | null) =>
    execute(app, tenant.operator, ReactToMessageDocument, { id, emoji });
  const reactionsSent = () =>
    simulator.attempts().filter(({ instance, reaction }) => instance === tenant.instance.name && reaction !== null);

  describe('reactToMessage', () => {
    test('sets, changes and takes back our reaction, to messages of either side', async () => {
      for (const { id, externalId: messageId } of [await received(), await sent()]) {
        expect(await react(id, '👍')).toMatchObject([
          { emoji: '👍', fromLead: false, user: { id: tenant.operator.id } },
        ]);
        expect(await react(id, '❤️')).toMatchObject([{ emoji: '❤️' }]);
        expect(await react(id, null)).toEqual([]);
        expect(reactionsSent().slice(-3)).toMatchObject(
          ['👍', '❤️', null].map((emoji) => ({
            type: 'reaction',
            to: chat,
            reaction: { messageId, emoji },
            status: 200,
          })),
        );
      }
    });

    test('beside the reaction of the lead, and over the one of a colleague', async () => {
      const { id, externalId: messageId } = await received();
      await play({ reaction: { messageId, emoji: '😂' } });
      await react(id, '👍');
      const { reactToMessage } = await query(app, tenant.admin, ReactToMessageDocument, { id, emoji: '👍' });
      expect(reactToMessage.reactions).toMatchObject([
        { emoji: '😂', fromLead: true, user: null },
        { emoji: '👍', fromLead: false, user: { id: tenant.admin.id } },
      ]);
    });

    test.each(['', 'x', '👍👍', ' 👍', '12', '👍'.repeat(40)])(
      'VALIDATION_FAILED for %j, which is not one emoji',
      async (emoji) => {
        const { id } = await received();
        expect(failureOf(await tryReact(id, emoji))).toMatchObject({
          code: 'VALIDATION_FAILED',
          paths: ['emoji'],
        });
        expect(reactionsSent()).toEqual([]);
      },
    );

    test.each(['❤', '❤️', '🇧🇷', '1️⃣', '👩🏽‍🚒', '👨‍👩‍👧‍👦'])('%s is one emoji', async (emoji) => {
      expect(await react((await received()).id, emoji)).toMatchObject([{ emoji }]);
    });

    test('NOT_OFFERED where the gateway has no reactions; UNAVAILABLE while it cannot; nothing is stored', async () => {
      const { id } = await received();
      const behave = (change: object) => simulator.behave(change, tenant.instance.name);
      behave({ reactions: false });
      expect(failureOf(await tryReact(id, '👍')).code).toBe('NOT_OFFERED');
      behave({ reactions: true, failRate: 1, failStatus: 503 });
      expect(failureOf(await tryReact(id, '👍')).code).toBe('UNAVAILABLE');
      behave({ failStatus: 400 });
      expect(failureOf(await tryReact(id, '👍')).code).toBe('CONFLICT');
      expect((await thread())[0]?.reactions).toEqual([]);
    });

    test('CONFLICT for a message that is not at the network, and for one that was deleted', async () => {
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const waiting = await send(app, tenant, { leadId, body: 'Later', sendAt });
      expect(failureOf(await tryReact(waiting, '👍')).code).toBe('CONFLICT');
      const { id, externalId: messageId } = await received();
      await play({ deletion: { messageId } });
      expect(failureOf(await tryReact(id, '👍')).code).toBe('CONFLICT');
      expect(failureOf(await tryReact(randomUUID(), '👍')).code).toBe('NOT_FOUND');
      expect(reactionsSent()).toEqual([]);
    });

    test('counts as a send: RATE_LIMITED where the window has no place soon', async () => {
      await app.sql('UPDATE tenants SET chat_rate_max = 2, chat_rate_duration_ms = 3600000 WHERE id = $1', [tenant.id]);
      const { id } = await received();
      await react(id, '👍');
      const message = await send(app, tenant, { leadId, body: 'Takes the last place' });
      await waitForStatus(app, message, 'READ');
      expect(failureOf(await tryReact(id, '❤️')).code).toBe('RATE_LIMITED');
      expect((await thread())[0]?.reactions).toMatchObject([{ emoji: '👍' }]);
    });
  });

  describe('quotes', () => {
    const trySend = (input: SendMessageInput) => execute(app, tenant.operator, SendMessageDocument, { input });

    test('go to the gateway with the id of what they quote', async () => {
      const { id: replyToMessageId, externalId: replyTo } = await received();
      const id = await send(app, tenant, { leadId, body: 'Yes', replyToMessageId });
      await waitForStatus(app, id, 'READ');
      const attempt = simulator.attempts().find(({ idempotencyKey }) => idempotencyKey === id);
      expect(attempt).toMatchObject({ replyTo, text: 'Yes' });
      // The customer quotes it in turn.
      await play({ text: 'Good', replyTo: (await thread()).at(-1)?.externalId ?? '' });
      expect(await thread()).toHaveLength(3);
    });

    test('of another lead, of nobody, of what is not at the network, or deleted, are refused', async () => {
      const { id, externalId } = await received();
      const other = await createLead(app, tenant);
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const waiting = await send(app, tenant, { leadId, body: 'Later', sendAt });
      const failure = async (input: Partial<SendMessageInput>) =>
        failureOf(await trySend({ leadId, body: 'Re', ...input }));
      const refused = { code: 'VALIDATION_FAILED', paths: ['replyToMessageId'] };
      expect(await failure({ leadId: other, replyToMessageId: id })).toMatchObject(refused);
      expect(await failure({ replyToMessageId: waiting })).toMatchObject(refused);
      expect((await failure({ replyToMessageId: randomUUID() })).code).toBe('NOT_FOUND');
      const input = { accountId: tenant.admin.accountId, instanceName: randomUUID() };
      const elsewhere = (await query(app, tenant.admin, CreateChatInstanceDocument, { input })).createChatInstance.id;
      expect(await failure({ replyToMessageId: id, instanceId: elsewhere })).toMatchObject(refused);
      await play({ deletion: { messageId: externalId } });
      expect(await failure({ replyToMessageId: id })).toMatchObject(refused);
    });

    test('are part of what an idempotency key stands for', async () => {
      const [one, other] = [await received(), await received('Again')];
      const input = { leadId, body: 'Re', idempotencyKey: randomUUID(), replyToMessageId: one.id };
      const id = await send(app, tenant, input);
      expect(await send(app, tenant, input)).toBe(id);
      for (const replyToMessageId of [other.id, null])
        expect(failureOf(await trySend({ ...input, replyToMessageId })).code).toBe('CONFLICT');
    });
  });

  test('customers react, and edit and delete their replies, as the knobs say', async () => {
    const knobs = { replyRate: 1, replyDelayMs: 0, changeDelayMs: 5, reactionRate: 1, editRate: 1, deleteRate: 1 };
    simulator.behave(knobs, tenant.instance.name);
    const { id } = await sent();
    const done = await until(thread, (messages) => messages.some(({ deletedAt }) => deletedAt !== null));
    await simulator.idle();
    expect(done.at(-1)).toMatchObject({ origin: 'LEAD', body: null });
    expect(done.at(-1)?.changes.map(({ kind }) => kind)).toContain('DELETION');
    const message = (await thread()).find((one) => one.id === id);
    expect(message).toMatchObject({
      origin: 'USER',
      author: { id: tenant.operator.id },
      reactions: [{ fromLead: true }],
    });
  });
}
