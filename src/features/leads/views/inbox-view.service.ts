// The views of the inbox that users keep under a name: each user's own, and nobody else's. They are deleted when their user is deactivated.

import type { Database } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { isUniqueViolation } from '../../../platform/observability/fault.js';
import { isUuid, parseInput } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import { holdUser } from '../../users/user.sql.js';
import type { LeadListService } from '../lead-list.service.js';
import {
  createInboxViewSchema,
  maxInboxViews,
  maxViewCount,
  updateInboxViewSchema,
  type CreateInboxViewInput,
  type UpdateInboxViewInput,
} from './inbox-view.schema.js';
import {
  deleteInboxView,
  insertInboxView,
  selectInboxViews,
  updateInboxView,
  type InboxViewRecord,
} from './inbox-view.sql.js';

export type { InboxViewRecord } from './inbox-view.sql.js';

/** The count of a view needs no other field of a lead. */
const idAlone = new Map([['id', new Set<string>()]]);

export class InboxViewService {
  constructor(
    private readonly database: Database,
    private readonly leadLists: Pick<LeadListService, 'listInbox'>,
  ) {}

  /** Returns the caller's views, the oldest first. */
  async list(principal: Principal | undefined): Promise<InboxViewRecord[]> {
    const { tenantId, userId } = requireUser(principal);
    return this.database.query<InboxViewRecord>(selectInboxViews, [tenantId, userId]);
  }

  /** Counts the conversations that a view shows now, `maxViewCount` at most. */
  async count(principal: Principal | undefined, { filter }: Pick<InboxViewRecord, 'filter'>): Promise<number> {
    const found = await this.leadLists.listInbox(principal, { first: maxViewCount }, filter, undefined, idAlone);
    return found.edges.length;
  }

  /**
   * Keeps a view for the caller.
   * @throws AppError VALIDATION_FAILED naming each wrong field (`filter.<field>`), and for a filter with `search`; CONFLICT if the caller
   * has a view of this name, or `maxInboxViews`
   */
  async create(principal: Principal | undefined, input: CreateInboxViewInput): Promise<InboxViewRecord> {
    const { tenantId, userId } = requireUser(principal);
    const { name, filter, orderBy } = parseInput(createInboxViewSchema, input);
    return this.database.transaction(async (sql) => {
      // Views are counted one after the other, and their user is not deactivated meanwhile.
      await sql.query(lockOwner, [tenantId, userId]);
      await sql.query(holdUser, [tenantId, userId]);
      const views = await sql.query<InboxViewRecord>(selectInboxViews, [tenantId, userId]);
      if (views.length >= maxInboxViews) throw new AppError('CONFLICT', `A user has at most ${maxInboxViews} views`);
      const values = [tenantId, userId, newRecordId(), name, JSON.stringify(filter), orderBy ?? 'NEWEST_MESSAGE'];
      return withFreeName(() => sql.query<InboxViewRecord>(insertInboxView, values));
    });
  }

  /** Renames a view of the caller's, or changes what it shows. Safe to repeat. @throws AppError NOT_FOUND; otherwise like `create` */
  async update(principal: Principal | undefined, id: string, input: UpdateInboxViewInput): Promise<InboxViewRecord> {
    const { tenantId, userId } = requireUser(principal);
    const { name = null, filter, orderBy = null } = parseInput(updateInboxViewSchema, input);
    if (!isUuid(id)) throw notFound('view');
    const values = [tenantId, userId, id, name, filter == null ? null : JSON.stringify(filter), orderBy];
    return withFreeName(() => this.database.change<InboxViewRecord>(tenantId, updateInboxView, values));
  }

  /** Deletes a view of the caller's. @returns its id @throws AppError NOT_FOUND, also if it is already deleted */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const { tenantId, userId } = requireUser(principal);
    const values = [tenantId, userId, id];
    const [deleted] = isUuid(id) ? await this.database.change<{ id: string }>(tenantId, deleteInboxView, values) : [];
    if (deleted === undefined) throw notFound('view');
    return deleted.id;
  }
}

/** $1 tenant, $2 user. */
const lockOwner = {
  name: 'lock-views-of-user',
  text: `SELECT pg_advisory_xact_lock(hashtext('leadwire views of ' || $1::text), hashtext($2::text))`,
};

async function withFreeName(write: () => Promise<InboxViewRecord[]>): Promise<InboxViewRecord> {
  try {
    const [view] = await write();
    if (view === undefined) throw notFound('view');
    return view;
  } catch (error) {
    if (!isUniqueViolation(error) || error.constraint !== 'inbox_views_tenant_id_user_id_name_key') throw error;
    throw new AppError('CONFLICT', 'name: is taken', { errors: [{ path: 'name', message: 'is taken' }], cause: error });
  }
}
