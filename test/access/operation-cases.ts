// The access rules of every GraphQL operation and REST route: a call on one tenant's records, the role it needs, and the result for another
// tenant's user. The tests of roles and of tenancy run through this table and fail when an operation is missing.

import { randomInt, randomUUID } from 'node:crypto';
import { newRecordId } from '../../src/platform/database/record-id.js';
import { SecretBox } from '../../src/platform/secret-box.js';
import { writeAs } from '../features/live/live-harness.js';
import { createLead, send } from '../features/messages/sending-harness.js';
import { pushSubscription } from '../features/push/push-browser.js';
import { query } from '../support/graphql-client.js';
import {
  CreateBulkActionDocument,
  CreateDashboardDocument,
  CreateTemplateDocument,
  MergeLeadsDocument,
  SendMessagesDocument,
} from '../support/operations.js';
import { encryptionKey, serviceOperator, withKey, type TestApp, type TestTenant } from '../support/test-app.js';

/** A record of every kind, all in one tenant. A case that uses up a record gets new ones. */
export interface Records {
  tenant: TestTenant;
  userId: string;
  leadId: string;
  noteId: string;
  /** A view of the inbox that the tenant's ADMIN has, and another with this id that its OPERATOR has. */
  inboxViewId: string;
  /** A view of the table of leads, in the same way. */
  leadViewId: string;
  /** A browser of the tenant's ADMIN, and another with this id that its OPERATOR has. */
  pushDeviceId: string;
  /** An import that has ended. */
  importId: string;
  /** A second lead, into which a third one was merged. */
  otherLeadId: string;
  mergeId: string;
  messageId: string;
  /** A message that is scheduled for tomorrow, with a file that the service does not store. */
  scheduledId: string;
  /** A message of the lead that came through `instanceId`. */
  receivedId: string;
  deliveryId: string;
  /** A chat instance without waiting messages, at a gateway of its own. */
  instanceId: string;
  /** A chat instance of Meta's Cloud API; one for each tenant. */
  metaInstanceId: string;
  /** A chat instance whose gateway keeps a history; one for each tenant. */
  historyInstanceId: string;
  templateId: string;
  /** A bulk send that is scheduled for a later time. */
  bulkSendId: string;
  /** A bulk action of `leadId` that has ended. */
  bulkActionId: string;
  dashboardId: string;
  /** A webhook endpoint that gets none of the records' events. */
  endpointId: string;
  /** An endpoint delivery to `endpointId` that has failed. */
  endpointDeliveryId: string;
  /** A lead source of a form, whose calls are signed. */
  leadSourceId: string;
  heldSubmissionId: string;
}

let recordCount = 0;

