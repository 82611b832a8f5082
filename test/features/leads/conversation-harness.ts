// Helpers for tests of conversations: messages of each side as gateways and operators write them, and the state that a lead shows.

import { randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import { ConversationDocument, type ConversationFieldsFragment } from '../../support/operations.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { phoneCall } from '../../faults/phone-call.js';

const inboundPath = '/webhooks/chat/gateway/inbound';

async function post(app: TestApp, tenant: TestTenant, body: object): Promise<{ messageId: string; leadId: string }[]> {
  const answer = await app.post(inboundPath, body, withKey(tenant));
  if (answer.status !== 200) throw new Error(`the call was not taken: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { results: { messageId: string; leadId: string }[] }).results;
}

/** A tenant whose messages wait: without a gateway they would fail, and would not count as answers. */
export async function createTenantWhoseSendsWait(app: TestApp): Promise<TestTenant> {
  const tenant = await app.createTenant();
  await app.sql("UPDATE chat_instances SET outbound_paused_until = now() + interval '1 hour' WHERE tenant_id = $1", [
    tenant.id,
  ]);
  return tenant;
}

/** Posts one message in a call, which takes the fast path for a known lead. */
export async function hear(app: TestApp, tenant: TestTenant, from: string, said: object = { text: 'Oi' }) {
  const [result] = await post(app, tenant, { messageId: randomUUID(), from, ...said });
  if (result === undefined) throw new Error('the message has no result');
  return result;
}

/** Posts several messages in a call, which takes the general path. */
export function hearMany(app: TestApp, tenant: TestTenant, from: readonly string[]) {
  return post(app, tenant, { messages: from.map((one) => ({ messageId: randomUUID(), from: one, text: 'Oi' })) });
}

/** Writes to a lead on the tenant's phone. @returns the message's id at the gateway */
export async function writeOnPhone(app: TestApp, tenant: TestTenant, to: string): Promise<string> {
  const externalId = randomUUID();
  await post(app, tenant, phoneCall(tenant.instance.name, [{ externalId, to, text: randomUUID() }]));
  return externalId;
}

export async function stateOf(app: TestApp, tenant: TestTenant, id: string): Promise<ConversationFieldsFragment> {
  const { lead } = await query(app, tenant.operator, ConversationDocument, { id });
  if (lead === null) throw new Error('there is no such lead');
  return lead;
}

/** The time at which the service stored a message, as ISO 8601. */
export async function storedAt(app: TestApp, messageId: string): Promise<string> {
  const [row] = await app.sql<{ at: Date }>('SELECT created_at AS at FROM messages WHERE id = $1', [messageId]);
  return row!.at.toISOString();
}

export interface LoggedChange {
  type: string;
  leadId: string;
  data: Record<string, unknown> | null;
}

/** The tenant's events of these types, the oldest first. */
export function loggedEvents(app: TestApp, tenant: TestTenant, types: readonly string[]): Promise<LoggedChange[]> {
  return app.sql<LoggedChange>(
    'SELECT type, lead_id AS "leadId", data FROM events WHERE tenant_id = $1 AND type = ANY($2) ORDER BY seq',
    [tenant.id, types],
  );
}
