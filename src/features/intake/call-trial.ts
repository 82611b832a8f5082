// What a call that is tried is answered. Each kind of route has a trial of its own, in the module that takes its calls.

import { AppError, errorTable } from '../../platform/errors.js';
import type { ErrorCode, FieldError } from '../../platform/errors.js';
import type { UserPrincipal } from '../../platform/principal.js';
import type { CallTrialItem } from './call-trial-items.js';
import type { KeyTrial, SignatureTrial } from './signature-trial.js';
import type { DialectName } from './webhook-call.js';

/** A call as an ADMIN describes it. */
export interface TriedCall {
  /** Without a slash at its end. */
  route: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Without a `content-type`, it counts as JSON. */
  contentType: string;
  body: Buffer;
}

/** What a call would be answered. */
export interface CallTrial {
  /** Of HTTP. */
  status: number;
  /** Null: it would be taken in. */
  code: ErrorCode | null;
  detail: string | null;
  /** How it is read; null where it cannot be. */
  dialect: DialectName | null;
  /** Null where its route asks for none. */
  signature: SignatureTrial | null;
  /** Null where its route asks for no key within the body. */
  key: KeyTrial | null;
  /** What would become of each item; none where the call is refused as a whole. */
  items: CallTrialItem[];
  errors: FieldError[];
}

/** Judges calls of the routes of one kind, and keeps nothing of them. */
export interface RouteTrial {
  takes(route: string): boolean;
  /** What is wrong with the call is the answer. @throws AppError for faults of ours */
  tryCall(admin: UserPrincipal, call: TriedCall): Promise<CallTrial>;
}

/** A try shows its verdict, not the headers of an answer. */
export const setNoHeaders = () => undefined;

const serverFault = 500;

/** What a refused call is answered. @throws `error` where the call is not what is wrong */
export function refusedTrial(
  error: unknown,
  known: Partial<Pick<CallTrial, 'dialect' | 'signature' | 'key'>> = {},
): CallTrial {
  if (!(error instanceof AppError) || errorTable[error.code].status >= serverFault) throw error;
  const { code, message, errors = [] } = error;
  const { status } = errorTable[code];
  const { dialect = null, signature = null, key = null } = known;
  return { status, code, detail: message, dialect, signature, key, items: [], errors };
}
