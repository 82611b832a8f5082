// Lists of leads: filters, orders, pages and counts, for operators and for exports. Finding one lead belongs to lead.service.ts.

import type { Database } from '../../platform/database.js';
import { isUuid, parseInput } from '../../platform/input.js';
import { readPage } from '../../platform/page.js';
import type { KeyRange, KeysetSource, Page, PageArgs } from '../../platform/page.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal } from '../../platform/principal.js';
import { runText } from '../../platform/sql-text.js';
import { inboxFilterSchema, leadFilterSchema, leadOrderSchema } from './lead-list.schema.js';
import type { InboxFilterInput, LeadConditions, LeadFilterInput, LeadOrderInput } from './lead-list.schema.js';
import { countLeads, idLength, selectLeads } from './lead-list.sql.js';
import type { LeadListQuery } from './lead-list.sql.js';
import { withRelated } from './lead-relations.js';
import type { LeadRelation } from './lead-relations.js';
import type { LeadRow } from './lead-row.js';

/** `nameKey` where the list is sorted by name. */
type ListedLead = LeadRow & { nameKey?: string };

type Scope = Omit<LeadListQuery, 'sequence'>;

export class LeadListService {
  /** @param relations what can be read with the leads of a page */
  constructor(
    private readonly database: Database,
    private readonly relations: readonly LeadRelation[],
  ) {}

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
    const scope = { tenantId, filter, direction: order, relations: this.relationsIn(fields) } as const;
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
