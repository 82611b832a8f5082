// The health of instances that say CONNECTED: DEGRADED while evidence says otherwise. Who gathers the evidence is left to the modules
// above; this one stores it, and tells subscribers and the audit log.

import type { Database, NamedStatement } from '../../platform/database.js';
import { keysOf, storableText } from '../../platform/input.js';
import type { Transaction } from '../../platform/transaction.js';
import type { AuditService } from '../audit/audit.service.js';
import { pauseInstance } from './chat-instance.sql.js';
import { healthCodes } from './chat-instance.schema.js';
import type { HealthCode } from './chat-instance.schema.js';

/** Why an instance is DEGRADED. */
export interface Evidence {
  instanceId: string;
  code: HealthCode;
  /** In words, with what to do. */
  reason: string;
  /** Nothing is sent for so long; then one message tries the instance. */
  pauseMs?: number | undefined;
}

const maxReasonLength = 500;
/** The weightiest first: a lighter one does not take its place. */
const byWeight = keysOf(healthCodes);

export const healthCodesShown: readonly HealthCode[] = byWeight;

export class InstanceHealthService {
  constructor(private readonly audit: AuditService) {}

  /**
   * Makes an instance that is CONNECTED DEGRADED, or keeps it so with newer words. Nothing where it is degraded by weightier evidence,
   * or not CONNECTED. Emits CHAT_INSTANCE_STATUS_CHANGED and is audited where the code changes. Safe to repeat.
   */
  async degrade(tx: Transaction, { instanceId, code, reason, pauseMs }: Evidence): Promise<void> {
    const words = storableText(reason, maxReasonLength);
    const [before] = await tx.query<{ code: HealthCode | null }>(lockHealth, [tx.tenantId, instanceId]);
    if (before === undefined) return;
    if (before.code !== null && byWeight.indexOf(before.code) < byWeight.indexOf(code)) return;
    await tx.query(setHealth, [tx.tenantId, instanceId, code, words]);
    if (pauseMs !== undefined) await tx.query(pauseInstance, [tx.tenantId, instanceId, pauseMs, words]);
    if (before.code !== code) await this.tell(tx, instanceId, 'CHAT_INSTANCE_DEGRADED', before.code, code);
  }

  /** Ends the degradation where it rests on one of these codes. Emits and is audited as `degrade`. Safe to repeat. */
  async restore(tx: Transaction, instanceId: string, codes: readonly HealthCode[]): Promise<void> {
    const [before] = await tx.query<{ code: HealthCode | null }>(lockHealth, [tx.tenantId, instanceId]);
    if (before === undefined || before.code === null || !codes.includes(before.code)) return;
    await tx.query(setHealth, [tx.tenantId, instanceId, null, null]);
    await this.tell(tx, instanceId, 'CHAT_INSTANCE_RESTORED', before.code, null);
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

/** How many instances of all tenants are DEGRADED, as of the last look. */
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

/** $1 tenant, $2 instance → its code, where it is in use and CONNECTED. */
const lockHealth: NamedStatement = {
  name: 'lock-instance-health',
  text: `SELECT health_code AS code FROM chat_instances
    WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL AND status = 'CONNECTED' FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 instance, $3 code, $4 reason; both null where it is well. The first degradation's time stays. */
const setHealth: NamedStatement = {
  name: 'set-instance-health',
  text: `UPDATE chat_instances SET health_code = $3, health_reason = $4, updated_at = now(),
      degraded_at = CASE WHEN $3::text IS NULL THEN NULL ELSE coalesce(degraded_at, now()) END
    WHERE tenant_id = $1 AND id = $2`,
};

/** → how many instances in use are DEGRADED, by code. */
const countDegraded: NamedStatement = {
  name: 'count-degraded-instances',
  text: `SELECT health_code AS code, count(*)::int AS count FROM chat_instances
    WHERE degraded_at IS NOT NULL AND deleted_at IS NULL GROUP BY health_code`,
};
