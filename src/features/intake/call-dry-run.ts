// The answer of a dry-run call. Each kind of route has its own `RouteDryRun`, in the module that receives its calls.

import { AppError, errorTable, type ErrorCode, type FieldError } from '../../platform/errors.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { CallDryRunItem } from './call-dry-run-items.js';
import type { KeyComparison, SignatureComparison } from './signature-diagnosis.js';
import type { DialectName } from './webhook-call.js';

/** A call as an ADMIN describes it. */
export interface DescribedCall {
  /** The path, without a slash at its end. */
  route: string;
  /** Header names are in lower case. */
  headers: Record<string, string>;
  /** A call without a `content-type` counts as JSON. */
  contentType: string;
  body: Buffer;
}

/** The answer that a call would get. */
export interface CallDryRun {
  /** The HTTP status code. */
  status: number;
  /** Null where the call would be accepted. */
  code: ErrorCode | null;
  detail: string | null;
  /** The dialect in which the call is read; null where it cannot be read. */
  dialect: DialectName | null;
  /** Null where the route asks for no signature. */
  signature: SignatureComparison | null;
  /** Null where the route asks for no key within the body. */
  key: KeyComparison | null;
  /** The outcome of each item; empty where the call is refused as a whole. */
  items: CallDryRunItem[];
  errors: FieldError[];
}

/** Judges calls of the routes of one kind, and keeps nothing of them. */
export interface RouteDryRun {
  takes(route: string): boolean;
  /** A fault of the call is part of the answer. @throws AppError for faults of the service */
  run(admin: UserPrincipal, call: DescribedCall): Promise<CallDryRun>;
}

/** A dry run returns its verdict alone, so it sets no response headers. */
export const setNoHeaders = () => undefined;

const serverFault = 500;

/** Returns the answer of a refused call. @throws `error` where the fault is not in the call */
export function refusedDryRun(
  error: unknown,
  known: Partial<Pick<CallDryRun, 'dialect' | 'signature' | 'key'>> = {},
): CallDryRun {
  if (!(error instanceof AppError) || errorTable[error.code].status >= serverFault) throw error;
  const { code, message, errors = [] } = error;
  const { status } = errorTable[code];
  const { dialect = null, signature = null, key = null } = known;
  return { status, code, detail: message, dialect, signature, key, items: [], errors };
}
