// The work on actions. A batch holds the row of its action: another worker passes over it, and takes it over where this one dies.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import type { LeadPart } from '../leads/changes/lead-change.service.js';
import { bulkActionColumns, undoEnd } from './bulk-action.sql.js';

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
    SELECT ${bulkActionColumns}, is_told AS "isTold" FROM advanced`,
};

/** $1 tenant, $2 action: its next batch waits, longer after each failure. */
export const noteFailure: NamedStatement = {
  name: 'note-failure-of-bulk-action',
  text: `UPDATE bulk_actions SET failures = failures + 1, resume_at = now() + least(60, 2 ^ failures) * interval '1 s'
    WHERE tenant_id = $1 AND id = $2 AND finished_at IS NULL`,
};
