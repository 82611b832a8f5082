// The rate limits: what is limited, for whom it is counted, and what the caller is told. Counting and Redis are left to
// throttle-store.ts, who the caller is to authenticate.ts and client-address.ts, the 429's body to error-to-http.ts.

import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type AugmentedRequest, type ClientRateLimitInfo } from 'express-rate-limit';
import { AppError } from '../platform/errors.js';
import { requestAddress } from './client-address.js';
import { RedisLink, ThrottleStore, type ThrottleLog } from './throttle-store.js';

const AUTH_WINDOW_MS = 60_000;
const AUTH_TOKEN_LIMIT = 10;
const DEV_TOKEN_LIMIT = 30;
const FAILED_AUTH_WINDOW_MS = 60_000;

/**
 * For whom a request is counted: the tenant key or the user it was authenticated as, the line that the network itself calls,
 * else (no or failed authentication) the address. `id` names the key's tenant or record; it is written to Redis, so it is never the key itself.
 */
export type ThrottleSubject = { kind: 'tenantKey' | 'user' | 'line'; id: string } | { kind: 'address' };

export interface ThrottleOptions {
  /** Window of the global limit in milliseconds. The limits of the two auth routes are fixed: 10 and 30 in 60,000 ms. */
  windowMs: number;
  /** Requests that pass the global limit in each window. */
  limit: number;
  /** Failed authentications in 60,000 ms that are answered as such, for each address and for each guess. */
  failedAuthLimit: number;
  /** Shares the counts of all processes that name the same Redis; unset: each process counts for itself. */
  redisUrl?: string | undefined;
  /** Called by `global` after authentication was attempted. */
  subjectOf: (req: Request) => ThrottleSubject;
  log: ThrottleLog;
  /** Told of each refusal, with the limit's name; failed authentications have a count of their own. */
  onRefusal?: (limit: string) => void;
}

export interface ThrottleVerdict {
  allowed: boolean;
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** Whole seconds until the window resets, at least 1. */
  resetSeconds: number;
  /** `RateLimit` and `RateLimit-Policy` as `global` writes them, and `Retry-After` when refused. */
  headers: Record<string, string>;
}

export interface Throttles {
  /**
   * Express middleware: the global limit. All three write `RateLimit` and `RateLimit-Policy` (draft 8) on every answer,
   * and pass AppError RATE_LIMITED with the seconds to wait on to the error middleware when the limit is exceeded.
   */
  global: RequestHandler;
  /** `POST /auth/token`: 10 in 60 s for each address, in addition to the global limit. */
  authToken: RequestHandler;
  /** `POST /auth/dev/token`: 30 in 60 s for each address, in addition to the global limit. */
  devToken: RequestHandler;
  /**
   * For doors without Express: counts one against the global limit, in the same bucket as `global`, and says whether it
   * passes. `subject` comes from `subjectKey`. Never rejects; each call counts.
   */
  consume(subject: string): Promise<ThrottleVerdict>;
  /** What FailedAuthentications counts with, apart, so that a flood of guesses pushes no address out of the memory. */
  failedAuth: { byAddress: Limiter; byGuess: Limiter };
  /**
   * Settles when the first attempt to reach Redis has ended, well or not (2 s at most; at once without Redis): wait for it
   * before listening, or the first requests are counted by this process alone. Never rejects; safe to repeat.
   */
  ready(): Promise<void>;
  /** Drops the connection to Redis; requests that still come are counted in memory. Safe to repeat. */
  close(): Promise<void>;
}

/** One limit and its counts. */
export interface Limiter {
  /** As callers read it in `RateLimit` and `RateLimit-Policy`. */
  name: string;
  windowMs: number;
  limit: number;
  store: ThrottleStore;
}

