// The whole conversation, through real HTTP, real sockets and real PostgreSQL: a lead comes in, writes, is answered, and the
// operator sees each step live. The gateway is the built-in simulator.

import type { Client } from 'graphql-ws';
import { startGatewaySimulator, type GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { Subscription, connect, query } from '../support/graphql-client.js';
import {
  InboxDocument,
  MessageDocument,
  MessageReceivedDocument,
  MessageStatusChangedDocument,
  SendMessageDocument,
} from '../support/operations.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';

const webhookSecret = 'a shared secret';
const token = 'gateway token';

export function describeConversation(): void {
  let simulator: GatewaySimulator;
  let app: TestApp;
  let tenant: TestTenant;
  let socket: Client;

  beforeAll(async () => {
    const quick = {
      latencyMs: 0,
      latencyJitterMs: 0,
      sentDelayMs: 5,
      deliveredDelayMs: 20,
      readDelayMs: 40,
      replyRate: 0,
    };
    simulator = await startGatewaySimulator({ token, webhookSecret, seed: 1, defaults: quick });
    app = await TestApp.start({ GATEWAY_URL: simulator.url, GATEWAY_TOKEN: token, CHAT_WEBHOOK_SECRET: webhookSecret });
    tenant = await app.createTenant();
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: tenant.apiKey });
    socket = connect(app, tenant.operator);
  });

  afterAll(async () => {
    await socket.dispose();
    await app.stop();
    await simulator.close();
  });

  test('lead in, inbound, seen live, answered, SENT, DELIVERED and READ seen live, and the lead replies', async () => {
    const posted = await app.post(
      '/public/leads',
      { chat: '+55 11 98888-1234', name: 'Ana', campaign: 'spring' },
      withKey(tenant),
    );
    expect(posted.status).toBe(201);
    const lead = (await posted.json()) as { id: string };

    const inbound = new Subscription(socket, MessageReceivedDocument, { leadId: lead.id });
    const statuses = new Subscription(socket, MessageStatusChangedDocument, { leadId: lead.id });
    await waitForSubscriptions(2);

    await simulator.receiveFromLead({
      instance: tenant.instance.name,
      from: '5511988881234',
      name: 'Ana',
      text: 'Oi, tudo bem?',
    });
    const [first] = await inbound.until((received) => received.length === 1);
    expect(first?.messageReceived).toMatchObject({
      direction: 'INBOUND',
      status: null,
      body: 'Oi, tudo bem?',
      lead: { id: lead.id, name: 'Ana' },
    });

    const { inbox } = await query(app, tenant.operator, InboxDocument, { first: 10 });
    expect(inbox.edges).toMatchObject([
      { node: { id: lead.id, unreadCount: 1, lastMessage: { body: 'Oi, tudo bem?' } } },
    ]);

    simulator.behave({ replyRate: 1, replyTexts: ['Quero comprar'], replyDelayMs: 60 });
    const { sendMessage } = await query(app, tenant.operator, SendMessageDocument, {
      input: { leadId: lead.id, body: 'Tudo! E você?' },
    });
    expect(sendMessage).toMatchObject({ direction: 'OUTBOUND', status: 'QUEUED', externalId: null });

    const seen = await statuses.until((received) =>
      received.some(({ messageStatusChanged }) => messageStatusChanged.status === 'READ'),
    );
    expect(seen.map(({ messageStatusChanged: { id, status } }) => [id, status])).toEqual(
      ['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ'].map((status) => [sendMessage.id, status]),
    );

    const [, reply] = await inbound.until((received) => received.length === 2);
    expect(reply?.messageReceived).toMatchObject({
      direction: 'INBOUND',
      body: 'Quero comprar',
      lead: { id: lead.id },
    });

    const { message } = await query(app, tenant.operator, MessageDocument, { id: sendMessage.id });
    expect(message).toMatchObject({ status: 'READ', estimatedSendAt: null, error: null });
    expect(message?.timeline.map(({ fromStatus, toStatus, source }) => [fromStatus, toStatus, source])).toEqual([
      [null, 'QUEUED', 'user'],
      ['QUEUED', 'SENDING', 'worker'],
      ['SENDING', 'SENT', 'worker'],
      ['SENT', 'DELIVERED', 'gateway'],
      ['DELIVERED', 'READ', 'gateway'],
    ]);
    expect(simulator.attempts()).toMatchObject([
      { idempotencyKey: sendMessage.id, to: '5511988881234', text: 'Tudo! E você?' },
    ]);
  });

  /** Asks the feed, because graphql-ws does not acknowledge a subscription. */
  async function waitForSubscriptions(count: number): Promise<void> {
    while (app.app.services.feed.subscriberCount(tenant.id) < count)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
