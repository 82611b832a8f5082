// Leads: found or created by identity (find-or-create.ts), found by id, and listed. Changes by operators belong to
// lead-record.service.ts, merges on request to lead-merge.service.ts.

import type { Database, Prisma } from '../../platform/database.js';
import { isUuid, parseInput } from '../../platform/input.js';
import { readPage } from '../../platform/page.js';
import type { KeyRange, KeysetSource, Page, PageArgs } from '../../platform/page.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import { newRecordId } from '../../platform/record-id.js';
import { oncePerSelection } from '../../platform/shown-records.js';
import type { SelectedFields, Shown } from '../../platform/shown-records.js';
import { runText } from '../../platform/sql-text.js';
import type { Transaction } from '../../platform/transaction.js';
import { findOrCreateLeads } from './identity/find-or-create.js';
import type { FoundLead, LeadContact } from './identity/identity-cache.js';
import {
  emitConversationChanged,
  lockAnsweredLeads,
  lockLeadsToRecount,
  recountConversations,
} from './conversation/conversation.sql.js';
import { leadMessagesColumns, recordLeadMessages } from './conversation/record-messages.sql.js';
import type { LeadMessages, UnfinishedLead } from './conversation/record-messages.sql.js';
import type { LeadContent, MessageKind, MessagesOfLead } from './lead-content.js';
import { inboxFilterSchema, inboxOrderSchema, leadFilterSchema, leadOrderSchema } from './lead.schema.js';
import type {
  InboxFilterInput,
  InboxOrder,
  LeadBody,
  LeadConditions,
  LeadFilterInput,
  LeadOrderInput,
} from './lead.schema.js';
import { insertLeadTouches } from './identity/find-or-create.sql.js';
import { countLeads, idLength, relationsFor, selectLeads, selectLeadsByIds } from './lead.sql.js';
import type { LeadListQuery, LeadRelation, LeadRow, LeadSequence, ShownRelation } from './lead.sql.js';
import type { LeadMerger } from './merge/lead-merger.js';

export type { FoundLead, IntakeLead, LeadContact } from './identity/identity-cache.js';
export type { LeadRow } from './lead.sql.js';

export type LeadIdentityRow = Prisma.LeadIdentityGetPayload<object>;

/** A message that was written, as its lead has to know of it. */
export interface RecordedMessage {
  leadId: string;
  messageId: string;
  /** It is inbound. */
  unread: boolean;
  /** Whether an outbound message answers what the lead wrote; where left out, every one does but bulk. Automatic texts do not. */
  answers?: boolean;
}

const openConversation = { status: 'OPEN', snoozedUntil: null } as const;

export class LeadService {
  constructor(
    private readonly database: Database,
    private readonly merger: LeadMerger,
    private readonly messages: MessagesOfLead,
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
   * Keeps `lastMessageId`, `unreadCount` and the state of the conversation true. Call it for every message, in the transaction that
   * writes it, after the message and its outbox entry. A message of a lead that was merged meanwhile is moved to the survivor. Emits
   * CONVERSATION_STATUS_CHANGED for conversations that an inbound message opens.
   * @param kind `bulk`: they become `lastBulkMessageId`, and their leads stay where they are in the inbox
   * @returns the messages that were moved, with the leads they have now; none as a rule
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
    const merged = unfinished.flatMap(({ leadId, survivorId }) =>
      survivorId === null ? [] : [{ leadId, survivorId }],
    );
    return merged.length === 0 ? new Map() : this.followMerges(tx, messages, kind, merged);
  }

  /**
   * Computes the conversations of leads from their messages, where one of these may have been an answer: call it after messages were
   * canceled or failed, in that transaction. Safe to repeat.
   */
  async withdrawAnswers(tx: Transaction, ended: readonly { id: string; leadId: string }[]): Promise<void> {
    if (ended.length === 0) return;
    const leadIds = ended.map(({ leadId }) => leadId);
    const messageIds = ended.map(({ id }) => id);
    const answered = await tx.query<{ id: string }>(lockAnsweredLeads, [tx.tenantId, leadIds, messageIds]);
    await this.recount(
      tx,
      answered.map(({ id }) => id),
    );
  }

