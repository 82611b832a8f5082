// The proposed ends of a snooze, in the user's zone.

export interface SnoozeTimes {
  hour: Date;
  tomorrow: Date;
  monday: Date;
}

export function snoozeTimes(now = new Date()): SnoozeTimes {
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return { hour: new Date(now.getTime() + 3_600_000), tomorrow: nineOn(now, 1), monday: nineOn(now, daysToMonday) };
}

function nineOn(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9);
}

/** Returns the local time after this many milliseconds. */
export const localInputAhead = (ms: number): string => toLocalInput(new Date(Date.now() + ms));

/** Returns a time in the format of `datetime-local` inputs. */
export function toLocalInput(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
