// What may be posted to endpoints, and what became of it: claims with a lease, the next attempt, and the disabling of endpoints that
// nothing reaches. Posting is endpoint-dispatcher.ts's.

import type { WebhookAnswer } from '../../clients/webhook-sender.js';
import type { Database, SqlRunner } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { Metrics } from '../../platform/metrics.js';
import type { AuditService } from '../audit/audit.service.js';
import {
  claimDeliveries,
  disableEndpoint,
  noteFailing,
  noteReached,
  releaseDeliveries,
  selectDueEndpoints,
  selectNextDue,
  settleDelivered,
  settleFailed,
} from './endpoint-attempt.sql.js';
import type { ClaimedDelivery } from './endpoint-attempt.sql.js';
import { disabledAfterDays, retryDelayMs } from './endpoint-retry.js';
import type { DisabledReason } from './webhook-endpoint.schema.js';

export interface EndpointAttemptOptions {
  database: Database;
  audit: AuditService;
  log: Logger;
  metrics: Metrics;
  /** How long a claim holds, in milliseconds: longer than an attempt takes. */
  leaseMs: number;
}

/** Of which tenant. */
export interface EndpointKey {
  tenantId: string;
  endpointId: string;
}

/** With something due. */
export interface DueEndpoint extends EndpointKey {
  /** Whether nothing has reached it since an attempt failed. */
  isFailing: boolean;
}

type Failure = Exclude<WebhookAnswer, { outcome: 'delivered' | 'stopped' }>;

export class EndpointAttemptService {
  constructor(private readonly options: EndpointAttemptOptions) {}

  /** Enabled endpoints with something due, of one tenant or of all. */
  async listDue(tenantId?: string): Promise<DueEndpoint[]> {
    return this.options.database.query<DueEndpoint>(selectDueEndpoints, [tenantId ?? null]);
  }

  /** Claims what is due, in the order of the log: at most `limit`, while the endpoint fails at most `failingLimit`. */
  async claim(
    { tenantId, endpointId }: EndpointKey,
    { limit, failingLimit }: { limit: number; failingLimit: number },
  ): Promise<ClaimedDelivery[]> {
    const { database, leaseMs } = this.options;
    const values = [tenantId, endpointId, limit, failingLimit, leaseMs];
    const claimed = await database.query<ClaimedDelivery>(claimDeliveries, values);
    return claimed.toSorted((a, b) => Number(a.seq ?? 0) - Number(b.seq ?? 0));
  }

  /** In how many milliseconds something of the endpoint is due; undefined where nothing waits. */
  async nextDueInMs({ tenantId, endpointId }: EndpointKey): Promise<number | undefined> {
    const [next] = await this.options.database.query<{ inMs: number }>(selectNextDue, [tenantId, endpointId]);
    return next?.inMs;
  }

  /** Gives back what was not posted to its end. */
  async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const ids = deliveries.map(({ id }) => id);
    const attempts = deliveries.map(({ attemptCount }) => attemptCount);
    await this.options.database.query(releaseDeliveries, [tenantId, ids, attempts]);
  }

  /** Stores what became of an attempt. Without effect where the lease had ended and another process has claimed it. */
  async settle(tenantId: string, delivery: ClaimedDelivery, answer: WebhookAnswer): Promise<void> {
    const { metrics, database } = this.options;
    if (answer.outcome === 'stopped') return this.release(tenantId, [delivery]);
    if (answer.outcome === 'delivered') {
      metrics.endpointAttempts.inc({ outcome: 'delivered' });
      await this.settleDelivered(tenantId, delivery, answer.status);
      return;
    }
    const delayMs = answer.outcome === 'gone' ? undefined : delayOf(delivery, answer);
    metrics.endpointAttempts.inc({ outcome: delayMs === undefined ? 'given_up' : 'failed' });
    const reason = await database.transaction((sql) => this.settleFailed(sql, tenantId, delivery, answer, delayMs));
    if (reason !== undefined) this.tellDisabled({ tenantId, endpointId: delivery.endpointId }, reason);
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

  /** @returns why the endpoint was disabled, where it was */
  private async settleFailed(
    sql: SqlRunner,
    tenantId: string,
    { id, endpointId, attemptCount }: ClaimedDelivery,
    answer: Failure,
    delayMs: number | undefined,
  ): Promise<DisabledReason | undefined> {
    const [noted] = await sql.query<{ isLong: boolean }>(noteFailing, [tenantId, endpointId, disabledAfterDays]);
    await sql.query(settleFailed, [tenantId, id, attemptCount, answer.status, answer.detail, delayMs ?? null]);
    const reason = answer.outcome === 'gone' ? 'GONE' : noted?.isLong === true ? 'FAILING' : undefined;
    if (reason === undefined) return undefined;
    const disabled = await sql.query(disableEndpoint, [tenantId, endpointId, reason]);
    if (disabled.length === 0) return undefined;
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
    return reason;
  }

  private tellDisabled(endpoint: EndpointKey, reason: DisabledReason): void {
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
