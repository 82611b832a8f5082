// Helpers for tests of leads: transactions like the webhooks', messages of people with several identities, and the tenant's rows to
// compare.

import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { FoundLead, LeadContact } from '../../../src/features/leads/lead.service.js';
import {
  ReportedMessageService,
  type ReceivedMessage,
} from '../../../src/features/messages/reported-message.service.js';
import { mayHaveLeft } from '../../../src/features/outbox/outbox.sql.js';
import type { NamedStatement } from '../../../src/platform/database/database.js';
import { Transactor, type Transaction } from '../../../src/platform/database/transaction.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestEnvironment, TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';
import type { LeadIdentity, ReportedMessage } from '../../../src/providers/reported.js';

export const phone = (value: string): LeadIdentity => ({ kind: 'PHONE', value });
export const lid = (value: string): LeadIdentity => ({ kind: 'LID', value });
export const bsuid = (value: string): LeadIdentity => ({ kind: 'BSUID', value });

type Identities = [LeadIdentity, ...LeadIdentity[]];

/** A message as a gateway would report it. */
export interface Written {
  from: Identities;
  name?: string;
  text?: string;
  externalId?: string;
  /** Further fields of the message, or other values than those of an inbound text. */
  said?: Partial<ReportedMessage>;
  /** The time at which the message of a history was written. */
  recoveredFrom?: Date;
}

/**
 * Sets a suite up with the shared application, and with a tenant for each test, whose leads have to be consistent at its end. `assign` gets
 * both before each test.
 */
export function withLeadTenants(
  assign: (made: { app: TestApp; tenant: TestTenant }) => unknown,
  environment: TestEnvironment = {},
): void {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await sharedApp(environment);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    assign({ app, tenant });
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });
}

export function transact<Result>(
  app: TestApp,
  tenant: TestTenant,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { database, notifier } = app.app.services;
  return new Transactor(database, notifier).run(tenant.id, work);
}

/** The same transaction, in which `interrupt` runs once: right after the first statement of this name. */
export function after(tx: Transaction, statementName: string, interrupt: () => Promise<unknown>): Transaction {
  let isDue = true;
  return {
    ...tx,
    async query<Row>(statement: NamedStatement | string, values?: readonly unknown[]): Promise<Row[]> {
      const rows = await tx.query<Row>(statement, values);
      const isNamed = typeof statement !== 'string' && statement.name === statementName;
      if (isDue && isNamed) {
        isDue = false;
        await interrupt();
      }
      return rows;
    },
  };
}

export function findOrCreate(app: TestApp, tenant: TestTenant, contacts: LeadContact[]): Promise<FoundLead[]> {
  return transact(app, tenant, (tx) => app.app.services.leads.findOrCreate(tx, contacts, 'test'));
}

/** Finds or creates the lead of one contact. @returns its id */
export async function leadOf(app: TestApp, tenant: TestTenant, ...identities: Identities): Promise<string> {
  const [found] = await findOrCreate(app, tenant, [{ identities }]);
  return found?.lead.id ?? '';
}

/** The service that records messages, for those that a test makes up. Their files and hidden numbers are left alone. */
export function intakeOf({ app: { services } }: TestApp): ReportedMessageService {
  const nothing = () => Promise.resolve();
  return new ReportedMessageService(services.leads, services.statuses, nothing, nothing, mayHaveLeft);
}

/** Records messages in one transaction, as the webhooks do. */
export function receive(app: TestApp, tenant: TestTenant, written: Written[]): Promise<ReceivedMessage[]> {
  const intake = intakeOf(app);
  const items = written.map(({ from, name, text = 'Oi', externalId = randomUUID(), said, recoveredFrom }) => {
    const inbound = { kind: 'message', direction: 'INBOUND', type: 'text' } as const;
    const message = { ...inbound, contact: from, externalId, name, text, ...said };
    return { id: uuidv7(), instanceId: tenant.instance.id, message, recoveredFrom };
  });
  return transact(app, tenant, (tx) => intake.receive(tx, items, 'test'));
}

/** Records one message. @returns its id */
export async function write(app: TestApp, tenant: TestTenant, from: Identities, name?: string): Promise<string> {
  const [received] = await receive(app, tenant, [name === undefined ? { from } : { from, name }]);
  return received?.messageId ?? '';
}

