// The services of the process. Each module with several parts has its wiring in a `*.module.ts` of its own.

import type { Config } from './config/config.js';
import {
  accessTokensOf,
  gatewaysOf,
  leadSourcePartsOf,
  mediaStoreOf,
  identityProviderOf,
  pushSenderOf,
  webhookSenderOf,
} from './configured-parts.js';
import { createAssistants } from './features/assistants/assistants.module.js';
import { AuditService } from './features/audit/audit.service.js';
import { AuthService } from './features/auth/auth.service.js';
import { SignInLinkService } from './features/auth/sign-in-link.service.js';
import { createBulkActions } from './features/bulk-actions/bulk-actions.module.js';
import { BulkProgressService } from './features/bulk-sends/bulk-progress.service.js';
import { BulkSendService } from './features/bulk-sends/bulk-send.service.js';
import { ConsentIntakeService } from './features/consent/consent-intake.service.js';
import { consentOfLead, ConsentService, suppressing, type OptOutEffects } from './features/consent/consent.service.js';
import { optOutOfLead } from './features/consent/consent.sql.js';
import { createChannelTemplates } from './features/channel-templates/channel-templates.module.js';
import { createChatInstances } from './features/chat-instances/chat-instances.module.js';
import { DashboardService } from './features/dashboards/dashboard.service.js';
import type { GroupNames } from './features/dashboards/dimension-keys.js';
import { InstanceTrafficService } from './features/dashboards/instance-traffic.service.js';
import { RollUpService } from './features/dashboards/roll-up.service.js';
import { WidgetResultService } from './features/dashboards/widget-result.service.js';
import { unlimited, type ItemLimiter } from './features/intake/intake-limits.js';
import { CallDryRunService } from './features/intake/call-dry-run.service.js';
import { createIntake } from './features/intake/intake.module.js';
import { eraseFromJournalJob } from './features/journal/journal.jobs.js';
import { ErasedCallService } from './features/journal/erased-calls.service.js';
import { WebhookCallService } from './features/journal/webhook-call.service.js';
import { heldSubmissionsOfLead } from './features/lead-sources/held/erase-held.js';
import { createLeadSources } from './features/lead-sources/lead-sources.module.js';
import type { LeadContent } from './features/leads/lead-content.js';
import { createHiddenNumbers, createLeads, type LeadParts } from './features/leads/leads.module.js';
import { dropViewsOf } from './features/leads/views/kept-view.service.js';
import { createMedia } from './features/media/media.module.js';
import { dropFiles } from './features/media/media.service.js';
import { holdTemplateFiles } from './features/media/template-files.service.js';
import { createLive } from './features/live/live.module.js';
import { MessageExportService } from './features/messages/export.service.js';
import {
  ReportedMessageService,
  type OnFiles,
  type OnHiddenLeads,
} from './features/messages/reported-message.service.js';
import { lastMessageOfLead, messagesOfLead } from './features/messages/message-list.sql.js';
import { MessageService } from './features/messages/message.service.js';
import { MessageChangeService } from './features/messages/changes/change.service.js';
import { DemoMessageService } from './features/messages/demo/demo-message.service.js';
import { ParkedChangeService } from './features/messages/changes/parked-change.service.js';
import { ReplyWindowService } from './features/messages/reply-window/reply-window.service.js';
import { MessageStatusService } from './features/messages/status.service.js';
import { NextScheduledReplyService } from './features/outbox/next-scheduled-reply.service.js';
import { endingDoubles } from './features/outbox/doubled-bulk.js';
import { InstanceOutboxService } from './features/outbox/instance-outbox.service.js';
import { outboxOfLead } from './features/outbox/lead-outbox.sql.js';
import { createOutbox, onReturnOf, wakingOutbound } from './features/outbox/outbox.module.js';
import { leaveOutbox, mayHaveLeft } from './features/outbox/outbox.sql.js';
import { measureEndpoints } from './features/outgoing-webhooks/endpoint-delivery.sql.js';
import { createOutgoingWebhooks } from './features/outgoing-webhooks/outgoing-webhooks.module.js';
import { dropDevicesOf } from './features/push/push-device.sql.js';
import { createPush } from './features/push/push.module.js';
import { createRecovery } from './features/recovery/recovery.module.js';
import { LogPartitions } from './features/retention/log-partitions.js';
import { RetentionService } from './features/retention/retention.service.js';
import { createSearch } from './features/search/search.module.js';
import { TemplateService } from './features/templates/template.service.js';
import { createReadReceipts } from './features/read-receipts/read-receipts.module.js';
import { ApiKeyService } from './features/tenants/api-key.service.js';
import { ChannelChoices } from './features/tenants/channel-choices.js';
import { TenantService } from './features/tenants/tenant.service.js';
import { SignInService } from './features/users/sign-in.service.js';
import { MessageSignatureService } from './features/users/message-signature.service.js';
import { TenantCreationService, UserService } from './features/users/user.service.js';
import { readParts } from './metric-readings.js';
import type { SqlRunner } from './platform/database/database.js';
import { createFoundation, type Foundation } from './platform/foundation.js';
import type { Logger } from './platform/observability/logger.js';
import type { Transaction } from './platform/database/transaction.js';

