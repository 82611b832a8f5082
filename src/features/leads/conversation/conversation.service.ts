// Closes, reopens and snoozes conversations, and marks them as unread. Statements that record messages change conversations too:
// record-messages.sql.ts, filled-messages.sql.ts and intake's fast path.

import type { Database } from '../../../platform/database/database.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { conflictingField, invalidField } from '../../../platform/errors.js';
import { parseInput, uuid } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { takeTurn, TenantSweep } from '../../../platform/jobs/tenant-sweep.js';
import type { Transaction, Transactor } from '../../../platform/database/transaction.js';
import type { LeadContent, SeenMessage } from '../lead-content.js';
import { snoozeUntilSchema } from '../lead.schema.js';
import { lockLead, setUnreadCount, type LeadRow } from '../lead.sql.js';
import { isSameState } from './conversation-state.js';
import {
  emitConversationChanged,
  endSnoozes,
  hasWritten,
  selectTenantsWithEndedSnoozes,
  setConversationStatus,
  type ChangedConversation,
} from './conversation.sql.js';

export interface ConversationOptions {
  database: Database;
  transactor: Transactor;
  content: LeadContent;
  log: Logger;
  /** The interval between searches for snoozes that are over, in milliseconds. */
  sweepIntervalMs: number;
}

const snoozesPerTransaction = 500;

export class ConversationService {
  /** Ends snoozes. Every worker may run it: each snooze ends once. */
  readonly sweep: TenantSweep;

  constructor(private readonly options: ConversationOptions) {
    const { database, log, sweepIntervalMs: intervalMs } = options;
    this.sweep = new TenantSweep({
      what: 'snoozed conversations',
      intervalMs,
      listTenants: () => database.query<{ tenantId: string }>(selectTenantsWithEndedSnoozes),
      work: (tenantId) => takeTurn(() => this.endSnoozes(tenantId)),
      log,
    });
  }

  /** Closes a conversation. Safe to repeat. Emits CONVERSATION_STATUS_CHANGED. @throws AppError NOT_FOUND */
  close(principal: Principal | undefined, leadId: string): Promise<LeadRow> {
    return this.setStatus(principal, leadId, { status: 'CLOSED', snoozedUntil: null });
  }

  /** Opens a conversation that is closed or snoozed. Safe to repeat. Emits CONVERSATION_STATUS_CHANGED. @throws AppError NOT_FOUND */
  reopen(principal: Principal | undefined, leadId: string): Promise<LeadRow> {
    return this.setStatus(principal, leadId, { status: 'OPEN', snoozedUntil: null });
  }

  /**
   * Puts a conversation aside until a time within a year; then, or with an inbound message, it is open again. Another time replaces the
   * first. Safe to repeat. Emits CONVERSATION_STATUS_CHANGED.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED on `until`
   */
  async snooze(principal: Principal | undefined, leadId: string, until: Date): Promise<LeadRow> {
    const snoozedUntil = parseInput(snoozeUntilSchema, until, 'until');
    return this.setStatus(principal, leadId, { status: 'SNOOZED', snoozedUntil });
  }

  /**
   * Puts a conversation aside like `snooze`, to come back only if the lead has not written until then: a message of the lead opens it and
   * ends the reminder. A reply to our newest answer that nobody has read has ended it already: the lead stays as it is. A reminder and a
   * snooze replace each other. Safe to repeat. Emits CONVERSATION_STATUS_CHANGED.
   * @param expectedLastMessageId the newest message that the caller has seen
   * @throws AppError NOT_FOUND; VALIDATION_FAILED on `at` or `expectedLastMessageId`; CONFLICT if the lead has written after that message
   */
  async remindIfNoReply(
    principal: Principal | undefined,
    leadId: string,
    at: Date,
    expectedLastMessageId?: string | null,
  ): Promise<LeadRow> {
    const snoozedUntil = parseInput(snoozeUntilSchema, at, 'at');
    const expected = parseInput(uuid.nullish(), expectedLastMessageId, 'expectedLastMessageId') ?? null;
    const reminder = { status: 'SNOOZED', snoozedUntil, isReminder: true } as const;
    return this.setStatus(principal, leadId, reminder, async (tx, lead) => {
      if (expected === null) return hasUnreadReply(lead);
      const { countAfter } = this.options.content.messages;
      const [seen] = await tx.query<SeenMessage>(countAfter, [tx.tenantId, lead.id, expected, 1]);
      if (seen == null || seen.position === null)
        throw invalidField('expectedLastMessageId', 'is no message of this lead');
      if (seen.unread > 0)
        throw conflictingField('expectedLastMessageId', 'is not the newest: the lead has written since');
      return false;
    });
  }

  /**
   * Makes the newest inbound message unread, where none is. A lead that never wrote stays as it is. Safe to repeat. Emits LEAD_UPDATED.
   * @throws AppError NOT_FOUND
   */
  async markUnread(principal: Principal | undefined, leadId: string): Promise<LeadRow> {
    const user = requireUser(principal);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const lead = await lockLead(tx, leadId);
      if (lead.unreadCount > 0) return lead;
      const written = await tx.query(hasWritten(this.options.content.messages), [tx.tenantId, lead.id]);
      if (written.length === 0) return lead;
      tx.emit({
        type: 'LEAD_UPDATED',
        leadId: lead.id,
        data: { change: 'UNREAD', unreadCount: 1, userId: user.userId },
      });
      const [changed] = await tx.query<LeadRow>(setUnreadCount, [tx.tenantId, lead.id, 1]);
      return changed ?? lead;
    });
  }

  private async setStatus(
    principal: Principal | undefined,
    leadId: string,
    wanted: ChangedConversation,
    isOverridden?: (tx: Transaction, lead: LeadRow) => Promise<boolean>,
  ): Promise<LeadRow> {
    const user = requireUser(principal);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const lead = await lockLead(tx, leadId);
      if ((await isOverridden?.(tx, lead)) === true) return lead;
      const { status, snoozedUntil, isReminder = false } = wanted;
      if (isSameState(lead, { conversationStatus: status, snoozedUntil, isReminder })) return lead;
      const values = [tx.tenantId, lead.id, status, snoozedUntil, isReminder];
      const [changed] = await tx.query<LeadRow>(setConversationStatus, values);
      emitConversationChanged(tx, lead.id, wanted, { reason: 'USER', userId: user.userId });
      return changed ?? lead;
    });
  }

  /** @returns whether there may be more */
  private async endSnoozes(tenantId: string): Promise<boolean> {
    return this.options.transactor.run(tenantId, async (tx) => {
      const ended = await tx.query<{ leadId: string }>(endSnoozes, [tenantId, snoozesPerTransaction]);
      const open = { status: 'OPEN', snoozedUntil: null } as const;
      for (const { leadId } of ended) emitConversationChanged(tx, leadId, open, { reason: 'SNOOZE_ENDED' });
      return ended.length === snoozesPerTransaction;
    });
  }
}

/** Returns whether the newest message is a reply to an answer of ours, and nobody has read it. */
function hasUnreadReply({ unreadCount, lastInboundPosition, lastAnswerPosition }: LeadRow): boolean {
  if (unreadCount === 0 || lastAnswerPosition === null || lastInboundPosition === null) return false;
  return BigInt(lastInboundPosition) > BigInt(lastAnswerPosition);
}
