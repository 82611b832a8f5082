// Structured logs on standard output, one JSON object a line. Secrets, message texts and numbers never enter a log call.

import { pino } from 'pino';
import type { Logger } from 'pino';
import { currentRequestId } from './request-scope.js';

export type { Logger };

/** `level` as pino's: `fatal` to `trace`, or `silent`. */
export function createLogger(level: string): Logger {
  const mixin = () => {
    const requestId = currentRequestId();
    return requestId === undefined ? {} : { requestId };
  };
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, mixin });
}