const prunedRowsPerStatement = 2_000;

export type Services = ReturnType<typeof createServices>;

/** Settings that tests change. */
export interface ServiceTuning {
  /** The time that a process trusts its last reading of a key or a user, in milliseconds. */
  callerMemoryMs?: number | undefined;
  /** The time limit of a gateway's answer to a send, in milliseconds. */
  gatewayTimeoutMs?: number | undefined;
  /** The time between looks for numbers that gateways are to be asked for, in milliseconds. */
  numberSweepMs?: number | undefined;
}

/**
 * @param databaseUrl the configured database, or the embedded one's address
 * @param limiter counts the items of webhook calls; left out, nothing is limited
 */
export function createServices(
  config: Config,
  databaseUrl: string,
  log: Logger,
  limiter: ItemLimiter = unlimited,
  tuning: ServiceTuning = {},
) {
  const foundation = createFoundation(config, databaseUrl, log);
  const { database, notifier, queue, metrics, tracing } = foundation;
  const access = createAccess(foundation, config, tuning);
  const conversation = createConversation(foundation, access, config, tuning);
  const { bulkEnqueue, outboxReading, ...messaging } = conversation;
  const bulkSends = new BulkSendService({ ...foundation, ...conversation, bulkEnqueue });
  const records = { ...messaging, bulkSends };
  const live = createLive(foundation, records);
  const { audit } = access;
  const logPartitions = new LogPartitions({ database, log, ...config.retention });
  const { intakeTools, ...intake } = createIntake(foundation, { ...conversation, ...access, limiter }, config);
  const sourceParts = { ...access, ...conversation, ...intakeTools, ...leadSourcePartsOf(config) };
  const leadSources = createLeadSources(foundation, sourceParts, config);
  const { webhooks } = intake;
  const { leadSourceCalls } = leadSources;
  const { degradedInstances: degraded, wordIndex } = conversation;
  readParts(
    metrics,
    { database, notifier, outbox: outboxReading, feed: live.feed, degraded, logPartitions, wordIndex },
    config,
  );
  return {
    database,
    notifier,
    queue,
    metrics,
    tracing,
    ...access,
    ...messaging,
    bulkSends,
    ...createBulkActions(foundation, conversation),
    bulkProgress: new BulkProgressService({ ...foundation, bulkSends }),
    ...createAssistants(foundation, { ...access, ...conversation }, config),
    ...createWidgetResults(foundation, access, conversation),
    ...intake,
    ...createRecovery(foundation, { ...conversation, ...access, ...intake }, config),
    ...leadSources,
    callDryRuns: new CallDryRunService([intake.webhookDryRuns, leadSources.sourceCallDryRuns]),
    webhookCalls: new WebhookCallService({
      database,
      audit,
      replay: (call) => (leadSourceCalls.takes(call.route) ? leadSourceCalls : webhooks).replay(call),
    }),
    logPartitions,
    ...createRetention(foundation, { ...access, ...conversation, logPartitions }, config),
    ...live,
    ...createOutgoingWebhooks(foundation, { audit, records, sender: webhookSenderOf(config) }, config),
    ...createPush(foundation, pushSenderOf(config), config),
  };
}

