// Times, numbers and sizes in the user's language and zone.

import { languageNow, localeOf, useLanguage, type Language } from './language.js';

export interface Formats {
  /** 14:05 for today, Tue for the last six days, 3 Nov otherwise. */
  short(iso: string, now?: number): string;
  /** 14:05. */
  time(iso: string): string;
  /** 14:05:09 for today, 3 Nov, 14:05 otherwise. */
  clock(iso: string): string;
  /** 0.004 s. */
  seconds(ms: number): string;
  /** 14:05 if another time is of the same day, else 3 Nov 2026, 14:05. */
  timeBeside(other: string, iso: string): string;
  /** Today, Yesterday, Tomorrow or Tuesday, 3 November; with the year if it is another one. */
  day(iso: string): string;
  /** 3 Nov 2026, 14:05. */
  full(iso: string): string;
  /** 3 Nov 2026, for a day without a time. */
  date(isoDay: string): string;
  /** 14:05 for today, Tue, 14:05 for the next six days, 3 Nov, 14:05 otherwise; with the year if it is another one. */
  near(iso: string): string;
  /** 5 min, 3 h or 2 days: the distance to a time in the past or future. */
  span(ms: number): string;
  /** 5 min, 3h or 2d: a distance where there is little room. */
  age(ms: number): string;
  number(value: number): string;
  percent(share: number): string;
  /** 1.4 MB. */
  bytes(value: number): string;
  list(values: readonly string[]): string;
}

const known = new Map<Language, Formats>();

/** For code outside of components. */
export const formatsNow = (): Formats => formatsOf(languageNow());

export function useFormats(): Formats {
  return formatsOf(useLanguage());
}

function formatsOf(language: Language): Formats {
  const formats = known.get(language) ?? createFormats(localeOf[language]);
  known.set(language, formats);
  return formats;
}

const day = 86_400_000;

function createFormats(locale: string): Formats {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const timeOfSecond = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const thousandths = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const dateOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  const wholeDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  const wholeDayOfYear = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const dayAlone = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const unit = (name: string, digits = 0, unitDisplay: 'short' | 'narrow' = 'short') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits });
  const spans = { minute: unit('minute'), hour: unit('hour'), day: unit('day'), second: unit('second') };
  const ages = { hour: unit('hour', 0, 'narrow'), day: unit('day', 0, 'narrow') };
  const fewBytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  const sizes = { kilobyte: unit('kilobyte', 1), megabyte: unit('megabyte', 1) };
  const span = (ms: number) => {
    const seconds = Math.max(0, Math.round(ms / 1_000));
    if (seconds < 60) return spans.second.format(seconds);
    if (seconds < 3_600) return spans.minute.format(Math.floor(seconds / 60));
    if (seconds < 86_400) return spans.hour.format(Math.floor(seconds / 3_600));
    return spans.day.format(Math.floor(seconds / 86_400));
  };
  return {
    short(iso, now = Date.now()) {
      const at = new Date(iso);
      if (at.toDateString() === new Date(now).toDateString()) return time.format(at);
      const age = Math.abs(now - at.getTime());
      if (age < 6 * day) return weekday.format(at);
      return (age < 300 * day ? date : dateOfYear).format(at);
    },
    time: (iso) => time.format(new Date(iso)),
    clock(iso) {
      const at = new Date(iso);
      if (at.toDateString() === new Date().toDateString()) return timeOfSecond.format(at);
      return `${date.format(at)}, ${time.format(at)}`;
    },
    seconds: (ms) => `${thousandths.format(ms / 1_000)} s`,
    timeBeside(other, iso) {
      const at = new Date(iso);
      return (at.toDateString() === new Date(other).toDateString() ? time : full).format(at);
    },
    day(iso) {
      const at = new Date(iso);
      const today = new Date();
      const near = [0, -1, 1].find((by) => addDays(today, by).toDateString() === at.toDateString());
      if (near !== undefined) return capitalize(relative.format(near, 'day'), locale);
      return (at.getFullYear() === today.getFullYear() ? wholeDay : wholeDayOfYear).format(at);
    },
    full: (iso) => full.format(new Date(iso)),
    date: (isoDay) => dayAlone.format(new Date(isoDay)),
    near(iso) {
      const at = new Date(iso);
      const now = new Date();
      if (at.toDateString() === now.toDateString()) return time.format(at);
      if (Math.abs(at.getTime() - now.getTime()) < 6 * day) return `${weekday.format(at)}, ${time.format(at)}`;
      return at.getFullYear() === now.getFullYear() ? `${date.format(at)}, ${time.format(at)}` : full.format(at);
    },
    span,
    age(ms) {
      const hours = Math.floor(ms / 3_600_000);
      if (hours < 1) return span(ms);
      const age = hours < 24 ? ages.hour.format(hours) : ages.day.format(Math.floor(hours / 24));
      // English has no space there, and has one in `42 min`: both stand in one column.
      return age.replace(/(?<=\d)(?=\p{L})/u, '\u00a0');
    },
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    bytes(value) {
      if (value >= 1_000_000) return sizes.megabyte.format(value / 1_000_000);
      if (value < 1_000) return fewBytes.format(value);
      return sizes.kilobyte.format(value < 10_000 ? value / 1_000 : Math.round(value / 1_000));
    },
    list: (values) => list.format(values),
  };
}

function addDays(at: Date, days: number): Date {
  const moved = new Date(at);
  moved.setDate(at.getDate() + days);
  return moved;
}

const capitalize = (text: string, locale: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
