// Changes that operators make to a lead: create, change, assign, mark as read, delete. Each change locks the lead's row and emits an event
// with the user in the same transaction. A change to a merged lead reaches its survivor. Notes belong to lead-note.service.ts.

import { AppError, invalidField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, withoutUndefined } from '../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { changedFields, type AuditService } from '../audit/audit.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { keepAssignments } from './assignments/lead-assignment.sql.js';
import { emitAssigned, emitFieldsChanged, requireActiveUser } from './changes/single-change.js';
import { eraseRefusedRows } from './files/lead-import.sql.js';
import type { ErasedIdentityService } from './identity/erased-identity.service.js';
import type { KnownContacts, LeadContent, SeenMessage } from './lead-content.js';
import type { LeadIntakeService } from './lead.service.js';
import { changeLabels, hasTooMany, type CustomFields, type LabelChange, type Labels } from './lead-labels.js';
import {
  createLeadSchema,
  maxCustomFields,
  maxTags,
  updateLeadSchema,
  type CreateLeadInput,
  type UpdateLeadInput,
} from './lead.schema.js';
import {
  deleteLeads,
  lockLead,
  lockLeadsToDelete,
  selectKnownContacts,
  setUnreadCount,
  updateLeadRecord,
  type LeadRow,
} from './lead.sql.js';
import { holdMerges } from './merge/lead-merger.js';

export interface LeadRecordOptions {
  transactor: Transactor;
  content: LeadContent;
  audit: AuditService;
  intake: LeadIntakeService;
  erasedIdentities: ErasedIdentityService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  /** Called in the transaction of an erasure. */
  onErase: (tx: Transaction) => Promise<void>;
  /** Called after the commit: `count` messages of the lead are read now, and none of them stands behind `upTo`. */
  onRead: (tenantId: string, read: { leadId: string; upTo: string; count: number }) => void;
}

/** The source of a lead that a user has typed in. */
const manualSource = 'manual';

export class LeadRecordService {
  constructor(private readonly options: LeadRecordOptions) {}