/** Waits until a statement waits for a lock of another transaction. */
export async function untilSomebodyWaits(app: TestApp): Promise<void> {
  const read = () =>
    app.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
  await until(read, (waiting) => waiting.length > 0);
}

/** Work that repeats while a test does something else. */
export class Rounds {
  areUnderWay = true;
  readonly done: Promise<void>;

  constructor(count: number, work: (round: number) => Promise<unknown>) {
    this.done = this.run(count, work).finally(() => (this.areUnderWay = false));
    // The test hears of a failure when it awaits the end.
    this.done.catch(() => undefined);
  }

  private async run(count: number, work: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 0; round < count; round += 1) await work(round);
  }
}

export interface LeadRecord {
  id: string;
  name: string;
  chat: string | null;
  unreadCount: number;
  lastMessageId: string | null;
  assigneeId: string | null;
  mergedIntoId: string | null;
}

/** Reads a lead past the application. */
export async function readLead(app: TestApp, id: string): Promise<LeadRecord> {
  const [lead] = await app.sql<LeadRecord>(
    `SELECT id, name, chat, unread_count AS "unreadCount", last_message_id AS "lastMessageId", assignee_id AS "assigneeId",
       merged_into_id AS "mergedIntoId" FROM leads WHERE id = $1`,
    [id],
  );
  if (lead === undefined) throw new Error('there is no such lead');
  return lead;
}

/** The lead's identities as `KIND:value`, sorted. */
export async function identitiesOf(app: TestApp, leadId: string): Promise<string[]> {
  const rows = await app.sql<{ identity: string }>(
    `SELECT kind::text || ':' || value AS identity FROM lead_identities WHERE lead_id = $1 ORDER BY 1`,
    [leadId],
  );
  return rows.map(({ identity }) => identity);
}

/** The ids of the lead's messages, the oldest first. */
export async function messagesOf(app: TestApp, leadId: string): Promise<string[]> {
  const rows = await app.sql<{ id: string }>('SELECT id FROM messages WHERE lead_id = $1 ORDER BY position, id', [
    leadId,
  ]);
  return rows.map(({ id }) => id);
}

/** The tenant's events about leads themselves, in their order, as `TYPE lead`. */
export async function leadEvents(app: TestApp, tenant: TestTenant): Promise<string[]> {
  const rows = await app.sql<{ event: string }>(
    `SELECT type || ' ' || lead_id AS event FROM events WHERE tenant_id = $1 AND type LIKE 'LEAD%' ORDER BY seq`,
    [tenant.id],
  );
  return rows.map(({ event }) => event);
}

const comparedTables = [
  'leads',
  'lead_identities',
  'lead_touches',
  'lead_notes',
  'messages',
  'outbox_entries',
] as const;

