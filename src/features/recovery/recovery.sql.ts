// The statements of recovery: which instances to read, how far they were read, audits, and what is known of our own sends.

import type { NamedStatement } from '../../platform/database/database.js';
import type { HealthCode } from '../chat-instances/chat-instance.schema.js';
import type { RecoveryCause } from './recovery.schema.js';

/** An instance whose history this process reads until its lease ends. */
export interface TakenRecovery {
  tenantId: string;
  instanceId: string;
  readUntil: Date | null;
  /** It has connected since the last reading began. */
  isBack: boolean;
}

/** Rows of instances that are connected and have none. */
export const insertMissingRecoveries: NamedStatement = {
  name: 'insert-missing-recoveries',
  text: `INSERT INTO instance_recoveries (tenant_id, instance_id)
    SELECT i.tenant_id, i.id FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id
    WHERE t.is_active AND i.deleted_at IS NULL AND i.status = 'CONNECTED'
      AND NOT EXISTS (SELECT FROM instance_recoveries r WHERE r.tenant_id = i.tenant_id AND r.instance_id = i.id)
    ON CONFLICT (tenant_id, instance_id) DO NOTHING`,
};

/** $1 time: what was last read before it is due now. */
export const hastenRecoveries: NamedStatement = {
  name: 'hasten-recoveries',
  text: `UPDATE instance_recoveries SET due_at = now()
    WHERE due_at > now() AND last_error IS NULL AND (started_at IS NULL OR started_at < $1)`,
};

/**
 * $1 providers with a history, $2 limit, $3 lease in seconds → instances of active tenants that are CONNECTED and due, or have connected
 * since they were last read. Tenants take turns; what another process reads, or has locked, is left out.
 */
export const takeDueRecoveries: NamedStatement = {
  name: 'take-due-recoveries',
  text: `WITH due AS (
      SELECT r.tenant_id, r.instance_id, i.connected_at > coalesce(r.started_at, '-infinity') AS is_back
      FROM tenants t JOIN instance_recoveries r ON r.tenant_id = t.id
      JOIN chat_instances i ON i.tenant_id = r.tenant_id AND i.id = r.instance_id
      WHERE t.is_active AND i.deleted_at IS NULL AND i.status = 'CONNECTED' AND i.provider = ANY($1::text[])
        AND (r.lease_until IS NULL OR r.lease_until < now())
        AND (r.due_at <= now() OR i.connected_at > coalesce(r.started_at, '-infinity'))
      ORDER BY row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.due_at, r.instance_id), r.due_at, r.instance_id
      LIMIT $2::int
    ), target AS (
      SELECT r.tenant_id, r.instance_id, d.is_back FROM due d
      JOIN instance_recoveries r ON r.tenant_id = d.tenant_id AND r.instance_id = d.instance_id
      WHERE r.lease_until IS NULL OR r.lease_until < now()
      FOR NO KEY UPDATE OF r SKIP LOCKED
    )
    UPDATE instance_recoveries r SET lease_until = now() + make_interval(secs => $3::int), started_at = now()
    FROM target t WHERE r.tenant_id = t.tenant_id AND r.instance_id = t.instance_id
    RETURNING r.tenant_id AS "tenantId", r.instance_id AS "instanceId", r.read_until AS "readUntil", coalesce(t.is_back, false) AS "isBack"`,
};

/** $1 tenant, $2 instance, $3 lease in seconds → a row unless another process reads it. */
export const takeRecovery: NamedStatement = {
  name: 'take-recovery',
  text: `INSERT INTO instance_recoveries AS r (tenant_id, instance_id, lease_until)
    VALUES ($1, $2, now() + make_interval(secs => $3::int))
    ON CONFLICT (tenant_id, instance_id) DO UPDATE SET lease_until = excluded.lease_until
      WHERE r.lease_until IS NULL OR r.lease_until < now()
    RETURNING r.instance_id AS "instanceId"`,
};

/** $1 tenant, $2 instance. */
export const releaseRecovery: NamedStatement = {
  name: 'release-recovery',
  text: 'UPDATE instance_recoveries SET lease_until = NULL WHERE tenant_id = $1 AND instance_id = $2',
};

