// Opt-outs of bulk and scheduled messages. Decisions are entered in an append-only ledger, and take effect on sending at once.
// consent-intake.service.ts finds the texts of leads that are decisions. The outbox owns the messages that wait to be sent.

import type { Database, Prisma } from '../../platform/database/database.js';
import { notFound } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { keyFilter, readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { AuditService } from '../audit/audit.service.js';
import type { ConsentOfLead } from '../leads/lead-content.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import { lockLead } from '../leads/lead.sql.js';
import { lockTenant } from '../tenants/tenant.sql.js';
import { reasonSchema, type ConsentAction } from './consent.schema.js';
import {
  decisionColumns,
  deleteOptOuts,
  disclaimerColumns,
  enterDecisions,
  enterDisclaimers,
  isOptedOut,
  keepOptOuts,
  moveEntries,
  moveOptOut,
  restoreOptOuts,
  returnEntries,
  selectOptOuts,
  type ConsentDecision,
  type DisclaimerAnswer,
  type OptOutRow,
} from './consent.sql.js';

export type ConsentEntryRow = Prisma.ConsentEntryGetPayload<object>;

/** The steps of sending when leads opt out. */
export interface OptOutEffects {
  /** Cancels the waiting messages to these leads that need consent. Runs in the transaction of the opt-outs, under the tenant lock. */
  endWaiting: (tx: Transaction, leadIds: readonly string[]) => Promise<void>;
  /** Resolves once no message that needs consent is on its way to these leads. Runs after the commit. */
  untilNothingLeaves: (tenantId: string, leadIds: readonly string[]) => Promise<void>;
}

export interface ConsentOptions {
  database: Database;
  transactor: Transactor;
  audit: AuditService;
  leads: LeadService;
  effects: OptOutEffects;
}

/** The most decisions of one statement: more of them would hold the connection up. */
const decisionsPerStatement = 500;

export class ConsentService {
  constructor(private readonly options: ConsentOptions) {}

  /**
   * Opts a lead out, for a reason in words. Its waiting messages from bulk sends and schedules are canceled, and none of them is under way
   * when the call returns. Every user may call it. Safe to repeat: a lead that has opted out stays so. Audited, without the reason. Emits
   * LEAD_UPDATED.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED on `reason`
   */
  optOut(principal: Principal | undefined, leadId: string, reason: string): Promise<LeadRow> {
    return this.decide(principal, leadId, 'OPT_OUT', reason);
  }

  /** Opts a lead in again, with the rules of `optOut`. Canceled messages stay canceled. */
  optIn(principal: Principal | undefined, leadId: string, reason: string): Promise<LeadRow> {
    return this.decide(principal, leadId, 'OPT_IN', reason);
  }

  /**
   * Returns the entries of a lead, the newest first, with the entries of leads that were merged into it.
   * @throws AppError NOT_FOUND
   */
  async list(principal: Principal | undefined, leadId: string, args: PageArgs): Promise<Page<ConsentEntryRow>> {
    const { tenantId } = requireUser(principal);
    const lead = await this.options.leads.find(principal, leadId);
    if (lead === null) throw notFound('lead');
    const { consentEntry } = this.options.database.prisma;
    const where = { tenantId, leadId: lead.id };
    return readPage(args, {
      list: 'consent-log',
      keyOf: (entry: ConsentEntryRow) => entry.id,
      read: (range) => {
        const { bound, sort } = keyFilter(range, 'desc');
        return consentEntry.findMany({ where: { ...where, id: bound }, orderBy: { id: sort }, take: range.limit });
      },
      count: () => consentEntry.count({ where }),
    });
  }

  /** Returns the opt-outs of these leads, in one statement. Leads that have not opted out are left out. */
  async listOptOuts({ tenantId }: Pick<Principal, 'tenantId'>, leadIds: readonly string[]): Promise<OptOutRow[]> {
    return leadIds.length === 0 ? [] : this.options.database.query(selectOptOuts, [tenantId, leadIds]);
  }

  /**
   * Enters decisions in their order, cancels waiting messages to leads that opt out, and emits LEAD_UPDATED for each change. Under the
   * tenant lock.
   * @returns the decisions that changed something
   */
  async enter<Decision extends ConsentDecision>(tx: Transaction, decisions: readonly Decision[]): Promise<Decision[]> {
    const changes: Decision[] = [];
    for (const round of roundsOf(decisions)) {
      const rows = await tx.query<{ position: number }>(enterDecisions, [
        tx.tenantId,
        ...decisionColumns.valuesOf(round),
      ]);
      for (const { position } of rows) changes.push(...round.slice(position, position + 1));
    }
    const optedOut = changes.filter(({ action }) => action === 'OPT_OUT').map(({ leadId }) => leadId);
    if (optedOut.length > 0) await this.options.effects.endWaiting(tx, optedOut);
    for (const { leadId, action, source, userId } of changes) {
      const data = { change: action, fields: ['optOut'], source, userId: userId ?? null };
      tx.emit({ type: 'LEAD_UPDATED', leadId, data });
    }
    return changes;
  }

  /** Stores a lead's ticked disclaimers of forms elsewhere in the ledger. They do not change which messages the lead gets. */
  async enterDisclaimers(tx: Transaction, answers: readonly DisclaimerAnswer[]): Promise<void> {
    if (answers.length > 0) await tx.query(enterDisclaimers, [tx.tenantId, ...disclaimerColumns.valuesOf(answers)]);
  }

  private async decide(
    principal: Principal | undefined,
    id: string,
    action: ConsentAction,
    writtenReason: string,
  ): Promise<LeadRow> {
    const user = requireUser(principal);
    const reason = parseInput(reasonSchema, writtenReason, 'reason');
    const { tenantId, userId } = user;
    const lead = await this.options.transactor.run(tenantId, async (tx) => {
      await tx.query(lockTenant, [tenantId]);
      const locked = await lockLead(tx, id);
      const changes = await this.enter(tx, [{ leadId: locked.id, action, source: 'USER', reason, userId }]);
      // The reason is only in the ledger, where the erasure of the lead reaches it.
      const audited = { tenantId, targetKind: 'LEAD', targetId: locked.id } as const;
      const auditedAction = action === 'OPT_OUT' ? 'LEAD_OPTED_OUT' : 'LEAD_OPTED_IN';
      await this.options.audit.record(
        tx,
        user,
        changes.map(() => ({ ...audited, action: auditedAction })),
      );
      return locked;
    });
    if (action === 'OPT_OUT') await this.options.effects.untilNothingLeaves(tenantId, [lead.id]);
    return lead;
  }
}

/** Returns the decisions in portions, in their order. A lead is in a portion once at most. */
function roundsOf<Decision extends ConsentDecision>(decisions: readonly Decision[]): Decision[][] {
  const rounds: Decision[][] = [];
  const lastRound = new Map<string, number>();
  for (const decision of decisions) {
    let index = (lastRound.get(decision.leadId) ?? -1) + 1;
    while ((rounds[index]?.length ?? 0) >= decisionsPerStatement) index += 1;
    const round = rounds[index] ?? [];
    rounds[index] = round;
    round.push(decision);
    lastRound.set(decision.leadId, index);
  }
  return rounds;
}

/** The part of consent that leads call, without `suppress`, which opts out the leads of erased people. */
export const consentOfLead: Omit<ConsentOfLead, 'suppress'> = {
  isOptedOut,

  async follow(tx, survivorId, mergedId) {
    const way = [tx.tenantId, mergedId, survivorId];
    await tx.query(moveEntries, way);
    await tx.query(moveOptOut, way);
  },
  async separate(tx, { survivorId, mergedId, ledIds, since }) {
    await tx.query(returnEntries, [tx.tenantId, survivorId, mergedId, [mergedId, ...ledIds]]);
    await tx.query(keepOptOuts, [tx.tenantId, survivorId, mergedId, since, newRecordId(), newRecordId()]);
    const both = [tx.tenantId, [survivorId, mergedId]];
    await tx.query(deleteOptOuts, both);
    await tx.query(restoreOptOuts, both);
  },
};

/**
 * Makes `ConsentOfLead.suppress`. A known lead is suppressed under the tenant lock: a claim ends before that, or sees the opt-out. A new
 * lead has no messages that a claim could take.
 */
export function suppressing({ endWaiting }: Pick<OptOutEffects, 'endWaiting'>): ConsentOfLead['suppress'] {
  return async (tx, leads) => {
    const decisions = leads.map(({ leadId, erasedAt }): ConsentDecision => {
      return { leadId, action: 'OPT_OUT', source: 'ERASURE', decidedAt: erasedAt };
    });
    const rows = await tx.query<{ position: number }>(enterDecisions, [
      tx.tenantId,
      ...decisionColumns.valuesOf(decisions),
    ]);
    const changed = rows.flatMap(({ position }) => leads.slice(position, position + 1));
    const known = changed.filter(({ isNew }) => !isNew).map(({ leadId }) => leadId);
    if (known.length === 0) return;
    await endWaiting(tx, known);
    const data = { change: 'OPT_OUT', fields: ['optOut'], source: 'ERASURE', userId: null };
    for (const leadId of known) tx.emit({ type: 'LEAD_UPDATED', leadId, data });
  };
}
