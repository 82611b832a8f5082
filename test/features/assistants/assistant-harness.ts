// An assistant as builders connect one: the protocol's own client, over HTTP, with a user's token.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Capabilities } from '../../../src/features/assistants/capability.js';
import { query } from '../../support/graphql-client.js';
import {
  AuditLogDocument,
  SetAssistantsDocument,
  type AssistantMode,
  type AuditAction,
} from '../../support/operations.js';
import type { TestApp, TestTenant, TestUser } from '../../support/test-app.js';
import { write } from '../consent/consent-harness.js';
import { plainNumber } from '../messages/sending-harness.js';

export interface ToolAnswer<Value = Record<string, unknown>> {
  isError: boolean;
  /** The parsed text of the tool's answer. */
  value: Value;
}

export interface Refusal {
  error: { code: string; message: string; errors?: { path: string; message: string }[] };
}

export interface Reading {
  conversation: string;
  lead: { name: string };
  notice: string;
  status: string;
  tags: string[];
  messages: { from: string; text: string | null; isCut?: boolean; type: string; origin?: string; status?: string }[];
  older: string | null;
  reply: { capability: string; expiresAt: string; leavesThrough: string } | null;
}

export interface Listing {
  notice: string;
  conversations: { conversation: string; lead: { name: string }; unread: number; assignedTo: string | null }[];
  next: string | null;
}

export class Assistant {
  private constructor(private readonly client: Client) {}

  /** @throws if the service refuses to open */
  static async connect(app: TestApp, user: Pick<TestUser, 'token'>): Promise<Assistant> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${user.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
    return new Assistant(client);
  }

  get version(): string | undefined {
    return this.client.getServerVersion()?.version;
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  async listTools() {
    return (await this.client.listTools()).tools;
  }

  async call<Value = Record<string, unknown>>(name: string, input: object): Promise<ToolAnswer<Value>> {
    const answer = await this.client.callTool({ name, arguments: { ...input } });
    const [content] = answer.content as { text: string }[];
    return { isError: answer.isError === true, value: JSON.parse(content?.text ?? 'null') as Value };
  }

  /** Makes a call that has to succeed. */
  async get<Value = Record<string, unknown>>(name: string, input: object = {}): Promise<Value> {
    const { isError, value } = await this.call<Value>(name, input);
    if (isError) throw new Error(`${name} was refused: ${JSON.stringify(value)}`);
    return value;
  }

  /** Makes a call that has to be refused. */
  async refusal(name: string, input: object): Promise<Refusal['error']> {
    const { isError, value } = await this.call<Refusal>(name, input);
    if (!isError) throw new Error(`${name} was not refused: ${JSON.stringify(value)}`);
    return value.error;
  }

  /** The conversation with the newest message, as the assistant reads it. */
  async readNewest(): Promise<Reading> {
    const { conversations } = await this.get<Listing>('list_conversations', { view: 'all', limit: 1 });
    return this.get<Reading>('read_conversation', { conversation: conversations[0]?.conversation ?? '' });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export async function setAssistants(app: TestApp, tenant: TestTenant, assistants: AssistantMode): Promise<void> {
  await query(app, tenant.admin, SetAssistantsDocument, { id: tenant.id, assistants });
}

/** The name of a lead in these tests. */
export function nameOf(chat: string): string {
  return `Lead ${chat.slice(4, 10)}`;
}

/** Lets a lead write a message now. */
export async function writeAsLead(app: TestApp, tenant: TestTenant, text: string, chat = plainNumber()) {
  return { chat, ...(await write(app, tenant, chat, { text, name: nameOf(chat) })) };
}

/** The entries that assistants left in the tenant's audit log, the newest first. */
export async function auditOf(app: TestApp, tenant: TestTenant, action?: AuditAction) {
  const filter = action === undefined ? null : { action };
  const { auditLog } = await query(app, tenant.admin, AuditLogDocument, { first: 200, after: null, filter });
  return auditLog.edges.map(({ node }) => node).filter(({ actorKind }) => actorKind === 'ASSISTANT');
}

/** Signs like the applications of tests, at a time of its own. */
export function capabilitiesAt(now: () => number): Capabilities {
  return new Capabilities([Buffer.from('0123456789abcdef'.repeat(4), 'hex')], now);
}
