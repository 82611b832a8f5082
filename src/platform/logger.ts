// Structured logs on standard output, one JSON object a line. Secrets, message texts and numbers never enter a log call.

import { types } from 'node:util';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { currentRequestId } from './request-scope.js';

export type { Logger };

// PostgreSQL's `detail` and `where` quote rows: an error is logged without whatever else it carries.
function toLoggedError(error: unknown): unknown {
  if (!types.isNativeError(error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: error.code } : {};
  const constraint = 'constraint' in error ? { constraint: error.constraint } : {};
  return {
    name,
    message,
    ...code,
    ...constraint,
    stack,
    ...(cause === undefined ? {} : { cause: toLoggedError(cause) }),
  };
}

/** `level` as pino's: `fatal` to `trace`, or `silent`. */
export function createLogger(level: string): Logger {
  const mixin = () => {
    const requestId = currentRequestId();
    return requestId === undefined ? {} : { requestId };
  };
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin,
    serializers: { err: toLoggedError },
  });
}
