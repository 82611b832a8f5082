// Links that sign an ADMIN in once, for an installation that has no identity provider yet. An administrator makes them by a command. Only
// the hash of a link is stored.

import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import type { CommandPrincipal, UserPrincipal } from '../../platform/principal.js';
import { sha256 } from '../../platform/secret-box.js';
import type { AuditService } from '../audit/audit.service.js';
import type { SignInService } from '../users/sign-in.service.js';
import type { UserService } from '../users/user.service.js';
import { findSignInLink, replaceSignInLink, useSignInLink } from './sign-in-link.sql.js';

const signInLinkSeconds = 600;
const tokenBytes = 32;

export interface SignInLinkOptions {
  database: Database;
  users: UserService;
  signIn: SignInService;
  audit: AuditService;
}

export interface SignInLink {
  /** Shown once: only its hash is stored. */
  token: string;
  email: string;
  /** True if the user was created for the link. */
  isNewUser: boolean;
  expiresAt: Date;
}

export class SignInLinkService {
  constructor(private readonly options: SignInLinkOptions) {}

  /**
   * Creates a link for an ADMIN of the tenant. The user's earlier link ends.
   * @param mayCreateUser true to create an ADMIN if no user has the address; otherwise such an address is NOT_FOUND
   * @throws AppError CONFLICT for an OPERATOR, a deactivated user, and a user who signs in through a provider; NOT_FOUND for
   * an unknown tenant
   */
  async create(
    actor: CommandPrincipal,
    tenantId: string,
    { email, mayCreateUser }: { email: string; mayCreateUser: boolean },
  ): Promise<SignInLink> {
    const { database, users, audit } = this.options;
    const token = randomBytes(tokenBytes).toString('base64url');
    return database.transaction(async (sql) => {
      const { user, isNew } = await users.findOrCreateAdmin(actor, sql, tenantId, email);
      // The refusal rolls the transaction back, and the new user with it.
      if (isNew && !mayCreateUser) throw new AppError('NOT_FOUND', `email: no user of the tenant has ${email}`);
      const values = [tenantId, user.id, sha256(token), signInLinkSeconds];
      const [link] = await sql.query<{ expiresAt: Date }>(replaceSignInLink, values);
      if (link === undefined) throw new Error('the sign-in link was not stored');
      await audit.record(sql, actor, [{ ...about(tenantId, user.id), action: 'SIGN_IN_LINK_CREATED' }]);
      return { token, email: user.email, isNewUser: isNew, expiresAt: link.expiresAt };
    });
  }

  /** Uses a link, which counts once, and returns its ADMIN. @throws AppError UNAUTHENTICATED with the reason if the link is not valid */
  async use(token: string): Promise<UserPrincipal> {
    const { database, signIn, audit } = this.options;
    const user = await database.transaction(async (sql) => {
      const [used] = await sql.query<{ tenantId: string; userId: string }>(useSignInLink, [sha256(token)]);
      if (used === undefined) return undefined;
      const admission = await signIn.findActive(sql, used);
      // A user who can sign in through a provider has to do so.
      if (admission === undefined || admission.idpSub !== null || admission.user.role !== 'ADMIN') throw refused(ended);
      const { tenantId, userId } = used;
      await audit.record(sql, admission.user, [{ ...about(tenantId, userId), action: 'SIGN_IN_LINK_USED' }]);
      return admission.user;
    });
    if (user !== undefined) return user;
    const [known] = await database.query<{ isUsed: boolean }>(findSignInLink, [sha256(token)]);
    if (known === undefined) throw refused('is not known, or a newer one took its place');
    throw refused(known.isUsed ? 'was used already: it counts once' : 'has expired');
  }
}

const ended = 'is of a user who may not sign in by it any more';

function refused(reason: string): AppError {
  return new AppError('UNAUTHENTICATED', `This sign-in link ${reason}`);
}

function about(tenantId: string, userId: string) {
  return { tenantId, targetKind: 'USER', targetId: userId } as const;
}
