// Service access tokens: JWTs signed with HS256. Claims: `iss` and `aud` "leadwire", `sub` the user's id, `tid` the tenant's, `idp` the
// identity provider's subject (or `lnk`: a sign-in link's), `iat`, `exp`, `jti`. The header `typ` is "at+jwt" (RFC 9068), so that no other
// token of this service can pass for one.

import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ExpiringCache } from '../../platform/expiring-cache.js';

const issuer = 'leadwire';
const audience = 'leadwire';
const type = 'at+jwt';
const algorithm = 'HS256';
const maxTokenLength = 4_096;
// The longest header to decode: Node reads no more than this of all headers together.
const maxHeaderLength = 16_384;

const claimsSchema = z
  .object({ sub: z.guid(), tid: z.guid(), exp: z.number() })
  .and(z.union([z.object({ idp: z.string() }), z.object({ lnk: z.literal(true), idp: z.undefined().optional() })]));

/** The life of a token from a sign-in link, which cannot be renewed. */
const linkTtlSeconds = 3_600;

export interface AccessTokenClaims {
  userId: string;
  tenantId: string;
  /** The identity provider's subject to whom the token was issued; null for a user of a sign-in link. */
  subject: string | null;
  /** Unix time. */
  expiresAtMs: number;
}

export interface IssuedToken {
  token: string;
  expiresInSeconds: number;
}

export interface AccessTokenOptions {
  /** Signs new tokens. */
  secret: string;
  /** The secret before a rotation, which still verifies tokens while it is being replaced. */
  previousSecret: string | undefined;
  ttlSeconds: number;
}

// The number of tokens whose verification is remembered, so that callers who return are verified once.
const rememberedTokens = 10_000;
// After this time, a remembered token is verified again.
const rememberedMs = 600_000;

export class AccessTokens {
  private readonly verified = new ExpiringCache<AccessTokenClaims>({ max: rememberedTokens, ttl: rememberedMs });

  constructor(private readonly options: AccessTokenOptions) {}

  /** Issues a token. @param subject null for a user of a sign-in link @returns the token and its life in seconds */
  issue(user: { userId: string; tenantId: string }, subject: string | null): IssuedToken {
    const expiresInSeconds = subject === null ? linkTtlSeconds : this.options.ttlSeconds;
    const how = subject === null ? { lnk: true } : { idp: subject };
    const token = jwt.sign({ tid: user.tenantId, ...how }, this.options.secret, {
      algorithm,
      issuer,
      audience,
      subject: user.userId,
      expiresIn: expiresInSeconds,
      jwtid: randomUUID(),
      header: { alg: algorithm, typ: type },
    });
    return { token, expiresInSeconds };
  }

  /** Returns the claims of the service's own token if it is valid now; undefined for anything else. */
  verify(token: string): AccessTokenClaims | undefined {
    const known = this.verified.get(token);
    if (known !== undefined) return known.expiresAtMs > Date.now() ? known : undefined;
    const claims = this.read(token, { ignoreExpiration: false });
    if (claims !== undefined) this.verified.set(token, claims);
    return claims;
  }

  /** Returns the claims of a token that the service has issued, even if it has expired since. */
  recognise(token: string): AccessTokenClaims | undefined {
    return this.read(token, { ignoreExpiration: true });
  }

  private read(token: string, options: ReadOptions): AccessTokenClaims | undefined {
    if (token.length > maxTokenLength) return undefined;
    const { secret, previousSecret } = this.options;
    const claims = verifyWith(secret, token, options);
    return claims ?? (previousSecret === undefined ? undefined : verifyWith(previousSecret, token, options));
  }
}

interface ReadOptions {
  ignoreExpiration: boolean;
}

function verifyWith(secret: string, token: string, { ignoreExpiration }: ReadOptions): AccessTokenClaims | undefined {
  try {
    const { header, payload } = jwt.verify(token, secret, {
      algorithms: [algorithm],
      issuer,
      audience,
      ignoreExpiration,
      complete: true,
    });
    const claims = claimsSchema.safeParse(payload);
    if (header.typ !== type || !claims.success) return undefined;
    const { sub: userId, tid: tenantId, idp, exp } = claims.data;
    return { userId, tenantId, subject: idp ?? null, expiresAtMs: exp * 1_000 };
  } catch {
    return undefined;
  }
}

/** The issuer that a token claims, before anything is verified. It only decides which verifier judges the token. */
export function claimedIssuer(token: string): string | undefined {
  if (token.length > maxHeaderLength) return undefined;
  try {
    const claims = jwt.decode(token, { json: true });
    return typeof claims?.iss === 'string' ? claims.iss : undefined;
  } catch {
    return undefined;
  }
}
