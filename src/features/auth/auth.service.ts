// Decides who a caller is, by its token or key (`findSession`, `findByApiKey`), and turns grants of the identity provider into tokens of
// ours, which access-token.ts signs and verifies. authenticate.ts asks for HTTP, socket-sign-in.ts for sockets.

import type { IdentityProvider, ProviderSession } from '../../clients/identity-provider/identity-provider.js';
import { AppError, NotConfigured } from '../../platform/errors.js';
import { ExpiringCache } from '../../platform/expiring-cache.js';
import { parseInput } from '../../platform/input/input.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Role, TenantKeyPrincipal, UserPrincipal } from '../../platform/principal.js';
import type { ApiKeyService } from '../tenants/api-key.service.js';
import type { Admission, SignInService } from '../users/sign-in.service.js';
import { claimedIssuer, type AccessTokens } from './access-token.js';
import { devTokenSchema, parseGrant, signInLinkSchema } from './auth.schema.js';
import type { SignInLinkService } from './sign-in-link.service.js';

/** The spec's answer of `POST /auth/token`. `expiresIn` is in seconds; the last three fields are the identity provider's own. */
export interface TokenResponse {
  accessToken: string;
  tokenType: 'Bearer';
  expiresIn: number;
  user: { id: string; tenantId: string; accountId: string; role: Role; email: string };
  idToken?: string;
  refreshToken?: string;
  scope?: string;
}

/** The facts that a browser needs to sign a user in. Without a provider the first three are null, and there are no scopes. */
export interface SignInConfig {
  issuer: string | null;
  authorizationEndpoint: string | null;
  clientId: string | null;
  scopes: readonly string[];
  devSignIn: boolean;
}

/** The session of a Bearer token that is valid now. */
export interface Session {
  readonly user: UserPrincipal;
  /** The identity provider's subject to whom the token was issued; null for a user of a sign-in link. */
  readonly subject: string | null;
  /** Unix time. */
  readonly expiresAtMs: number;
}

/**
 * The reason why a token is refused: not issued for this service, expired, or its user was deactivated. Only the holder of a genuine token
 * is told the last two.
 */
export type TokenFault = 'unknown' | 'expired' | 'ended';

/** The state of an earlier session: `changed` if the user may still sign in, but with another role or other fields. */
export type SessionState = 'valid' | 'changed' | 'ended';

export interface AuthOptions {
  apiKeys: ApiKeyService;
  signIn: SignInService;
  /** Undefined without JWT_SECRET: no token is issued, and none accepted. */
  accessTokens: AccessTokens | undefined;
  allowDevTokens: boolean;
  /** Sign-in links, which count only without a provider: with one, all users sign in through it. */
  links: SignInLinkService;
  /** Undefined: no sign-in through a provider. */
  identityProvider: IdentityProvider | undefined;
  /** The time for which a user's record is remembered, in milliseconds. Default: 3 s. */
  memoryMs?: number | undefined;
  log: Pick<Logger, 'warn'>;
}

// The log tells the administrator, who may enter the subject. The caller does not learn the reason.
const noUserSentence =
  'an identity of the provider has no user here: no active user has this subject, nor its verified e-mail address alone';

// The longest time that a deactivated user or a changed role still passes on a process that saw the user before.
const userCacheMs = 3_000;
const userCacheSize = 10_000;
const nobody = Symbol('nobody');

export class AuthService {
  private readonly admissions: ExpiringCache<Admission | typeof nobody>;

  constructor(private readonly options: AuthOptions) {
    this.admissions = new ExpiringCache({ max: userCacheSize, ttl: options.memoryMs ?? userCacheMs });
  }

  /** True if `issueDevToken` exists at all. */
  get issuesDevTokens(): boolean {
    return this.options.allowDevTokens && this.options.accessTokens !== undefined;
  }

  /**
   * Issues a token for a known, active user, without the identity provider.
   * @throws AppError NOT_FOUND outside development and test or without JWT_SECRET; FORBIDDEN for an unknown subject
   */
  async issueDevToken(body: unknown): Promise<TokenResponse> {
    const { accessTokens, allowDevTokens, signIn } = this.options;
    if (!allowDevTokens || accessTokens === undefined) throw new AppError('NOT_FOUND', 'There is no such path');
    const { idpSub } = parseInput(devTokenSchema, body);
    const admission = await signIn.findBySubject(idpSub);
    if (admission === undefined) throw noUser();
    return toResponse(accessTokens, admission.user, idpSub);
  }