/** @param gatewayUrl the gateway's address for `instanceId`; without it the instance has no address of its own */
export async function createRecords(app: TestApp, tenant: TestTenant, gatewayUrl?: string): Promise<Records> {
  recordCount += 1;
  const email = `user-${recordCount}@${tenant.slug}.example`;
  const { id: userId } = await app.createUser(tenant.id, { email, role: 'OPERATOR', idpSub: randomUUID() });
  const leadId = await createLead(app, tenant, `49151${String(recordCount).padStart(8, '0')}`);
  const [delivery] = await app.sql<{ id: string }>(
    'SELECT id FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1',
    [tenant.id],
  );
  const metaInstanceId = await findOnlyInstance(app, tenant, ofMeta, gatewayUrl);
  const historyInstanceId = await findOnlyInstance(app, tenant, withHistory, gatewayUrl);
  const parts = await Promise.all([
    createNoteAndImport(app, tenant, leadId),
    createMessages(app, tenant, leadId, gatewayUrl),
    createMerge(app, tenant, recordCount),
    createTemplateAndBulkSend(app, tenant, leadId),
    createDashboard(app, tenant),
    createBulkAction(app, tenant, leadId),
    createEndpoint(app, tenant),
    createLeadSource(app, tenant),
    createInboxView(app, tenant),
    createPushDevice(app, tenant),
    createLeadView(app, tenant),
  ]);
  const [noteAndImport, messages, merge, templateAndBulkSend, dashboardId, bulkActionId, endpoint, ...others] = parts;
  const [leadSourceId, inboxViewId, pushDeviceId, leadViewId] = others;
  return {
    tenant,
    userId,
    leadId,
    deliveryId: delivery?.id ?? '',
    metaInstanceId,
    historyInstanceId,
    ...noteAndImport,
    ...messages,
    ...merge,
    ...templateAndBulkSend,
    dashboardId,
    bulkActionId,
    ...endpoint,
    leadSourceId,
    inboxViewId,
    leadViewId,
    pushDeviceId,
    heldSubmissionId: await holdSubmission(app, tenant, leadSourceId),
  };
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function createMessages(
  app: TestApp,
  tenant: TestTenant,
  leadId: string,
  gatewayUrl: string | undefined,
): Promise<Pick<Records, 'messageId' | 'scheduledId' | 'instanceId' | 'receivedId'>> {
  const messageId = await send(app, tenant, { leadId, body: 'Oi' });
  const scheduledId = await send(app, tenant, { leadId, body: 'Oi', sendAt: tomorrow() });
  // A message from before the service kept files has a URL alone: the service does not fetch it. The address is private.
  await app.sql('UPDATE messages SET media = $2 WHERE id = $1', [scheduledId, { url: 'http://10.1.2.3/a.png' }]);
  const { accountId } = tenant.admin;
  const instance = { accountId, instanceName: name(), isDefault: false, baseUrl: gatewayUrl ?? null };
  const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
  const { id: instanceId } = await app.app.services.chatInstances.create(serviceOperator, instance, place);
  return { messageId, scheduledId, instanceId, receivedId: await receiveThrough(app, tenant, instanceId, leadId) };
}

async function holdSubmission(app: TestApp, { id: tenantId }: TestTenant, sourceId: string): Promise<string> {
  const id = newRecordId();
  await app.sql(
    `INSERT INTO held_submissions (tenant_id, id, source_id, key, email, problem, lead, disclaimers)
     VALUES ($1, $2::uuid, $3, $2::uuid::text, 'ana@example.com', 'chat: is required', '{"name": "Ana"}', '[]')`,
    [tenantId, id, sourceId],
  );
  return id;
}

// The sources are written past the application, because a tenant has a bounded number of them. The oldest ones stay active.
async function createLeadSource(app: TestApp, { id: tenantId }: TestTenant): Promise<string> {
  const id = newRecordId();
  await app.sql(
    `UPDATE lead_sources SET deleted_at = now() WHERE tenant_id = $1 AND deleted_at IS NULL AND id <> ALL (ARRAY(
       SELECT id FROM lead_sources WHERE tenant_id = $1 ORDER BY id LIMIT 3))`,
    [tenantId],
  );
  await app.sql(
    `INSERT INTO lead_sources (tenant_id, id, kind, name, hmac_header, hmac_algorithm, hmac_encoding)
     VALUES ($1, $2, 'FORM', $3, 'x-signature', 'sha256', 'hex')`,
    [tenantId, id, name()],
  );
  return id;
}

// The views are written past the application, because a user has a bounded number of them. The oldest ones stay.
async function createInboxView(app: TestApp, { id: tenantId, admin, operator }: TestTenant): Promise<string> {
  const id = newRecordId();
  await app.sql(
    `DELETE FROM inbox_views WHERE tenant_id = $1 AND id <> ALL (ARRAY(
       SELECT DISTINCT id FROM inbox_views WHERE tenant_id = $1 ORDER BY id LIMIT 3))`,
    [tenantId],
  );
  await app.sql(
    `INSERT INTO inbox_views (tenant_id, user_id, id, name, filter, order_by)
     SELECT $1, user_id, $3, $4, '{"waiting": true}', 'LONGEST_WAITING' FROM unnest($2::uuid[]) AS u (user_id)`,
    [tenantId, [admin.id, operator.id], id, name()],
  );
  return id;
}

async function createLeadView(app: TestApp, { id: tenantId, admin, operator }: TestTenant): Promise<string> {
  const id = newRecordId();
  await app.sql(
    `DELETE FROM lead_views WHERE tenant_id = $1 AND id <> ALL (ARRAY(
       SELECT DISTINCT id FROM lead_views WHERE tenant_id = $1 ORDER BY id LIMIT 3))`,
    [tenantId],
  );
  await app.sql(
    `INSERT INTO lead_views (tenant_id, user_id, id, name, filter, order_by, columns)
     SELECT $1, user_id, $3, $4, '{"waiting": true}', '{"field": "NAME"}', '{}' FROM unnest($2::uuid[]) AS u (user_id)`,
    [tenantId, [admin.id, operator.id], id, name()],
  );
  return id;
}

// The browsers are written past the application, because a user has a bounded number of them.
async function createPushDevice(app: TestApp, { id: tenantId, admin, operator }: TestTenant): Promise<string> {
  const id = newRecordId();
  await app.sql('DELETE FROM push_devices WHERE tenant_id = $1', [tenantId]);
  for (const user of [operator, admin])
    await app.sql(
      `INSERT INTO push_devices
         (tenant_id, user_id, id, endpoint, public_key, secret, name, language, notifies_mine, notifies_unassigned, expires_at)
       VALUES ($1, $2, $3, $4, 'x', 'x', $4, 'en', true, true, now() + interval '1 day')`,
      [tenantId, user.id, id, name()],
    );
  return id;
}

// The message is written past the application, because every case needs one.
async function receiveThrough(app: TestApp, { id: tenantId }: TestTenant, instanceId: string, leadId: string) {
  const id = newRecordId();
  await app.sql(
    `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, external_id, received_at)
     VALUES ($1, $2, $3, $4, 'INBOUND', 'text', 'Oi', $5, now())`,
    [tenantId, id, leadId, instanceId, name()],
  );
  return id;
}

const onlyInstances = new Map<string, string>();
const ofMeta = { provider: 'cloud', token: 'meta-token', metadata: { phoneNumberId: '1', wabaId: '2' } };
const withHistory = { provider: 'evolution', token: 'evolution-token' };

// A tenant has a bounded number of instances, so each kind is created once.
async function findOnlyInstance(
  app: TestApp,
  { id, admin }: TestTenant,
  kind: { provider: string; token: string; metadata?: Record<string, string> },
  gatewayUrl?: string,
): Promise<string> {
  const key = `${id} ${kind.provider}`;
  const known = onlyInstances.get(key);
  if (known !== undefined) return known;
  const input = {
    accountId: admin.accountId,
    instanceName: name(),
    isDefault: false,
    baseUrl: gatewayUrl ?? null,
    ...kind,
  };
  const place = { tenantId: id, status: 'CONNECTED' } as const;
  const created = await app.app.services.chatInstances.create(serviceOperator, input, place);
  onlyInstances.set(key, created.id);
  return created.id;
}

// Both rows are written past the application, because every case needs them.
async function createNoteAndImport(app: TestApp, { id: tenantId, operator }: TestTenant, leadId: string) {
  const [made] = await app.sql<Pick<Records, 'noteId' | 'importId'>>(
    `WITH note AS (
       INSERT INTO lead_notes (tenant_id, id, lead_id, author_id, body) VALUES ($1, gen_random_uuid(), $2, $3, $4) RETURNING id
     ), import AS (
       INSERT INTO lead_imports (tenant_id, id, user_id, file_name, is_dry_run, total_rows, status)
       VALUES ($1, gen_random_uuid(), $3, $5, false, 1, 'COMPLETED') RETURNING id
     ) SELECT note.id AS "noteId", import.id AS "importId" FROM note, import`,
    [tenantId, leadId, operator.id, name(), name()],
  );
  return made ?? { noteId: '', importId: '' };
}

// The endpoint is written past the application, because every case needs one and a tenant may have ten. Only a caller changes it: no event
// comes after its position, and it counts as failing.
async function createEndpoint(
  app: TestApp,
  { id: tenantId }: TestTenant,
): Promise<Pick<Records, 'endpointId' | 'endpointDeliveryId'>> {
  const [endpointId, endpointDeliveryId] = [newRecordId(), newRecordId()];
  await app.sql(
    `UPDATE webhook_endpoints SET deleted_at = now(), is_enabled = false, disabled_reason = 'ADMIN'
     WHERE tenant_id = $1 AND id <> (SELECT id FROM webhook_endpoints WHERE tenant_id = $1 ORDER BY id LIMIT 1)`,
    [tenantId],
  );
  await app.sql(
    `WITH endpoint AS (
       INSERT INTO webhook_endpoints (tenant_id, id, url, event_types, secret_ciphertext, position_seq, failing_since)
       VALUES ($1, $2, $4, '{LEAD_READ}', $5, ${Number.MAX_SAFE_INTEGER}, now())
       RETURNING id
     ) INSERT INTO endpoint_deliveries (tenant_id, id, endpoint_id, type, occurred_at, state, due_at)
     SELECT $1, $3, id, 'PING', now(), 'FAILED', NULL FROM endpoint`,
    [
      tenantId,
      endpointId,
      endpointDeliveryId,
      `https://127.0.0.1:9/${name()}`,
      new SecretBox(Buffer.from(encryptionKey, 'hex')).seal('a secret', endpointId),
    ],
  );
  return { endpointId, endpointDeliveryId };
}

async function createDashboard(app: TestApp, tenant: TestTenant): Promise<string> {
  const filter = { instanceIds: [tenant.instance.id], assigneeIds: [tenant.operator.id] };
  const widgets = [
    { type: 'FIGURE', title: name(), metric: 'MESSAGES' },
    { type: 'BREAKDOWN', title: name(), metric: 'MESSAGES', dimension: 'AUTHOR', filter },
  ] as const;
  const input = { name: name(), widgets: [...widgets] };
  return (await query(app, tenant.operator, CreateDashboardDocument, { input })).createDashboard.id;
}

async function createBulkAction(app: TestApp, { operator }: TestTenant, leadId: string): Promise<string> {
  const input = { leadIds: [leadId], action: { addTags: ['chosen'] } };
  const { createBulkAction: made } = await query(app, operator, CreateBulkActionDocument, { input });
  // A tenant has few actions that run.
  await app.sql(`UPDATE bulk_actions SET status = 'COMPLETED', finished_at = now() WHERE id = $1`, [made.id]);
  return made.id;
}

async function createTemplateAndBulkSend(
  app: TestApp,
  { operator }: TestTenant,
  leadId: string,
): Promise<Pick<Records, 'templateId' | 'bulkSendId'>> {
  const template = { name: name(), body: 'Oi {{lead.chat}}' };
  const { createTemplate } = await query(app, operator, CreateTemplateDocument, { input: template });
  const templateId = createTemplate.id;
  const input = { templateId, recipients: [{ leadId }], sendAt: tomorrow(), idempotencyKey: name() };
  const { sendMessages } = await query(app, operator, SendMessagesDocument, { input });
  return { templateId, bulkSendId: sendMessages.id };
}

async function createMerge(
  app: TestApp,
  tenant: TestTenant,
  count: number,
): Promise<Pick<Records, 'otherLeadId' | 'mergeId'>> {
  const digits = String(count).padStart(8, '0');
  const leadId = await createLead(app, tenant, `49152${digits}`);
  const intoId = await createLead(app, tenant, `49153${digits}`);
  const { mergeLeads } = await query(app, tenant.operator, MergeLeadsDocument, { leadId, intoId });
  return { otherLeadId: intoId, mergeId: mergeLeads.merges[0]?.id ?? '' };
}

/** `user`: any role; `platform`: ADMINs of the platform tenant. */
export type Rule = 'user' | 'admin' | 'platform';

/**
 * The result for a user of another tenant: a null record, the error NOT_FOUND, or a list without the record. An operation that takes no id
 * returns the caller's own records.
 */
export type ForeignAnswer = 'null' | 'NOT_FOUND' | 'empty' | 'own';

export interface OperationCase {
  document: string;
  variables: (records: Records) => Record<string, unknown>;
  rule: Rule;
  foreign: ForeignAnswer;
  /** The case needs new records for each call: it deletes them, or brings them into a state that it refuses. */
  usesUp?: true;
}

const none = () => ({});
const name = () => `n-${randomUUID()}`;
const newNumber = () => `4915${randomInt(10_000_000, 100_000_000)}`;
const page = 'edges { node { id } }';

const figures = `... on FigureWidget { figure: data { count rows(first: 2) { edges { node { ... on Message { id body } ... on Lead { id } } } } } }
  ... on BreakdownWidget { breakdown: data { slices { key label count } } }`;

export const operationCases: Record<string, OperationCase> = {
  'Query.me': {
    document:
      '{ me { id tenantId accountId role email name displayName signature tenant { id name slug defaultCountry } } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.updateProfile': {
    document: 'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { id displayName } }',
    variables: () => ({ input: { displayName: name() } }),
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
  'Query.leads': {
    document: `query ($filter: LeadFilter) { leads(filter: $filter, orderBy: {field: NAME}) { ${page} } }`,
    variables: ({ userId }) => ({ filter: { assigneeId: userId } }),
    rule: 'user',
    foreign: 'empty',
  },
  'Query.eventCursor': { document: '{ eventCursor }', variables: none, rule: 'user', foreign: 'own' },
  'Query.lead': {
    document:
      'query ($id: ID!) { lead(id: $id) { id name replyInstance { id instanceName } replyWindow { isOpen closesAt } messages { edges { node { body } } } notes { edges { node { body } } } touches { edges { node { source } } } } }',
    variables: ({ leadId }) => ({ id: leadId }),
    rule: 'user',
    foreign: 'null',
  },
  'Query.inbox': {
    document: `{ inbox(filter: {search: "49"}) { totalCount ${page} } }`,
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.search': {
    document: '{ search(text: "49") { leads { id chat } messages { id snippet lead { id } message { body } } } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.messages': {
    document: `query ($leadId: ID!) { messages(leadId: $leadId) { ${page} } }`,
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Query.allMessages': {
    document: `{ allMessages { totalCount ${page} } }`,
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.message': {
    document:
      'query ($id: ID!) { message(id: $id) { id body author { id email } replyToExternalId replyTo { id body } timeline { toStatus } } }',
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
  'Mutation.connectChatInstance': {
    document: 'mutation ($id: ID!) { connectChatInstance(id: $id) { status qr pairingCode } }',
    variables: ({ instanceId }) => ({ id: instanceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.disconnectChatInstance': {
    document: 'mutation ($id: ID!) { disconnectChatInstance(id: $id) { id status } }',
    variables: ({ instanceId }) => ({ id: instanceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.deleteChatInstance': {
    document: 'mutation ($id: ID!) { deleteChatInstance(id: $id) }',
    variables: ({ instanceId }) => ({ id: instanceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
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
  'Query.webhookDeliveryCounts': {
    document:
      'query ($filter: WebhookDeliveryFilter) { webhookDeliveryCounts(filter: $filter) { total refused kinds { kind count } } }',
    variables: ({ deliveryId }) => ({ filter: { replayOfId: deliveryId } }),
    rule: 'admin',
    foreign: 'own',
  },
  'Query.webhookDelivery': {
    document: 'query ($id: ID!) { webhookDelivery(id: $id) { id body result } }',
    variables: ({ deliveryId }) => ({ id: deliveryId }),
    rule: 'admin',
    foreign: 'null',
  },
  'Query.tryWebhook': {
    document:
      'query ($route: String!, $body: String!) { tryWebhook(route: $route, body: $body) { status code detail dialect signature { expected given differs } items { kind outcome from leadId messageId } errors { path message } } }',
    variables: ({ metaInstanceId }) => ({
      route: `/webhooks/chat/cloud/${metaInstanceId}`,
      body: JSON.stringify({ object: 'whatsapp_business_account', entry: [] }),
    }),
    rule: 'admin',
    foreign: 'own',
  },
  'Mutation.replayWebhookDelivery': {
    document: 'mutation ($id: ID!) { replayWebhookDelivery(id: $id) { id outcome body result } }',
    variables: ({ deliveryId }) => ({ id: deliveryId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Query.previewMessage': {
    document:
      'query ($input: SendMessageInput!) { previewMessage(input: $input) { body instance { id } window { isOpen } optOut { at } queuePosition estimatedSendAt waitingDetail repeated { id } } }',
    variables: ({ leadId }) => ({ input: { leadId, body: 'Oi' } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Query.sendingPace': {
    document: 'query ($count: Int!) { sendingPace(count: $count) { max durationMs waiting isComplete doneAt } }',
    variables: () => ({ count: 1 }),
    rule: 'user',
    foreign: 'own',
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
    usesUp: true,
  },
  'Query.leadsByChats': {
    document: 'query ($chats: [String!]!) { leadsByChats(chats: $chats) { chat problem lead { id name } } }',
    variables: () => ({ chats: [newNumber(), 'no number'] }),
    rule: 'user',
    foreign: 'own',
  },
  'Query.leadImports': {
    document: '{ leadImports { totalCount edges { node { id fileName user { email } } } } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.leadImport': {
    document: 'query ($id: ID!) { leadImport(id: $id) { id fileName status } }',
    variables: ({ importId }) => ({ id: importId }),
    rule: 'user',
    foreign: 'null',
  },
  'Mutation.createLead': {
    document: 'mutation ($input: CreateLeadInput!) { createLead(input: $input) { created lead { id } } }',
    variables: ({ userId }) => ({ input: { chat: newNumber(), tags: ['vip'], assigneeId: userId } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.updateLead': {
    document: 'mutation ($id: ID!, $input: UpdateLeadInput!) { updateLead(id: $id, input: $input) { id } }',
    variables: ({ leadId }) => ({ id: leadId, input: { name: name(), addTags: ['vip'] } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.assignLead': {
    document: 'mutation ($id: ID!, $userId: ID) { assignLead(id: $id, userId: $userId) { id } }',
    variables: ({ leadId, userId }) => ({ id: leadId, userId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.markLeadRead': {
    document: 'mutation ($id: ID!, $upToMessageId: ID) { markLeadRead(id: $id, upToMessageId: $upToMessageId) { id } }',
    variables: ({ leadId, messageId }) => ({ id: leadId, upToMessageId: messageId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.closeConversation': {
    document: 'mutation ($leadId: ID!) { closeConversation(leadId: $leadId) { id } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.reopenConversation': {
    document: 'mutation ($leadId: ID!) { reopenConversation(leadId: $leadId) { id } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.snoozeConversation': {
    document:
      'mutation ($leadId: ID!, $until: DateTime!) { snoozeConversation(leadId: $leadId, until: $until) { id } }',
    variables: ({ leadId }) => ({ leadId, until: new Date(Date.now() + 86_400_000).toISOString() }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.remindIfNoReply': {
    document: 'mutation ($leadId: ID!, $at: DateTime!) { remindIfNoReply(leadId: $leadId, at: $at) { id snoozeKind } }',
    variables: ({ leadId }) => ({ leadId, at: new Date(Date.now() + 86_400_000).toISOString() }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.markLeadUnread': {
    document: 'mutation ($leadId: ID!) { markLeadUnread(leadId: $leadId) { id } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteLead': {
    document: 'mutation ($id: ID!) { deleteLead(id: $id) }',
    variables: ({ otherLeadId }) => ({ id: otherLeadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.consentLog': {
    document:
      'query ($leadId: ID!) { consentLog(leadId: $leadId) { edges { node { id reason webhookDeliveryId message { body } user { email } } } } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.optOutLead': {
    document:
      'mutation ($id: ID!) { optOutLead(id: $id, reason: "asked for it") { id optOut { at message { body } } } }',
    variables: ({ otherLeadId }) => ({ id: otherLeadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.optInLead': {
    document: 'mutation ($id: ID!) { optInLead(id: $id, reason: "asked for it") { id optOut { at } } }',
    variables: ({ otherLeadId }) => ({ id: otherLeadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.addLeadNote': {
    document: 'mutation ($leadId: ID!) { addLeadNote(leadId: $leadId, body: "x") { id author { id } } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.claimLead': {
    document: 'mutation ($leadId: ID!) { claimLead(leadId: $leadId, intent: VIEWING) { id presence { intent } } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.showTyping': {
    document: 'mutation ($leadId: ID!) { showTyping(leadId: $leadId) }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.updateLeadNote': {
    document: 'mutation ($id: ID!) { updateLeadNote(id: $id, body: "x") { id } }',
    variables: ({ noteId }) => ({ id: noteId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteLeadNote': {
    document: 'mutation ($id: ID!) { deleteLeadNote(id: $id) }',
    variables: ({ noteId }) => ({ id: noteId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.releaseLead': {
    document: 'mutation ($leadId: ID!) { releaseLead(leadId: $leadId) { id } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.mergeLeads': {
    document: 'mutation ($leadId: ID!, $intoId: ID!) { mergeLeads(leadId: $leadId, intoId: $intoId) { id } }',
    variables: ({ leadId, otherLeadId }) => ({ leadId: otherLeadId, intoId: leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.undoLeadMerge': {
    document: 'mutation ($mergeId: ID!) { undoLeadMerge(mergeId: $mergeId) { id } }',
    variables: ({ mergeId }) => ({ mergeId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.instanceAudits': {
    document:
      'query ($instanceId: ID!) { instanceAudits(instanceId: $instanceId) { edges { node { id atGateway requestedBy { email } } } } }',
    variables: ({ historyInstanceId }) => ({ instanceId: historyInstanceId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.recoverMessages': {
    document: `mutation ($instanceId: ID!, $since: DateTime!, $until: DateTime!) {
      recoverMessages(instanceId: $instanceId, since: $since, until: $until) { id from to atGateway here recovered unexplained }
    }`,
    variables: ({ historyInstanceId }) => ({
      instanceId: historyInstanceId,
      since: new Date(Date.now() - 3_600_000).toISOString(),
      until: new Date().toISOString(),
    }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Query.channelTemplates': {
    document: `query ($instanceId: ID!) { channelTemplates(instanceId: $instanceId) { ${page} } }`,
    variables: ({ metaInstanceId }) => ({ instanceId: metaInstanceId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.syncChannelTemplates': {
    document: 'mutation ($instanceId: ID!) { syncChannelTemplates(instanceId: $instanceId) { id } }',
    variables: ({ metaInstanceId }) => ({ instanceId: metaInstanceId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Query.templates': {
    document:
      '{ templates { edges { node { id name body author { email } files { id } versions { body author { email } } } } } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.template': {
    document:
      'query ($id: ID!) { template(id: $id) { id name body files { id fileName } versions { body author { email } } } }',
    variables: ({ templateId }) => ({ id: templateId }),
    rule: 'user',
    foreign: 'null',
  },
  'Query.renderTemplate': {
    document: 'query ($id: ID!, $leadId: ID) { renderTemplate(id: $id, leadId: $leadId) { body missing } }',
    variables: ({ templateId, leadId }) => ({ id: templateId, leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.createTemplate': {
    document: 'mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { id } }',
    variables: () => ({ input: { name: name(), body: 'Oi {{name}}' } }),
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.updateTemplate': {
    document: 'mutation ($id: ID!, $input: UpdateTemplateInput!) { updateTemplate(id: $id, input: $input) { id } }',
    variables: ({ templateId }) => ({ id: templateId, input: { body: name() } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteTemplate': {
    document: 'mutation ($id: ID!) { deleteTemplate(id: $id) }',
    variables: ({ templateId }) => ({ id: templateId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.sendMessage': {
    document: 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { id } }',
    variables: ({ leadId, tenant }) => ({ input: { leadId, instanceId: tenant.instance.id, body: 'Oi' } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.cancelMessage': {
    document: 'mutation ($id: ID!) { cancelMessage(id: $id) { id status } }',
    variables: ({ scheduledId }) => ({ id: scheduledId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.reactToMessage': {
    document: 'mutation ($id: ID!) { reactToMessage(id: $id, emoji: "👍") { id } }',
    variables: ({ receivedId }) => ({ id: receivedId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.retryMessage': {
    document: 'mutation ($id: ID!) { retryMessage(id: $id) { id status } }',
    variables: ({ scheduledId }) => ({ id: scheduledId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.likelyDuplicates': {
    document: 'query ($leadId: ID!) { likelyDuplicates(leadId: $leadId) { reason lead { id } } }',
    variables: ({ leadId }) => ({ leadId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.tryChatInstanceNow': {
    document: 'mutation ($id: ID!) { tryChatInstanceNow(id: $id) }',
    variables: ({ tenant }) => ({ id: tenant.instance.id }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.fetchMedia': {
    document:
      'mutation ($messageId: ID!) { fetchMedia(messageId: $messageId) { id media { id url sourceUrl state } } }',
    variables: ({ scheduledId }) => ({ messageId: scheduledId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.bulkSends': {
    document: `{ bulkSends { ${page} } }`,
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.bulkSend': {
    document:
      'query ($id: ID!) { bulkSend(id: $id) { id total template { name } instance { id } progress { queued } } }',
    variables: ({ bulkSendId }) => ({ id: bulkSendId }),
    rule: 'user',
    foreign: 'null',
  },
  'Mutation.sendMessages': {
    document: 'mutation ($input: SendMessagesInput!) { sendMessages(input: $input) { id } }',
    variables: ({ templateId, leadId }) => ({
      input: { templateId, recipients: [{ leadId }], idempotencyKey: name() },
    }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.cancelBulkSend': {
    document: 'mutation ($id: ID!) { cancelBulkSend(id: $id) { id canceledAt } }',
    variables: ({ bulkSendId }) => ({ id: bulkSendId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.inboxViews': {
    document: '{ inboxViews { id name filter orderBy count } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.createInboxView': {
    document: 'mutation ($input: CreateInboxViewInput!) { createInboxView(input: $input) { id count } }',
    variables: ({ userId }) => ({ input: { name: name(), filter: { assigneeId: userId } } }),
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.updateInboxView': {
    document: 'mutation ($id: ID!, $input: UpdateInboxViewInput!) { updateInboxView(id: $id, input: $input) { id } }',
    variables: ({ inboxViewId }) => ({ id: inboxViewId, input: { name: name() } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteInboxView': {
    document: 'mutation ($id: ID!) { deleteInboxView(id: $id) }',
    variables: ({ inboxViewId }) => ({ id: inboxViewId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.leadViews': {
    document: '{ leadViews { id name filter orderBy columns count } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.createLeadView': {
    document: 'mutation ($input: CreateLeadViewInput!) { createLeadView(input: $input) { id count } }',
    variables: ({ userId }) => ({ input: { name: name(), filter: { assigneeId: userId } } }),
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.updateLeadView': {
    document: 'mutation ($id: ID!, $input: UpdateLeadViewInput!) { updateLeadView(id: $id, input: $input) { id } }',
    variables: ({ leadViewId }) => ({ id: leadViewId, input: { name: name() } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteLeadView': {
    document: 'mutation ($id: ID!) { deleteLeadView(id: $id) }',
    variables: ({ leadViewId }) => ({ id: leadViewId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.pushPublicKey': {
    document: '{ pushPublicKey }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.pushDevices': {
    document: '{ pushDevices { id name notifiesMine notifiesUnassigned createdAt seenAt expiresAt } }',
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.keepPushDevice': {
    document: 'mutation ($input: KeepPushDeviceInput!) { keepPushDevice(input: $input) { id name } }',
    variables: () => ({ input: pushSubscription() }),
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.deletePushDevice': {
    document: 'mutation ($id: ID!) { deletePushDevice(id: $id) }',
    variables: ({ pushDeviceId }) => ({ id: pushDeviceId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.bulkAction': {
    document: 'query ($id: ID!) { bulkAction(id: $id) { id status total done skipped undoUntil } }',
    variables: ({ bulkActionId }) => ({ id: bulkActionId }),
    rule: 'user',
    foreign: 'null',
  },
  'Mutation.createBulkAction': {
    document: 'mutation ($input: CreateBulkActionInput!) { createBulkAction(input: $input) { id } }',
    variables: ({ leadId, userId }) => ({ input: { leadIds: [leadId], action: { assigneeId: userId } } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.undoBulkAction': {
    document: 'mutation ($id: ID!) { undoBulkAction(id: $id) { id status } }',
    variables: ({ bulkActionId }) => ({ id: bulkActionId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.dashboards': {
    document: `{ dashboards(first: 3) { edges { node { id name widgets { title filter { instanceIds assigneeIds } ${figures} } } } } }`,
    variables: none,
    rule: 'user',
    foreign: 'own',
  },
  'Query.dashboard': {
    document: `query ($id: ID!) { dashboard(id: $id) { id name widgets { title ${figures} } } }`,
    variables: ({ dashboardId }) => ({ id: dashboardId }),
    rule: 'user',
    foreign: 'null',
  },
  'Mutation.createDashboard': {
    document: `mutation ($input: CreateDashboardInput!) { createDashboard(input: $input) { id widgets { title ${figures} } } }`,
    // The filter names the tenant's instance, so it leaves nothing of another tenant.
    variables: ({ tenant }) => ({
      input: {
        name: name(),
        widgets: [{ type: 'FIGURE', title: 'x', metric: 'MESSAGES', filter: { instanceIds: [tenant.instance.id] } }],
      },
    }),
    rule: 'user',
    foreign: 'own',
  },
  'Mutation.updateDashboard': {
    document: 'mutation ($id: ID!, $input: UpdateDashboardInput!) { updateDashboard(id: $id, input: $input) { id } }',
    variables: ({ dashboardId }) => ({ id: dashboardId, input: { name: name() } }),
    rule: 'user',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteDashboard': {
    document: 'mutation ($id: ID!) { deleteDashboard(id: $id) }',
    variables: ({ dashboardId }) => ({ id: dashboardId }),
    rule: 'user',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.webhookEndpoints': {
    document: '{ webhookEndpoints { id url } }',
    variables: none,
    rule: 'admin',
    foreign: 'own',
  },
  'Query.webhookEndpoint': {
    document: 'query ($id: ID!) { webhookEndpoint(id: $id) { id url } }',
    variables: ({ endpointId }) => ({ id: endpointId }),
    rule: 'admin',
    foreign: 'null',
  },
  'Mutation.createWebhookEndpoint': {
    document:
      'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }',
    variables: () => ({
      input: { url: `https://hooks.example/${name()}`, eventTypes: ['LEAD_READ'], isEnabled: false },
    }),
    rule: 'admin',
    foreign: 'own',
  },
  'Mutation.updateWebhookEndpoint': {
    document:
      'mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) { updateWebhookEndpoint(id: $id, input: $input) { id } }',
    variables: ({ endpointId }) => ({ id: endpointId, input: { description: name() } }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.rotateWebhookEndpointSecret': {
    document: 'mutation ($id: ID!) { rotateWebhookEndpointSecret(id: $id) { endpoint { id } } }',
    variables: ({ endpointId }) => ({ id: endpointId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteWebhookEndpoint': {
    document: 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) }',
    variables: ({ endpointId }) => ({ id: endpointId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Query.endpointDeliveries': {
    document:
      'query ($filter: EndpointDeliveryFilter) { endpointDeliveries(filter: $filter) { edges { node { id endpoint { url } } } } }',
    variables: ({ endpointId }) => ({ filter: { endpointId } }),
    rule: 'admin',
    foreign: 'empty',
  },
  'Query.endpointDelivery': {
    document: 'query ($id: ID!) { endpointDelivery(id: $id) { id endpoint { url } } }',
    variables: ({ endpointDeliveryId }) => ({ id: endpointDeliveryId }),
    rule: 'admin',
    foreign: 'null',
  },
  'Mutation.pingWebhookEndpoint': {
    document: 'mutation ($id: ID!) { pingWebhookEndpoint(id: $id) { id } }',
    variables: ({ endpointId }) => ({ id: endpointId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.replayEndpointDelivery': {
    document: 'mutation ($id: ID!) { replayEndpointDelivery(id: $id) { id endpoint { url } } }',
    variables: ({ endpointDeliveryId }) => ({ id: endpointDeliveryId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.replayFailedEndpointDeliveries': {
    document: `mutation ($id: ID!) { replayFailedEndpointDeliveries(endpointId: $id, since: "2020-01-01T00:00:00Z") }`,
    variables: ({ endpointId }) => ({ id: endpointId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Query.leadSources': {
    document:
      '{ leadSources { id name path hmac { header } forms { id } lastLeadAt pendingLeads failedLeads lastError } }',
    variables: none,
    rule: 'admin',
    foreign: 'own',
  },
  'Query.leadSource': {
    document: 'query ($id: ID!) { leadSource(id: $id) { id name path forms { id } lastLeadAt } }',
    variables: ({ leadSourceId }) => ({ id: leadSourceId }),
    rule: 'admin',
    foreign: 'null',
  },
  'Query.testLeadSource': {
    document:
      'query ($id: ID!) { testLeadSource(id: $id, payload: {phone: "+5511988887777"}) { lead { id chat } errors { path } } }',
    variables: ({ leadSourceId }) => ({ id: leadSourceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.testLeadSource': {
    document:
      'mutation ($id: ID!) { testLeadSource(id: $id, payload: {phone: "+5511988887777"}) { lead { id chat } errors { path } } }',
    variables: ({ leadSourceId }) => ({ id: leadSourceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Query.heldSubmissions': {
    document: 'query ($id: ID!) { heldSubmissions(sourceId: $id, first: 5) { edges { node { id email } } } }',
    variables: ({ leadSourceId }) => ({ id: leadSourceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.completeHeldSubmission': {
    document: 'mutation ($id: ID!, $chat: String!) { completeHeldSubmission(id: $id, chat: $chat) { id } }',
    variables: ({ heldSubmissionId }) => ({ id: heldSubmissionId, chat: newNumber() }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.dismissHeldSubmission': {
    document: 'mutation ($id: ID!) { dismissHeldSubmission(id: $id) }',
    variables: ({ heldSubmissionId }) => ({ id: heldSubmissionId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
  'Mutation.createLeadSource': {
    document: 'mutation ($input: CreateLeadSourceInput!) { createLeadSource(input: $input) { id } }',
    variables: () => ({ input: { kind: 'FORM', name: name() } }),
    rule: 'admin',
    foreign: 'own',
  },
  'Mutation.updateLeadSource': {
    document:
      'mutation ($id: ID!, $input: UpdateLeadSourceInput!) { updateLeadSource(id: $id, input: $input) { id name } }',
    variables: ({ leadSourceId }) => ({ id: leadSourceId, input: { name: name() } }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
  },
  'Mutation.deleteLeadSource': {
    document: 'mutation ($id: ID!) { deleteLeadSource(id: $id) }',
    variables: ({ leadSourceId }) => ({ id: leadSourceId }),
    rule: 'admin',
    foreign: 'NOT_FOUND',
    usesUp: true,
  },
};

export interface SubscriptionCase {
  document: string;
  variables: (records: Records) => Record<string, unknown>;
  /** The variables without an id: the subscription hears whatever the tenant brings. */
  open: Record<string, unknown>;
  /** Makes the event happen in the records' tenant. */
  trigger: (app: TestApp, records: Records) => Promise<unknown>;
  rule: Rule;
}

export const subscriptionCases: Record<string, SubscriptionCase> = {
  'Subscription.events': {
    document: `subscription ($after: String) {
      events(after: $after) { cursor type leadId lead { id chat } message { id body } chatInstance { id instanceName } }
    }`,
    variables: none,
    open: {},
    trigger: (app, { tenant, leadId }) => send(app, tenant, { leadId, body: 'Oi' }),
    rule: 'user',
  },
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
      // The last announcement lies far back, so the next change is announced at once.
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
  contentType?: string;
  /** The credentials that the route requires: none, a Bearer token, an ADMIN's token, or an API key. */
  rule: 'open' | 'user' | 'admin' | 'key';
  /** The answer to another tenant's credentials for these records. */
  foreign: { status: number; code?: string } | 'own';
}

export const routeCases: Record<string, RouteCase> = {
  'GET /auth/config': { path: () => '/auth/config', rule: 'open', foreign: 'own' },
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
  'POST /auth/link': {
    path: () => '/auth/link',
    body: () => ({ token: randomUUID() }),
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
  'POST /leads/import': {
    path: () => '/leads/import?fileName=leads.csv',
    body: () => `chat,name\n${newNumber()},Ana\n`,
    contentType: 'text/csv',
    rule: 'user',
    foreign: 'own',
  },
  'POST /leads/import/columns': {
    path: () => '/leads/import/columns',
    body: () => `Telefone\n${newNumber()}\n`,
    contentType: 'text/csv',
    rule: 'user',
    foreign: 'own',
  },
  'GET /leads/import/:id/refused': {
    path: ({ importId }) => `/leads/import/${importId}/refused`,
    rule: 'user',
    foreign: { status: 404, code: 'NOT_FOUND' },
  },
  'GET /leads/export.csv': { path: () => '/leads/export.csv', rule: 'user', foreign: 'own' },
  'GET /messages/export.csv': { path: () => '/messages/export.csv', rule: 'user', foreign: 'own' },
  'POST /media': {
    path: () => '/media?fileName=a.txt',
    body: () => 'Oi',
    contentType: 'text/plain',
    rule: 'user',
    foreign: 'own',
  },
  'POST /mcp': {
    path: () => '/mcp',
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_conversations' } }),
    rule: 'user',
    foreign: 'own',
  },
  'GET /media/:id': { path: ({ scheduledId }) => `/media/${scheduledId}`, rule: 'open', foreign: 'own' },
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
    path: ({ instanceId }) =>
      `/webhooks/chat/cloud/${instanceId}?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1`,
    rule: 'open',
    foreign: 'own',
  },
  'POST /webhooks/chat/cloud/:instanceId': {
    path: ({ instanceId }) => `/webhooks/chat/cloud/${instanceId}`,
    body: () => ({ object: 'whatsapp_business_account', entry: [] }),
    rule: 'open',
    foreign: 'own',
  },
  'GET /webhooks/leads/meta/:sourceId': {
    path: ({ leadSourceId }) =>
      `/webhooks/leads/meta/${leadSourceId}?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1`,
    rule: 'open',
    foreign: 'own',
  },
  'POST /webhooks/leads/meta/:sourceId': {
    path: ({ leadSourceId }) => `/webhooks/leads/meta/${leadSourceId}`,
    body: () => ({ object: 'page', entry: [] }),
    rule: 'open',
    foreign: 'own',
  },
  'POST /webhooks/leads/google/:sourceId': {
    path: ({ leadSourceId }) => `/webhooks/leads/google/${leadSourceId}`,
    body: () => ({ google_key: 'x' }),
    rule: 'open',
    foreign: 'own',
  },
  'POST /webhooks/leads/form/:sourceId': {
    path: ({ leadSourceId }) => `/webhooks/leads/form/${leadSourceId}`,
    body: () => ({ phone: '5511988887777' }),
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
