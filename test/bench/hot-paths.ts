// The calls that a tenant makes all day, on stored years of conversations: how long each takes, and what PostgreSQL reads for it.

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openGraphqlSocket, subscribe, type AudienceSocket } from './audience.js';
import { inboundPath, randomExternalId, signedHeaders } from './inbound-call.js';
import type { Product } from './product.js';

/** A call of the product, once for each number from 0. */
export interface HotPath {
  name: string;
  call: (number: number) => Promise<void>;
  /** Fewer calls than usual are made of paths that take long. */
  isSlow?: boolean;
}

interface StoredMessage {
  id: string;
  externalId: string;
  instanceName: string;
  chat: string;
  leadId: string;
  cursor: string;
}

const dayMs = 86_400_000;
const sampleCount = 2_000;
const inboxDepth = 5;

const pageFields =
  'edges { node { id body direction status createdAt media { url } } } pageInfo { startCursor endCursor }';
const inboxFields =
  'edges { node { id name unreadCount lastMessage { id body } assignee { id email } } } pageInfo { endCursor hasNextPage }';

export class HotPaths {
  private constructor(
    private readonly product: Product,
    private readonly socket: AudienceSocket,
    /** Outbound messages that were delivered and not read, and inbound ones: of all years, at random. */
    private readonly delivered: readonly StoredMessage[],
    private readonly received: readonly StoredMessage[],
    /** Leads as their messages come: some write more than others. The first is the one with the most messages. */
    private readonly leadIds: readonly string[],
    /** Leads at random, most of which write little. */
    private readonly anyLeadIds: readonly string[],
    private readonly userIds: readonly string[],
    private readonly dashboardIds: readonly string[],
    private readonly deepCursor: string,
  ) {}

