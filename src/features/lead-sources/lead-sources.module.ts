// Builds the services of lead sources.

import type { MetaLeads } from '../../providers/meta/leads.js';
import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import type { AuditService } from '../audit/audit.service.js';
import type { ConsentService } from '../consent/consent.service.js';
import type { IntakeTools } from '../intake/intake.module.js';
import type { ErasedIdentityService } from '../leads/identity/erased-identity.service.js';
import type { LeadIntakeService, LeadService } from '../leads/lead.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { LeadSourceCallers } from './calls/lead-source-callers.js';
import { SourceCallService } from './calls/source-call.service.js';
import { SourceLeadIntake } from './calls/source-lead-intake.js';
import { SourceLeadWriter } from './calls/source-lead-writer.js';
import { SourceDryRun } from './calls/source-dry-run.js';
import { FormReader } from './fetching/form-reader.js';
import { SourceLeadFetcher } from './fetching/source-lead-fetcher.js';
import { HeldSubmissionService } from './held/held-submission.service.js';
import { LeadSourceService } from './lead-source.service.js';
import { LeadDryRunService } from './lead-dry-run.service.js';
import { SourceCallDryRunService } from './source-call-dry-run.service.js';

// The limit of a tenant leaves room for others beside a slow source.
const fetchesAtOncePerTenant = 8;
const fetchesAtOnce = 32;
const formsAtOncePerTenant = 1;
const formsAtOnce = 4;
/** The leases are longer than their work: a call takes 15 s at most, and a form is read five pages at a time. */
const fetchLeaseMs = 60_000;
const formLeaseMs = 180_000;
const fetchSweepIntervalMs = 5_000;
const formSweepIntervalMs = 15_000;

const noJournal = { recordRefusal: () => Promise.resolve() };

export interface LeadSourceParts extends IntakeTools {
  audit: AuditService;
  consent: ConsentService;
  erasedIdentities: ErasedIdentityService;
  leadIntake: LeadIntakeService;
  leads: LeadService;
  tenants: TenantService;
  graph: MetaLeads;
  /** Returns the reason why a URL must not be called; undefined if it may. */
  checkUrl: (url: string) => string | undefined;
}

export function createLeadSources(foundation: Foundation, parts: LeadSourceParts, config: Config) {
  const { database, transactor, queue, secretBox, log, metrics } = foundation;
  const { audit, consent, erasedIdentities, leadIntake: leads, graph, checkUrl } = parts;
  const { journal, limits, semaphore, dryRunLimits, dryRunTurns, peekedLimits } = parts;
  const { encryptionKey, encryptionKeyPrevious, processRole } = config;
  const encryptionKeys = [encryptionKey, ...(encryptionKeyPrevious === undefined ? [] : [encryptionKeyPrevious])];
  const leadSourceCallers = new LeadSourceCallers({ database, secretBox, encryptionKeys });
  const intake = new SourceLeadIntake({ leads, consent, erasedIdentities, queue });
  const writer = new SourceLeadWriter({ transactor, intake, journal, metrics, semaphore });
  const dryRun = new SourceDryRun({ database, intake, turns: dryRunTurns });
  const callers = leadSourceCallers;
  const fetching = { database, graph, writer, secretBox, log, metrics };
  const sourceLeadFetcher = new SourceLeadFetcher({
    ...fetching,
    concurrency: fetchesAtOncePerTenant,
    totalConcurrency: fetchesAtOnce,
    leaseMs: fetchLeaseMs,
    sweepIntervalMs: fetchSweepIntervalMs,
  });
  const sourceFormReader = new FormReader({
    ...fetching,
    concurrency: formsAtOncePerTenant,
    totalConcurrency: formsAtOnce,
    leaseMs: formLeaseMs,
    sweepIntervalMs: formSweepIntervalMs,
  });
  const onChange = (tenantId: string, sourceId: string) => {
    leadSourceCallers.callers.forget(sourceId);
    if (processRole === 'api') return;
    sourceLeadFetcher.wake(tenantId);
    sourceFormReader.wake(tenantId);
  };
  return {
    leadSourceCallers,
    leadSourceCalls: new SourceCallService({ callers, writer, limits, journal }),
    /** Handles calls with `dryRun=true`: they are counted, and not kept. */
    leadSourceDryRuns: new SourceCallService({ callers, writer: dryRun, limits: dryRunLimits, journal: noJournal }),
    sourceCallDryRuns: new SourceCallDryRunService({
      database,
      callers,
      dryRun,
      limits: peekedLimits,
      graph,
      secretBox,
    }),
    heldSubmissions: new HeldSubmissionService({
      database,
      transactor,
      audit,
      intake,
      leads: parts.leads,
      tenants: parts.tenants,
    }),
    leadSources: new LeadSourceService({ database, audit, secretBox, checkUrl, onChange }),
    leadDryRuns: new LeadDryRunService({ database, graph, secretBox, dryRun }),
    sourceLeadFetcher,
    sourceFormReader,
  };
}
