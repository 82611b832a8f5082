// Finds or creates leads by identity (find-or-create.ts), finds them by id, and records the effects of messages on them. Lists belong to
// lead-list.service.ts, changes by operators to lead-record.service.ts, merges on request to lead-merge.service.ts.

import type { Database, Prisma } from '../../platform/database/database.js';
import { isUuid } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { findOrCreateLeads, type FindOrCreateParts } from './identity/find-or-create.js';
import type { FoundLead, LeadContact } from './identity/lead-contact.js';
import {
  emitConversationChanged,
  lockAnsweredLeads,
  lockLeadsToRecount,
  recountConversations,
} from './conversation/conversation.sql.js';
import {
  filledMessageColumns,
  recordFilledMessages,
  type FilledLead,
  type FilledMessage,
} from './conversation/filled-messages.sql.js';
import {
  leadMessagesColumns,
  recordLeadMessages,
  type LeadMessages,
  type UnfinishedLead,
} from './conversation/record-messages.sql.js';
import type { MessageKind, MessagesOfLead } from './lead-content.js';
import type { LeadBody } from './lead.schema.js';
import { insertLeadTouches } from './identity/find-or-create.sql.js';
import { labelNewLeads } from './files/lead-import.sql.js';
import type { Labels } from './lead-labels.js';
import { selectLeadsByIds, type LeadRow } from './lead.sql.js';
import {
  insertReferralTouches,
  referralTouchColumns,
  selectAdNames,
  selectFirstReferrals,
  type FirstReferralRow,
  type ReferralTouch,
} from './referrals/referral.sql.js';

export type { FoundLead, LeadContact } from './identity/lead-contact.js';
export type { IntakeLead } from './lead-fields.js';
export type { LeadRow } from './lead.sql.js';

export type LeadIdentityRow = Prisma.LeadIdentityGetPayload<object>;

/** A written message, with the facts that its lead needs. */
export interface RecordedMessage {
  leadId: string;
  messageId: string;
  /** True for an inbound message that is no notice. */
  unread: boolean;
  /** True for a notice, which nobody wrote: nothing of the conversation changes. */
  isNotice?: boolean;
  /** True where an outbound message answers the lead. Where left out, every message but a bulk one answers. Automatic texts do not. */
  answers?: boolean;
  position: string;
  /** True for a message of a history, which stands where it was written. Others stand behind all that were recorded before. */
  isPast?: boolean;
}

const openConversation = { status: 'OPEN', snoozedUntil: null } as const;

export class LeadService {
  constructor(
    private readonly database: Database,
    private readonly parts: FindOrCreateParts,
    private readonly messages: MessagesOfLead,
  ) {}

  /**
   * Returns one lead for each contact, in their order. Contacts who share an identity are one person and get the same lead, and so do
   * simultaneous calls. A known lead gains the identities that it lacks, and a number where it had none. The network's name replaces a name
   * that was only made from the number. Known leads that turn out to be one person are merged, unless a user has undone a merge of them.
   * Then the contact's first known identity decides. Emits LEAD_CREATED and LEAD_UPDATED. Safe to repeat. One statement where nothing is
   * new, and, but for merges, a fixed number otherwise.
   * @throws AppError UNAVAILABLE when too many transactions change the same leads at once
   */
  async findOrCreate(tx: Transaction, contacts: readonly LeadContact[], defaultSource: string): Promise<FoundLead[]> {
    return findOrCreateLeads(tx, this.parts, contacts, defaultSource);
  }

  /**
   * Keeps `lastMessageId`, `unreadCount` and the state of the conversation up to date. Call it for every message, in the transaction that
   * writes it, after the message and its outbox entry. A message of a lead that was merged meanwhile is moved to the survivor. Emits
   * CONVERSATION_STATUS_CHANGED for conversations that an inbound message opens. It locks the leads. If another message of a lead was
   * recorded while these were written, they get positions behind it.
   * @param kind `bulk`: the messages become `lastBulkMessageId`, and their leads stay where they are in the inbox
   * @returns the messages that were moved, with the leads they have now; usually none
   */
  async recordMessages(
    tx: Transaction,
    messages: readonly RecordedMessage[],
    kind: MessageKind = 'single',
  ): Promise<Map<string, string>> {
    const changes = Array.from(
      Map.groupBy(messages, ({ leadId }) => leadId),
      (own) => changeOf(own, kind),
    );
    if (changes.length === 0) return new Map();
    const values = [tx.tenantId, kind === 'bulk', ...leadMessagesColumns.valuesOf(changes)];
    const unfinished = await tx.query<UnfinishedLead>(recordLeadMessages, values);
    if (unfinished.length === 0) return new Map();
    for (const { leadId, isReopened } of unfinished)
      if (isReopened) emitConversationChanged(tx, leadId, openConversation, { reason: 'MESSAGE' });
    await this.recount(
      tx,
      unfinished.flatMap(({ leadId, isUncounted }) => (isUncounted ? [leadId] : [])),
    );
    await this.placeBehind(tx, messages, kind, unfinished);
    const merged = unfinished.flatMap(({ leadId, survivorId }) =>
      survivorId === null ? [] : [{ leadId, survivorId }],
    );
    return merged.length === 0 ? new Map() : this.followMerges(tx, messages, kind, merged);
  }

