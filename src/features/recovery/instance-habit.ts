// Counts how many leads write through an instance at each hour of the week, in the quietest of the last weeks. Silence is judged by this
// evidence. A quiet instance has a habit of nothing, and is never too silent.

const hourMs = 3_600_000;
const hoursPerWeek = 168;
/** The number of weeks that a habit is made of. */
export const weeksLookedAt = 4;
/** Fewer weeks make no habit. */
const leastWeeks = 2;
const maxLeads = 1_000;

/** The number of leads that wrote in an hour, which is counted from 1970. */
export interface HourCount {
  hour: number;
  leads: number;
}

/**
 * The habit at the time at which the instance was last heard: the time after that is to be judged.
 * @returns for each hour of the week, from Thursday 0:00 UTC; empty where less than two weeks are known
 */
export function habitOf(counts: readonly HourCount[], heardAt: Date): number[] {
  const end = hourOf(heardAt);
  const known = counts.filter(({ hour }) => hour < end && hour >= end - weeksLookedAt * hoursPerWeek);
  const first = Math.min(...known.map(({ hour }) => hour));
  const weeks = known.length === 0 ? 0 : Math.floor((end - first) / hoursPerWeek);
  if (weeks < leastWeeks) return [];
  const byHour = new Map(known.map(({ hour, leads }) => [hour, leads]));
  return Array.from({ length: hoursPerWeek }, (_, slot) => {
    const latest = end - 1 - ((end - 1 - slot) % hoursPerWeek);
    const ofWeeks = Array.from({ length: weeks }, (__, week) => byHour.get(latest - week * hoursPerWeek) ?? 0);
    return Math.min(maxLeads, ...ofWeeks);
  });
}

/** The number of leads that would have written in that time, by the habit. */
export function expectedLeads(habit: readonly number[], from: Date, to: Date): number {
  let expected = 0;
  // After a week, no habit makes the case clearer.
  const end = Math.min(to.getTime(), from.getTime() + hoursPerWeek * hourMs);
  for (let at = from.getTime(); at < end;) {
    const next = Math.min(end, (Math.floor(at / hourMs) + 1) * hourMs);
    expected += (habit[Math.floor(at / hourMs) % hoursPerWeek] ?? 0) * ((next - at) / hourMs);
    at = next;
  }
  return expected;
}

function hourOf(time: Date): number {
  return Math.floor(time.getTime() / hourMs);
}
