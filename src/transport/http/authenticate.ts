// Attempts authentication before anything else is done for a request. A wrong credential counts as none: the route says 401, and the rate
// limit counts the address. The 401 says what is wrong with a token, and nothing about a key. Callers who fail too often are refused here.

import type { Request, RequestHandler } from 'express';
import type { AuthService } from '../../features/auth/auth.service.js';
import type { MetaWebhook, MetaWebhookService } from '../../features/chat-instances/meta-webhook.service.js';
import { metaSignatureMatches, unsignedMetaCall } from '../../providers/meta/reported-call.js';
import { countsByItself } from '../../features/intake/webhook.routes.js';
import { kindOfPath } from '../../features/lead-sources/lead-source-kind.js';
import type { LeadSourceCallers } from '../../features/lead-sources/calls/lead-source-callers.js';
import {
  isSigned,
  looksGenuine,
  notGenuine,
  verifiedBody,
  type LeadSourceCaller,
} from '../../features/lead-sources/calls/source-proof.js';
import { inAnswerTime } from '../../platform/http/answer-time.js';
import { maxBodyBytes, maxNetworkBodyBytes } from '../../platform/http/json-body.js';
import type { TenantKeyPrincipal } from '../../platform/principal.js';
import { noteCaller, noteTokenFault } from '../../platform/observability/request-scope.js';
import { requestAddress } from './client-address.js';
import { tooManyFailures, type FailedAuthentications } from './failed-authentication.js';
import type { SignedWebhooks } from './signed-webhooks.js';
import type { RateLimitSubject, RateLimitVerdict } from './rate-limit.js';

// RFC 9110 permits more than one blank between the scheme and the token.
const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/** The token of an `Authorization` value, or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

/**
 * Express middleware: sets `req.user` and `req.tenantKey`, each by its own credential. Passes RATE_LIMITED on, with the
 * headers of the limit, when a credential fails once too often; a failing dependency is no failure of the caller's.
 */
export function authenticate(auth: AuthService, failures: FailedAuthentications): RequestHandler {
  const judge: RequestHandler = async (req, res, next) => {
    const [ofToken, ofKey] = [await judgeToken(req, auth, failures), await judgeKey(req, auth, failures)];
    // A good key opens the routes that take keys, whatever else the caller sends along.
    const refusal = req.tenantKey === undefined ? (ofToken ?? ofKey) : undefined;
    if (refusal === undefined) return next();
    res.set(refusal.headers);
    next(tooManyFailures(refusal));
  };
  return (req, res, next) => {
    const { authorization, 'x-tenant-key': apiKey } = req.headers;
    const isKeyAlone = authorization === undefined && typeof apiKey === 'string';
    // A fresh key is no guess, whatever else came from its address: neither key nor address is looked up.
    const tenantKey = isKeyAlone ? auth.findFreshApiKey(apiKey) : undefined;
    if (tenantKey === undefined) return judge(req, res, next);
    accept(req, tenantKey);
    return next();
  };
}

function accept(req: Request, tenantKey: TenantKeyPrincipal): void {
  req.tenantKey = tenantKey;
  noteCaller(tenantKey.tenantId, `key ${tenantKey.keyId}`);
}

/** Express middleware for the routes that sign in: a credential sent along, stale ones too, is as good as none. */
export const ignoreCredentials: RequestHandler = (req, _res, next) => {
  delete req.headers.authorization;
  delete req.headers['x-tenant-key'];
  next();
};

// A valid token passes from a limited address too: a forged one fails by its signature, without a look-up.
async function judgeToken(
  req: Request,
  auth: AuthService,
  failures: FailedAuthentications,
): Promise<RateLimitVerdict | undefined> {
  const token = bearerToken(req.headers.authorization);
  if (token === undefined) {
    if (req.headers.authorization) noteTokenFault('malformed');
    return undefined;
  }
  // The address is read while the connection is there: a caller who hangs up after a guess is counted too.
  const address = requestAddress(req);
  const session = await inAnswerTime(auth.findSession(token));
  if (session !== undefined) {
    req.user = session.user;
    noteCaller(session.user.tenantId, `user ${session.user.userId}`);
    return undefined;
  }
  const fault = await auth.findTokenFault(token);
  noteTokenFault(fault === 'expired' ? fault : 'unknown');
  // An office that wakes up with yesterday's tokens does not guess: it gets its 401, and signs in again.
  return fault === 'unknown' ? failures.record(address, token) : undefined;
}

// Only a look-up distinguishes a good key from a guess, so a limited caller gets none, unless the key has passed before.
async function judgeKey(
  req: Request,
  auth: AuthService,
  failures: FailedAuthentications,
): Promise<RateLimitVerdict | undefined> {
  const apiKey = req.get('x-tenant-key');
  if (apiKey === undefined || apiKey === '') return undefined;
  const address = requestAddress(req);
  const refusal = failures.findRefusal(address, apiKey);
  if (refusal !== undefined && !auth.isFamiliarKey(apiKey)) return refusal;
  const tenantKey = await inAnswerTime(auth.findByApiKey(apiKey));
  if (tenantKey === undefined) return failures.record(address, apiKey);
  accept(req, tenantKey);
  return undefined;
}

/**
 * Returns the subject of the rate limit: the request's user, or the address it came from. Webhook calls with a good key count by their
 * items.
 */
export function rateLimitSubjectOf(req: Request): RateLimitSubject | undefined {
  if (req.tenantKey !== undefined && countsByItself(req)) return undefined;
  if (req.user !== undefined) return { kind: 'user', id: req.user.userId };
  return { kind: 'address' };
}

const signatureHeader = 'x-hub-signature-256';
const signatureForm = /^sha256=[\da-f]{64}$/i;

/** Meta's calls for chat instances: sets `req.metaWebhook`. */
export function networkWebhooks({ callers }: MetaWebhookService): SignedWebhooks<MetaWebhook> {
  return {
    callers,
    kind: 'chat instance',
    accepts: () => true,
    maxBytes: () => maxNetworkBodyBytes,
    looksGenuine: (_, req) => signatureForm.test(req.get(signatureHeader) ?? ''),
    verify: ({ secret }, req, body) =>
      metaSignatureMatches(secret, req.get(signatureHeader), body) ? body : undefined,
    refusal: unsignedMetaCall,
    accept: ({ secret: _secret, ...principal }, req) => {
      req.metaWebhook = principal;
      noteCaller(principal.tenantId, `instance ${principal.instanceId}`);
    },
  };
}

/** Calls of lead sources: sets `req.leadSource`. A key within a body goes no further. */
export function sourceWebhooks({ callers }: LeadSourceCallers): SignedWebhooks<LeadSourceCaller> {
  return {
    callers,
    kind: 'lead source',
    accepts: ({ kind }, req) => kind === kindOfPath(req.path),
    maxBytes: ({ kind }) => (kind === 'META' ? maxNetworkBodyBytes : maxBodyBytes),
    looksGenuine: (caller, req) => looksGenuine(caller, (name) => req.get(name)),
    verify: (caller, req, body) => verifiedBody(caller, (name) => req.get(name), body),
    refusal: (caller, req, body) => notGenuine(caller, (name) => req.get(name), body),
    accept: (caller, req) => {
      const { tenantId, sourceId } = caller;
      req.leadSource = { tenantId, sourceId, isSigned: isSigned(caller) };
      noteCaller(tenantId, `lead source ${sourceId}`);
    },
  };
}
