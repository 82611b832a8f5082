// The only file that says `new XService(…)`: what every part is made of.

import { GatewayAddressGuard } from './clients/outbound-address-policy.js';
import { WebhookSender } from './clients/webhook-sender.js';
import type { Config } from './config/config.js';
import {
  accessTokensOf,
  gatewayTimeoutMs,
  gatewaysOf,
  identityProviderOf,
  tenantsNames,
  tracingOf,
} from './configured-parts.js';
import { AuditService } from './features/audit/audit.service.js';
import { AuthService } from './features/auth/auth.service.js';
import { BulkProgressService } from './features/bulk-sends/bulk-progress.service.js';
import { BulkSendService } from './features/bulk-sends/bulk-send.service.js';
import { ChatConnectionService } from './features/chat-instances/chat-connection.service.js';
import { ChatInstanceService } from './features/chat-instances/chat-instance.service.js';
import { SharedGatewayNames } from './features/chat-instances/shared-gateway-names.js';
import { GatewayEndpoints } from './features/chat-instances/gateway-endpoints.js';
import { InstanceCheckService } from './features/chat-instances/instance-check.service.js';
import { InstanceLifecycleService } from './features/chat-instances/instance-lifecycle.service.js';
import { MetaWebhookService } from './features/chat-instances/meta-webhook.service.js';
import { DashboardService } from './features/dashboards/dashboard.service.js';
import { WidgetResultService } from './features/dashboards/widget-result.service.js';
import type { GroupNames } from './features/dashboards/group.js';
import { RollUpService } from './features/dashboards/roll-up.service.js';
import { IdentityCache } from './features/leads/identity/identity-cache.js';
import { LeadExportService } from './features/leads/files/lead-export.service.js';
import { LeadImportService } from './features/leads/files/lead-import.service.js';
import { LeadIntakeService, LeadListService, LeadService } from './features/leads/lead.service.js';
import { LeadMergeService } from './features/leads/merge/lead-merge.service.js';
import { LeadNoteService } from './features/leads/notes/lead-note.service.js';
import { assigneeOfLead } from './features/leads/lead-list.sql.js';
import { LeadRecordService } from './features/leads/lead-record.service.js';
import { LeadPresenceService } from './features/leads/presence/lead-presence.service.js';
import { EventRecords } from './features/events/event-records.js';
import type { RecordServices } from './features/events/event-records.js';
import { LiveFeed } from './features/live/live-feed.js';
import type { LiveFeedOptions } from './features/live/live-feed.js';
import { LiveService } from './features/live/live.service.js';
import { ReceiptTimeoutService } from './features/outbox/receipt-timeout.service.js';
import { dispatchOutboundJob } from './features/outbox/outbox.jobs.js';
import { InstanceOutboxService, OutboxReadingService } from './features/outbox/outbox.service.js';
import { lastMessageOfLead } from './features/messages/message-list.sql.js';
import { CancelRetryService } from './features/outbox/cancel-retry.service.js';
import { MessageExportService } from './features/messages/export.service.js';
import { MessageIntakeService } from './features/messages/intake.service.js';
import { BulkQueueService } from './features/outbox/bulk-queue.service.js';
import { MessageSendService } from './features/outbox/send.service.js';
import type { MessageSendOptions } from './features/outbox/send.service.js';
import { MessageStatusService } from './features/messages/status.service.js';
import { MessageService } from './features/messages/message.service.js';
import { SendResultService } from './features/outbox/send-result.service.js';
import { OutboundDispatcher } from './features/outbox/dispatcher.js';
import { ClaimService } from './features/outbox/claim.service.js';
import { QueuePositionService } from './features/outbox/queue-position.service.js';
import { EndpointAttemptService } from './features/outgoing-webhooks/endpoint-attempt.service.js';
import { EndpointDeliveryService } from './features/outgoing-webhooks/endpoint-delivery.service.js';
import { EndpointDispatcher } from './features/outgoing-webhooks/endpoint-dispatcher.js';
import { EndpointFeedService } from './features/outgoing-webhooks/endpoint-feed.service.js';
import { EndpointPayloads } from './features/outgoing-webhooks/endpoint-payload.js';
import { WebhookEndpointService } from './features/outgoing-webhooks/webhook-endpoint.service.js';
import { TemplateService } from './features/templates/template.service.js';
import { ApiKeyService } from './features/tenants/api-key.service.js';
import { TenantService } from './features/tenants/tenant.service.js';
import { SignInService } from './features/users/sign-in.service.js';
import { TenantCreationService, UserService } from './features/users/user.service.js';
import { DeliveryJournal } from './features/intake/journal-writer.js';
import { FastPath } from './features/intake/fast-path.js';
import { IntakeLimits, LimitRefusals, unlimited } from './features/intake/intake-limits.js';
import { IntakeWriter } from './features/intake/writer.js';
import type { ItemLimiter } from './features/intake/intake-limits.js';
import { LogPartitions } from './features/retention/log-partitions.js';
import { KnownInstances } from './features/intake/known-instances.js';
import { RetentionService } from './features/retention/retention.service.js';
import { WebhookDeliveryService } from './features/journal/webhook-call.service.js';
import { WebhookService } from './features/intake/webhook.service.js';
import { readParts } from './metric-readings.js';
import { Database } from './platform/database.js';
import type { SqlRunner } from './platform/database.js';
import { EventLog } from './platform/event-log.js';
import { FairSemaphore } from './platform/fair-semaphore.js';
import type { Logger } from './platform/logger.js';
import { Metrics } from './platform/metrics.js';
import { Queue } from './platform/queue.js';
import { SecretBox } from './platform/secret-box.js';
import { Transactor } from './platform/transaction.js';
import type { Transaction } from './platform/transaction.js';
import { Notifier } from './platform/notifier.js';

