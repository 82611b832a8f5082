// The views that users keep under a name, of the inbox and of the table of leads: each user's own, and nobody else's. They are deleted when
// their user is deactivated.

import type { Database, NamedStatement, SqlRunner } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { isUniqueViolation } from '../../../platform/observability/fault.js';
import { isUuid } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import { holdUser } from '../../users/user.sql.js';
import { maxViews } from './kept-view.schema.js';
import { dropInboxViews } from './inbox-view.sql.js';
import { dropLeadViews } from './lead-view.sql.js';

/** The statements of a kind of views. Their first values are tenant, user, id and name; the kind's own values follow. */
export interface KeptViewStatements {
  select: NamedStatement;
  insert: NamedStatement;
  update: NamedStatement;
  delete: NamedStatement;
}

/** The difference between views of one list and those of another. */
export interface KeptViewKind<View, NewView, Change> {
  statements: KeptViewStatements;
  /** The unique key of a user's names. */
  nameKey: string;
  /** @throws AppError VALIDATION_FAILED naming each wrong field */
  readNew: (input: NewView) => { name: string; values: unknown[] };
  /** Reads a change, in which null keeps the present value. @throws AppError VALIDATION_FAILED naming each wrong field */
  readChange: (input: Change) => { name: string | null; values: unknown[] };
  /** Counts what a view shows now, `maxViewCount` at most. */
  count: (principal: Principal | undefined, view: View) => Promise<number>;
}

export class KeptViewService<View extends object, NewView, Change> {
  constructor(
    private readonly database: Database,
    private readonly kind: KeptViewKind<View, NewView, Change>,
  ) {}

  /** Returns the caller's views, the oldest first. */
  async list(principal: Principal | undefined): Promise<View[]> {
    const { tenantId, userId } = requireUser(principal);
    return this.database.query<View>(this.kind.statements.select, [tenantId, userId]);
  }

  /** Counts what a view shows now, `maxViewCount` at most. */
  async count(principal: Principal | undefined, view: View): Promise<number> {
    return this.kind.count(principal, view);
  }

  /**
   * Keeps a view for the caller.
   * @throws AppError VALIDATION_FAILED naming each wrong field (`filter.<field>`), and for a filter with `search`; CONFLICT if the caller
   * has a view of this name, or `maxViews`
   */
  async create(principal: Principal | undefined, input: NewView): Promise<View> {
    const { tenantId, userId } = requireUser(principal);
    const { name, values } = this.kind.readNew(input);
    const { select, insert } = this.kind.statements;
    return this.database.transaction(async (sql) => {
      // Views are counted one after the other, and their user is not deactivated meanwhile.
      await sql.query(lockOwner, [tenantId, userId]);
      await sql.query(holdUser, [tenantId, userId]);
      const views = await sql.query<View>(select, [tenantId, userId]);
      if (views.length >= maxViews) throw new AppError('CONFLICT', `A user has at most ${maxViews} views`);
      return this.withFreeName(() => sql.query<View>(insert, [tenantId, userId, newRecordId(), name, ...values]));
    });
  }

  /** Renames a view of the caller's, or changes what it shows. Safe to repeat. @throws AppError NOT_FOUND; otherwise like `create` */
  async update(principal: Principal | undefined, id: string, input: Change): Promise<View> {
    const { tenantId, userId } = requireUser(principal);
    const { name, values } = this.kind.readChange(input);
    if (!isUuid(id)) throw notFound('view');
    const change = [tenantId, userId, id, name, ...values];
    return this.withFreeName(() => this.database.change<View>(tenantId, this.kind.statements.update, change));
  }

  /** Deletes a view of the caller's. @returns its id @throws AppError NOT_FOUND, also if it is already deleted */
  async delete(principal: Principal | undefined, id: string): Promise<string> {
    const { tenantId, userId } = requireUser(principal);
    if (!isUuid(id)) throw notFound('view');
    const values = [tenantId, userId, id];
    const [deleted] = await this.database.change<{ id: string }>(tenantId, this.kind.statements.delete, values);
    if (deleted === undefined) throw notFound('view');
    return deleted.id;
  }

  private async withFreeName(write: () => Promise<View[]>): Promise<View> {
    try {
      const [view] = await write();
      if (view === undefined) throw notFound('view');
      return view;
    } catch (error) {
      if (!isUniqueViolation(error) || error.constraint !== this.kind.nameKey) throw error;
      const errors = [{ path: 'name', message: 'is taken' }];
      throw new AppError('CONFLICT', 'name: is taken', { errors, cause: error });
    }
  }
}

/** $1 tenant, $2 user. */
const lockOwner = {
  name: 'lock-views-of-user',
  text: `SELECT pg_advisory_xact_lock(hashtext('leadwire views of ' || $1::text), hashtext($2::text))`,
};

/** Deletes the views of a user who is deactivated, in the caller's transaction. */
export async function dropViewsOf(sql: SqlRunner, tenantId: string, userId: string): Promise<void> {
  for (const drop of [dropInboxViews, dropLeadViews]) await sql.query(drop, [tenantId, userId]);
}
