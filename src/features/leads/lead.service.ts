// Leads: found or created by identity (find-or-create.ts), found by id, and listed. Changes by operators belong to
// lead-record.service.ts, merges on request to lead-merge.service.ts.

import type { Database, Prisma } from '../../platform/database.js';
import { isUuid, parseInput } from '../../platform/input.js';
import { readPage } from '../../platform/page.js';
import type { KeyRange, KeysetSource, Page, PageArgs } from '../../platform/page.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/record-id.js';
import { runText } from '../../platform/sql-text.js';
import type { Transaction } from '../../platform/transaction.js';
import { findOrCreateLeads } from './identity/find-or-create.js';
import type { FoundLead, LeadContact } from './identity/identity-cache.js';
import type { LeadContent, MessageKind } from './lead-content.js';
import { inboxFilterSchema, leadFilterSchema, leadOrderSchema } from './lead.schema.js';
import type { InboxFilterInput, LeadBody, LeadConditions, LeadFilterInput, LeadOrderInput } from './lead.schema.js';
import {
  countLeads,
  idLength,
  insertLeadTouches,
  recordLeadMessages,
  selectLeads,
  selectLeadsByIds,
  withRelated,
} from './lead.sql.js';
import type { LeadListQuery, LeadRelation, LeadRow } from './lead.sql.js';
import type { LeadMerger } from './merge/lead-merger.js';

export type { FoundLead, IntakeLead, LeadContact } from './identity/identity-cache.js';
export type { LeadRow } from './lead.sql.js';

export type LeadIdentityRow = Prisma.LeadIdentityGetPayload<object>;

export class LeadService {
  constructor(
    private readonly database: Database,
    private readonly merger: LeadMerger,
  ) {}

  /**
   * One lead for each contact, in their order; contacts who share an identity are one person and get the same lead, and so
   * do simultaneous calls. A known lead gains the identities that it lacks, a number where it had none, and the name that the
   * network shows in place of one that was only made from the number; known leads that turn out to be one person are merged,
   * unless somebody has taken a merge of them back: then the contact's first known identity decides. Emits LEAD_CREATED and
   * LEAD_UPDATED. Safe to repeat. One statement where nothing is new, and, but for merges, a fixed number otherwise.
   * @throws AppError UNAVAILABLE when too many transactions change the same leads at once
   */
  async findOrCreate(tx: Transaction, contacts: readonly LeadContact[], defaultSource: string): Promise<FoundLead[]> {
    return findOrCreateLeads(tx, this.merger, contacts, defaultSource);
  }

  /**
   * Keeps `lastMessageId` and `unreadCount` true. Call it for every message, in the transaction that writes it, after the message and
   * its outbox entry. A message of a lead that was merged meanwhile is moved to the survivor.
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
    await this.merger.moveMessages(tx, ids, leadIds);
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

// Lists of leads: filters, orders, pages and counts, for operators and for exports. Finding one lead belongs to lead.service.ts.

/** `nameKey` where the list is sorted by name. */
type ListedLead = LeadRow & { nameKey?: string };

type Scope = Omit<LeadListQuery, 'sequence'>;

export class LeadListService {
  private readonly conditions: Pick<LeadListQuery, 'newestThrough' | 'isOptedOut'>;

  /** @param relations what can be read with the leads of a page */
  constructor(
    private readonly database: Database,
    private readonly relations: readonly LeadRelation[],
    { messages, consent }: LeadContent,
  ) {
    this.conditions = { newestThrough: messages.newestThrough, isOptedOut: consent.isOptedOut };
  }

  /**
   * Leads, the newest first unless another order is asked for; merged ones are left out.
   * @param fields those of a lead that will be shown: relations among them are read at once
   * @throws AppError VALIDATION_FAILED for a wrong filter or order, and for a cursor of another order
   */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: LeadFilterInput | null,
    orderBy?: LeadOrderInput | null,
    fields?: ReadonlySet<string>,
  ): Promise<Page<LeadRow>> {
    return readPage(args, this.sourceOf(principal, wanted, orderBy, fields));
  }

  /** Leads that have messages other than bulk, the one with the newest of these first. */
  async listInbox(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: InboxFilterInput | null,
    fields?: ReadonlySet<string>,
  ): Promise<Page<LeadRow>> {
    const { tenantId } = requireUser(principal);
    const filter = parseInput(inboxFilterSchema, wanted ?? {}, 'filter');
    const query = {
      tenantId,
      filter,
      sequence: 'lastMessage',
      direction: 'desc',
      relations: this.relationsIn(fields),
      ...this.conditions,
    } as const;
    return readPage(args, {
      list: 'inbox',
      keyOf: (lead: ListedLead) => lead.lastMessageId ?? '',
      read: (range) => this.read(query, range),
      count: () => this.count([query]),
    });
  }