  /** True if sign-in links count, and the tokens that were given for them. */
  get takesSignInLinks(): boolean {
    return this.options.identityProvider === undefined && this.options.accessTokens !== undefined;
  }

  /**
   * Issues a token for the ADMIN of a sign-in link. It lives for an hour, and nothing renews it.
   * @throws AppError NOT_FOUND where a provider is configured; VALIDATION_FAILED; UNAUTHENTICATED for a link that is not valid
   */
  async signInByLink(body: unknown): Promise<TokenResponse> {
    const { accessTokens, links } = this.options;
    if (!this.takesSignInLinks || accessTokens === undefined) throw new AppError('NOT_FOUND', 'There is no such path');
    const { token } = parseInput(signInLinkSchema, body);
    return toResponse(accessTokens, await links.use(token), null);
  }

  /** Returns public facts, for every caller. @throws AppError UNAVAILABLE if the provider's discovery was never read, or hours ago */
  async getSignInConfig(): Promise<SignInConfig> {
    const { accessTokens, identityProvider } = this.options;
    const devSignIn = this.issuesDevTokens;
    if (identityProvider === undefined || accessTokens === undefined)
      return { issuer: null, authorizationEndpoint: null, clientId: null, scopes: [], devSignIn };
    const { authorizationEndpoint = null, ...address } = await identityProvider.getSignInAddress();
    return { ...address, authorizationEndpoint, devSignIn };
  }

  /**
   * Issues a token for the user whom the identity provider names. A user who was created with an e-mail address only is bound to the
   * provider's subject at the first sign-in. A code can be exchanged once.
   * @throws AppError BAD_REQUEST for an unknown grant type, VALIDATION_FAILED naming each wrong field, GRANT_INVALID when
   * the provider refuses, FORBIDDEN without an active user, UNAVAILABLE without a provider
   */
  async exchangeToken(body: unknown): Promise<TokenResponse> {
    const grant = parseGrant(body);
    const { accessTokens, identityProvider } = this.options;
    if (identityProvider === undefined || accessTokens === undefined) {
      throw new NotConfigured('Sign-in is not configured: no identity provider is set up');
    }
    // The database is checked before the grant is spent: a failed look-up afterwards would cost the caller the code.
    await this.options.signIn.ping();
    const session =
      grant.grantType === 'authorization_code'
        ? await identityProvider.exchangeCode(grant)
        : await identityProvider.refresh(grant.refreshToken);
    const admission = await this.admit(session);
    if (admission === undefined) {
      this.options.log.warn({ subject: session.subject }, noUserSentence);
      throw noUser();
    }
    return { ...toResponse(accessTokens, admission.user, session.subject), ...passedOn(session) };
  }

  /**
   * Returns the session of a Bearer token, issued by this service or the provider; undefined when the token or its user is not valid now.
   * @throws AppError UNAVAILABLE when the token is the provider's and its keys cannot be read
   */
  async findSession(token: string): Promise<Session | undefined> {
    const { accessTokens, identityProvider, signIn } = this.options;
    if (identityProvider !== undefined && claimedIssuer(token) === identityProvider.issuer) {
      const claims = await identityProvider.verifyAccessToken(token);
      if (claims === undefined) return undefined;
      const { subject } = claims;
      const admission = await this.remembered(keyOfSubject(subject), () => signIn.findBySubject(subject));
      return admission === undefined ? undefined : { user: admission.user, ...claims };
    }
    const claims = accessTokens?.verify(token);
    if (claims === undefined || (claims.subject === null && !this.takesSignInLinks)) return undefined;
    const { tenantId, userId, subject, expiresAtMs } = claims;
    const find = async () => (await signIn.listActive([{ tenantId, userId }]))[0];
    const admission = await this.remembered(keyOfUser(claims), find);
    return admission?.idpSub === subject ? { user: admission.user, subject, expiresAtMs } : undefined;
  }

