// Leads as integrators post them: found or created, and each posting kept beside the lead.

import { newRecordId } from '../../platform/record-id.js';
import type { Transaction } from '../../platform/transaction.js';
import type { LeadBody } from './lead.schema.js';
import type { FoundLead, LeadService } from './lead.service.js';
import { insertLeadTouches } from './lead.sql.js';

export class LeadIntakeService {
  constructor(private readonly leads: LeadService) {}

  /**
   * A lead for each posting, in their order; an existing one comes back unchanged. Safe to repeat, but for the touch.
   * @param defaultSource where neither the posting nor the tenant names a source
   */
  async receive(tx: Transaction, postings: readonly LeadBody[], defaultSource: string): Promise<FoundLead[]> {
    if (postings.length === 0) return [];
    const candidates = postings.map(({ chat: value, name, source, metadata }) => ({
      identities: [{ kind: 'PHONE', value }] as const,
      name,
      keepsName: true,
      source,
      metadata,
    }));
    const found = await this.leads.findOrCreate(tx, candidates, defaultSource);
    await tx.query(insertLeadTouches, [
      tx.tenantId,
      postings.map(() => newRecordId()),
      found.map(({ lead }) => lead.id),
      postings.map(({ source }) => source ?? null),
      postings.map(({ metadata }) => (metadata === undefined ? null : JSON.stringify(metadata))),
      defaultSource,
    ]);
    return found;
  }
}
