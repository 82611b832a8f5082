// Authenticates the network's own calls (Meta's Cloud API): the path names the line, and the signature over the body is the
// credential. Who fails is counted by address, and at one line by address and line: a tenant that has entered a wrong secret must
// not have the network's address refused for the others. What good calls say is counted by the webhooks.

import type { RequestHandler, Response } from 'express';
import type { NetworkLineService } from '../../features/chat-instances/meta-webhook.service.js';
import { cloudSignatureMatches } from '../../features/intake/dialects/meta-handshake.js';
import { AppError, notFound } from '../../platform/errors.js';
import { maxBodyBytes, maxNetworkBodyBytes } from '../../platform/json-body.js';
import { noteCaller } from '../../platform/request-scope.js';
import { leaveUnread } from './body-reader.js';
import type { UnverifiedBodies } from './body-reader.js';
import { requestAddress } from './client-address.js';
import { tooManyFailures } from './failed-authentication.js';
import type { FailedAuthentications } from './failed-authentication.js';
import type { LargeCalls } from './large-calls.js';
import { subjectKey } from './throttle.js';
import type { ThrottleVerdict } from './throttle.js';

export interface NetworkAuthentication {
  networkLines: NetworkLineService;
  failures: FailedAuthentications;
  bodies: UnverifiedBodies;
  largeCalls: LargeCalls;
}

const signatureHeader = 'x-hub-signature-256';
const signatureForm = /^sha256=[\da-f]{64}$/i;

/**
 * Express middleware: reads the body, which nobody is known to have sent, only where there is such a line, and sets `req.networkLine`.
 * @throws AppError NOT_FOUND for a line that the network is not meant to call, SIGNATURE_INVALID, RATE_LIMITED, and what reading throws
 */
export function authenticateNetwork(options: NetworkAuthentication): RequestHandler {
  const { networkLines, failures, bodies, largeCalls } = options;
  return async (req, res, next) => {
    const id = String(req.params['instanceId']);
    const address = requestAddress(req);
    // Not by its signature: each body has another.
    const credential = `${id.toLowerCase()} ${subjectKey({ kind: 'address' }, address)}`;
    leaveUnread(req, res);
    // A line that is not known to be there costs a look-up: an address that has failed too often gets none.
    const known = networkLines.isFamiliar(id);
    refuseIf(known ? failures.findGuessRefusal(credential) : failures.findRefusal(address, credential), res);
    const isNews = networkLines.isNews(id);
    const line = await networkLines.find(id);
    if (line === undefined) {
      if (isNews) refuseIf(await failures.record(address, credential), res);
      throw notFound('chat instance');
    }
    const { secret, ...principal } = line;
    const signature = req.get(signatureHeader) ?? '';
    const unsigned = async () => {
      refuseIf(await failures.recordGuess(credential), res);
      return new AppError('SIGNATURE_INVALID', 'X-Hub-Signature-256 is missing or does not match the body');
    };
    if (!signatureForm.test(signature)) throw await unsigned();
    const body = await bodies.take(req, maxNetworkBodyBytes).catch(async (error: unknown) => {
      // Whoever leaves half-way has had us hold the first half.
      if (req.destroyed) await failures.recordGuess(credential);
      throw error;
    });
    if (!cloudSignatureMatches(secret, signature, body)) throw await unsigned();
    networkLines.noteFamiliar(id);
    if (body.length > maxBodyBytes) await takeTurn(res, largeCalls, principal.tenantId);
    req.rawBody = body;
    req.networkLine = principal;
    noteCaller(principal.tenantId, `line ${principal.instanceId}`);
    next();
  };
}

/** Its turn ends with the answer. @throws AppError UNAVAILABLE where too many wait */
async function takeTurn(res: Response, largeCalls: LargeCalls, tenantId: string): Promise<void> {
  const end = await largeCalls.begin(tenantId);
  if (res.closed) end();
  else res.once('close', end);
}

/** @throws AppError RATE_LIMITED where there is a refusal */
function refuseIf(refusal: ThrottleVerdict | undefined, res: Response): void {
  if (refusal === undefined) return;
  res.set(refusal.headers);
  throw tooManyFailures(refusal);
}
