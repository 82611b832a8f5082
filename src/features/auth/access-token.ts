// Service access tokens: JWTs signed with HS256. Claims: `iss` and `aud` "leadwire", `sub` the user's id, `tid` the tenant's,
// `iat`, `exp`, `jti`; header `typ` "at+jwt" (RFC 9068), so that no other token of ours can pass for one.

import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const issuer = 'leadwire';
const audience = 'leadwire';
const type = 'at+jwt';
const algorithm = 'HS256';
const maxTokenLength = 4_096;

const claimsSchema = z.object({ sub: z.guid(), tid: z.guid(), exp: z.number() });

export interface AccessTokenClaims {
  userId: string;
  tenantId: string;
  expiresAtMs: number;
}

export interface AccessTokenOptions {
  secret: string;
  ttlSeconds: number;
}

export class AccessTokens {
  constructor(private readonly options: AccessTokenOptions) {}

  /** @returns the token and its life in seconds */
  issue(user: { userId: string; tenantId: string }): { token: string; expiresInSeconds: number } {
    const token = jwt.sign({ tid: user.tenantId }, this.options.secret, {
      algorithm,
      issuer,
      audience,
      subject: user.userId,
      expiresIn: this.options.ttlSeconds,
      jwtid: randomUUID(),
      header: { alg: algorithm, typ: type },
    });
    return { token, expiresInSeconds: this.options.ttlSeconds };
  }

  /** The claims of a token of ours that is valid now; undefined for anything else. */
  verify(token: string): AccessTokenClaims | undefined {
    if (token.length > maxTokenLength) return undefined;
    try {
      const { header, payload } = jwt.verify(token, this.options.secret, {
        algorithms: [algorithm],
        issuer,
        audience,
        complete: true,
      });
      const claims = claimsSchema.safeParse(payload);
      if (header.typ !== type || !claims.success) return undefined;
      return { userId: claims.data.sub, tenantId: claims.data.tid, expiresAtMs: claims.data.exp * 1_000 };
    } catch {
      return undefined;
    }
  }
}
