// The company's OpenID Connect provider: exchanges codes and refresh tokens, and identifies their holder. The features decide which user an
// identity belongs to.

import { z } from 'zod';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/observability/logger.js';
import {
  callProvider,
  fetchMetadata,
  getDocument,
  providerUnavailable,
  type ProviderMetadata,
} from './provider-metadata.js';
import { SigningKeys } from './signing-keys.js';
import { RemoteDocument } from './remote-document.js';
import { requestTokens, type GrantParameters, type ProviderClient, type Tokens } from './token-endpoint.js';
import { subjectSchema, TokenVerifier, type VerifyOptions } from './token-verifier.js';

export interface IdentityProviderOptions extends ProviderClient {
  /** The issuer, exactly as the provider writes it. */
  issuer: string;
  /** Audience of the provider's own access tokens; undefined: none is accepted. */
  audience: string | undefined;
  /** The scopes that browsers ask for. */
  scopes: readonly string[];
  /** Further parameters that browsers send to the provider; none by default. */
  authorizationParameters?: readonly (readonly [name: string, value: string])[];
  /** The time limit of one sign-in with all its calls, in milliseconds. */
  timeoutMs: number;
  /** A clock that never goes back, in milliseconds. Default: the process's. */
  nowMs?: () => number;
  log: Logger;
}

/** The data that a browser needs to send a user to the provider. */
export interface SignInAddress {
  issuer: string;
  /** May have a query. Undefined where the provider names none that is safe. */
  authorizationEndpoint: string | undefined;
  clientId: string;
  scopes: readonly string[];
}

export interface AuthorizationCode {
  code: string;
  codeVerifier?: string | null | undefined;
  redirectUri?: string | null | undefined;
}

/** A grant that the provider has accepted. */
export interface ProviderSession {
  /** The provider's `sub`. */
  subject: string;
  idToken: string | undefined;
  refreshToken: string | undefined;
  scope: string | undefined;
  /** The e-mail address that the provider vouches for, if any; may ask the provider. @throws AppError UNAVAILABLE */
  findVerifiedEmail: () => Promise<string | undefined>;
}

const profileSchema = z.object({
  sub: subjectSchema,
  email: z.unknown().optional(),
  email_verified: z.unknown().optional(),
  xms_edov: z.unknown().optional(),
});
type Profile = z.output<typeof profileSchema>;

const metadataRefreshAfterMs = 60 * 60_000;
const metadataMaxAgeMs = 2 * metadataRefreshAfterMs;
const coolDownMs = 5_000;
/** The interval at which the provider is looked for while it cannot be used. Each failure is logged. */
const checkIntervalMs = 60_000;

export class IdentityProvider {
  private readonly metadata: RemoteDocument<ProviderMetadata>;
  private readonly keys: SigningKeys;
  private readonly verifier: TokenVerifier;
  private checking: NodeJS.Timeout | undefined;

  constructor(private readonly options: IdentityProviderOptions) {
    const { issuer, clientId, audience, log, nowMs = () => performance.now() } = options;
    this.metadata = new RemoteDocument({
      name: 'discovery',
      load: () => fetchMetadata(issuer, this.timeLimit()),
      refreshAfterMs: metadataRefreshAfterMs,
      maxAgeMs: metadataMaxAgeMs,
      coolDownMs,
      nowMs,
      log,
    });
    const metadata = () => this.metadata.get();
    const fetchSet = async () => getDocument((await metadata()).jwksUri, this.timeLimit());
    this.keys = new SigningKeys({ fetchSet, nowMs, log });
    this.verifier = new TokenVerifier({ issuer, clientId, audience, metadata, keys: this.keys });
  }

  /** Looks for the provider now and every minute. Waits for nothing, as the process can do without. */
  startChecking(): void {
    const check = () => void this.check().catch(() => undefined);
    check();
    this.checking = setInterval(check, checkIntervalMs);
    this.checking.unref();
  }

  /** Safe to repeat. */
  stopChecking(): void {
    clearInterval(this.checking);
  }

  /** True if nobody can sign in, or soon nobody will: at the last call the provider was away or named another issuer. */
  get isDegraded(): boolean {
    return this.metadata.isFailing || this.keys.isFailing;
  }

  private async check(): Promise<void> {
    await this.metadata.check();
    if (this.keys.isFailing) await this.keys.check();
  }

  get issuer(): string {
    return this.options.issuer;
  }

  /** Reads the remembered discovery. Calls share one fetch, which waits 5 s after a failure. @throws AppError UNAVAILABLE without any */
  async getSignInAddress(): Promise<SignInAddress> {
    const { issuer, clientId, scopes, authorizationParameters = [] } = this.options;
    const { authorizationEndpoint } = await this.metadata.get();
    return {
      issuer,
      authorizationEndpoint: authorizationEndpoint && withParameters(authorizationEndpoint, authorizationParameters),
      clientId,
      scopes,
    };
  }

  /**
   * Exchanges an authorization code, which can be done once.
   * @throws AppError GRANT_INVALID when the provider refuses it or its ID token does not hold; UNAVAILABLE when the
   * provider is down, slow or talks rubbish
   */
  async exchangeCode({ code, codeVerifier, redirectUri }: AuthorizationCode): Promise<ProviderSession> {
    return this.openSession({
      grant_type: 'authorization_code',
      code,
      ...(typeof codeVerifier === 'string' && { code_verifier: codeVerifier }),
      ...(typeof redirectUri === 'string' && { redirect_uri: redirectUri }),
    });
  }

