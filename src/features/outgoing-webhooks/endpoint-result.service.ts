// Stores the results of attempts: decides when a delivery is attempted again, and disables endpoints that nothing reaches.
// endpoint-claim.service.ts decides which deliveries may leave.

import type { WebhookAnswer } from '../../clients/webhook-sender.js';
import type { Database, SqlRunner } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { AuditService } from '../audit/audit.service.js';
import { disableEndpoint, noteFailing, noteReached, settleDelivered, settleFailed } from './endpoint-result.sql.js';
import type { EndpointKey } from './endpoint-claim.service.js';
import type { ClaimedDelivery } from './endpoint-claim.sql.js';
import type { DisabledReason } from './webhook-endpoint.schema.js';

export interface EndpointResultOptions {
  database: Database;
  audit: AuditService;
  log: Logger;
  metrics: Metrics;
}

/** The answer to an attempt that was made to its end. */
type EndedAttempt = Exclude<WebhookAnswer, { outcome: 'stopped' }>;

type Failure = Exclude<EndedAttempt, { outcome: 'delivered' }>;

interface NotedFailure {
  /** True if it has been failing for so long that it is to be disabled. */
  isLong: boolean;
  version: number;
}

interface SettledFailure {
  /** The reason why the endpoint was disabled; undefined where it was not. */
  reason: DisabledReason | undefined;
  /** True if the delivery is not attempted again. */
  isGivenUp: boolean;
}

export class EndpointResultService {
  constructor(private readonly options: EndpointResultOptions) {}

  /** Stores the result of an attempt. Without effect where the lease had ended and another process has claimed the delivery. */
  async settle(tenantId: string, delivery: ClaimedDelivery, answer: EndedAttempt): Promise<void> {
    const { metrics, database } = this.options;
    if (answer.outcome === 'delivered') {
      metrics.endpointAttempts.inc({ outcome: 'delivered' });
      await this.settleDelivered(tenantId, delivery, answer.status);
      return;
    }
    const { reason, isGivenUp } = await database.transaction((sql) =>
      this.settleFailed(sql, tenantId, delivery, answer),
    );
    metrics.endpointAttempts.inc({ outcome: isGivenUp ? 'given_up' : 'failed' });
    if (reason !== undefined) this.reportDisabled({ tenantId, endpointId: delivery.endpointId }, reason);
  }

  private async settleDelivered(tenantId: string, delivery: ClaimedDelivery, status: number): Promise<void> {
    const { id, endpointId, attemptCount, isFailing } = delivery;
    const settle = (sql: SqlRunner) => sql.query(settleDelivered, [tenantId, id, attemptCount, status]);
    if (!isFailing) {
      await settle(this.options.database);
      return;
    }
    await this.options.database.transaction(async (sql) => {
      await sql.query(noteReached, [tenantId, endpointId]);
      await settle(sql);
    });
  }

  private async settleFailed(
    sql: SqlRunner,
    tenantId: string,
    delivery: ClaimedDelivery,
    answer: Failure,
  ): Promise<SettledFailure> {
    const { id, endpointId, attemptCount, endpointVersion } = delivery;
    const [noted] = await sql.query<NotedFailure>(noteFailing, [tenantId, endpointId, disabledAfterDays]);
    // An answer of the endpoint's former address says nothing of its present one.
    const isCurrent = noted?.version === endpointVersion;
    const isGone = answer.outcome === 'gone' && isCurrent;
    const delayMs = isGone ? undefined : delayOf(delivery, answer);
    await sql.query(settleFailed, [tenantId, id, attemptCount, answer.status, answer.detail, delayMs ?? null]);
    const why = isGone ? 'GONE' : isCurrent && noted.isLong ? 'FAILING' : undefined;
    const isDisabled = why !== undefined && (await this.disable(sql, { tenantId, endpointId }, why));
    return { reason: isDisabled ? why : undefined, isGivenUp: delayMs === undefined };
  }

  /** @returns false where it was disabled already */
  private async disable(
    sql: SqlRunner,
    { tenantId, endpointId }: EndpointKey,
    reason: DisabledReason,
  ): Promise<boolean> {
    const disabled = await sql.query(disableEndpoint, [tenantId, endpointId, reason]);
    if (disabled.length === 0) return false;
    await this.options.audit.record(sql, { kind: 'system', tenantId }, [
      {
        tenantId,
        action: 'WEBHOOK_ENDPOINT_DISABLED',
        targetKind: 'WEBHOOK_ENDPOINT',
        targetId: endpointId,
        before: { isEnabled: true },
        after: { isEnabled: false, disabledReason: reason },
      },
    ]);
    return true;
  }

  private reportDisabled(endpoint: EndpointKey, reason: DisabledReason): void {
    this.options.metrics.endpointsDisabled.inc({ reason });
    this.options.log.warn(
      { ...endpoint, reason },
      'a webhook endpoint was disabled: its tenant has to enable it again',
    );
  }
}

function delayOf(delivery: ClaimedDelivery, answer: Failure): number | undefined {
  const retryAfterSeconds = answer.outcome === 'failed' ? answer.retryAfterSeconds : undefined;
  return retryDelayMs(delivery.attemptCount - delivery.earlierAttempts, retryAfterSeconds);
}

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The delays between one attempt and the next, in milliseconds. */
const delaysMs = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  1 * hours,
  3 * hours,
  8 * hours,
  8 * hours,
  8 * hours,
];
const maxRetryAfterMs = 8 * hours;

/** A delivery has failed after so many attempts, counted from 1 after each replay. */
export const maxAttempts = delaysMs.length + 1;

/** An endpoint is disabled once nothing has reached it for so long while attempts failed. */
const disabledAfterDays = 3;

/**
 * The delay in milliseconds after attempt `attempt` (from 1), a tenth more or less by chance. It is never shorter than the endpoint asked
 * for with `Retry-After`, of which at most 8 hours are taken. Undefined after the last attempt.
 */
export function retryDelayMs(
  attempt: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return undefined;
  const jitteredMs = Math.round(delayMs * (0.9 + random() / 5));
  return Math.max(jitteredMs, Math.min(retryAfterSeconds * seconds, maxRetryAfterMs));
}
