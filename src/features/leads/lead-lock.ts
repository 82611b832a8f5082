// Takes a lead's row lock for a change that somebody asks for by id. Whoever holds it cannot lose the change to a merge: a merge
// takes the same lock, and the lead that is locked here is the one that has everything.

import { notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input.js';
import type { Transaction } from '../../platform/transaction.js';
import { lockCurrentLead } from './lead-record.sql.js';
import type { LeadRow } from './lead-row.js';

/**
 * The lead of this id, or the one that it was merged into, locked until the transaction ends.
 * @throws AppError NOT_FOUND for an id that names no lead of the tenant
 */
export async function lockLead(tx: Transaction, id: string): Promise<LeadRow> {
  const [lead] = isUuid(id) ? await tx.query<LeadRow>(lockCurrentLead, [tx.tenantId, id]) : [];
  if (lead === undefined) throw notFound('lead');
  return lead.mergedIntoId === null ? lead : lockLead(tx, lead.mergedIntoId);
}
