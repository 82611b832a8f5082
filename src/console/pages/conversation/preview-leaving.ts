// When a message that is previewed would leave, as people say it.

/** What is that soon needs no time. */
const soonMs = 10_000;

/** `unknown`: nobody can tell, as while its instance is out. */
export function leavingOf(
  { estimatedSendAt }: { estimatedSendAt: string | null },
  nowMs: number,
): 'now' | 'later' | 'unknown' {
  if (estimatedSendAt === null) return 'unknown';
  return Date.parse(estimatedSendAt) - nowMs <= soonMs ? 'now' : 'later';
}