  /** A list to be read to its end, page by page, as `list` shows it. */
  sourceOf(
    principal: Principal | undefined,
    wanted?: LeadFilterInput | null,
    orderBy?: LeadOrderInput | null,
    fields?: ReadonlySet<string>,
  ): KeysetSource<ListedLead> {
    const { tenantId } = requireUser(principal);
    const filter: LeadConditions = parseInput(leadFilterSchema, wanted ?? {}, 'filter');
    const { field, direction } = parseInput(leadOrderSchema, orderBy ?? { field: 'CREATED_AT' }, 'orderBy');
    const order = (direction ?? (field === 'NAME' ? 'ASC' : 'DESC')) === 'ASC' ? 'asc' : 'desc';
    const isUsual = field === 'CREATED_AT' && order === 'desc';
    const list = isUsual ? 'leads' : `leads-${field}-${order}`;
    const relations = this.relationsIn(fields);
    const scope = { tenantId, filter, direction: order, relations, ...this.conditions } as const;
    if (field === 'LAST_MESSAGE_AT') return { list, ...this.byLastMessage(scope) };
    return { list, ...(field === 'NAME' ? this.byName(scope) : this.byId(scope)) };
  }

  private relationsIn(fields: ReadonlySet<string> = new Set()): LeadRelation[] {
    return this.relations.filter(({ field }) => fields.has(field));
  }

  private byId(scope: Scope) {
    const query = { ...scope, sequence: 'id' } as const;
    return {
      keyOf: (lead: ListedLead) => lead.id,
      read: (range: KeyRange) => this.read(query, range),
      count: () => this.count([query]),
    };
  }

  private byName(scope: Scope) {
    const query = { ...scope, sequence: 'name' } as const;
    return {
      keyOf: (lead: ListedLead) => lead.id + (lead.nameKey ?? ''),
      isKey: (text: string) => isUuid(text.slice(0, idLength)) && !text.includes('\u0000'),
      read: (range: KeyRange) => this.read(query, range),
      count: () => this.count([query]),
    };
  }

  // Two lists, one behind the other: leads with messages by these, then the others. A key says which it is of.
  private byLastMessage(scope: Scope) {
    const parts = [
      { mark: 'm', query: { ...scope, sequence: 'lastMessage' } },
      { mark: 'l', query: { ...scope, sequence: 'withoutMessage' } },
    ] as const;
    const read = async (range: KeyRange): Promise<ListedLead[]> => {
      const { from, limit } = range;
      const travelled = range.direction === 'forward' ? parts : parts.toReversed();
      const first = from === undefined ? 0 : travelled.findIndex(({ mark }) => mark === from[0]);
      const rows: ListedLead[] = [];
      for (const [index, { query }] of travelled.slice(first).entries()) {
        const start = index === 0 ? { from: from?.slice(1) } : { from: undefined, isInclusive: false };
        if (rows.length < limit)
          rows.push(...(await this.read(query, { ...range, ...start, limit: limit - rows.length })));
      }
      return rows;
    };
    return {
      keyOf: ({ lastMessageId, id }: ListedLead) => (lastMessageId === null ? `l${id}` : `m${lastMessageId}`),
      isKey: (text: string) => /^[lm]/.test(text) && isUuid(text.slice(1)),
      read,
      count: () => this.count(parts.map(({ query }) => query)),
    };
  }

  private async read(query: LeadListQuery, range: KeyRange): Promise<ListedLead[]> {
    const leads = await runText<ListedLead>(this.database, selectLeads(query, range));
    return leads.map((lead) => withRelated(lead, query.relations ?? []));
  }

  private async count(queries: readonly LeadListQuery[]): Promise<number> {
    const counts = await Promise.all(
      queries.map((query) => runText<{ count: number }>(this.database, countLeads(query))),
    );
    return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
  }
}

export class LeadIntakeService {
  constructor(private readonly leads: LeadService) {}

  /**
   * A lead for each posting, in their order; an existing one comes back unchanged. Safe to repeat, but for the touch.
   * @param defaultSource where neither the posting nor the tenant names a source
   */
  async receive(tx: Transaction, postings: readonly LeadBody[], defaultSource: string): Promise<FoundLead[]> {
    if (postings.length === 0) return [];
    const contacts = postings.map(({ chat: value, name, source, metadata }) => ({
      identities: [{ kind: 'PHONE', value }] as const,
      name,
      keepsName: true,
      source,
      metadata,
    }));
    const found = await this.leads.findOrCreate(tx, contacts, defaultSource);
    await tx.query(insertLeadTouches, [
      tx.tenantId,
      postings.map(() => newRecordId()),
      found.map(({ lead }) => lead.id),
      postings.map(({ source }) => source ?? null),
      postings.map(({ metadata }) => (metadata === undefined ? null : JSON.stringify(metadata))),
      defaultSource,
    ]);
    return found;
  }
}
