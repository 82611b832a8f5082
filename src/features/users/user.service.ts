// Creates, reads, changes and deactivates users and their accounts, one each. Tokens belong to auth.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import { AppError, conflictingField, notFound } from '../../platform/errors.js';
import { isUniqueViolation } from '../../platform/observability/fault.js';
import { isUuid, parseInput, withoutUndefined } from '../../platform/input/input.js';
import { countListed, selectNewestFirst } from '../../platform/database/newest-first.js';
import { readPage, type Page, type PageArgs } from '../../platform/database/page.js';
import {
  requireAdmin,
  requirePlatform,
  requireUser,
  type CommandPrincipal,
  type Principal,
  type UserPrincipal,
} from '../../platform/principal.js';
import { requireRoomFor } from '../../platform/database/record-bound.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { SelectedFields, Shown } from '../../platform/database/shown-records.js';
import { runText } from '../../platform/database/sql-text.js';
import { changedFields, type AuditService } from '../audit/audit.service.js';
import type { TenantRecord, TenantService } from '../tenants/tenant.service.js';
import { lockTenant } from '../tenants/tenant.sql.js';
import {
  createTenantWithAdminSchema,
  createUserSchema,
  maxUsers,
  updateProfileSchema,
  updateUserSchema,
  userFilterSchema,
  type CreateTenantWithAdminInput,
  type CreateUserInput,
  type UpdateProfileInput,
  type UpdateUserInput,
  type UserFilter,
} from './user.schema.js';
import {
  countUsers,
  findUserByEmail,
  hasOtherAdmin,
  insertUser,
  listedUsers,
  lockUser,
  selectUsersByIds,
  updateUser,
  type UserRecord,
} from './user.sql.js';

export interface UserOptions {
  database: Database;
  audit: AuditService;
  /** Called in the transaction that deactivates a user, to delete what goes with the user. */
  onDeactivated: (sql: SqlRunner, tenantId: string, userId: string) => Promise<void>;
  /** Called in the transaction that ends a user's sessions, to delete what must not outlive them. */
  onSignedOut: (sql: SqlRunner, tenantId: string, userId: string) => Promise<void>;
}

export class UserService {
  constructor(private readonly options: UserOptions) {}

  /**
   * Creates a user with an account, named after the user. ADMIN only; for another tenant, ADMINs of the platform tenant.
   * @throws AppError CONFLICT when the e-mail address or the subject is taken, or the tenant has `maxUsers`; FORBIDDEN for a subject
   * where the caller is not of the platform tenant; NOT_FOUND for a tenant the caller may not create users in
   */
  async create(principal: Principal | undefined, input: CreateUserInput): Promise<UserRecord> {
    const admin = requireAdmin(principal);
    return this.options.database.transaction((sql) => this.insert(admin, sql, admin.tenantId, input));
  }

  /**
   * Creates a user like `create`, in the caller's transaction. `tenantId` counts where the input names none.
   * @param subjectField the caller's own name of the subject, for errors
   */
  async insert(
    actor: UserPrincipal | CommandPrincipal,
    sql: SqlRunner,
    tenantId: string,
    input: CreateUserInput,
    subjectField = 'idpSub',
  ): Promise<UserRecord> {
    const { email, role, idpSub, name, accountName, displayName, ...wanted } = parseInput(createUserSchema, input);
    const target = wanted.tenantId ?? tenantId;
    const acrossTenants = actor.kind === 'user' && target !== actor.tenantId;
    if (acrossTenants && !actor.isPlatformTenant) throw notFound('tenant');
    if (idpSub != null) requireSubjectAuthority(actor);
    const [tenant] = await sql.query(lockTenant, [target]);
    if (tenant === undefined) throw notFound('tenant');
    await requireRoomFor(sql, target, { kind: 'users', max: maxUsers, count: countUsers });
    const values = [target, newRecordId(), idpSub, role, email, name, newRecordId(), accountName ?? name ?? email];
    const write = () => sql.query<UserRecord>(insertUser, [...values, displayName]);
    const user = await withUniqueFields(write, subjectField);
    await this.options.audit.record(sql, actor, [
      { ...about(user), action: 'USER_CREATED', after: auditedFields(user) },
    ]);
    return user;
  }

