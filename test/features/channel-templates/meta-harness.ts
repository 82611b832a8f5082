// An application with a chat instance at a server that answers as Meta's Cloud API does, and helpers for tests of the two.

import { createHmac, randomUUID } from 'node:crypto';
import { CloudServer } from '../../support/cloud-server.js';
import { TestApp, withToken, type TestEnvironment, type TestTenant } from '../../support/test-app.js';

export const appSecret = '0123456789abcdef0123456789abcdef';

export interface Failure {
  code: string;
  message: string;
  errors: { path: string; message: string }[] | undefined;
}

export interface Answer {
  data: Record<string, any>;
  failure: Failure | undefined;
}

/** Templates of each kind, as Meta lists them. */
export const templates = {
  plain: {
    id: '1001',
    name: 'hello',
    language: 'pt_BR',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Olá {{1}}, seu pedido {{2}} saiu.' }],
  },
  full: {
    id: '1002',
    name: 'offer',
    language: 'en',
    status: 'APPROVED',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hi {{1}}' },
      { type: 'FOOTER', text: 'Stop any time' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' }] },
    ],
  },
  paused: {
    id: '1003',
    name: 'paused',
    language: 'en',
    status: 'PAUSED',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hi' }],
  },
};

export class MetaStage {
  private count = 0;

  private constructor(
    readonly app: TestApp,
    readonly meta: CloudServer,
  ) {}

  static async start(environment: TestEnvironment = {}): Promise<MetaStage> {
    const meta = await CloudServer.start();
    meta.templates = Object.values(templates);
    return new MetaStage(await TestApp.start(environment), meta);
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.meta.close();
  }

  async createLine(tenant: TestTenant, change: object = {}): Promise<string> {
    const input = {
      accountId: tenant.admin.accountId,
      instanceName: `meta-${randomUUID()}`,
      provider: 'cloud',
      baseUrl: this.meta.url,
      token: this.meta.token,
      webhookSecret: appSecret,
      metadata: { phoneNumberId: CloudServer.phoneNumberId, wabaId: CloudServer.wabaId },
      ...change,
    };
    const { data } = await this.ask(
      tenant,
      'createChatInstance(input: $input) { id }',
      { input },
      'CreateChatInstanceInput!',
      true,
    );
    return data['createChatInstance'].id as string;
  }

  /** Runs a mutation with one variable, or a query without. */
  async ask(
    tenant: TestTenant,
    selection: string,
    variables: { input?: unknown } = {},
    type = '',
    isAdmin = false,
  ): Promise<Answer> {
    const query = type === '' ? `{ ${selection} }` : `mutation ($input: ${type}) { ${selection} }`;
    const user = isAdmin ? tenant.admin : tenant.operator;
    const response = await this.app.post('/graphql', { query, variables }, withToken(user));
    const { data, errors } = (await response.json()) as {
      data?: Record<string, any> | null;
      errors?: { message: string; extensions: Omit<Failure, 'message'> }[];
    };
    const [error] = errors ?? [];
    const failure =
      error === undefined
        ? undefined
        : { code: error.extensions.code, message: error.message, errors: error.extensions.errors };
    return { data: data ?? {}, failure };
  }

  async sync(tenant: TestTenant, instanceId: string, first: number | null = null): Promise<Answer> {
    return this.ask(
      tenant,
      `syncChannelTemplates(instanceId: $input, first: ${first}) { id name language category status components variables }`,
      { input: instanceId },
      'ID!',
    );
  }

  /** @returns the id of a template that has been read from Meta */
  async idOf(tenant: TestTenant, instanceId: string, name: string): Promise<string> {
    const { data } = await this.ask(
      tenant,
      `channelTemplates(instanceId: "${instanceId}", filter: {name: "${name}"}) { edges { node { id } } }`,
    );
    return data['channelTemplates'].edges[0]?.node.id as string;
  }

  send(tenant: TestTenant, input: object): Promise<Answer> {
    return this.ask(
      tenant,
      'sendMessage(input: $input) { id type body channelTemplate { name language } }',
      { input },
      'SendMessageInput!',
    );
  }

  sendMany(tenant: TestTenant, input: object): Promise<Answer> {
    return this.ask(
      tenant,
      'sendMessages(input: $input) { id total template { id } templateVersion channelTemplate { name language } }',
      { input: { idempotencyKey: randomUUID(), ...input } },
      'SendMessagesInput!',
    );
  }

  /** Posts a call of Meta's with one entry. @returns the results of its items */
  async report(instanceId: string, field: string, value: object, entry: object = {}): Promise<object[]> {
    const change = { field, value };
    const whole = { id: CloudServer.wabaId, changes: [change], ...entry };
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [whole] });
    const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
    const response = await this.app.post(`/webhooks/chat/cloud/${instanceId}`, body, {
      'x-hub-signature-256': signature,
    });
    const answer = (await response.json()) as { results: object[] };
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer.results;
  }

  /** The lead writes now, or some time ago. @returns the lead's id */
  async writes(instanceId: string, from: string, agoMs = 0): Promise<string> {
    this.count += 1;
    const timestamp = String(Math.floor((Date.now() - agoMs) / 1_000));
    const message = {
      id: `wamid.in-${this.count}-${randomUUID()}`,
      from,
      timestamp,
      type: 'text',
      text: { body: 'Oi' },
    };
    const metadata = { phone_number_id: CloudServer.phoneNumberId };
    const [result] = await this.report(instanceId, 'messages', { metadata, messages: [message] });
    return (result as { leadId: string }).leadId;
  }

  /** Posts Meta's later status of a message that it took. */
  statusOf(instanceId: string, externalId: string, status: string, errors?: object[]): Promise<object[]> {
    const metadata = { phone_number_id: CloudServer.phoneNumberId };
    const report = { id: externalId, status, timestamp: String(Math.floor(Date.now() / 1_000)), errors };
    return this.report(instanceId, 'messages', { metadata, statuses: [report] });
  }

  sent(): any[] {
    return this.meta.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  }
}