/** Removes old rows, and the journal's content about people who were erased. */
function createRetention(
  foundation: Foundation,
  parts: Access & Conversation & { logPartitions: LogPartitions },
  { retention, media }: Config,
) {
  const { database, log } = foundation;
  const { statuses, logPartitions: partitions } = parts;
  const parkedChanges = new ParkedChangeService({ ...foundation, statuses, log });
  const erasedCalls = new ErasedCallService({ database, ...parts });
  const pruning = new RetentionService({
    database,
    partitions,
    log,
    ...retention,
    settleParkedChanges: () => parkedChanges.settle(),
    clearErasedCalls: () => erasedCalls.clear(),
    mediaDays: media.retentionDays,
    chunkSize: prunedRowsPerStatement,
  });
  return { erasedCalls, pruning };
}

/** The services of tenants, users, keys and sign-in, which decide on access. */
function createAccess(
  { database, secretBox, queue, log }: Foundation,
  config: Config,
  { callerMemoryMs: memoryMs }: ServiceTuning,
) {
  const audit = new AuditService(database);
  const apiKeys = new ApiKeyService({ database, secretBox, audit, memoryMs });
  const channelChoices = new ChannelChoices(database);
  const onPaceChange = wakingOutbound(queue);
  const tenants = new TenantService({ database, audit, apiKeys, channelChoices, onPaceChange });
  const users = new UserService({ database, audit, onDeactivated: dropViewsOf, onSignedOut: dropDevicesOf });
  const signIn = new SignInService(database, audit);
  const identityProvider = identityProviderOf(config, log);
  const signInLinks = new SignInLinkService({ database, users, signIn, audit });
  const auth = new AuthService({
    apiKeys,
    links: signInLinks,
    signIn,
    accessTokens: accessTokensOf(config),
    allowDevTokens: config.environment !== 'production',
    identityProvider,
    memoryMs,
    log,
  });
  const dashboards = new DashboardService({ database, audit });
  const onCreated = (sql: SqlRunner, tenantId: string) => dashboards.createDefaults(sql, tenantId);
  const tenantCreation = new TenantCreationService({ database, tenants, users, onCreated });
  const signatures = new MessageSignatureService(database);
  const known = { audit, apiKeys, tenants, channelChoices, users, signatures };
  return { ...known, dashboards, tenantCreation, signIn, signInLinks, identityProvider, auth };
}

type Access = ReturnType<typeof createAccess>;

/** The content that the modules above keep of leads. */
function contentOfLeads(queue: Foundation['queue'], endWaiting: OptOutEffects['endWaiting']): LeadContent {
  return {
    messages: messagesOfLead,
    outbox: { ...outboxOfLead, endDoubles: endingDoubles(queue) },
    consent: { ...consentOfLead, suppress: suppressing({ endWaiting }) },
    heldSubmissions: heldSubmissionsOfLead,
  };
}

/** The parts that read messages beside their own service. */
function createMessageReading(foundation: Foundation, known: Parameters<typeof createSearch>[1]) {
  const { database } = foundation;
  return {
    replyWindows: new ReplyWindowService(database),
    nextScheduledReplies: new NextScheduledReplyService(database),
    ...createSearch(foundation, known),
  };
}

