// What intake is made of: webhook calls from external systems, judged, limited, written in batches, and journalled.

import type { Config } from '../../config/config.js';
import { FairSemaphore } from '../../platform/fair-semaphore.js';
import type { Foundation } from '../../platform/foundation.js';
import type { ChannelTemplateStatusService } from '../channel-templates/channel-template-status.service.js';
import type { InstanceStateService } from '../chat-instances/instance-state.service.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { MetaWebhookService } from '../chat-instances/meta-webhook.service.js';
import type { WebhookSecretService } from '../chat-instances/webhook-secret.service.js';
import type { ConsentIntakeService } from '../consent/consent-intake.service.js';
import { IdentityCache } from '../leads/identity/identity-cache.js';
import type { ErasedIdentityService } from '../leads/identity/erased-identity.service.js';
import type { LeadIntakeService } from '../leads/lead.service.js';
import type { MessageChangeService } from '../messages/changes/change.service.js';
import type { MessageIntakeService } from '../messages/intake.service.js';
import type { MessageStatusService } from '../messages/status.service.js';
import type { OptedOutService } from '../outbox/opted-out.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { FastPath } from './fast-path.js';
import { IntakeLimits, LimitRefusals } from './intake-limits.js';
import type { ItemLimiter } from './intake-limits.js';
import { DeliveryJournal } from './journal-writer.js';
import { KnownInstances } from './known-instances.js';
import { WebhookService } from './webhook.service.js';
import { IntakeWriter } from './writer.js';

// Of what callers send. Beyond it batches wait and grow, and connections are left for reads.
const batchesAtOnce = (poolSize: number) => Math.max(2, Math.floor(poolSize * 0.75));

export interface IntakeParts {
  chatInstances: ChatInstanceService;
  metaWebhooks: MetaWebhookService;
  webhookSecrets: WebhookSecretService;
  tenants: TenantService;
  connections: InstanceStateService;
  leadIntake: LeadIntakeService;
  messageIntake: MessageIntakeService;
  statuses: MessageStatusService;
  messageChanges: MessageChangeService;
  consentIntake: ConsentIntakeService;
  erasedIdentities: ErasedIdentityService;
  optedOut: OptedOutService;
  channelTemplateStatuses: ChannelTemplateStatusService;
  limiter: ItemLimiter;
}

/** What others that take calls in share with intake. */
export interface IntakeTools {
  journal: DeliveryJournal;
  limits: IntakeLimits;
  semaphore: FairSemaphore;
}

export function createIntake(foundation: Foundation, parts: IntakeParts, config: Config) {
  const { database, transactor, log, metrics } = foundation;
  const { chatInstances, metaWebhooks, connections, leadIntake: leads, messageIntake: messages, statuses } = parts;
  const { messageChanges: changes, consentIntake: consent, optedOut } = parts;
  const { channelTemplateStatuses, erasedIdentities } = parts;
  const semaphore = new FairSemaphore(batchesAtOnce(config.databasePoolSize));
  const refusedPerMinute = config.refusedDeliveriesPerMinute;
  const journal = new DeliveryJournal({ database, log, metrics, semaphore, refusedPerMinute });
  const limitRefusals = new LimitRefusals({ database, journal, log });
  const instances = new KnownInstances(chatInstances);
  const identityCache = new IdentityCache(database);
  const limits = new IntakeLimits({ limiter: parts.limiter, refusals: limitRefusals, metrics });
  const webhooks = new WebhookService({
    metaWebhooks,
    webhookSecrets: parts.webhookSecrets,
    tenants: parts.tenants,
    fastPath: new FastPath({ database, transactor, instances, identityCache, metrics, semaphore }),
    writer: new IntakeWriter({
      transactor,
      instances,
      connections,
      leads,
      messages,
      statuses,
      changes,
      consent,
      erasedIdentities,
      channelTemplateStatuses,
      journal,
    }),
    journal,
    limits,
    optedOut,
    metrics,
    semaphore,
    webhookSecret: config.chatWebhookSecret,
    previousWebhookSecret: config.chatWebhookSecretPrevious,
  });
  const intakeTools: IntakeTools = { journal, limits, semaphore };
  return { webhooks, limitRefusals, intakeTools };
}
