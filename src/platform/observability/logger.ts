// Structured logs on standard output, one JSON object a line. Secrets, message texts and numbers never enter a log call. Errors of others
// may quote them, so they are taken out here.

import { types } from 'node:util';
import { pino, type Logger } from 'pino';
import { currentRequest } from './request-scope.js';
import { traceFields } from './trace-scope.js';
import { Redaction } from './redaction.js';
import { RepeatedWarnings } from './repeated-warnings.js';

export type { Logger };

export interface LoggerOptions {
  /** True if text that looks like a phone number is left out; true by default. */
  redactNumbers?: boolean;
  /** The destination of lines; standard output by default. */
  destination?: { write: (line: string) => void } | undefined;
}

/**
 * Creates a logger. `level` is one of pino's: `fatal` to `trace`, or `silent`. Within a request each line carries its id, and its caller
 * once that is known. Above `debug`, a warning that a dependency is down is written once a minute.
 */
export function createLogger(level: string, { redactNumbers = true, destination }: LoggerOptions = {}): Logger {
  const redaction = new Redaction({ numbers: redactNumbers });
  const repeated = new RepeatedWarnings();
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ ...currentRequest(), ...traceFields() }),
    serializers: { err: (error: unknown) => toLoggedError(error, redaction) },
    formatters: { log: (fields) => redaction.fields(fields) },
    hooks: {
      logMethod(args, method, lineLevel) {
        const shown = args.map((arg: unknown) => (typeof arg === 'string' ? redaction.text(arg) : arg));
        const [fields, sentence] = shown as [unknown, unknown];
        if (
          lineLevel === warnLevel &&
          isRecord(fields) &&
          typeof sentence === 'string' &&
          !this.isLevelEnabled('debug')
        ) {
          const leftOut = repeated.admit(sentence, fields);
          if (leftOut === undefined) return;
          if (leftOut > 0) shown[0] = { ...fields, leftOut };
        }
        // Without a sentence, pino would take the error's own message, as it is.
        if (shown.length === 1 && typeof shown[0] === 'object') shown.push('an error');
        method.apply(this, shown as typeof args);
      },
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

const warnLevel = pino.levels.values['warn'];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !types.isNativeError(value);

// Prisma's errors begin with the call that failed, including the values to be written, and end with the reason.
function withoutCall({ name, message, stack }: Error): Pick<Error, 'message' | 'stack'> {
  if (!name.startsWith('PrismaClient')) return { message, ...(stack === undefined ? {} : { stack }) };
  const reason = message.trimEnd().split('\n').at(-1) ?? '';
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { message: reason, stack: [`${name}: ${reason}`, ...frames].join('\n') };
}

// PostgreSQL's `detail` and `where` quote rows: an error is logged without its other properties.
function toLoggedError(error: unknown, redaction: Redaction): unknown {
  if (!types.isNativeError(error)) return { message: redaction.text(String(error)) };
  const { name, cause } = error;
  const { message, stack } = withoutCall(error);
  const code = 'code' in error ? { code: error.code } : {};
  const constraint = 'constraint' in error ? { constraint: error.constraint } : {};
  return {
    name,
    message: redaction.text(message),
    ...code,
    ...constraint,
    stack: stack === undefined ? undefined : redaction.text(stack),
    ...(cause === undefined ? {} : { cause: toLoggedError(cause, redaction) }),
  };
}
