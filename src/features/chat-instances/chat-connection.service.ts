// The state of an instance's line, as its gateway reports it. A line may flap a thousand times in minutes: the state is kept at
// once, but subscribers are told at most every 10 s, and of the last state in any case.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import { TenantSweep } from '../../platform/tenant-sweep.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';

export interface ConnectionReport {
  instanceId: string;
  status: ChatInstanceStatus;
  /** Why, in words; undefined where all is well. */
  lastError?: string | undefined;
  /** When the gateway saw it, by its own clock. */
  reportedAt?: Date | undefined;
}

export interface ChatConnectionOptions {
  database: Pick<Database, 'query'>;
  transactor: Transactor;
  log: Logger;
  /** In the transaction in which a line is reported to be connected: what waited for it may go on. */
  onConnected: (tx: Transaction) => Promise<void>;
  /** How often to look for states that were kept back, in milliseconds. */
  sweepIntervalMs: number;
}

const quietMs = 10_000;

const tells = `i.status <> i.told_status AND i.told_at <= now() - ${quietMs} * interval '1 ms'`;

/**
 * $1 tenant, $2 instances, $3 states, $4 errors, $5 times by the gateway's clock → the states that were stored. A state that is as
 * it was changes nothing, and neither does one that the gateway saw before the last. A line that is connected is paused no more.
 */
const updateConnections: NamedStatement = {
  name: 'update-chat-connections',
  text: `WITH report AS (
      SELECT * FROM unnest($2::uuid[], $3::chat_instance_status[], $4::text[], $5::timestamptz[])
        AS r (instance_id, status, last_error, reported_at)
    ), target AS (
      SELECT i.id, r.status, r.last_error, r.reported_at FROM report r
      JOIN chat_instances i ON i.tenant_id = $1 AND i.id = r.instance_id AND i.deleted_at IS NULL
        AND ((i.status, i.last_error) IS DISTINCT FROM (r.status, r.last_error)
          OR r.status = 'CONNECTED' AND i.outbound_paused_until IS NOT NULL)
        AND coalesce(r.reported_at >= i.status_reported_at, true)
      ORDER BY i.id FOR NO KEY UPDATE OF i
    )
    UPDATE chat_instances i SET status = t.status, last_error = t.last_error, updated_at = now(),
      status_reported_at = coalesce(t.reported_at, i.status_reported_at),
      status_changed_at = CASE WHEN t.status <> i.status THEN now() ELSE i.status_changed_at END,
      connected_at = CASE WHEN t.status = 'CONNECTED' AND i.status <> 'CONNECTED' THEN now() ELSE i.connected_at END,
      outbound_paused_until = CASE WHEN t.status <> 'CONNECTED' THEN i.outbound_paused_until END,
      outbound_pause_reason = CASE WHEN t.status <> 'CONNECTED' THEN i.outbound_pause_reason END
    FROM target t WHERE i.tenant_id = $1 AND i.id = t.id RETURNING i.status`,
};

/** $1 tenant → the instances whose state subscribers are to be told now. */
const markTold: NamedStatement = {
  name: 'mark-chat-connections-told',
  text: `WITH target AS (
      SELECT id FROM chat_instances i WHERE i.tenant_id = $1 AND ${tells} ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE chat_instances i SET told_status = i.status, told_at = now()
    FROM target t WHERE i.tenant_id = $1 AND i.id = t.id RETURNING i.id`,
};

const selectUntold: NamedStatement = {
  name: 'select-untold-chat-connections',
  text: `SELECT DISTINCT i.tenant_id AS "tenantId" FROM chat_instances i WHERE ${tells}`,
};

export class ChatConnectionService {
  /** Reports the states that were kept back while a connection flapped. */
  readonly sweep: TenantSweep;

  constructor(private readonly options: ChatConnectionOptions) {
    const { database, transactor, log, sweepIntervalMs: intervalMs } = options;
    const listTenants = () => database.query<{ tenantId: string }>(selectUntold);
    const work = (tenantId: string) => transactor.run(tenantId, (tx) => this.tell(tx));
    this.sweep = new TenantSweep({ what: 'chat connections', intervalMs, listTenants, work, log });
  }

  /** Keeps the last state that is reported of each instance. Emits CHAT_INSTANCE_STATUS_CHANGED, damped. Safe to repeat. */
  async report(tx: Transaction, reports: readonly ConnectionReport[]): Promise<void> {
    if (reports.length === 0) return;
    const inOrder = reports.toSorted(
      (one, other) => (one.reportedAt?.getTime() ?? 0) - (other.reportedAt?.getTime() ?? 0),
    );
    const last = [...new Map(inOrder.map((report) => [report.instanceId, report])).values()];
    const stored = await tx.query<{ status: ChatInstanceStatus }>(updateConnections, [
      tx.tenantId,
      last.map((report) => report.instanceId),
      last.map((report) => report.status),
      last.map((report) => report.lastError ?? null),
      last.map((report) => report.reportedAt ?? null),
    ]);
    await this.tell(tx);
    if (stored.some(({ status }) => status === 'CONNECTED')) await this.options.onConnected(tx);
  }

  private async tell(tx: Transaction): Promise<void> {
    for (const { id } of await tx.query<{ id: string }>(markTold, [tx.tenantId]))
      tx.emit({ type: 'CHAT_INSTANCE_STATUS_CHANGED', instanceId: id });
  }
}
