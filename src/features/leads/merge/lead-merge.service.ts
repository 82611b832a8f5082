// Merges that a user asks for, undoing merges, and listing them. lead-merge-writer.ts knows what a merge moves.

import type { Database, Prisma } from '../../../platform/database/database.js';
import { AppError, invalidField, notFound } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../../platform/principal.js';
import type { Transaction, Transactor } from '../../../platform/database/transaction.js';
import {
  holdMerges,
  readLeadStates,
  stateOf,
  type BeforeMerge,
  type LeadMergeWriter,
  type UndoableMerge,
} from './lead-merge-writer.js';
import { lockLeads, selectCurrentLeads, selectLeadMerge } from './lead-merge.sql.js';
import type { LeadRow, LeadService } from '../lead.service.js';

/** A merge as clients see it: without the lists of what it moved. */
export interface LeadMergeRecord extends Omit<Prisma.LeadMergeGetPayload<{ select: typeof toldColumns }>, 'before'> {
  before: Pick<BeforeMerge, 'merged'>;
}

export interface LeadMergeOptions {
  database: Database;
  transactor: Transactor;
  leads: LeadService;
  merger: LeadMergeWriter;
}

interface StoredMerge extends UndoableMerge {
  undoneAt: Date | null;
  /** The lead to which the merged lead leads now. */
  mergedIntoId: string | null;
  /** True where the survivor has a later merge in effect. */
  isFollowed: boolean;
}

const toldColumns = {
  id: true,
  survivorId: true,
  mergedId: true,
  reason: true,
  userId: true,
  before: true,
  createdAt: true,
  undoneAt: true,
} as const;

export class LeadMergeService {
  constructor(private readonly options: LeadMergeOptions) {}

  /**
   * Makes two leads one: `intoId` stays and gets everything of `leadId`, whose id leads there from then on. A lead that was
   * merged before counts as the one it was merged into. Any user may; safe to repeat. Emits LEAD_UPDATED for both.
   * @returns the lead that stays
   * @throws AppError NOT_FOUND for a lead that the tenant does not have, VALIDATION_FAILED for one lead given twice
   */
  async merge(principal: Principal | undefined, leadId: string, intoId: string): Promise<LeadRow> {
    const user = requireUser(principal);
    if (leadId.toLowerCase() === intoId.toLowerCase())
      throw invalidField('intoId', 'has to be another lead than leadId');
    if (!isUuid(leadId) || !isUuid(intoId)) throw notFound('lead');
    const survivorId = await this.options.transactor.run(user.tenantId, async (tx) => {
      await holdMerges(tx);
      const pair = await currentIds(tx, [leadId, intoId]);
      const [mergedId = '', currentId = ''] = pair;
      if (mergedId === currentId) return currentId;
      await tx.query(lockLeads, [tx.tenantId, pair]);
      const states = await readLeadStates(tx, pair);
      const cause = { reason: 'user', userId: user.userId } as const;
      await this.options.merger.merge(tx, stateOf(states, currentId), stateOf(states, mergedId), cause);
      emitMerge(tx, [currentId, mergedId], 'MERGE', user);
      return currentId;
    });
    return this.get(user, survivorId);
  }

  /**
   * Undoes a merge: the merged lead is a lead of its own again, with the messages, touches and identities that came with it. Everything
   * from after the merge stays with the survivor; an opt-out counts for both. No call of the intake merges the two again; `merge` does.
   * Merges of one lead are undone in reverse, the latest first. Any user may. Emits LEAD_UPDATED for both.
   * @returns the lead that is separate again
   * @throws AppError NOT_FOUND; CONFLICT for a merge that was undone already, or has a later one of the same lead in effect
   */
  async undo(principal: Principal | undefined, mergeId: string): Promise<LeadRow> {
    const user = requireUser(principal);
    if (!isUuid(mergeId)) throw notFound('merge');
    const mergedId = await this.options.transactor.run(user.tenantId, async (tx) => {
      await holdMerges(tx);
      const merge = await readMerge(tx, mergeId);
      if (merge.undoneAt !== null) throw new AppError('CONFLICT', 'This merge was undone already');
      if (merge.mergedIntoId !== merge.survivorId || merge.isFollowed)
        throw new AppError('CONFLICT', 'Undo the later merge of the same lead first');
      await tx.query(lockLeads, [tx.tenantId, [merge.survivorId, merge.mergedId]]);
      await this.options.merger.separate(tx, merge, user.userId);
      emitMerge(tx, [merge.mergedId, merge.survivorId], 'MERGE_UNDONE', user);
      return merge.mergedId;
    });
    return this.get(user, mergedId);
  }

  /** The merges of which these leads are the survivors, the newest first, in one statement. */
  async listBySurvivors(principal: Principal, survivorIds: readonly string[]): Promise<LeadMergeRecord[]> {
    const merges = await this.options.database.prisma.leadMerge.findMany({
      where: { tenantId: principal.tenantId, survivorId: { in: [...survivorIds] } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: toldColumns,
    });
    return merges.map((merge) => ({ ...merge, before: merge.before as unknown as BeforeMerge }));
  }

  private async get(principal: Principal, id: string): Promise<LeadRow> {
    const lead = await this.options.leads.find(principal, id);
    if (lead === null) throw notFound('lead');
    return lead;
  }
}

function emitMerge(
  tx: Transaction,
  leadIds: readonly string[],
  change: 'MERGE' | 'MERGE_UNDONE',
  { userId }: UserPrincipal,
): void {
  for (const leadId of leadIds) tx.emit({ type: 'LEAD_UPDATED', leadId, data: { change, userId } });
}

/** Returns the leads that these ids lead to now. While merges are held, they stay so. */
async function currentIds(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ wantedId: string; id: string }>(selectCurrentLeads, [tx.tenantId, ids]);
  const byWanted = new Map(rows.map(({ wantedId, id }) => [wantedId, id]));
  return ids.map((id) => {
    const current = byWanted.get(id.toLowerCase());
    if (current === undefined) throw notFound('lead');
    return current;
  });
}

async function readMerge(tx: Transaction, id: string): Promise<StoredMerge> {
  const [merge] = await tx.query<StoredMerge>(selectLeadMerge, [tx.tenantId, id]);
  if (merge === undefined) throw notFound('merge');
  return merge;
}
