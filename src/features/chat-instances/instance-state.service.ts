// The state of a chat instance, as its gateway reports it. Every state is stored at once. Subscribers get an event at most every
// 10 s for each instance, and always the last state: an instance may flap a thousand times in minutes.

import type { AuditService } from '../audit/audit.service.js';
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
  /** The line's own number: digits with country code; undefined where the report does not name it. */
  number?: string | undefined;
  /** The time by the gateway's clock. */
  reportedAt?: Date | undefined;
}

interface StoredState {
  id: string;
  status: ChatInstanceStatus;
  isBack: boolean;
  isUnreachable: boolean;
  number: string | null;
  /** The number before. */
  formerNumber: string | null;
}

export interface InstanceStateOptions {
  database: Pick<Database, 'query'>;
  transactor: Transactor;
  audit: Pick<AuditService, 'record'>;
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
 * $1 tenant, $2 instances, $3 states, $4 errors, $5 times by the gateway's clock, $6 numbers → the states that were stored. A state changes
 * nothing if it is equal to the stored state, or older. CONNECTED ends a pause. A new state clears the instance's health. `isBack`: nothing
 * was sent through it before. An equal CONNECTED counts where sends got no answer.
 */
const updateConnections: NamedStatement = {
  name: 'update-chat-connections',
  text: `WITH report AS (
      SELECT * FROM unnest($2::uuid[], $3::chat_instance_status[], $4::text[], $5::timestamptz[], $6::text[])
        AS r (instance_id, status, last_error, reported_at, number)
    ), target AS (
      SELECT i.id, r.status, r.last_error, r.reported_at, coalesce(r.number, i.number) AS number, i.number AS former_number,
        i.status <> r.status OR i.outbound_paused_until IS NOT NULL AS is_back
      FROM report r
      JOIN chat_instances i ON i.tenant_id = $1 AND i.id = r.instance_id AND i.deleted_at IS NULL
        AND ((i.status, i.last_error) IS DISTINCT FROM (r.status, r.last_error)
          OR r.number <> i.number OR r.number IS NOT NULL AND i.number IS NULL
          OR r.status = 'CONNECTED' AND (i.outbound_paused_until IS NOT NULL OR i.health_code = 'UNREACHABLE'))
        AND coalesce(r.reported_at >= i.status_reported_at, true)
      ORDER BY i.id FOR NO KEY UPDATE OF i
    )
    UPDATE chat_instances i SET status = t.status, last_error = t.last_error, number = t.number, updated_at = now(),
      status_reported_at = coalesce(t.reported_at, i.status_reported_at),
      status_changed_at = CASE WHEN t.status <> i.status THEN now() ELSE i.status_changed_at END,
      connected_at = CASE WHEN t.status = 'CONNECTED' AND i.status <> 'CONNECTED' THEN now() ELSE i.connected_at END,
      outbound_paused_until = CASE WHEN t.status <> 'CONNECTED' THEN i.outbound_paused_until END,
      outbound_pause_reason = CASE WHEN t.status <> 'CONNECTED' THEN i.outbound_pause_reason END,
      health_code = CASE WHEN t.status = i.status THEN i.health_code END,
      health_reason = CASE WHEN t.status = i.status THEN i.health_reason END,
      degraded_at = CASE WHEN t.status = i.status THEN i.degraded_at END
    FROM target t WHERE i.tenant_id = $1 AND i.id = t.id RETURNING i.id, i.status, t.is_back AS "isBack",
      coalesce(i.health_code = 'UNREACHABLE', false) AS "isUnreachable", i.number, t.former_number AS "formerNumber"`,
};

/** $1 tenant, $2 instances, $3 their numbers → those whose number was unknown. */
const learnNumbers: NamedStatement = {
  name: 'learn-instance-numbers',
  text: `WITH target AS (
      SELECT i.id, r.number FROM unnest($2::uuid[], $3::text[]) AS r (id, number)
      JOIN chat_instances i ON i.tenant_id = $1 AND i.id = r.id AND i.deleted_at IS NULL AND i.number IS NULL
      ORDER BY i.id FOR NO KEY UPDATE OF i
    )
    UPDATE chat_instances i SET number = t.number, updated_at = now()
    FROM target t WHERE i.tenant_id = $1 AND i.id = t.id RETURNING i.id`,
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
    const work = async (tenantId: string) => void (await transactor.run(tenantId, (tx) => this.emitDue(tx)));
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
      last.map((report) => report.number ?? null),
    ]);
    await this.tellNumbers(tx, stored, await this.emitDue(tx));
    const connected = stored.filter(({ status }) => status === 'CONNECTED');
    const back = connected.filter(({ isBack }) => isBack).map(({ id }) => id);
    if (back.length > 0) await this.options.onConnected(tx, back);
    for (const { id, isBack, isUnreachable } of connected)
      if (!isBack && isUnreachable) await this.options.onSignOfLife(tx, id);
  }

  /** Stores the numbers of lines whose number is unknown. The events of the messages that brought them show them. Safe to repeat. */
  async learnNumbers(tx: Transaction, numbers: ReadonlyMap<string, string>): Promise<void> {
    if (numbers.size === 0) return;
    const values = [tx.tenantId, [...numbers.keys()], [...numbers.values()]];
    await tx.query(learnNumbers, values);
  }

  // People who wrote to the number before do not know the new one, so that a change is told at once, and to administrators.
  private async tellNumbers(tx: Transaction, stored: readonly StoredState[], told: ReadonlySet<string>): Promise<void> {
    const { tenantId } = tx;
    for (const { id, number, formerNumber } of stored) {
      if (number === formerNumber) continue;
      if (!told.has(id)) tx.emit({ type: 'CHAT_INSTANCE_STATUS_CHANGED', instanceId: id });
      if (formerNumber === null) continue;
      const about = { tenantId, targetKind: 'CHAT_INSTANCE', targetId: id } as const;
      const change = { before: { number: formerNumber }, after: { number } };
      await this.options.audit.record(tx, { kind: 'system', tenantId }, [
        { ...about, action: 'CHAT_INSTANCE_NUMBER_CHANGED', ...change },
      ]);
    }
  }

  /** @returns the instances whose state was told */
  private async emitDue(tx: Transaction): Promise<Set<string>> {
    const due = await tx.query<{ id: string }>(takeDueEvents, [tx.tenantId]);
    for (const { id } of due) tx.emit({ type: 'CHAT_INSTANCE_STATUS_CHANGED', instanceId: id });
    return new Set(due.map(({ id }) => id));
  }
}
