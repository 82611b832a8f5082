// The statements of bulk actions. Their leads are changed by the leads' own module.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import type { LeadChange, LeadPart } from '../leads/changes/lead-change.service.js';
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

const columns = `id, status, total, done, skipped,
  CASE WHEN status IN ('RUNNING', 'COMPLETED') THEN undo_until END AS "undoUntil", created_at AS "createdAt"`;
const undoEnd = `now() + interval '${undoMinutes} minutes'`;

/** $1 tenant → how many of its actions run. */
export const countRunningActions: NamedStatement = {
  name: 'count-running-bulk-actions',
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
    ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${columns}`,
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
  text: `SELECT ${columns} FROM bulk_actions WHERE tenant_id = $1 AND id = $2`,
};

/** $1 tenant, $2 key → the action with its hash. */
export const selectBulkActionOfKey: NamedStatement = {
  name: 'select-bulk-action-of-key',
  text: `SELECT ${columns}, content_hash AS "contentHash" FROM bulk_actions WHERE tenant_id = $1 AND idempotency_key = $2`,
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
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

// The work on actions. A batch holds the row of its action: another worker passes over it, and takes it over where this one dies.

/** The tenants with batches that are due. */
export const selectTenantsWithActions: NamedStatement = {
  name: 'select-tenants-with-bulk-actions',
  text: 'SELECT DISTINCT tenant_id AS "tenantId" FROM bulk_actions WHERE finished_at IS NULL AND resume_at <= now()',
};

/** $1 tenant, $2 actions that this process works on, $3 limit → the actions whose batch is due, the one that rested longest first. */
export const selectDueActions: NamedStatement = {
  name: 'select-due-bulk-actions',
  text: `SELECT id FROM bulk_actions
    WHERE tenant_id = $1 AND finished_at IS NULL AND resume_at <= now() AND id <> ALL ($2::uuid[])
    ORDER BY resume_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
};

/** $1 tenant, $2 id → the action, locked; nothing where it has ended, or another worker holds it. */
export const holdBulkAction: NamedStatement = {
  name: 'hold-bulk-action',
  text: `SELECT id, status, change, coalesce(undone_by_id, author_id) AS "userId", position, total, failures FROM bulk_actions
    WHERE tenant_id = $1 AND id = $2 AND finished_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`,
};

/** A lead of an action. `before` and `after` are null where the action has changed nothing. */
export interface ActionLead {
  position: number;
  leadId: string;
  before: LeadPart | null;
  after: LeadPart | null;
}

/** $1 tenant, $2 action, $3 from which position, $4 up to which. Rows of leads that were erased are gone. */
export const selectActionLeads: NamedStatement = {
  name: 'select-bulk-action-leads',
  text: `SELECT position, lead_id AS "leadId", before, after FROM bulk_action_leads
    WHERE tenant_id = $1 AND bulk_action_id = $2 AND position >= $3 AND position < $4 ORDER BY position`,
};

export const changedLeadColumns = new Columns<{ position: number; leadId: string; before: LeadPart; after: LeadPart }>(
  {
    position: ['int', ({ position }) => position],
    lead_id: ['uuid', ({ leadId }) => leadId],
    before: ['jsonb', ({ before }) => JSON.stringify(before)],
    after: ['jsonb', ({ after }) => JSON.stringify(after)],
  },
  3,
);

/** $1 tenant, $2 action, `changedLeadColumns`: keeps what the action has changed, which may be a survivor of the lead that it was given. */
export const keepChangedLeads: NamedStatement = {
  name: 'keep-changed-leads',
  text: `UPDATE bulk_action_leads b SET lead_id = c.lead_id, before = c.before, after = c.after
    FROM ${changedLeadColumns.rows('c')} WHERE b.tenant_id = $1 AND b.bulk_action_id = $2 AND b.position = c.position`,
};

/**
 * $1 tenant, $2 action, $3 the next position, $4 leads that are done, $5 and skipped, $6 the least ms between two events → the action, and
 * whether an event about it is due.
 */
export const advanceBulkAction: NamedStatement = {
  name: 'advance-bulk-action',
  text: `WITH advanced AS (
      UPDATE bulk_actions SET position = $3::int, done = done + $4::int, skipped = skipped + $5::int, failures = 0,
        resume_at = clock_timestamp(),
        status = CASE WHEN $3::int < total THEN status WHEN status = 'UNDOING' THEN 'UNDONE' ELSE 'COMPLETED' END,
        finished_at = CASE WHEN $3::int >= total THEN now() END,
        undo_until = CASE WHEN $3::int >= total THEN ${undoEnd} ELSE undo_until END,
        told_at = CASE WHEN $3::int >= total OR told_at <= now() - $6::int * interval '1 ms' THEN now() ELSE told_at END
      WHERE tenant_id = $1 AND id = $2 RETURNING *, told_at = now()::timestamptz(3) AS is_told
    )
    SELECT ${columns}, is_told AS "isTold" FROM advanced`,
};

/** $1 tenant, $2 action: its next batch waits, longer after each failure. */
export const noteFailure: NamedStatement = {
  name: 'note-failure-of-bulk-action',
  text: `UPDATE bulk_actions SET failures = failures + 1, resume_at = now() + least(60, 2 ^ failures) * interval '1 s'
    WHERE tenant_id = $1 AND id = $2 AND finished_at IS NULL`,
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