  /** @param client reads what the calls are about, past the product */
  static async on(product: Product, client: pg.Client): Promise<HotPaths> {
    const { tenant } = product;
    const sample = async (condition: string) => {
      const { rows } = await client.query<StoredMessage>(selectSample(condition), [tenant.id, sampleCount]);
      return rows;
    };
    const received = await sample("direction = 'INBOUND'");
    const delivered = await sample("status = 'DELIVERED'");
    const { rows } = await client.query<{ id: string }>(selectBusiest, [tenant.id]);
    const leadIds = [rows[0]?.id ?? '', ...received.map(({ leadId }) => leadId)];
    const socket = await openGraphqlSocket(product.url, tenant.token);
    subscribe(socket, 'subscription { messageReceived { id body } }');
    const users = await client.query<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1 ORDER BY id', [
      tenant.id,
    ]);
    const any = await client.query<{ id: string }>(
      'SELECT id FROM leads WHERE tenant_id = $1 ORDER BY md5(id::text) LIMIT 200',
      [tenant.id],
    );
    const anyLeadIds = any.rows.map(({ id }) => id);
    const userIds = users.rows.map(({ id }) => id);
    const paths = new HotPaths(product, socket, delivered, received, leadIds, anyLeadIds, userIds, [], '');
    const dashboardIds = [await paths.createDashboard(30), await paths.createDashboard(1_000)];
    return new HotPaths(
      product,
      socket,
      delivered,
      received,
      leadIds,
      anyLeadIds,
      userIds,
      dashboardIds,
      await paths.walkInbox(),
    );
  }

  close(): void {
    this.socket.close();
  }

  all(): HotPath[] {
    const lead = (number: number) => this.leadIds[number % this.leadIds.length] ?? '';
    const busiest = this.leadIds[0] ?? '';
    const [month = '', years = ''] = this.dashboardIds;
    const conversation = (leadId: string, page: string) =>
      `{ messages(leadId: "${leadId}", ${page}) { ${pageFields} } }`;
    return [
      {
        name: 'a new message, and its live event',
        call: (number) => this.receive(this.received[number % sampleCount]),
      },
      { name: 'the same message again', call: (number) => this.repeat(this.received[number % this.received.length]) },
      {
        name: 'a status of an old message',
        call: (number) => this.report(this.delivered[number % this.delivered.length]),
      },
      { name: 'a new lead', call: () => this.postLead() },
      { name: 'the inbox, first page', call: () => this.ask(`{ inbox(first: 50) { ${inboxFields} } }`) },
      {
        name: `the inbox, page ${inboxDepth + 1}`,
        call: () =>
          this.ask(
            `{ inbox(first: 50, after: "${this.deepCursor}", filter: { conversationStatuses: [CLOSED] }) { ${inboxFields} } }`,
          ),
      },
      { name: 'a conversation, newest page', call: (number) => this.ask(conversation(lead(number), 'last: 50')) },
      {
        name: 'a conversation, around an old message',
        call: (number) => {
          const { leadId = '', id = '' } = this.received[number % this.received.length] ?? {};
          return this.ask(conversation(leadId, `first: 50, around: "${id}"`));
        },
      },
      { name: 'the longest conversation, newest page', call: () => this.ask(conversation(busiest, 'last: 50')) },
      { name: 'a search for a word of every second message', call: () => this.search('de') },
      { name: 'a search for a word of some', call: (number) => this.search(wordOfRank(200 + number)) },
      { name: 'a search for a rare word', call: (number) => this.search(wordOfRank(9_000 + number)) },
      {
        name: 'a search for two words',
        call: (number) => this.search(`${wordOfRank(60 + number)} ${wordOfRank(90 + number)}`),
      },
      {
        name: 'a search for a name',
        call: (number) => this.search(['ana', 'bruno', 'carla', 'diego'][number % 4] ?? ''),
      },
      {
        name: 'a search for a number',
        call: (number) => this.search(this.received[number % this.received.length]?.chat ?? ''),
      },
      { name: 'a dashboard of 30 days', call: () => this.look(month), isSlow: true },
      { name: 'a dashboard of 1,000 days', call: () => this.look(years), isSlow: true },
      {
        name: 'a new message, then the dashboard of 30 days',
        isSlow: true,
        call: async (number) => {
          await this.receive(this.received[number % this.received.length]);
          await this.look(month);
        },
      },
      {
        name: 'a new message of the longest conversation, then that dashboard',
        isSlow: true,
        call: async () => {
          await this.receive(this.received.find(({ leadId }) => leadId === busiest) ?? this.received[0]);
          await this.look(month);
        },
      },
      {
        name: 'a lead gets another assignee, then that dashboard',
        isSlow: true,
        call: async (number) => {
          await this.assign(this.anyLeadIds[number % this.anyLeadIds.length] ?? '', number);
          await this.look(month);
        },
      },
      { name: 'a message is queued, sent and answered', call: (number) => this.send(lead(number)) },
      { name: 'an export of one day', call: (number) => this.export(number), isSlow: true },
    ];
  }

  private async receive(message: StoredMessage | undefined): Promise<void> {
    const heard = this.socket.frameCount + 1;
    await this.post(inboundPath, this.inboundBody(message, randomExternalId('y')), '"duplicate":false');
    await this.socket.untilFrames(heard);
  }

  private repeat(message: StoredMessage | undefined): Promise<void> {
    return this.post(inboundPath, this.inboundBody(message, message?.externalId ?? ''), '"duplicate":true');
  }

  private inboundBody(message: StoredMessage | undefined, messageId: string): string {
    const timestamp = Math.floor(Date.now() / 1_000);
    const { instanceName: instance, chat: from } = message ?? {};
    return JSON.stringify({
      instance,
      messageId,
      from,
      type: 'text',
      text: 'Bom dia! Posso visitar amanhã?',
      timestamp,
    });
  }

  private report(message: StoredMessage | undefined): Promise<void> {
    const { instanceName: instance, externalId: messageId } = message ?? {};
    const body = JSON.stringify({ instance, messageId, status: 'READ', timestamp: Math.floor(Date.now() / 1_000) });
    return this.post('/webhooks/chat/gateway/status', body, '"outcome"');
  }

  private postLead(): Promise<void> {
    const chat = `55219${Math.floor(10_000_000 + Math.random() * 89_999_999)}`;
    return this.post('/webhooks/leads', JSON.stringify({ chat, name: 'Ana', campaign: 'spring' }), '"id"');
  }

  private async post(path: string, body: string, expected: string): Promise<void> {
    const { url, tenant, webhookSecret: secret } = this.product;
    const headers = signedHeaders(body, { apiKey: tenant.apiKey, secret });
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    const answer = await response.text();
    if (!response.ok || !answer.includes(expected))
      throw new Error(`${path}: ${response.status} ${answer.slice(0, 300)}`);
  }

  private search(text: string): Promise<void> {
    return this.ask('query ($text: String!) { search(text: $text) { leads { id name } messages { id snippet } } }', {
      text,
    });
  }

  private look(id: string): Promise<void> {
    return this.ask(lookDocument, { id });
  }

  private assign(leadId: string, number: number): Promise<void> {
    const userId = this.userIds[number % this.userIds.length];
    const document = 'mutation ($id: ID!, $userId: ID) { assignLead(id: $id, userId: $userId) { id } }';
    return this.ask(document, { id: leadId, userId });
  }

  private async send(leadId: string): Promise<void> {
    const document = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }';
    const input = { leadId, body: 'Bom dia!', idempotencyKey: randomUUID() };
    const { sendMessage } = await this.read<{ sendMessage: { id: string } }>(document, { input });
    for (let status = 'QUEUED'; status === 'QUEUED' || status === 'SENDING';) {
      const { message } = await this.read<{ message: { status: string } }>(
        `{ message(id: "${sendMessage.id}") { status } }`,
      );
      status = message.status;
    }
  }

  private async export(number: number): Promise<void> {
    const { url, tenant } = this.product;
    const since = new Date(Date.now() - (2 + (number % 900)) * dayMs);
    const filter = { since: since.toISOString(), until: new Date(since.getTime() + dayMs).toISOString() };
    const headers = { authorization: `Bearer ${tenant.token}` };
    const response = await fetch(`${url}/messages/export.csv?filter=${encodeURIComponent(JSON.stringify(filter))}`, {
      headers,
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`export: ${response.status} ${answer.slice(0, 300)}`);
  }

  private async walkInbox(): Promise<string> {
    let cursor = '';
    for (let page = 0; page < inboxDepth; page += 1) {
      const after = cursor === '' ? '' : `, after: "${cursor}"`;
      const { inbox } = await this.read<{ inbox: { pageInfo: { endCursor: string } } }>(
        `{ inbox(first: 50${after}, filter: { conversationStatuses: [CLOSED] }) { pageInfo { endCursor } } }`,
      );
      cursor = inbox.pageInfo.endCursor;
    }
    return cursor;
  }

  private async createDashboard(days: number): Promise<string> {
    const range = { from: new Date(Date.now() - days * dayMs).toISOString(), to: new Date().toISOString() };
    const input = {
      name: `${days} days ${randomUUID()}`,
      timeZone: 'America/Sao_Paulo',
      range,
      widgets: widgetsBy(days > 100 ? 'MONTH' : 'DAY'),
    };
    const document = 'mutation ($input: CreateDashboardInput!) { createDashboard(input: $input) { id } }';
    return (await this.read<{ createDashboard: { id: string } }>(document, { input })).createDashboard.id;
  }

  private async ask(query: string, variables: object = {}): Promise<void> {
    await this.read(query, variables);
  }

  private async read<Data>(query: string, variables: object = {}): Promise<Data> {
    const { url, tenant } = this.product;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
    if (data == null || errors !== undefined) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return data;
  }
}

