// Owns the simulator's one error shape, {"error":{"code","message"}}, and how any failure becomes it.

import type { ErrorRequestHandler, Request, Response } from 'express';
import { z } from 'zod';

/** An answer that is an error. `retryAfterSeconds` above 0 becomes the `Retry-After` header. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterSeconds = 0,
  ) {
    super(message);
  }
}

const BODY_ERRORS: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['bad_request', 'The request cannot be read: the body must be JSON'],
  413: ['payload_too_large', 'The body is larger than 256 KiB'],
  415: ['unsupported_media_type', 'The body must be application/json, in UTF-8'],
};

/** Turns whatever was thrown into an error of the gateway; undefined when it is our own fault. */
function toGatewayError(thrown: unknown): GatewayError | undefined {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof z.ZodError) return new GatewayError(400, 'validation_failed', describeIssues(thrown));
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : Number.NaN;
  const known = BODY_ERRORS[status];
  return known && new GatewayError(status, ...known);
}

function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 10)
    .map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
    .join('; ');
}

/** Writes an error in a provider's words. `status` may differ from the error's own. */
export type RenderError = (
  error: GatewayError,
  request: Request,
  response: Response,
) => { status: number; body: object };

const OWN_WORDS: RenderError = ({ status, code, message }) => ({ status, body: { error: { code, message } } });

/** The last handler of the app, or of a provider's routes. `onInternalError` receives failures that are the simulator's own. */
export function renderGatewayError(
  onInternalError: (error: unknown) => void,
  render: RenderError = OWN_WORDS,
): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const known = toGatewayError(thrown);
    if (!known) onInternalError(thrown);
    const error = known ?? new GatewayError(500, 'internal', 'The simulator failed');
    if (error.retryAfterSeconds > 0) response.set('retry-after', String(error.retryAfterSeconds));
    const { status, body } = render(error, request, response);
    response.status(status).json(body);
  };
}
