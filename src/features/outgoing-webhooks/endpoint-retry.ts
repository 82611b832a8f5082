// When a delivery that failed is attempted again, and when its endpoint is left alone.

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** Between one attempt and the next. */
const delaysMs = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  1 * hours,
  3 * hours,
  8 * hours,
  8 * hours,
  8 * hours,
];
const maxRetryAfterMs = 8 * hours;

/** A delivery has failed after so many attempts, counted anew with each replay. */
export const maxAttempts = delaysMs.length + 1;

/** An endpoint is disabled once nothing has reached it for so long while attempts failed. */
export const disabledAfterDays = 3;

/**
 * How long after attempt `attempt` (from 1) the next one comes, a tenth more or less by chance, and never sooner than the endpoint asked
 * for with `Retry-After`, of which at most 8 hours are taken. Undefined where that was the last one.
 */
export function retryDelayMs(
  attempt: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return undefined;
  const jitteredMs = Math.round(delayMs * (0.9 + random() / 5));
  return Math.max(jitteredMs, Math.min(retryAfterSeconds * seconds, maxRetryAfterMs));
}