/** A word of the stored texts: the rank counts from the most frequent one. */
export function wordOfRank(rank: number): string {
  return words[rank % words.length] ?? '';
}

let words: readonly string[] = [];

/** Takes the words for searches from the texts themselves, the most frequent first. */
export async function learnWords(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ word: string }>(
    `SELECT substr(word, 9) AS word FROM ts_stat('SELECT words FROM message_words ORDER BY message_id DESC LIMIT 50000')
    WHERE length(word) > 11 AND word !~ 'p[0-9a-f]+$' ORDER BY ndoc DESC`,
  );
  words = rows.map(({ word }) => word);
}

const selectSample = (condition: string) => `
  SELECT m.id, m.external_id AS "externalId", i.instance_name AS "instanceName", l.chat, l.id AS "leadId"
  FROM (
    SELECT ($1::uuid) AS tenant_id, uuidv7(-random() * (SELECT now() - min(created_at) FROM messages WHERE tenant_id = $1)) AS near
    FROM generate_series(1, $2::int)
  ) r
  CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE tenant_id = r.tenant_id AND id > r.near AND ${condition} ORDER BY id LIMIT 1
  ) m
  JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id
  JOIN chat_instances i ON i.tenant_id = m.tenant_id AND i.id = m.instance_id`;

const selectBusiest = `
  SELECT lead_id AS id FROM reply_times WHERE tenant_id = $1 GROUP BY lead_id ORDER BY count(*) DESC LIMIT 1`;

const widgetsBy = (bucket: 'DAY' | 'MONTH') => [
  { type: 'SERIES', title: 'Messages', metric: 'MESSAGES', bucket },
  { type: 'FIGURE', title: 'Delivered', metric: 'DELIVERED_RATE' },
  { type: 'FIGURE', title: 'Response time', metric: 'RESPONSE_TIME_MEDIAN' },
  { type: 'BREAKDOWN', title: 'Speed to lead', metric: 'SPEED_TO_LEAD', dimension: 'SOURCE' },
  { type: 'TABLE', title: 'People', metrics: ['MESSAGES_SENT', 'READ_RATE', 'FAILED_RATE'], dimension: 'ASSIGNEE' },
  { type: 'FIGURE', title: 'Queue', metric: 'QUEUE_DEPTH' },
];

const lookDocument = `query ($id: ID!) { dashboard(id: $id) { range { from to } widgets { id title
  ... on SeriesWidget { series: data { points { start end value } } }
  ... on FigureWidget { figure: data { value unit count total } }
  ... on BreakdownWidget { breakdown: data { slices { label value count } other { count } } }
  ... on TableWidget { table: data { lines { label cells { value count total } } } } } } }`;
