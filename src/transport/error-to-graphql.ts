// Renders errors for GraphQL, over HTTP and over sockets: the contract's codes in `extensions.code`.

import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import type { AppError } from '../platform/errors.js';
import type { ErrorCode } from '../platform/errors.js';
import { toAppError } from '../platform/fault.js';
import type { Logger } from '../platform/logger.js';
import { currentRequestId } from '../platform/request-scope.js';
import { explainRefusal } from './challenge.js';
import { logFault } from './error-to-http.js';

// What is wrong with a request itself: no resolver of ours throws a GraphQLError.
const requestCodes: Record<string, ErrorCode> = {
  GRAPHQL_PARSE_FAILED: 'BAD_REQUEST',
  GRAPHQL_VALIDATION_FAILED: 'VALIDATION_FAILED',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
  BAD_REQUEST: 'BAD_REQUEST',
  OPERATION_RESOLUTION_FAILURE: 'BAD_REQUEST',
  INTERNAL_SERVER_ERROR: 'INTERNAL',
};

/**
 * @param formatted what Apollo, or graphql-js, made of the error
 * @param error the error itself
 */
export function errorToGraphql(log: Logger, formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, locations, path, extensions } = formatted;
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  const cause = causeOf(error);
  if (cause instanceof GraphQLError) {
    const apolloCode = codeOf(extensions);
    // Apollo names no code where a persisted query's version or hash is wrong. What was executed has a path.
    const isUnnamed = apolloCode === 'INTERNAL_SERVER_ERROR' && cause.path === undefined;
    const code = isUnnamed ? 'BAD_REQUEST' : (requestCodes[apolloCode] ?? apolloCode);
    return { message, ...place, extensions: { code, ...limitOf(cause) } };
  }
  const appError = explainRefusal(toAppError(cause));
  logFault(log, appError);
  return { message: appError.message, ...place, extensions: toExtensions(appError) };
}

// What a resolver threw has a path, and what ended a subscription's source has no place at all. An error that points only into
// the document (a variable that a scalar refused) is the caller's, whatever it wraps.
function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError === undefined) return error;
  return error.path !== undefined || error.locations === undefined ? error.originalError : error;
}

function codeOf(extensions: GraphQLFormattedError['extensions']): string {
  const code = extensions?.['code'];
  return typeof code === 'string' ? code : 'BAD_USER_INPUT';
}

// Which limit of the door was exceeded.
function limitOf({ extensions }: GraphQLError): Record<string, unknown> {
  return extensions['limit'] === undefined ? {} : { limit: extensions['limit'] };
}

/** The error without the names of the schema that graphql-js suggests for a wrong one. */
export function withoutSuggestion(error: GraphQLFormattedError): GraphQLFormattedError {
  return { ...error, message: error.message.replace(/ ?Did you mean .*$/s, '') };
}

/** Where Apollo does not format: over sockets, and before it is asked. */
export function graphqlErrorToBody(log: Logger, error: GraphQLError): GraphQLFormattedError {
  return errorToGraphql(log, error.toJSON(), error);
}

/** The contract's `extensions` of an error. */
export function toExtensions({ code, errors, retryAfterSeconds, details }: AppError): Record<string, unknown> {
  const requestId = currentRequestId();
  return {
    ...details,
    code,
    ...(requestId === undefined ? {} : { requestId }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