  /**
   * Returns the reason why a Bearer token is refused. Telling the holder of a genuine token is safe: such a caller is not guessing.
   * @throws AppError UNAVAILABLE when the token is the provider's and its keys cannot be read
   */
  async findTokenFault(token: string): Promise<TokenFault> {
    const { accessTokens, identityProvider } = this.options;
    const isProviders = identityProvider !== undefined && claimedIssuer(token) === identityProvider.issuer;
    const claims = isProviders
      ? await identityProvider.verifyAccessToken(token, { ignoreExpiration: true })
      : accessTokens?.recognise(token);
    if (claims === undefined) return 'unknown';
    return claims.expiresAtMs <= Date.now() ? 'expired' : 'ended';
  }

  /** Returns the states of sessions, in their order, by one statement for all users. The holder of a session watches its expiry. */
  async checkSessions(sessions: readonly Session[]): Promise<SessionState[]> {
    const users = new Map(sessions.map(({ user }) => [user.userId, user]));
    const active = await this.options.signIn.listActive([...users.values()]);
    const admissions = new Map(active.map((admission) => [admission.user.userId, admission]));
    return sessions.map((session) => {
      const state = stateOf(session, admissions.get(session.user.userId));
      // A user who returns at once must not be judged by the old state.
      if (state !== 'valid') this.forget(session);
      return state;
    });
  }

  /** Returns the tenant of an API key; undefined for a key that is unknown or has ended. */
  async findByApiKey(apiKey: string): Promise<TenantKeyPrincipal | undefined> {
    return this.options.apiKeys.find(apiKey);
  }

  /** Finds the tenant like `findByApiKey`, but only for keys that this process has read within seconds; otherwise undefined. */
  findFreshApiKey(apiKey: string): TenantKeyPrincipal | undefined {
    return this.options.apiKeys.findFresh(apiKey);
  }

  /** True if this process has ever seen the API key pass. */
  isFamiliarKey(apiKey: string): boolean {
    return this.options.apiKeys.isFamiliar(apiKey);
  }

  private forget({ user, subject }: Session): void {
    this.admissions.delete(keyOfUser(user));
    if (subject !== null) this.admissions.delete(keyOfSubject(subject));
  }

  // Only holders of a verified token come here. Misses may be remembered too: there are at most as many as issued tokens.
  private async remembered(cacheKey: string, find: () => Promise<Admission | undefined>) {
    const known = this.admissions.get(cacheKey);
    if (known !== undefined) return known === nobody ? undefined : known;
    const admission = await find();
    this.admissions.set(cacheKey, admission ?? nobody);
    return admission;
  }

  private async admit({ subject, findVerifiedEmail }: ProviderSession): Promise<Admission | undefined> {
    const { signIn } = this.options;
    const known = await signIn.findBySubject(subject);
    if (known !== undefined) return known;
    const email = await findVerifiedEmail();
    return email === undefined ? undefined : signIn.bindSubject(subject, email);
  }
}

function keyOfUser({ tenantId, userId }: { tenantId: string; userId: string }): string {
  return `${tenantId}:${userId}`;
}

function keyOfSubject(subject: string): string {
  return `subject:${subject}`;
}

function stateOf({ user, subject }: Session, admission: Admission | undefined): SessionState {
  if (admission?.idpSub !== subject) return 'ended';
  return JSON.stringify(admission.user) === JSON.stringify(user) ? 'valid' : 'changed';
}

// The sentence is the same for every reason: an answer must not reveal who has an account.
function noUser(): AppError {
  return new AppError('FORBIDDEN', 'This identity has no active user here');
}

function toResponse(accessTokens: AccessTokens, user: UserPrincipal, subject: string | null): TokenResponse {
  const { token, expiresInSeconds } = accessTokens.issue(user, subject);
  return { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds, user: toViewer(user) };
}

function passedOn({ idToken, refreshToken, scope }: ProviderSession): Partial<TokenResponse> {
  return {
    ...(idToken === undefined ? {} : { idToken }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Returns the spec's authenticated user context. */
export function toViewer(user: UserPrincipal): TokenResponse['user'] {
  return { id: user.userId, tenantId: user.tenantId, accountId: user.accountId, role: user.role, email: user.email };
}
