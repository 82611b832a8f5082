// Every operation of the schema and every REST route, once: how to call it on the records of a tenant, who may, and what
// another tenant's user gets. The tests of roles and of tenancy run through it and fail when one is missing.

import { randomUUID } from 'node:crypto';
import { writeAs } from '../features/live/live-harness.js';
import { createLead, send } from '../features/messages/sending-harness.js';
import { query } from '../support/graphql-client.js';
import { MergeLeadsDocument } from '../support/operations.js';
import { serviceOperator, withKey } from '../support/test-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';

/** A tenant with one record of every kind, made anew for each case that uses one up. */
export interface Records {
  tenant: TestTenant;
  userId: string;
  leadId: string;
  /** Another lead, into which a third was merged. */
  otherLeadId: string;
  mergeId: string;
  messageId: string;
  deliveryId: string;
  /** A chat instance that nothing waits for. */
  lineId: string;
}

let recordCount = 0;

export async function createRecords(app: TestApp, tenant: TestTenant): Promise<Records> {
  recordCount += 1;
  const email = `user-${recordCount}@${tenant.slug}.example`;
  const { id: userId } = await app.createUser(tenant.id, { email, role: 'OPERATOR', idpSub: randomUUID() });
  const leadId = await createLead(app, tenant, `49151${String(recordCount).padStart(8, '0')}`);
  const messageId = await send(app, tenant, { leadId, body: 'Oi' });
  const [delivery] = await app.sql<{ id: string }>(
    'SELECT id FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1',
    [tenant.id],
  );
  const { chatInstances } = app.app.services;
  const line = { accountId: tenant.admin.accountId, instanceName: name(), isDefault: false };
  const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
  const { id: lineId } = await chatInstances.create(serviceOperator, line, place);
  const { otherLeadId, mergeId } = await createMerge(app, tenant);
  return { tenant, userId, leadId, otherLeadId, mergeId, messageId, deliveryId: delivery?.id ?? '', lineId };
}

async function createMerge(app: TestApp, tenant: TestTenant): Promise<Pick<Records, 'otherLeadId' | 'mergeId'>> {
  const digits = String(recordCount).padStart(8, '0');
  const [leadId, intoId] = [
    await createLead(app, tenant, `49152${digits}`),
    await createLead(app, tenant, `49153${digits}`),
  ];
  const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });
  return { otherLeadId: intoId, mergeId: mergeLeads.merges[0]?.id ?? '' };
}

/** `user`: any role; `platform`: ADMINs of the platform tenant. */
export type Rule = 'user' | 'admin' | 'platform';

/**
 * What a user of another tenant gets: the record is null, the error NOT_FOUND, a list without any of it, or, where the
 * operation takes no id at all, only what is the caller's own.
 */
export type ForeignAnswer = 'null' | 'NOT_FOUND' | 'empty' | 'own';

export interface OperationCase {
  document: string;
  variables: (records: Records) => Record<string, unknown>;
  rule: Rule;
  foreign: ForeignAnswer;
}

const none = () => ({});
const name = () => `n-${randomUUID()}`;
const page = 'edges { node { id } }';

