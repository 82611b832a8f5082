// Submissions that wait for a number: an ADMIN completes or dismisses them. calls/source-lead-intake.ts stores them.

import type { Database } from '../../../platform/database/database.js';
import { invalidField, notFound } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/input/input.js';
import { readPage, type Page, type PageArgs } from '../../../platform/database/page.js';
import { requireAdmin, type Principal, type UserPrincipal } from '../../../platform/principal.js';
import type { Transaction, Transactor } from '../../../platform/database/transaction.js';
import type { AuditService } from '../../audit/audit.service.js';
import { createLeadSchema } from '../../leads/lead.schema.js';
import type { LeadRow, LeadService } from '../../leads/lead.service.js';
import { toCountry } from '../../../platform/phone-numbers/country.js';
import type { TenantService } from '../../tenants/tenant.service.js';
import type { SourceLeadIntake } from '../calls/source-lead-intake.js';
import { selectSource } from '../lead-source.sql.js';
import { leadWithNumber, type NumberOfLead } from '../reading/submission.js';
import { countHeld, dismissHeld, lockHeld, selectHeld, type HeldRecord } from './held-submission.sql.js';

export interface HeldSubmissionOptions {
  database: Database;
  transactor: Transactor;
  audit: AuditService;
  intake: SourceLeadIntake;
  leads: Pick<LeadService, 'find'>;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
}

export interface HeldCount {
  id: string;
  count: number;
}

export class HeldSubmissionService {
  constructor(private readonly options: HeldSubmissionOptions) {}

  /** Lists the submissions of a source, the newest first. ADMIN only. @throws AppError NOT_FOUND for the source */
  async list(principal: Principal | undefined, sourceId: string, args: PageArgs): Promise<Page<HeldRecord>> {
    const { tenantId } = requireAdmin(principal);
    const { database } = this.options;
    const known = isUuid(sourceId) ? await database.query(selectSource, [tenantId, sourceId]) : [];
    if (known.length === 0) throw notFound('lead source');
    return readPage(args, {
      list: 'held-submissions',
      keyOf: (held: HeldRecord) => held.id,
      read: (range) => {
        const { text, values } = selectHeld(tenantId, sourceId, range);
        return database.query<HeldRecord>(text, values);
      },
    });
  }

  /** Counts the submissions of each source, in one statement; a source without any is left out. ADMIN only. */
  async listCounts(principal: Principal | undefined, sourceIds: readonly string[]): Promise<HeldCount[]> {
    const { tenantId } = requireAdmin(principal);
    return this.options.database.query<HeldCount>(countHeld, [tenantId, sourceIds]);
  }

  /**
   * Makes a lead of a submission, as if the form had given this number: found or created, with a touch and its evidence of consent. ADMIN
   * only; audited.
   * @param chat the number, which is read like a form's number
   * @throws AppError NOT_FOUND, also when the submission is completed already; VALIDATION_FAILED on `chat`
   */
  async complete(principal: Principal | undefined, id: string, chat: string): Promise<LeadRow> {
    const admin = requireAdmin(principal);
    const usual = await this.options.tenants.findDefaultCountry(admin.tenantId);
    const leadId = await this.options.transactor.run(admin.tenantId, async (tx) => {
      const held = await getLocked(tx, id);
      const { submittedAt, callId, lead, country } = held;
      const number = readNumber(chat, toCountry(country) ?? usual);
      const posting = { ...held, submittedAt: submittedAt ?? undefined, lead: leadWithNumber(lead, number) };
      const made = await this.options.intake.complete(tx, posting, callId);
      await this.record(tx, admin, held, { action: 'HELD_SUBMISSION_COMPLETED', leadId: made.id });
      return made.id;
    });
    const lead = await this.options.leads.find(admin, leadId);
    if (lead === null) throw notFound('lead');
    return lead;
  }

  /**
   * Removes a submission with all its data. A source with ids of its own does not bring it back. ADMIN only; audited.
   * @returns the submission's id
   * @throws AppError NOT_FOUND, also when it is gone already
   */
  async dismiss(principal: Principal | undefined, id: string): Promise<string> {
    const admin = requireAdmin(principal);
    return this.options.transactor.run(admin.tenantId, async (tx) => {
      const held = await getLocked(tx, id);
      await tx.query(dismissHeld, [admin.tenantId, held.id]);
      await this.record(tx, admin, held, { action: 'HELD_SUBMISSION_DISMISSED' });
      return held.id;
    });
  }

  // The entry has nothing that names the person, because the log is kept for good.
  private async record(
    tx: Transaction,
    admin: UserPrincipal,
    { id, sourceId }: HeldRecord,
    { action, leadId }: { action: 'HELD_SUBMISSION_COMPLETED' | 'HELD_SUBMISSION_DISMISSED'; leadId?: string },
  ): Promise<void> {
    const about = { tenantId: admin.tenantId, targetKind: 'LEAD_SOURCE', targetId: sourceId } as const;
    const after = { heldSubmissionId: id, ...(leadId === undefined ? {} : { leadId }) };
    await this.options.audit.record(tx, admin, [{ ...about, action, after }]);
  }
}

async function getLocked(tx: Transaction, id: string): Promise<HeldRecord> {
  const [held] = isUuid(id) ? await tx.query<HeldRecord>(lockHeld, [tx.tenantId, id]) : [];
  if (held === undefined) throw notFound('held submission');
  return held;
}

function readNumber(chat: string, country: ReturnType<typeof toCountry>): NumberOfLead {
  const parsed = createLeadSchema(country).safeParse({ chat });
  if (!parsed.success) throw invalidField('chat', parsed.error.issues[0]?.message ?? 'has to be a phone number');
  return parsed.data;
}