// Connecting may take several calls, and somebody waits for it.
const instanceTimeLimitMs = 30_000;
// At the most lines in a run, and gateways that all let their 15 s pass, a run ends within 10 minutes.
const instancesCheckedAtOnce = 50;
// A send begins well within its lease and ends before it does, so that a lease only ends under a worker that died, or stood still.
const leaseMs = 60_000;
const startSendWithinMs = leaseMs - gatewayTimeoutMs - 10_000;
// A tenant's dead line leaves room for its others.
const sendsAtOncePerTenant = 64;
const sendsAtOncePerInstance = 48;
const sweepIntervalMs = 5_000;
const livePollIntervalMs = 2_000;
// An attempt ends well within its lease, so that a lease only ends under a worker that died, or stood still.
const endpointTimeoutMs = 15_000;
const endpointLeaseMs = 60_000;
const postsAtOncePerEndpoint = 8;
const postsAtOnce = 256;
const endpointPollIntervalMs = 2_000;
const prunedRowsPerStatement = 2_000;
const overdueMessagesPerTransaction = 500;
const presenceSweepIntervalMs = 2_000;
const connectionSweepIntervalMs = 2_000;
// Of what callers send. Beyond it batches wait and grow, and connections are left for whoever reads.
const batchesAtOnce = ({ databasePoolSize }: Config) => Math.max(2, Math.floor(databasePoolSize * 0.75));

export type Services = ReturnType<typeof createServices>;

/**
 * @param databaseUrl the configured database, or the embedded one's address
 * @param limiter counts what webhooks say; left out, nothing is limited
 */
export function createServices(config: Config, databaseUrl: string, log: Logger, limiter: ItemLimiter = unlimited) {
  const foundation = createFoundation(config, databaseUrl, log);
  const access = createAccess(foundation, config);
  const conversation = createConversation(foundation, access, config);
  const webhooks = createWebhooks({ ...foundation, limiter }, access, conversation, config);
  const bulkSends = createBulkSends(foundation, conversation);
  const live = createLive(foundation, { ...conversation, ...bulkSends });
  const endpoints = createEndpoints(foundation, access, { ...conversation, ...bulkSends }, config);
  const widgetResults = createWidgetResults(foundation, access, conversation);
  const { database, notifier, queue, metrics, tracing } = foundation;
  const outbox = new OutboxReadingService({
    database,
    isLimited: (tenantId) => conversation.dispatcher.isLimited(tenantId),
  });
  readParts(metrics, { database, notifier, outbox, feed: live.feed, logPartitions: webhooks.logPartitions }, config);
  return {
    database,
    notifier,
    queue,
    metrics,
    tracing,
    ...access,
    ...conversation,
    ...bulkSends,
    ...widgetResults,
    ...webhooks,
    ...live,
    ...endpoints,
  };
}

