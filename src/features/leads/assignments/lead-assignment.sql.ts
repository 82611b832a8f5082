// The statements of assignments: who was given a lead, by whom and when. Reads take many leads at once.

import type { NamedStatement } from '../../../platform/database/database.js';
import { travelOf, type KeyRange } from '../../../platform/database/page.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import type { Transaction } from '../../../platform/database/transaction.js';

export interface LeadAssignmentRow {
  id: string;
  leadId: string;
  /** Null: the assignee was taken away. */
  assigneeId: string | null;
  userId: string;
  createdAt: Date;
}

/** $1 tenant, $2 user, $3 ids, $4 leads, $5 assignees. */
const insertAssignments: NamedStatement = {
  name: 'insert-lead-assignments',
  text: `INSERT INTO lead_assignments (tenant_id, id, lead_id, assignee_id, user_id)
    SELECT $1, a.id, a.lead_id, a.assignee_id, $2::uuid FROM unnest($3::uuid[], $4::uuid[], $5::uuid[]) AS a (id, lead_id, assignee_id)`,
};

/** Keeps what LEAD_ASSIGNED tells, for longer than the event log does. */
export async function keepAssignments(
  tx: Transaction,
  userId: string,
  assigned: readonly { leadId: string; assigneeId: string | null }[],
): Promise<void> {
  const ids = assigned.map(() => newRecordId());
  const leadIds = assigned.map(({ leadId }) => leadId);
  const assigneeIds = assigned.map(({ assigneeId }) => assigneeId);
  await tx.query(insertAssignments, [tx.tenantId, userId, ids, leadIds, assigneeIds]);
}

/** $1 tenant, $2 leads, $3 from where (null: the newest end), $4 limit → the rows of each lead, in the order of travel. */
export function selectAssignments(range: KeyRange): NamedStatement {
  const { sort, comparison } = travelOf(range, 'desc');
  return {
    name: `select-lead-assignments-${sort}-${range.isInclusive === true ? 'from' : 'beyond'}`,
    text: `SELECT found.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT id, lead_id AS "leadId", assignee_id AS "assigneeId", user_id AS "userId", created_at AS "createdAt"
        FROM lead_assignments t
        WHERE t.tenant_id = $1 AND t.lead_id = w.lead_id AND ($3::uuid IS NULL OR t.id ${comparison} $3)
        ORDER BY t.id ${sort} LIMIT $4
      ) found ORDER BY found.id ${sort}`,
  };
}

/** $1 tenant, $2 leads → how many each has; leads without any are left out. */
export const countAssignments: NamedStatement = {
  name: 'count-lead-assignments',
  text: `SELECT lead_id AS owner, count(*)::int AS count FROM lead_assignments
    WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[]) GROUP BY lead_id`,
};
