// A message that comes without its content, and the call under the same id that has it. The content is filled in whatever order calls come,
// and the conversation changes with it.

import { randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import { CloseConversationDocument, MarkLeadReadDocument, MessageContentDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createTenantWhoseSendsWait, loggedEvents, stateOf } from '../leads/conversation-harness.js';
import { findInconsistencies, lid, phone, receive, transact } from '../leads/lead-harness.js';
import { plainNumber, send } from './sending-harness.js';

const inboundPath = '/webhooks/chat/gateway/inbound';

interface Result {
  messageId: string;
  leadId: string;
  duplicate: boolean;
}

export function describePlaceholders(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let from: string;

  beforeAll(async () => (app = await sharedApp({ PROCESS_ROLE: 'api' })));
  beforeEach(async () => {
    tenant = await createTenantWhoseSendsWait(app);
    from = plainNumber();
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  async function post(...items: object[]): Promise<Result[]> {
    const body = items.length === 1 ? { from, ...items[0] } : { messages: items.map((item) => ({ from, ...item })) };
    const answer = await app.post(inboundPath, body, withKey(tenant));
    expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
    return ((await answer.json()) as { results: Result[] }).results;
  }

  /** Posts a message without content of a known lead, whose messages may take the fast path. */
  async function hearEmpty(): Promise<Result & { externalId: string }> {
    await post({ messageId: randomUUID(), text: 'Oi' });
    const externalId = randomUUID();
    const [result] = await post({ messageId: externalId, type: 'unknown' });
    return { ...result!, externalId };
  }

  const contentOf = async (id: string) => (await query(app, tenant.operator, MessageContentDocument, { id })).message;
  const eventsOf = async () =>
    (
      await loggedEvents(app, tenant, [
        'MESSAGE_RECEIVED',
        'MESSAGE_UPDATED',
        'LEAD_UPDATED',
        'CONVERSATION_STATUS_CHANGED',
      ])
    ).map(({ type }) => type);

  test('by itself: it is filled, and says so once', async () => {
    const { messageId, externalId, leadId } = await hearEmpty();
    const before = await eventsOf();
    const text = { messageId: externalId, text: 'Here it is', replyTo: 'quoted', timestamp: 1_795_180_500 };
    expect(await post(text)).toEqual([{ messageId, leadId, duplicate: false }]);
    expect(await contentOf(messageId)).toMatchObject({
      type: 'text',
      body: 'Here it is',
      replyToExternalId: 'quoted',
      providerTimestamp: new Date(1_795_180_500_000).toISOString(),
    });
    expect(await eventsOf()).toEqual([...before, 'MESSAGE_UPDATED']);
    expect((await stateOf(app, tenant, leadId)).unreadCount).toBe(2);
    expect(await post(text)).toEqual([{ messageId, leadId, duplicate: true }]);
    expect(await post({ messageId: externalId, text: 'Another' })).toEqual([{ messageId, leadId, duplicate: true }]);
    expect(await post({ messageId: externalId, type: 'unknown' })).toEqual([{ messageId, leadId, duplicate: true }]);
    expect((await contentOf(messageId))?.body).toBe('Here it is');
    expect(await eventsOf()).toEqual([...before, 'MESSAGE_UPDATED']);
  });

  test('an empty message after its text is a duplicate', async () => {
    const externalId = randomUUID();
    const [first] = await post({ messageId: externalId, text: 'Oi' });
    expect(await post({ messageId: externalId, type: 'unknown' })).toEqual([{ ...first, duplicate: true }]);
    expect((await contentOf(first!.messageId))?.body).toBe('Oi');
  });

  test.each(['empty first', 'text first'])('both in one call, %s: one message with the text', async (order) => {
    const messageId = randomUUID();
    const both = [
      { messageId, type: 'unknown' },
      { messageId, text: 'Oi' },
    ];
    const results = await post(...(order === 'text first' ? both.toReversed() : both));
    expect(results.filter(({ duplicate }) => duplicate)).toHaveLength(1);
    expect(new Set(results.map((result) => result.messageId)).size).toBe(1);
    expect(await contentOf(results[0]!.messageId)).toMatchObject({ type: 'text', body: 'Oi' });
  });

  test('many calls at once, with and without the text: one message, filled once', async () => {
    await post({ messageId: randomUUID(), text: 'Oi' });
    const messageId = randomUUID();
    const bodies = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? { messageId, type: 'unknown' } : { messageId, text: 'Oi' },
    );
    const results = (await Promise.all(bodies.map((body) => post(body)))).flat();
    const [id, ...others] = new Set(results.map((result) => result.messageId));
    expect(others).toEqual([]);
    expect(await contentOf(id!)).toMatchObject({ type: 'text', body: 'Oi' });
    const updates = (await eventsOf()).filter((type) => type === 'MESSAGE_UPDATED');
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1 + updates.length);
  });

  test('the empty message is written by another process at this very moment: the text fills it', async () => {
    const { leadId } = (await post({ messageId: randomUUID(), text: 'Oi' }))[0]!;
    const externalId = randomUUID();
    const posted: Promise<Result[]>[] = [];
    await transact(app, tenant, async (tx) => {
      await tx.query(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, external_id, is_placeholder)
         VALUES ($1, uuidv7(), $2, $3, 'INBOUND', 'ciphertext', $4, true)`,
        [tenant.id, leadId, tenant.instance.id, externalId],
      );
      await tx.query(
        `UPDATE leads SET unread_count = unread_count + 1, (last_message_id, last_message_position, last_inbound_position,
           last_inbound_at) = (SELECT id, position, position, created_at FROM messages WHERE tenant_id = $1 AND external_id = $2) WHERE id = $3`,
        [tenant.id, externalId, leadId],
      );
      posted.push(post({ messageId: externalId, text: 'Oi' }));
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    const [result] = (await posted[0])!;
    expect(result).toMatchObject({ leadId, duplicate: false });
    expect(await contentOf(result!.messageId)).toMatchObject({ type: 'text', body: 'Oi' });
  });

  test('a file comes with the content', async () => {
    const { messageId, externalId } = await hearEmpty();
    const media = { url: 'https://files.example/a.png', mimeType: 'image/png', caption: 'Look' };
    expect((await post({ messageId: externalId, type: 'image', media }))[0]?.duplicate).toBe(false);
    expect(await contentOf(messageId)).toMatchObject({ type: 'image', body: 'Look', media: { state: 'PENDING' } });
  });

  test('a message of the time before the mark is known by its type', async () => {
    const { messageId, externalId } = await hearEmpty();
    await app.sql('UPDATE messages SET is_placeholder = false WHERE id = $1', [messageId]);
    expect((await post({ messageId: externalId, text: 'Oi' }))[0]?.duplicate).toBe(false);
    expect((await contentOf(messageId))?.body).toBe('Oi');
  });

  test('it was read, and the conversation closed: it is unread and open again, and waits', async () => {
    const { messageId, externalId, leadId } = await hearEmpty();
    await query(app, tenant.operator, MarkLeadReadDocument, { id: leadId });
    await query(app, tenant.operator, CloseConversationDocument, { leadId });
    const before = await eventsOf();
    await post({ messageId: externalId, text: 'Oi' });
    const state = await stateOf(app, tenant, leadId);
    expect(state).toMatchObject({ unreadCount: 1, conversationStatus: 'OPEN' });
    expect(state.waitingSince).not.toBeNull();
    expect(await eventsOf()).toEqual([...before, 'LEAD_UPDATED', 'CONVERSATION_STATUS_CHANGED', 'MESSAGE_UPDATED']);
    expect(messageId).toBeDefined();
  });

  test('it was read and answered: it is unread, and nobody waits', async () => {
    const { externalId, leadId } = await hearEmpty();
    await query(app, tenant.operator, MarkLeadReadDocument, { id: leadId });
    await send(app, tenant, { leadId, body: 'I cannot see what you wrote' });
    await post({ messageId: externalId, text: 'Oi' });
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ unreadCount: 1, waitingSince: null });
  });

  test('a keyword that fills a message opts out', async () => {
    const { externalId, leadId } = await hearEmpty();
    await post({ messageId: externalId, text: 'STOP' });
    expect(await app.sql('SELECT source FROM opt_outs WHERE lead_id = $1', [leadId])).toEqual([{ source: 'KEYWORD' }]);
  });

  const second = (seconds: number) => 1_795_180_500 + seconds;

  test.each(['before it', 'after it'])(
    'an edit that came %s counts; the first text is kept among its changes',
    async (when) => {
      const externalId = randomUUID();
      await post({ messageId: randomUUID(), text: 'Oi' });
      const edit = () =>
        post({
          type: 'edit',
          timestamp: second(60),
          edit: { messageId: externalId, text: 'Edited' },
          messageId: randomUUID(),
        });
      if (when === 'before it') await edit();
      const [empty] = await post({ messageId: externalId, type: 'unknown', timestamp: second(0) });
      if (when === 'after it') await edit();
      await post({ messageId: externalId, text: 'First', timestamp: second(0) });
      const id = empty!.messageId;
      expect(await contentOf(id)).toMatchObject({ type: 'text', body: 'Edited', changes: [{ previousBody: 'First' }] });
    },
  );

  test('it was deleted meanwhile: it stays empty, and its text is kept among its changes', async () => {
    const { messageId, externalId, leadId } = await hearEmpty();
    await query(app, tenant.operator, MarkLeadReadDocument, { id: leadId });
    await post({ type: 'deletion', messageId: randomUUID(), deletion: { messageId: externalId } });
    const media = { url: 'https://files.example/a.png', caption: 'Look' };
    await post({ messageId: externalId, type: 'image', media });
    const content = await contentOf(messageId);
    expect(content).toMatchObject({ body: null, media: null, changes: [{ previousBody: 'Look' }] });
    expect((await stateOf(app, tenant, leadId)).unreadCount).toBe(0);
  });

  test('a reaction stays', async () => {
    const { messageId, externalId } = await hearEmpty();
    await post({ type: 'reaction', messageId: randomUUID(), reaction: { messageId: externalId, emoji: '👍' } });
    await post({ messageId: externalId, text: 'Oi' });
    expect(await contentOf(messageId)).toMatchObject({ body: 'Oi', reactions: [{ emoji: '👍' }] });
  });

  test('what a history has fills it as well, and the call that names the number of a hidden lead', async () => {
    const hidden = lid('1234567');
    const externalId = randomUUID();
    const empty = {
      from: [hidden],
      externalId,
      said: { type: 'ciphertext', text: undefined, isPlaceholder: true },
    } as const;
    const [first] = await receive(app, tenant, [{ ...empty, from: [hidden] }]);
    const recoveredFrom = new Date(Date.now() - 3_600_000);
    const [filled] = await receive(app, tenant, [
      { from: [hidden, phone(from)], externalId, text: 'Oi', recoveredFrom },
    ]);
    expect(filled).toEqual({ ...first, duplicate: false });
    expect(await contentOf(first!.messageId)).toMatchObject({ body: 'Oi', lead: { chat: from } });
  });

  test('what we wrote on the phone is filled, and is nobody’s unread message', async () => {
    const externalId = randomUUID();
    const echo = { direction: 'OUTBOUND', type: 'ciphertext', text: undefined, isPlaceholder: true } as const;
    const [first] = await receive(app, tenant, [{ from: [phone(from)], externalId, said: echo }]);
    const [filled] = await receive(app, tenant, [
      { from: [phone(from)], externalId, text: 'Oi', said: { direction: 'OUTBOUND' } },
    ]);
    expect(filled).toEqual({ ...first, duplicate: false });
    expect(await contentOf(first!.messageId)).toMatchObject({ body: 'Oi', status: 'SENT' });
    expect((await stateOf(app, tenant, first!.leadId)).unreadCount).toBe(0);
  });
}
