// Between the times of the API and those that a field of a form shows.

/** `2026-11-03T14:05` in the user's zone; empty for none, or for what is no time. */
export function toLocalTime(iso: string | undefined): string {
  const at = new Date(iso ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function toIso(localTime: string): string | undefined {
  const at = new Date(localTime);
  return localTime === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A time of the address; undefined for what the API would refuse. */
export function timeOf(written: string | undefined): string | undefined {
  const at = new Date(written ?? '');
  return written === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
