// Changes that gateways report of earlier messages, through each dialect: reactions, edits and deletions. The newest counts in whatever
// order they come, and a change that comes before its message waits.

import { randomUUID } from 'node:crypto';
import { Subscription, connect, execute, query } from '../../support/graphql-client.js';
import {
  ChangedEventsDocument,
  ChangedMessagesDocument,
  DeleteLeadDocument,
  EventCursorDocument,
  InboxDocument,
  MergeLeadsDocument,
  ReplayWebhookDeliveryDocument,
  UndoLeadMergeDocument,
  WebhookDeliveriesDocument,
} from '../../support/operations.js';
import { withTenant } from '../../support/shared-app.js';
import { serviceOperator, withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';
import { phoneCall, writtenAtSeconds } from '../../faults/phone-call.js';
import { createLead, plainNumber, send } from './sending-harness.js';

const inboundPath = '/webhooks/chat/gateway/inbound';
/** The second in which the test takes place, and seconds after it. */
const at = (seconds: number) => 1_795_180_500 + seconds;

interface Result {
  messageId: string | null;
  outcome?: string;
  change?: string;
  duplicate?: boolean;
  errors?: { path: string; message: string }[];
}

export function describeMessageChanges(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let from: string;
  let leadId: string;

  withTenant((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });
  beforeEach(async () => {
    from = plainNumber();
    leadId = await createLead(app, tenant, from);
  });

  async function post(body: object, of = tenant): Promise<Result[]> {
    const answer = await app.post(inboundPath, body, withKey(of));
    expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
    return ((await answer.json()) as { results: Result[] }).results;
  }

  const named = (item: object) => ({ instance: tenant.instance.name, from, ...item });

  async function writes(content: object = { text: 'Oi' }): Promise<string> {
    const messageId = randomUUID();
    await post(named({ messageId, timestamp: at(0), ...content }));
    return messageId;
  }

  const reaction = (messageId: string, emoji: string | null, seconds: number) =>
    named({ type: 'reaction', reaction: { messageId, emoji }, timestamp: at(seconds) });
  const edit = (messageId: string, text: string, seconds: number) =>
    named({ type: 'edit', edit: { messageId, text }, timestamp: at(seconds) });
  const deletion = (messageId: string, seconds: number) =>
    named({ type: 'deletion', deletion: { messageId }, timestamp: at(seconds) });

  async function outcomeOf(item: object): Promise<string | undefined> {
    return (await post(item))[0]?.outcome;
  }

  async function thread(of = leadId) {
    const { messages } = await query(app, tenant.operator, ChangedMessagesDocument, { leadId: of });
    return messages.edges.map(({ node }) => node);
  }

  async function only() {
    const [message, ...others] = await thread();
    expect(others).toEqual([]);
    return message;
  }

  async function eventTypes(work: () => Promise<unknown>): Promise<string[]> {
    const head = async () => {
      const [row] = await app.sql<{ seq: string }>('SELECT last_seq AS seq FROM event_heads WHERE tenant_id = $1', [
        tenant.id,
      ]);
      return Number(row?.seq ?? 0);
    };
    const before = await head();
    await work();
    const rows = await app.sql<{ type: string }>(
      'SELECT type FROM events WHERE tenant_id = $1 AND seq > $2 ORDER BY seq',
      [tenant.id, before],
    );
    return rows.map(({ type }) => type);
  }

  test('what we send and the phone reports back stays one message: its origin and author stay, and it is created once', async () => {
    await writes();
    const text = randomUUID();
    const created = await eventTypes(() => send(app, tenant, { leadId, body: text }));
    expect(created).toEqual(['MESSAGE_CREATED', 'MESSAGE_STATUS_CHANGED']);
    // Simulates a claim, because this process sends nothing.
    await app.sql("UPDATE messages SET status = 'SENDING' WHERE tenant_id = $1 AND body = $2", [tenant.id, text]);
    // Its attempt has no answer yet, and began when the phone reports it.
    const attempt =
      'tenant_id, message_id, number, granted_at) SELECT tenant_id, id, 1, to_timestamp($3) FROM messages';
    await app.sql(`INSERT INTO send_attempts (${attempt} WHERE tenant_id = $1 AND body = $2`, [
      tenant.id,
      text,
      writtenAtSeconds,
    ]);
    const echo = phoneCall(tenant.instance.name, [{ externalId: randomUUID(), to: from, text }]);
    expect(await eventTypes(() => post(echo))).toEqual(['MESSAGE_STATUS_CHANGED']);
    expect(await eventTypes(() => post(echo))).toEqual([]);
    expect(await thread()).toMatchObject([
      { origin: 'LEAD' },
      { origin: 'USER', body: text, author: { id: tenant.operator.id } },
    ]);
  });

  describe('reactions', () => {
    test('stand at their message: no message of their own, nothing unread, no move in the inbox', async () => {
      const messageId = await writes();
      const other = await createLead(app, tenant);
      await post({ instance: tenant.instance.name, from: plainNumber(), messageId: randomUUID(), text: 'Newer' });
      const before = await query(app, tenant.operator, InboxDocument, { first: 50 });
      expect(await eventTypes(() => post(reaction(messageId, '👍', 1)))).toEqual(['MESSAGE_UPDATED']);
      expect(await query(app, tenant.operator, InboxDocument, { first: 50 })).toEqual(before);
      expect(await only()).toMatchObject({
        origin: 'LEAD',
        body: 'Oi',
        reactions: [{ emoji: '👍', fromLead: true, user: null, reactedAt: new Date(at(1) * 1_000).toISOString() }],
      });
      expect(await thread(other)).toEqual([]);
    });

    test.each([
      ['in order', [1, 2, 3]],
      ['the last first', [3, 2, 1]],
      ['the last in the middle', [1, 3, 2]],
      ['each twice', [1, 1, 3, 3, 2, 2, 3]],
    ])('the newest counts: %s', async (_name, order) => {
      const emojis: Record<number, string | null> = { 1: '👍', 2: null, 3: '❤️' };
      const messageId = await writes();
      for (const second of order) await post(reaction(messageId, emojis[second] ?? null, second));
      expect((await only())?.reactions.map(({ emoji }) => emoji)).toEqual(['❤️']);
    });

    test('one that is taken back is gone, also where an earlier report of it comes later or twice', async () => {
      const messageId = await writes();
      expect(await outcomeOf(reaction(messageId, '👍', 1))).toBe('applied');
      expect(await outcomeOf(reaction(messageId, '👍', 1))).toBe('ignored');
      expect(await outcomeOf(reaction(messageId, null, 3))).toBe('applied');
      expect(await outcomeOf(reaction(messageId, '😂', 2))).toBe('ignored');
      expect(await outcomeOf(reaction(messageId, '', 3))).toBe('ignored');
      expect((await only())?.reactions).toEqual([]);
    });

    test('a time in the future counts as now: what comes later is not hidden', async () => {
      const messageId = await writes();
      await post(reaction(messageId, '👍', 400 * 86_400));
      await post({ ...reaction(messageId, '❤️', 0), timestamp: undefined });
      expect((await only())?.reactions.map(({ emoji }) => emoji)).toEqual(['❤️']);
    });

    test.each<[string, object, string]>([
      ['without its part', { type: 'reaction', text: '👍' }, 'reaction'],
      ['to no message', { type: 'reaction', reaction: { emoji: '👍' } }, 'reaction.messageId'],
      ['that is too long', { type: 'reaction', reaction: { messageId: 'm', emoji: 'x'.repeat(65) } }, 'reaction.emoji'],
      ['an edit without a text', { type: 'edit', edit: { messageId: 'm' } }, 'edit.text'],
      ['a deletion of no message', { type: 'deletion', deletion: {} }, 'deletion.messageId'],
    ])('422: %s', async (_name, item, path) => {
      const answer = await app.post(inboundPath, named(item), withKey(tenant));
      expect([answer.status, await answer.json()]).toEqual([
        422,
        expect.objectContaining({ errors: [expect.objectContaining({ path })] }),
      ]);
    });
  });

  describe('edits', () => {
    test('change the text, and keep the one before', async () => {
      const messageId = await writes();
      expect(await eventTypes(() => post(edit(messageId, 'Olá', 5)))).toEqual(['MESSAGE_UPDATED']);
      expect(await only()).toMatchObject({
        body: 'Olá',
        editedAt: new Date(at(5) * 1_000).toISOString(),
        deletedAt: null,
        changes: [{ kind: 'EDIT', previousBody: 'Oi', occurredAt: new Date(at(5) * 1_000).toISOString() }],
      });
      expect(await eventTypes(() => post(edit(messageId, 'Olá', 5)))).toEqual([]);
    });

    test('the newest counts: an older one that comes later is ignored', async () => {
      const messageId = await writes();
      await post(edit(messageId, 'third', 3));
      expect(await outcomeOf(edit(messageId, 'second', 2))).toBe('ignored');
      expect((await only())?.body).toBe('third');
    });

    test("of a file change its caption, and nothing of the lead's may be changed by another lead", async () => {
      const media = { url: 'https://files.example/a.png', mimeType: 'image/png', caption: 'A' };
      const messageId = await writes({ type: 'image', media });
      const stranger = plainNumber();
      await createLead(app, tenant, stranger);
      for (const item of [edit(messageId, 'B', 1), deletion(messageId, 1), reaction(messageId, '👍', 1)])
        expect(await outcomeOf({ ...item, from: stranger })).toBe('ignored');
      expect(await outcomeOf(edit(messageId, 'C', 2))).toBe('applied');
      expect(await only()).toMatchObject({ body: 'C', media: { sourceUrl: media.url, caption: 'C' }, reactions: [] });
    });

    test('of one message the newest 20 are kept, however many come in one call', async () => {
      const messageId = await writes();
      for (const start of [1, 31]) {
        const messages = Array.from({ length: 30 }, (_, index) => edit(messageId, `${start + index}`, start + index));
        expect((await post({ messages })).map(({ outcome }) => outcome)).toEqual(messages.map(() => 'applied'));
      }
      const message = await only();
      expect(message?.body).toBe('60');
      expect(message?.changes.map(({ previousBody }) => previousBody)).toEqual(
        Array.from({ length: 20 }, (_, index) => `${40 + index}`),
      );
    });
  });

  describe('deletions', () => {
    test('take the text, the file and the reactions away, for good', async () => {
      const media = { url: 'https://files.example/a.png', caption: 'A' };
      const messageId = await writes({ type: 'image', media });
      await post(reaction(messageId, '👍', 1));
      expect(await eventTypes(() => post(deletion(messageId, 9)))).toEqual(['MESSAGE_UPDATED']);
      for (const late of [edit(messageId, 'B', 10), reaction(messageId, '❤️', 10), deletion(messageId, 11)])
        expect(await outcomeOf(late)).toBe('ignored');
      expect(await only()).toMatchObject({
        body: null,
        media: null,
        reactions: [],
        deletedAt: new Date(at(9) * 1_000).toISOString(),
        changes: [{ kind: 'DELETION', previousBody: 'A' }],
      });
    });

    test('a replay of the calls changes nothing', async () => {
      const messageId = await writes();
      await post(edit(messageId, 'B', 2));
      await post({ ...reaction(messageId, '👍', 3), timestamp: undefined });
      await post(deletion(messageId, 4));
      const before = await thread();
      const { webhookDeliveries } = await query(app, tenant.admin, WebhookDeliveriesDocument, { first: 4 });
      for (const { node } of webhookDeliveries.edges.toReversed())
        await query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id: node.id });
      expect(await thread()).toEqual(before);
    });
  });

  describe('before the message', () => {
    test('what is done to it waits, and counts when it comes, by whichever path', async () => {
      await writes({ text: 'so that the lead is known' });
      for (const many of [false, true]) {
        const messageId = randomUUID();
        for (const item of [edit(messageId, 'B', 2), reaction(messageId, '👍', 2), edit(messageId, 'A', 1)])
          expect(await outcomeOf(item)).toBe('parked');
        const message = named({ messageId, text: 'Oi', timestamp: at(0) });
        await post(many ? { messages: [message] } : message);
        const written = (await thread()).find(({ externalId }) => externalId === messageId);
        expect(written).toMatchObject({ body: 'B', reactions: [{ emoji: '👍' }], changes: [{ previousBody: 'Oi' }] });
      }
      expect(await app.sql('SELECT FROM parked_changes WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });

    test('in one call with its message it counts at once, whatever the order', async () => {
      const messageId = randomUUID();
      const messages = [deletion(messageId, 1), named({ messageId, text: 'Oi', timestamp: at(0) })];
      expect((await post({ messages })).map(({ outcome, duplicate }) => outcome ?? duplicate)).toEqual([
        'applied',
        false,
      ]);
      expect(await only()).toMatchObject({ body: null });
    });

    test('what waits too long goes, and the journal says so; what was missed is settled', async () => {
      const [lost, missed] = [randomUUID(), await writes()];
      await post(deletion(lost, 1));
      await post(deletion(randomUUID(), 1));
      // The parked change gets the id of a stored message, as if both had come at the same moment.
      await app.sql('UPDATE parked_changes SET external_id = $2 WHERE tenant_id = $1 AND external_id <> $3', [
        tenant.id,
        missed,
        lost,
      ]);
      await app.sql("UPDATE parked_changes SET created_at = now() - interval '400 days' WHERE tenant_id = $1", [
        tenant.id,
      ]);
      expect((await app.app.services.pruning.prune()).parkedChanges).toBeGreaterThanOrEqual(1);
      expect((await only())?.deletedAt).not.toBeNull();
      const { webhookDeliveries } = await query(app, tenant.admin, WebhookDeliveriesDocument, { first: 2 });
      expect(webhookDeliveries.edges[1]?.node.reason).toMatch(new RegExp(`deletion of ${lost}: no message of that id`));
    });
  });

  describe('missed by the fast path', () => {
    /** Parks changes of a tenant whose messages came at the same moment. @returns the messages */
    async function miss(of: TestTenant, number: number): Promise<string[]> {
      const ids = Array.from({ length: number }, () => randomUUID());
      const lists = [ids.slice(0, 400), ids.slice(400, 800), ids.slice(800)].filter(({ length }) => length > 0);
      const item = (messageId: string) => ({ instance: of.instance.name, from, messageId, timestamp: at(0) });
      for (const list of lists) await post({ messages: list.map((id) => ({ ...item(id), text: 'Oi' })) }, of);
      await app.sql(
        `INSERT INTO parked_changes (tenant_id, id, instance_id, external_id, change, side, occurred_at)
         SELECT $1, gen_random_uuid(), $2, id, 'DELETION', 'WRITER', now() FROM unnest($3::text[]) AS m (id)`,
        [of.id, of.instance.id, ids],
      );
      return ids;
    }

    async function deletedOf(of: TestTenant): Promise<number> {
      const [row] = await app.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM messages WHERE tenant_id = $1 AND deleted_at IS NOT NULL',
        [of.id],
      );
      return row?.count ?? 0;
    }

    test('each tenant has its turn: one that fails stops no other, and many of one leave none of another', async () => {
      const [failing, large, small] = await Promise.all([app.createTenant(), app.createTenant(), app.createTenant()]);
      await miss(failing, 1);
      await miss(large, 1_100);
      await miss(small, 1);
      await app.sql(`CREATE FUNCTION refuse_parked() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'`);
      await app.sql(`CREATE TRIGGER refuse_parked BEFORE DELETE ON parked_changes FOR EACH ROW
        WHEN (OLD.tenant_id = '${failing.id}') EXECUTE FUNCTION refuse_parked()`);
      try {
        await app.app.services.pruning.prune();
      } finally {
        await app.sql('DROP FUNCTION refuse_parked CASCADE');
      }
      expect(await Promise.all([failing, large, small].map(deletedOf))).toEqual([0, 1_100, 1]);
      await app.app.services.pruning.prune();
      expect(await deletedOf(failing)).toBe(1);
    });
  });

  describe('through other dialects', () => {
    const jid = () => `${from}@s.whatsapp.net`;
    const evolution = (event: string, data: object) => post({ event, instance: tenant.instance.name, data });
    const upsert = (key: object, message: object, seconds: number) =>
      evolution('messages.upsert', { key: { remoteJid: jid(), ...key }, message, messageTimestamp: at(seconds) });

    test('Evolution: written, reacted to, edited and deleted on the phone and by the lead', async () => {
      const [ours, theirs] = [randomUUID(), randomUUID()];
      const written = await eventTypes(() => upsert({ id: ours, fromMe: true }, { conversation: 'Já vou' }, 0));
      expect(written).toEqual(['MESSAGE_CREATED', 'MESSAGE_STATUS_CHANGED']);
      await upsert({ id: theirs, fromMe: false }, { conversation: 'Oi' }, 1);
      const react = (id: string, text: string) => ({ reactionMessage: { key: { id }, text } });
      await upsert({ id: randomUUID(), fromMe: true }, react(theirs, '❤️'), 2);
      await upsert({ id: randomUUID(), fromMe: false }, react(ours, '👍'), 2);
      const key = { id: ours, fromMe: true, remoteJid: 'anybody@s.whatsapp.net' };
      const edited = { key, type: 14, editedMessage: { conversation: 'Já vou!' }, timestampMs: at(3) * 1_000 };
      expect(await evolution('messages.edited', edited)).toMatchObject([{ change: 'EDIT', outcome: 'applied' }]);
      // The lead cannot take back what we wrote.
      const byLead = { id: ours, fromMe: false, remoteJid: jid() };
      expect(await evolution('messages.delete', byLead)).toMatchObject([{ outcome: 'ignored' }]);
      const byLeadToo = { id: theirs, fromMe: false, remoteJid: jid() };
      expect(await evolution('messages.delete', byLeadToo)).toMatchObject([{ change: 'DELETION', outcome: 'applied' }]);
      expect(await thread()).toMatchObject([
        { origin: 'PHONE', author: null, body: 'Já vou!', reactions: [{ emoji: '👍', fromLead: true }] },
        { origin: 'LEAD', body: null, reactions: [], changes: [{ kind: 'DELETION', previousBody: 'Oi' }] },
      ]);
    });

    test('WAHA: written, reacted to, edited and revoked on the phone and by the lead', async () => {
      const waha = (event: string, payload: object, seconds: number) =>
        post({ event, session: tenant.instance.name, timestamp: at(seconds) * 1_000, payload });
      const [ours, theirs] = [randomUUID(), randomUUID()];
      const idOf = (id: string, fromMe: boolean) => `${fromMe}_${from}@c.us_${id}`;
      const written = (id: string, fromMe: boolean, body: string, seconds: number) =>
        waha('message.any', { id: idOf(id, fromMe), timestamp: at(seconds), fromMe, body }, seconds);
      await written(ours, true, 'Já vou', 0);
      await written(theirs, false, 'Oi', 1);
      const react = (fromMe: boolean, messageId: string, text: string) => {
        const payload = { id: idOf(randomUUID(), fromMe), timestamp: at(2), fromMe, reaction: { messageId, text } };
        return waha('message.reaction', payload, 2);
      };
      await react(true, idOf(theirs, false), '❤️');
      await react(false, idOf(ours, true), '👍');
      const edited = { id: idOf(randomUUID(), true), fromMe: true, body: 'Já vou!', editedMessageId: ours };
      expect(await waha('message.edited', edited, 3)).toMatchObject([{ change: 'EDIT', outcome: 'applied' }]);
      // The lead cannot take back what we wrote.
      const revoked = (revokedMessageId: string) =>
        waha('message.revoked', { after: { id: idOf(randomUUID(), false) }, revokedMessageId }, 4);
      expect(await revoked(ours)).toMatchObject([{ outcome: 'ignored' }]);
      expect(await revoked(theirs)).toMatchObject([{ change: 'DELETION', outcome: 'applied' }]);
      expect(await thread()).toMatchObject([
        { origin: 'PHONE', author: null, body: 'Já vou!', reactions: [{ emoji: '👍', fromLead: true }] },
        { origin: 'LEAD', body: null, reactions: [], changes: [{ kind: 'DELETION', previousBody: 'Oi' }] },
      ]);
    });

    test("Meta: echoes of the phone, and what becomes of them and of the lead's messages", async () => {
      const input = { accountId: tenant.admin.accountId, instanceName: randomUUID(), webhookSecret: 'x'.repeat(32) };
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const { id: instanceId } = await app.app.services.chatInstances.create(serviceOperator, input, place);
      const call = (field: string, list: object) =>
        app.app.services.webhooks.receiveCloud(
          {
            id: randomUUID(),
            tenantId: tenant.id,
            route: `/webhooks/chat/cloud/${instanceId}`,
            contentType: 'application/json',
            signature: undefined,
            userAgent: undefined,
            body: Buffer.from(JSON.stringify({ entry: [{ changes: [{ field, value: list }] }] })),
            receivedAt: new Date(),
          },
          { tenantId: tenant.id, instanceId, instanceName: input.instanceName, phoneNumberId: undefined },
          { key: instanceId, setHeaders: () => undefined },
        );
      const echo = (id: string, seconds: number, rest: object) =>
        call('smb_message_echoes', { message_echoes: [{ to: from, id, timestamp: String(at(seconds)), ...rest }] });
      const ofLead = (id: string, seconds: number, rest: object) =>
        call('messages', { messages: [{ from, id, timestamp: String(at(seconds)), ...rest }] });
      await echo('wamid.1', 0, { type: 'text', text: { body: 'Do celular' } });
      await ofLead('wamid.2', 1, { type: 'text', text: { body: 'Oi' } });
      await ofLead('wamid.3', 2, { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '🙏' } });
      const message = { type: 'text', text: { body: 'Olá' } };
      await ofLead('wamid.4', 3, { type: 'edit', edit: { original_message_id: 'wamid.2', message } });
      expect(await thread()).toMatchObject([
        { origin: 'PHONE', status: 'SENT', body: 'Do celular', reactions: [{ emoji: '🙏' }] },
        { origin: 'LEAD', body: 'Olá' },
      ]);
      await echo('wamid.5', 4, { type: 'revoke', revoke: { original_message_id: 'wamid.1' } });
      await ofLead('wamid.6', 4, { type: 'revoke', revoke: { original_message_id: 'wamid.2' } });
      expect((await thread()).map(({ body, deletedAt }) => [body, deletedAt === null])).toEqual([
        [null, false],
        [null, false],
      ]);
    });
  });

  describe('with their message', () => {
    test('they are moved by a merge, exported, and erased', async () => {
      const messageId = await writes({ text: 'Old text' });
      await post(edit(messageId, 'New text', 1));
      await post(reaction(messageId, '👍', 1));
      const target = await createLead(app, tenant);
      await query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId: target });
      expect(await thread(target)).toMatchObject([{ body: 'New text', reactions: [{ emoji: '👍' }] }]);
      expect(await outcomeOf(reaction(messageId, '❤️', 2))).toBe('applied');
      const [merge] = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE tenant_id = $1', [tenant.id]);
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: merge?.id ?? '' });
      expect(await thread()).toMatchObject([{ body: 'New text', reactions: [{ emoji: '❤️' }] }]);
      expect(await thread(target)).toEqual([]);
      const filter = encodeURIComponent(JSON.stringify({ leadId }));
      const csv = await (await app.get(`/messages/export.csv?filter=${filter}`, withToken(tenant.operator))).text();
      const [header = '', row = ''] = csv.trim().split(/\r?\n/);
      expect(header.includes(',origin,replyToExternalId,reactions,editedAt,deletedAt,')).toBe(true);
      expect(row).toContain(`LEAD,,❤️ (lead),${new Date(at(1) * 1_000).toISOString()}`);
      const { data } = await execute(app, tenant.operator, DeleteLeadDocument, { id: leadId });
      expect(data).toMatchObject({ deleteLead: leadId });
      const left = await app.sql(
        `SELECT FROM message_changes WHERE tenant_id = $1 AND previous_body = 'Old text'
         UNION ALL SELECT FROM message_reactions r WHERE r.tenant_id = $1
           AND NOT EXISTS (SELECT FROM messages m WHERE m.tenant_id = $1 AND m.id = r.message_id)`,
        [tenant.id],
      );
      expect(left).toEqual([]);
    });

    test('the text before is removed when the calls of its time are', async () => {
      const messageId = await writes();
      await post(edit(messageId, 'B', 1));
      await app.sql("UPDATE message_changes SET recorded_at = now() - interval '400 days' WHERE tenant_id = $1", [
        tenant.id,
      ]);
      expect((await app.app.services.pruning.prune()).previousTexts).toBeGreaterThanOrEqual(1);
      expect(await only()).toMatchObject({ body: 'B', changes: [{ kind: 'EDIT', previousBody: null }] });
    });
  });

  test('the live feed tells of them with the message as it is', async () => {
    const messageId = await writes();
    const { eventCursor: after } = await query(app, tenant.operator, EventCursorDocument, {});
    await post(reaction(messageId, '👍', 1));
    await post(edit(messageId, 'Olá', 2));
    const socket = connect(app, tenant.operator);
    const seen = await new Subscription(socket, ChangedEventsDocument, { after }).until((got) => got.length === 2);
    await socket.dispose();
    const message = { origin: 'LEAD', body: 'Olá', reactions: [{ emoji: '👍' }] };
    expect(seen.map(({ events }) => events)).toMatchObject([1, 2].map(() => ({ type: 'MESSAGE_UPDATED', message })));
  });
}
