// The rules that changes of one lead and of many have in common: who may become an assignee, and their events.

import { invalidField, notFound } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/input/input.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { holdUser } from '../../users/user.sql.js';

/**
 * The user stays active until the transaction ends.
 * @returns the id as it is stored
 * @throws AppError NOT_FOUND for a user whom the tenant does not have; VALIDATION_FAILED on `path` for a deactivated one
 */
export async function requireActiveUser(tx: Transaction, id: string, path: string): Promise<string> {
  const [user] = isUuid(id) ? await tx.query<{ isActive: boolean }>(holdUser, [tx.tenantId, id]) : [];
  if (user === undefined) throw notFound('user');
  if (!user.isActive) throw invalidField(path, 'is a deactivated user');
  return id.toLowerCase();
}

/** Emits LEAD_ASSIGNED. @param lead as it was before @param userId null where no user did it */
export function emitAssigned(
  tx: Transaction,
  lead: { id: string; assigneeId: string | null },
  { assigneeId, userId }: { assigneeId: string | null; userId: string | null },
): void {
  const data = { assigneeId, previousAssigneeId: lead.assigneeId, userId };
  tx.emit({ type: 'LEAD_ASSIGNED', leadId: lead.id, data });
}

/** Emits LEAD_UPDATED with the names of the fields that a user has changed. */
export function emitFieldsChanged(
  tx: Transaction,
  leadId: string,
  { fields, userId }: { fields: string[]; userId: string },
): void {
  tx.emit({ type: 'LEAD_UPDATED', leadId, data: { change: 'FIELDS', fields, userId } });
}
