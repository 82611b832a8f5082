// Renders errors for REST, as problem details of RFC 9457 with a code.

import type { ErrorRequestHandler, Response } from 'express';
import { z } from 'zod';
import { NobodyWaits } from '../../platform/database/operation.js';
import { AppError, errorTable, NotConfigured, retryAfterOf, type ErrorCode } from '../../platform/errors.js';
import { toAppError } from '../../platform/observability/fault.js';
import type { Logger } from '../../platform/observability/logger.js';
import { currentRequest, currentRequestId, type TokenFault } from '../../platform/observability/request-scope.js';
import { noteRefusal } from './request-meter.js';

/** The body that `sendProblem` sends. */
export const problemSchema = z
  .object({
    type: z.string().describe('Where the documents explain the code.'),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(Object.keys(errorTable) as ErrorCode[]),
    requestId: z.string(),
    errors: z
      .array(z.object({ path: z.string().describe("In dots from the body's root."), message: z.string() }))
      .optional(),
  })
  .describe('Problem details (RFC 9457).');

/** Errors of Express and its body reader carry a status; only what a caller can cause is passed on. */
export function fromHttpLibrary(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  if (error.status === 413) {
    const limit = 'limit' in error && typeof error.limit === 'number' ? ` ${error.limit / 1_024} KiB` : ' its limit';
    return new AppError('PAYLOAD_TOO_LARGE', `The body exceeds${limit}`, { cause: error });
  }
  if (error.status === 415)
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body has an encoding that is not supported', { cause: error });
  if (error.status === 400) return new AppError('BAD_REQUEST', 'The request could not be read', { cause: error });
  return undefined;
}

export const problemType = 'application/problem+json';

export function problemOf(error: AppError, requestId: string | undefined): object {
  const { code, message, errors } = error;
  const { title } = errorTable[code];
  const problem = { type: `/docs/errors#${code}`, title, status: statusOf(error), detail: message, code, requestId };
  return errors === undefined ? problem : { ...problem, errors };
}

function statusOf({ code, allow }: AppError): number {
  return allow === undefined ? errorTable[code].status : 405;
}

export function sendProblem(res: Response, error: AppError): void {
  noteRefusal(res, error.code);
  if (error.scheme !== undefined) res.set('WWW-Authenticate', challenge());
  if (error.allow !== undefined) res.set('Allow', error.allow.join(', '));
  setRetryAfter(res, error);
  res
    .status(statusOf(error))
    .type(problemType)
    .send(`${JSON.stringify(problemOf(error, currentRequestId()))}\n`);
}

/** Says when an answer may be asked for again, which every 429 and 503 does. */
export function setRetryAfter(res: Response, error: AppError): void {
  const seconds = retryAfterOf(error);
  if (seconds !== undefined) res.set('Retry-After', String(seconds));
}

export function errorToHttp(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const appError = explainRefusal(fromHttpLibrary(error) ?? toAppError(error));
    logFault(log, appError);
    if (res.headersSent) next(error);
    else sendProblem(res, appError);
  };
}

/** Logs the part of an error that the caller does not see, under the request's id. */
export function logFault(log: Logger, error: AppError): void {
  if (error.code === 'INTERNAL') log.error({ err: error.cause }, 'a request failed');
  else if (error.code === 'UNAVAILABLE' && !isExpected(error))
    log.warn({ err: error.cause ?? error }, 'a request found a dependency down');
}

// Nothing is down where nobody waits any more, nor where the configuration leaves a part out.
const isExpected = (error: AppError): boolean => error instanceof NobodyWaits || error instanceof NotConfigured;

const sentences: Record<TokenFault, string> = {
  malformed: 'The Authorization header holds no Bearer token: send Authorization: Bearer <token>',
  unknown: 'The access token is not valid',
  expired: 'The access token has expired: sign in again, or refresh it',
};

/** Returns the error that the caller is shown: the same one, unless it asks for a token and a wrong one was sent. */
export function explainRefusal(error: AppError): AppError {
  const fault = currentRequest()?.tokenFault;
  if (error.scheme === undefined || fault === undefined) return error;
  return new AppError(error.code, sentences[fault], { scheme: error.scheme });
}

/** The value of `WWW-Authenticate` for this request. */
export function challenge(): string {
  const fault = currentRequest()?.tokenFault;
  return fault === undefined ? 'Bearer' : `Bearer error="invalid_token", error_description="${sentences[fault]}"`;
}
