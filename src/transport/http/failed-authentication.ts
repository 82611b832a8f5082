// Limits guessing: counts failed authentications by their address and by the guess, and remembers those that are over a limit. Counting is
// left to the limiters of rate-limit.ts; authenticate.ts and the sockets decide which failures count.

import { LRUCache } from 'lru-cache';
import { boundedTo } from '../../platform/expiring-cache.js';
import { AppError } from '../../platform/errors.js';
import { sha256 } from '../../platform/secret-box.js';
import { isOpen, type Hits } from './memory-hit-counter.js';
import { subjectKey, verdictOf, type Limiter, type RateLimitVerdict } from './rate-limit.js';

/** Refusals remembered of each kind (a few hundred bytes each); beyond it the one idle for longest is forgotten. */
const maxRemembered = 10_000;
// This many bytes keep all guesses apart, and are not the whole hash that finds an API key in the database.
const guessBytes = 16;

export interface FailedAuthenticationOptions {
  byAddress: Limiter;
  byGuess: Limiter;
  /** Refusals remembered of each kind, 10,000 by default. */
  maxRemembered?: number;
  /** Called for each failure. */
  onFailure?: (() => void) | undefined;
}

/**
 * Failed authentications of all APIs. `address` is the caller's, already freed of proxies (client-address.ts). `credential` is the token or
 * key as it came: only a part of its SHA-256 is stored.
 */
export class FailedAuthentications {
  readonly #byAddress: RememberedLimit;
  readonly #byGuess: RememberedLimit;
  readonly #onFailure: (() => void) | undefined;

  constructor(options: FailedAuthenticationOptions) {
    const max = options.maxRemembered ?? maxRemembered;
    this.#byAddress = new RememberedLimit(options.byAddress, max);
    this.#byGuess = new RememberedLimit(options.byGuess, max);
    this.#onFailure = options.onFailure;
  }

  /**
   * Returns the reason why this process refuses the credential unseen: its address or the guess itself is known to be over the limit. Makes
   * no look-up and counts nothing, so it is safe to repeat. Undefined: the credential may be tried.
   */
  findRefusal(address: string | undefined, credential: string): RateLimitVerdict | undefined {
    if (this.#byAddress.isEmpty && this.#byGuess.isEmpty) return undefined;
    return longer(this.#byAddress.find(addressKey(address)), this.#byGuess.find(guessKey(credential)));
  }

  /**
   * Counts one failure for the address and one for the guess; a credential that is refused already is not counted again.
   * Never rejects; each call counts.
   * @returns the refusal, when this failure was one too many; undefined within the limits
   */
  async record(address: string | undefined, credential: string): Promise<RateLimitVerdict | undefined> {
    this.#onFailure?.();
    const known = this.findRefusal(address, credential);
    if (known !== undefined) return known;
    const counting = [this.#byAddress.count(addressKey(address)), this.#byGuess.count(guessKey(credential))] as const;
    const [ofAddress, ofGuess] = await Promise.all(counting);
    return longer(ofAddress, ofGuess);
  }

  /**
   * Finds a refusal like `findRefusal`, by the guess alone: at some places the failures of an address must do no harm to its other calls.
   */
  findGuessRefusal(credential: string): RateLimitVerdict | undefined {
    return this.#byGuess.isEmpty ? undefined : this.#byGuess.find(guessKey(credential));
  }

  /** Counts a failure like `record`, for the guess alone. */
  async recordGuess(credential: string): Promise<RateLimitVerdict | undefined> {
    this.#onFailure?.();
    return this.findGuessRefusal(credential) ?? this.#byGuess.count(guessKey(credential));
  }
}

/** The refusal that the caller sees: RATE_LIMITED with the seconds to wait. */
export function tooManyFailures({ resetSeconds }: RateLimitVerdict): AppError {
  const detail = `Too many failed authentications: try again in ${resetSeconds} s`;
  return new AppError('RATE_LIMITED', detail, { retryAfterSeconds: resetSeconds });
}

/** A limiter, and the subjects that are over it until the window ends. */
class RememberedLimit {
  readonly #limiter: Limiter;
  readonly #exceeded: LRUCache<string, Hits>;

  constructor(limiter: Limiter, max: number) {
    this.#limiter = limiter;
    this.#exceeded = new LRUCache(boundedTo(max));
  }

  get isEmpty(): boolean {
    return this.#exceeded.size === 0;
  }

  find(subject: string): RateLimitVerdict | undefined {
    const hits = this.#exceeded.get(subject);
    if (hits === undefined) return undefined;
    if (isOpen(hits.resetAtMs, this.#limiter.windowMs)) return verdictOf(this.#limiter, subject, hits);
    this.#exceeded.delete(subject);
    return undefined;
  }

  async count(subject: string): Promise<RateLimitVerdict | undefined> {
    const hits = await this.#limiter.store.hit(subject);
    const verdict = verdictOf(this.#limiter, subject, hits);
    if (verdict.allowed) return undefined;
    this.#exceeded.set(subject, hits);
    return verdict;
  }
}

function addressKey(address: string | undefined): string {
  return subjectKey({ kind: 'address' }, address);
}

function guessKey(credential: string): string {
  return `guess:${sha256(credential).subarray(0, guessBytes).toString('base64url')}`;
}

// If both limits are exceeded, an earlier retry would be refused by the other.
function longer(a: RateLimitVerdict | undefined, b: RateLimitVerdict | undefined): RateLimitVerdict | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.resetSeconds > a.resetSeconds ? b : a;
}
