// A check of `npm run doctor`, and the way checks run: at once, each within its own time, none held up by another. Each check's file
// decides what it examines.

import { setTimeout as delay } from 'node:timers/promises';
import { ZodError } from 'zod';
import { AppError } from '../../platform/errors.js';
import { reasonOf } from '../../platform/observability/fault.js';

export type Status = 'ok' | 'warning' | 'failed';

export interface Finding {
  status: Status;
  /** The result, in a sentence. */
  found: string;
  /** The next step for the administrator, in a sentence. Only `ok` has none. */
  advice?: string;
}

export interface Check {
  /** Unique; scripts read it. */
  readonly name: string;
  /** The variables that the check reads. It does not run while one of them is wrong. */
  readonly variables: readonly string[];
  /** A check that has to succeed before it. */
  readonly after?: string;
  /** @throws anything: the check has then failed, for that reason */
  readonly run: (signal: AbortSignal) => Promise<Finding | readonly Finding[]>;
}

export interface CheckedFinding extends Finding {
  check: string;
}

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({ status: 'warning', found, advice });
export const failed = (found: string, advice: string): Finding => ({ status: 'failed', found, advice });

export interface RunOptions {
  /** Names of variables that are missing or wrong. */
  wrong: ReadonlySet<string>;
  /** The limit applies to each check. */
  timeLimitMs: number;
}

/** Runs all checks together. Each settles within its time, whatever it waits for. @returns findings in the order of the checks */
export function runChecks(checks: readonly Check[], options: RunOptions): Promise<CheckedFinding[]>[] {
  const running = new Map<string, Promise<CheckedFinding[]>>();
  for (const check of checks) {
    const before = check.after === undefined ? undefined : running.get(check.after);
    running.set(check.name, runCheck(check, before, options));
  }
  return [...running.values()];
}

async function runCheck(
  { name, variables, after, run }: Check,
  before: Promise<CheckedFinding[]> | undefined,
  { wrong, timeLimitMs }: RunOptions,
): Promise<CheckedFinding[]> {
  const named = (findings: readonly Finding[]) => findings.map((finding) => ({ check: name, ...finding }));
  const missing = variables.find((variable) => wrong.has(variable));
  if (missing !== undefined) return named([warning('It was not checked.', `Correct ${missing} first.`)]);
  const isPossible = (await before)?.every(({ status, found }) => status !== 'failed' && found !== notChecked) ?? true;
  if (!isPossible) return named([warning(notChecked, `See to \`${after}\` first.`)]);
  const signal = AbortSignal.timeout(timeLimitMs);
  try {
    const findings = await Promise.race([run(signal), late(timeLimitMs)]);
    return named([findings].flat());
  } catch (error) {
    return named([failed(`It failed: ${sentenceOf(error)}`, 'Look at what it names.')]);
  }
}

const notChecked = 'It was not checked.';

async function late(timeLimitMs: number): Promise<Finding> {
  // The wait ends a moment after the signal, whose reason says more.
  await delay(timeLimitMs + 250, undefined, { ref: false });
  return failed(
    `There was no answer within ${timeLimitMs / 1_000} s.`,
    'Check the address, the network and firewalls between this machine and the other side.',
  );
}

/** The reason of a failure, as a sentence. When an error only says that something else failed, its cause gives the reason. */
export function sentenceOf(error: unknown): string {
  return `${deepestReason(error).replace(/\.+$/, '')}.`;
}

function deepestReason(error: unknown): string {
  if (error instanceof ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ');
  const saysNothing = error instanceof AppError || reasonOf(error) === 'fetch failed';
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return saysNothing && cause !== undefined ? deepestReason(cause) : reasonOf(error);
}

/** True when the certificate of the other side is not valid for this machine. */
export function isCertificateError(error: unknown): boolean {
  return /CERT|TLS|SSL|SELF_SIGNED/.test(codeOf(error) ?? '');
}

export const certificateAdvice =
  'Give Node the authority of its certificate (NODE_EXTRA_CA_CERTS), or correct the certificate.';

/** The code of a connection error or of its causes; undefined when none has a code. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code !== 'UNAVAILABLE') return error.code;
  return 'cause' in error ? codeOf(error.cause) : undefined;
}