  // Records the messages of leads that got another message meanwhile. The leads are locked by now, so they get no further one.
  private async placeBehind(
    tx: Transaction,
    messages: readonly RecordedMessage[],
    kind: MessageKind,
    unfinished: readonly UnfinishedLead[],
  ): Promise<void> {
    const newest = new Map(
      unfinished.flatMap(({ leadId, newestPosition }) => (newestPosition === null ? [] : [[leadId, newestPosition]])),
    );
    const overtaken = messages.filter(({ leadId }) => newest.has(leadId));
    if (overtaken.length === 0) return;
    const late = overtaken.filter(({ isPast }) => isPast !== true);
    const placed = await tx.query<{ messageId: string; position: string }>(this.messages.placeLast, [
      tx.tenantId,
      late.map(({ messageId }) => messageId),
      late.map(({ leadId }) => leadId),
      late.map(({ leadId }) => newest.get(leadId)),
    ]);
    const positions = new Map(placed.map(({ messageId, position }) => [messageId, position]));
    await this.recordMessages(
      tx,
      overtaken.map((message) => ({ ...message, position: positions.get(message.messageId) ?? message.position })),
      kind,
    );
  }

  /** Makes a touch of each message that came through an ad, post or product. Call it after `recordMessages`. Safe to repeat. */
  async recordReferrals(tx: Transaction, touches: readonly ReferralTouch[]): Promise<void> {
    if (touches.length > 0)
      await tx.query(insertReferralTouches, [tx.tenantId, ...referralTouchColumns.valuesOf(touches)]);
  }

  /**
   * Computes the conversations of leads from their messages, where one of these may have been an answer. Call it after messages were
   * canceled or failed, in that transaction. Safe to repeat.
   */
  async withdrawAnswers(tx: Transaction, ended: readonly { id: string; leadId: string }[]): Promise<void> {
    if (ended.length === 0) return;
    const leadIds = ended.map(({ leadId }) => leadId);
    const messageIds = ended.map(({ id }) => id);
    const answered = await tx.query<{ id: string }>(lockAnsweredLeads(this.messages), [
      tx.tenantId,
      leadIds,
      messageIds,
    ]);
    await this.recount(
      tx,
      answered.map(({ id }) => id),
    );
  }

  /** Computes conversations like `withdrawAnswers`, after failed messages were delivered after all, or are to be sent again. */
  async restoreAnswers(tx: Transaction, messages: readonly { leadId: string }[]): Promise<void> {
    if (messages.length === 0) return;
    const leadIds = [...new Set(messages.map(({ leadId }) => leadId))];
    await this.hold(tx, leadIds);
    await this.recount(tx, leadIds);
  }

  /**
   * Records that messages which came without their content have it now. A text that nobody can have seen is unread again. It opens its
   * conversation, which waits unless it was answered since. Call it in the transaction that fills them, with every message once. Emits
   * LEAD_UPDATED for leads with more unread messages, and CONVERSATION_STATUS_CHANGED for conversations that are open again.
   */
  async recordFilled(tx: Transaction, messages: readonly FilledMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const values = [tx.tenantId, ...filledMessageColumns.valuesOf(messages)];
    const rows = await tx.query<FilledLead>(recordFilledMessages(this.messages), values);
    for (const { leadId, unreadCount, isUnread, isReopened } of rows) {
      if (isUnread) tx.emit({ type: 'LEAD_UPDATED', leadId, data: { change: 'UNREAD', unreadCount, userId: null } });
      if (isReopened) emitConversationChanged(tx, leadId, openConversation, { reason: 'MESSAGE' });
    }
  }

  /** Locks leads in the order of their ids, until the transaction ends. */
  async hold(tx: Transaction, leadIds: readonly string[]): Promise<void> {
    if (leadIds.length > 0) await tx.query(lockLeadsToRecount, [tx.tenantId, [...new Set(leadIds)]]);
  }

  private async recount(tx: Transaction, leadIds: readonly string[]): Promise<void> {
    if (leadIds.length > 0) await tx.query(recountConversations(this.messages), [tx.tenantId, leadIds]);
  }

  private async followMerges(
    tx: Transaction,
    messages: readonly RecordedMessage[],
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
    await this.parts.merger.moveMessages(tx, ids, leadIds);
    const movedOn = await this.recordMessages(tx, moved, kind);
    return new Map([...moved.map(({ messageId, leadId }) => [messageId, leadId] as const), ...movedOn]);
  }

