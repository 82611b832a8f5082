// The views that users keep under a name, of the inbox and of the table of leads: each user's own, and nobody else's. They are deleted when
// their user is deactivated.

import type { Database, SqlRunner } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { isUuid, parseInput } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import { holdUser } from '../../users/user.sql.js';
import type { LeadListService } from '../lead-list.service.js';
import type { InboxFilterInput, InboxOrder, LeadFilterInput, LeadOrderInput } from '../lead.schema.js';
import {
  createInboxViewSchema,
  createLeadViewSchema,
  maxViewCount,
  maxViews,
  updateInboxViewSchema,
  updateLeadViewSchema,
  type CreateInboxViewInput,
  type CreateLeadViewInput,
  type UpdateInboxViewInput,
  type UpdateLeadViewInput,
} from './kept-view.schema.js';
import {
  dropViewsOfUser,
  keptViewStatements,
  lockViewsOfUser,
  type KeptViewStatements,
  type ViewTable,
} from './kept-view.sql.js';
import { writeUnique } from '../../../platform/database/unique-fields.js';

export interface KeptViewRecord<Filter, Order> {
  id: string;
  name: string;
  filter: Filter;
  orderBy: Order;
  createdAt: Date;
  updatedAt: Date;
}

export type InboxViewRecord = KeptViewRecord<InboxFilterInput, InboxOrder>;

export interface LeadViewRecord extends KeptViewRecord<LeadFilterInput, LeadOrderInput> {
  /** The columns as the client names them. */
  columns: string[];
}

/** The difference between views of one list and those of another. */
interface KeptViewKind<View, NewView, Change> extends ViewTable {
  /** Returns the values of the kind's own columns. @throws AppError VALIDATION_FAILED naming each wrong field */
  readNew: (input: NewView) => { name: string; values: unknown[] };
  /** Reads a change, in which null keeps the present value. @throws AppError VALIDATION_FAILED naming each wrong field */
  readChange: (input: Change) => { name?: string | null | undefined; values: unknown[] };
  /** Reads what a view shows now, `maxViewCount` at most. */
  read: (principal: Principal | undefined, view: View) => Promise<{ edges: readonly unknown[] }>;
}

export class KeptViewService<View extends object, NewView, Change> {
  private readonly statements: KeptViewStatements;
  private readonly uniqueFields: Readonly<Record<string, string>>;

  constructor(
    private readonly database: Database,
    private readonly kind: KeptViewKind<View, NewView, Change>,
  ) {
    this.statements = keptViewStatements(kind);
    this.uniqueFields = { [`${kind.table}_tenant_id_user_id_name_key`]: 'name' };
  }

  /** Returns the caller's views, the oldest first. */
  async list(principal: Principal | undefined): Promise<View[]> {
    const { tenantId, userId } = requireUser(principal);
    return this.database.query<View>(this.statements.select, [tenantId, userId]);
  }

  /** Counts what a view shows now, `maxViewCount` at most. */
  async count(principal: Principal | undefined, view: View): Promise<number> {
    return (await this.kind.read(principal, view)).edges.length;
  }

  /**
   * Keeps a view for the caller.
   * @throws AppError VALIDATION_FAILED naming each wrong field (`filter.<field>`), and for a filter with `search`; CONFLICT if the caller
   * has a view of this name, or `maxViews`
   */
  async create(principal: Principal | undefined, input: NewView): Promise<View> {
    const { tenantId, userId } = requireUser(principal);
    const { name, values } = this.kind.readNew(input);
    const { select, insert } = this.statements;
    return this.database.transaction(async (sql) => {
      await sql.query(lockViewsOfUser, [tenantId, userId]);
      // The user is not deactivated meanwhile.
      await sql.query(holdUser, [tenantId, userId]);
      const views = await sql.query<View>(select, [tenantId, userId]);
      if (views.length >= maxViews) throw new AppError('CONFLICT', `A user has at most ${maxViews} views`);
      return writeUnique('view', this.uniqueFields, () =>
        sql.query<View>(insert, [tenantId, userId, newRecordId(), name, ...values]),
      );
    });
  }

  /** Renames a view of the caller's, or changes what it shows. Safe to repeat. @throws AppError NOT_FOUND; otherwise like `create` */
  async update(principal: Principal | undefined, id: string, input: Change): Promise<View> {
    const { tenantId, userId } = requireUser(principal);
    const { name, values } = this.kind.readChange(input);
    if (!isUuid(id)) throw notFound('view');
    const change = [tenantId, userId, id, name, ...values];
    return writeUnique('view', this.uniqueFields, () =>
      this.database.change<View>(tenantId, this.statements.update, change),
    );
  }

  /** Deletes a view of the caller's. @returns its id @throws AppError NOT_FOUND, also if it is already deleted */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const { tenantId, userId } = requireUser(principal);
    if (!isUuid(id)) throw notFound('view');
    const values = [tenantId, userId, id];
    const [deleted] = await this.database.change<{ id: string }>(tenantId, this.statements.delete, values);
    if (deleted === undefined) throw notFound('view');
    return deleted.id;
  }
}

// The count of a view needs no other field of a lead.
const countedFields = new Map([['id', new Set<string>()]]);
const counted = { first: maxViewCount };

const json = (value: object | null | undefined) => (value == null ? null : JSON.stringify(value));

export type InboxViewService = KeptViewService<InboxViewRecord, CreateInboxViewInput, UpdateInboxViewInput>;

export function createInboxViews(database: Database, leadLists: Pick<LeadListService, 'listInbox'>): InboxViewService {
  return new KeptViewService(database, {
    table: 'inbox_views',
    own: { filter: 'jsonb', order_by: 'text' },
    readNew: (input) => {
      const { name, filter, orderBy } = parseInput(createInboxViewSchema, input);
      return { name, values: [json(filter), orderBy ?? 'NEWEST_MESSAGE'] };
    },
    readChange: (input) => {
      const { name, filter, orderBy } = parseInput(updateInboxViewSchema, input);
      return { name, values: [json(filter), orderBy] };
    },
    read: (principal, { filter }) => leadLists.listInbox(principal, counted, filter, undefined, countedFields),
  });
}

export type LeadViewService = KeptViewService<LeadViewRecord, CreateLeadViewInput, UpdateLeadViewInput>;

export function createLeadViews(database: Database, leadLists: Pick<LeadListService, 'list'>): LeadViewService {
  return new KeptViewService(database, {
    table: 'lead_views',
    own: { filter: 'jsonb', order_by: 'jsonb', columns: 'text[]' },
    readNew: (input) => {
      const { name, filter, orderBy, columns } = parseInput(createLeadViewSchema, input);
      return { name, values: [json(filter), json(orderBy ?? { field: 'CREATED_AT' }), columns ?? []] };
    },
    readChange: (input) => {
      const { name, filter, orderBy, columns } = parseInput(updateLeadViewSchema, input);
      return { name, values: [json(filter), json(orderBy), columns] };
    },
    read: (principal, { filter }) => leadLists.list(principal, counted, filter, undefined, countedFields),
  });
}

/** Deletes the views of a user who is deactivated, in the caller's transaction. */
export async function dropViewsOf(sql: SqlRunner, tenantId: string, userId: string): Promise<void> {
  await sql.query(dropViewsOfUser, [tenantId, userId]);
}
