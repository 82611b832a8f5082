// Distinguishes a dependency that is down (the caller may retry) from a fault of ours.

import { types } from 'node:util';
import { DatabaseError } from 'pg';
import { AppError } from '../errors.js';

// SQLSTATE classes: 08 connection, 53 out of resources, 57 shutdown or cancelled by a time limit, 55P03 lock time-out. 25P0 is a
// transaction that PostgreSQL ended because it stood still. 40 is a deadlock or conflict that repeated itself. 25006 comes from a server
// that takes no changes: a primary that has just lost its role.
const unavailableStates = /^(?:08...|53...|57...|25006|25P0.|55P03|40...)$/;
const unavailableCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2034',
  'P2037',
]);
// The disk of this machine is full or read-only, or the process has too many files open.
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE']);
// pg and pg-boss give these errors no code.
const unavailableMessages =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|NOTIFY connection ended/i;

const retryAfterSeconds = 1;

/** Turns an error into one for callers: an AppError stays, an unreachable dependency or a full disk is UNAVAILABLE, all else INTERNAL. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    return new AppError('UNAVAILABLE', 'The service cannot reach its database right now', {
      retryAfterSeconds,
      cause: error,
    });
  }
  if (isFull(error)) {
    const detail = 'The service has no room for files right now, or too many of them open';
    return new AppError('UNAVAILABLE', detail, { retryAfterSeconds, cause: error });
  }
  return new AppError('INTERNAL', 'Something went wrong on our side', { cause: error });
}

// Prisma's own code says only that a raw error came; the SQLSTATE stands in its text.
const prismaState = /Code: `(\w{5})`/;

function isUnavailable(error: unknown): boolean {
  // `instanceof` fails here: Node's own errors are of another realm where code runs in a context of its own.
  for (let current = error; types.isNativeError(current); current = current.cause) {
    const code = 'code' in current ? String(current.code) : '';
    const state = prismaState.exec(current.message)?.[1] ?? code;
    if (unavailableStates.test(state) || unavailableCodes.has(code)) return true;
    if (unavailableMessages.test(current.message)) return true;
  }
  return false;
}

function isFull(error: unknown): boolean {
  for (let current = error; types.isNativeError(current); current = current.cause)
    if ('code' in current && fullCodes.has(String(current.code))) return true;
  return false;
}

/** Returns whether PostgreSQL ended a statement because it waited or took too long: another one may well pass. */
export function isContention(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:40...|55P03|57014)$/.test(error.code ?? '');
}

/** Returns whether a server of PostgreSQL takes no changes: it is a standby, or has become one. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006';
}

/** Returns whether PostgreSQL refused a row because another has its unique key; `constraint` names that key. */
export function isUniqueViolation(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === '23505';
}

/** Returns whether PostgreSQL refused a row because it names a record that is not there; `constraint` names the key. */
export function isMissingReference(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === '23503';
}

/** Returns whether an error of Node has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === code;
}

/** Gives the reason of a failure in words. A host of several addresses fails with an error for each, and none of its own. */
export function reasonOf(error: unknown): string {
  if (types.isNativeError(error) && 'errors' in error && Array.isArray(error.errors))
    return error.errors.map(reasonOf).join(', ');
  return types.isNativeError(error) ? error.message : String(error);
}
