// The rate limits: what is limited, for whom it is counted, and what the caller sees. Counting belongs to rate-limit-store.ts, the caller
// to authenticate.ts and client-address.ts, the 429's body to error-to-http.ts.

import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type AugmentedRequest } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import { boundedTo } from '../../platform/expiring-cache.js';
import type { ItemLimiter, LimitKind, LimitVerdict, LimitedSubject } from '../../features/intake/intake-limits.js';
import { AppError } from '../../platform/errors.js';
import type { RedisLog } from '../../platform/events/redis-link.js';
import { requestAddress } from './client-address.js';
import type { Hits } from './memory-hit-counter.js';
import { RateLimitStore, countAll, peekAll, rateLimitLink, type Counting } from './rate-limit-store.js';

const AUTH_WINDOW_MS = 60_000;
const AUTH_TOKEN_LIMIT = 10;
const DEV_TOKEN_LIMIT = 30;
const SIGN_IN_LINK_LIMIT = 10;
const FAILED_AUTH_WINDOW_MS = 60_000;
/** The most subjects of each kind, so that a flood of one kind (addresses, say) makes no other kind forget its counts. */
const MAX_SUBJECTS = 100_000;

/**
 * The subject that a request is counted for: the user it was authenticated as, else the address. The address also counts where a tenant key
 * was sent and none is taken. Webhooks count by themselves, with `ItemLimiter`.
 */
export type RateLimitSubject = { kind: 'user'; id: string } | { kind: 'address' };

/** The kinds that the global limit counts, each in a bucket of its own. */
type GlobalKind = Exclude<LimitKind, 'gateway'> | RateLimitSubject['kind'];

export interface RateLimitOptions {
  /** Window of the global limit in milliseconds. The limits of the auth routes are fixed: 10, 30 and 10 in 60,000 ms. */
  windowMs: number;
  /** Hits of one subject that pass the global limit in each window. */
  limit: number;
  /** Gateway calls of one tenant key in each window; undefined: there is no limit. */
  gatewayLimit?: number | undefined;
  /** Failed authentications in 60,000 ms that are answered as such, for each address and for each guess. */
  failedAuthLimit: number;
  /** Shares the counts of all processes that name the same Redis; unset: each process counts for itself. */
  redisUrl?: string | undefined;
  /** The time that a request waits for Redis before it is counted in memory, in milliseconds. Default 250. */
  answerTimeoutMs?: number;
  /** Called by `global` after authentication was attempted. Undefined: the endpoint counts by itself. */
  subjectOf: (req: Request) => RateLimitSubject | undefined;
  log: RedisLog;
  /**
   * Called for each refused request, with the limit's name and its subject's kind. Failed authentications and items are not reported here.
   */
  onRefusal?: (limit: string, kind: string) => void;
}

export interface RateLimitVerdict {
  allowed: boolean;
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** Whole seconds until the window resets, at least 1. */
  resetSeconds: number;
  /** `RateLimit` and `RateLimit-Policy` as `global` writes them, and `Retry-After` when refused. */
  headers: Record<string, string>;
}

export interface RateLimits extends ItemLimiter {
  /**
   * Express middleware: the global limit. All four write `RateLimit` and `RateLimit-Policy` (draft 8) on every answer.
   * When the limit is exceeded, they pass AppError RATE_LIMITED with the seconds to wait on to the error middleware.
   */
  global: RequestHandler;
  /** `POST /auth/token`: 10 in 60 s for each address, in addition to the global limit. */
  authToken: RequestHandler;
  /** `POST /auth/dev/token`: 30 in 60 s for each address, in addition to the global limit. */
  devToken: RequestHandler;
  /** `POST /auth/link`: 10 in 60 s for each address, in addition to the global limit. */
  signInLink: RequestHandler;
  /**
   * Counts one request of a socket, which has no Express, against the global limit, in the same bucket as `global`. Returns whether it
   * passes. `subject` comes from `subjectKey`. Never rejects; each call counts.
   */
  consume(subject: string): Promise<RateLimitVerdict>;
  /** The limiters of FailedAuthentications. They stand apart, so that a flood of guesses pushes no address out of the memory. */
  failedAuth: { byAddress: Limiter; byGuess: Limiter };
  /**
   * Settles when the first attempt to reach Redis has ended, well or not (2 s at most; at once without Redis). Wait for it
   * before listening, or the first requests are counted by this process alone. Never rejects; safe to repeat.
   */
  ready(): Promise<void>;
  /** Drops the connection to Redis; requests that still come are counted in memory. Safe to repeat. */
  close(): Promise<void>;
}

