// Assembles the services of recovery.

import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { AuditService } from '../audit/audit.service.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { InstanceHealthService } from '../chat-instances/instance-health.service.js';
import type { WebhookService } from '../intake/webhook.service.js';
import { HistoryReader } from './history-reader.js';
import { LivenessService } from './liveness.service.js';
import { ReadingEvidence } from './reading-evidence.js';
import { RecoveryService } from './recovery.service.js';

/** A message counts as missed if its webhook takes longer than this: a gateway repeats a failed webhook only after some time. */
const webhookGraceMs = 60_000;

export interface RecoveryParts {
  audit: AuditService;
  endpoints: GatewayEndpoints;
  instanceHealth: InstanceHealthService;
  webhooks: WebhookService;
}

export function createRecovery(
  { database, transactor, promotions, metrics, log }: Foundation,
  { audit, endpoints, instanceHealth: health, webhooks }: RecoveryParts,
  { historyIntervalMinutes: intervalMinutes, retention: { deliveryDays: retentionDays } }: Config,
) {
  const reader = new HistoryReader({ database, webhooks });
  const evidence = new ReadingEvidence({ database, health, webhookGraceMs });
  const base = { database, transactor, log };
  return {
    recoveries: new RecoveryService({
      ...base,
      audit,
      endpoints,
      reader,
      evidence,
      promotions,
      metrics,
      intervalMinutes,
      retentionDays,
    }),
    liveness: new LivenessService({ ...base, health, isOn: intervalMinutes > 0 }),
  };
}