/** What every feature stands on. */
function createFoundation(config: Config, url: string, log: Logger) {
  const database = new Database({ url, poolSize: config.databasePoolSize, log });
  const notifier = new Notifier({ url, redisUrl: config.redisUrl, log });
  const metrics = new Metrics();
  return {
    log,
    metrics,
    tracing: tracingOf(config, log),
    database,
    notifier,
    secretBox: new SecretBox(config.encryptionKey, config.encryptionKeyPrevious),
    transactor: new Transactor(database, notifier),
    queue: new Queue({ url, works: config.processRole !== 'api', log, meter: metrics.jobs }),
  };
}

type Foundation = ReturnType<typeof createFoundation>;

/** Who may come in. */
function createAccess({ database, secretBox, queue, log }: Foundation, config: Config) {
  const audit = new AuditService(database);
  const apiKeys = new ApiKeyService({ database, secretBox, audit });
  const tenants = new TenantService({ database, audit, apiKeys, onPaceChange: wakingOutbound(queue) });
  const users = new UserService({ database, audit });
  const signIn = new SignInService(database, audit);
  const identityProvider = identityProviderOf(config, log);
  const auth = new AuthService({
    apiKeys,
    signIn,
    accessTokens: accessTokensOf(config),
    allowDevTokens: config.environment !== 'production',
    identityProvider,
  });
  const dashboards = new DashboardService({ database, audit });
  const onCreated = (sql: SqlRunner, tenantId: string) => dashboards.createDefaults(sql, tenantId);
  const tenantCreation = new TenantCreationService({ database, tenants, users, onCreated });
  return { audit, apiKeys, tenants, users, dashboards, tenantCreation, signIn, identityProvider, auth };
}

type Access = ReturnType<typeof createAccess>;

/** Lines to the chat network. */
function createLines(foundation: Foundation, { audit }: Access, config: Config) {
  const { database, transactor, secretBox, queue, log } = foundation;
  const { gateways, gatewayRules } = gatewaysOf(config);
  const endpoints = new GatewayEndpoints({ gateways, defaultGateway: config.gateway, secretBox, log });
  const instanceOutbox = new InstanceOutboxService(queue);
  const wakeOutbound = wakingOutbound(queue);
  const onResume = (tx: Transaction) => wakeOutbound(tx, tx.tenantId);
  const connections = new ChatConnectionService({
    database,
    transactor,
    log,
    onConnected: onResume,
    sweepIntervalMs: connectionSweepIntervalMs,
  });
  const onDelete = (tx: Transaction, instanceId: string) => instanceOutbox.endWaiting(tx, instanceId);
  const hooks = { onDelete, onResume };
  const stored = { database, transactor, audit, endpoints };
  const chatInstances = new ChatInstanceService({ ...stored, secretBox, gatewayRules, ...hooks });
  const timeLimitMs = instanceTimeLimitMs;
  const bounds = { linesPerRun: config.instanceChecksPerMinute, concurrency: instancesCheckedAtOnce };
  return {
    endpoints,
    sharedGatewayNames: new SharedGatewayNames({ database, endpoints, log }),
    connections,
    chatInstances,
    metaWebhooks: new MetaWebhookService({
      database,
      secretBox,
      encryptionKey: config.encryptionKey,
      encryptionKeyPrevious: config.encryptionKeyPrevious,
    }),
    instanceLifecycle: new InstanceLifecycleService({ ...stored, connections, chatInstances, timeLimitMs }),
    instanceChecks: new InstanceCheckService({ database, transactor, connections, endpoints, log, ...bounds }),
  };
}