/** Builds the limiters; connects to Redis in the background. Throws only when `redisUrl` is malformed. */
export function createThrottles(options: ThrottleOptions): Throttles {
  const link = options.redisUrl === undefined ? undefined : new RedisLink(options.redisUrl, options.log);
  const limiterOf = (name: string, windowMs: number, limit: number): Limiter => {
    const store = new ThrottleStore({ prefix: `leadwire:throttle:${name}:`, windowMs, link });
    return { name, windowMs, limit, store };
  };
  const middlewareOf = (limiter: Limiter, subjectOf: (req: Request) => ThrottleSubject) =>
    createMiddleware(limiter, subjectOf, options);
  const byAddress = (): ThrottleSubject => ({ kind: 'address' });
  const global = limiterOf('global', options.windowMs, options.limit);

  return {
    global: middlewareOf(global, options.subjectOf),
    authToken: middlewareOf(limiterOf('auth-token', AUTH_WINDOW_MS, AUTH_TOKEN_LIMIT), byAddress),
    devToken: middlewareOf(limiterOf('dev-token', AUTH_WINDOW_MS, DEV_TOKEN_LIMIT), byAddress),
    failedAuth: {
      byAddress: limiterOf('failed-auth-address', FAILED_AUTH_WINDOW_MS, options.failedAuthLimit),
      byGuess: limiterOf('failed-auth-guess', FAILED_AUTH_WINDOW_MS, options.failedAuthLimit),
    },
    consume: async (subject) => {
      const verdict = verdictOf(global, subject, await global.store.increment(subject));
      if (!verdict.allowed) options.onRefusal?.(global.name);
      return verdict;
    },
    ready: async () => link?.firstAttempt,
    close: async () => link?.close(),
  };
}

/**
 * The bucket's key for `consume`. `address` is the caller's, already freed of proxies; only subjects of kind `address` use
 * it. An IPv6 caller is counted by its /56, IPv4 written as IPv6 as IPv4; what is no address shares the bucket `unknown`.
 */
export function subjectKey(subject: ThrottleSubject, address: string | undefined): string {
  if (subject.kind !== 'address') return `${subject.kind}:${subject.id}`;
  return `address:${address !== undefined && isIP(address) !== 0 ? ipKeyGenerator(address) : 'unknown'}`;
}

function createMiddleware(
  limiter: Limiter,
  subjectOf: (req: Request) => ThrottleSubject,
  { log, onRefusal }: Pick<ThrottleOptions, 'log' | 'onRefusal'>,
): RequestHandler {
  return rateLimit({
    windowMs: limiter.windowMs,
    limit: limiter.limit,
    identifier: limiter.name,
    store: limiter.store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => subjectKey(subjectOf(req), requestAddress(req)),
    retryAfter: retryAfterSecondsOf,
    handler: (req, _res, next) => {
      onRefusal?.(limiter.name);
      next(tooManyRequests(retryAfterSecondsOf(req)));
    },
    logger: {
      warn: (error) => log.warn({ err: error }, 'Rate limiter'),
      error: (error) => log.warn({ err: error }, 'Rate limiter'),
    },
  });
}

function retryAfterSecondsOf(req: Request): number {
  return secondsUntil((req as AugmentedRequest)['rateLimit']?.resetTime);
}

function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError('RATE_LIMITED', `Too many requests: try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
}

function secondsUntil(time: Date | undefined): number {
  return Math.max(1, Math.ceil(((time?.getTime() ?? 0) - Date.now()) / 1000));
}

/** What a count means under its limit, and the headers that say so. */
export function verdictOf(limiter: Limiter, subject: string, hits: ClientRateLimitInfo): ThrottleVerdict {
  const allowed = hits.totalHits <= limiter.limit;
  const remaining = Math.max(0, limiter.limit - hits.totalHits);
  const resetSeconds = secondsUntil(hits.resetTime);
  const windowSeconds = Math.ceil(limiter.windowMs / 1000);
  const headers: Record<string, string> = {
    RateLimit: `"${limiter.name}"; r=${remaining}; t=${resetSeconds}`,
    'RateLimit-Policy': `"${limiter.name}"; q=${limiter.limit}; w=${windowSeconds}; pk=:${partitionKeyOf(subject)}:`,
  };
  if (!allowed) headers['Retry-After'] = String(resetSeconds);
  return { allowed, limit: limiter.limit, remaining, resetSeconds, headers };
}

// The form express-rate-limit gives it, so that both doors name one bucket alike.
function partitionKeyOf(subject: string): string {
  return Buffer.from(createHash('sha256').update(subject).digest('hex').slice(0, 12)).toString('base64');
}
