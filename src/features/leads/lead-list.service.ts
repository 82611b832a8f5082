// Lists of leads: filters, orders, pages and counts, for operators and for exports. Finding one lead belongs to lead.service.ts.

import type { Database } from '../../platform/database/database.js';
import { isUuid, parseInput } from '../../platform/input/input.js';
import { readPage, type KeyRange, type KeysetSource, type Page, type PageArgs } from '../../platform/database/page.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { oncePerSelection, type SelectedFields, type Shown } from '../../platform/database/shown-records.js';
import { runText } from '../../platform/database/sql-text.js';
import type { LeadContent } from './lead-content.js';
import {
  inboxFilterSchema,
  inboxOrderSchema,
  leadFilterSchema,
  leadOrderSchema,
  type InboxFilterInput,
  type InboxOrder,
  type LeadConditions,
  type LeadFilterInput,
  type LeadOrderInput,
} from './lead.schema.js';
import type { LeadRow } from './lead.sql.js';
import {
  countLeads,
  idLength,
  positionLength,
  relationsFor,
  selectLeadIds,
  selectLeads,
  type LeadListQuery,
  type LeadRelation,
  type LeadSequence,
  type ShownRelation,
} from './lead-list.sql.js';

/** A lead as a list reads it: only the shown fields, and `nameKey` where the list is sorted by name. */
export type ListedLead = Shown<LeadRow> & { nameKey?: string };

type Scope = Omit<LeadListQuery, 'sequence'>;

/** A part of a list. Several parts make one list. */
interface ListPart {
  /** The single letter that marks the cursors of this part. */
  mark: string;
  query: LeadListQuery;
  /** Returns whether a lead stands in this part and not in a later one. The last part holds every other lead. */
  holds?: (lead: ListedLead) => boolean;
  /** Returns the lead's time, in a part that is sorted by a time. */
  timeOf?: (lead: ListedLead) => string | null;
  /** True where the filter lets no lead stand in this part: it is not read. Its cursors are still understood. */
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
    // A lead that waits has written.
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

const messageKeyLength = idLength + positionLength;

/** Returns the key of a lead in lists that are sorted by the newest message. */
function messageKeyOf({ lastMessageId, lastMessagePosition }: ListedLead): string {
  return `${lastMessageId}${lastMessagePosition}`;
}

function isMessageKey(text: string): boolean {
  return isUuid(text.slice(0, idLength)) && /^[1-9]\d{18}$/.test(text.slice(idLength));
}

export class LeadListService {
  private readonly conditions: Pick<LeadListQuery, 'newestThrough' | 'isOptedOut'>;

  private readonly relationsIn: (fields: SelectedFields) => readonly ShownRelation[];

  /** @param relations the relations that can be read with the leads of a page */
  constructor(
    private readonly database: Database,
    relations: readonly LeadRelation[],
    { messages, consent }: LeadContent,
  ) {
    this.relationsIn = oncePerSelection((fields) => relationsFor(relations, fields));
    this.conditions = { newestThrough: messages.newestThrough, isOptedOut: consent.isOptedOut };
  }

  /**
   * Lists leads, the newest first unless another order is asked for. Merged leads are left out.
   * @param fields the fields of a lead that will be shown. Relations among them are read at once, and columns that no field needs are left
   * out.
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
   * Lists leads that have messages other than bulk, in one of the orders of the inbox.
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
      const read = (range: KeyRange) => this.read(query, range);
      return readPage(args, { list: 'inbox', keyOf: messageKeyOf, isKey: isMessageKey, read, count });
    }
    const list = `inbox-${order}`;
    return readPage(args, { list, ...this.byParts(inboxParts(order, scope)), count });
  }

  /**
   * Lists the ids of leads as they are now, the newest first.
   * @throws AppError VALIDATION_FAILED for a wrong filter
   */
  async listIds(principal: Principal, wanted: LeadFilterInput, limit: number): Promise<string[]> {
    const { tenantId } = requireUser(principal);
    const filter: LeadConditions = parseInput(leadFilterSchema, wanted, 'filter');
    const found = selectLeadIds({ tenantId, filter, ...this.conditions }, limit);
    return (await runText<{ id: string }>(this.database, found)).map(({ id }) => id);
  }

  /** Returns a list that is to be read to its end, page by page, as `list` shows it. */
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

  // The list has two parts, one behind the other: leads with messages, sorted by these, then the others. A key names its part.
  private byLastMessage(scope: Scope) {
    const parts: ListPart[] = [
      { mark: 'm', query: { ...scope, sequence: 'lastMessage' }, holds: ({ lastMessageId }) => lastMessageId !== null },
      { mark: 'l', query: { ...scope, sequence: 'withoutMessage' } },
    ];
    return { ...this.byParts(parts), count: () => this.count(parts.map(({ query }) => query)) };
  }

  // Reads parts one behind the other. A key holds the part's mark, the lead's id or the key of its newest message, and the time, in ms,
  // where the part is sorted by a time.
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
      const key = part?.query.sequence === 'withoutMessage' ? lead.id : messageKeyOf(lead);
      const time = part?.timeOf?.(lead);
      return `${part?.mark}${key}${time == null ? '' : Date.parse(time)}`;
    };
    const isKey = (text: string) => {
      const part = parts.find(({ mark }) => mark === text[0]);
      if (part === undefined || part.query.sequence === 'withoutMessage') return isUuid(text.slice(1));
      const [key, time] = [text.slice(1, 1 + messageKeyLength), text.slice(1 + messageKeyLength)];
      return isMessageKey(key) && (part.timeOf === undefined ? time === '' : /^\d{1,15}$/.test(time));
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
