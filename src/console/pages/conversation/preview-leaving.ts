// Describes the sending time of a previewed message in words.

/** A sending time within this span counts as `now`. */
const soonMs = 10_000;

/** Returns `unknown` if the server gives no estimate, for example while the instance is disconnected. */
export function leavingOf(
  { estimatedSendAt }: { estimatedSendAt: string | null },
  nowMs: number,
): 'now' | 'later' | 'unknown' {
  if (estimatedSendAt === null) return 'unknown';
  return Date.parse(estimatedSendAt) - nowMs <= soonMs ? 'now' : 'later';
}
