// The values and times of a dashboard as texts, in the user's language and the reading's time zone.

import { isZone } from './reading.js';
import type { Bucket, Dimension } from './operations.js';
import type { Unit } from './metric-rules.js';

export interface ValueFormats {
  /** The time zone of the reading, such as Europe/Lisbon. */
  zone: string;
  /** 1,204, 12.5% or 1 hr 5 min; a dash if there is no value. */
  value(value: number | null, unit: Unit): string;
  /** The shortest form, for an axis. */
  tick(value: number, unit: Unit): string;
  /** A share without decimals: 12%. */
  share(share: number): string;
  bucket(bucket: Bucket, start: string, end: string): string;
  bucketTick(bucket: Bucket, start: string): string;
  /** Two days; with times if the period does not consist of whole days. */
  period(from: string, to: string): string;
  full(iso: string): string;
  time(iso: string): string;
  weekday(key: string, length: 'long' | 'short'): string;
  hour(key: string): string;
}

export const noValue = '–';

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export function valueFormatsOf(locale: string, wantedZone: string): ValueFormats {
  const timeZone = isZone(wantedZone) ? wantedZone : 'UTC';
  const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const wholePercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const hourAndMinute = date({ timeStyle: 'short' });
  const day = date({ day: 'numeric', month: 'short' });
  const wholeDay = date({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const month = date({ month: 'short', year: 'numeric' });
  const wholeMonth = date({ month: 'long', year: 'numeric' });
  const full = date({ dateStyle: 'medium', timeStyle: 'short' });
  const dates = date({ day: 'numeric', month: 'short', year: 'numeric' });
  const last = (end: string) => Date.parse(end) - 1;
  const isMidnight = (iso: string) =>
    date({ hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
      .format(Date.parse(iso))
      .replace(/\D/g, '')
      .replace(/0/g, '') === '';

  const formats: ValueFormats = {
    zone: timeZone,
    value(value, unit) {
      if (value === null) return noValue;
      if (unit === 'SECONDS') return durationOf(locale, value, 2);
      return unit === 'RATIO' ? percent.format(value) : number.format(value);
    },
    tick(value, unit) {
      if (unit === 'SECONDS') return durationOf(locale, value, 2, 'narrow');
      if (unit === 'RATIO') return percent.format(value);
      return value < 10_000 ? number.format(value) : compact.format(value);
    },
    share: (share) => (share < 0.1 ? percent : wholePercent).format(share),
    bucket(bucket, start, end) {
      const from = Date.parse(start);
      if (bucket === 'HOUR') return `${wholeDay.format(from)}, ${hourAndMinute.formatRange(from, Date.parse(end))}`;
      if (bucket === 'DAY') return wholeDay.format(from);
      return bucket === 'WEEK' ? dates.formatRange(from, last(end)) : wholeMonth.format(from);
    },
    bucketTick(bucket, start) {
      const from = Date.parse(start);
      if (bucket === 'HOUR') return isMidnight(start) ? day.format(from) : hourAndMinute.format(from);
      return (bucket === 'MONTH' ? month : day).format(from);
    },
    period(from, to) {
      if (isMidnight(from) && isMidnight(to)) return dates.formatRange(Date.parse(from), last(to));
      return full.formatRange(Date.parse(from), Date.parse(to));
    },
    full: (iso) => full.format(Date.parse(iso)),
    time: (iso) => hourAndMinute.format(Date.parse(iso)),
    // 1 January 2024 was a Monday.
    weekday: (key, length) =>
      new Intl.DateTimeFormat(locale, { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, Number(key))),
    hour: (key) =>
      new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(Number(key) * 3_600_000),
  };
  return formats;
}

/** Returns a duration in its largest units, for example 1 day 4 hr or 12 min 5 sec. */
export function durationOf(locale: string, seconds: number, units: number, unitDisplay: 'short' | 'narrow' = 'short') {
  const print = (value: number, unit: string, maximumFractionDigits = 0) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value);
  if (seconds < 10) return print(seconds, 'second', 1);
  const parts: string[] = [];
  let first = spans.findIndex(([, length]) => Math.round(seconds) >= length);
  if (first < 0) first = spans.length - 1;
  const shown = spans.slice(first, first + units);
  const least = shown.at(-1)?.[1] ?? 1;
  let left = Math.round(seconds / least) * least;
  for (const [unit, length] of shown) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(print(count, unit));
  }
  return parts.join(' ');
}

export interface KeyWords {
  nobody: string;
  noAuthor: string;
  received: string;
  none: string;
  known: Readonly<Record<string, string>>;
}

/** Returns the label of a dimension's key. People and things keep the API's names; other keys are named in the user's language. */
export function keyLabel(
  { dimension, key, label }: { dimension: Dimension; key: string | null; label: string },
  words: KeyWords,
  formats: Pick<ValueFormats, 'weekday' | 'hour'>,
  length: 'long' | 'short' = 'long',
): string {
  if (key === null) {
    if (dimension === 'ASSIGNEE') return words.nobody;
    if (dimension === 'AUTHOR') return words.noAuthor;
    return dimension === 'STATUS' ? words.received : words.none;
  }
  if (dimension === 'WEEKDAY') return formats.weekday(key, length);
  if (dimension === 'HOUR_OF_WEEK') {
    const [day = '', hour = ''] = key.split('-');
    return `${formats.weekday(day, length)}, ${formats.hour(hour)}`;
  }
  if (dimension === 'HOUR_OF_DAY') return length === 'short' ? key : formats.hour(key);
  if (dimension === 'STATUS' || dimension === 'DIRECTION' || dimension === 'ORIGIN') return words.known[key] ?? label;
  return label;
}
