// Turns credentials into principals, and issues tokens for development. Every door (REST, GraphQL, sockets) asks here.

import { LRUCache } from 'lru-cache';
import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import type { Role, TenantKeyPrincipal, UserPrincipal } from '../../platform/principal.js';
import type { TenantService } from '../tenants/tenant.service.js';
import type { UserService } from '../users/user.service.js';
import type { AccessTokens } from './access-token.js';
import { devTokenSchema } from './auth.schema.js';

/** The spec's answer of `POST /auth/token`; `expiresIn` in seconds. */
export interface TokenResponse {
  accessToken: string;
  tokenType: 'Bearer';
  expiresIn: number;
  user: { id: string; tenantId: string; accountId: string; role: Role; email: string };
}

export interface AuthOptions {
  tenants: TenantService;
  users: UserService;
  /** Undefined without JWT_SECRET: no token is issued, and none accepted. */
  accessTokens: AccessTokens | undefined;
  allowDevTokens: boolean;
}

// How long a deactivated user or a changed role may still pass on a process that saw the user before.
const userCacheMs = 3_000;
const userCacheSize = 10_000;

export class AuthService {
  private readonly users = new LRUCache<string, UserPrincipal>({ max: userCacheSize, ttl: userCacheMs });

  constructor(private readonly options: AuthOptions) {}

  /**
   * A token for a known, active user, without the identity provider.
   * @throws AppError NOT_FOUND outside development and test or without JWT_SECRET; FORBIDDEN for an unknown subject
   */
  async issueDevToken(body: unknown): Promise<TokenResponse> {
    const { accessTokens, allowDevTokens, users } = this.options;
    if (!allowDevTokens || accessTokens === undefined) throw new AppError('NOT_FOUND', 'There is no such path');
    const { idpSub } = parseInput(devTokenSchema, body);
    const user = await users.findActiveBySubject(idpSub);
    if (user === undefined) throw new AppError('FORBIDDEN', 'This identity has no active user here');
    const { token, expiresInSeconds } = accessTokens.issue(user);
    return { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds, user: toViewer(user) };
  }

  /** The user behind a Bearer token, or undefined when the token or the user is not valid now. */
  async findByToken(token: string): Promise<UserPrincipal | undefined> {
    const claims = this.options.accessTokens?.verify(token);
    if (claims === undefined) return undefined;
    const cacheKey = `${claims.tenantId}:${claims.userId}`;
    const user = this.users.get(cacheKey) ?? (await this.options.users.findActive(claims.tenantId, claims.userId));
    if (user !== undefined) this.users.set(cacheKey, user, { noUpdateTTL: true });
    return user;
  }

  /** The tenant behind an API key, or undefined for one that is unknown or expired. */
  async findByApiKey(apiKey: string): Promise<TenantKeyPrincipal | undefined> {
    return this.options.tenants.findByApiKey(apiKey);
  }
}

/** The spec's authenticated user context. */
export function toViewer(user: UserPrincipal): TokenResponse['user'] {
  return { id: user.userId, tenantId: user.tenantId, accountId: user.accountId, role: user.role, email: user.email };
}
