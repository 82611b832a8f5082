// The health of instances that say CONNECTED: DEGRADED while evidence says otherwise. Modules above collect the evidence. This service
// stores it, and tells subscribers and the audit log.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import { keysOf, storableText } from '../../platform/input/input.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AuditService } from '../audit/audit.service.js';
import { pauseInstance } from './chat-instance.sql.js';
import { healthCodes, type HealthCode } from './chat-instance.schema.js';

/** The evidence that an instance is DEGRADED. */
export interface Evidence {
  instanceId: string;
  code: HealthCode;
  /** A sentence for users that says what to do. */
  reason: string;
  /** The time in which nothing is sent. After it, one message is sent first, to see if the instance is back. */
  pauseMs?: number | undefined;
}

const maxReasonLength = 500;
/** The codes, the weightiest first. A lighter code does not replace a weightier one. */
const byWeight = keysOf(healthCodes);

export const healthCodesShown: readonly HealthCode[] = byWeight;

export class InstanceHealthService {
  constructor(private readonly audit: AuditService) {}

  /**
   * Makes a CONNECTED instance DEGRADED, or gives a degraded one the newer reason. Does nothing if the instance is not CONNECTED, or if
   * weightier evidence degrades it. Emits CHAT_INSTANCE_STATUS_CHANGED and is audited if the code changes. Safe to repeat.
   * @returns true if the code changes
   */
  async degrade(tx: Transaction, { instanceId, code, reason, pauseMs }: Evidence): Promise<boolean> {
    const words = storableText(reason, maxReasonLength);
    const [before] = await tx.query<{ code: HealthCode | null }>(lockHealth, [tx.tenantId, instanceId]);
    if (before === undefined) return false;
    if (before.code !== null && byWeight.indexOf(before.code) < byWeight.indexOf(code)) return false;
    await tx.query(setHealth, [tx.tenantId, instanceId, code, words]);
    if (pauseMs !== undefined) await tx.query(pauseInstance, [tx.tenantId, instanceId, pauseMs, words]);
    if (before.code === code) return false;
    await this.tell(tx, instanceId, 'CHAT_INSTANCE_DEGRADED', before.code, code);
    return true;
  }

  /**
   * Ends a degradation by one of these codes. Emits an event and is audited like `degrade`. Safe to repeat.
   * @returns true if there was one
   */
  async restore(tx: Transaction, instanceId: string, codes: readonly HealthCode[]): Promise<boolean> {
    const [before] = await tx.query<{ code: HealthCode | null }>(lockHealth, [tx.tenantId, instanceId]);
    if (before === undefined || before.code === null || !codes.includes(before.code)) return false;
    await tx.query(setHealth, [tx.tenantId, instanceId, null, null]);
    await this.tell(tx, instanceId, 'CHAT_INSTANCE_RESTORED', before.code, null);
    return true;
  }

  private async tell(
    tx: Transaction,
    instanceId: string,
    action: 'CHAT_INSTANCE_DEGRADED' | 'CHAT_INSTANCE_RESTORED',
    before: HealthCode | null,
    after: HealthCode | null,
  ): Promise<void> {
    const { tenantId } = tx;
    tx.emit({ type: 'CHAT_INSTANCE_STATUS_CHANGED', instanceId });
    await this.audit.record(tx, { kind: 'system', tenantId }, [
      {
        tenantId,
        action,
        targetKind: 'CHAT_INSTANCE',
        targetId: instanceId,
        before: { healthCode: before },
        after: { healthCode: after },
      },
    ]);
  }
}

/** The number of DEGRADED instances of all tenants, at the last `look`. */
export class DegradedInstances {
  private counts = new Map<HealthCode, number>();

  constructor(private readonly database: Pick<Database, 'query'>) {}

  async look(): Promise<void> {
    const rows = await this.database.query<{ code: HealthCode; count: number }>(countDegraded);
    this.counts = new Map(rows.map(({ code, count }) => [code, count]));
  }

  countOf(code: HealthCode): number {
    return this.counts.get(code) ?? 0;
  }
}

/** $1 tenant, $2 instance → its code, if it is in use and CONNECTED, or was never asked to connect: messages are sent through it too. */
const lockHealth: NamedStatement = {
  name: 'lock-instance-health',
  text: `SELECT health_code AS code FROM chat_instances
    WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
      AND (status = 'CONNECTED' OR (status = 'CONNECTING' AND connected_at IS NULL)) FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 instance, $3 code, $4 reason; both null for a healthy instance. The time of the first degradation stays. */
const setHealth: NamedStatement = {
  name: 'set-instance-health',
  text: `UPDATE chat_instances SET health_code = $3, health_reason = $4, updated_at = now(),
      degraded_at = CASE WHEN $3::text IS NULL THEN NULL ELSE coalesce(degraded_at, now()) END
    WHERE tenant_id = $1 AND id = $2`,
};

/** → the number of DEGRADED instances in use, by code. */
const countDegraded: NamedStatement = {
  name: 'count-degraded-instances',
  text: `SELECT health_code AS code, count(*)::int AS count FROM chat_instances
    WHERE degraded_at IS NOT NULL AND deleted_at IS NULL GROUP BY health_code`,
};
