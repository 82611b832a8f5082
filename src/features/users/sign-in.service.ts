// Decides which users may sign in: by the identity provider's subject, or by e-mail address at the first sign-in. A session is checked
// again and again while it lasts.

import type { Database, SqlRunner } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/observability/fault.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { AuditService } from '../audit/audit.service.js';
import { bindSubject, findActiveBySubject, selectActiveUsers, type ActiveUser } from './user.sql.js';

/** A user who may come in now, and the subject that proves it; null before the first sign-in. */
export interface Admission {
  user: UserPrincipal;
  idpSub: string | null;
}

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