  /** Renews a session. The provider may replace the refresh token, after which the old one is void. @throws as `exchangeCode` */
  async refresh(refreshToken: string): Promise<ProviderSession> {
    return this.openSession({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /**
   * Verifies an access token that the provider issued for `audience`.
   * @returns its subject and the time of its end; undefined for anything else
   * @throws AppError UNAVAILABLE
   */
  async verifyAccessToken(
    accessToken: string,
    options: VerifyOptions = {},
  ): Promise<{ subject: string; expiresAtMs: number } | undefined> {
    const verify = () => this.verifier.verifyAccessToken(accessToken, options);
    const claims = await this.withinTimeLimit(verify, this.timeLimit());
    return claims === undefined ? undefined : { subject: claims.sub, expiresAtMs: claims.exp * 1_000 };
  }

  private async openSession(grant: GrantParameters): Promise<ProviderSession> {
    const timeLimit = this.timeLimit();
    return this.withinTimeLimit(async () => {
      const metadata = await this.metadata.get();
      // The keys are fetched before the grant is spent: a provider that is half down must not cost the caller its code.
      await this.keys.prepare();
      const tokens = await requestTokens(metadata, this.options, grant, timeLimit);
      if ('status' in tokens) {
        // The caller learns none of the provider's words; from the standard error code the operator learns of a wrong client secret.
        this.options.log.warn(tokens, 'the identity provider refused a grant');
        throw new AppError('GRANT_INVALID', 'The identity provider refused the code or refresh token');
      }
      const profile = await this.identify(metadata, tokens, grant.grant_type, timeLimit);
      return {
        subject: profile.sub,
        idToken: tokens.idToken,
        refreshToken: tokens.refresh_token,
        scope: tokens.scope,
        findVerifiedEmail: () =>
          this.withinTimeLimit(() => this.findVerifiedEmail(metadata, tokens, profile, timeLimit), timeLimit),
      };
    }, timeLimit);
  }

  private async identify(metadata: ProviderMetadata, tokens: Tokens, grantType: string, timeLimit: AbortSignal) {
    if (tokens.idToken !== undefined) {
      const claims = await this.verifier.verifyIdToken(tokens.idToken);
      if (claims !== undefined) return claims;
      this.options.log.warn('an ID token of the identity provider did not hold');
      throw new AppError('GRANT_INVALID', 'The ID token of the identity provider is not valid here');
    }
    // Only a refresh may come without one (OpenID Connect Core, section 12.2).
    const profile = grantType === 'refresh_token' ? await this.fetchProfile(metadata, tokens, timeLimit) : undefined;
    if (profile === undefined) {
      throw new AppError('GRANT_INVALID', 'The identity provider did not say who signed in: ask for the scope openid');
    }
    return profile;
  }

  private async findVerifiedEmail(
    metadata: ProviderMetadata,
    tokens: Tokens,
    profile: Profile,
    timeLimit: AbortSignal,
  ): Promise<string | undefined> {
    if (profile.email !== undefined) return verifiedEmailOf(profile);
    // In the code flow, the claims of the scope `email` may stand at the userinfo endpoint only.
    const fetched = await this.fetchProfile(metadata, tokens, timeLimit);
    return fetched?.sub === profile.sub ? verifiedEmailOf(fetched) : undefined;
  }

  private async fetchProfile(
    { userInfoEndpoint }: ProviderMetadata,
    tokens: Tokens,
    timeLimit: AbortSignal,
  ): Promise<Profile | undefined> {
    if (userInfoEndpoint === undefined) return undefined;
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const answer = await callProvider(userInfoEndpoint, { headers }, timeLimit);
    if (!answer.ok) return undefined;
    const profile = profileSchema.safeParse(await answer.json());
    if (!profile.success) throw providerUnavailable(new Error('the userinfo endpoint answered no subject'));
    return profile.data;
  }

  private timeLimit(): AbortSignal {
    return AbortSignal.timeout(this.options.timeoutMs);
  }

  private async withinTimeLimit<Result>(work: () => Promise<Result>, timeLimit: AbortSignal): Promise<Result> {
    const expired = Promise.withResolvers<never>();
    const expire = () => expired.reject(providerUnavailable(new Error('the time limit has passed')));
    if (timeLimit.aborted) expire();
    timeLimit.addEventListener('abort', expire);
    try {
      return await Promise.race([expired.promise, work()]);
    } finally {
      timeLimit.removeEventListener('abort', expire);
    }
  }
}

/** An endpoint with further parameters in its query. */
export function withParameters(
  endpoint: string,
  parameters: NonNullable<IdentityProviderOptions['authorizationParameters']>,
): string {
  if (parameters.length === 0) return endpoint;
  const url = new URL(endpoint);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return url.href;
}

function verifiedEmailOf({
  email,
  email_verified: isVerified,
  xms_edov: isDomainVerified,
}: Profile): string | undefined {
  // Amazon Cognito writes the boolean as text.
  const isVouchedFor = isVerified === true || isVerified === 'true';
  // Microsoft says instead that the directory owns the address's domain, in any of these forms.
  const isOwned = isVerified === undefined && [true, 'true', 1, '1'].some((form) => form === isDomainVerified);
  if (!isVouchedFor && !isOwned) return undefined;
  // Letters outside ASCII may fold to an ASCII letter in lower case, and so to somebody else's address.
  return typeof email === 'string' && /^[\x21-\x7e]{3,254}$/.test(email) ? email : undefined;
}
