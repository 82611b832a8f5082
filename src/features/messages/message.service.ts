// Reads messages for operators. Writing belongs to the services beside this one.

import type { Database, Prisma } from '../../platform/database.js';
import { notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input.js';
import { keyFilter, readPage } from '../../platform/page.js';
import type { KeyRange, Page, PageArgs } from '../../platform/page.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';

export type MessageRow = Prisma.MessageGetPayload<object>;
export type TransitionRow = Prisma.MessageStatusTransitionGetPayload<object>;

export class MessageService {
  constructor(
    private readonly database: Database,
    private readonly leads: LeadService,
  ) {}

  /** @returns null for an id that names no message of the tenant */
  async find(principal: Principal | undefined, id: string): Promise<MessageRow | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    return this.database.prisma.message.findUnique({ where: { tenantId_id: { tenantId, id } } });
  }

  /**
   * A lead's messages, the oldest first (`last: 50` for the newest page).
   * @throws AppError NOT_FOUND for a lead that the tenant does not have
   */
  async listOfLead(principal: Principal | undefined, leadId: string, args: PageArgs): Promise<Page<MessageRow>> {
    const lead = await this.leads.find(principal, leadId);
    if (lead === null) throw notFound('lead');
    return this.listOfKnownLead(lead, args);
  }

  /** As `listOfLead`, for a lead that was read with its tenant's rights. */
  async listOfKnownLead({ tenantId, id: leadId }: LeadRow, args: PageArgs): Promise<Page<MessageRow>> {
    const read = (range: KeyRange) => {
      const { bound, sort } = keyFilter(range, 'asc');
      const where = { tenantId, leadId, id: bound };
      return this.database.prisma.message.findMany({ where, orderBy: { id: sort }, take: range.limit });
    };
    return readPage(args, { list: 'messages', keyOf: (message) => message.id, read });
  }

  /** Messages by id, in one statement, for batched reads. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<MessageRow[]> {
    return this.database.prisma.message.findMany({ where: { tenantId: principal.tenantId, id: { in: [...ids] } } });
  }

  async findByIdempotencyKey(principal: Principal, idempotencyKey: string): Promise<MessageRow | null> {
    const { tenantId } = principal;
    return this.database.prisma.message.findFirst({ where: { tenantId, idempotencyKey } });
  }

  /** The status changes of many messages, the oldest first, in one statement. */
  async listTransitions(principal: Principal, messageIds: readonly string[]): Promise<TransitionRow[]> {
    return this.database.prisma.messageStatusTransition.findMany({
      where: { tenantId: principal.tenantId, messageId: { in: [...messageIds] } },
      orderBy: { id: 'asc' },
    });
  }

  /** When messages that still wait may leave at the earliest; one that waits no more has no entry. */
  async listDueTimes(
    principal: Principal,
    messageIds: readonly string[],
  ): Promise<{ messageId: string; dueAt: Date }[]> {
    return this.database.prisma.outboxEntry.findMany({
      where: { tenantId: principal.tenantId, messageId: { in: [...messageIds] } },
      select: { messageId: true, dueAt: true },
    });
  }
}
