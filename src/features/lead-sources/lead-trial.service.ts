// The lead that a source would make of a payload: read as a call of the source is, and shown. Nothing is written.

import type { MetaLeads } from '../../clients/meta-leads.js';
import type { Database } from '../../platform/database.js';
import { notFound } from '../../platform/errors.js';
import type { FieldError } from '../../platform/errors.js';
import { isUuid } from '../../platform/input.js';
import { requireAdmin } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import type { NumberValidity } from '../../platform/prisma/enums.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { judgeNumber } from '../leads/identity/number-validity.js';
import type { NumberReading } from '../leads/identity/written-number.js';
import type { LeadLookupService } from '../leads/identity/lead-lookup.service.js';
import { selectKnownLeads } from './calls/source-lead.sql.js';
import { accessOf, readingOf } from './fetching/fetch-source.js';
import { selectSourceToTry } from './lead-source.sql.js';
import type { SourceToFetch } from './lead-source.sql.js';
import { readFormLead } from './reading/form-lead.js';
import { readGoogleLead } from './reading/google-lead.js';
import { readMetaLead, readNotices } from './reading/meta-lead.js';
import { readPosting } from './reading/submission.js';
import type { Disclaimer, Submission } from './reading/submission.js';

/** A lead as it would be; `id` is null where it would be new. */
export interface TriedLead {
  id: string | null;
  name: string;
  chat: string;
  numberValidity: NumberValidity;
  /** How the number was read. */
  reading: NumberReading | null;
  source: string;
  metadata: Record<string, unknown> | null;
}

export interface LeadTrial {
  /** Null where there are errors. */
  lead: TriedLead | null;
  created: boolean;
  duplicate: boolean;
  isTest: boolean;
  externalId: string | null;
  disclaimers: readonly Disclaimer[];
  errors: FieldError[];
}

export interface LeadTrialOptions {
  database: Database;
  graph: MetaLeads;
  secretBox: SecretBox;
  lookups: LeadLookupService;
}

const fetchTimeoutMs = 15_000;

export class LeadTrialService {
  constructor(private readonly options: LeadTrialOptions) {}

  /**
   * Reads a payload as a call of the source: for META a call that names a lead, whose answers are then fetched, or the lead as the Graph
   * API gives it. ADMIN only; changes no row.
   * @throws AppError NOT_FOUND
   */
  async test(principal: Principal | undefined, id: string, payload: Record<string, unknown>): Promise<LeadTrial> {
    const admin = requireAdmin(principal);
    const values = [admin.tenantId, id];
    const [source] = isUuid(id) ? await this.options.database.query<SourceToFetch>(selectSourceToTry, values) : [];
    if (source === undefined) throw notFound('lead source');
    const submission = await this.read(source, payload);
    if ('errors' in submission) return failedTrial(submission.errors);
    const { isTest } = submission;
    const read = readPosting(submission, readingOf(source), JSON.stringify(payload));
    if ('errors' in read) return { ...failedTrial(read.errors), isTest };
    const { key, externalId, disclaimers, lead } = read.posting;
    const [known] = await this.options.database.query(selectKnownLeads, [admin.tenantId, [source.sourceId], [key]]);
    const [found] = await this.options.lookups.listByChats(admin, { chats: [`+${lead.chat}`] });
    const existing = found?.lead ?? null;
    return {
      lead: {
        id: existing?.id ?? null,
        name: lead.name ?? lead.chat,
        chat: lead.chat,
        numberValidity: judgeNumber(lead.chat),
        reading: lead.reading ?? null,
        source: lead.source ?? source.name,
        metadata: lead.metadata ?? null,
      },
      created: existing === null && known === undefined && !isTest,
      duplicate: known !== undefined,
      isTest,
      externalId,
      disclaimers,
      errors: [],
    };
  }

  private async read(
    source: SourceToFetch,
    payload: Record<string, unknown>,
  ): Promise<Submission | { errors: FieldError[] }> {
    if (source.kind === 'GOOGLE') return readGoogleLead(payload) ?? unreadable;
    if (source.kind === 'FORM') return readFormLead(payload) ?? unreadable;
    if (payload['entry'] === undefined)
      return readMetaLead(payload) ?? { errors: [{ path: 'field_data', message: 'has to be a list of answers' }] };
    const item = readNotices(payload).find((each) => !('ignored' in each));
    if (item === undefined || 'ignored' in item) return { errors: [{ path: 'entry', message: 'names no lead' }] };
    return 'errors' in item ? item : this.fetch(source, item.notice.leadgenId);
  }

  private async fetch(source: SourceToFetch, leadgenId: string): Promise<Submission | { errors: FieldError[] }> {
    const { graph, secretBox } = this.options;
    const found = await graph.find(accessOf(secretBox, source), leadgenId, AbortSignal.timeout(fetchTimeoutMs));
    if (found.outcome !== 'found') return { errors: [{ path: 'leadgen_id', message: found.detail }] };
    return readMetaLead(found.lead) ?? unreadable;
  }
}

const unreadable = { errors: [{ path: '', message: 'has to be an object' }] };

function failedTrial(errors: FieldError[]): LeadTrial {
  return {
    lead: null,
    created: false,
    duplicate: false,
    isTest: false,
    externalId: null,
    disclaimers: [],
    errors,
  };
}
