// Erases people, with everything that was kept of them. identity/erased-identity.service.ts keeps histories from bringing them back.

import { AppError, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { AuditService } from '../audit/audit.service.js';
import { eraseRefusedRows } from './files/lead-import.sql.js';
import type { ErasedIdentityService } from './identity/erased-identity.service.js';
import type { KnownContacts, LeadContent } from './lead-content.js';
import { deleteLeads, lockLead, lockLeadsToDelete, selectKnownContacts } from './lead.sql.js';
import { holdMerges } from './merge/lead-merge-writer.js';

export interface LeadErasureOptions {
  transactor: Transactor;
  content: LeadContent;
  audit: AuditService;
  erasedIdentities: ErasedIdentityService;
  /** Called in the transaction of an erasure. */
  onErase: (tx: Transaction) => Promise<void>;
}

export class LeadErasureService {
  constructor(private readonly options: LeadErasureOptions) {}

  /**
   * Erases a person: the lead, the leads that were merged into it, and their identities, touches, notes, merges and messages, waiting ones
   * included. The number is a new person afterwards, and no history brings the messages back. The audit entry holds no word of the person.
   * Emits LEAD_DELETED.
   * @returns the given id
   * @throws AppError NOT_FOUND, also when it is deleted already; CONFLICT while a worker is sending one of its messages
   */
  async erase(principal: Principal | undefined, id: string): Promise<string> {
    const user = requireUser(principal);
    if (!isUuid(id)) throw notFound('lead');
    const { transactor, content, audit, erasedIdentities, onErase } = this.options;
    const { tenantId } = user;
    await transactor.run(tenantId, async (tx) => {
      await erasedIdentities.hold(tx);
      // No merge begins, and no worker takes a message, until the transaction ends.
      await holdMerges(tx);
      const { id: leadId } = await lockLead(tx, id);
      const leads = await tx.query<{ id: string }>(lockLeadsToDelete, [tenantId, leadId]);
      const [underWay] = await tx.query(content.outbox.isBeingSent, [tenantId, leadId]);
      if (underWay !== undefined)
        throw new AppError('CONFLICT', 'A message to this lead is being sent right now: try again in a moment');
      const [messages] = await tx.query<{ count: number }>(content.messages.count, [tenantId, leadId]);
      const ids = leads.map((lead) => lead.id);
      await erasedIdentities.note(tx, ids);
      await tx.query(content.outbox.forgetAnswers, [tenantId, ids]);
      await tx.query(eraseRefusedRows, [tenantId, ids]);
      const [contacts] = await tx.query<KnownContacts>(selectKnownContacts, [tenantId, ids]);
      if (contacts !== undefined) await content.heldSubmissions.erase(tx, contacts);
      await tx.query(deleteLeads, [tenantId, ids]);
      await onErase(tx);
      const mergedIds = ids.filter((each) => each !== leadId);
      const before = { messages: messages?.count ?? 0, ...(mergedIds.length > 0 && { mergedIds }) };
      const entry = { tenantId, action: 'LEAD_DELETED', targetKind: 'LEAD', targetId: leadId, before } as const;
      await audit.record(tx, user, [entry]);
      for (const each of ids) tx.emit({ type: 'LEAD_DELETED', leadId: each, data: { userId: user.userId } });
    });
    return id;
  }
}
