// The statements that find, create and change users with their accounts. sign-in.service.ts has its own.

import type { NamedStatement } from '../../platform/database/database.js';
import type { NewestFirst } from '../../platform/database/newest-first.js';
import type { Role } from '../../platform/principal.js';
import type { ShowableOf } from '../../platform/database/shown-records.js';
import { containing, selectColumns, whenGiven, type Columns } from '../../platform/database/sql-text.js';

/** A user with the account. */
export interface UserRecord {
  tenantId: string;
  id: string;
  idpSub: string | null;
  role: Role;
  isActive: boolean;
  email: string;
  name: string | null;
  displayName: string | null;
  createdAt: Date;
  updatedAt: Date;
  accountId: string;
  accountName: string;
}

/** The columns of a user `u` with the account `a`. */
const userColumns: Columns<UserRecord> = {
  tenantId: 'u.tenant_id',
  id: 'u.id',
  idpSub: 'u.idp_sub',
  role: 'u.role',
  isActive: 'u.is_active',
  email: 'u.email',
  name: 'u.name',
  displayName: 'u.display_name',
  createdAt: 'u.created_at',
  updatedAt: 'u.updated_at',
  accountId: 'a.id',
  accountName: 'a.name',
};

/** The columns of a user, and those that its shown fields need. */
export const shownUser: ShowableOf<UserRecord> = {
  columns: userColumns,
  needs: { account: ['accountId', 'accountName'], tenant: ['tenantId'] },
};

const columns = selectColumns(userColumns);
/** Users alone, for their own columns. */
export const usersAlone = 'users u';

/** The tables that `userColumns` are read from. */
export const usersWithAccounts = `${usersAlone} JOIN accounts a ON a.tenant_id = u.tenant_id AND a.user_id = u.id`;

/** $1 tenant, $2 user, $3 subject, $4 role, $5 e-mail address, $6 name, $7 account, $8 the account's name, $9 display name. */
export const insertUser: NamedStatement = {
  name: 'insert-user',
  text: `WITH u AS (
      INSERT INTO users (tenant_id, id, idp_sub, role, email, name, display_name, updated_at)
      VALUES ($1, $2, $3, $4::role, $5, $6, $9, now()) RETURNING *
    ), a AS (
      INSERT INTO accounts (tenant_id, id, user_id, name, updated_at) VALUES ($1, $7, $2, $8, now()) RETURNING *
    )
    SELECT ${columns} FROM u CROSS JOIN a`,
};

/** $1 tenant → how many users it has, deactivated ones included. */
export const countUsers: NamedStatement = {
  name: 'count-users',
  text: 'SELECT count(*)::int AS count FROM users WHERE tenant_id = $1',
};

/** The conditions on the listed users of a tenant. */
export interface UserConditions {
  role?: Role | null | undefined;
  isActive?: boolean | null | undefined;
  search?: string | null | undefined;
}

/** The tenant's users. */
export const listedUsers: NewestFirst<UserConditions> = {
  name: 'list-users',
  record: shownUser,
  from: usersWithAccounts,
  keys: ['id'],
  conditions: conditionsOf,
};

function conditionsOf(tenantId: string, filter: UserConditions, use: (value: unknown) => string): string[] {
  return [
    `u.tenant_id = ${use(tenantId)}`,
    ...whenGiven(filter.role, (role) => `u.role = ${use(role)}::role`),
    ...whenGiven(filter.isActive, (isActive) => `u.is_active = ${use(isActive)}`),
    ...whenGiven(filter.search, (part) => {
      const pattern = use(containing(part));
      return `(u.email ILIKE ${pattern} OR u.name ILIKE ${pattern})`;
    }),
  ];
}

/** $1 tenant, $2 ids. */
export const selectUsersByIds: NamedStatement = {
  name: 'select-users-by-ids',
  text: `SELECT ${columns} FROM ${usersWithAccounts} WHERE u.tenant_id = $1 AND u.id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 e-mail address, in any letter case. */
export const findUserByEmail: NamedStatement = {
  name: 'find-user-by-email',
  text: `SELECT ${columns} FROM ${usersWithAccounts} WHERE u.tenant_id = $1 AND lower(u.email) = lower($2)`,
};

/** $1 tenant, $2 user. A change waits for another's end. */
export const lockUser: NamedStatement = {
  name: 'lock-user',
  text: `SELECT ${columns} FROM ${usersWithAccounts} WHERE u.tenant_id = $1 AND u.id = $2 FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 user, $3 subject, $4 role, $5 e-mail address, $6 name, $7 active, $8 the account's name, $9 display name. */
export const updateUser: NamedStatement = {
  name: 'update-user',
  text: `WITH u AS (
      UPDATE users SET idp_sub = $3, role = $4::role, email = $5, name = $6, is_active = $7, display_name = $9, updated_at = now()
      WHERE tenant_id = $1 AND id = $2 RETURNING *
    ), a AS (
      UPDATE accounts SET name = $8, updated_at = CASE WHEN name = $8 THEN updated_at ELSE now() END
      WHERE tenant_id = $1 AND user_id = $2 RETURNING *
    )
    SELECT ${columns} FROM u CROSS JOIN a`,
};

/** $1 tenant, $2 user → the format of signatures and the user's name in them; nothing where the tenant signs nothing. */
export const selectSignature: NamedStatement = {
  name: 'select-signature',
  text: `SELECT t.signature_format AS format, coalesce(u.display_name, u.name) AS name
    FROM tenants t JOIN users u ON u.tenant_id = t.id WHERE t.id = $1 AND u.id = $2 AND t.signature <> 'OFF'`,
};

/** $1 tenant, $2 user → whether anybody else is an active ADMIN. Count under the tenant lock. */
export const hasOtherAdmin: NamedStatement = {
  name: 'has-other-admin',
  text: `SELECT FROM users WHERE tenant_id = $1 AND id <> $2 AND role = 'ADMIN' AND is_active LIMIT 1`,
};

/** $1 tenant, $2 user → whether the user is active, and stays so until the transaction ends. */
export const holdUser: NamedStatement = {
  name: 'hold-user',
  text: 'SELECT is_active AS "isActive" FROM users WHERE tenant_id = $1 AND id = $2 FOR SHARE',
};

/** $1 tenant, $2 users → those who are active, and stay so until the transaction ends. */
export const holdActiveUsers: NamedStatement = {
  name: 'hold-active-users',
  text: 'SELECT id FROM users WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND is_active ORDER BY id FOR SHARE',
};

/** Locks an account of tenant $1. @param id as SQL */
export function lockAccountById(id: string): string {
  return `SELECT id FROM accounts WHERE tenant_id = $1 AND id = ${id} FOR NO KEY UPDATE`;
}