/** Lines, leads and messages, and sending. */
function createConversation(foundation: Foundation, access: Access, config: Config) {
  const { audit } = access;
  const { database, transactor, log, metrics, tracing } = foundation;
  const lines = createLines(foundation, access, config);
  const leads = new LeadService(database);
  const templates = new TemplateService({ database, audit, leads });
  const messages = new MessageService(database, leads);
  const statuses = new MessageStatusService();
  const messageIntake = new MessageIntakeService(leads, statuses);
  const dispatcher = new OutboundDispatcher({
    outbound: new ClaimService({ database, transactor, leaseMs }),
    answers: new SendResultService({ database, transactor, statuses, intake: messageIntake, metrics }),
    endpoints: lines.endpoints,
    log,
    metrics,
    tracing,
    startWithinMs: startSendWithinMs,
    leaseMs,
    concurrency: sendsAtOncePerTenant,
    concurrencyPerInstance: sendsAtOncePerInstance,
    sweepIntervalMs,
  });
  const onQueued = config.processRole === 'api' ? undefined : (tenantId: string) => dispatcher.wake(tenantId);
  return {
    ...lines,
    leads,
    ...createLeadWork(foundation, access, leads),
    leadPresences: new LeadPresenceService({
      database,
      transactor,
      leads,
      log,
      sweepIntervalMs: presenceSweepIntervalMs,
    }),
    templates,
    messages,
    messageExports: new MessageExportService({ messages, leads, chatInstances: lines.chatInstances }),
    messageIntake,
    statuses,
    ...createSending(foundation, { ...lines, leads, templates, messages, onQueued }, config),
    dispatcher,
  };
}

type Conversation = ReturnType<typeof createConversation>;

/** What operators do with leads. */
function createLeadWork({ database, transactor, log }: Foundation, { audit, users }: Access, leads: LeadService) {
  const intake = new LeadIntakeService(leads);
  const leadLists = new LeadListService(database, [lastMessageOfLead, assigneeOfLead]);
  return {
    leadIntake: intake,
    leadMerges: new LeadMergeService({ database, transactor, leads }),
    leadLists,
    leadImports: new LeadImportService({ database, transactor, intake, log }),
    leadExports: new LeadExportService(database, leadLists, users),
    leadRecords: new LeadRecordService({ transactor, audit, intake }),
    leadNotes: new LeadNoteService(database, transactor),
  };
}

type SendingParts = Omit<MessageSendOptions, 'transactor' | 'queue'> & { endpoints: GatewayEndpoints };

/** What operators do with messages of ours, and learn of them. */
function createSending(
  { database, transactor, queue, log }: Foundation,
  { leads, chatInstances, templates, messages, endpoints, onQueued }: SendingParts,
  { ackDeadlineMinutes: deadlineMinutes }: Config,
) {
  const chunkSize = overdueMessagesPerTransaction;
  return {
    messageSend: new MessageSendService({ transactor, queue, leads, chatInstances, templates, messages, onQueued }),
    cancelRetry: new CancelRetryService({ transactor, queue, messages, endpoints }),
    queuePositions: new QueuePositionService({ database, leaseMs }),
    receiptTimeouts: new ReceiptTimeoutService({ database, transactor, log, deadlineMinutes, chunkSize }),
  };
}

/** A template to many leads. */
function createBulkSends(
  { database, transactor, queue, log }: Foundation,
  { templates, leads, chatInstances }: Conversation,
) {
  const bulkQueue = new BulkQueueService({ queue, leads, chatInstances });
  const bulkSends = new BulkSendService({ database, transactor, templates, bulkQueue });
  return { bulkSends, bulkProgress: new BulkProgressService({ database, transactor, bulkSends, log }) };
}

/** What dashboards show. */
function createWidgetResults(
  { database, log }: Foundation,
  { users }: Access,
  { messages, leads, chatInstances, templates }: Conversation,
) {
  const names: GroupNames = {
    users: (principal, ids) => users.listByIds(principal, ids),
    instances: (principal, ids) => chatInstances.listByIds(principal, ids),
    templates: (principal, ids) => templates.listByIds(principal, ids),
  };
  const rollUps = new RollUpService({ database, log });
  return { rollUps, widgetResults: new WidgetResultService({ database, rollUps, messages, leads, names }) };
}

