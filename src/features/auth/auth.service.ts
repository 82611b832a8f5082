// Turns credentials into principals, and grants of the identity provider into tokens of ours. Every door (REST, GraphQL,
// sockets) asks here.

import { LRUCache } from 'lru-cache';
import type { IdentityProvider, ProviderSession } from '../../clients/identity-provider.js';
import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input.js';
import type { Role, TenantKeyPrincipal, UserPrincipal } from '../../platform/principal.js';
import type { TenantService } from '../tenants/tenant.service.js';
import type { UserService } from '../users/user.service.js';
import { claimedIssuer } from './access-token.js';
import type { AccessTokens } from './access-token.js';
import { devTokenSchema, grantSchemas, grantTypeSchema } from './auth.schema.js';
import type { GrantType } from './auth.schema.js';

/** The spec's answer of `POST /auth/token`; `expiresIn` in seconds, the last three as the identity provider gave them. */
export interface TokenResponse {
  accessToken: string;
  tokenType: 'Bearer';
  expiresIn: number;
  user: { id: string; tenantId: string; accountId: string; role: Role; email: string };
  idToken?: string;
  refreshToken?: string;
  scope?: string;
}

export interface AuthOptions {
  tenants: TenantService;
  users: UserService;
  /** Undefined without JWT_SECRET: no token is issued, and none accepted. */
  accessTokens: AccessTokens | undefined;
  allowDevTokens: boolean;
  /** Undefined: nobody signs in through a provider. */
  identityProvider: IdentityProvider | undefined;
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
    if (user === undefined) throw noUser();
    return toResponse(accessTokens, user);
  }

  /**
   * A token for the user whom the identity provider names. A user who was created with an e-mail address only is bound to
   * the provider's subject at the first sign-in. A code can be exchanged once.
   * @throws AppError BAD_REQUEST for an unknown grant type, VALIDATION_FAILED naming each wrong field, GRANT_INVALID when
   * the provider refuses, FORBIDDEN without an active user, UNAVAILABLE without a provider
   */
  async exchangeToken(body: unknown): Promise<TokenResponse> {
    const grant = parseGrant(body);
    const { accessTokens, identityProvider } = this.options;
    if (identityProvider === undefined || accessTokens === undefined) {
      throw new AppError('UNAVAILABLE', 'Sign-in is not configured: no identity provider is set up');
    }
    const session =
      grant.grantType === 'authorization_code'
        ? await identityProvider.exchangeCode(grant)
        : await identityProvider.refresh(grant.refreshToken);
    const user = await this.findUser(session);
    if (user === undefined) throw noUser();
    return { ...toResponse(accessTokens, user), ...passedOn(session) };
  }

  /**
   * The user behind a Bearer token, ours or the provider's, or undefined when the token or the user is not valid now.
   * @throws AppError UNAVAILABLE when the token is the provider's and its keys cannot be had
   */
  async findByToken(token: string): Promise<UserPrincipal | undefined> {
    const { accessTokens, identityProvider, users } = this.options;
    if (identityProvider !== undefined && claimedIssuer(token) === identityProvider.issuer) {
      const subject = await identityProvider.findSubject(token);
      if (subject === undefined) return undefined;
      return this.remembered(`subject:${subject}`, () => users.findActiveBySubject(subject));
    }
    const claims = accessTokens?.verify(token);
    if (claims === undefined) return undefined;
    const { tenantId, userId } = claims;
    return this.remembered(`${tenantId}:${userId}`, () => users.findActive(tenantId, userId));
  }

  /** The tenant behind an API key, or undefined for one that is unknown or expired. */
  async findByApiKey(apiKey: string): Promise<TenantKeyPrincipal | undefined> {
    return this.options.tenants.findByApiKey(apiKey);
  }

  private async remembered(cacheKey: string, find: () => Promise<UserPrincipal | undefined>) {
    const user = this.users.get(cacheKey) ?? (await find());
    if (user !== undefined) this.users.set(cacheKey, user, { noUpdateTTL: true });
    return user;
  }

  private async findUser({ subject, findVerifiedEmail }: ProviderSession): Promise<UserPrincipal | undefined> {
    const { users } = this.options;
    const known = await users.findActiveBySubject(subject);
    if (known !== undefined) return known;
    const email = await findVerifiedEmail();
    return email === undefined ? undefined : users.bindSubject(subject, email);
  }
}

function parseGrant(body: unknown) {
  const { grantType } = parseInput(grantTypeSchema, body);
  if (!isGrantType(grantType))
    throw new AppError('BAD_REQUEST', 'grantType is neither authorization_code nor refresh_token');
  return parseInput(grantSchemas[grantType], body);
}

function isGrantType(grantType: string): grantType is GrantType {
  return Object.hasOwn(grantSchemas, grantType);
}

// One sentence for every reason, so that nobody learns who has an account.
function noUser(): AppError {
  return new AppError('FORBIDDEN', 'This identity has no active user here');
}

function toResponse(accessTokens: AccessTokens, user: UserPrincipal): TokenResponse {
  const { token, expiresInSeconds } = accessTokens.issue(user);
  return { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds, user: toViewer(user) };
}

function passedOn({ idToken, refreshToken, scope }: ProviderSession): Partial<TokenResponse> {
  return {
    ...(idToken === undefined ? {} : { idToken }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** The spec's authenticated user context. */
export function toViewer(user: UserPrincipal): TokenResponse['user'] {
  return { id: user.userId, tenantId: user.tenantId, accountId: user.accountId, role: user.role, email: user.email };
}
