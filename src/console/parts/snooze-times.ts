// The proposed times of what comes later, in the user's zone.

export interface SnoozeTimes {
  hour: Date;
  /** Undefined once the evening is near. */
  evening: Date | undefined;
  tomorrow: Date;
  monday: Date;
}

export function snoozeTimes(now = new Date()): SnoozeTimes {
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return {
    hour: new Date(now.getTime() + 3_600_000),
    evening: now.getHours() < 17 ? hourOn(now, 0, 18) : undefined,
    tomorrow: hourOn(now, 1, 9),
    monday: hourOn(now, daysToMonday, 9),
  };
}

function hourOn(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** Returns the local time after this many milliseconds. */
export const localInputAhead = (ms: number): string => toLocalInput(new Date(Date.now() + ms));

/** Returns a time in the format of `datetime-local` inputs. */
export function toLocalInput(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
