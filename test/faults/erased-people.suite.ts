// Erasing a lead removes every word of the person from the tables and the log. The journal of raw calls is the exception.

import { randomBytes, randomUUID } from 'node:crypto';
import { createTemplate } from '../features/bulk-sends/bulk-harness.js';
import { createEndpoint } from '../features/outgoing-webhooks/endpoint-harness.js';
import {
  plainNumber,
  readMessage,
  send,
  startSender,
  startSimulator,
  until,
} from '../features/messages/sending-harness.js';
import type { GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { query } from '../support/graphql-client.js';
import {
  AddLeadNoteDocument,
  CreateDashboardDocument,
  CreateLeadDocument,
  DashboardDataDocument,
  DeleteLeadDocument,
  MergeLeadsDocument,
  SendMessagesDocument,
  UpdateLeadDocument,
  UpdateLeadNoteDocument,
} from '../support/operations.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { readLog } from '../support/test-log.js';

/** A mark in every text of the person, and in no other text. */
const marker = `ana${randomBytes(8).toString('hex')}`;
const numbers = [plainNumber(), plainNumber(), plainNumber()] as const;

export function describeErasedPeople(): void {
  let simulator: GatewaySimulator;
  let api: TestApp;
  let service: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    simulator = await startSimulator();
    api = await TestApp.start({ PROCESS_ROLE: 'api', WEBHOOK_ENDPOINT_ALLOWED_HOSTS: '127.0.0.1' });
    const environment = { WEBHOOK_ENDPOINT_ALLOWED_HOSTS: '127.0.0.1', LOG_LEVEL: 'trace' };
    service = await startSender(simulator, environment, api.database);
    tenant = await api.createTenant();
  });
  afterAll(async () => {
    await service.stop({ keepDatabase: true });
    await simulator.close();
    await api.stop();
  });

  /** Posts to the application that logs everything. */
  async function post<Answer>(path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return (await response.json()) as Answer;
  }

  /** The tables that hold one of the texts. A partition counts as its table. */
  async function tablesWith(texts: readonly string[]): Promise<string[]> {
    const tables = await api.sql<{ name: string; table: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name, coalesce(i.inhparent::regclass, c.oid::regclass)::text AS table
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(30);
    const found = new Set<string>();
    for (const { name, table } of tables) {
      const rows = await api.sql<{ record: Record<string, unknown> }>(`SELECT to_jsonb(t) AS record FROM ${name} AS t`);
      const written = rows.flatMap(({ record }) => Object.values(record)).map(plainText);
      if (written.some((value) => texts.some((text) => value.includes(text)))) found.add(table);
    }
    return [...found].toSorted();
  }

  function plainText(value: unknown): string {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('utf8') : text;
  }

  const key = () => withKey(tenant);

  /** Stores every kind of personal data through each API. @returns the ids of the leads */
  async function fillWithWords(): Promise<string[]> {
    const { operator } = tenant;
    const about = { name: `${marker} name`, source: `${marker} source` };
    const { id } = await post<{ id: string }>('/public/leads', { chat: numbers[0], ...about, note: marker }, key());
    const input = {
      chat: numbers[1],
      ...about,
      tags: [marker],
      customFields: { [marker]: marker },
      metadata: { marker },
    };
    const made = (await query(api, operator, CreateLeadDocument, { input })).createLead.lead.id;
    const text = `${marker} text`;
    for (const from of numbers.slice(0, 2))
      await post('/webhooks/chat/gateway/inbound', { messageId: randomUUID(), from, name: marker, text }, key());
    const change = { name: `${marker} later`, addTags: [`${marker} too`], customFields: { city: marker } };
    await query(api, operator, UpdateLeadDocument, { id, input: change });
    const note = (await query(api, operator, AddLeadNoteDocument, { leadId: id, body: marker })).addLeadNote.id;
    await query(api, operator, UpdateLeadNoteDocument, { id: note, body: `${marker} again` });
    await query(api, operator, MergeLeadsDocument, { leadId: made, intoId: id });
    // The second row is refused, and kept until its person is erased.
    const file = [
      'chat,name,source,note,tags',
      `${numbers[2]},${marker},${marker},${marker},`,
      `${numbers[1]},${marker},x,${marker},${'t'.repeat(60)}`,
    ].join('\n');
    await post('/leads/import', file, { ...withToken(operator), 'content-type': 'text/csv' });
    const [imported] = await api.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1 AND chat = $2', [
      tenant.id,
      numbers[2],
    ]);
    await sendTo(id);
    return [id, imported?.id ?? ''];
  }

  async function sendTo(leadId: string): Promise<void> {
    const sent = await send(api, tenant, { leadId, body: marker });
    const caption = { url: `https://files.example/${marker}`, caption: marker, fileName: marker };
    await send(api, tenant, { leadId, media: caption, sendAt: new Date(Date.now() + 3_600_000).toISOString() });
    const recipients = [{ leadId, variables: { a: marker } }];
    const bulk = { templateId: await createTemplate(api, tenant), recipients, idempotencyKey: randomUUID() };
    await query(api, tenant.operator, SendMessagesDocument, { input: bulk });
    const { externalId } = await until(
      () => readMessage(api, tenant, sent),
      ({ status }) => status === 'SENT',
    );
    const delivered = { messageId: externalId, status: 'DELIVERED', timestamp: Math.floor(Date.now() / 1_000) };
    await post('/webhooks/chat/gateway/status', delivered, key());
  }

  /** Reads a dashboard, which computes the counts by source. */
  async function readDashboard(): Promise<void> {
    const widgets = [
      { type: 'BREAKDOWN' as const, title: 'x', metric: 'MESSAGES_RECEIVED' as const, dimension: 'SOURCE' as const },
    ];
    const input = { name: randomUUID(), widgets };
    const { id } = (await query(api, tenant.operator, CreateDashboardDocument, { input })).createDashboard;
    await query(api, tenant.operator, DashboardDataDocument, { id });
  }

  test('what was said of a person goes with the lead, except from the journal', async () => {
    // No server listens at this address, so endpoint deliveries wait.
    await createEndpoint(api, tenant, 'http://127.0.0.1:9', {
      eventTypes: ['MESSAGE_RECEIVED', 'LEAD_CREATED', 'LEAD_UPDATED', 'MESSAGE_STATUS_CHANGED'],
    });
    const leadIds = await fillWithWords();
    await readDashboard();
    const texts = [marker, ...numbers];
    expect(await tablesWith(texts)).toEqual(
      expect.arrayContaining([
        'leads',
        'lead_import_refused_rows',
        'lead_notes',
        'lead_touches',
        'messages',
        'message_counts',
        'webhook_deliveries',
      ]),
    );
    const isWaiting =
      'SELECT FROM outbox_entries WHERE tenant_id = $1 AND (lease_until > now() OR scheduled_at IS NULL)';
    await until(
      () => api.sql(isWaiting, [tenant.id]),
      (rows) => rows.length === 0,
    );
    for (const id of leadIds) await query(api, tenant.operator, DeleteLeadDocument, { id });
    await readDashboard();
    expect(await tablesWith(texts)).toEqual(['webhook_deliveries']);
    const log = await readLog();
    expect(log).toContain(tenant.id);
    expect(texts.filter((text) => log.includes(text))).toEqual([]);
  });
}
