// An application with lead sources, a server that plays Meta's Graph API, and helpers for tests of the two.

import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { execute, query, type GraphqlAnswer } from '../../support/graphql-client.js';
import { GraphServer } from '../../support/graph-server.js';
import {
  ConsentLogDocument,
  CreateLeadSourceDocument,
  LeadSourceDocument,
  LeadsOfSourceDocument,
  TestLeadSourceDocument,
  UpdateLeadSourceDocument,
  type ConsentLogQuery,
  type CreateLeadSourceInput,
  type CreateLeadSourceMutation,
  type LeadSourceFieldsFragment,
  type LeadsOfSourceQuery,
  type TestLeadSourceQuery,
  type UpdateLeadSourceInput,
  type UpdateLeadSourceMutation,
} from '../../support/operations.js';
import { TestApp, type TestEnvironment, type TestTenant } from '../../support/test-app.js';

export const appSecret = 'fedcba9876543210fedcba9876543210';
export const googleKey = 'a-key-that-only-google-has';

export type SourceFields = LeadSourceFieldsFragment;
export type ListedLead = LeadsOfSourceQuery['leads']['edges'][number]['node'];

/** A number of Brazil that no test has used. */
export const newChat = () => `55119${randomInt(10_000_000, 99_999_999)}`;
/** An id as Meta makes them, beyond what a number of JavaScript holds. */
export const newLeadgenId = () =>
  `9${String(randomInt(1e9)).padStart(9, '0')}${String(randomInt(1e8)).padStart(8, '0')}`;

export class SourceStage {
  private constructor(
    readonly app: TestApp,
    readonly graph: GraphServer,
  ) {}

  static async start(environment: TestEnvironment = {}): Promise<SourceStage> {
    return new SourceStage(await TestApp.start(environment), await GraphServer.start());
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.graph.close();
  }

  tryCreate(tenant: TestTenant, input: CreateLeadSourceInput): Promise<GraphqlAnswer<CreateLeadSourceMutation>> {
    return execute(this.app, tenant.admin, CreateLeadSourceDocument, { input });
  }

  async create(tenant: TestTenant, input: CreateLeadSourceInput): Promise<SourceFields> {
    return (await query(this.app, tenant.admin, CreateLeadSourceDocument, { input })).createLeadSource;
  }

  createMeta(tenant: TestTenant, input: Partial<CreateLeadSourceInput> = {}): Promise<SourceFields> {
    const place = { appSecret, accessToken: this.graph.token, baseUrl: this.graph.url };
    return this.create(tenant, { kind: 'META', name: 'Lead Ads', ...place, ...input });
  }

  createGoogle(tenant: TestTenant, input: Partial<CreateLeadSourceInput> = {}): Promise<SourceFields> {
    return this.create(tenant, { kind: 'GOOGLE', name: 'Search ads', key: googleKey, ...input });
  }

  createForm(tenant: TestTenant, input: Partial<CreateLeadSourceInput> = {}): Promise<SourceFields> {
    return this.create(tenant, { kind: 'FORM', name: 'Landing page', ...input });
  }

  tryUpdate(
    tenant: TestTenant,
    id: string,
    input: UpdateLeadSourceInput,
  ): Promise<GraphqlAnswer<UpdateLeadSourceMutation>> {
    return execute(this.app, tenant.admin, UpdateLeadSourceDocument, { id, input });
  }

  async update(tenant: TestTenant, id: string, input: UpdateLeadSourceInput): Promise<SourceFields> {
    return (await query(this.app, tenant.admin, UpdateLeadSourceDocument, { id, input })).updateLeadSource;
  }

  async read(tenant: TestTenant, id: string): Promise<SourceFields> {
    const { leadSource } = await query(this.app, tenant.admin, LeadSourceDocument, { id });
    if (leadSource == null) throw new Error('there is no such source');
    return leadSource;
  }

  async tryOut(
    tenant: TestTenant,
    id: string,
    payload: Record<string, unknown>,
  ): Promise<TestLeadSourceQuery['testLeadSource']> {
    return (await query(this.app, tenant.admin, TestLeadSourceDocument, { id, payload })).testLeadSource;
  }

  /** The tenant's leads, the newest first. */
  async leads(tenant: TestTenant): Promise<ListedLead[]> {
    const { leads } = await query(this.app, tenant.admin, LeadsOfSourceDocument, {});
    return leads.edges.map(({ node }) => node);
  }

  async leadOf(tenant: TestTenant, chat: string): Promise<ListedLead | undefined> {
    return (await this.leads(tenant)).find((lead) => lead.chat === chat);
  }

  /** Waits until the tenant has so many leads. */
  async untilLeads(tenant: TestTenant, count: number): Promise<ListedLead[]> {
    return until(
      () => this.leads(tenant),
      (leads) => leads.length >= count,
    );
  }

  async consentLog(
    tenant: TestTenant,
    leadId: string,
  ): Promise<ConsentLogQuery['consentLog']['edges'][number]['node'][]> {
    const { consentLog } = await query(this.app, tenant.operator, ConsentLogDocument, { leadId });
    return consentLog.edges.map(({ node }) => node);
  }

  /** The number of events of a type in the tenant's log. */
  async countEvents(tenant: TestTenant, type: string): Promise<number> {
    const [row] = await this.app.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND type = $2',
      [tenant.id, type],
    );
    return row?.count ?? 0;
  }

  async countTouches(tenant: TestTenant): Promise<number> {
    const [row] = await this.app.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM lead_touches WHERE tenant_id = $1',
      [tenant.id],
    );
    return row?.count ?? 0;
  }

  /** Posts a call of Meta's that names these leads. */
  postNotices(source: SourceFields, ids: readonly string[], secret = appSecret): Promise<Response> {
    const body = JSON.stringify(noticeOf(...ids));
    return this.postMeta(source, body, secret);
  }

  postMeta(source: SourceFields, body: string, secret = appSecret): Promise<Response> {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    return this.app.post(source.path, body, { 'x-hub-signature-256': signature });
  }

  postGoogle(source: SourceFields, lead: object = {}): Promise<Response> {
    return this.app.post(source.path, { google_key: googleKey, ...lead });
  }
}

export function noticeOf(...ids: string[]): object {
  const changes = ids.map((id) => ({
    field: 'leadgen',
    value: { leadgen_id: id, page_id: '153', form_id: '555', ad_id: '444', created_time: 1_795_300_000 },
  }));
  return { object: 'page', entry: [{ id: '153', time: 1_795_300_000, changes }] };
}

/** A lead as Google posts it, without the key. */
export function googleLead(chat: string, further: object = {}): Record<string, unknown> {
  return {
    lead_id: randomUUID(),
    api_version: '1.0',
    form_id: 12_345,
    campaign_id: 67_890,
    gcl_id: 'click',
    is_test: false,
    user_column_data: [
      { column_id: 'FULL_NAME', column_name: 'Full name', string_value: 'Ana Lima' },
      { column_id: 'PHONE_NUMBER', column_name: 'Phone', string_value: `+${chat}` },
      { column_id: 'EMAIL', string_value: 'ana@example.com' },
    ],
    ...further,
  };
}

/** Reads until the value satisfies the condition; fails after a minute. */
export async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`it did not come about: ${JSON.stringify(value).slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