export const operationCases: Record<string, OperationCase> = {
  'Query.me': {
    document: '{ me { id tenantId accountId role email } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.tenant': {
    document: 'query ($id: ID!) { tenant(id: $id) { id name slug apiKey } }',
    variables: ({ tenant }) => ({ id: tenant.id }),
    rule: 'admin',
    foreign: 'null',
  },
  'Query.tenants': { document: `{ tenants { ${page} } }`, variables: none, rule: 'platform', foreign: 'own' },
  'Query.users': {
    document: '{ users { edges { node { id email role } } } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.user': {
    document: 'query ($id: ID!) { user(id: $id) { id email role } }',
    variables: ({ userId }) => ({ id: userId }),
    rule: 'user',
    foreign: 'null',
  },
  'Query.leads': { document: `{ leads { ${page} } }`, variables: none, rule: 'user', foreign: 'own' },
  'Query.lead': {
    document: 'query ($id: ID!) { lead(id: $id) { id name messages { edges { node { body } } } } }',
    variables: ({ leadId }) => ({ id: leadId }),
    rule: 'user',
    foreign: 'null',
  },
  'Query.inbox': { document: `{ inbox { ${page} } }`, variables: none, rule: 'user', foreign: 'own' },
  'Query.messages': {
    document: `query ($leadId: ID!) { messages(leadId: $leadId) { ${page} } }`,
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Query.message': {
    document: 'query ($id: ID!) { message(id: $id) { id body timeline { toStatus } } }',
    variables: ({ messageId }) => ({ id: messageId }),
    rule: 'user',
    foreign: 'null',
  },
  'Query.chatInstances': {
    document: 'query ($accountId: ID) { chatInstances(accountId: $accountId) { id instanceName } }',
    variables: ({ tenant }) => ({ accountId: tenant.admin.accountId }),
    rule: 'user',
    foreign: 'empty',
  },
  'Query.chatInstance': {
    document: 'query ($id: ID!) { chatInstance(id: $id) { id instanceName } }',
    variables: ({ tenant }) => ({ id: tenant.instance.id }),
    rule: 'user',
    foreign: 'null',
  },
  'Mutation.createChatInstance': {
    document: 'mutation ($input: CreateChatInstanceInput!) { createChatInstance(input: $input) { id } }',
    variables: ({ tenant }) => ({ input: { accountId: tenant.admin.accountId, instanceName: name() } }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.updateChatInstance': {
    document:
      'mutation ($id: ID!, $input: UpdateChatInstanceInput!) { updateChatInstance(id: $id, input: $input) { id } }',
    variables: ({ tenant }) => ({ id: tenant.instance.id, input: { metadata: { note: name() } } }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteChatInstance': {
    document: 'mutation ($id: ID!) { deleteChatInstance(id: $id) }',
    variables: ({ lineId }) => ({ id: lineId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Query.auditLog': {
    document: 'query ($filter: AuditFilter) { auditLog(filter: $filter) { edges { node { id targetId after } } } }',
    variables: ({ tenant }) => ({ filter: { targetId: tenant.id } }),
    rule: 'admin',
    foreign: 'empty',
  },
  'Query.webhookDeliveries': {
    document:
      'query ($filter: WebhookDeliveryFilter) { webhookDeliveries(filter: $filter) { edges { node { id body result } } } }',
    variables: ({ deliveryId }) => ({ filter: { replayOfId: deliveryId } }),
    rule: 'admin',
    foreign: 'empty',
  },
  'Mutation.replayWebhookDelivery': {
    document: 'mutation ($id: ID!) { replayWebhookDelivery(id: $id) { id outcome body result } }',
    variables: ({ deliveryId }) => ({ id: deliveryId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.createTenant': {
    document: 'mutation ($input: CreateTenantInput!) { createTenant(input: $input) { id } }',
    variables: () => ({ input: { name: 'New', slug: name(), adminEmail: 'admin@new.example' } }),
    rule: 'platform',
    foreign: 'own',
  },
  'Mutation.updateTenant': {
    document: 'mutation ($id: ID!, $input: UpdateTenantInput!) { updateTenant(id: $id, input: $input) { id } }',
    variables: ({ tenant }) => ({ id: tenant.id, input: { webhookSourceLabel: name() } }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.rotateTenantApiKey': {
    document: 'mutation ($id: ID!) { rotateTenantApiKey(id: $id, graceSeconds: 600) { id } }',
    variables: ({ tenant }) => ({ id: tenant.id }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.createUser': {
    document: 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }',
    variables: ({ tenant }) => ({
      input: { email: `${name()}@test.example`, role: 'OPERATOR', tenantId: tenant.id },
    }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.updateUser': {
    document: 'mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }',
    variables: ({ userId }) => ({ id: userId, input: { name: name(), isActive: false } }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.mergeLeads': {
    document: 'mutation ($leadId: ID!, $intoId: ID!) { mergeLeads(leadId: $leadId, intoId: $intoId) { id } }',
    variables: ({ leadId, otherLeadId }) => ({ leadId: otherLeadId, intoId: leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.undoLeadMerge': {
    document: 'mutation ($mergeId: ID!) { undoLeadMerge(mergeId: $mergeId) { id } }',
    variables: ({ mergeId }) => ({ mergeId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.sendMessage': {
    document: 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }',
    variables: ({ leadId, tenant }) => ({ input: { leadId, instanceId: tenant.instance.id, body: 'Oi' } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
};

export interface SubscriptionCase {
  document: string;
  variables: (records: Records) => Record<string, unknown>;
  /** The same without an id: whatever the tenant brings. */
  open: Record<string, unknown>;
  /** Makes the event happen in the records' tenant. */
  trigger: (app: TestApp, records: Records) => Promise<unknown>;
  rule: Rule;
}

export const subscriptionCases: Record<string, SubscriptionCase> = {
  'Subscription.messageReceived': {
    document: 'subscription ($leadId: ID) { messageReceived(leadId: $leadId) { id } }',
    variables: ({ leadId }) => ({ leadId }),
    open: {},
    trigger: async (app, { tenant, leadId }) => {
      const [lead] = await app.sql<{ chat: string }>('SELECT chat FROM leads WHERE id = $1', [leadId]);
      await writeAs(app, tenant, lead?.chat ?? '');
    },
    rule: 'user',
  },
  'Subscription.messageStatusChanged': {
    document: 'subscription ($leadId: ID) { messageStatusChanged(leadId: $leadId) { id } }',
    variables: ({ leadId }) => ({ leadId }),
    open: {},
    trigger: (app, { tenant, leadId }) => send(app, tenant, { leadId, body: 'Oi' }),
    rule: 'user',
  },
  'Subscription.chatInstanceStatusChanged': {
    document: 'subscription { chatInstanceStatusChanged { id status lastError } }',
    variables: none,
    open: {},
    trigger: async (app, { tenant }) => {
      // Told long ago: what comes now is told at once.
      await app.sql(
        "UPDATE chat_instances SET told_at = '2000-01-01', status = 'CONNECTED', told_status = 'CONNECTED' WHERE id = $1",
        [tenant.instance.id],
      );
      const body = {
        event: 'connection.update',
        instance: tenant.instance.name,
        data: { state: 'close', statusReason: 428 },
      };
      await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
    },
    rule: 'user',
  },
};

export interface RouteCase {
  path: (records: Records) => string;
  body?: (records: Records) => unknown;
  /** What is asked for: no credentials, a Bearer token, an ADMIN's, or an API key. */
  rule: 'open' | 'user' | 'admin' | 'key';
  /** What another tenant's credentials get for these records. */
  foreign: { status: number; code?: string } | 'own';
}

export const routeCases: Record<string, RouteCase> = {
  'POST /auth/token': {
    path: () => '/auth/token',
    body: () => ({ grantType: 'authorization_code', code: 'x' }),
    rule: 'open',
    foreign: 'own',
  },
  'POST /auth/dev/token': {
    path: () => '/auth/dev/token',
    body: () => ({ idpSub: randomUUID() }),
    rule: 'open',
    foreign: 'own',
  },
  'GET /chat/instances': {
    path: ({ tenant }) => `/chat/instances?accountId=${tenant.admin.accountId}`,
    rule: 'user',
    foreign: { status: 200 },
  },
  'GET /tenants/:id': {
    path: ({ tenant }) => `/tenants/${tenant.id}`,
    rule: 'admin',
    foreign: { status: 404, code: 'NOT_FOUND' },
  },
  'POST /public/leads': {
    path: () => '/public/leads',
    body: () => ({ chat: '5511988887777' }),
    rule: 'key',
    foreign: 'own',
  },
  'POST /webhooks/leads': {
    path: () => '/webhooks/leads',
    body: () => ({ chat: '5511988887777' }),
    rule: 'key',
    foreign: 'own',
  },
  'POST /webhooks/chat/gateway/inbound': {
    path: () => '/webhooks/chat/gateway/inbound',
    body: ({ tenant }) => ({ instance: tenant.instance.name, messageId: name(), from: '5511988887777', text: 'Oi' }),
    rule: 'key',
    foreign: { status: 422, code: 'VALIDATION_FAILED' },
  },
  'GET /webhooks/chat/cloud/:instanceId': {
    path: ({ lineId }) => `/webhooks/chat/cloud/${lineId}?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1`,
    rule: 'open',
    foreign: 'own',
  },
  'POST /webhooks/chat/cloud/:instanceId': {
    path: ({ lineId }) => `/webhooks/chat/cloud/${lineId}`,
    body: () => ({ object: 'whatsapp_business_account', entry: [] }),
    rule: 'open',
    foreign: 'own',
  },
  'POST /webhooks/chat/gateway/:event': {
    path: () => '/webhooks/chat/gateway/connection-update',
    body: ({ tenant }) => ({ instance: tenant.instance.name, data: { state: 'open' } }),
    rule: 'key',
    foreign: { status: 422, code: 'VALIDATION_FAILED' },
  },
  'POST /webhooks/chat/gateway/status': {
    path: () => '/webhooks/chat/gateway/status',
    body: ({ tenant }) => ({ instance: tenant.instance.name, messageId: name(), status: 'READ' }),
    rule: 'key',
    foreign: { status: 422, code: 'VALIDATION_FAILED' },
  },
};
