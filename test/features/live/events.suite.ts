// The resumable feed over real sockets, in two applications on one database: replay, the seam, the content of an event, and its recipients.

import { once } from 'node:events';
import { jest } from '../../support/jest.js';
import { parse, print } from 'graphql';
import type { Client } from 'graphql-ws';
import WebSocket from 'ws';
import { Subscription, connect, query } from '../../support/graphql-client.js';
import {
  CreateTemplateDocument,
  DeleteLeadDocument,
  DeleteTemplateDocument,
  EventCursorDocument,
  EventsDocument,
  UpdateTemplateDocument,
  type EventsSubscription,
} from '../../support/operations.js';
import { TestApp, withKey, type TestTenant, type TestUser } from '../../support/test-app.js';
import { createLead, send } from '../messages/sending-harness.js';
import { disposeAll, waitForSubscribers, withSecondProcess, writeAs } from './live-harness.js';

type Event = EventsSubscription['events'];

export function describeEvents(): void {
  let app: TestApp;
  let second: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let clients: Client[] = [];

  withSecondProcess((made) => ({ app, second } = made));

  const renewTenant = async () => {
    tenant = await app.createTenant();
  };

  afterEach(async () => {
    jest.restoreAllMocks();
    await disposeAll(clients);
    clients = [];
    for (const at of [app, second]) await waitForSubscribers(at, tenant, 0);
  });

  function follow(after?: string, at: TestApp = app, user: TestUser = tenant.operator) {
    const client = connect(at, user);
    clients.push(client);
    return new Subscription(client, EventsDocument, after === undefined ? {} : { after });
  }

  const eventsOf = ({ received }: { received: readonly EventsSubscription[] }): Event[] =>
    received.map(({ events }) => events);
  const cursorsOf = (subscription: Subscription<EventsSubscription>) =>
    eventsOf(subscription).map(({ cursor }) => cursor);
  const readCursor = async (of: TestTenant = tenant) =>
    (await query(app, of.operator, EventCursorDocument, {})).eventCursor;

  async function receive(count: number, prefix: string, at: TestApp = app): Promise<void> {
    const messages = Array.from({ length: count }, (_, index) => ({
      messageId: `${prefix}-${index}`,
      from: `4915166${String(index % 40).padStart(4, '0')}`,
      text: `${prefix}-${index}`,
    }));
    const answer = await at.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
    expect(answer.status).toBe(200);
  }

  describe('resuming', () => {
    beforeEach(renewTenant);

    test('after any cursor comes what followed it, then what happens: once, in order, without a gap', async () => {
      const start = await readCursor();
      await receive(150, 'before');
      const whole = follow(start);
      await whole.until((received) => received.length >= 190);
      const cursors = cursorsOf(whole);
      expect(new Set(cursors).size).toBe(190);
      const places = [0, 1, 99, 100, 188, 189];
      const resumed = places.map((place) => follow(cursors[place], place % 2 === 0 ? app : second));
      for (const round of [0, 1, 2, 3, 4]) await receive(30, `during-${round}`, round % 2 === 0 ? second : app);
      await whole.until((received) => received.length >= 340);
      for (const [index, subscription] of resumed.entries()) {
        const expected = cursorsOf(whole).slice((places[index] ?? 0) + 1);
        await subscription.until((received) => received.length >= expected.length);
        expect(cursorsOf(subscription)).toEqual(expected);
      }
      const texts = eventsOf(whole).flatMap(({ message }) => message?.body ?? []);
      expect(texts).toHaveLength(300);
      expect(texts.slice(0, 150)).toEqual(Array.from({ length: 150 }, (_, index) => `before-${index}`));
    });

    test('without a cursor it begins now; the newest cursor leaves out what was and nothing else', async () => {
      await receive(3, 'earlier');
      const cursor = await readCursor();
      const [now, behind] = [follow(), follow(cursor)];
      await waitForSubscribers(app, tenant, 2);
      await receive(2, 'later');
      for (const subscription of [now, behind]) {
        await subscription.until((received) => received.length >= 2);
        expect(eventsOf(subscription).map(({ message }) => message?.body)).toEqual(['later-0', 'later-1']);
      }
    });

    test('a cursor that the log does not reach back to gets RESYNC_REQUIRED, then what happens', async () => {
      const start = await readCursor();
      await receive(5, 'pruned');
      // Both columns move, as after eight days: a run that passed midnight has today's events in a partition that goes by its day.
      await app.sql(
        "UPDATE events SET occurred_at = now() - interval '8 days', logged_on = logged_on - 8 WHERE tenant_id = $1",
        [tenant.id],
      );
      await app.app.services.pruning.prune();
      const resumed = follow(start);
      const [resync] = await resumed.until((received) => received.length > 0);
      expect(resync?.events).toMatchObject({
        type: 'RESYNC_REQUIRED',
        cursor: await readCursor(),
        leadId: null,
        lead: null,
        message: null,
        chatInstance: null,
        bulkSend: null,
      });
      await receive(1, 'next');
      await resumed.until((received) => received.length === 2);
      const again = follow(resync?.events.cursor);
      await again.until((received) => received.length === 1);
      expect(cursorsOf(again)).toEqual(cursorsOf(resumed).slice(1));
      expect(eventsOf(again)[0]?.message?.body).toBe('next-0');
    });
  });

  describe('a cursor of events that the database has lost', () => {
    beforeEach(renewTenant);

    async function loseAllAfterFirst(): Promise<void> {
      await app.sql('DELETE FROM events WHERE tenant_id = $1 AND seq > 1', [tenant.id]);
      await app.sql('UPDATE event_heads SET last_seq = 1 WHERE tenant_id = $1', [tenant.id]);
    }

    test.each([
      ['ahead of the log', 0],
      ['whose number another event has', 5],
    ])('%s gets RESYNC_REQUIRED, and a cursor to go on from', async (_name, count) => {
      await receive(2, 'lost');
      const lost = await readCursor();
      await loseAllAfterFirst();
      if (count > 0) await receive(count, 'kept');
      const resumed = [follow(lost), follow(lost, second)];
      for (const subscription of resumed) {
        const [told] = await subscription.until((received) => received.length > 0);
        expect(told?.events).toMatchObject({ type: 'RESYNC_REQUIRED', cursor: await readCursor(), message: null });
      }
      await receive(1, 'next');
      for (const subscription of resumed) {
        await subscription.until((received) => received.some(({ events }) => events.message?.body === 'next-0'));
        const again = follow(cursorsOf(subscription)[0]);
        await again.until((received) => received.some(({ events }) => events.message?.body === 'next-0'));
        expect(cursorsOf(again)).toEqual(cursorsOf(subscription).slice(1));
      }
    });

    test('a cursor without a time, as former versions made it, goes on as it did', async () => {
      await receive(1, 'first');
      const [mark, seq] = Buffer.from(await readCursor(), 'base64url')
        .toString()
        .split(':');
      const resumed = follow(Buffer.from(`${mark}:${seq}`).toString('base64url'));
      await receive(1, 'next');
      await resumed.until((received) => received.some(({ events }) => events.message?.body === 'next-0'));
      expect(eventsOf(resumed).map(({ type }) => type)).not.toContain('RESYNC_REQUIRED');
    });
  });

  describe('what is no cursor', () => {
    // An application issues 30 development tokens a minute.
    beforeAll(renewTenant);

    test.each<[string, () => Promise<string>]>([
      ['nothing', async () => ''],
      ['nonsense', async () => 'nonsense'],
      ['a number', async () => '17'],
      ['another tenant’s', async () => readCursor((other ??= await app.createTenant()))],
      ['one of a list', async () => Buffer.from('leads:0198').toString('base64url')],
      ['one with more behind it', async () => `${await readCursor()}.`],
      ['one that is written otherwise', async () => `${await readCursor()}=`],
      ['one before the first', async () => tampered(await readCursor(), () => -1)],
      ['one beyond all numbers', async () => tampered(await readCursor(), () => 10 ** 16)],
      ['one with a time that is none', async () => withTime(await readCursor(), 'soon')],
    ])('%s is refused', async (_name, makeCursor) => {
      const refused = follow(await makeCursor());
      await refused.until((_received, errors) => errors.length > 0);
      expect(refused.errors).toMatchObject([
        { extensions: { code: 'VALIDATION_FAILED', errors: [{ path: 'after', message: expect.any(String) }] } },
      ]);
      expect(refused.received).toEqual([]);
    });

    function withTime(cursor: string, time: string): string {
      const [mark, seq] = Buffer.from(cursor, 'base64url').toString().split(':');
      return Buffer.from(`${mark}:${seq}:${time}`).toString('base64url');
    }

    function tampered(cursor: string, change: (seq: number) => number): string {
      const [mark, seq] = Buffer.from(cursor, 'base64url').toString().split(':');
      return Buffer.from(`${mark}:${change(Number(seq))}`).toString('base64url');
    }
  });

  describe('what an event carries', () => {
    beforeEach(renewTenant);

    test('the record as it was then, typed; what does not concern it is null', async () => {
      const start = await readCursor();
      const leadId = await createLead(app, tenant, '4915100000601');
      const id = await send(app, tenant, { leadId, body: 'Oi' });
      const seen = follow(start);
      await seen.until((received) => received.some(({ events }) => events.message?.status === 'FAILED'));
      const concerned = { leadId, lead: { id: leadId, chat: '4915100000601' } };
      const rest = { chatInstance: null, bulkSend: null };
      const message = { id, body: 'Oi', lead: { id: leadId } };
      const queued = { ...message, status: 'QUEUED', failedAt: null };
      const through = { ...rest, chatInstance: { id: tenant.instance.id } };
      expect(eventsOf(seen)).toMatchObject([
        { type: 'LEAD_CREATED', ...concerned, ...rest, message: null },
        { type: 'MESSAGE_CREATED', ...concerned, ...through, message: queued },
        { type: 'MESSAGE_STATUS_CHANGED', ...concerned, ...through, message: queued },
        { type: 'MESSAGE_STATUS_CHANGED', ...concerned, ...through, message: { ...message, status: 'SENDING' } },
        { type: 'MESSAGE_STATUS_CHANGED', ...concerned, ...through, message: { ...message, status: 'FAILED' } },
      ]);
    });

    test('of a template that was created, changed or deleted its id, and nothing where nothing changes', async () => {
      const start = await readCursor();
      const input = { name: 'Greeting', body: 'Hello' };
      const { id } = (await query(app, tenant.operator, CreateTemplateDocument, { input })).createTemplate;
      await query(app, tenant.operator, UpdateTemplateDocument, { id, input: { body: 'Good morning' } });
      await query(app, tenant.operator, UpdateTemplateDocument, { id, input: { body: 'Good morning' } });
      await query(app, tenant.operator, DeleteTemplateDocument, { id });
      await writeAs(app, tenant, '4915100000602', 'the last');
      const seen = follow(start);
      await seen.until((received) => received.some(({ events }) => events.message?.body === 'the last'));
      const changed = { type: 'TEMPLATE_CHANGED', templateId: id, leadId: null, lead: null, message: null };
      expect(eventsOf(seen)).toMatchObject([
        changed,
        changed,
        changed,
        { type: 'LEAD_CREATED', templateId: null },
        { type: 'MESSAGE_RECEIVED', templateId: null },
      ]);
    });

    test('of a lead that was deleted nothing but the id, though others heard about it a moment ago', async () => {
      const start = await readCursor();
      const before = follow(start);
      await waitForSubscribers(app, tenant, 1);
      const leadId = await createLead(app, tenant, '4915100000603');
      await writeAs(app, tenant, '4915100000603', 'my secret');
      await before.until((received) => received.length === 2);
      expect(eventsOf(before)).toMatchObject([{ lead: { id: leadId } }, { message: { body: 'my secret' } }]);
      await query(app, tenant.operator, DeleteLeadDocument, { id: leadId });
      await before.until((received) => received.length === 3);
      const later = follow(start);
      await later.until((received) => received.length === 3);
      const gone = { leadId, lead: null, message: null };
      expect(eventsOf(later)).toMatchObject([
        { type: 'LEAD_CREATED', ...gone },
        { type: 'MESSAGE_RECEIVED', ...gone },
        { type: 'LEAD_DELETED', ...gone },
      ]);
    });

    test('a change that this version does not know is OTHER, and what is gone is null', async () => {
      const leadId = '01890000-0000-7000-8000-000000000000';
      const seen = follow();
      await waitForSubscribers(app, tenant, 1);
      await app.sql(
        `WITH head AS (
         INSERT INTO event_heads AS h (tenant_id, last_seq) VALUES ($1, 1)
         ON CONFLICT (tenant_id) DO UPDATE SET last_seq = h.last_seq + 1 RETURNING last_seq
       ) INSERT INTO events (tenant_id, seq, type, lead_id) SELECT $1, last_seq, 'LEAD_PAINTED', $2 FROM head`,
        [tenant.id, leadId],
      );
      await seen.until((received) => received.length === 1);
      expect(eventsOf(seen)).toMatchObject([{ type: 'OTHER', leadId, lead: null, message: null }]);
    });

    test('the records of many events are read together, for all subscribers at once', async () => {
      await receive(200, 'many');
      const { messages, leads } = app.app.services;
      const [readMessages, readLeads] = [jest.spyOn(messages, 'listByIds'), jest.spyOn(leads, 'listByIds')];
      const start = Buffer.from(`${tenant.id.slice(-12)}:0`).toString('base64url');
      const subscriptions = Array.from({ length: 12 }, () => follow(start));
      for (const subscription of subscriptions) await subscription.until((received) => received.length >= 240);
      expect(subscriptions.map(cursorsOf)).toEqual(subscriptions.map(() => cursorsOf(subscriptions[0]!)));
      // The 240 events come in pages of 100, which may break where some events are still on their way. Each page reads messages once, and
      // leads twice: once for the events and once for their messages. Reads for each event or subscriber would be far more.
      expect(readMessages.mock.calls.length).toBeLessThan(subscriptions.length);
      expect(readLeads.mock.calls.length).toBeLessThan(2 * subscriptions.length);
    });

    test('a selection that costs much is made for few events at a time', async () => {
      const read = jest.spyOn(app.app.services.messages, 'listOfLeads');
      const fields = 'id direction status type body externalId createdAt receivedAt sentAt readAt';
      const document = parse(
        `subscription { events { cursor lead { messages(first: 200) { edges { node { ${fields} } } } } } }`,
      ) as typeof EventsDocument;
      const client = connect(app, tenant.operator);
      clients.push(client);
      const seen = new Subscription<EventsSubscription>(client, document);
      await waitForSubscribers(app, tenant, 1);
      await receive(40, 'costly');
      await seen.until((received) => received.length === 80);
      expect(new Set(cursorsOf(seen)).size).toBe(80);
      // Each event costs 2,000 and more, of the 20,000 that one operation may cost.
      expect(read.mock.calls.length).toBeGreaterThanOrEqual(8);
    });

    test('what cannot be read for a moment is late, and whole', async () => {
      const seen = follow();
      await waitForSubscribers(app, tenant, 1);
      const { leads } = app.app.services;
      const read = jest.spyOn(leads, 'listByIds');
      const away = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      for (let count = 0; count < 2; count += 1) read.mockRejectedValueOnce(away);
      await receive(3, 'late');
      await seen.until((received) => received.length >= 6);
      expect(seen.errors).toEqual([]);
      expect(eventsOf(seen).every(({ lead }) => lead !== null)).toBe(true);
      expect(new Set(cursorsOf(seen)).size).toBe(6);
    });

    test('a subscription that cannot begin is told so, and takes no other of its socket along', async () => {
      const away = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      jest.spyOn(app.app.services.feed, 'follow').mockRejectedValueOnce(away);
      const client = connect(app, tenant.operator);
      clients.push(client);
      const refused = new Subscription(client, EventsDocument);
      await refused.until((_received, errors) => errors.length > 0);
      expect(refused.errors.flat()).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      const next = new Subscription(client, EventsDocument);
      await waitForSubscribers(app, tenant, 1);
      await receive(1, 'heard');
      await next.until((received) => received.length === 2);
    });
  });

  describe('a client that does not read', () => {
    /** Ends a client that takes nothing after a second. */
    let impatient: TestApp;

    beforeAll(async () => {
      await renewTenant();
      impatient = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database, { socketStallMs: 1_000 });
    });
    afterAll(() => impatient.stop({ keepDatabase: true }));

    test('is sent away with 4413, alone, and loses nothing when it resumes', async () => {
      const start = await readCursor();
      const text = 'x'.repeat(20_000);
      const slow = await openRaw(tenant.operator);
      const payload = { query: print(EventsDocument), variables: { after: start } };
      slow.send(JSON.stringify({ type: 'subscribe', id: 'slow', payload }));
      await waitForSubscribers(impatient, tenant, 1);
      slow.pause();
      const prompt = follow(start);
      // The messages are more than the kernel keeps for either side.
      for (let count = 0; count < 700; count += 10) {
        const messages = Array.from({ length: 10 }, (_, index) => ({
          messageId: `long-${count + index}`,
          from: '4915100000602',
          text,
        }));
        const answer = await app.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
        expect(answer.status).toBe(200);
      }
      await prompt.until((received) => received.length >= 701);
      expect(prompt.errors).toEqual([]);
      const frames: { payload: { data: EventsSubscription } }[] = [];
      slow.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as (typeof frames)[number]));
      // The server's patience ends, and the frames that had left before are still there.
      const closing = once(slow, 'close');
      await waitForSubscribers(impatient, tenant, 0);
      slow.resume();
      const [code, reason] = (await closing) as [number, Buffer];
      const heard = frames.map(({ payload: { data } }) => data.events.cursor);
      expect(heard).toEqual(cursorsOf(prompt).slice(0, heard.length));
      expect(heard.length).toBeLessThan(701);
      // A client that reads on before the connection is cut is told why.
      if (code !== 1006) expect([code, String(reason)]).toEqual([4413, expect.stringContaining('TOO_SLOW')]);
      const resumed = follow(heard.at(-1));
      await resumed.until((received) => received.length >= 701 - heard.length);
      expect([...heard, ...cursorsOf(resumed)]).toEqual(cursorsOf(prompt));
    });

    async function openRaw(user: TestUser): Promise<WebSocket> {
      const socket = new WebSocket(impatient.socketUrl, 'graphql-transport-ws');
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${user.token}` } }));
      await once(socket, 'message');
      return socket;
    }
  });
}
