// Authenticates webhook calls whose path names the caller, and whose body proves it: by a signature, or by a key within. Failures count by
// address, and at one caller by address and caller. A tenant with a wrong secret must not have Meta's or Google's address refused for other
// tenants. The webhooks count the items of genuine calls.

import type { Request, RequestHandler, Response } from 'express';
import { notFound, type AppError } from '../../platform/errors.js';
import { inAnswerTime } from '../../platform/http/answer-time.js';
import { maxBodyBytes } from '../../platform/http/json-body.js';
import type { KnownCallers } from '../../platform/http/known-callers.js';
import { leaveUnread, type UnverifiedBodies } from './body-reader.js';
import type { LargeCalls } from './large-calls.js';
import { requestAddress } from './client-address.js';
import { tooManyFailures, type FailedAuthentications } from './failed-authentication.js';
import { subjectKey, type RateLimitVerdict } from './rate-limit.js';

export interface WebhookReading {
  failures: FailedAuthentications;
  bodies: UnverifiedBodies;
  largeCalls: LargeCalls;
}

export interface SignedWebhooks<Caller extends { tenantId: string }> {
  callers: KnownCallers<Caller>;
  /** The kind of caller, for a 404. */
  kind: string;
  /** Returns whether the path is for the caller. */
  accepts: (caller: Caller, req: Request) => boolean;
  maxBytes: (caller: Caller) => number;
  /** Returns whether the headers are those of a genuine call: otherwise its body is not read. */
  looksGenuine: (caller: Caller, req: Request) => boolean;
  /** @returns the part of the body that goes on; undefined where the call is not genuine */
  verify: (caller: Caller, req: Request, body: Buffer) => Buffer | undefined;
  /** Answers a call that is not genuine. @param body undefined if its headers were wrong already */
  refusal: (caller: Caller, req: Request, body?: Buffer) => AppError;
  /** Notes the caller on the request. */
  accept: (caller: Caller, req: Request) => void;
}

/**
 * Express middleware: calls `accept` and sets `req.rawBody`. Reads the body, whose sender is not known yet, only where the caller exists.
 * @param idOf the caller's id in the path
 * @throws AppError NOT_FOUND for an unknown caller, `refusal`, RATE_LIMITED, and the errors of reading
 */
export function authenticateSigned<Caller extends { tenantId: string }>(
  { failures, bodies, largeCalls }: WebhookReading,
  webhooks: SignedWebhooks<Caller>,
  idOf: (req: Request) => string,
): RequestHandler {
  const { callers } = webhooks;
  return async (req, res, next) => {
    const id = idOf(req);
    const address = requestAddress(req);
    // The signature is no part of the credential: each body has another.
    const credential = `${id.toLowerCase()} ${subjectKey({ kind: 'address' }, address)}`;
    leaveUnread(req, res);
    // A caller that is not known yet costs a look-up: an address that has failed too often gets none.
    const known = callers.isFamiliar(id);
    refuseIf(known ? failures.findGuessRefusal(credential) : failures.findRefusal(address, credential), res);
    const isNews = callers.isNews(id);
    const caller = await inAnswerTime(callers.find(id));
    if (caller === undefined || !webhooks.accepts(caller, req)) {
      if (isNews) refuseIf(await failures.record(address, credential), res);
      throw notFound(webhooks.kind);
    }
    const refuse = async (body?: Buffer) => {
      refuseIf(await failures.recordGuess(credential), res);
      return webhooks.refusal(caller, req, body);
    };
    if (!webhooks.looksGenuine(caller, req)) throw await refuse();
    const maxBytes = webhooks.maxBytes(caller);
    // A large call that would not get a turn is refused before it is read.
    const refusal =
      maxBytes > maxBodyBytes && Number(req.headers['content-length'] ?? 0) > maxBodyBytes
        ? largeCalls.findRefusal(caller.tenantId)
        : undefined;
    if (refusal !== undefined) throw refusal;
    const body = await bodies.take(req, maxBytes).catch(async (error: unknown) => {
      // A caller who leaves half-way has made us hold the first half.
      if (req.destroyed) await failures.recordGuess(credential);
      throw error;
    });
    const verified = webhooks.verify(caller, req, body);
    if (verified === undefined) throw await refuse(body);
    callers.noteFamiliar(id);
    if (body.length > maxBodyBytes) await largeCalls.take(caller.tenantId, res);
    req.rawBody = verified;
    webhooks.accept(caller, req);
    next();
  };
}

/** @throws AppError RATE_LIMITED where there is a refusal */
function refuseIf(refusal: RateLimitVerdict | undefined, res: Response): void {
  if (refusal === undefined) return;
  res.set(refusal.headers);
  throw tooManyFailures(refusal);
}
