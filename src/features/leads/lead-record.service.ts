// Changes that operators make to a lead: create, change, assign, mark as read. Each change locks the lead's row and emits an event
// with the user in the same transaction. A change to a merged lead reaches its survivor. Notes belong to lead-note.service.ts,
// erasures to lead-erasure.service.ts.

import { invalidField, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, withoutUndefined } from '../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { changedFields } from '../audit/audit.service.js';
import type { TenantService } from '../tenants/tenant.service.js';
import { keepAssignments } from './assignments/lead-assignment.sql.js';
import { emitAssigned, emitFieldsChanged, requireActiveUser } from './changes/lead-change-rules.js';
import type { LeadContent, SeenMessage } from './lead-content.js';
import type { LeadIntakeService } from './lead.service.js';
import { editedColumns, editedFields, pickFields } from './lead-fields.js';
import { changeLabels, hasTooMany, type CustomFields, type LabelChange, type Labels } from './lead-labels.js';
import {
  createLeadSchema,
  maxCustomFields,
  maxTags,
  updateLeadSchema,
  type CreateLeadInput,
  type UpdateLeadInput,
} from './lead.schema.js';
import { lockLead, setUnreadCount, updateLeads, type LeadRow } from './lead.sql.js';

export interface LeadRecordOptions {
  transactor: Transactor;
  content: LeadContent;
  intake: LeadIntakeService;
  tenants: Pick<TenantService, 'findDefaultCountry'>;
  /** Called after the commit: `count` messages of the lead are read now, and none of them stands behind `upTo`. */
  onRead: (tenantId: string, read: { leadId: string; upTo: string; count: number }) => void;
}

/** The source of a lead that a user has typed in. */
const manualSource = 'manual';

export class LeadRecordService {
  constructor(private readonly options: LeadRecordOptions) {}

  /**
   * Finds or creates the lead of a number, like the intake: an existing one comes back unchanged, and the touch is recorded. Safe to
   * repeat, but for the touch. Emits LEAD_CREATED, and LEAD_ASSIGNED for a new lead with an assignee.
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
      const labelled = { ...lead, ...changeLabels(labelsOf(lead), { tags, customFields }) };
      const wantedId = assigneeId == null ? null : await requireActiveUser(tx, assigneeId, 'assigneeId');
      return { lead: await this.give(tx, labelled, wantedId, user), created: true };
    });
  }

  /**
   * Changes fields, tags and custom fields. Safe to repeat. Emits LEAD_UPDATED with the names of the fields that changed.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED, also where the lead would get more tags or custom fields than it may have
   */
  async update(principal: Principal | undefined, id: string, input: UpdateLeadInput): Promise<LeadRow> {
    const user = requireUser(principal);
    const { tags, addTags, removeTags, customFields, ...texts } = parseInput(updateLeadSchema, input);
    const labels = { tags, addTags, removeTags, customFields };
    return this.options.transactor.run(user.tenantId, async (tx) => {
      const before = await lockLead(tx, id);
      const after = { ...before, ...withoutUndefined(texts), ...changeBounded(labelsOf(before), labels) };
      const changed = changedFields(pickFields(before, editedFields), pickFields(after, editedFields));
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
      return wantedId === before.assigneeId ? before : this.give(tx, before, wantedId, user);
    });
  }

  /** Stores a lead with another assignee, who may be the one before. */
  private async give(
    tx: Transaction,
    lead: LeadRow,
    assigneeId: string | null,
    { userId }: UserPrincipal,
  ): Promise<LeadRow> {
    if (assigneeId !== lead.assigneeId) {
      emitAssigned(tx, lead, { assigneeId, userId });
      await keepAssignments(tx, userId, [{ leadId: lead.id, assigneeId }]);
    }
    return write(tx, { ...lead, assigneeId });
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

  private async countUnreadAfter(tx: Transaction, lead: LeadRow, messageId: string) {
    if (!isUuid(messageId)) throw notFound('message');
    const { countAfter } = this.options.content.messages;
    const values = [tx.tenantId, lead.id, messageId, lead.unreadCount];
    const [row] = await tx.query<SeenMessage>(countAfter, values);
    if (row == null || row.position === null) throw notFound('message');
    return { unread: row.unread, upTo: row.position };
  }
}

async function write(tx: Transaction, lead: LeadRow): Promise<LeadRow> {
  const [written] = await tx.query<LeadRow>(updateLeads, [tx.tenantId, ...editedColumns.valuesOf([lead])]);
  if (written === undefined) throw notFound('lead');
  return written;
}

function labelsOf({ tags, customFields }: LeadRow): Labels {
  return { tags, customFields: customFields as CustomFields };
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
