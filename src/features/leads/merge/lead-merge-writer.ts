// Merges one lead into another, and undoes a merge, in a transaction that holds the tenant's merges and the locks of both leads.
// find-or-create.ts and lead-merge.service.ts decide which leads are one person.

import { notFound } from '../../../platform/errors.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { isLeftOut } from '../../../platform/input/input.js';
import { lockTenant } from '../../tenants/tenant.sql.js';
import {
  isSameState,
  joinStates,
  keptState,
  openState,
  type ConversationState,
} from '../conversation/conversation-state.js';
import { keepAssignments } from '../assignments/lead-assignment.sql.js';
import { emitAssigned } from '../changes/lead-change-rules.js';
import { emitConversationChanged } from '../conversation/conversation.sql.js';
import { hasPlaceholderName } from '../identity/lead-identity.js';
import type { LeadIdentity } from '../../../providers/reported.js';
import { judgeNumber } from '../../../platform/phone-numbers/number-validity.js';
import type { LeadContent, LeadRows } from '../lead-content.js';
import { mergedTexts, pickFields, type LeadRow } from '../lead-fields.js';
import { labelsToTake, withLabels, withoutGained, type Labels } from '../lead-labels.js';
import {
  countInbound,
  insertLeadMerge,
  keepInboundCount,
  markMergeUndone,
  moveListedRows,
  moveMergedLeads,
  moveRows,
  moveRowsByKey,
  returnMergedLeads,
  returnRows,
  selectLeadStates,
  writeLeadState,
} from './lead-merge.sql.js';

type MergedTexts = Pick<LeadRow, (typeof mergedTexts)[number]>;

/** A lead as a merge sees it. */
export interface LeadState extends Labels, ConversationState, MergedTexts {
  id: string;
  name: string;
  chat: string | null;
  assigneeId: string | null;
  unreadCount: number;
  lastInboundPosition: string | null;
  /** The oldest first. */
  identities: LeadIdentity[];
}

/** `identity`: one call named identities of both; `user`: a user merged them. */
export type MergeCause = { reason: 'identity' } | { reason: 'user'; userId: string };

type LeadFields = Pick<LeadState, 'name' | 'chat' | 'assigneeId'> & MergedTexts;

/** The state before a merge, as `lead_merges.before` keeps it. */
export interface BeforeMerge {
  survivor: LeadFields & ConversationState & { unreadCount: number };
  merged: LeadFields & ConversationState & { unreadCount: number };
  /** The fields that the survivor took over, with the new values. */
  taken: Partial<LeadFields>;
  /** The tags and custom fields that the survivor lacked. */
  gained: Labels;
  /** Leads that had been merged into the merged one. */
  led: string[];
  /** The number of inbound messages that the survivor has with those of the merged lead. */
  inbound: number;
}

/** A merge that can be undone. */
export interface UndoableMerge {
  id: string;
  survivorId: string;
  mergedId: string;
  /** Messages that came after the merge have higher positions. */
  position: string;
  /** Rows that came after the merge are not older. */
  since: Date;
  before: BeforeMerge;
}

/** The rows of a lead that belong to this module. Identities are remembered as `KIND:match_key`. */
const ownRows: readonly LeadRows[] = [
  { table: 'lead_touches', key: 'id', listedIn: 'touch_ids', makesList: true },
  { table: 'lead_notes', key: 'id', listedIn: 'note_ids', makesList: true },
  { table: 'lead_identities', key: "kind::text || ':' || match_key", listedIn: 'identities', makesList: true },
];

/**
 * Call it before locking leads for a merge or an opt-out. Merges of a tenant wait for each other, and claims of its messages wait for them.
 * While messages change their lead, and with it the number that they go to, no worker takes one.
 */
export async function holdMerges(tx: Transaction): Promise<void> {
  await tx.query(lockTenant, [tx.tenantId]);
}

/** Returns the current states of leads, by id. They are exact once the leads are locked. */
export async function readLeadStates(tx: Transaction, ids: readonly string[]): Promise<Map<string, LeadState>> {
  const states = await tx.query<LeadState>(selectLeadStates, [tx.tenantId, ids]);
  return new Map(states.map((state) => [state.id, state]));
}

export class LeadMergeWriter {
  /**
   * The rows that follow a lead, in the order of their locks: messages before those that wait to be sent. The result of a send takes the
   * same order.
   */
  private readonly rows: readonly LeadRows[];

  constructor(private readonly content: LeadContent) {
    this.rows = [content.messages.rows, content.outbox.rows, ...ownRows];
  }