/** Every row of the tenant that a merge moves. The time of each row's last change is left out. */
export async function readRows(app: TestApp, tenant: TestTenant): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of comparedTables) {
    const read = await app.sql<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) - 'updated_at' AS row FROM ${table} t WHERE tenant_id = $1 ORDER BY t::text`,
      [tenant.id],
    );
    rows[table] = read
      .map(({ row }) => row)
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return rows;
}

/** Finds violations of the rules for every tenant: each count and pointer tells the truth, and nothing hangs on a merged lead. */
export async function findInconsistencies(app: TestApp, tenant: TestTenant): Promise<string[]> {
  const rows = await app.sql<{ problem: string }>(
    `WITH l AS (SELECT * FROM leads WHERE tenant_id = $1), merged AS (SELECT * FROM l WHERE merged_into_id IS NOT NULL)
     SELECT 'messages on a merged lead' AS problem FROM messages m JOIN merged USING (tenant_id) WHERE m.lead_id = merged.id
     UNION ALL SELECT 'identities on a merged lead' FROM lead_identities i JOIN merged ON i.lead_id = merged.id
     UNION ALL SELECT 'notes on a merged lead' FROM lead_notes n JOIN merged ON n.lead_id = merged.id
     UNION ALL SELECT 'outbox entries on a merged lead' FROM outbox_entries o JOIN merged ON o.lead_id = merged.id
     UNION ALL SELECT 'an outbox entry of another lead than its message' FROM outbox_entries o
       JOIN messages m ON m.tenant_id = o.tenant_id AND m.id = o.message_id WHERE o.tenant_id = $1 AND m.lead_id <> o.lead_id
     UNION ALL SELECT 'a merged lead leads to a merged lead' FROM merged m JOIN merged n ON m.merged_into_id = n.id
     UNION ALL SELECT 'a merged lead counts unread messages' FROM merged WHERE unread_count <> 0
     UNION ALL SELECT 'a wrong newest message' FROM l
       LEFT JOIN LATERAL (SELECT m.id, m.position FROM messages m
         WHERE m.tenant_id = $1 AND m.lead_id = l.id AND NOT m.is_notice AND m.bulk_send_id IS NULL
         ORDER BY m.position DESC, m.id DESC LIMIT 1) newest ON true
       WHERE (l.last_message_id, l.last_message_position) IS DISTINCT FROM (newest.id, newest.position)
     UNION ALL SELECT 'a wrong newest bulk message' FROM l
       LEFT JOIN LATERAL (SELECT m.id, m.position FROM messages m
         WHERE m.tenant_id = $1 AND m.lead_id = l.id AND m.bulk_send_id IS NOT NULL ORDER BY m.position DESC, m.id DESC LIMIT 1
       ) newest ON true
       WHERE (l.last_bulk_message_id, l.last_bulk_message_position) IS DISTINCT FROM (newest.id, newest.position)
     UNION ALL SELECT 'a conversation that its messages contradict' FROM l
       CROSS JOIN LATERAL (
         SELECT max(m.position) FILTER (WHERE m.direction = 'OUTBOUND' AND m.bulk_send_id IS NULL AND NOT m.is_automatic
             AND m.status NOT IN ('CANCELED', 'FAILED')
             AND (m.scheduled_for IS NULL OR m.status NOT IN ('QUEUED', 'SENDING'))) AS answer,
           max(m.position) FILTER (WHERE m.direction = 'INBOUND') AS inbound
         FROM messages m WHERE m.tenant_id = $1 AND m.lead_id = l.id AND NOT m.is_notice
       ) newest
       CROSS JOIN LATERAL (
         SELECT min(m.created_at) FILTER (WHERE m.position > coalesce(newest.answer, 0)) AS waiting,
           max(m.created_at) FILTER (WHERE m.position = newest.inbound) AS inbound
         FROM messages m WHERE m.tenant_id = $1 AND m.lead_id = l.id AND m.direction = 'INBOUND' AND NOT m.is_notice
       ) times
       WHERE (l.last_answer_position, l.last_inbound_position, l.waiting_since, l.last_inbound_at)
         IS DISTINCT FROM (newest.answer, newest.inbound, times.waiting, times.inbound)
     UNION ALL SELECT 'a merged lead with a closed or snoozed conversation' FROM merged WHERE conversation_status <> 'OPEN'
     UNION ALL SELECT 'more unread than inbound messages' FROM l
       WHERE unread_count > (SELECT count(*) FROM messages m WHERE m.tenant_id = $1 AND m.lead_id = l.id AND m.direction = 'INBOUND' AND NOT m.is_notice)
     UNION ALL SELECT 'a number that is no identity of the lead' FROM l WHERE chat IS NOT NULL AND merged_into_id IS NULL
       AND NOT EXISTS (SELECT FROM lead_identities i WHERE i.tenant_id = $1 AND i.lead_id = l.id AND i.kind = 'PHONE')
     UNION ALL SELECT 'a stale search key' FROM l LEFT JOIN lead_search_keys k ON k.tenant_id = $1 AND k.lead_id = l.id
       WHERE (k.name_key, k.chat, k.tags) IS DISTINCT FROM (left(search_form(l.name), 200), l.chat, l.tags)
     UNION ALL SELECT 'a lead without identities' FROM l WHERE merged_into_id IS NULL
       AND NOT EXISTS (SELECT FROM lead_identities i WHERE i.tenant_id = $1 AND i.lead_id = l.id)`,
    [tenant.id],
  );
  return rows.map(({ problem }) => problem);
}
