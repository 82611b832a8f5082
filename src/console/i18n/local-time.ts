// Converts between the API's times and the local times in form fields.

/** Returns a time such as `2026-11-03T14:05` in the user's zone. Returns an empty text for undefined or an invalid time. */
export function toLocalTime(iso: string | undefined): string {
  const at = new Date(iso ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns the day of a time, such as `2026-11-03`, in the user's zone. */
export const dayOfTime = (iso: string): string => toLocalTime(iso).slice(0, 10);

export function toIso(localTime: string): string | undefined {
  const at = new Date(localTime);
  return localTime === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Reads a time from the address. Returns undefined if the API would refuse it. */
export function timeOf(written: string | undefined): string | undefined {
  const at = new Date(written ?? '');
  return written === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
