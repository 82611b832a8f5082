// Assignments of leads in the past, page by page. They are kept where a lead is assigned: lead-record.service.ts, lead-change.service.ts.

import type { Database } from '../../../platform/database/database.js';
import { readOwnedPages, type OwnedCount, type OwnedPage, type PageArgs } from '../../../platform/database/page.js';
import type { Principal } from '../../../platform/principal.js';
import { countAssignments, selectAssignments, type LeadAssignmentRow } from './lead-assignment.sql.js';

export type { LeadAssignmentRow } from './lead-assignment.sql.js';

export class LeadAssignmentService {
  constructor(private readonly database: Database) {}

  /** A page of each lead's assignments, the newest first, in one statement. Those of leads that were merged into it stay with them. */
  async listOfLeads(
    { tenantId }: Principal,
    leadIds: readonly string[],
    args: PageArgs,
  ): Promise<OwnedPage<LeadAssignmentRow>[]> {
    return readOwnedPages<LeadAssignmentRow>(args, leadIds, {
      list: 'lead_assignments',
      keyOf: ({ id }) => id,
      ownerOf: ({ leadId }) => leadId,
      read: (range, owners) => {
        const values = [tenantId, owners, range.from ?? null, range.limit];
        return this.database.query<LeadAssignmentRow>(selectAssignments(range), values);
      },
      count: (owners) => this.database.query<OwnedCount>(countAssignments, [tenantId, owners]),
    });
  }
}
