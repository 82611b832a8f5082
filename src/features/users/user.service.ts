// Users and their accounts (one each). Who may sign in is decided here; tokens belong to auth.

import { v7 as uuidv7 } from 'uuid';
import type { Database, NamedStatement, Prisma } from '../../platform/database.js';
import { parseInput } from '../../platform/input.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import { createUserSchema } from './user.schema.js';
import type { CreateUserInput } from './user.schema.js';

export type UserRow = Prisma.UserGetPayload<object>;

const withAccount = { account: { select: { id: true } }, tenant: { select: { isPlatform: true } } } as const;
type UserWithAccount = Prisma.UserGetPayload<{ include: typeof withAccount }>;

// One statement, so that of two first sign-ins at once the later one finds the subject bound.
const bindSubject: NamedStatement = {
  name: 'bind_subject',
  text: `
    WITH holder AS (SELECT tenant_id, id FROM users WHERE lower(email) = lower($2) AND is_active)
    UPDATE users SET idp_sub = $1, updated_at = now()
    FROM holder
    WHERE users.tenant_id = holder.tenant_id AND users.id = holder.id
      AND users.idp_sub IS NULL AND users.is_active AND (SELECT count(*) FROM holder) = 1`,
};
const uniqueViolation = '23505';

export class UserService {
  constructor(private readonly database: Database) {}

  /** Creates a user with its account, named after the user. Authorization is the caller's. */
  async create(tenantId: string, input: CreateUserInput): Promise<UserPrincipal> {
    const { email, role, idpSub, name } = parseInput(createUserSchema, input);
    const user = await this.database.prisma.user.create({
      data: {
        tenant: { connect: { id: tenantId } },
        id: uuidv7(),
        email,
        role,
        idpSub: idpSub ?? null,
        name: name ?? null,
        account: { create: { id: uuidv7(), name: name ?? email, tenant: { connect: { id: tenantId } } } },
      },
      include: withAccount,
    });
    return toPrincipal(user);
  }

  /** The active user of an identity provider's subject, as a principal. */
  async findActiveBySubject(idpSub: string): Promise<UserPrincipal | undefined> {
    const user = await this.database.prisma.user.findUnique({ where: { idpSub }, include: withAccount });
    return user?.isActive === true ? toPrincipal(user) : undefined;
  }

  /**
   * Binds an identity provider's subject to the one active user, of all tenants, who has this e-mail address in any letter
   * case and no subject yet. Safe to repeat. The address has to be one that the provider vouches for.
   * @returns the user the subject belongs to now; undefined when nobody, several users or another subject's user has it,
   * or when the subject is a deactivated user's
   */
  async bindSubject(idpSub: string, email: string): Promise<UserPrincipal | undefined> {
    try {
      await this.database.query(bindSubject, [idpSub, email]);
    } catch (error) {
      // The subject is a user's already: one who was deactivated, or one bound meanwhile under another address.
      if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error;
    }
    return this.findActiveBySubject(idpSub);
  }

  /** The active user of an id, as a principal. */
  async findActive(tenantId: string, id: string): Promise<UserPrincipal | undefined> {
    const user = await this.database.prisma.user.findUnique({
      where: { tenantId_id: { tenantId, id } },
      include: withAccount,
    });
    return user?.isActive === true ? toPrincipal(user) : undefined;
  }

  /** Colleagues by id, in one statement; ids of another tenant are left out. */
  async listByIds(principal: Principal, ids: readonly string[]): Promise<UserRow[]> {
    return this.database.prisma.user.findMany({ where: { tenantId: principal.tenantId, id: { in: [...ids] } } });
  }
}

function toPrincipal(user: UserWithAccount): UserPrincipal {
  if (user.account === null) throw new Error(`user ${user.id} has no account`);
  const { tenantId, id: userId, role, email } = user;
  return {
    kind: 'user',
    tenantId,
    userId,
    accountId: user.account.id,
    role,
    email,
    isPlatformTenant: user.tenant.isPlatform,
  };
}
