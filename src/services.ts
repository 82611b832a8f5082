// The only file that says `new XService(…)`: what every part is made of.

import type { ChatGateway } from './clients/chat-gateway.js';
import { GatewayAddressGuard } from './clients/gateway-address.js';
import { IdentityProvider } from './clients/identity-provider.js';
import { NeutralGateway } from './clients/neutral-gateway.js';
import type { Config } from './config.js';
import { AuditService } from './features/audit/audit.service.js';
import { AccessTokens } from './features/auth/access-token.js';
import { AuthService } from './features/auth/auth.service.js';
import { ChatConnectionService } from './features/chat-instances/chat-connection.service.js';
import { ChatInstanceService } from './features/chat-instances/chat-instance.service.js';
import { NetworkLineService } from './features/chat-instances/network-line.service.js';
import { LeadIntakeService } from './features/leads/lead-intake.service.js';
import { LeadMergeService } from './features/leads/lead-merge.service.js';
import { LeadService } from './features/leads/lead.service.js';
import { LiveFeed } from './features/live/live-feed.js';
import { LiveService } from './features/live/live.service.js';
import { MessageIntakeService } from './features/messages/message-intake.service.js';
import { MessageSendService } from './features/messages/message-send.service.js';
import { MessageStatusService } from './features/messages/message-status.service.js';
import { MessageService } from './features/messages/message.service.js';
import { OutboundDispatcher } from './features/messages/outbound.dispatcher.js';
import { OutboundService } from './features/messages/outbound.service.js';
import { ApiKeyService } from './features/tenants/api-key.service.js';
import { TenantService } from './features/tenants/tenant.service.js';
import { SignInService } from './features/users/sign-in.service.js';
import { TenantCreationService } from './features/users/tenant-creation.service.js';
import { UserService } from './features/users/user.service.js';
import { DeliveryJournal } from './features/webhooks/delivery-journal.js';
import { IntakeWriter } from './features/webhooks/intake-writer.js';
import { PruningService } from './features/webhooks/pruning.service.js';
import { WebhookDeliveryService } from './features/webhooks/webhook-delivery.service.js';
import { WebhookService } from './features/webhooks/webhook.service.js';
import { Database } from './platform/database.js';
import { EventLog } from './platform/event-log.js';
import type { Logger } from './platform/logger.js';
import { Queue } from './platform/queue.js';
import { SecretBox } from './platform/secret-box.js';
import { Transactor } from './platform/transaction.js';
import { WakeUp } from './platform/wake-up.js';

const gatewayTimeoutMs = 15_000;
const identityProviderTimeoutMs = 5_000;
// Longer than a send can take, so that a lease only ends under a worker that died.
const leaseMs = 60_000;
const sendsAtOncePerTenant = 16;
const sweepIntervalMs = 5_000;
const livePollIntervalMs = 2_000;
const prunedRowsPerStatement = 2_000;

export type Services = ReturnType<typeof createServices>;

/** @param databaseUrl the configured database, or the embedded one's address */
export function createServices(config: Config, databaseUrl: string, log: Logger) {
  const foundation = createFoundation(config, databaseUrl, log);
  const access = createAccess(foundation, config);
  const conversation = createConversation(foundation, access, config);
  const webhooks = createWebhooks(foundation, access, conversation, config);
  const live = createLive(foundation, conversation);
  const { database, wakeUp, queue } = foundation;
  return { database, wakeUp, queue, ...access, ...conversation, ...webhooks, ...live };
}

/** What every feature stands on. */
function createFoundation(config: Config, url: string, log: Logger) {
  const database = new Database({ url, poolSize: config.databasePoolSize, log });
  const wakeUp = new WakeUp({ database, url, log });
  return {
    log,
    database,
    wakeUp,
    secretBox: new SecretBox(config.encryptionKey),
    transactor: new Transactor(database, wakeUp),
    queue: new Queue({ url, works: config.processRole !== 'api', log }),
  };
}

type Foundation = ReturnType<typeof createFoundation>;

