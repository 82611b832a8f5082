// Wires intake: webhook calls from external systems are judged, limited, written in batches, and journalled.

import type { Config } from '../../config/config.js';
import { inDryRun } from '../../platform/database/dry-run.js';
import { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import type { Foundation } from '../../platform/foundation.js';
import type { Transactor } from '../../platform/database/transaction.js';
import type { AuthService } from '../auth/auth.service.js';
import type { ChannelTemplateStatusService } from '../channel-templates/channel-template-status.service.js';
import type { InstanceStateService } from '../chat-instances/instance-state.service.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import type { MetaWebhookService } from '../chat-instances/meta-webhook.service.js';
import type { WebhookSecretService } from '../chat-instances/webhook-secret.service.js';
import type { ConsentIntakeService } from '../consent/consent-intake.service.js';
import type { ErasedIdentityService } from '../leads/identity/erased-identity.service.js';
import type { LeadIntakeService, LeadService } from '../leads/lead.service.js';
import type { MessageChangeService } from '../messages/changes/change.service.js';
import type { ReportedMessageService } from '../messages/reported-message.service.js';
import type { MessageService } from '../messages/message.service.js';
import type { MessageStatusService } from '../messages/status.service.js';
import type { OptedOutService } from '../outbox/opted-out.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { CallStore, dryRunWith } from './call-store.js';
import { FastPath } from './fast-path.js';
import { IntakeLimits, LimitRefusals, type ItemLimiter } from './intake-limits.js';
import { CallJournal } from './journal-writer.js';
import { WebhookService } from './webhook.service.js';
import { WebhookDryRunService } from './webhook-dry-run.service.js';
import { GeneralPath } from './general-path.js';

const nothing = () => Promise.resolve();

// The most batches of incoming calls at once. Further batches wait and grow, so that connections are left for reads.
const batchesAtOnce = (poolSize: number) => Math.max(2, Math.floor(poolSize * 0.75));
// Dry runs have places of their own, so that no call that is kept waits for one. Dry runs by users take places in the share of users.
const dryRunsAtOnce = (poolSize: number) => Math.max(1, Math.floor(poolSize * 0.25));

export interface IntakeParts {
  chatInstances: ChatInstanceService;
  metaWebhooks: MetaWebhookService;
  webhookSecrets: WebhookSecretService;
  tenants: TenantService;
  connections: InstanceStateService;
  leadIntake: LeadIntakeService;
  reportedMessages: ReportedMessageService;
  statuses: MessageStatusService;
  messageChanges: MessageChangeService;
  consentIntake: ConsentIntakeService;
  erasedIdentities: ErasedIdentityService;
  optedOut: OptedOutService;
  channelTemplateStatuses: ChannelTemplateStatusService;
  auth: Pick<AuthService, 'findByApiKey'>;
  leads: Pick<LeadService, 'listByIds'>;
  messages: Pick<MessageService, 'listByIds'>;
  limiter: ItemLimiter;
}

/** The parts of intake that other receivers of calls share. */
export interface IntakeTools {
  journal: CallJournal;
  limits: IntakeLimits;
  semaphore: FairSemaphore;
  /** `dryRunLimits` count posts with `dryRun=true`, `peekedLimits` only read the limits. Neither leaves a trace in the journal. */
  dryRunLimits: IntakeLimits;
  peekedLimits: IntakeLimits;
  /** Dry runs take turns of their own. */
  dryRunTurns: FairSemaphore;
}

export function createIntake(foundation: Foundation, parts: IntakeParts, config: Config) {
  const { database, transactor, log, metrics } = foundation;
  const { chatInstances, metaWebhooks, connections, leadIntake, reportedMessages, statuses } = parts;
  const { messageChanges: changes, consentIntake: consent, optedOut } = parts;
  const { channelTemplateStatuses, erasedIdentities } = parts;
  const semaphore = new FairSemaphore(batchesAtOnce(config.databasePoolSize));
  const refusedPerMinute = config.refusedDeliveriesPerMinute;
  const journal = new CallJournal({ database, log, metrics, semaphore, refusedPerMinute });
  const limitRefusals = new LimitRefusals({ database, journal, log });
  const modules = {
    chatInstances,
    connections,
    leadIntake,
    reportedMessages,
    statuses,
    changes,
    consent,
    erasedIdentities,
    channelTemplateStatuses,
  };
  const fastPath = new FastPath({ transactor, erasedIdentities, metrics, semaphore });
  const generalPath = new GeneralPath({ ...modules, transactor, journal });
  const { store } = new CallStore({ fastPath, generalPath, optedOut, metrics, semaphore });
  const { chatWebhookSecret: webhookSecret, chatWebhookSecretPrevious: previousWebhookSecret } = config;
  const { limiter, tenants, auth, webhookSecrets } = parts;
  const common = { metaWebhooks, webhookSecrets, tenants, webhookSecret, previousWebhookSecret };
  // Dry runs use the same classes. Their transactions are rolled back, and the journal keeps nothing of them.
  const dryTransactor: Pick<Transactor, 'run'> = { run: (tenantId, work) => inDryRun(database, tenantId, work) };
  const dryWriter = new GeneralPath({ ...modules, transactor: dryTransactor, journal: { record: nothing } });
  const dryStore = dryRunWith(dryWriter);
  const dryRunTurns = new FairSemaphore(dryRunsAtOnce(config.databasePoolSize));
  const keepingNothing = { ...common, store: dryStore, journal: { recordRefusal: nothing } };
  const peeking: Pick<ItemLimiter, 'capsGateways' | 'count'> = {
    capsGateways: limiter.capsGateways,
    count: (tenantId, subjects) => limiter.peek(tenantId, subjects),
  };
  const limits = new IntakeLimits({ limiter, refusals: limitRefusals, metrics });
  const dryRunLimits = new IntakeLimits({ limiter, refusals: undefined, metrics });
  const peekedLimits = new IntakeLimits({ limiter: peeking, refusals: undefined, metrics: undefined });
  const intakeTools: IntakeTools = { journal, limits, semaphore, dryRunLimits, peekedLimits, dryRunTurns };
  return {
    webhooks: new WebhookService({ ...common, store, journal, limits }),
    /** Receives leads that are posted with `dryRun=true`: they count against the limits, and are not kept. */
    dryRuns: new WebhookService({
      ...keepingNothing,
      store: (read) => dryRunTurns.run(read.call.tenantId, () => dryStore(read)),
      limits: dryRunLimits,
    }),
    webhookDryRuns: new WebhookDryRunService({
      ...keepingNothing,
      limits: peekedLimits,
      auth,
      leads: parts.leads,
      recordedMessages: parts.messages,
    }),
    limitRefusals,
    intakeTools,
  };
}
