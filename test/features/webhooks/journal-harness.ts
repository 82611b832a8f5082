// Helpers for tests of the journal: calls with a signature, their entries, and rows of another time.

import { createHmac, randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import {
  WebhookDeliveriesDocument,
  type DeliveryFieldsFragment,
  type WebhookDeliveryFilter,
} from '../../support/operations.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';

export const webhookSecret = 'a webhook secret';
export const inboundPath = '/webhooks/chat/gateway/inbound';
export const statusPath = '/webhooks/chat/gateway/status';

export function signatureOf(body: string, secret = webhookSecret): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export function someMessage(text = 'Oi') {
  return { messageId: randomUUID(), from: '5511988887777', text };
}

/** Posts to a webhook with a right signature, unless the headers say otherwise. @returns the journal's entry of it */
export async function postWebhook(
  app: TestApp,
  tenant: TestTenant,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<DeliveryFieldsFragment> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  await app.post(path, text, { ...withKey(tenant), 'x-signature': signatureOf(text), ...headers });
  const [newest] = await readJournal(app, tenant, {}, 1);
  if (newest === undefined) throw new Error('the call is not in the journal');
  return newest;
}

/** The entries, the newest first, as an ADMIN reads them. */
export async function readJournal(
  app: TestApp,
  tenant: TestTenant,
  filter: WebhookDeliveryFilter = {},
  first = 200,
): Promise<DeliveryFieldsFragment[]> {
  const { webhookDeliveries } = await query(app, tenant.admin, WebhookDeliveriesDocument, { first, filter });
  return webhookDeliveries.edges.map(({ node }) => node);
}

export interface JournalRows {
  /** The age of the oldest row; the others follow within the hour. */
  ageHours?: number;
  count?: number;
  outcome?: 'processed' | 'partial' | 'refused';
  reason?: string | null;
  replayOfId?: string | null;
}

/**
 * Writes calls into the journal past the application; an id tells its time, so that both are made together.
 * @returns their ids, the oldest first
 */
export async function writeDeliveries(app: TestApp, tenantId: string, rows: JournalRows = {}): Promise<string[]> {
  const { ageHours = 0, count = 1, outcome = 'processed', reason = null, replayOfId = null } = rows;
  const written = await app.sql<{ id: string }>(
    `WITH moment AS (
       SELECT n, now() - $2::float * interval '1 hour' + n * (interval '1 hour' / $3::int) AS at
       FROM generate_series(0, $3::int - 1) n
     ), numbered AS (
       SELECT at, lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') AS ms,
         lpad(to_hex(n), 4, '0') AS place FROM moment
     )
     INSERT INTO webhook_deliveries
       (tenant_id, id, route, dialect, headers, body, body_bytes, outcome, reason, result, replay_of_id, received_at)
     SELECT $1, (substr(ms, 1, 8) || '-' || substr(ms, 9) || '-7000-8000-' || place || substr($7, 1, 8))::uuid,
       '/webhooks/chat/gateway/inbound', 'neutral', '{"content-type": "application/json"}', '\\x7b7d', 2, $4, $5, '{}', $6, at
     FROM numbered RETURNING id`,
    [tenantId, ageHours, count, outcome, reason, replayOfId, randomUUID()],
  );
  return written.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1));
}