  /** Finds a lead by its id. The id of a merged lead gives its survivor. @returns null for an id that names no lead of the tenant */
  async find(principal: Principal | undefined, id: string): Promise<LeadRow | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const lead = await this.database.prisma.lead.findUnique({ where: { tenantId_id: { tenantId, id } } });
    return lead === null || lead.mergedIntoId === null ? lead : this.find(principal, lead.mergedIntoId);
  }

  /** Lists the identities of leads, the oldest first, in one statement. */
  async listIdentities(principal: Principal, leadIds: readonly string[]): Promise<LeadIdentityRow[]> {
    return this.database.prisma.leadIdentity.findMany({
      where: { tenantId: principal.tenantId, leadId: { in: [...leadIds] } },
      orderBy: [{ createdAt: 'asc' }, { kind: 'asc' }, { matchKey: 'asc' }],
    });
  }

  /** Lists the oldest referral of each lead, in one statement; leads without any are left out. */
  async listFirstReferrals(principal: Principal, leadIds: readonly string[]): Promise<FirstReferralRow[]> {
    return this.database.query(selectFirstReferrals, [principal.tenantId, leadIds]);
  }

  /** Lists the headlines of ads by their source ids, in one statement; ads without one are left out. */
  async listAdNames(principal: Principal, sourceIds: readonly string[]): Promise<{ id: string; name: string }[]> {
    return this.database.query(selectAdNames, [principal.tenantId, sourceIds]);
  }

  /** Lists leads by id, in one statement, for batched reads. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<LeadRow[]> {
    return this.database.query(selectLeadsByIds, [principal.tenantId, ids]);
  }
}

function changeOf([leadId, messages]: [string, RecordedMessage[]], kind: MessageKind): LeadMessages {
  const inOrder = messages.toSorted((one, other) => comparePositions(one, other));
  const written = inOrder.filter(({ isNotice }) => isNotice !== true);
  const inbound = written.filter(({ unread }) => unread);
  const answers = written.filter(({ unread, answers: does = kind !== 'bulk' }) => !unread && does);
  return {
    leadId,
    newestId: written.at(-1)?.messageId ?? null,
    newestPosition: written.at(-1)?.position ?? null,
    unread: inbound.length,
    newestInboundId: inbound.at(-1)?.messageId ?? null,
    newestInboundPosition: inbound.at(-1)?.position ?? null,
    oldestInboundPosition: inbound[0]?.position ?? null,
    answerPosition: answers.at(-1)?.position ?? null,
    livePosition: inOrder.find(({ isPast }) => isPast !== true)?.position ?? null,
  };
}

function comparePositions(one: RecordedMessage, other: RecordedMessage): number {
  const [first, second] = [BigInt(one.position), BigInt(other.position)];
  if (first === second) return one.messageId < other.messageId ? -1 : 1;
  return first < second ? -1 : 1;
}

/** A posting, with the labels that its lead gets where it is new. */
export type LabelledLeadBody = LeadBody & Partial<Labels>;

export class LeadIntakeService {
  constructor(private readonly leads: LeadService) {}

  /**
   * Returns a lead for each posting, in their order; an existing one comes back unchanged. Safe to repeat, but for the touch. Tags and
   * custom fields go to new leads. A known lead keeps its own, and its touch keeps the given ones.
   * @param defaultSource the source where neither the posting nor the tenant names one
   */
  async receive(tx: Transaction, postings: readonly LabelledLeadBody[], defaultSource: string): Promise<FoundLead[]> {
    if (postings.length === 0) return [];
    const contacts = postings.map((posting) => ({
      ...posting,
      identities: [{ kind: 'PHONE', value: posting.chat }] as const,
      keepsName: true,
    }));
    const found = await this.leads.findOrCreate(tx, contacts, defaultSource);
    await tx.query(insertLeadTouches, [
      tx.tenantId,
      postings.map(() => newRecordId()),
      found.map(({ lead }) => lead.id),
      postings.map(({ source }) => source ?? null),
      postings.map((posting, index) => touchMetadata(posting, found[index]?.created === true)),
      defaultSource,
    ]);
    await labelNew(tx, postings, found);
    return found;
  }
}

function touchMetadata({ metadata, tags, customFields }: LabelledLeadBody, isNew: boolean): string | null {
  const kept = isNew || (tags ?? customFields) === undefined ? metadata : { ...metadata, tags, customFields };
  return kept === undefined ? null : JSON.stringify(kept);
}

async function labelNew(
  tx: Transaction,
  postings: readonly LabelledLeadBody[],
  found: readonly FoundLead[],
): Promise<void> {
  const labelled = found.flatMap(({ lead, created }, index) => {
    const { tags, customFields } = postings[index] ?? {};
    return created && (tags ?? customFields) !== undefined ? [{ id: lead.id, tags, customFields }] : [];
  });
  if (labelled.length === 0) return;
  await tx.query(labelNewLeads, [
    tx.tenantId,
    labelled.map(({ id }) => id),
    labelled.map(({ tags }) => JSON.stringify(tags ?? [])),
    labelled.map(({ customFields }) => JSON.stringify(customFields ?? {})),
  ]);
}