/** Who may come in. */
function createAccess({ database, secretBox, log }: Foundation, config: Config) {
  const audit = new AuditService(database);
  const apiKeys = new ApiKeyService({ database, secretBox, audit });
  const tenants = new TenantService({ database, audit, apiKeys });
  const users = new UserService({ database, audit });
  const signIn = new SignInService(database, audit);
  const auth = new AuthService({
    apiKeys,
    signIn,
    accessTokens: accessTokensOf(config),
    allowDevTokens: config.environment !== 'production',
    identityProvider: identityProviderOf(config, log),
  });
  const tenantCreation = new TenantCreationService(database, tenants, users);
  return { audit, apiKeys, tenants, users, tenantCreation, signIn, auth };
}

type Access = ReturnType<typeof createAccess>;

/** Lines, leads and messages, and sending. */
function createConversation(foundation: Foundation, { audit }: Access, config: Config) {
  const { database, transactor, secretBox, queue, log } = foundation;
  const { gateways, gatewayRules } = gatewaysOf(config);
  const chatInstances = new ChatInstanceService({ database, transactor, audit, secretBox, gatewayRules });
  const leads = new LeadService(database);
  const messages = new MessageService(database, leads);
  const statuses = new MessageStatusService();
  return {
    chatInstances,
    networkLines: new NetworkLineService({ database, secretBox, encryptionKey: config.encryptionKey }),
    connections: new ChatConnectionService({ database, transactor, log }),
    leads,
    leadMerges: new LeadMergeService({ database, transactor, leads }),
    messages,
    statuses,
    messageSend: new MessageSendService({ transactor, queue, leads, chatInstances, messages }),
    dispatcher: new OutboundDispatcher({
      outbound: new OutboundService({ database, transactor, statuses, leaseMs }),
      gateways,
      defaultGateway: config.gateway,
      secretBox,
      log,
      concurrency: sendsAtOncePerTenant,
      sweepIntervalMs,
    }),
  };
}

type Conversation = ReturnType<typeof createConversation>;

/** What comes in from external systems, and its journal. */
function createWebhooks(
  { database, transactor, log }: Foundation,
  { audit }: Access,
  { chatInstances, networkLines, connections, leads, statuses }: Conversation,
  config: Config,
) {
  const { chatWebhookSecret: webhookSecret, chatWebhookSecretPrevious: previousWebhookSecret } = config;
  const { retention, refusedDeliveriesPerMinute } = config;
  const journal = new DeliveryJournal({ database, log, refusedPerMinute: refusedDeliveriesPerMinute });
  const writer = new IntakeWriter({
    transactor,
    chatInstances,
    connections,
    leads: new LeadIntakeService(leads),
    messages: new MessageIntakeService(leads, statuses),
    statuses,
    journal,
  });
  const webhooks = new WebhookService({ networkLines, writer, journal, webhookSecret, previousWebhookSecret });
  return {
    webhooks,
    webhookDeliveries: new WebhookDeliveryService({ database, audit, webhooks }),
    pruning: new PruningService({ database, log, ...retention, chunkSize: prunedRowsPerStatement }),
  };
}

/** What clients watch. */
function createLive({ database, wakeUp, log }: Foundation, { chatInstances, leads, messages }: Conversation) {
  const feed = new LiveFeed({ eventLog: new EventLog(database), wakeUp, log, pollIntervalMs: livePollIntervalMs });
  return { feed, live: new LiveService({ feed, chatInstances, leads, messages }) };
}

/** The drivers by provider name, and what tenants may have them do. */
function gatewaysOf({ gateway, environment }: Config) {
  const { allowedHosts, url: trustedUrl } = gateway;
  const addresses = new GatewayAddressGuard({ allowedHosts, allowLoopback: environment !== 'production' });
  const neutral = new NeutralGateway({ timeoutMs: gatewayTimeoutMs, addresses, trustedUrl });
  const gateways = new Map<string, ChatGateway>([['gateway', neutral]]);
  const checkUrl = (url: string) => addresses.checkUrl(url);
  return { gateways, gatewayRules: { providers: [...gateways.keys()], checkUrl } };
}

function accessTokensOf({ jwtSecret, jwtSecretPrevious, jwtTtlSeconds }: Config): AccessTokens | undefined {
  if (jwtSecret === undefined) return undefined;
  return new AccessTokens({ secret: jwtSecret, previousSecret: jwtSecretPrevious, ttlSeconds: jwtTtlSeconds });
}

function identityProviderOf({ identityProvider }: Config, log: Logger): IdentityProvider | undefined {
  if (identityProvider === undefined) return undefined;
  return new IdentityProvider({ ...identityProvider, timeoutMs: identityProviderTimeoutMs, log });
}
