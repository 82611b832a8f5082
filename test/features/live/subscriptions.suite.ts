// The recipients of subscriptions' events: over real sockets, in one application and across two on one database.

import { randomUUID } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import type { Client } from 'graphql-ws';
import type { FeedEvent } from '../../../src/features/live/event-pages.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { Subscription, connect, query } from '../../support/graphql-client.js';
import {
  CreateTemplateDocument,
  MergeLeadsDocument,
  MessageReceivedDocument,
  MessageStatusChangedDocument,
  SendMessageDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import type { TestApp, TestTenant, TestUser } from '../../support/test-app.js';
import { createLead, send } from '../messages/sending-harness.js';
import { disposeAll, waitForSubscribers, withSecondProcess, writeAs } from './live-harness.js';

export function describeSubscriptions(): void {
  let app: TestApp;
  let second: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let clients: Client[] = [];

  withSecondProcess((made) => ({ app, second, tenant, other } = made));

  afterEach(async () => {
    await disposeAll(clients);
    clients = [];
    for (const [at, owner] of [
      [app, tenant],
      [app, other],
      [second, tenant],
    ] as const)
      await waitForSubscribers(at, owner, 0);
  });

  function clientOf(at: TestApp, user: TestUser): Client {
    const client = connect(at, user);
    clients.push(client);
    return client;
  }

  function hear(at: TestApp, user: TestUser, leadId?: string) {
    return new Subscription(clientOf(at, user), MessageReceivedDocument, leadId === undefined ? {} : { leadId });
  }

  function textsOf(subscription: Subscription<{ messageReceived: { body: string | null } }>) {
    return subscription.received.map(({ messageReceived }) => messageReceived.body);
  }

  describe('who hears what', () => {
    test('a personal template is an administrator’s to see: operators share what they hear', async () => {
      const input = { name: `template-${randomUUID()}`, body: 'Oi', visibility: 'PERSONAL' } as const;
      const { id: templateId } = (await query(app, tenant.operator, CreateTemplateDocument, { input })).createTemplate;
      const document: TypedDocumentNode<{ messageStatusChanged: { template: { id: string } | null } }> = parse(
        'subscription { messageStatusChanged { template { id } } }',
      );
      const ofOperators = new Subscription(clientOf(app, tenant.operator), document);
      const ofAdmins = new Subscription(clientOf(app, tenant.admin), document);
      await waitForSubscribers(app, tenant, 2);
      const leadId = await createLead(app, tenant);
      await query(app, tenant.operator, SendMessageDocument, { input: { leadId, templateId } });
      for (const heard of [ofOperators, ofAdmins]) await heard.until((received) => received.length > 0);
      expect([ofOperators.errors, ofAdmins.errors]).toEqual([[], []]);
      expect(ofOperators.received[0]?.messageStatusChanged.template).toBeNull();
      expect(ofAdmins.received[0]?.messageStatusChanged.template).toEqual({ id: templateId });
    });

    test('a subscription of one lead hears that lead alone; one of the tenant hears all, in order', async () => {
      const [ana, bia] = ['4915100000001', '4915100000002'];
      const leadId = await createLead(app, tenant, ana);
      const ofAna = hear(app, tenant.operator, leadId);
      const ofAll = hear(app, tenant.operator);
      await waitForSubscribers(app, tenant, 2);
      await writeAs(app, tenant, bia, 'from Bia');
      await writeAs(app, tenant, ana, 'from Ana');
      await writeAs(app, tenant, bia, 'from Bia again');
      await writeAs(app, tenant, ana, 'the end');
      await ofAna.until(() => textsOf(ofAna).includes('the end'));
      await ofAll.until(() => textsOf(ofAll).includes('the end'));
      expect(textsOf(ofAna)).toEqual(['from Ana', 'the end']);
      expect(textsOf(ofAll)).toEqual(['from Bia', 'from Ana', 'from Bia again', 'the end']);
    });

    test('a lead id in capitals names the same lead', async () => {
      const leadId = await createLead(app, tenant, '4915100000003');
      const heard = hear(app, tenant.operator, leadId.toUpperCase());
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000003', 'Oi');
      await heard.until((received) => received.length === 1);
    });

    test('events that are shown again after a merge among them still show messages from before it', async () => {
      const [leadId, intoId] = [await createLead(app, tenant), await createLead(app, tenant)];
      const { id: userId, accountId } = tenant.operator;
      const user = { kind: 'user', tenantId: tenant.id, role: 'OPERATOR', userId, accountId } as UserPrincipal;
      const source = await app.app.services.live.watchMessages(user, 'MESSAGE_RECEIVED', leadId);
      const event = (type: string) => ({ type, leadId, records: { message: () => 'before' } }) as unknown as FeedEvent;
      const show = () => Promise.all([source.rootOf(event('MESSAGE_RECEIVED')), source.rootOf(event('LEAD_UPDATED'))]);
      await query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });
      expect([await show(), await show()]).toEqual([
        ['before', undefined],
        ['before', undefined],
      ]);
    });

    test('a subscription of a lead that is merged goes on with the other, until the merge is taken back', async () => {
      const [ana, bia] = ['4915100000007', '4915100000008'];
      const [leadId, intoId] = [await createLead(app, tenant, ana), await createLead(app, tenant, bia)];
      const heard = hear(app, tenant.operator, leadId);
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, bia, 'somebody else');
      await writeAs(app, tenant, ana, 'first');
      const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });
      await writeAs(app, tenant, ana, 'merged');
      await writeAs(app, tenant, bia, 'the other number');
      await heard.until(() => textsOf(heard).includes('the other number'));
      const [merge] = mergeLeads.merges;
      await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: merge?.id ?? '' });
      await writeAs(app, tenant, bia, 'somebody else again');
      await writeAs(app, tenant, ana, 'the end');
      await heard.until(() => textsOf(heard).includes('the end'));
      expect(textsOf(heard)).toEqual(['first', 'merged', 'the other number', 'the end']);
    });

    test('another tenant hears nothing, though the same person writes to both', async () => {
      const number = '4915100000004';
      const theirs = hear(app, other.operator);
      const ours = hear(app, tenant.operator);
      await waitForSubscribers(app, other, 1);
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, number, 'to us');
      await ours.until((received) => received.length === 1);
      await writeAs(app, other, number, 'to them');
      await theirs.until((received) => received.length > 0);
      expect(textsOf(theirs)).toEqual(['to them']);
      expect(textsOf(ours)).toEqual(['to us']);
    });

    test('a repeated webhook is heard once', async () => {
      const heard = hear(app, tenant.operator);
      await waitForSubscribers(app, tenant, 1);
      const body = { messages: [1, 2, 3].map(() => ({ messageId: 'repeated', from: '4915100000005', text: 'once' })) };
      const headers = { 'x-tenant-key': tenant.apiKey };
      await Promise.all([1, 2, 3].map(() => app.post('/webhooks/chat/gateway/inbound', body, headers)));
      await writeAs(app, tenant, '4915100000005', 'the end');
      await heard.until(() => textsOf(heard).includes('the end'));
      expect(textsOf(heard)).toEqual(['once', 'the end']);
    });

    test('status changes are not heard as messages, nor messages as status changes', async () => {
      const leadId = await createLead(app, tenant, '4915100000006');
      const received = hear(app, tenant.operator);
      const changed = new Subscription(clientOf(app, tenant.operator), MessageStatusChangedDocument);
      await waitForSubscribers(app, tenant, 2);
      await writeAs(app, tenant, '4915100000006', 'inbound');
      const id = await send(app, tenant, { leadId, body: 'outbound' });
      await changed.until((seen) => seen.some(({ messageStatusChanged }) => messageStatusChanged.status === 'FAILED'));
      await writeAs(app, tenant, '4915100000006', 'the end');
      await received.until(() => textsOf(received).includes('the end'));
      expect(textsOf(received)).toEqual(['inbound', 'the end']);
      expect(changed.received.map(({ messageStatusChanged }) => messageStatusChanged)).toMatchObject([
        { id, status: 'QUEUED', failedAt: null, error: null },
        { id, status: 'SENDING', failedAt: null, error: null },
        { id, status: 'FAILED', error: { code: 'GATEWAY_NOT_CONFIGURED' } },
      ]);
    });

    test.each<[string, () => Promise<string>]>([
      ['another tenant’s lead', () => createLead(app, other)],
      ['an unknown lead', () => Promise.resolve(randomUUID())],
      ['no id at all', () => Promise.resolve('ana')],
    ])('%s is NOT_FOUND, and nobody stays subscribed', async (_name, makeId) => {
      const refused = hear(app, tenant.operator, await makeId());
      await refused.until((_received, errors) => errors.length > 0);
      expect(refused.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      expect(app.app.services.feed.subscriberCount(tenant.id)).toBe(0);
    });
  });

  describe('a burst', () => {
    test('of 2,000 messages in four webhooks is heard whole by a subscriber that reads', async () => {
      const heard = hear(app, tenant.operator);
      await waitForSubscribers(app, tenant, 1);
      const batches = [0, 1, 2, 3].map((batch) =>
        Array.from({ length: 500 }, (_, index) => ({
          messageId: `burst-${batch}-${index}`,
          from: `4915188${String(index).padStart(4, '0')}`,
          text: `${batch}-${index}`,
        })),
      );
      const answers = await Promise.all(
        batches.map((messages) =>
          app.post('/webhooks/chat/gateway/inbound', { messages }, { 'x-tenant-key': tenant.apiKey }),
        ),
      );
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      await heard.until((received, errors) => received.length === 2_000 || errors.length > 0);
      expect(heard.errors).toEqual([]);
      expect(new Set(textsOf(heard)).size).toBe(2_000);
    });
  });

  describe('leaving', () => {
    test('unsubscribing ends it, and leaves others of the socket alone', async () => {
      const client = clientOf(app, tenant.operator);
      const first = new Subscription(client, MessageReceivedDocument);
      const rest = new Subscription(client, MessageReceivedDocument);
      await waitForSubscribers(app, tenant, 2);
      first.end();
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000010', 'to the rest');
      await rest.until((received) => received.length === 1);
      expect(first.received).toEqual([]);
    });

    test('a socket that goes takes all its subscriptions along', async () => {
      const client = clientOf(app, tenant.operator);
      const subscriptions = Array.from({ length: 5 }, () => new Subscription(client, MessageReceivedDocument));
      await waitForSubscribers(app, tenant, subscriptions.length);
      client.terminate();
      await waitForSubscribers(app, tenant, 0);
    });

    test('after everyone left, the next subscriber hears what comes next and nothing older', async () => {
      const before = hear(app, tenant.operator);
      await waitForSubscribers(app, tenant, 1);
      before.end();
      await waitForSubscribers(app, tenant, 0);
      await writeAs(app, tenant, '4915100000011', 'while nobody listened');
      const after = hear(app, tenant.operator);
      await waitForSubscribers(app, tenant, 1);
      await writeAs(app, tenant, '4915100000011', 'now');
      await after.until((received) => received.length > 0);
      expect(textsOf(after)).toEqual(['now']);
    });
  });

  describe('two applications on one database', () => {
    test('a webhook at one is heard at the other, in order', async () => {
      const heard = hear(second, tenant.operator);
      await waitForSubscribers(second, tenant, 1);
      const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
      for (const [index, text] of texts.entries())
        await writeAs(index % 2 === 0 ? app : second, tenant, '4915100000020', text);
      await heard.until((received) => received.length === texts.length);
      expect(textsOf(heard)).toEqual(texts);
    });

    test('what happens while the LISTEN connections are gone is heard, and so is what comes after', async () => {
      const heard = hear(second, tenant.operator);
      await waitForSubscribers(second, tenant, 1);
      const ended = await app.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'leadwire-listen'`,
      );
      expect(ended).toHaveLength(2);
      await writeAs(app, tenant, '4915100000021', 'while deaf');
      await heard.until((received) => received.length === 1);
      await writeAs(app, tenant, '4915100000021', 'later');
      await heard.until((received) => received.length === 2);
      expect(textsOf(heard)).toEqual(['while deaf', 'later']);
    });
  });
}
