// Attempts authentication before anything else is done for a request. Wrong credentials count as none: the route says 401,
// the same for unknown, expired and forged ones, and the rate limit counts the address.

import type { RequestHandler } from 'express';
import type { AuthService } from '../features/auth/auth.service.js';
import type { ThrottleSubject } from './throttle.js';
import type { Request } from 'express';

const bearer = /^Bearer ([\w.~+/-]+=*)$/i;

/** The token of an `Authorization` value, or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

export function authenticate(auth: AuthService): RequestHandler {
  return async (req, _res, next) => {
    const token = bearerToken(req.headers.authorization);
    const session = token === undefined ? undefined : await auth.findSession(token);
    if (session !== undefined) req.user = session.user;
    const apiKey = req.get('x-tenant-key');
    const tenantKey = apiKey === undefined ? undefined : await auth.findByApiKey(apiKey);
    if (tenantKey !== undefined) req.tenantKey = tenantKey;
    next();
  };
}

/** For whom a request is counted: its tenant key, its user, or the address it came from. */
export function throttleSubjectOf(req: Request): ThrottleSubject {
  if (req.tenantKey !== undefined) return { kind: 'tenantKey', id: req.tenantKey.keyId };
  if (req.user !== undefined) return { kind: 'user', id: req.user.userId };
  return { kind: 'address' };
}
