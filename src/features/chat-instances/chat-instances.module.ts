// Builds the services of chat instances. The caller passes the gateways' drivers, and the handling of queued messages.

import type { ChatGateway } from '../../providers/chat-gateway.js';
import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { AuditService } from '../audit/audit.service.js';
import { InstanceStateService, type InstanceStateOptions } from './instance-state.service.js';
import { ChatInstanceService, type ChatInstanceOptions } from './chat-instance.service.js';
import { GatewayEndpoints } from './gateway-endpoints.js';
import { DegradedInstances, InstanceHealthService } from './instance-health.service.js';
import { InstanceCheckService } from './instance-check.service.js';
import { InstanceLifecycleService } from './instance-lifecycle.service.js';
import { MetaWebhookService } from './meta-webhook.service.js';
import { SharedGatewayNames } from './shared-gateway-names.js';
import { WebhookSecretService } from './webhook-secret.service.js';

// Connecting may take several calls to the gateway while the caller waits.
const timeLimitMs = 30_000;
// With as many instances as a run may have, and gateways that all let their 15 s pass, a run ends within 10 minutes.
const instancesCheckedAtOnce = 50;
const connectionSweepIntervalMs = 2_000;

export interface ChatInstanceParts extends Pick<ChatInstanceOptions, 'gatewayRules' | 'onDelete' | 'onResume'> {
  onSignOfLife: InstanceStateOptions['onSignOfLife'];
  audit: AuditService;
  gateways: ReadonlyMap<string, ChatGateway>;
}

export function createChatInstances(foundation: Foundation, parts: ChatInstanceParts, config: Config) {
  const { database, transactor, secretBox, log } = foundation;
  const { audit, gateways, gatewayRules, onDelete, onResume, onSignOfLife } = parts;
  const endpoints = new GatewayEndpoints({ gateways, defaultGateway: config.gateway, secretBox, log });
  const connections = new InstanceStateService({
    database,
    transactor,
    audit,
    log,
    onConnected: onResume,
    onSignOfLife,
    sweepIntervalMs: connectionSweepIntervalMs,
  });
  const instanceHealth = new InstanceHealthService(audit);
  const stored = { database, transactor, audit, endpoints };
  const chatInstances = new ChatInstanceService({ ...stored, secretBox, gatewayRules, onDelete, onResume });
  const bounds = { instancesPerRun: config.instanceChecksPerMinute, concurrency: instancesCheckedAtOnce };
  return {
    endpoints,
    sharedGatewayNames: new SharedGatewayNames({ database, endpoints, log }),
    connections,
    instanceHealth,
    degradedInstances: new DegradedInstances(database),
    chatInstances,
    metaWebhooks: new MetaWebhookService({
      database,
      secretBox,
      encryptionKey: config.encryptionKey,
      encryptionKeyPrevious: config.encryptionKeyPrevious,
    }),
    webhookSecrets: new WebhookSecretService(database, secretBox),
    instanceLifecycle: new InstanceLifecycleService({ ...stored, connections, chatInstances, timeLimitMs }),
    instanceChecks: new InstanceCheckService({ database, transactor, connections, endpoints, log, ...bounds }),
  };
}
