// Structured logs on standard output, one JSON object a line. Secrets, message texts and numbers never enter a log call.

import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger };

/** `level` as pino's: `fatal` to `trace`, or `silent`. */
export function createLogger(level: string): Logger {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}
