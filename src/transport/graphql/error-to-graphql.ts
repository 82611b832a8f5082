// Renders errors for GraphQL, over HTTP and over sockets, with their codes in `extensions.code`.

import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { shorten, type AppError, type ErrorCode } from '../../platform/errors.js';
import { toAppError } from '../../platform/observability/fault.js';
import type { Logger } from '../../platform/observability/logger.js';
import { currentRequestId } from '../../platform/observability/request-scope.js';
import { explainRefusal, logFault } from '../http/error-to-http.js';

// The codes for faults of a request itself: no resolver of ours throws a GraphQLError.
const requestCodes: Record<string, ErrorCode> = {
  GRAPHQL_PARSE_FAILED: 'BAD_REQUEST',
  GRAPHQL_VALIDATION_FAILED: 'VALIDATION_FAILED',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
  BAD_REQUEST: 'BAD_REQUEST',
  OPERATION_RESOLUTION_FAILURE: 'BAD_REQUEST',
  INTERNAL_SERVER_ERROR: 'INTERNAL',
};

/** graphql-js quotes the caller's whole input. */
const maxMessageLength = 500;
/** The most errors that an answer lists; one more says how many are left out. */
const maxErrors = 20;
const tooManyValues = {
  sent: 'Too many errors processing variables, error limit reached. Execution aborted.',
  message: 'More values of the variables are wrong. Correct this one first.',
};

/**
 * @param formatted the form that Apollo, or graphql-js, gave the error
 * @param error the error itself
 */
export function errorToGraphql(log: Logger, formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, locations, path, extensions } = formatted;
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  const cause = causeOf(error);
  if (cause instanceof GraphQLError) {
    const apolloCode = codeOf(extensions);
    // Apollo names no code where a persisted query's version or hash is wrong. An error of the execution has a path.
    const isUnnamed = apolloCode === 'INTERNAL_SERVER_ERROR' && cause.path === undefined;
    if (message === tooManyValues.sent)
      return { message: tooManyValues.message, extensions: { code: 'VALIDATION_FAILED' } };
    const code = isUnnamed ? 'BAD_REQUEST' : (requestCodes[apolloCode] ?? apolloCode);
    return { message: shorten(message, maxMessageLength), ...place, extensions: { code, ...limitOf(cause) } };
  }
  const appError = explainRefusal(toAppError(cause));
  logFault(log, appError);
  return { message: appError.message, ...place, extensions: toExtensions(appError) };
}

// An error that a resolver threw has a path, and one that ended a subscription's source has no place at all. An error that points only into
// the document (a variable that a scalar refused) is the caller's, whatever it wraps.
function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError === undefined) return error;
  return error.path !== undefined || error.locations === undefined ? error.originalError : error;
}

function codeOf(extensions: GraphQLFormattedError['extensions']): string {
  const code = extensions?.['code'];
  return typeof code === 'string' ? code : 'BAD_USER_INPUT';
}

// The limit of the API that was exceeded.
function limitOf({ extensions }: GraphQLError): Record<string, unknown> {
  return extensions['limit'] === undefined ? {} : { limit: extensions['limit'] };
}

/** Takes out the names of the schema that graphql-js suggests for a wrong one. */
export function withoutSuggestion(error: GraphQLFormattedError): GraphQLFormattedError {
  return { ...error, message: error.message.replace(/ ?Did you mean .*$/s, '') };
}

/** Renders errors that Apollo does not format: those over sockets, and those before Apollo is asked. */
export function errorsToBody(log: Logger, errors: readonly GraphQLError[]): GraphQLFormattedError[] {
  const listed = errors.slice(0, maxErrors).map((error) => errorToGraphql(log, error.toJSON(), error));
  return [...listed, ...restOf(listed, errors.length)];
}

/** Keeps the first 20 of an answer's errors; one more says how many are left out. */
export function boundErrors(errors: readonly GraphQLFormattedError[]): GraphQLFormattedError[] {
  const listed = errors.slice(0, maxErrors);
  return [...listed, ...restOf(listed, errors.length)];
}

// The errors usually say the same of each entry of a list.
function restOf(listed: readonly GraphQLFormattedError[], count: number): GraphQLFormattedError[] {
  if (count === listed.length) return [];
  const extensions = { code: listed.at(-1)?.extensions?.['code'] };
  return [{ message: `${count - listed.length} more errors are not listed`, extensions }];
}

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
