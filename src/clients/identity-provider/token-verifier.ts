// Verifies that a token is the provider's, meant for us and valid now: signature, algorithm, issuer, audience, times and type.
// signing-keys.ts fetches the keys; the caller decides whose token it is.

import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { ProviderMetadata } from './provider-metadata.js';
import type { SigningKey, SigningKeys, TokenSource } from './signing-keys.js';

/** The tolerated error of the provider's clock, in seconds. */
const clockToleranceSeconds = 10;
const maxTokenLength = 16 * 1024;

/** A subject that PostgreSQL can look for: a NUL or half a surrogate pair names nobody. */
export const subjectSchema = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\u0000') && value.isWellFormed());

const claimsSchema = z.object({
  sub: subjectSchema,
  exp: z.number(),
  aud: z.union([z.string(), z.array(z.string())]).transform((audience) => [audience].flat()),
  azp: z.string().optional(),
  email: z.unknown().optional(),
  email_verified: z.unknown().optional(),
  // Microsoft's: the directory owns the domain of the address.
  xms_edov: z.unknown().optional(),
  // The token is bound to a key of its holder's (DPoP, mutual TLS): not a Bearer token.
  cnf: z.unknown().optional(),
});

export type TokenClaims = z.output<typeof claimsSchema>;

export interface TokenVerifierOptions {
  issuer: string;
  clientId: string;
  /** Audience of the provider's own access tokens; undefined: none is accepted. */
  audience: string | undefined;
  metadata: () => Promise<ProviderMetadata>;
  keys: SigningKeys;
}

export interface VerifyOptions {
  /** True if a token that was valid once is accepted. */
  ignoreExpiration?: boolean;
}

export class TokenVerifier {
  constructor(private readonly options: TokenVerifierOptions) {}

  /** The claims of an ID token for our client; undefined for anything else. @throws AppError UNAVAILABLE without keys */
  async verifyIdToken(token: string): Promise<TokenClaims | undefined> {
    const { clientId } = this.options;
    const verified = await this.verify(token, clientId, 'provider');
    if (verified === undefined || !isType(verified.type, [undefined, 'jwt'])) return undefined;
    const { aud, azp } = verified.claims;
    // A token for several parties has to name us as the one it was issued to.
    if (aud.length > 1 ? azp !== clientId : azp !== undefined && azp !== clientId) return undefined;
    return verified.claims;
  }

  /** The claims of an access token for `audience`; undefined for anything else. @throws AppError UNAVAILABLE without keys */
  async verifyAccessToken(token: string, options: VerifyOptions = {}): Promise<TokenClaims | undefined> {
    const { audience, clientId } = this.options;
    if (audience === undefined) return undefined;
    const verified = await this.verify(token, audience, 'caller', options);
    if (verified === undefined || verified.claims.cnf !== undefined) return undefined;
    if (isType(verified.type, ['at+jwt', 'application/at+jwt'])) return verified.claims;
    // Many providers give their access tokens no type of their own; an ID token is recognised by its audience, our client.
    const mayBeIdToken = verified.claims.aud.includes(clientId);
    return isType(verified.type, [undefined, 'jwt']) && !mayBeIdToken ? verified.claims : undefined;
  }

  private async verify(token: string, audience: string, source: TokenSource, options: VerifyOptions = {}) {
    const header = headerOf(token);
    if (header === undefined) return undefined;
    const { algorithms } = await this.options.metadata();
    if (!algorithms.some((algorithm) => algorithm === header.alg)) return undefined;
    const key = await this.options.keys.find(header.kid, source);
    if (key === undefined || (key.algorithm !== undefined && key.algorithm !== header.alg)) return undefined;
    const claims = this.check(token, key, { ...options, alg: header.alg, audience });
    return claims === undefined ? undefined : { claims, type: header.typ };
  }

  private check(
    token: string,
    key: SigningKey,
    { alg, audience, ignoreExpiration = false }: VerifyOptions & { alg: string; audience: string },
  ): TokenClaims | undefined {
    try {
      const { issuer } = this.options;
      const algorithms = [alg as jwt.Algorithm];
      const clockTolerance = clockToleranceSeconds;
      const payload = jwt.verify(token, key.publicKey, {
        algorithms,
        issuer,
        audience,
        clockTolerance,
        ignoreExpiration,
      });
      return claimsSchema.safeParse(payload).data;
    } catch {
      return undefined;
    }
  }
}

const headerSchema = z.object({ alg: z.string(), kid: z.string().optional(), typ: z.string().optional() });

/** The header as it claims to be, before anything is verified. */
function headerOf(token: string): z.output<typeof headerSchema> | undefined {
  if (token.length > maxTokenLength) return undefined;
  try {
    return headerSchema.safeParse(jwt.decode(token, { complete: true })?.header).data;
  } catch {
    return undefined;
  }
}

function isType(type: string | undefined, accepted: readonly (string | undefined)[]): boolean {
  return accepted.includes(type?.toLowerCase());
}