  /**
   * The active ADMIN of this address who has not signed in through a provider, in the caller's transaction; created where nobody
   * of the tenant has it. For commands.
   * @throws AppError CONFLICT for any other user of this address; NOT_FOUND for an unknown tenant
   */
  async findOrCreateAdmin(
    actor: CommandPrincipal,
    sql: SqlRunner,
    tenantId: string,
    email: string,
  ): Promise<{ user: UserRecord; isNew: boolean }> {
    const wanted = parseInput(createUserSchema, { email, role: 'ADMIN' });
    await sql.query(lockTenant, [tenantId]);
    const [known] = await sql.query<UserRecord>(findUserByEmail, [tenantId, wanted.email]);
    if (known === undefined) return { user: await this.insert(actor, sql, tenantId, wanted), isNew: true };
    if (known.role !== 'ADMIN') throw new AppError('CONFLICT', 'email: is of an OPERATOR, who needs the provider');
    if (!known.isActive) throw new AppError('CONFLICT', 'email: is of a deactivated user');
    if (known.idpSub !== null) throw new AppError('CONFLICT', 'email: is of a user who signs in through the provider');
    return { user: known, isNew: false };
  }

  /**
   * Changes a user of the own tenant, or the user's account. ADMIN only; safe to repeat. A user who is deactivated, or whose subject is
   * changed, is out within 5 s on every process; a changed role counts as soon.
   * @throws AppError NOT_FOUND; CONFLICT when the e-mail address or the subject is taken, or when no active ADMIN would be left; FORBIDDEN
   * for a subject where the caller is not of the platform tenant
   */
  async update(principal: Principal | undefined, id: string, input: UpdateUserInput): Promise<UserRecord> {
    const admin = requireAdmin(principal);
    const { tenantId } = admin;
    const wanted = parseInput(updateUserSchema, input);
    if (!isUuid(id)) throw notFound('user');
    return this.options.database.transaction(async (sql) => {
      await sql.query(lockTenant, [tenantId]);
      const [before] = await sql.query<UserRecord>(lockUser, [tenantId, id]);
      if (before === undefined) throw notFound('user');
      const next = { ...before, ...withoutUndefined(wanted) };
      if (next.idpSub !== null && next.idpSub !== before.idpSub) requireSubjectAuthority(admin);
      const changed = changedFields(auditedFields(before), auditedFields(next));
      if (changed === undefined) return before;
      if (isActiveAdmin(before) && !isActiveAdmin(next)) await refuseLastAdmin(sql, before);
      const after = await withUniqueFields(() => sql.query<UserRecord>(updateUser, storedValues(next)));
      const isDeactivated = before.isActive && !after.isActive;
      if (isDeactivated) await this.options.onDeactivated(sql, tenantId, id);
      if (isDeactivated || before.idpSub !== after.idpSub) await this.options.onSignedOut(sql, tenantId, id);
      await this.options.audit.record(sql, admin, [{ ...about(after), action: 'USER_UPDATED', ...changed }]);
      return after;
    });
  }

  /** Changes what users may change of themselves, whatever their role. Safe to repeat. @throws AppError VALIDATION_FAILED */
  async updateOwn(principal: Principal | undefined, input: UpdateProfileInput): Promise<UserRecord> {
    const user = requireUser(principal);
    const wanted = parseInput(updateProfileSchema, input);
    return this.options.database.transaction(async (sql) => {
      const [before] = await sql.query<UserRecord>(lockUser, [user.tenantId, user.userId]);
      if (before === undefined) throw notFound('user');
      const next = { ...before, ...withoutUndefined(wanted) };
      const changed = changedFields(auditedFields(before), auditedFields(next));
      if (changed === undefined) return before;
      const [after = next] = await sql.query<UserRecord>(updateUser, storedValues(next));
      await this.options.audit.record(sql, user, [{ ...about(after), action: 'USER_UPDATED', ...changed }]);
      return after;
    });
  }

  /**
   * The tenant's users, the newest first. An OPERATOR sees the active ones, and may not ask for others.
   * @throws AppError FORBIDDEN when an OPERATOR filters by `isActive`
   */
  async list(
    principal: Principal | undefined,
    args: PageArgs,
    wanted?: UserFilter | null,
    fields?: SelectedFields,
  ): Promise<Page<Shown<UserRecord>>> {
    const { tenantId, role } = requireUser(principal);
    const { database } = this.options;
    const filter = parseInput(userFilterSchema, wanted ?? {}, 'filter');
    if (filter.isActive != null) requireAdmin(principal);
    const conditions = { ...filter, isActive: role === 'ADMIN' ? filter.isActive : true };
    return readPage<Shown<UserRecord>>(args, {
      list: 'users',
      keyOf: (user) => user.id,
      read: (range) => database.show(tenantId, selectNewestFirst(listedUsers, tenantId, conditions, range, fields)),
      count: async () => {
        const [counted] = await runText<{ count: number }>(database, countListed(listedUsers, tenantId, conditions));
        return counted?.count ?? 0;
      },
    });
  }

