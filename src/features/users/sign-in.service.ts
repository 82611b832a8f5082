// Decides which users may sign in: by the identity provider's subject, or by e-mail address at the first sign-in. A session is checked
// again and again while it lasts.

import type { Database, NamedStatement, SqlRunner } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/observability/fault.js';
import type { Role, UserPrincipal } from '../../platform/principal.js';
import type { AuditService } from '../audit/audit.service.js';

/** A user who may come in now, and the subject that proves it; null before the first sign-in. */
export interface Admission {
  user: UserPrincipal;
  idpSub: string | null;
}

/** A user who may sign in. */
interface ActiveUser {
  tenantId: string;
  userId: string;
  accountId: string;
  role: Role;
  email: string;
  idpSub: string | null;
  isPlatformTenant: boolean;
}

const activeColumns = `u.tenant_id AS "tenantId", u.id AS "userId", a.id AS "accountId", u.role, u.email, u.idp_sub AS "idpSub",
  t.is_platform AS "isPlatformTenant"`;
const activeUsers = `users u JOIN tenants t ON t.id = u.tenant_id AND t.is_active
  JOIN accounts a ON a.tenant_id = u.tenant_id AND a.user_id = u.id`;

/** $1 subject. */
const findActiveBySubject: NamedStatement = {
  name: 'find-active-user-by-subject',
  text: `SELECT ${activeColumns} FROM ${activeUsers} WHERE u.idp_sub = $1 AND u.is_active`,
};

/**
 * $1 tenants, $2 users, in pairs → those who are active. They are read one by one (the LIMIT keeps the planner from joining tables whole):
 * the statement runs again and again for everybody who has a socket open.
 */
const selectActiveUsers: NamedStatement = {
  name: 'select-active-users',
  text: `SELECT found.* FROM unnest($1::uuid[], $2::uuid[]) AS w (tenant_id, user_id)
    CROSS JOIN LATERAL (
      SELECT ${activeColumns} FROM ${activeUsers}
      WHERE u.tenant_id = w.tenant_id AND u.id = w.user_id AND u.is_active LIMIT 1
    ) found`,
};

/**
 * $1 subject, $2 e-mail address → the user who was bound. It is one statement, so that of two first sign-ins at once the later one finds
 * the subject bound.
 */
const bindSubject: NamedStatement = {
  name: 'bind-subject',
  text: `WITH holder AS (
      SELECT u.tenant_id, u.id FROM users u JOIN tenants t ON t.id = u.tenant_id
      WHERE lower(u.email) = lower($2) AND u.is_active AND t.is_active
    )
    UPDATE users SET idp_sub = $1, updated_at = now()
    FROM holder
    WHERE users.tenant_id = holder.tenant_id AND users.id = holder.id
      AND users.idp_sub IS NULL AND users.is_active AND (SELECT count(*) FROM holder) = 1
    RETURNING users.tenant_id AS "tenantId", users.id AS "userId"`,
};

export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
  ) {}

  /** @throws where users cannot be looked up right now */
  ping(): Promise<void> {
    return this.database.ping();
  }

  /** The active user of an identity provider's subject. */
  async findBySubject(idpSub: string): Promise<Admission | undefined> {
    const [row] = await this.database.query<ActiveUser>(findActiveBySubject, [idpSub]);
    return row === undefined ? undefined : toAdmission(row);
  }

  /** The active users among these, in one statement. */
  async listActive(users: readonly { tenantId: string; userId: string }[]): Promise<Admission[]> {
    const columns = [users.map(({ tenantId }) => tenantId), users.map(({ userId }) => userId)];
    return (await this.database.query<ActiveUser>(selectActiveUsers, columns)).map(toAdmission);
  }

  /** The user where active, in the caller's transaction. */
  async findActive(
    sql: SqlRunner,
    { tenantId, userId }: { tenantId: string; userId: string },
  ): Promise<Admission | undefined> {
    const [row] = await sql.query<ActiveUser>(selectActiveUsers, [[tenantId], [userId]]);
    return row === undefined ? undefined : toAdmission(row);
  }

  /**
   * Binds an identity provider's subject to the one active user, of all tenants, who has this e-mail address and no subject yet. Letter
   * case does not count. Safe to repeat. The address has to be one that the provider vouches for.
   * @returns the user the subject belongs to now; undefined when no user, several users or another subject's user has it, or when the
   * subject is a deactivated user's
   */
  async bindSubject(idpSub: string, email: string): Promise<Admission | undefined> {
    try {
      await this.database.transaction(async (sql) => {
        const [bound] = await sql.query<{ tenantId: string; userId: string }>(bindSubject, [idpSub, email]);
        if (bound === undefined) return;
        const admission = await this.findActive(sql, bound);
        if (admission === undefined) return;
        const { user } = admission;
        const about = { tenantId: user.tenantId, targetKind: 'USER', targetId: user.userId } as const;
        const change = { before: { idpSub: null }, after: { idpSub } };
        await this.audit.record(sql, user, [{ ...about, action: 'USER_BOUND', ...change }]);
      });
    } catch (error) {
      // The subject is a user's already: one who was deactivated, or one bound meanwhile under another address.
      if (!isUniqueViolation(error)) throw error;
    }
    return this.findBySubject(idpSub);
  }
}

function toAdmission({ idpSub, ...user }: ActiveUser): Admission {
  return { user: { kind: 'user', ...user }, idpSub };
}
