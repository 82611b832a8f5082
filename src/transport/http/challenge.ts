// What a caller is told whose Bearer token is missing or wrong: which of the two, and for a genuine one that it has expired (RFC 6750).

import { AppError } from '../../platform/errors.js';
import { currentRequest } from '../../platform/request-scope.js';
import type { TokenFault } from '../../platform/request-scope.js';

const sentences: Record<TokenFault, string> = {
  malformed: 'The Authorization header holds no Bearer token: send Authorization: Bearer <token>',
  unknown: 'The access token is not valid',
  expired: 'The access token has expired: sign in again, or refresh it',
};

/** The error that this request's caller is shown in place of `error`: the same one, unless it asks for a token and a wrong one was sent. */
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
