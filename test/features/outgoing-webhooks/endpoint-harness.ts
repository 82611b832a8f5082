// Helpers for tests of webhook endpoints.

import { randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import {
  CreateWebhookEndpointDocument,
  EndpointDeliveriesDocument,
  type CreateWebhookEndpointInput,
  type EndpointDeliveriesQuery,
  type EndpointDeliveryFilter,
} from '../../support/operations.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';

export interface MadeEndpoint {
  id: string;
  /** The endpoint's own path at the receiver. */
  path: string;
  secret: string;
}

/** Creates an endpoint at a path of its own. @param base the receiver's URL */
export async function createEndpoint(
  app: TestApp,
  tenant: TestTenant,
  base: string,
  input: Partial<CreateWebhookEndpointInput> = {},
): Promise<MadeEndpoint> {
  const path = `/${randomUUID()}`;
  const wanted = { url: `${base}${path}`, eventTypes: ['MESSAGE_RECEIVED' as const], ...input };
  const { createWebhookEndpoint } = await query(app, tenant.admin, CreateWebhookEndpointDocument, { input: wanted });
  return { id: createWebhookEndpoint.endpoint.id, path, secret: createWebhookEndpoint.secret };
}

/** Lets a lead write. @returns the id that the gateway gave the message */
export async function receive(app: TestApp, tenant: TestTenant, from: string, text = 'Oi'): Promise<string> {
  const messageId = randomUUID();
  const answer = await app.post('/webhooks/chat/gateway/inbound', { messageId, from, text }, withKey(tenant));
  if (answer.status !== 200) throw new Error(`the message was not taken in: ${answer.status}`);
  return messageId;
}

export type ListedDelivery = EndpointDeliveriesQuery['endpointDeliveries']['edges'][number]['node'];

/** The endpoint deliveries, the newest first. */
export async function listDeliveries(
  app: TestApp,
  tenant: TestTenant,
  filter: EndpointDeliveryFilter = {},
): Promise<ListedDelivery[]> {
  const { endpointDeliveries } = await query(app, tenant.admin, EndpointDeliveriesDocument, { filter });
  return endpointDeliveries.edges.map(({ node }) => node);
}

/** Makes every wait for a retry to this endpoint end now. */
export async function hurryDeliveries(app: TestApp, tenant: TestTenant, endpointId: string): Promise<void> {
  await app.sql(
    'UPDATE endpoint_deliveries SET due_at = now() WHERE endpoint_id = $1 AND due_at > now() AND lease_until IS NULL',
    [endpointId],
  );
  app.app.services.endpointDispatcher.wake({ tenantId: tenant.id, endpointId });
}