/** What comes in from external systems, and its journal. */
function createWebhooks(
  { database, transactor, log, metrics, limiter }: Foundation & { limiter: ItemLimiter },
  { audit }: Access,
  { chatInstances, metaWebhooks, connections, leadIntake, messageIntake, statuses }: Conversation,
  config: Config,
) {
  const { chatWebhookSecret: webhookSecret, chatWebhookSecretPrevious: previousWebhookSecret } = config;
  const { retention, refusedDeliveriesPerMinute: refusedPerMinute } = config;
  const semaphore = new FairSemaphore(batchesAtOnce(config));
  const journal = new DeliveryJournal({ database, log, metrics, semaphore, refusedPerMinute });
  const limitRefusals = new LimitRefusals({ database, journal, log });
  const limits = new IntakeLimits({ limiter, refusals: limitRefusals, metrics });
  const instances = new KnownInstances(chatInstances);
  const identityCache = new IdentityCache(database);
  const fastPath = new FastPath({ database, transactor, instances, identityCache, metrics, semaphore });
  const writer = new IntakeWriter({
    transactor,
    instances,
    connections,
    leads: leadIntake,
    messages: messageIntake,
    statuses,
    journal,
  });
  const secrets = { webhookSecret, previousWebhookSecret };
  const logPartitions = new LogPartitions({ database, log, ...retention });
  const webhooks = new WebhookService({
    metaWebhooks,
    fastPath,
    writer,
    journal,
    limits,
    metrics,
    semaphore,
    ...secrets,
  });
  return {
    webhooks,
    limitRefusals,
    webhookDeliveries: new WebhookDeliveryService({ database, audit, webhooks }),
    logPartitions,
    pruning: new RetentionService({
      database,
      partitions: logPartitions,
      log,
      ...retention,
      chunkSize: prunedRowsPerStatement,
    }),
  };
}

/** What clients watch. */
function createLive(
  { database, notifier, log, metrics }: Foundation,
  services: RecordServices & { leads: LeadService },
) {
  const eventLog = new EventLog(database);
  const recordsOf: LiveFeedOptions['recordsOf'] = (tenantId, events) => new EventRecords(services, tenantId, events);
  const feed = new LiveFeed({ eventLog, notifier, recordsOf, log, metrics, pollIntervalMs: livePollIntervalMs });
  return { feed, live: new LiveService({ eventLog, leads: services.leads }) };
}

/** Where tenants have their events posted. */
function createEndpoints(
  { database, notifier, secretBox, log, metrics }: Foundation,
  { audit }: Access,
  services: RecordServices,
  { webhookEndpoints: { allowedHosts }, environment, processRole }: Config,
) {
  const allowLoopback = environment !== 'production';
  const setting = 'WEBHOOK_ENDPOINT_ALLOWED_HOSTS';
  const addresses = new GatewayAddressGuard({ allowedHosts, allowLoopback, setting, ...tenantsNames() });
  const sender = new WebhookSender({ addresses, timeoutMs: endpointTimeoutMs });
  const endpointDispatcher = new EndpointDispatcher({
    database,
    notifier,
    feed: new EndpointFeedService({ database }),
    attempts: new EndpointAttemptService({ database, audit, log, metrics, leaseMs: endpointLeaseMs }),
    payloads: new EndpointPayloads(services),
    sender,
    secretBox,
    log,
    concurrency: postsAtOncePerEndpoint,
    totalConcurrency: postsAtOnce,
    pollIntervalMs: endpointPollIntervalMs,
  });
  const onChange = (tenantId: string) => {
    if (processRole !== 'api') endpointDispatcher.follow(tenantId);
    notifier.announce(tenantId);
  };
  const checkUrl = (url: string) => sender.checkUrl(url);
  return {
    endpointDispatcher,
    webhookEndpoints: new WebhookEndpointService({ database, audit, secretBox, checkUrl, onChange }),
    endpointDeliveries: new EndpointDeliveryService({ database, audit, onChange }),
  };
}

/** What has a worker look at a tenant's outbox once the transaction commits. */
function wakingOutbound(queue: Queue) {
  return (sql: SqlRunner, tenantId: string): Promise<void> => queue.send(sql, dispatchOutboundJob, { tenantId });
}
