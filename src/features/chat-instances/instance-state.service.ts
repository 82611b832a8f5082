// The state of a chat instance, as its gateway reports it. Every state is stored at once. Subscribers get an event at most every
// 10 s for each instance, and always the last state: an instance may flap a thousand times in minutes.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { TenantSweep } from '../../platform/jobs/tenant-sweep.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';

export interface ConnectionReport {
  instanceId: string;
  status: ChatInstanceStatus;
  /** The reason why the instance is not connected, as a sentence. */
  lastError?: string | undefined;
  /** The time by the gateway's clock. */
  reportedAt?: Date | undefined;
}

interface StoredState {
  id: string;
  status: ChatInstanceStatus;
  isBack: boolean;
}

export interface InstanceStateOptions {
  database: Pick<Database, 'query'>;
  transactor: Transactor;
  log: Logger;
  /** Runs in the transaction that stores CONNECTED, because messages that wait for these instances may leave now. */
  onConnected: (tx: Transaction, instanceIds: readonly string[]) => Promise<void>;
  /** Runs in the transaction that stores that an UNREACHABLE instance is still CONNECTED: its gateway may answer sends again. */
  onSignOfLife: (tx: Transaction, instanceId: string) => Promise<void>;
  /** The time between two sweeps, which emit the events that were held back. */
  sweepIntervalMs: number;
}

const quietMs = 10_000;

// The columns told_status and told_at hold the state of the last event, and its time.
const isDue = `i.status <> i.told_status AND i.told_at <= now() - ${quietMs} * interval '1 ms'`;

/**
 * $1 tenant, $2 instances, $3 states, $4 errors, $5 times by the gateway's clock → the states that were stored. A state changes nothing if
 * it is equal to the stored state, or older. CONNECTED ends a pause. A new state clears the instance's health. `isBack`: nothing was sent
 * through it before. An equal CONNECTED counts where sends got no answer.
 */
const updateConnections: NamedStatement = {
  name: 'update-chat-connections',
  text: `WITH report AS (
      SELECT * FROM unnest($2::uuid[], $3::chat_instance_status[], $4::text[], $5::timestamptz[])
        AS r (instance_id, status, last_error, reported_at)
    ), target AS (
      SELECT i.id, r.status, r.last_error, r.reported_at, i.status <> r.status OR i.outbound_paused_until IS NOT NULL AS is_back
      FROM report r
      JOIN chat_instances i ON i.tenant_id = $1 AND i.id = r.instance_id AND i.deleted_at IS NULL
        AND ((i.status, i.last_error) IS DISTINCT FROM (r.status, r.last_error)
          OR r.status = 'CONNECTED' AND (i.outbound_paused_until IS NOT NULL OR i.health_code = 'UNREACHABLE'))
        AND coalesce(r.reported_at >= i.status_reported_at, true)
      ORDER BY i.id FOR NO KEY UPDATE OF i
    )
    UPDATE chat_instances i SET status = t.status, last_error = t.last_error, updated_at = now(),
      status_reported_at = coalesce(t.reported_at, i.status_reported_at),
      status_changed_at = CASE WHEN t.status <> i.status THEN now() ELSE i.status_changed_at END,
      connected_at = CASE WHEN t.status = 'CONNECTED' AND i.status <> 'CONNECTED' THEN now() ELSE i.connected_at END,
      outbound_paused_until = CASE WHEN t.status <> 'CONNECTED' THEN i.outbound_paused_until END,
      outbound_pause_reason = CASE WHEN t.status <> 'CONNECTED' THEN i.outbound_pause_reason END,
      health_code = CASE WHEN t.status = i.status THEN i.health_code END,
      health_reason = CASE WHEN t.status = i.status THEN i.health_reason END,
      degraded_at = CASE WHEN t.status = i.status THEN i.degraded_at END
    FROM target t WHERE i.tenant_id = $1 AND i.id = t.id RETURNING i.id, i.status, t.is_back AS "isBack"`,
};

/** $1 tenant → the instances whose state needs an event now. */
const takeDueEvents: NamedStatement = {
  name: 'take-due-chat-connections',
  text: `WITH target AS (
      SELECT id FROM chat_instances i WHERE i.tenant_id = $1 AND ${isDue} ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE chat_instances i SET told_status = i.status, told_at = now()
    FROM target t WHERE i.tenant_id = $1 AND i.id = t.id RETURNING i.id`,
};

const selectDueTenants: NamedStatement = {
  name: 'select-tenants-of-due-chat-connections',
  text: `SELECT DISTINCT i.tenant_id AS "tenantId" FROM chat_instances i WHERE ${isDue}`,
};

export class InstanceStateService {
  /** Emits events that were held back, as soon as they are due. */
  readonly sweep: TenantSweep;

  constructor(private readonly options: InstanceStateOptions) {
    const { database, transactor, log, sweepIntervalMs: intervalMs } = options;
    const listTenants = () => database.query<{ tenantId: string }>(selectDueTenants);
    const work = (tenantId: string) => transactor.run(tenantId, (tx) => this.emitDue(tx));
    this.sweep = new TenantSweep({ what: 'chat connections', intervalMs, listTenants, work, log });
  }

  /** Stores the last reported state of each instance. Emits CHAT_INSTANCE_STATUS_CHANGED at most every 10 s. Safe to repeat. */
  async report(tx: Transaction, reports: readonly ConnectionReport[]): Promise<void> {
    if (reports.length === 0) return;
    const inOrder = reports.toSorted(
      (one, other) => (one.reportedAt?.getTime() ?? 0) - (other.reportedAt?.getTime() ?? 0),
    );
    const last = [...new Map(inOrder.map((report) => [report.instanceId, report])).values()];
    const stored = await tx.query<StoredState>(updateConnections, [
      tx.tenantId,
      last.map((report) => report.instanceId),
      last.map((report) => report.status),
      last.map((report) => report.lastError ?? null),
      last.map((report) => report.reportedAt ?? null),
    ]);
    await this.emitDue(tx);
    const connected = stored.filter(({ status }) => status === 'CONNECTED');
    const back = connected.filter(({ isBack }) => isBack).map(({ id }) => id);
    if (back.length > 0) await this.options.onConnected(tx, back);
    for (const { id, isBack } of connected) if (!isBack) await this.options.onSignOfLife(tx, id);
  }

  private async emitDue(tx: Transaction): Promise<void> {
    for (const { id } of await tx.query<{ id: string }>(takeDueEvents, [tx.tenantId]))
      tx.emit({ type: 'CHAT_INSTANCE_STATUS_CHANGED', instanceId: id });
  }
}
