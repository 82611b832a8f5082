// Attempts authentication before anything else is done for a request. A wrong credential counts as none: the route says 401,
// and the rate limit counts the address. What is wrong with a token is noted, and nothing about a key. Callers who fail too often are refused here.

import type { Request, RequestHandler, Response } from 'express';
import type { AuthService } from '../../features/auth/auth.service.js';
import type { MetaWebhookService } from '../../features/chat-instances/meta-webhook.service.js';
import { metaSignatureMatches, unsignedMetaCall } from '../../features/intake/dialects/meta-dialect.js';
import { countsByItself } from '../../features/intake/webhook.routes.js';
import { notFound } from '../../platform/errors.js';
import { maxBodyBytes, maxNetworkBodyBytes } from '../../platform/json-body.js';
import { noteCaller, noteTokenFault } from '../../platform/request-scope.js';
import { leaveUnread } from './body-reader.js';
import type { LargeCalls, UnverifiedBodies } from './body-reader.js';
import { requestAddress } from './client-address.js';
import { tooManyFailures } from './failed-authentication.js';
import type { FailedAuthentications } from './failed-authentication.js';
import { subjectKey } from './throttle.js';
import type { ThrottleSubject, ThrottleVerdict } from './throttle.js';

const bearer = /^Bearer ([\w.~+/-]+=*)$/i;

/** The token of an `Authorization` value, or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

/**
 * Express middleware: sets `req.user` and `req.tenantKey`, each by its own credential. Passes RATE_LIMITED on, with the
 * headers of the limit, when a credential fails once too often; a failing dependency is no failure of the caller's.
 */
export function authenticate(auth: AuthService, failures: FailedAuthentications): RequestHandler {
  return async (req, res, next) => {
    const [ofToken, ofKey] = [await judgeToken(req, auth, failures), await judgeKey(req, auth, failures)];
    // A good key opens what takes keys, whatever else the caller sends along.
    const refusal = req.tenantKey === undefined ? (ofToken ?? ofKey) : undefined;
    if (refusal === undefined) return next();
    res.set(refusal.headers);
    next(tooManyFailures(refusal));
  };
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
): Promise<ThrottleVerdict | undefined> {
  const token = bearerToken(req.headers.authorization);
  if (token === undefined) {
    if (req.headers.authorization) noteTokenFault('malformed');
    return undefined;
  }
  // Read while the connection is there: a caller who hangs up after a guess is counted too.
  const address = requestAddress(req);
  const session = await auth.findSession(token);
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
): Promise<ThrottleVerdict | undefined> {
  const apiKey = req.get('x-tenant-key');
  if (apiKey === undefined || apiKey === '') return undefined;
  const address = requestAddress(req);
  const refusal = failures.findRefusal(address, apiKey);
  if (refusal !== undefined && !auth.isFamiliarKey(apiKey)) return refusal;
  const tenantKey = await auth.findByApiKey(apiKey);
  if (tenantKey === undefined) return failures.record(address, apiKey);
  req.tenantKey = tenantKey;
  noteCaller(tenantKey.tenantId, `key ${tenantKey.keyId}`);
  return undefined;
}

/** For whom a request is counted: its user, or the address it came from. Webhook calls with a good key count by what they say. */
export function throttleSubjectOf(req: Request): ThrottleSubject | undefined {
  if (req.tenantKey !== undefined && countsByItself(req)) return undefined;
  if (req.user !== undefined) return { kind: 'user', id: req.user.userId };
  return { kind: 'address' };
}

// Authenticates Meta webhook calls: the path names the chat instance, and the signature over the body is the credential. Failures count
// by address, and at one instance by address and instance. A tenant with a wrong secret must not have Meta's address refused for other
// tenants. What good calls say is counted by the webhooks.

export interface NetworkAuthentication {
  metaWebhooks: MetaWebhookService;
  failures: FailedAuthentications;
  bodies: UnverifiedBodies;
  largeCalls: LargeCalls;
}

const signatureHeader = 'x-hub-signature-256';
const signatureForm = /^sha256=[\da-f]{64}$/i;

/**
 * Express middleware: sets `req.metaWebhook`. Reads the body, whose sender is not known yet, only where the instance exists.
 * @throws AppError NOT_FOUND for an instance that Meta is not meant to call, SIGNATURE_INVALID, RATE_LIMITED, and what reading throws
 */
export function authenticateNetwork(options: NetworkAuthentication): RequestHandler {
  const { metaWebhooks, failures, bodies, largeCalls } = options;
  return async (req, res, next) => {
    const id = String(req.params['instanceId']);
    const address = requestAddress(req);
    // Not by its signature: each body has another.
    const credential = `${id.toLowerCase()} ${subjectKey({ kind: 'address' }, address)}`;
    leaveUnread(req, res);
    // An instance that is not known yet costs a look-up: an address that has failed too often gets none.
    const known = metaWebhooks.isFamiliar(id);
    refuseIf(known ? failures.findGuessRefusal(credential) : failures.findRefusal(address, credential), res);
    const isNews = metaWebhooks.isNews(id);
    const instance = await metaWebhooks.find(id);
    if (instance === undefined) {
      if (isNews) refuseIf(await failures.record(address, credential), res);
      throw notFound('chat instance');
    }
    const { secret, ...principal } = instance;
    const signature = req.get(signatureHeader) ?? '';
    const unsigned = async () => {
      refuseIf(await failures.recordGuess(credential), res);
      return unsignedMetaCall();
    };
    if (!signatureForm.test(signature)) throw await unsigned();
    // A large call that would not get a turn is refused before it is read.
    const refusal = declaresLarge(req) ? largeCalls.findRefusal(principal.tenantId) : undefined;
    if (refusal !== undefined) throw refusal;
    const body = await bodies.take(req, maxNetworkBodyBytes).catch(async (error: unknown) => {
      // A caller who leaves half-way has made us hold the first half.
      if (req.destroyed) await failures.recordGuess(credential);
      throw error;
    });
    if (!metaSignatureMatches(secret, signature, body)) throw await unsigned();
    metaWebhooks.noteFamiliar(id);
    if (body.length > maxBodyBytes) await largeCalls.take(principal.tenantId, res);
    req.rawBody = body;
    req.metaWebhook = principal;
    noteCaller(principal.tenantId, `instance ${principal.instanceId}`);
    next();
  };
}

function declaresLarge(req: Request): boolean {
  return Number(req.headers['content-length'] ?? 0) > maxBodyBytes;
}

/** @throws AppError RATE_LIMITED where there is a refusal */
function refuseIf(refusal: ThrottleVerdict | undefined, res: Response): void {
  if (refusal === undefined) return;
  res.set(refusal.headers);
  throw tooManyFailures(refusal);
}
