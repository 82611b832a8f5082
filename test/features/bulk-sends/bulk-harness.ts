// Helpers for tests of bulk sends: an operator, many leads, a template, and the stored rows of a bulk send.

import { randomUUID } from 'node:crypto';
import type { RecipientInput } from '../../../src/features/bulk-sends/bulk-send.schema.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import { newRecordId } from '../../../src/platform/database/record-id.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';

export function operatorOf({ id: tenantId, operator: user }: TestTenant): UserPrincipal {
  const { id: userId, accountId } = user;
  const email = 'operator@test.example';
  return { kind: 'user', tenantId, userId, accountId, role: 'OPERATOR', email, isPlatformTenant: false };
}

/** Stores leads past every API, thousands of them in one statement. Their numbers have no special meaning. */
export async function storeLeads(app: TestApp, tenant: TestTenant, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newRecordId());
  await app.sql(
    `INSERT INTO leads (tenant_id, id, name, chat, source, metadata, custom_fields, updated_at)
     SELECT $1, id, 'Ana ' || n, '4918' || lpad(n::text, 6, '0') || '5555', 'test', jsonb_build_object('city', 'Recife'),
       jsonb_build_object('plan', 'gold'), now()
     FROM unnest($2::uuid[]) WITH ORDINALITY AS l (id, n)`,
    [tenant.id, ids],
  );
  return ids;
}

export async function createTemplate(app: TestApp, tenant: TestTenant, body = 'Oi {{a | amigo}}'): Promise<string> {
  const { templates } = app.app.services;
  return (await templates.create(operatorOf(tenant), { name: `template-${randomUUID()}`, body })).id;
}

export function recipientsOf(leadIds: readonly string[]): RecipientInput[] {
  return leadIds.map((leadId) => ({ leadId }));
}

export interface StoredMessage {
  id: string;
  leadId: string;
  body: string;
  status: string;
  priority: number | null;
}

/** The messages of a bulk send, in the order of the queue. Messages that have left it come last. */
export function messagesOf(app: TestApp, bulkSendId: string): Promise<StoredMessage[]> {
  return app.sql<StoredMessage>(
    `SELECT m.id, m.lead_id AS "leadId", m.body, m.status, o.priority
     FROM messages m LEFT JOIN outbox_entries o ON o.tenant_id = m.tenant_id AND o.message_id = m.id
     WHERE m.bulk_send_id = $1 ORDER BY o.position, m.id`,
    [bulkSendId],
  );
}