  /**
   * Gives the survivor everything of the merged lead, which only points to it from then on. Keeps the state before, so that the merge can
   * be undone. The survivor takes over what it lacks: a number, an assignee, a given name, texts, tags, custom fields. Emits
   * CONVERSATION_STATUS_CHANGED where the merged lead's conversation opens that of the survivor, and LEAD_ASSIGNED where the survivor gets
   * an assignee. Emits MESSAGE_STATUS_CHANGED for messages that the survivor would get twice of a bulk send.
   * @returns the survivor after the merge
   */
  async merge(tx: Transaction, survivor: LeadState, merged: LeadState, cause: MergeCause): Promise<LeadState> {
    const mergeId = newRecordId();
    const way = [tx.tenantId, merged.id, survivor.id];
    const led = await tx.query<{ id: string }>(moveMergedLeads, way);
    const taken = fieldsToTake(survivor, merged);
    const gained = labelsToTake(survivor, merged);
    const fields = { survivor: fieldsOf(survivor), merged: fieldsOf(merged), taken, gained };
    const before: Omit<BeforeMerge, 'inbound'> = { ...fields, led: led.map(({ id }) => id) };
    const userId = cause.reason === 'user' ? cause.userId : null;
    const values = [tx.tenantId, mergeId, survivor.id, merged.id, cause.reason, userId, JSON.stringify(before)];
    await tx.query(insertLeadMerge, values);
    for (const rows of this.rows)
      await (rows.makesList ? tx.query(moveListedRows(rows), [...way, mergeId]) : tx.query(moveRows(rows), way));
    await this.content.consent.follow(tx, survivor.id, merged.id);
    await this.content.outbox.endDoubles(tx, [survivor.id]);
    const conversation = joinStates(survivor, merged);
    const after: LeadState = {
      ...survivor,
      ...taken,
      ...withLabels(survivor, gained),
      ...conversation,
      unreadCount: survivor.unreadCount + merged.unreadCount,
      identities: [...survivor.identities, ...merged.identities],
    };
    await this.write(tx, after, null);
    await this.write(tx, { ...merged, ...openState, unreadCount: 0 }, survivor.id);
    announceChange(tx, survivor, after, 'MERGE');
    await tellAssignee(tx, survivor, after, userId);
    await tx.query(keepInboundCount(this.content.messages), [tx.tenantId, survivor.id, mergeId]);
    return after;
  }

  /**
   * Gives the merged lead back the rows that the merge moved and the survivor still has. Both leads get back their fields where these are
   * as the merge left them. Everything that came after the merge stays with the survivor; an opt-out counts for both. Emits
   * CONVERSATION_STATUS_CHANGED where the survivor's conversation gets its state back, LEAD_ASSIGNED where it gets its assignee back, and
   * nothing else.
   */
  async separate(tx: Transaction, merge: UndoableMerge, userId: string): Promise<void> {
    const { survivorId, mergedId, before } = merge;
    const held = await readLeadStates(tx, [survivorId, mergedId]);
    const unread = await this.unreadToReturn(tx, stateOf(held, survivorId), merge);
    const way = [tx.tenantId, survivorId, mergedId];
    for (const rows of this.rows) await tx.query(returnRows(rows), [...way, merge.id]);
    await this.content.consent.separate(tx, { survivorId, mergedId, ledIds: before.led, since: merge.since });
    await tx.query(returnMergedLeads, [...way, before.led]);
    const left = stateOf(await readLeadStates(tx, [survivorId]), survivorId);
    const unreadCount = left.unreadCount - unread;
    const { tags, customFields } = withoutGained(left, before.gained);
    const conversation = conversationToRestore(left, merge);
    const fields = { ...fieldsToRestore(left, before), ...conversation };
    const restored = { ...left, ...fields, tags, customFields, unreadCount };
    await this.write(tx, restored, null);
    await this.write(tx, { ...stateOf(held, mergedId), ...keptState(before.merged), unreadCount: unread }, null);
    announceChange(tx, left, restored, 'MERGE_UNDONE');
    await tellAssignee(tx, left, restored, userId);
    await tx.query(markMergeUndone, [tx.tenantId, merge.id]);
  }

  /** Gives messages that a merge missed, with their outbox entries, to other leads. */
  async moveMessages(tx: Transaction, messageIds: readonly string[], leadIds: readonly string[]): Promise<void> {
    const { messages, outbox } = this.content;
    for (const { rows } of [messages, outbox]) await tx.query(moveRowsByKey(rows), [tx.tenantId, messageIds, leadIds]);
  }

  private async write(
    tx: Transaction,
    lead: Omit<LeadState, 'identities' | 'lastInboundPosition'>,
    mergedIntoId: string | null,
  ) {
    const { id, name, chat, assigneeId, unreadCount, tags, customFields } = lead;
    const { conversationStatus, snoozedUntil, isReminder } = lead;
    const values = [tx.tenantId, id, name, chat, assigneeId, unreadCount, mergedIntoId];
    const others = [tags, JSON.stringify(customFields), judgeNumber(chat)];
    const conversation = [conversationStatus, snoozedUntil, isReminder];
    const texts = mergedTexts.map((field) => lead[field]);
    await tx.query(writeLeadState(this.content.messages), [...values, ...others, ...conversation, ...texts]);
  }

