// The one error type that callers see, and the one table from code to HTTP status and public title.
// Rendering is left to transport/http/error-to-http.ts and transport/graphql/error-to-graphql.ts.

/** Every code a caller may meet, with its HTTP status and title (contract, section 2). */
export const errorTable = {
  BAD_REQUEST: { status: 400, title: 'The request could not be read' },
  UNAUTHENTICATED: { status: 401, title: 'Authentication is required' },
  SIGNATURE_INVALID: { status: 401, title: 'The webhook signature is missing or wrong' },
  GRANT_INVALID: { status: 401, title: 'The identity provider refused the grant' },
  FORBIDDEN: { status: 403, title: 'This is not permitted' },
  NOT_FOUND: { status: 404, title: 'There is no such record' },
  CONFLICT: { status: 409, title: 'The request conflicts with the current state' },
  NOT_OFFERED: { status: 409, title: 'The gateway does not offer this' },
  OPTED_OUT: { status: 409, title: 'The lead has opted out' },
  WINDOW_CLOSED: { status: 409, title: 'The reply window is closed' },
  ERASED: { status: 410, title: 'The person was erased' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body has another type than this path takes' },
  MISDIRECTED: { status: 421, title: 'The service has another name' },
  VALIDATION_FAILED: { status: 422, title: 'One or more fields are wrong' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side' },
  UNAVAILABLE: { status: 503, title: 'A dependency is down: safe to retry' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** A wrong field: `path` in dots from the body's or input's root (`messages.3.text`; empty for the root itself). */
export interface FieldError {
  path: string;
  message: string;
}

/** The most wrong fields that one error lists; a last entry says how many more there are. */
export const maxFieldErrors = 100;
const maxMessageLength = 500;
const maxDetailLength = 1_000;
const maxPathLength = 200;

export interface AppErrorOptions {
  /** The first 100 are kept. */
  errors?: readonly FieldError[];
  /** The number of wrong fields beyond `errors`. */
  unlistedErrors?: number;
  /** Whole seconds until a retry can succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Further data that the caller needs to go on, by name; shown in GraphQL's `extensions`. */
  details?: Readonly<Record<string, unknown>>;
  /** The scheme of the token that an UNAUTHENTICATED asks for; sent as `WWW-Authenticate`. */
  scheme?: 'Bearer';
  /** The methods that a path takes, where it was called by another: sent as `Allow`, and the status is 405. */
  allow?: readonly string[];
  cause?: unknown;
}

/** An outcome that the caller has to know. `message` is shown to the caller: no secrets, no SQL, no hidden names. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly scheme: 'Bearer' | undefined;
  readonly allow: readonly string[] | undefined;

  /** @param detail at most 1,000 characters of it are kept: it may quote the caller's input */
  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    const { stackTraceLimit } = Error;
    // An expected error needs no stack, and thousands of stacks would take longer than all else that an operation does.
    Error.stackTraceLimit = 0;
    super(shorten(detail, maxDetailLength), options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors === undefined ? undefined : boundErrors(options.errors, options.unlistedErrors);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.details = options.details;
    this.scheme = options.scheme;
    this.allow = options.allow;
  }
}

/** An UNAVAILABLE of a part that the configuration leaves out: it is no outage, and repeating the call does not help. */
export class NotConfigured extends AppError {
  constructor(detail: string) {
    super('UNAVAILABLE', detail);
  }
}

/** A configuration changes by a restart, so clients that repeat by themselves do it rarely. */
const unconfiguredRetrySeconds = 600;
/** The wait of callers where nothing says more, of each code whose call may be repeated. */
const usualRetrySeconds: Partial<Record<ErrorCode, number>> = { RATE_LIMITED: 5, UNAVAILABLE: 5 };

/** Returns the seconds of `Retry-After` for an error that is the answer to a call: every 429 and 503 has some. */
export function retryAfterOf(error: AppError): number | undefined {
  if (error instanceof NotConfigured) return unconfiguredRetrySeconds;
  return error.retryAfterSeconds ?? usualRetrySeconds[error.code];
}

function boundErrors(errors: readonly FieldError[], unlisted = 0): FieldError[] {
  const listed = errors.slice(0, maxFieldErrors).map(({ path, message }) => ({
    path: shorten(path, maxPathLength),
    message: shorten(message, maxMessageLength),
  }));
  const more = errors.length - listed.length + unlisted;
  return more === 0 ? listed : [...listed, { path: '', message: `${more} more fields are wrong and are not listed` }];
}

/** Shortens a text to at most `maxLength` characters: the middle is left out, because the end often says what is wrong. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor((maxLength - 3) / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`.toWellFormed();
}

/** Makes a VALIDATION_FAILED about one field. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** Makes a CONFLICT about one field. */
export function conflictingField(path: string, message: string, cause?: unknown): AppError {
  return new AppError('CONFLICT', `${path}: ${message}`, { errors: [{ path, message }], cause });
}

/**
 * Makes an UNAUTHENTICATED for an operation that needs a signed-in user. If a token was sent, the transport says what is wrong with it
 * instead.
 */
export function tokenRequired(): AppError {
  return new AppError('UNAUTHENTICATED', 'A Bearer token is required', { scheme: 'Bearer' });
}

/**
 * Makes an UNAUTHENTICATED for a call that needs a tenant's key. It names the problem by the headers alone: nothing is looked up, so each
 * refusal takes the same time.
 */
export function keyRequired({ key = '', authorization = '' }: { key?: string; authorization?: string }): AppError {
  if (key.trim() !== '') return new AppError('UNAUTHENTICATED', 'The x-tenant-key is not valid');
  const missing = "The header x-tenant-key is missing: send the tenant's API key in it";
  const asToken = "A Bearer token does not open this path: send the tenant's API key in the header x-tenant-key";
  return new AppError('UNAUTHENTICATED', authorization === '' ? missing : asToken);
}

/** Another tenant's record looks the same as none at all, so the sentence never says which. */
export function notFound(kind: string): AppError {
  return new AppError('NOT_FOUND', `There is no such ${kind}`);
}
