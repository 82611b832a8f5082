// Authenticates the network's own calls (Meta's Cloud API): the path names the line, and the signature over the body is the
// credential. They are counted by line, as the network calls for all lines from a few addresses; who fails, by address.

import type { Request, RequestHandler, Response } from 'express';
import type { NetworkLineService } from '../features/chat-instances/network-line.service.js';
import { cloudSignatureMatches } from '../features/webhooks/dialects/cloud-handshake.js';
import { AppError, notFound } from '../platform/errors.js';
import { noteCaller } from '../platform/request-scope.js';
import { requestAddress } from './client-address.js';
import { tooManyFailures } from './failed-authentication.js';
import type { FailedAuthentications } from './failed-authentication.js';
import { subjectKey } from './throttle.js';
import type { Throttles } from './throttle.js';

export interface NetworkAuthentication {
  networkLines: NetworkLineService;
  failures: FailedAuthentications;
  throttles: Throttles;
}

const signatureHeader = 'x-hub-signature-256';

/** Express middleware, before the body is read: who has failed too often is not listened to. */
export function refuseFailed({ failures }: NetworkAuthentication): RequestHandler {
  return (req, res, next) => {
    const refusal = failures.findRefusal(requestAddress(req), credentialOf(req));
    if (refusal === undefined) return next();
    res.set(refusal.headers);
    next(tooManyFailures(refusal));
  };
}

/**
 * Express middleware, after the body was read: sets `req.networkLine`.
 * @throws AppError NOT_FOUND for a line that the network is not meant to call, SIGNATURE_INVALID, RATE_LIMITED
 */
export function authenticateNetwork(options: NetworkAuthentication): RequestHandler {
  return async (req, res, next) => {
    const line = await options.networkLines.find(String(req.params['instanceId']));
    if (line === undefined) throw await refusalOf(req, res, options, notFound('chat instance'));
    const { secret, ...principal } = line;
    if (!cloudSignatureMatches(secret, req.get(signatureHeader), req.rawBody ?? Buffer.alloc(0))) {
      const detail = 'X-Hub-Signature-256 is missing or does not match the body';
      throw await refusalOf(req, res, options, new AppError('SIGNATURE_INVALID', detail));
    }
    await countCall(res, options.throttles, principal.instanceId);
    req.networkLine = principal;
    noteCaller(principal.tenantId, `line ${principal.instanceId}`);
    next();
  };
}

async function refusalOf(
  req: Request,
  res: Response,
  { failures }: NetworkAuthentication,
  error: AppError,
): Promise<AppError> {
  const refusal = await failures.record(requestAddress(req), credentialOf(req));
  if (refusal === undefined) return error;
  res.set(refusal.headers);
  return tooManyFailures(refusal);
}

async function countCall(res: Response, throttles: Throttles, instanceId: string): Promise<void> {
  const verdict = await throttles.consume(subjectKey({ kind: 'line', id: instanceId }, undefined));
  res.set(verdict.headers);
  if (verdict.allowed) return;
  const { resetSeconds: retryAfterSeconds } = verdict;
  throw new AppError('RATE_LIMITED', `Too many requests: try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
}

function credentialOf(req: Request): string {
  return `${req.path} ${req.get(signatureHeader) ?? ''}`;
}
