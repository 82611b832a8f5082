// Wires the services of leads.

import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { AuditService } from '../audit/audit.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import type { UserService } from '../users/user.service.js';
import { LeadAssignmentService } from './assignments/lead-assignment.service.js';
import { LeadChangeService } from './changes/lead-change.service.js';
import { ConversationService } from './conversation/conversation.service.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import { LikelyDuplicateService } from './duplicates/likely-duplicate.service.js';
import { LeadExportService } from './files/lead-export.service.js';
import { LeadImportService } from './files/lead-import.service.js';
import { ErasedIdentityService } from './identity/erased-identity.service.js';
import { HiddenNumberService } from './hidden-numbers/hidden-number.service.js';
import { NumberFinder } from './hidden-numbers/number-finder.js';
import { LeadLookupService } from './identity/lead-lookup.service.js';
import { DemoLeadService } from './identity/demo-lead.service.js';
import type { LeadContent } from './lead-content.js';
import { LeadErasureService, type LeadErasureOptions } from './lead-erasure.service.js';
import { LeadRecordService, type LeadRecordOptions } from './lead-record.service.js';
import { LeadListService } from './lead-list.service.js';
import { LeadIntakeService, LeadService } from './lead.service.js';
import { assigneeOfLead, type LeadRelation } from './lead-list.sql.js';
import { LeadMergeService } from './merge/lead-merge.service.js';
import { LeadMergeWriter } from './merge/lead-merge-writer.js';
import { LeadNoteService } from './notes/lead-note.service.js';
import { LeadPresenceService } from './presence/lead-presence.service.js';
import { createInboxViews, createLeadViews } from './views/kept-view.service.js';

const presenceSweepIntervalMs = 2_000;
const snoozeSweepIntervalMs = 2_000;
// A gateway answers within 15 s, or not at all.
const numberLeaseMs = 60_000;
const numberSweepIntervalMs = 2_000;
const numbersAtOncePerTenant = 2;
const numbersAtOnce = 16;

export interface LeadParts extends Pick<LeadRecordOptions, 'onRead'>, Pick<LeadErasureOptions, 'onErase'> {
  audit: AuditService;
  tenants: TenantService;
  users: UserService;
  /** The relations that upper modules show of leads in lists. */
  relations: readonly LeadRelation[];
  content: LeadContent;
}

export function createLeads(
  foundation: Foundation,
  { audit, tenants, users, relations, content, onRead, onErase }: LeadParts,
  { encryptionKey, encryptionKeyPrevious }: Config,
) {
  const { database, transactor, secretBox, log } = foundation;
  const leadMerger = new LeadMergeWriter(content);
  const { consent } = content;
  const erasedIdentities = new ErasedIdentityService({ encryptionKey, encryptionKeyPrevious, secretBox, consent });
  const leads = new LeadService(database, { merger: leadMerger, erasedIdentities }, content.messages);
  const intake = new LeadIntakeService(leads);
  const leadLists = new LeadListService(database, [...relations, assigneeOfLead], content);
  const sweepIntervalMs = presenceSweepIntervalMs;
  return {
    leads,
    erasedIdentities,
    leadIntake: intake,
    demoLeads: new DemoLeadService(intake),
    leadMerger,
    leadMerges: new LeadMergeService({ database, transactor, leads, merger: leadMerger }),
    leadLists,
    likelyDuplicates: new LikelyDuplicateService(database),
    leadLookups: new LeadLookupService(database, tenants),
    leadImports: new LeadImportService({ database, transactor, intake, tenants, log }),
    leadExports: new LeadExportService(database, leadLists, users),
    leadRecords: new LeadRecordService({ transactor, intake, tenants, content, onRead }),
    leadErasure: new LeadErasureService({ transactor, audit, erasedIdentities, content, onErase }),
    leadChanges: new LeadChangeService(),
    leadNotes: new LeadNoteService(database, transactor),
    leadAssignments: new LeadAssignmentService(database),
    inboxViews: createInboxViews(database, leadLists),
    leadViews: createLeadViews(database, leadLists),
    conversations: new ConversationService({
      database,
      transactor,
      content,
      log,
      sweepIntervalMs: snoozeSweepIntervalMs,
    }),
    leadPresences: new LeadPresenceService({ database, transactor, leads, log, sweepIntervalMs }),
  };
}

interface HiddenNumberParts {
  leads: LeadService;
  endpoints: GatewayEndpoints;
  numberSweepMs?: number | undefined;
}

/** Wires the services that ask gateways for the numbers of leads that are known under a hidden number. */
export function createHiddenNumbers(
  { database, transactor, log }: Foundation,
  { leads, endpoints, numberSweepMs = numberSweepIntervalMs }: HiddenNumberParts,
) {
  const hiddenNumbers = new HiddenNumberService({ database, transactor, leads, endpoints });
  const numberFinder = new NumberFinder({
    database,
    endpoints,
    numbers: hiddenNumbers,
    log,
    concurrency: numbersAtOncePerTenant,
    totalConcurrency: numbersAtOnce,
    leaseMs: numberLeaseMs,
    sweepIntervalMs: numberSweepMs,
  });
  return { hiddenNumbers, numberFinder };
}
