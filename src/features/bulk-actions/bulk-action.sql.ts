// The statements of bulk actions. Their leads are changed by the leads' own module.

import type { NamedStatement } from '../../platform/database/database.js';
import type { LeadChange } from '../leads/changes/lead-change.service.js';
import { undoMinutes } from './bulk-action.schema.js';

export const bulkActionStatuses = {
  RUNNING: 'Leads are being changed.',
  COMPLETED: 'Every lead was looked at. It can be undone until `undoUntil`.',
  UNDOING: 'Leads are being changed back.',
  UNDONE: 'Every lead was looked at again. It is not done or undone any more.',
} as const;

export type BulkActionStatus = keyof typeof bulkActionStatuses;

/** A bulk action, as its callers see it. */
export interface BulkActionRecord {
  id: string;
  status: BulkActionStatus;
  total: number;
  done: number;
  skipped: number;
  /** Null once it is being undone. */
  undoUntil: Date | null;
  createdAt: Date;
}

/** A bulk action, as a worker sees it. */
export interface HeldBulkAction {
  id: string;
  status: 'RUNNING' | 'UNDOING';
  change: LeadChange;
  /** The user in whose name leads change now. */
  userId: string;
  position: number;
  total: number;
  failures: number;
}

export const bulkActionColumns = `id, status, total, done, skipped,
  CASE WHEN status IN ('RUNNING', 'COMPLETED') THEN undo_until END AS "undoUntil", created_at AS "createdAt"`;
export const undoEnd = `now() + interval '${undoMinutes} minutes'`;

/** $1 tenant → how many of its actions run. */
export const countRunningActions: NamedStatement = {
  name: 'count-running-bulk-actions',
  text: `SELECT count(*)::int AS count FROM bulk_actions WHERE tenant_id = $1 AND finished_at IS NULL AND status = 'RUNNING'`,
};

/** $1 tenant → how many of its actions run or are being undone. */
export const countUnfinishedActions: NamedStatement = {
  name: 'count-unfinished-bulk-actions',
  text: 'SELECT count(*)::int AS count FROM bulk_actions WHERE tenant_id = $1 AND finished_at IS NULL',
};

/**
 * $1 tenant, $2 id, $3 author, $4 change, $5 key or null, $6 hash, $7 leads → the action; nothing where the key is taken. Waits for the end
 * of a transaction that uses the key.
 */
export const insertBulkAction: NamedStatement = {
  name: 'insert-bulk-action',
  text: `INSERT INTO bulk_actions (tenant_id, id, author_id, change, idempotency_key, content_hash, total, status, finished_at, undo_until)
    SELECT $1, $2, $3, $4, $5, $6, $7::int, CASE WHEN $7::int = 0 THEN 'COMPLETED' ELSE 'RUNNING' END,
      CASE WHEN $7::int = 0 THEN now() END, ${undoEnd}
    ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${bulkActionColumns}`,
};

/** $1 tenant, $2 action, $3 leads in their order. */
export const insertActionLeads: NamedStatement = {
  name: 'insert-bulk-action-leads',
  text: `INSERT INTO bulk_action_leads (tenant_id, bulk_action_id, position, lead_id)
    SELECT $1, $2, w.place - 1, w.id FROM unnest($3::uuid[]) WITH ORDINALITY AS w (id, place)`,
};

/** $1 tenant, $2 id. */
export const selectBulkAction: NamedStatement = {
  name: 'select-bulk-action',
  text: `SELECT ${bulkActionColumns} FROM bulk_actions WHERE tenant_id = $1 AND id = $2`,
};

/** $1 tenant, $2 key → the action with its hash. */
export const selectBulkActionOfKey: NamedStatement = {
  name: 'select-bulk-action-of-key',
  text: `SELECT ${bulkActionColumns}, content_hash AS "contentHash" FROM bulk_actions WHERE tenant_id = $1 AND idempotency_key = $2`,
};

/** $1 tenant, $2 id → whether it can be undone. Waits for the batch that is under way. */
export const lockBulkAction: NamedStatement = {
  name: 'lock-bulk-action',
  text: `SELECT status, status = 'COMPLETED' AND undo_until <= now() AS "isTooLate" FROM bulk_actions
    WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id that is locked, $3 user: the action goes through its leads again. */
export const beginUndo: NamedStatement = {
  name: 'begin-undo-of-bulk-action',
  text: `UPDATE bulk_actions SET undone_by_id = $3, position = 0, done = 0, skipped = 0, failures = 0, resume_at = now(),
      status = CASE WHEN total = 0 THEN 'UNDONE' ELSE 'UNDOING' END, finished_at = CASE WHEN total = 0 THEN now() END
    WHERE tenant_id = $1 AND id = $2 RETURNING ${bulkActionColumns}`,
};

// Retention.

/** An action's leads are needed until it can be undone no more. */
const leadHours = 1;
const actionDays = 30;

/** $1 tenant, $2 limit → how many rows went: the leads of actions that ended an hour ago. */
export const deleteOldActionLeads: NamedStatement = {
  name: 'delete-old-bulk-action-leads',
  text: `WITH gone AS (
      DELETE FROM bulk_action_leads b USING (
        SELECT l.bulk_action_id, l.position FROM bulk_actions a
        JOIN bulk_action_leads l ON l.tenant_id = a.tenant_id AND l.bulk_action_id = a.id
        WHERE a.tenant_id = $1 AND a.finished_at < now() - interval '${leadHours} hours' LIMIT $2 FOR UPDATE OF l SKIP LOCKED
      ) old WHERE b.tenant_id = $1 AND b.bulk_action_id = old.bulk_action_id AND b.position = old.position RETURNING 1
    ) SELECT count(*)::int AS count FROM gone`,
};

/** $1 tenant, $2 limit → how many rows went: the records of actions, with their idempotency keys. */
export const deleteOldActions: NamedStatement = {
  name: 'delete-old-bulk-actions',
  text: `WITH gone AS (
      DELETE FROM bulk_actions b USING (
        SELECT id FROM bulk_actions WHERE tenant_id = $1 AND finished_at < now() - interval '${actionDays} days'
        LIMIT $2 FOR UPDATE SKIP LOCKED
      ) old WHERE b.tenant_id = $1 AND b.id = old.id RETURNING 1
    ) SELECT count(*)::int AS count FROM gone`,
};