/** $1 tenant, $2 instance, $3 read until (null: no further), $4 seconds until the next reading, $5 why it failed. */
export const finishRecovery: NamedStatement = {
  name: 'finish-recovery',
  text: `UPDATE instance_recoveries SET read_until = coalesce($3, read_until), due_at = now() + make_interval(secs => $4::int),
      lease_until = NULL, last_error = $5
    WHERE tenant_id = $1 AND instance_id = $2`,
};

/** The state that a reading has to know of its instance, beside where its gateway is. */
export interface InstanceStanding {
  createdAt: Date;
  connectedAt: Date | null;
  isConnected: boolean;
  healthCode: HealthCode | null;
  degradedAt: Date | null;
  /** By the database's clock. */
  now: Date;
}

/** $1 tenant, $2 instance → its standing, while it is in use. */
export const selectStanding: NamedStatement = {
  name: 'select-instance-standing',
  text: `SELECT created_at AS "createdAt", connected_at AS "connectedAt", status = 'CONNECTED' AS "isConnected",
      health_code AS "healthCode", degraded_at AS "degradedAt", now() AS now
    FROM chat_instances WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
};

export interface InstanceAuditRow {
  tenantId: string;
  id: string;
  instanceId: string;
  cause: RecoveryCause;
  userId: string | null;
  readFrom: Date;
  readTo: Date;
  isComplete: boolean;
  atGateway: number;
  here: number;
  recovered: number;
  unexplained: number;
  statuses: number;
  reasons: Record<string, number>;
  createdAt: Date;
}

const auditColumns = `tenant_id AS "tenantId", id, instance_id AS "instanceId", cause, user_id AS "userId", read_from AS "readFrom",
  read_to AS "readTo", is_complete AS "isComplete", at_gateway AS "atGateway", here, recovered, unexplained, statuses,
  reasons, created_at AS "createdAt"`;

/** $1 tenant, $2 id, $3 instance, $4 cause, $5 user, $6 from, $7 to, $8 complete, $9 to $13 the counts, $14 reasons. */
export const insertAudit: NamedStatement = {
  name: 'insert-instance-audit',
  text: `INSERT INTO instance_audits (tenant_id, id, instance_id, cause, user_id, read_from, read_to, is_complete, at_gateway, here,
      recovered, unexplained, statuses, reasons)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb) RETURNING ${auditColumns}`,
};

/** $1 tenant, $2 instance, $3 how many stay: the newest. */
export const deleteSurplusAudits: NamedStatement = {
  name: 'delete-surplus-instance-audits',
  text: `DELETE FROM instance_audits WHERE tenant_id = $1 AND instance_id = $2 AND id <= (
      SELECT id FROM instance_audits WHERE tenant_id = $1 AND instance_id = $2 ORDER BY id DESC OFFSET $3 LIMIT 1)`,
};

/** $1 tenant, $2 days, $3 limit → how many were deleted. */
export const deleteOldAudits: NamedStatement = {
  name: 'delete-old-instance-audits',
  text: `WITH gone AS (
      DELETE FROM instance_audits WHERE tenant_id = $1 AND id = ANY (ARRAY(
        SELECT id FROM instance_audits WHERE tenant_id = $1 AND created_at < now() - make_interval(days => $2::int)
        ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ) SELECT count(*)::int AS count FROM gone`,
};

/** $1 tenant, $2 instance, $3 time → whether its gateway has shown since then that it keeps a history. */
export const hasKeptHistory: NamedStatement = {
  name: 'has-kept-history',
  text: `SELECT FROM instance_audits WHERE tenant_id = $1 AND instance_id = $2 AND here > 0
      AND created_at > $3 LIMIT 1`,
};

/**
 * True if a webhook brought the message. A message that a history brought counts as stored when it was written, and so as received later.
 */
const broughtByWebhook = `direction = 'INBOUND' AND received_at < created_at + interval '1 second'`;

/** $1 tenant, $2 instance, $3 after, $4 up to → `heardAt`: when a webhook last brought a message of a lead in that time. */
export const selectHeardSince: NamedStatement = {
  name: 'select-instance-heard-since',
  text: `SELECT max(created_at) AS "heardAt" FROM messages
    WHERE tenant_id = $1 AND instance_id = $2 AND created_at > $3 AND created_at <= $4 AND ${broughtByWebhook}`,
};

/** $1 tenant, $2 time → of each instance: when a webhook last brought a message of a lead after it. */
export const selectHeardOfTenant: NamedStatement = {
  name: 'select-instances-heard-since',
  text: `SELECT instance_id AS "instanceId", max(created_at) AS "heardAt" FROM messages
    WHERE tenant_id = $1 AND created_at > $2 AND ${broughtByWebhook} GROUP BY instance_id`,
};

export interface SentMessage {
  externalId: string;
  status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED';
  sentAt: Date;
}

/** $1 tenant, $2 instance, $3 from, $4 to, $5 limit → our messages through it that the gateway accepted, the newest first. */
export const selectSends: NamedStatement = {
  name: 'select-sends-of-instance',
  text: `SELECT external_id AS "externalId", status, sent_at AS "sentAt" FROM messages
    WHERE tenant_id = $1 AND instance_id = $2 AND created_at >= $3 AND created_at <= $4 AND direction = 'OUTBOUND'
      AND author_id IS NOT NULL AND external_id IS NOT NULL AND sent_at IS NOT NULL AND sent_at <= $4
      AND status IN ('SENT', 'DELIVERED', 'READ')
    ORDER BY sent_at DESC, id DESC LIMIT $5`,
};

/** $1 tenant, $2 from → how many leads wrote through each instance in each hour since 1970. */
export const countLeadsByHour: NamedStatement = {
  name: 'count-leads-by-hour',
  text: `SELECT instance_id AS "instanceId", floor(extract(epoch FROM created_at) / 3600)::int AS hour,
      count(DISTINCT lead_id)::int AS leads
    FROM messages WHERE tenant_id = $1 AND created_at > $2 AND direction = 'INBOUND' GROUP BY 1, 2`,
};

export interface WatchedInstance extends Omit<InstanceStanding, 'isConnected'> {
  instanceId: string;
  instanceName: string;
  heardAt: Date | null;
  lookedAt: Date | null;
  habit: number[] | null;
  habitAt: Date | null;
}

/** Tenants with instances that are connected. */
export const selectTenantsToWatch: NamedStatement = {
  name: 'select-tenants-to-watch',
  text: `SELECT t.id AS "tenantId" FROM tenants t WHERE t.is_active AND EXISTS (
      SELECT FROM chat_instances i WHERE i.tenant_id = t.id AND i.deleted_at IS NULL AND i.status = 'CONNECTED')
    ORDER BY t.id`,
};

/** $1 tenant → its instances that are connected. */
export const selectWatchedInstances: NamedStatement = {
  name: 'select-watched-instances',
  text: `SELECT i.id AS "instanceId", i.instance_name AS "instanceName", i.created_at AS "createdAt", i.connected_at AS "connectedAt",
      i.health_code AS "healthCode", i.degraded_at AS "degradedAt", r.heard_at AS "heardAt", r.looked_at AS "lookedAt", r.habit,
      r.habit_at AS "habitAt", now() AS now
    FROM chat_instances i JOIN instance_recoveries r ON r.tenant_id = i.tenant_id AND r.instance_id = i.id
    WHERE i.tenant_id = $1 AND i.deleted_at IS NULL AND i.status = 'CONNECTED' ORDER BY i.id`,
};

/** $1 tenant, $2 instances, $3 when each was heard last, $4 up to when that was looked for. */
export const noteHeard: NamedStatement = {
  name: 'note-heard-instances',
  text: `UPDATE instance_recoveries r SET heard_at = greatest(r.heard_at, h.heard_at), looked_at = $4
    FROM unnest($2::uuid[], $3::timestamptz[]) AS h (instance_id, heard_at)
    WHERE r.tenant_id = $1 AND r.instance_id = h.instance_id`,
};

/** $1 tenant, $2 instance, $3 its habit, $4 when it was computed. */
export const noteHabit: NamedStatement = {
  name: 'note-habit-of-instance',
  text: 'UPDATE instance_recoveries SET habit = $3::smallint[], habit_at = $4 WHERE tenant_id = $1 AND instance_id = $2',
};
