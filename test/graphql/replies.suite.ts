// Replies: the instance that they leave through, the author of a message, and its quote. Also bulk messages, which do not bury the inbox.

import { randomUUID } from 'node:crypto';
import { createTemplate } from '../features/bulk-sends/bulk-harness.js';
import { createLead, plainNumber, send, trySend } from '../features/messages/sending-harness.js';
import { withLeadTenants } from '../features/leads/lead-harness.js';
import { failureOf, query } from '../support/graphql-client.js';
import {
  CreateChatInstanceDocument,
  DeleteChatInstanceDocument,
  DeleteLeadDocument,
  InboxOrderDocument,
  MergeLeadsDocument,
  ReplyInstancesDocument,
  SendMessagesDocument,
  ThreadDocument,
} from '../support/operations.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeReplies(): void {
  let app: TestApp;
  let tenant: TestTenant;

  // Without a worker, queued messages stay in the queue.
  withLeadTenants((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  interface Instance {
    id: string;
    name: string;
  }

  async function createInstance(name: string): Promise<Instance> {
    const input = { accountId: tenant.admin.accountId, instanceName: name };
    return { id: (await query(app, tenant.admin, CreateChatInstanceDocument, { input })).createChatInstance.id, name };
  }

  interface Person {
    id: string;
    chat: string;
  }

  async function meet(): Promise<Person> {
    const chat = plainNumber();
    return { id: await createLead(app, tenant, chat), chat };
  }

  /** @returns the provider's id */
  async function writes(
    { chat: from }: Pick<Person, 'chat'>,
    {
      instance = tenant.instance,
      ...content
    }: { instance?: Instance; text?: string; replyTo?: string; messageId?: string } = {},
  ): Promise<string> {
    const message = { messageId: randomUUID(), from, text: 'Oi', instance: instance.name, ...content };
    const answer = await app.post('/webhooks/chat/gateway/inbound', message, withKey(tenant));
    expect(answer.status).toBe(200);
    return message.messageId;
  }

  /** The reply instance of each lead, the oldest first. */
  async function replyInstances(): Promise<(string | undefined)[]> {
    const { leads } = await query(app, tenant.operator, ReplyInstancesDocument, {});
    return leads.edges.map(({ node }) => node.replyInstance?.id);
  }

  async function threadOf({ id }: Pick<Person, 'id'>) {
    const { messages } = await query(app, tenant.operator, ThreadDocument, { leadId: id });
    return messages.edges.map(({ node }) => node);
  }

  async function instanceOf(person: Person, messageId: string): Promise<string | undefined> {
    return (await threadOf(person)).find(({ id }) => id === messageId)?.instance.id;
  }

  async function sendBulk(people: readonly Person[], input: { instanceId?: string; sendAt?: string } = {}) {
    const recipients = people.map(({ id: leadId }) => ({ leadId }));
    const templateId = await createTemplate(app, tenant, 'Bulk');
    const wanted = { templateId, recipients, idempotencyKey: randomUUID(), ...input };
    return (await query(app, tenant.operator, SendMessagesDocument, { input: wanted })).sendMessages.id;
  }

  const readInbox = async (filter = {}) => {
    const { inbox } = await query(app, tenant.operator, InboxOrderDocument, { filter });
    return inbox.edges.map(({ node }) => node);
  };
  const inboxOrder = async (filter = {}) => (await readInbox(filter)).map(({ id }) => id);

  describe('a reply', () => {
    test('leaves through the instance of the newest message of either side, else through the default', async () => {
      const sales = await createInstance('sales');
      const [ana, bia, caio] = [await meet(), await meet(), await meet()];
      await writes(ana);
      await writes(ana, { instance: sales });
      await writes(bia, { instance: sales });
      await send(app, tenant, { leadId: bia.id, instanceId: tenant.instance.id, body: 'Oi' });
      expect(await replyInstances()).toEqual([sales.id, tenant.instance.id, tenant.instance.id]);
      for (const [person, instanceId] of [
        [ana, sales.id],
        [bia, tenant.instance.id],
        [caio, tenant.instance.id],
      ] as const)
        expect(await instanceOf(person, await send(app, tenant, { leadId: person.id, body: 'Oi' }))).toBe(instanceId);
    });

    test('leaves through none that is deleted or no longer in use: the next newest message counts', async () => {
      const [old, gone, sales] = [
        await createInstance('old'),
        await createInstance('gone'),
        await createInstance('sales'),
      ];
      const [ana, bia] = [await meet(), await meet()];
      await writes(ana, { instance: sales });
      for (const person of [ana, bia]) for (const instance of [old, gone]) await writes(person, { instance });
      expect(await replyInstances()).toEqual([gone.id, gone.id]);
      await query(app, tenant.admin, DeleteChatInstanceDocument, { id: gone.id });
      expect(await replyInstances()).toEqual([old.id, old.id]);
      await app.sql("UPDATE chat_instances SET status = 'INACTIVE' WHERE id = $1", [old.id]);
      expect(await replyInstances()).toEqual([sales.id, tenant.instance.id]);
      const id = await send(app, tenant, { leadId: ana.id, body: 'Oi' });
      expect(await instanceOf(ana, id)).toBe(sales.id);
    });

    test('that is scheduled leaves through the instance that counted when it was queued', async () => {
      const sales = await createInstance('sales');
      const ana = await meet();
      await writes(ana, { instance: sales });
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const id = await send(app, tenant, { leadId: ana.id, body: 'Later', sendAt });
      await writes(ana);
      expect(await instanceOf(ana, id)).toBe(sales.id);
      expect(await replyInstances()).toEqual([tenant.instance.id]);
    });

    test('leaves through none in a tenant without instances', async () => {
      const ana = await meet();
      await query(app, tenant.admin, DeleteChatInstanceDocument, { id: tenant.instance.id });
      expect(await replyInstances()).toEqual([undefined]);
      expect(failureOf(await trySend(app, tenant, { leadId: ana.id, body: 'Oi' })).paths).toEqual(['instanceId']);
    });

    test('a bulk message leaves through the default; it counts for replies once it has left', async () => {
      const sales = await createInstance('sales');
      const [ana, bia] = [await meet(), await meet()];
      for (const person of [ana, bia]) await writes(person, { instance: sales });
      const bulkSendId = await sendBulk([ana, bia]);
      expect((await threadOf(ana)).map(({ instance }) => instance.id)).toEqual([sales.id, tenant.instance.id]);
      expect(await replyInstances()).toEqual([sales.id, sales.id]);
      // Writes the status as the worker would.
      await app.sql("UPDATE messages SET status = 'SENT', sent_at = now() WHERE bulk_send_id = $1 AND lead_id = $2", [
        bulkSendId,
        ana.id,
      ]);
      expect(await replyInstances()).toEqual([tenant.instance.id, sales.id]);
    });
  });

  describe('a message', () => {
    test('says who wrote it here: nobody where the lead did', async () => {
      const ana = await meet();
      await writes(ana);
      await send(app, tenant, { leadId: ana.id, body: 'Oi' });
      await sendBulk([ana]);
      const { id } = tenant.operator;
      const email = expect.stringContaining('@');
      expect((await threadOf(ana)).map(({ author }) => author)).toEqual([null, { id, email }, { id, email }]);
    });

    test('shows the message that it quotes, of its own instance, where we have it', async () => {
      const sales = await createInstance('sales');
      const ana = await meet();
      const quoted = await writes(ana, { text: 'first' });
      await writes(ana, { text: 'elsewhere', instance: sales, messageId: quoted });
      await writes(ana, { text: 'answer', replyTo: quoted });
      await writes(ana, { text: 'unknown', replyTo: 'never seen' });
      const thread = await threadOf(ana);
      expect(thread.map(({ replyTo, replyToExternalId }) => [replyToExternalId, replyTo?.id ?? null])).toEqual([
        [null, null],
        [null, null],
        [quoted, thread[0]?.id],
        ['never seen', null],
      ]);
    });

    test('of another tenant is never what it quotes', async () => {
      const [home, ana] = [tenant, await meet()];
      const quoted = await writes(ana);
      tenant = await app.createTenant();
      const foreign = await meet();
      await writes(foreign, { replyTo: quoted });
      expect(await threadOf(foreign)).toMatchObject([{ replyToExternalId: quoted, replyTo: null }]);
      tenant = home;
    });

    test('quotes nothing any more once the lead of that is erased, and still the same once leads are merged', async () => {
      const [ana, bia, caio] = [await meet(), await meet(), await meet()];
      const [ofAna, ofBia] = [await writes(ana, { text: 'of Ana' }), await writes(bia, { text: 'of Bia' })];
      await writes(caio, { replyTo: ofAna });
      await writes(caio, { replyTo: ofBia });
      await query(app, tenant.operator, DeleteLeadDocument, { id: ana.id });
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: bia.id, intoId: caio.id });
      const thread = await threadOf(caio);
      expect(thread.map(({ body, replyTo }) => [body, replyTo?.body])).toEqual([
        ['of Bia', undefined],
        ['Oi', undefined],
        ['Oi', 'of Bia'],
      ]);
    });
  });

  describe('a bulk message in the inbox', () => {
    test('moves no lead, and is its last message all the same; a reply to it moves the lead', async () => {
      const [ana, bia, caio] = [await meet(), await meet(), await meet()];
      for (const person of [ana, bia]) await writes(person);
      await sendBulk([ana, caio]);
      expect((await readInbox()).map(({ id, lastMessage }) => [id, lastMessage?.body])).toEqual([
        [bia.id, 'Oi'],
        [ana.id, 'Bulk'],
      ]);
      // The export names the time also for a lead that never wrote.
      const file = await app.get('/leads/export.csv', withToken(tenant.operator));
      const [header = '', ...rows] = (await file.text()).replace('\uFEFF', '').split('\r\n');
      const row = rows.find((line) => line.startsWith(caio.id)) ?? '';
      expect(row.split(',')[header.split(',').indexOf('lastMessageAt')]).toMatch(/^\d{4}-/);
      await writes(caio, { text: 'Who is this?' });
      await writes(ana, { text: 'Tell me more' });
      expect((await readInbox()).map(({ id, lastMessage }) => [id, lastMessage?.body])).toEqual([
        [ana.id, 'Tell me more'],
        [caio.id, 'Who is this?'],
        [bia.id, 'Oi'],
      ]);
    });

    test('keeps the lead at the instance of its conversation', async () => {
      const sales = await createInstance('sales');
      const ana = await meet();
      await writes(ana, { instance: sales });
      await sendBulk([ana]);
      expect(await inboxOrder({ instanceId: sales.id })).toEqual([ana.id]);
      expect(await inboxOrder({ instanceId: tenant.instance.id })).toEqual([]);
    });

    test('stays one after a merge, in which neither lead moves up', async () => {
      const [ana, bia, caio] = [await meet(), await meet(), await meet()];
      for (const person of [ana, bia, caio]) await writes(person);
      await sendBulk([ana]);
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: ana.id, intoId: bia.id });
      expect((await readInbox()).map(({ id, lastMessage }) => [id, lastMessage?.body])).toEqual([
        [caio.id, 'Oi'],
        [bia.id, 'Bulk'],
      ]);
    });

    test('counts for expectedLastMessageId: nothing is sent past a message that was not seen', async () => {
      const ana = await meet();
      const seen = await send(app, tenant, { leadId: ana.id, body: 'Oi' });
      await sendBulk([ana]);
      const late = await trySend(app, tenant, { leadId: ana.id, body: 'Oi', expectedLastMessageId: seen });
      expect(late.errors).toMatchObject([{ extensions: { code: 'CONFLICT', unseenMessages: [{ body: 'Bulk' }] } }]);
      const bulk = (await threadOf(ana)).at(-1)?.id ?? '';
      await send(app, tenant, { leadId: ana.id, body: 'Oi', expectedLastMessageId: bulk });
    });
  });
}
