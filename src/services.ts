// The only file that says `new XService(…)`: what every part is made of.

import { IdentityProvider } from './clients/identity-provider.js';
import { NeutralGateway } from './clients/neutral-gateway.js';
import type { Config } from './config.js';
import { AuditService } from './features/audit/audit.service.js';
import { AccessTokens } from './features/auth/access-token.js';
import { AuthService } from './features/auth/auth.service.js';
import { ChatInstanceService } from './features/chat-instances/chat-instance.service.js';
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

export type Services = ReturnType<typeof createServices>;

/** @param databaseUrl the configured database, or the embedded one's address */
export function createServices(config: Config, databaseUrl: string, log: Logger) {
  const database = new Database({ url: databaseUrl, poolSize: config.databasePoolSize, log });
  const secretBox = new SecretBox(config.encryptionKey);
  const wakeUp = new WakeUp({ database, url: databaseUrl, log });
  const transactor = new Transactor(database, wakeUp);
  const queue = new Queue({ url: databaseUrl, works: config.processRole !== 'api', log });

  const audit = new AuditService(database);
  const apiKeys = new ApiKeyService({ database, secretBox, audit });
  const tenants = new TenantService({ database, audit, apiKeys });
  const users = new UserService({ database, audit });
  const tenantCreation = new TenantCreationService(database, tenants, users);
  const signIn = new SignInService(database, audit);
  const auth = new AuthService({
    apiKeys,
    signIn,
    accessTokens: accessTokensOf(config),
    allowDevTokens: config.environment !== 'production',
    identityProvider: identityProviderOf(config, log),
  });
  const chatInstances = new ChatInstanceService(database);
  const leads = new LeadService(database);

  const messages = new MessageService(database, leads);
  const statuses = new MessageStatusService();
  const intake = new MessageIntakeService(leads);
  const messageSend = new MessageSendService({ transactor, queue, leads, chatInstances, messages });
  const dispatcher = new OutboundDispatcher({
    outbound: new OutboundService({ database, transactor, statuses, leaseMs }),
    gateways: new Map([['gateway', new NeutralGateway({ timeoutMs: gatewayTimeoutMs })]]),
    defaultGateway: config.gateway,
    secretBox,
    log,
    concurrency: sendsAtOncePerTenant,
    sweepIntervalMs,
  });

  const webhookSecret = config.chatWebhookSecret;
  const webhooks = new WebhookService({ database, transactor, chatInstances, leads, intake, statuses, webhookSecret });
  const feed = new LiveFeed({ eventLog: new EventLog(database), wakeUp, log, pollIntervalMs: livePollIntervalMs });
  const live = new LiveService({ feed, leads, messages });

  return {
    database,
    wakeUp,
    queue,
    audit,
    apiKeys,
    tenants,
    users,
    tenantCreation,
    signIn,
    auth,
    chatInstances,
    leads,
    messages,
    messageSend,
    dispatcher,
    webhooks,
    feed,
    live,
  };
}

function accessTokensOf({ jwtSecret, jwtSecretPrevious, jwtTtlSeconds }: Config): AccessTokens | undefined {
  if (jwtSecret === undefined) return undefined;
  return new AccessTokens({ secret: jwtSecret, previousSecret: jwtSecretPrevious, ttlSeconds: jwtTtlSeconds });
}

function identityProviderOf({ identityProvider }: Config, log: Logger): IdentityProvider | undefined {
  if (identityProvider === undefined) return undefined;
  return new IdentityProvider({ ...identityProvider, timeoutMs: identityProviderTimeoutMs, log });
}
