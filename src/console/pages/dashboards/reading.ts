// The range and time zone that a dashboard is read for: from the address, else as stored.

import type { RangePreset, TimeRangeInput } from './operations.js';

export interface DashboardSearch {
  range?: string;
  since?: string;
  until?: string;
  zone?: string;
  widget?: string;
  mark?: string;
}

/** The presets' names in the address. */
export const rangeNames = {
  today: 'TODAY',
  yesterday: 'YESTERDAY',
  '7-days': 'LAST_7_DAYS',
  '30-days': 'LAST_30_DAYS',
  '90-days': 'LAST_90_DAYS',
  'this-week': 'THIS_WEEK',
  'last-week': 'LAST_WEEK',
  'this-month': 'THIS_MONTH',
  'last-month': 'LAST_MONTH',
  'this-year': 'THIS_YEAR',
} as const satisfies Record<string, RangePreset>;

export type RangeName = keyof typeof rangeNames;

const isRangeName = (name: string | undefined): name is RangeName =>
  name !== undefined && Object.hasOwn(rangeNames, name);

export interface Reading {
  range?: TimeRangeInput;
  timeZone?: string;
}

/** Reads the address. Custom days count in its zone, else in the user's. Returns undefined while the days form no valid range. */
export function readingOf({ range, since, until, zone }: DashboardSearch, ownZone: string): Reading | undefined {
  const base: Reading = zone === undefined ? {} : { timeZone: zone };
  if (isRangeName(range)) return { ...base, range: { preset: rangeNames[range] } };
  if (range !== 'custom') return base;
  const timeZone = zone ?? ownZone;
  if (!isDay(since) || !isDay(until) || since > until) return undefined;
  // The API refuses an unknown zone with an error.
  if (!isZone(timeZone)) return base;
  return { timeZone, range: { from: startOfDay(since, timeZone), to: startOfDay(dayAfter(until), timeZone) } };
}

export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

export function isZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the last seven days of a zone, including today. An unknown zone stands for the user's. */
export function lastWeek(now: number, zone: string): { since: string; until: string } {
  const until = dayOf(now, isZone(zone) ? zone : ownZone());
  return { since: dayAfter(until, -6), until };
}

/** Returns the day of an instant as YYYY-MM-DD. */
export function dayOf(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(instant)
    .map(({ type, value }) => [type, value] as const);
  const { year = '', month = '', day = '' } = Object.fromEntries(parts);
  return `${year.padStart(4, '0')}-${month}-${day}`;
}

/** Returns the start of a day: midnight, or the first moment after a clock change that skips midnight. */
export function startOfDay(day: string, zone: string): string {
  const middle = Date.parse(`${day}T00:00:00Z`);
  let [before, after] = [middle - 26 * 3_600_000, middle + 26 * 3_600_000];
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2);
    if (dayOf(between, zone) < day) before = between;
    else after = between;
  }
  return new Date(after).toISOString();
}
