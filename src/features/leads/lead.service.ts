// Leads: found or created by identity (find-or-create.ts), and found by id. Lists belong to lead-list.service.ts, changes by operators to
// lead-record.service.ts, merging on request to lead-merge.service.ts, messages and the inbox's content to messages.

import type { Database, Prisma } from '../../platform/database.js';
import { isUuid } from '../../platform/input.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import type { Transaction } from '../../platform/transaction.js';
import type { FoundLead, LeadCandidate } from './identity/lead-candidate.js';
import { findOrCreateLeads } from './identity/find-or-create.js';
import { selectLeadsByIds } from './lead-row.js';
import type { LeadRow } from './lead-row.js';
import { moveMessagesToLeads, recordLeadMessages } from './lead.sql.js';

export type { FoundLead, IntakeLead, LeadCandidate } from './identity/lead-candidate.js';
export type { LeadRow } from './lead-row.js';
export type LeadIdentityRow = Prisma.LeadIdentityGetPayload<object>;

type MessageKind = 'single' | 'bulk';

export class LeadService {
  constructor(private readonly database: Database) {}

  /**
   * One lead for each candidate, in their order; candidates who share an identity are one person and get the same lead, and so
   * do simultaneous calls. A known lead gains the identities that it lacks, a number where it had none, and the name that the
   * network shows in place of one that was only made from the number; known leads that turn out to be one person are merged,
   * unless somebody has taken a merge of them back: then the candidate's first known identity decides. Emits LEAD_CREATED and
   * LEAD_UPDATED. Safe to repeat. One statement where nothing is new, and, but for merges, a fixed number otherwise.
   * @throws AppError UNAVAILABLE when too many transactions change the same leads at once
   */
  async findOrCreate(
    tx: Transaction,
    candidates: readonly LeadCandidate[],
    defaultSource: string,
  ): Promise<FoundLead[]> {
    return findOrCreateLeads(tx, candidates, defaultSource);
  }

  /**
   * Keeps `lastMessageId` and `unreadCount` true after messages were written in this transaction: whoever writes a message has to
   * call it, after the message and its outbox entry. A message of a lead that was merged meanwhile is moved to the survivor.
   * @param kind `bulk`: they become `lastBulkMessageId`, and their leads stay where they are in the inbox
   * @returns the messages that were moved, with the leads they have now; none as a rule
   */
  async recordMessages(
    tx: Transaction,
    messages: readonly { leadId: string; messageId: string; unread: boolean }[],
    kind: MessageKind = 'single',
  ): Promise<Map<string, string>> {
    const byLead = new Map<string, { newest: string; unread: number }>();
    for (const { leadId, messageId, unread } of messages) {
      const seen = byLead.get(leadId) ?? { newest: messageId, unread: 0 };
      const newest = messageId > seen.newest ? messageId : seen.newest;
      byLead.set(leadId, { newest, unread: seen.unread + (unread ? 1 : 0) });
    }
    const changes = [...byLead.values()];
    if (changes.length === 0) return new Map();
    const newest = changes.map((change) => change.newest);
    const unread = changes.map((change) => change.unread);
    const values = [tx.tenantId, [...byLead.keys()], newest, unread, kind === 'bulk'];
    const merged = await tx.query<{ leadId: string; survivorId: string }>(recordLeadMessages, values);
    return merged.length === 0 ? new Map() : this.followMerges(tx, messages, kind, merged);
  }

  private async followMerges(
    tx: Transaction,
    messages: readonly { leadId: string; messageId: string; unread: boolean }[],
    kind: MessageKind,
    merged: readonly { leadId: string; survivorId: string }[],
  ): Promise<Map<string, string>> {
    const survivors = new Map(merged.map(({ leadId, survivorId }) => [leadId, survivorId]));
    const moved = messages.flatMap((message) => {
      const leadId = survivors.get(message.leadId);
      return leadId === undefined ? [] : [{ ...message, leadId }];
    });
    const ids = moved.map(({ messageId }) => messageId);
    const leadIds = moved.map(({ leadId }) => leadId);
    await tx.query(moveMessagesToLeads, [tx.tenantId, ids, leadIds]);
    const movedOn = await this.recordMessages(tx, moved, kind);
    return new Map([...moved.map(({ messageId, leadId }) => [messageId, leadId] as const), ...movedOn]);
  }

  /** A lead that was merged is the one it was merged into. @returns null for an id that names no lead of the tenant */
  async find(principal: Principal | undefined, id: string): Promise<LeadRow | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const lead = await this.database.prisma.lead.findUnique({ where: { tenantId_id: { tenantId, id } } });
    return lead === null || lead.mergedIntoId === null ? lead : this.find(principal, lead.mergedIntoId);
  }

  /** What leads are known under, the oldest first, in one statement. */
  async listIdentities(principal: Principal, leadIds: readonly string[]): Promise<LeadIdentityRow[]> {
    return this.database.prisma.leadIdentity.findMany({
      where: { tenantId: principal.tenantId, leadId: { in: [...leadIds] } },
      orderBy: [{ createdAt: 'asc' }, { kind: 'asc' }, { matchKey: 'asc' }],
    });
  }

  /** Leads by id, in one statement, for batched reads. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<LeadRow[]> {
    return this.database.query(selectLeadsByIds, [principal.tenantId, ids]);
  }
}
