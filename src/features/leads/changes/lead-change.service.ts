// Changes many leads in one transaction by the rules of the changes of one, with the same events. Leads are locked in the order of their
// ids, and a lead that may not change so is left as it is.

import { RunAgain, type Transaction } from '../../../platform/database/transaction.js';
import { holdActiveUsers } from '../../users/user.sql.js';
import { keepAssignments } from '../assignments/lead-assignment.sql.js';
import { emitConversationChanged } from '../conversation/conversation.sql.js';
import {
  changedPart,
  isAsLeft,
  isSamePart,
  keptPart,
  partOf,
  partToRestore,
  type ChangeableLead,
  type LeadChange,
  type LeadPart,
} from './lead-change.js';
import {
  lockChangeableLeads,
  selectCurrentLeads,
  setAssignees,
  setConversationStatuses,
  setTags,
} from './lead-change.sql.js';
import { emitAssigned, emitFieldsChanged, requireActiveUser } from './lead-change-rules.js';

export type { LeadChange, LeadPart } from './lead-change.js';

/** The outcome of a change for a lead: `refused` where a rule forbids it. */
export type LeadOutcome =
  | { outcome: 'changed'; leadId: string; before: LeadPart; after: LeadPart }
  | { outcome: 'unchanged' | 'refused'; leadId: string };

/** A lead that was changed, with its part before and after. */
export interface KeptLead {
  leadId: string;
  before: LeadPart;
  after: LeadPart;
}

interface PartWrite {
  lead: ChangeableLead;
  after: LeadPart;
}

export class LeadChangeService {
  /** @throws AppError NOT_FOUND for an assignee whom the tenant does not have; VALIDATION_FAILED on `path` for a deactivated one */
  async requireAllowed(tx: Transaction, { assigneeId }: LeadChange, path: string): Promise<void> {
    if (assigneeId != null) await requireActiveUser(tx, assigneeId, path);
  }

  /**
   * Finds which leads these ids stand for: the id of a merged lead stands for its survivor.
   * @returns the lead's id by each id that names a lead of the tenant
   */
  async findCurrent(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await tx.query<{ wantedId: string; leadId: string }>(selectCurrentLeads, [tx.tenantId, ids]);
    return new Map(rows.map(({ wantedId, leadId }) => [wantedId, leadId]));
  }

  /**
   * Changes leads, those that were merged meanwhile by their survivors. Safe to repeat. Emits the events of the changes of one.
   * @returns what became of each, by the given id; ids of leads that are gone are left out
   * @throws RunAgain where a lead was merged between two statements
   */
  async change(
    tx: Transaction,
    userId: string,
    ids: readonly string[],
    change: LeadChange,
  ): Promise<Map<string, LeadOutcome>> {
    const current = await this.findCurrent(tx, ids);
    const leads = await lockLeads(tx, [...new Set(current.values())]);
    const isAllowed = change.assigneeId == null || (await holdActive(tx, [change.assigneeId])).has(change.assigneeId);
    const outcomes = new Map<string, LeadOutcome>();
    const writes = new Map<string, PartWrite>();
    for (const wantedId of ids) {
      const leadId = current.get(wantedId);
      if (leadId === undefined) continue;
      const lead = leads.get(leadId);
      if (lead === undefined) throw new RunAgain('A lead was merged or erased meanwhile');
      const before = partOf(lead, change);
      const after = isAllowed ? changedPart(before, change) : undefined;
      if (after === undefined) outcomes.set(wantedId, { outcome: 'refused', leadId });
      else if (writes.has(leadId) || isSamePart(before, after))
        outcomes.set(wantedId, { outcome: 'unchanged', leadId });
      else {
        writes.set(leadId, { lead, after });
        outcomes.set(wantedId, { outcome: 'changed', leadId, before, after: keptPart(lead, after) });
      }
    }
    await write(tx, userId, [...writes.values()]);
    return outcomes;
  }

  /**
   * Gives leads back the part that a change took. A lead whose part is another by now stays as it is, and so does one that was merged, or
   * whose former assignee is deactivated; the state of a conversation also where the lead has written since. Safe to repeat. Emits the
   * events of the changes of one.
   * @returns the ids of the leads that are as before
   */
  async restore(tx: Transaction, userId: string, kept: readonly KeptLead[]): Promise<Set<string>> {
    const leads = await lockLeads(
      tx,
      kept.map(({ leadId }) => leadId),
    );
    const assignees = kept.flatMap(({ before }) => ('assigneeId' in before ? (before.assigneeId ?? []) : []));
    const active = await holdActive(tx, assignees);
    const writes = kept.flatMap(({ leadId, before, after }): PartWrite[] => {
      const lead = leads.get(leadId);
      if (lead === undefined || !isAsLeft(lead, after)) return [];
      if ('assigneeId' in before && before.assigneeId !== null && !active.has(before.assigneeId)) return [];
      return [{ lead, after: partToRestore(before) }];
    });
    await write(tx, userId, writes);
    return new Set(writes.map(({ lead }) => lead.id));
  }
}

async function lockLeads(tx: Transaction, ids: readonly string[]): Promise<Map<string, ChangeableLead>> {
  if (ids.length === 0) return new Map();
  const leads = await tx.query<ChangeableLead>(lockChangeableLeads, [tx.tenantId, ids]);
  return new Map(leads.map((lead) => [lead.id, lead]));
}

async function holdActive(tx: Transaction, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const users = await tx.query<{ id: string }>(holdActiveUsers, [tx.tenantId, [...new Set(userIds)]]);
  return new Set(users.map(({ id }) => id));
}

/** Writes parts that are all of one kind. */
async function write(tx: Transaction, userId: string, writes: readonly PartWrite[]): Promise<void> {
  if (writes.length === 0) return;
  const ids = writes.map(({ lead }) => lead.id);
  const parts = writes.map(({ after }) => after);
  for (const { lead, after } of writes) announce(tx, userId, lead, after);
  const assignments = parts.filter((part) => 'assigneeId' in part);
  if (assignments.length > 0) {
    await tx.query(setAssignees, [tx.tenantId, ids, assignments.map(({ assigneeId }) => assigneeId)]);
    const assigned = assignments.map(({ assigneeId }, index) => ({ leadId: ids[index] ?? '', assigneeId }));
    await keepAssignments(tx, userId, assigned);
    return;
  }
  const taggings = parts.filter((part) => 'tags' in part);
  if (taggings.length > 0) {
    await tx.query(setTags, [tx.tenantId, ids, taggings.map(({ tags }) => JSON.stringify(tags))]);
    return;
  }
  const conversations = parts.filter((part) => 'conversationStatus' in part);
  const statuses = conversations.map(({ conversationStatus }) => conversationStatus);
  const times = conversations.map(({ snoozedUntil }) => snoozedUntil);
  const reminders = conversations.map(({ isReminder = false }) => isReminder);
  await tx.query(setConversationStatuses, [tx.tenantId, ids, statuses, times, reminders]);
}

function announce(tx: Transaction, userId: string, lead: ChangeableLead, after: LeadPart): void {
  if ('assigneeId' in after) emitAssigned(tx, lead, { assigneeId: after.assigneeId, userId });
  else if ('tags' in after) emitFieldsChanged(tx, lead.id, { fields: ['tags'], userId });
  else {
    const { conversationStatus: status, snoozedUntil, isReminder = false } = after;
    const state = { status, snoozedUntil: snoozedUntil === null ? null : new Date(snoozedUntil), isReminder };
    emitConversationChanged(tx, lead.id, state, { reason: 'USER', userId });
  }
}