  /**
   * Finds or creates the lead of a number, like the intake: an existing one comes back unchanged, and the touch is recorded. Safe to
   * repeat, but for the touch. Emits LEAD_CREATED.
   * @throws AppError VALIDATION_FAILED; NOT_FOUND for an assignee whom the tenant does not have
   */
  async create(principal: Principal | undefined, input: CreateLeadInput): Promise<{ lead: LeadRow; created: boolean }> {
    const user = requireUser(principal);
    const schema = createLeadSchema(await this.options.tenants.findDefaultCountry(user.tenantId));
    const {
      country: _country,
      reading: _reading,
      assigneeId,
      tags,
      customFields,
      ...given
    } = parseInput(schema, input);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const posting = { ...given, source: given.source ?? manualSource, metadata: given.metadata ?? undefined };
      const [found] = await this.options.intake.receive(tx, [posting], manualSource);
      if (found === undefined) throw new Error('a posting without a lead');
      const lead = await lockLead(tx, found.lead.id);
      if (!found.created) return { lead, created: false };
      if (assigneeId != null) await requireActiveUser(tx, assigneeId, 'assigneeId');
      const written = {
        ...lead,
        ...changeLabels(labelsOf(lead), { tags, customFields }),
        assigneeId: assigneeId ?? null,
      };
      return { lead: await write(tx, written), created: true };
    });
  }

  /**
   * Changes fields, tags and custom fields. Safe to repeat. Emits LEAD_UPDATED with the names of the fields that changed.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED, also where the lead would get more tags or custom fields than it may have
   */
  async update(principal: Principal | undefined, id: string, input: UpdateLeadInput): Promise<LeadRow> {
    const user = requireUser(principal);
    const { name, source, ...labels } = parseInput(updateLeadSchema, input);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const before = await lockLead(tx, id);
      const after = { ...before, ...withoutUndefined({ name, source }), ...changeBounded(labelsOf(before), labels) };
      const changed = changedFields(fieldsOf(before), fieldsOf(after));
      if (changed === undefined) return before;
      emitFieldsChanged(tx, before.id, { fields: Object.keys(changed.after), userId: user.userId });
      return write(tx, after);
    });
  }

  /**
   * Assigns the lead to a user of the tenant, or takes the assignee away. Safe to repeat. Emits LEAD_ASSIGNED.
   * @throws AppError NOT_FOUND for the lead or the user, VALIDATION_FAILED for a deactivated user
   */
  async assign(principal: Principal | undefined, id: string, assigneeId: string | null): Promise<LeadRow> {
    const user = requireUser(principal);
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const before = await lockLead(tx, id);
      const wantedId = assigneeId === null ? null : await requireActiveUser(tx, assigneeId, 'userId');
      if (wantedId === before.assigneeId) return before;
      emitAssigned(tx, before, { assigneeId: wantedId, userId: user.userId });
      await keepAssignments(tx, user.userId, [{ leadId: before.id, assigneeId: wantedId }]);
      return write(tx, { ...before, assigneeId: wantedId });
    });
  }

  /**
   * Marks everything up to a message as read, the message included; without a message, everything. Later messages stay unread. Safe to
   * repeat, also with an older message. Emits LEAD_READ.
   * @throws AppError NOT_FOUND for the lead, or for a message that does not belong to it
   */
  async markRead(principal: Principal | undefined, id: string, upToMessageId?: string | null): Promise<LeadRow> {
    const user = requireUser(principal);
    const { before, after, upTo } = await this.options.transactor.run(user.tenantId, async (tx) => {
      const lead = await lockLead(tx, id);
      const all = { unread: 0, upTo: lead.lastInboundPosition };
      const { unread, upTo: last } = upToMessageId == null ? all : await this.countUnreadAfter(tx, lead, upToMessageId);
      if (unread === lead.unreadCount) return { before: lead, after: lead, upTo: last };
      const data = { unreadCount: unread, upToMessageId: upToMessageId ?? null, userId: user.userId };
      tx.emit({ type: 'LEAD_READ', leadId: lead.id, data });
      const [changed] = await tx.query<LeadRow>(setUnreadCount, [tx.tenantId, lead.id, unread]);
      return { before: lead, after: changed ?? lead, upTo: last };
    });
    const count = before.unreadCount - after.unreadCount;
    if (count > 0 && upTo !== null) this.options.onRead(user.tenantId, { leadId: after.id, upTo: String(upTo), count });
    return after;
  }

  /**
   * Erases a person: the lead, the leads that were merged into it, and their identities, touches, notes, merges and messages, waiting ones
   * included. The number is a new person afterwards, and no history brings the messages back. The audit entry holds no word of the person.
   * Emits LEAD_DELETED.
   * @returns the given id
   * @throws AppError NOT_FOUND, also when it is deleted already; CONFLICT while a worker is sending one of its messages
   */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const user = requireUser(principal);
    if (!isUuid(id)) throw notFound('lead');
    await this.options.transactor.run(user.tenantId, async (tx) => {
      await this.options.erasedIdentities.hold(tx);
      // No merge begins, and no worker takes a message, until the transaction ends.
      await holdMerges(tx);
      const { id: leadId } = await lockLead(tx, id);
      const leads = await tx.query<{ id: string }>(lockLeadsToDelete, [tx.tenantId, leadId]);
      const [underWay] = await tx.query(this.options.content.outbox.isBeingSent, [tx.tenantId, leadId]);
      if (underWay !== undefined)
        throw new AppError('CONFLICT', 'A message to this lead is being sent right now: try again in a moment');
      await this.erase(tx, user, leadId, leads);
    });
    return id;
  }

  private async countUnreadAfter(tx: Transaction, lead: LeadRow, messageId: string) {
    if (!isUuid(messageId)) throw notFound('message');
    const { countAfter } = this.options.content.messages;
    const values = [tx.tenantId, lead.id, messageId, lead.unreadCount];
    const [row] = await tx.query<SeenMessage>(countAfter, values);
    if (row == null || row.position === null) throw notFound('message');
    return { unread: row.unread, upTo: row.position };
  }

  private async erase(
    tx: Transaction,
    user: UserPrincipal,
    leadId: string,
    leads: readonly { id: string }[],
  ): Promise<void> {
    const { audit, content } = this.options;
    const [messages] = await tx.query<{ count: number }>(content.messages.count, [tx.tenantId, leadId]);
    const ids = leads.map((lead) => lead.id);
    await this.options.erasedIdentities.note(tx, ids);
    await tx.query(content.outbox.forgetAnswers, [tx.tenantId, ids]);
    await tx.query(eraseRefusedRows, [tx.tenantId, ids]);
    const [contacts] = await tx.query<KnownContacts>(selectKnownContacts, [tx.tenantId, ids]);
    if (contacts !== undefined) await content.heldSubmissions.erase(tx, contacts);
    await tx.query(deleteLeads, [tx.tenantId, ids]);
    await this.options.onErase(tx);
    const mergedIds = ids.filter((id) => id !== leadId);
    const before = { messages: messages?.count ?? 0, ...(mergedIds.length > 0 && { mergedIds }) };
    const { tenantId } = tx;
    await audit.record(tx, user, [{ tenantId, action: 'LEAD_DELETED', targetKind: 'LEAD', targetId: leadId, before }]);
    for (const id of ids) tx.emit({ type: 'LEAD_DELETED', leadId: id, data: { userId: user.userId } });
  }
}

async function write(tx: Transaction, lead: LeadRow): Promise<LeadRow> {
  const { id, name, source, tags, customFields, assigneeId } = lead;
  const values = [tx.tenantId, id, name, source, tags, JSON.stringify(customFields), assigneeId];
  const [written] = await tx.query<LeadRow>(updateLeadRecord, values);
  if (written === undefined) throw notFound('lead');
  return written;
}

function labelsOf({ tags, customFields }: LeadRow): Labels {
  return { tags, customFields: customFields as CustomFields };
}

function fieldsOf({ name, source, tags, customFields }: LeadRow) {
  return { name, source, tags, customFields };
}

function changeBounded(before: Labels, change: LabelChange): Labels {
  const after = changeLabels(before, change);
  if (hasTooMany(after.tags.length, before.tags.length, maxTags))
    throw invalidField(change.addTags == null ? 'tags' : 'addTags', `a lead has at most ${maxTags} tags`);
  const [now, earlier] = [after, before].map(({ customFields }) => Object.keys(customFields).length);
  if (hasTooMany(now ?? 0, earlier ?? 0, maxCustomFields))
    throw invalidField('customFields', `a lead has at most ${maxCustomFields} custom fields`);
  return after;
}
