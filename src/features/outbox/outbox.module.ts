// Assembles the services that send messages.

import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { Queue } from '../../platform/jobs/queue.js';
import type { SqlRunner } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { InstanceHealthService } from '../chat-instances/instance-health.service.js';
import type { MessageChangeService } from '../messages/changes/change.service.js';
import type { ReportedMessageService } from '../messages/reported-message.service.js';
import { ReservedIdService } from '../messages/reserved-ids.service.js';
import type { MessageStatusService } from '../messages/status.service.js';
import type { ChannelChoices } from '../tenants/channel-choices.js';
import { BulkEnqueueService } from './bulk-enqueue.service.js';
import { ChannelNumberService } from './channel-number/channel-number.service.js';
import { CancelRetryService } from './cancel-retry.service.js';
import { GatewayReachService } from './gateway-reach.service.js';
import { GatewayReturnService, hastenAll, hastenOne } from './gateway-return.service.js';
import { RateLimitedClaimService } from './rate-limited-claim.service.js';
import { OutboundDispatcher, type DispatcherOptions } from './dispatcher.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import { OptedOutService } from './opted-out.service.js';
import { OutboxReadingService } from './outbox-reading.service.js';
import { QueuePositionService } from './queue-position.service.js';
import { ReceiptTimeoutService } from './receipt-timeout.service.js';
import { SendResultService } from './send-result.service.js';
import { ReactionService } from './reaction.service.js';
import { SendPreviewService } from './send-preview.service.js';
import { SendingForecastService } from './sending-forecast.service.js';
import { MessageSendService, type MessageSendOptions } from './send.service.js';

// A send begins well within its lease and ends before it does. So a lease ends only under a worker that died or stood still.
const leaseMs = 60_000;
const reserveMs = 10_000;
const endReserveMs = 2_000;
// A gateway that answers slowly takes many sends side by side. A tenant's dead instance leaves room for its others.
const sendsAtOncePerTenant = 320;
const sendsAtOncePerInstance = 256;
// A send that needs consent starts soon after its claim: an opt-out waits for it, also where its worker died.
const startWithConsentWithinMs = 5_000;
const sweepIntervalMs = 5_000;
const overdueMessagesPerTransaction = 500;

export interface OutboxParts extends Pick<
  MessageSendOptions,
  'leads' | 'chatInstances' | 'templates' | 'channelTemplates' | 'messages' | 'media' | 'signatures'
> {
  endpoints: GatewayEndpoints;
  sentFiles: DispatcherOptions['sentFiles'];
  statuses: MessageStatusService;
  reportedMessages: ReportedMessageService;
  messageChanges: MessageChangeService;
  /** The statement of `OutboxReadingOptions.measureEndpoints`. */
  measureEndpoints: string;
  instanceHealth: InstanceHealthService;
  choices: ChannelChoices;
  /** The time limit of a gateway's answer, in milliseconds. */
  gatewayTimeoutMs: number;
}

export function createOutbox(foundation: Foundation, parts: OutboxParts, config: Config) {
  const { database, transactor, promotions, queue, log, metrics, tracing } = foundation;
  const { leads, chatInstances, messages, endpoints, statuses, measureEndpoints } = parts;
  const { reportedMessages, messageChanges: changes } = parts;
  const timeLimitMs = parts.gatewayTimeoutMs;
  const endsBeforeLeaseMs = leaseMs - startWithConsentWithinMs - timeLimitMs - endReserveMs;
  const optedOut = new OptedOutService({ database, queue, leads, endsBeforeLeaseMs });
  const claims = new RateLimitedClaimService({ database, transactor, leaseMs, optedOut });
  const channelNumbers = new ChannelNumberService({ database, choices: parts.choices, endpoints, metrics, log });
  const dispatcher = new OutboundDispatcher({
    claims,
    results: new SendResultService({ database, transactor, statuses, reportedMessages, metrics }),
    reach: new GatewayReachService({ transactor, health: parts.instanceHealth, now: () => performance.now(), log }),
    endpoints,
    numbers: channelNumbers,
    sentFiles: parts.sentFiles,
    reservedIds: new ReservedIdService(database, metrics),
    promotions,
    log,
    metrics,
    tracing,
    startWithinMs: leaseMs - parts.gatewayTimeoutMs - reserveMs,
    startWithConsentWithinMs,
    leaseMs,
    concurrency: sendsAtOncePerTenant,
    concurrencyPerInstance: sendsAtOncePerInstance,
    sweepIntervalMs,
  });
  const onQueued = config.processRole === 'api' ? undefined : (tenantId: string) => dispatcher.wake(tenantId);
  const content = { leads, messages };
  const { templates, channelTemplates, media, signatures } = parts;
  const texts = { chatInstances, templates, channelTemplates, media, signatures };
  const isLimited = (tenantId: string) => dispatcher.isLimited(tenantId);
  const deadlineMinutes = config.ackDeadlineMinutes;
  const chunkSize = overdueMessagesPerTransaction;
  const messageSend = new MessageSendService({ ...content, ...texts, transactor, queue, onQueued });
  const queuePositions = new QueuePositionService({ database, leaseMs });
  return {
    optedOut,
    channelNumbers,
    dispatcher,
    messageSend,
    sendPreviews: new SendPreviewService({ database, messageSend, queuePositions }),
    messageReactions: new ReactionService({
      ...content,
      database,
      transactor,
      changes,
      endpoints,
      claims,
      timeLimitMs,
    }),
    bulkEnqueue: new BulkEnqueueService({ queue, leads, chatInstances }),
    gatewayReturns: new GatewayReturnService(transactor, wakingOutbound(queue)),
    cancelRetry: new CancelRetryService({ transactor, queue, leads, messages, endpoints }),
    queuePositions,
    sendingForecast: new SendingForecastService({ database, queuePositions }),
    receiptTimeouts: new ReceiptTimeoutService({ database, transactor, log, deadlineMinutes, chunkSize }),
    outboxReading: new OutboxReadingService({ database, isLimited, measureEndpoints }),
  };
}

/** Returns a function that has a worker look at a tenant's outbox once the transaction commits. */
export function wakingOutbound(queue: Queue) {
  return (sql: SqlRunner, tenantId: string): Promise<void> => queue.send(sql, dispatchOutboundJob, { tenantId });
}

/** Returns the reactions of the outbox to instances that are back, and to gateways that give a sign of life. */
export function onReturnOf(queue: Queue) {
  const wake = wakingOutbound(queue);
  return {
    onResume: async (tx: Transaction, instanceIds: readonly string[]): Promise<void> => {
      await hastenAll(tx, tx.tenantId, instanceIds);
      await wake(tx, tx.tenantId);
    },
    onSignOfLife: async (tx: Transaction, instanceId: string): Promise<void> => {
      if (await hastenOne(tx, instanceId)) await wake(tx, tx.tenantId);
    },
  };
}