  // The database knows only how many messages are unread, and that these are the newest. Unless a user has read the conversation since the
  // merge, they are as many as both leads had and as came since.
  private async unreadToReturn(tx: Transaction, survivor: LeadState, { id, before }: UndoableMerge): Promise<number> {
    const values = [tx.tenantId, survivor.id, survivor.unreadCount, id];
    const [counts] = await tx.query<{ inbound: number; unreadAmong: number }>(
      countInbound(this.content.messages),
      values,
    );
    const { inbound, unreadAmong } = counts ?? { inbound: 0, unreadAmong: 0 };
    const unreadWithoutReading = before.survivor.unreadCount + before.merged.unreadCount + inbound - before.inbound;
    const wasRead = survivor.unreadCount < unreadWithoutReading;
    return wasRead ? unreadAmong : Math.min(survivor.unreadCount, before.merged.unreadCount);
  }
}

/** @throws AppError NOT_FOUND for a lead that is gone */
export function stateOf(states: ReadonlyMap<string, LeadState>, id: string): LeadState {
  const state = states.get(id);
  if (state === undefined) throw notFound('lead');
  return state;
}

function fieldsToTake(survivor: LeadState, merged: LeadState): Partial<LeadFields> {
  const chat = survivor.chat ?? merged.chat;
  const name = nameToTake(survivor, merged) ?? survivor.name;
  const assigneeId = survivor.assigneeId ?? merged.assigneeId;
  return {
    ...(name !== survivor.name && { name }),
    ...(chat !== survivor.chat && { chat }),
    ...(assigneeId !== survivor.assigneeId && { assigneeId }),
    ...pickFields(
      merged,
      mergedTexts.filter((field) => isLeftOut(survivor[field]) && !isLeftOut(merged[field])),
    ),
  };
}

// A given name of the survivor stays. Else the other's given name counts more than a number, and a number more than a word for a hidden
// one.
function nameToTake(survivor: LeadState, merged: LeadState): string | null {
  if (!hasPlaceholderName(survivor)) return null;
  if (!hasPlaceholderName(merged)) return merged.name;
  return survivor.chat ?? merged.chat;
}

function fieldsToRestore(survivor: LeadState, { survivor: was, taken }: BeforeMerge): Partial<LeadFields> {
  return {
    ...(taken.name !== undefined && taken.name === survivor.name && { name: was.name }),
    // A number that the survivor has learned since stays.
    ...(taken.chat !== undefined && taken.chat === survivor.chat && { chat: was.chat ?? numberOf(survivor) }),
    ...(taken.assigneeId !== undefined && taken.assigneeId === survivor.assigneeId && { assigneeId: was.assigneeId }),
    ...pickFields(
      was,
      mergedTexts.filter((field) => taken[field] !== undefined && taken[field] === survivor[field]),
    ),
  };
}

// A survivor whose conversation was changed since the merge, or who has written since, keeps it as it is.
function conversationToRestore(survivor: LeadState, { position, before }: UndoableMerge): ConversationState {
  const [was, joined] = [keptState(before.survivor), joinStates(keptState(before.survivor), keptState(before.merged))];
  const { lastInboundPosition } = survivor;
  const hasWrittenSince = lastInboundPosition !== null && BigInt(lastInboundPosition) > BigInt(position);
  return isSameState(survivor, joined) && !hasWrittenSince ? was : keptState(survivor);
}

function announceChange(tx: Transaction, before: LeadState, after: LeadState, reason: 'MERGE' | 'MERGE_UNDONE'): void {
  if (isSameState(before, after)) return;
  const { conversationStatus: status, snoozedUntil, isReminder } = after;
  const until = snoozedUntil === null ? null : new Date(snoozedUntil);
  emitConversationChanged(tx, after.id, { status, snoozedUntil: until, isReminder }, { reason });
}

/** Emits LEAD_ASSIGNED where the assignee is another, and keeps what a user did. */
async function tellAssignee(
  tx: Transaction,
  before: LeadState,
  { assigneeId }: LeadState,
  userId: string | null,
): Promise<void> {
  if (assigneeId === before.assigneeId) return;
  emitAssigned(tx, before, { assigneeId, userId });
  if (userId !== null) await keepAssignments(tx, userId, [{ leadId: before.id, assigneeId }]);
}

function numberOf({ identities }: LeadState): string | null {
  return identities.find(({ kind }) => kind === 'PHONE')?.value ?? null;
}

function fieldsOf({ name, chat, assigneeId, unreadCount, ...state }: LeadState): BeforeMerge['survivor'] {
  return { name, chat, assigneeId, unreadCount, ...pickFields(state, mergedTexts), ...keptState(state) };
}