  /** As `withdrawAnswers`, after messages that had failed were delivered after all, or are to be sent again. */
  async restoreAnswers(tx: Transaction, messages: readonly { leadId: string }[]): Promise<void> {
    if (messages.length === 0) return;
    const leadIds = [...new Set(messages.map(({ leadId }) => leadId))];
    await tx.query(lockLeadsToRecount, [tx.tenantId, leadIds]);
    await this.recount(tx, leadIds);
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

function changeOf([leadId, messages]: [string, RecordedMessage[]], kind: MessageKind): LeadMessages {
  const idsOf = (own: readonly RecordedMessage[]) => own.map(({ messageId }) => messageId).sort();
  const inbound = idsOf(messages.filter(({ unread }) => unread));
  const answers = idsOf(messages.filter(({ unread, answers: does = kind !== 'bulk' }) => !unread && does));
  return {
    leadId,
    newestId: idsOf(messages).at(-1) ?? '',
    unread: inbound.length,
    newestInboundId: inbound.at(-1) ?? null,
    oldestInboundId: inbound[0] ?? null,
    answerId: answers.at(-1) ?? null,
  };
}

// Lists of leads: filters, orders, pages and counts, for operators and for exports. Finding one lead belongs to lead.service.ts.

/** `nameKey` where the list is sorted by name. */
/** As a list reads it: no more than what is shown. */
export type ListedLead = Shown<LeadRow> & { nameKey?: string };

type Scope = Omit<LeadListQuery, 'sequence'>;

/** Several of these make one list. */
interface ListPart {
  /** One letter. */
  mark: string;
  query: LeadListQuery;
  /** Whether a lead stands in this one and not in a later one; the last holds every other. */
  holds?: (lead: ListedLead) => boolean;
  /** Of a list that is sorted by a time. */
  timeOf?: (lead: ListedLead) => string | null;
  /** The filter lets no lead stand in it: it is not read. Cursors of it are still understood. */
  isEmpty?: boolean;
}

function inboxParts(order: Exclude<InboxOrder, 'NEWEST_MESSAGE'>, scope: Omit<Scope, 'direction'>): ListPart[] {
  const partOf = (mark: string, sequence: LeadSequence, direction: 'asc' | 'desc', timeOf?: ListPart['timeOf']) => ({
    mark,
    query: { ...scope, sequence, direction },
    ...(timeOf !== undefined && { timeOf, holds: (lead: ListedLead) => timeOf(lead) !== null }),
  });
  if (order === 'NEWEST_INBOUND') {
    const written = partOf('i', 'lastInbound', 'desc', ({ lastInboundAt }) => lastInboundAt);
    // Who waits has written.
    return [written, { ...partOf('m', 'noInbound', 'desc'), isEmpty: scope.filter.waiting === true }];
  }
  const waiting = partOf('w', 'waiting', 'asc', ({ waitingSince }) => waitingSince);
  const others = partOf('m', 'notWaiting', 'desc');
  const isWaiting = scope.filter.waiting;
  return [
    { ...waiting, isEmpty: isWaiting === false },
    { ...others, isEmpty: isWaiting === true },
  ];
}

function msOf(time: string | null | undefined): number | '' {
  return time == null ? '' : Date.parse(time);
}

export class LeadListService {
  private readonly conditions: Pick<LeadListQuery, 'newestThrough' | 'isOptedOut'>;
  private readonly relationsIn: (fields: SelectedFields) => readonly ShownRelation[];

  /** @param relations what can be read with the leads of a page */
  constructor(
    private readonly database: Database,
    relations: readonly LeadRelation[],
    { messages, consent }: LeadContent,
  ) {
    this.relationsIn = oncePerSelection((fields) => relationsFor(relations, fields));
    this.conditions = { newestThrough: messages.newestThrough, isOptedOut: consent.isOptedOut };
  }

  /**
   * Leads, the newest first unless another order is asked for; merged ones are left out.
   * @param fields those of a lead that will be shown: relations among them are read at once, and columns that none of them needs are
   * left out
   * @throws AppError VALIDATION_FAILED for a wrong filter or order, and for a cursor of another order
   */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: LeadFilterInput | null,
    orderBy?: LeadOrderInput | null,
    fields?: SelectedFields,
  ): Promise<Page<ListedLead>> {
    return readPage(args, this.sourceOf(principal, wanted, orderBy, fields));
  }

  /**
   * Leads that have messages other than bulk, in one of the orders of the inbox.
   * @throws AppError VALIDATION_FAILED for a wrong filter or order, and for a cursor of another order
   */
  async listInbox(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: InboxFilterInput | null,
    orderBy?: InboxOrder | null,
    fields?: SelectedFields,
  ): Promise<Page<ListedLead>> {
    const { tenantId } = requireUser(principal);
    const filter = parseInput(inboxFilterSchema, wanted ?? {}, 'filter');
    const order = parseInput(inboxOrderSchema, orderBy ?? 'NEWEST_MESSAGE', 'orderBy');
    const relations = fields === undefined ? [] : this.relationsIn(fields);
    const scope = { tenantId, filter, relations, fields, ...this.conditions } as const;
    const query = { ...scope, sequence: 'lastMessage', direction: 'desc' } as const;
    const count = () => this.count([query]);
    if (order === 'NEWEST_MESSAGE') {
      const keyOf = (lead: ListedLead) => lead.lastMessageId ?? '';
      return readPage(args, { list: 'inbox', keyOf, read: (range: KeyRange) => this.read(query, range), count });
    }
    const list = `inbox-${order}`;
    return readPage(args, { list, ...this.byParts(inboxParts(order, scope)), count });
  }

  /** A list to be read to its end, page by page, as `list` shows it. */
  sourceOf(
    principal: Principal | undefined,
    wanted?: LeadFilterInput | null,
    orderBy?: LeadOrderInput | null,
    fields?: SelectedFields,
  ): KeysetSource<ListedLead> {
    const { tenantId } = requireUser(principal);
    const filter: LeadConditions = parseInput(leadFilterSchema, wanted ?? {}, 'filter');
    const { field, direction } = parseInput(leadOrderSchema, orderBy ?? { field: 'CREATED_AT' }, 'orderBy');
    const order = (direction ?? (field === 'NAME' ? 'ASC' : 'DESC')) === 'ASC' ? 'asc' : 'desc';
    const isUsual = field === 'CREATED_AT' && order === 'desc';
    const list = isUsual ? 'leads' : `leads-${field}-${order}`;
    const relations = fields === undefined ? [] : this.relationsIn(fields);
    const scope = { tenantId, filter, direction: order, relations, fields, ...this.conditions } as const;
    if (field === 'LAST_MESSAGE_AT') return { list, ...this.byLastMessage(scope) };
    return { list, ...(field === 'NAME' ? this.byName(scope) : this.byId(scope)) };
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
    const parts: ListPart[] = [
      { mark: 'm', query: { ...scope, sequence: 'lastMessage' }, holds: ({ lastMessageId }) => lastMessageId !== null },
      { mark: 'l', query: { ...scope, sequence: 'withoutMessage' } },
    ];
    return { ...this.byParts(parts), count: () => this.count(parts.map(({ query }) => query)) };
  }

  // Lists one behind the other. A key says which it is of: its mark, an id, and the time, in ms, of a list that is sorted by one.
  private byParts(parts: readonly ListPart[]) {
    const read = async (range: KeyRange): Promise<ListedLead[]> => {
      const { from, limit } = range;
      const travelled = range.direction === 'forward' ? parts : parts.toReversed();
      const first = from === undefined ? 0 : travelled.findIndex(({ mark }) => mark === from[0]);
      const rows: ListedLead[] = [];
      for (const [index, { query, isEmpty = false }] of travelled.slice(first).entries()) {
        if (isEmpty) continue;
        const start = index === 0 ? { from: from?.slice(1) } : { from: undefined, isInclusive: false };
        if (rows.length < limit)
          rows.push(...(await this.read(query, { ...range, ...start, limit: limit - rows.length })));
      }
      return rows;
    };
    const keyOf = (lead: ListedLead) => {
      const part = parts.find(({ holds = () => true }) => holds(lead));
      const id = part?.query.sequence === 'withoutMessage' ? lead.id : lead.lastMessageId;
      return `${part?.mark}${id}${msOf(part?.timeOf?.(lead))}`;
    };
    const isKey = (text: string) => {
      const part = parts.find(({ mark }) => mark === text[0]);
      const time = text.slice(1 + idLength);
      return (
        isUuid(text.slice(1, 1 + idLength)) && (part?.timeOf === undefined ? time === '' : /^\d{1,15}$/.test(time))
      );
    };
    return { keyOf, isKey, read };
  }

  private read(query: LeadListQuery, range: KeyRange): Promise<ListedLead[]> {
    return this.database.show(query.tenantId, selectLeads(query, range));
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
