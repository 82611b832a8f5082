// When a send that failed for a passing reason is tried again.

/** A message is given up after this many calls to the gateway. */
export const maxAttempts = 12;

const firstDelayMs = 1_000;
const maxDelayMs = 300_000;
const maxRetryAfterMs = 86_400_000;
const minPauseMs = 30_000;
const minRestMs = 1_000;

/**
 * Exponential backoff with jitter: before attempt n + 1, half to all of 1 s · 2^(n−1), at most 5 minutes; never sooner than
 * the gateway asked for with `Retry-After`, of which at most a day is taken.
 */
export function retryDelayMs(attempt: number, retryAfterSeconds = 0, random: () => number = Math.random): number {
  const backoffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  const jitteredMs = Math.round(backoffMs * (0.5 + random() / 2));
  return Math.max(jitteredMs, Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs));
}

/** How long an instance pauses after its gateway reported it as out, before one message tries it: 30 s, or what was asked for. */
export function pauseMs(retryAfterSeconds = 0): number {
  return Math.max(minPauseMs, Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs));
}

/** How long an instance rests that was asked to slow down: a second, or what was asked for, of which at most a day is taken. */
export function instanceRestMs(retryAfterSeconds = 0): number {
  return Math.max(minRestMs, Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs));
}