/** Chat instances, leads and messages, and sending. */
function createConversation(foundation: Foundation, access: Access, config: Config, tuning: ServiceTuning) {
  const { database, transactor, queue } = foundation;
  const { audit, channelChoices: choices, signatures } = access;
  // `optedOut` is made below, from parts that are made from leads.
  const content = contentOfLeads(queue, (tx, leadIds) => optedOut.endWaiting(tx, leadIds));
  const onRead: LeadParts['onRead'] = (tenantId, read) => told.readReceipts.add(tenantId, read);
  const onErase: LeadParts['onErase'] = (tx) => queue.send(tx, eraseFromJournalJob, {});
  const relations = [lastMessageOfLead, optOutOfLead];
  const leadParts = createLeads(foundation, { ...access, relations, content, onRead, onErase }, config);
  const { leads } = leadParts;
  const messageChanges = new MessageChangeService(dropFiles);
  const statuses = new MessageStatusService(leaveOutbox, messageChanges, leads);
  const instanceOutbox = new InstanceOutboxService(queue, statuses);
  const onDelete = (tx: Transaction, instanceId: string) => instanceOutbox.endWaiting(tx, instanceId);
  const { mediaSource: plainSource, gatewayTimeoutMs, ...drivers } = gatewaysOf(config, tuning.gatewayTimeoutMs);
  const parts = { audit, ...drivers, onDelete, ...onReturnOf(queue) };
  const instances = createChatInstances(foundation, parts, config);
  const { endpoints, chatInstances } = instances;
  const templates = new TemplateService({ database, transactor, audit, leads, holdFiles: holdTemplateFiles });
  const channelTemplateParts = createChannelTemplates(foundation, instances);
  const { channelTemplates } = channelTemplateParts;
  const messages = new MessageService(database, leads);
  const told = createReadReceipts(foundation, { endpoints, leads, chatInstances, messages, choices });
  const store = mediaStoreOf(config);
  const mediaParts = createMedia(foundation, { store, plainSource, endpoints, messages }, config);
  const { media, sentFiles } = mediaParts;
  const onFiles: OnFiles = (tx, news) => media.expectOf(tx, news);
  const { hiddenNumbers, numberFinder } = createHiddenNumbers(foundation, { leads, endpoints, ...tuning });
  const onHidden: OnHiddenLeads = (tx, hidden) => hiddenNumbers.expect(tx, hidden);
  const reportedMessages = new ReportedMessageService(leads, statuses, onFiles, onHidden, mayHaveLeft);
  const { instanceHealth } = instances;
  const known = { leads, chatInstances, templates, channelTemplates, messages, media, signatures };
  const sending = {
    ...known,
    endpoints,
    sentFiles,
    statuses,
    reportedMessages,
    messageChanges,
    measureEndpoints,
    instanceHealth,
  };
  const outbox = createOutbox(foundation, { ...sending, choices, gatewayTimeoutMs }, config);
  const { optedOut } = outbox;
  const consent = new ConsentService({ ...foundation, audit, leads, effects: optedOut });
  return {
    ...instances,
    ...leadParts,
    numberFinder,
    consent,
    consentIntake: new ConsentIntakeService({
      consent,
      leads,
      answer: (tx, answers, text) => optedOut.answer(tx, answers, text),
    }),
    templates,
    ...channelTemplateParts,
    messages,
    ...createMessageReading(foundation, { leads, messages }),
    ...mediaParts,
    messageExports: new MessageExportService({ messages, leads, chatInstances, files: media }),
    reportedMessages,
    demoMessages: new DemoMessageService(leads, onFiles),
    messageChanges,
    statuses,
    ...told,
    ...outbox,
  };
}

type Conversation = ReturnType<typeof createConversation>;

/** The results of dashboards' widgets, and the traffic of instances. */
function createWidgetResults(
  { database, log }: Foundation,
  { users }: Access,
  { messages, leads, chatInstances, templates }: Conversation,
) {
  const names: GroupNames = {
    users: (principal, ids) => users.listByIds(principal, ids),
    instances: (principal, ids) => chatInstances.listByIds(principal, ids),
    templates: (principal, ids) => templates.listByIds(principal, ids),
    ads: (principal, ids) => leads.listAdNames(principal, ids),
  };
  const rollUps = new RollUpService({ database, log });
  const widgetResults = new WidgetResultService({ database, rollUps, messages, leads, names });
  return { rollUps, widgetResults, instanceTraffic: new InstanceTrafficService({ database, rollUps }) };
}