/** A limit and its counts. */
export interface Limiter {
  /** The name that callers read in `RateLimit` and `RateLimit-Policy`. */
  name: string;
  windowMs: number;
  limit: number;
  store: RateLimitStore;
}

/** Builds the limiters; connects to Redis in the background. Throws only when `redisUrl` is malformed. */
export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { windowMs, limit, gatewayLimit, failedAuthLimit, onRefusal } = options;
  const { redisUrl, log, answerTimeoutMs } = options;
  const link = redisUrl === undefined ? undefined : rateLimitLink(redisUrl, log, answerTimeoutMs);
  const limiterOf = (name: string, window: { windowMs: number; limit: number }, isPersonal = false): Limiter => {
    const prefix = `leadwire:throttle:${name}:`;
    const store = new RateLimitStore({ prefix, ...window, link, isPersonal, maxSubjects: MAX_SUBJECTS });
    return { name, ...window, store };
  };
  const globalOf = (isPersonal?: boolean) => limiterOf('global', { windowMs, limit }, isPersonal);
  const global: Record<GlobalKind, Limiter> = {
    lead: globalOf(),
    inbound: globalOf(true),
    status: globalOf(true),
    state: globalOf(true),
    user: globalOf(),
    address: globalOf(),
  };
  const gateway = limiterOf('gateway', { windowMs, limit: gatewayLimit ?? Infinity });
  const perAddress = (name: string, count: number) => limiterOf(name, { windowMs: AUTH_WINDOW_MS, limit: count });
  const failed = (name: string) => limiterOf(name, { windowMs: FAILED_AUTH_WINDOW_MS, limit: failedAuthLimit });
  const addressesOnly = (limiter: Limiter) =>
    createLimiter(limiter, 'address', { ...options, subjectOf: () => ({ kind: 'address' }) });

  return {
    global: createMiddleware(global, options),
    authToken: addressesOnly(perAddress('auth-token', AUTH_TOKEN_LIMIT)),
    devToken: addressesOnly(perAddress('dev-token', DEV_TOKEN_LIMIT)),
    signInLink: addressesOnly(perAddress('sign-in-link', SIGN_IN_LINK_LIMIT)),
    failedAuth: { byAddress: failed('failed-auth-address'), byGuess: failed('failed-auth-guess') },
    consume: async (subject) => {
      const kind = subject.startsWith('user:') ? 'user' : 'address';
      const verdict = verdictOf(global[kind], subject, await global[kind].store.hit(subject));
      if (!verdict.allowed) onRefusal?.(global[kind].name, kind);
      return verdict;
    },
    capsGateways: gatewayLimit !== undefined,
    count: (tenantId, subjects) => judgeItems(tenantId, subjects, { ...global, gateway }, countAll),
    peek: (tenantId, subjects) => judgeItems(tenantId, subjects, { ...global, gateway }, peekAll),
    ready: async () => link?.firstAttempt,
    close: async () => link?.close(),
  };
}

/**
 * Returns the bucket's key for `consume`. `address` is the caller's, already freed of proxies; only subjects of kind `address` use it. An
 * IPv6 caller is counted by its /56, and IPv4 written as IPv6 counts as IPv4. A text that is no address shares the bucket `unknown`.
 */
export function subjectKey(subject: RateLimitSubject, address: string | undefined): string {
  if (subject.kind !== 'address') return `${subject.kind}:${subject.id}`;
  return `address:${address !== undefined && isIP(address) !== 0 ? ipKeyGenerator(address) : 'unknown'}`;
}

type LimiterOptions = Pick<RateLimitOptions, 'subjectOf' | 'log' | 'onRefusal'>;

// Addresses are counted by the library. Users, who ask most, are counted as sockets are: with the same headers, and in fewer steps.
function createMiddleware(
  limiters: Record<RateLimitSubject['kind'], Limiter>,
  options: LimiterOptions,
): RequestHandler {
  const limitAddress = createLimiter(limiters.address, 'address', options);
  const limitUser = async (subject: RateLimitSubject, res: Response, next: NextFunction) => {
    const key = subjectKey(subject, undefined);
    const { allowed, resetSeconds, headers } = verdictOf(limiters.user, key, await limiters.user.store.hit(key));
    res.set(headers);
    if (allowed) return next();
    options.onRefusal?.(limiters.user.name, subject.kind);
    next(tooManyRequests(resetSeconds));
  };
  return (req, res, next) => {
    const subject = options.subjectOf(req);
    if (subject === undefined) return next();
    return subject.kind === 'user' ? limitUser(subject, res, next) : limitAddress(req, res, next);
  };
}

