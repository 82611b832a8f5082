// Creates leads with a past time, for demo data: they are posted as by an integrator, and dated back. No API reaches this service.

import type { Transaction } from '../../../platform/database/transaction.js';
import type { LeadBody } from '../lead.schema.js';
import type { LeadIntakeService } from '../lead.service.js';
import { dateLeadsBack } from './find-or-create.sql.js';

export interface DemoLead extends LeadBody {
  cameAt: Date;
}

export class DemoLeadService {
  constructor(private readonly intake: LeadIntakeService) {}

  /**
   * Creates the leads that are not known yet. Emits LEAD_CREATED for them. Safe to repeat, but for the touches.
   * @returns a lead's id for each, in their order
   */
  async create(tx: Transaction, leads: readonly DemoLead[], defaultSource: string): Promise<string[]> {
    const postings = leads.map(({ cameAt: _cameAt, ...posting }) => posting);
    const found = await this.intake.receive(tx, postings, defaultSource);
    const created = found.flatMap(({ lead, created: isNew }, index) => {
      const cameAt = leads[index]?.cameAt;
      return isNew && cameAt !== undefined ? [{ id: lead.id, cameAt }] : [];
    });
    const ids = created.map(({ id }) => id);
    const times = created.map(({ cameAt }) => cameAt);
    if (created.length > 0) await tx.query(dateLeadsBack, [tx.tenantId, ids, times]);
    return found.map(({ lead }) => lead.id);
  }
}
