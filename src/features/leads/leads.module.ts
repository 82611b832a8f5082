// What leads are made of.

import type { Foundation } from '../../platform/foundation.js';
import type { AuditService } from '../audit/audit.service.js';
import type { UserService } from '../users/user.service.js';
import { LeadExportService } from './files/lead-export.service.js';
import { LeadImportService } from './files/lead-import.service.js';
import { assigneeOfLead } from './lead-list.sql.js';
import type { LeadRelation } from './lead-list.sql.js';
import { LeadRecordService } from './lead-record.service.js';
import { LeadIntakeService, LeadListService, LeadService } from './lead.service.js';
import { LeadMergeService } from './merge/lead-merge.service.js';
import { LeadNoteService } from './notes/lead-note.service.js';
import { LeadPresenceService } from './presence/lead-presence.service.js';

const presenceSweepIntervalMs = 2_000;

export interface LeadParts {
  audit: AuditService;
  users: UserService;
  /** What upper modules show of leads in lists. */
  relations: readonly LeadRelation[];
}

export function createLeads(foundation: Foundation, { audit, users, relations }: LeadParts) {
  const { database, transactor, log } = foundation;
  const leads = new LeadService(database);
  const intake = new LeadIntakeService(leads);
  const leadLists = new LeadListService(database, [...relations, assigneeOfLead]);
  const sweepIntervalMs = presenceSweepIntervalMs;
  return {
    leads,
    leadIntake: intake,
    leadMerges: new LeadMergeService({ database, transactor, leads }),
    leadLists,
    leadImports: new LeadImportService({ database, transactor, intake, log }),
    leadExports: new LeadExportService(database, leadLists, users),
    leadRecords: new LeadRecordService({ transactor, audit, intake }),
    leadNotes: new LeadNoteService(database, transactor),
    leadPresences: new LeadPresenceService({ database, transactor, leads, log, sweepIntervalMs }),
  };
}