function createLimiter(
  { name, windowMs, limit, store }: Limiter,
  kind: RateLimitSubject['kind'],
  { subjectOf, log, onRefusal }: LimiterOptions,
): RequestHandler {
  const retryAfter = (req: Request) => secondsUntil((req as AugmentedRequest)['rateLimit']?.resetTime?.getTime() ?? 0);
  return rateLimit({
    windowMs,
    limit,
    identifier: name,
    store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => subjectKey(subjectOf(req) ?? { kind: 'address' }, requestAddress(req)),
    retryAfter,
    handler: (req, _res, next) => {
      onRefusal?.(name, kind);
      next(tooManyRequests(retryAfter(req)));
    },
    logger: {
      warn: (error) => log.warn({ err: error }, 'Rate limiter'),
      error: (error) => log.warn({ err: error }, 'Rate limiter'),
    },
  });
}

async function judgeItems(
  tenantId: string,
  subjects: readonly LimitedSubject[],
  limiters: Record<LimitKind, Limiter>,
  count: (countings: readonly Counting[]) => Promise<Hits[]>,
): Promise<LimitVerdict[]> {
  const countings = subjects.map(({ kind, key, hits }) => {
    const { store } = limiters[kind];
    return { store, share: tenantId, key: `${kind}:${key}`, hits };
  });
  const counted = await count(countings);
  return subjects.map(({ kind, key, hits }, index) => {
    const limiter = limiters[kind];
    const now = counted[index] ?? { count: 0, resetAtMs: 0 };
    const before = now.count - hits;
    const passed = Math.max(0, Math.min(hits, limiter.limit - before));
    return { passed, ...stateOf(limiter, now), headers: () => headersOf(limiter, itemKeyOf(`${kind}:${key}`), now) };
  });
}

function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError('RATE_LIMITED', `Too many requests: try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
}

/** Returns the verdict on a count under its limit, and the headers that say so. */
export function verdictOf(limiter: Limiter, subject: string, hits: Hits): RateLimitVerdict {
  const allowed = hits.count <= limiter.limit;
  return {
    allowed,
    limit: limiter.limit,
    ...stateOf(limiter, hits),
    headers: headersOf(limiter, partitionKeyOf(subject), hits),
  };
}

function stateOf({ limit }: Limiter, { count, resetAtMs }: Hits): { remaining: number; resetSeconds: number } {
  return { remaining: Math.max(0, limit - count), resetSeconds: secondsUntil(resetAtMs) };
}

function secondsUntil(timeMs: number): number {
  return Math.max(1, Math.ceil((timeMs - Date.now()) / 1000));
}

function headersOf(limiter: Limiter, partitionKey: string, hits: Hits): Record<string, string> {
  const { remaining, resetSeconds } = stateOf(limiter, hits);
  const { name, limit, windowMs } = limiter;
  const headers: Record<string, string> = {
    RateLimit: `"${name}"; r=${remaining}; t=${resetSeconds}`,
    'RateLimit-Policy': `"${name}"; q=${limit}; w=${Math.ceil(windowMs / 1000)}; pk=:${partitionKey}:`,
  };
  if (hits.count > limit) headers['Retry-After'] = String(resetSeconds);
  return headers;
}

// The key has the form that express-rate-limit gives it, so that HTTP and sockets name one bucket alike.
function partitionKeyOf(subject: string): string {
  const known = partitionKeys.get(subject);
  if (known !== undefined) return known;
  const key = btoa(hash('sha256', subject).slice(0, 12));
  partitionKeys.set(subject, key);
  return key;
}

const maxPartitionKeys = 10_000;
const partitionKeys = new LRUCache<string, string>(boundedTo(maxPartitionKeys));

// Names the bucket of a webhook's item, and keeps no secret: FNV-1a, twice with other start values. A cryptographic hash for
// each answer would be a good part of what an inbound message costs.
function itemKeyOf(subject: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < subject.length; index += 1) {
    const code = subject.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return btoa(((high >>> 0) * 0x100000 + (low >>> 12)).toString(36));
}