  /** A user of the own tenant; null where there is none of this id, or none whom an OPERATOR sees. */
  async find(principal: Principal | undefined, id: string): Promise<UserRecord | null> {
    const user = requireUser(principal);
    if (!isUuid(id)) return null;
    const [found] = await this.listByIds(user, [id]);
    return found !== undefined && (found.isActive || user.role === 'ADMIN') ? found : null;
  }

  /** Colleagues by id, in one statement; ids of another tenant are left out. */
  async listByIds({ tenantId }: Principal, ids: readonly string[]): Promise<UserRecord[]> {
    return this.options.database.query(selectUsersByIds, [tenantId, ids]);
  }
}

function isActiveAdmin({ role, isActive }: UserRecord): boolean {
  return role === 'ADMIN' && isActive;
}

// A subject is unique in the service: whether it is taken reveals other tenants.
function requireSubjectAuthority(actor: UserPrincipal | CommandPrincipal): void {
  if (actor.kind === 'command' || actor.isPlatformTenant) return;
  const advice = 'leave it out, and the first sign-in binds the user by the e-mail address';
  throw new AppError('FORBIDDEN', `idpSub: only an ADMIN of the platform tenant may set it; ${advice}`);
}

// A tenant keeps an active ADMIN, who can let others in.
async function refuseLastAdmin(sql: SqlRunner, { tenantId, id }: UserRecord): Promise<void> {
  const others = await sql.query(hasOtherAdmin, [tenantId, id]);
  if (others.length === 0) throw new AppError('CONFLICT', 'This is the last active ADMIN of the tenant');
}

function auditedFields({ email, role, isActive, idpSub, name, displayName, accountName }: UserRecord) {
  return { email, role, isActive, idpSub, name, displayName, accountName };
}

function storedValues(user: UserRecord): unknown[] {
  const { tenantId, id, idpSub, role, email, name, isActive, accountName, displayName } = user;
  return [tenantId, id, idpSub, role, email, name, isActive, accountName, displayName];
}

function about({ tenantId, id }: UserRecord) {
  return { tenantId, targetKind: 'USER', targetId: id } as const;
}

async function withUniqueFields(write: () => Promise<UserRecord[]>, subjectField = 'idpSub'): Promise<UserRecord> {
  try {
    const [user] = await write();
    if (user === undefined) throw notFound('user');
    return user;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const isSubject = error.constraint === 'users_idp_sub_key';
    throw conflictingField(isSubject ? subjectField : 'email', 'is taken', error);
  }
}

export interface TenantCreationOptions {
  database: Database;
  tenants: TenantService;
  users: UserService;
  /** Called in the transaction that creates a tenant, to store what the tenant begins with. */
  onCreated: (sql: SqlRunner, tenantId: string) => Promise<void>;
}

export class TenantCreationService {
  constructor(private readonly options: TenantCreationOptions) {}

  /**
   * Creates a tenant with a fresh API key and, where `adminEmail` is given, its first ADMIN. The first tenant of a database
   * becomes the platform tenant. ADMINs of the platform tenant and commands only.
   * @throws AppError CONFLICT when the slug or the ADMIN's subject is taken; then nothing is created
   */
  async create(
    principal: Principal | CommandPrincipal | undefined,
    input: CreateTenantWithAdminInput,
  ): Promise<TenantRecord> {
    const actor = requirePlatform(principal);
    const { adminEmail, adminIdpSub, ...wanted } = parseInput(createTenantWithAdminSchema, input);
    const { database, tenants, users, onCreated } = this.options;
    return database.transaction(async (sql) => {
      const tenant = await tenants.create(actor, sql, wanted);
      if (adminEmail != null)
        await users.insert(
          actor,
          sql,
          tenant.id,
          { email: adminEmail, role: 'ADMIN', idpSub: adminIdpSub },
          'adminIdpSub',
        );
      await onCreated(sql, tenant.id);
      return tenant;
    });
  }
}
