// Time ranges and buckets, and their instants in a time zone. PostgreSQL's calendar computes them, so that a day has 23 to 25 hours
// where clocks change.

import { DatabaseError } from 'pg';
import type { NamedStatement, SqlRunner } from '../../platform/database/database.js';
import { invalidField } from '../../platform/errors.js';

/** Ranges that move with the current day. Each is a whole period; its future part is empty. */
export const rangePresets = {
  TODAY: 'The current day.',
  YESTERDAY: 'The day before.',
  LAST_7_DAYS: 'The current day and the 6 days before.',
  LAST_30_DAYS: 'The current day and the 29 days before.',
  LAST_90_DAYS: 'The current day and the 89 days before.',
  THIS_WEEK: 'The current week, from Monday.',
  LAST_WEEK: 'The week before.',
  THIS_MONTH: 'The current month.',
  LAST_MONTH: 'The month before.',
  THIS_YEAR: 'The current year.',
} as const;

export type RangePreset = keyof typeof rangePresets;

/** A preset, or from a time (inclusive) to another (exclusive). */
export type TimeRange = { preset: RangePreset } | { from: string; to: string };

export const buckets = {
  HOUR: 'Hours of the clock. An hour that comes twice is two buckets; a skipped hour is none.',
  DAY: 'Days.',
  WEEK: 'Weeks from Monday.',
  MONTH: 'Months.',
} as const;

export type Bucket = keyof typeof buckets;

/** The most points of a series. */
export const maxPoints = 400;

export const tooManyBuckets = `the range has more than ${maxPoints} buckets of this length`;

/** The most points of a figure's course. */
export const maxCoursePoints = 92;

/**
 * The instants of a range, and those of the range before it, which has as many days or months, or the same duration. While the range goes
 * on, that one ends where the range has come to: half a day is compared with half a day.
 */
export interface ResolvedRange {
  previousFrom: Date;
  previousTo: Date;
  from: Date;
  to: Date;
}

interface PresetDays {
  unit: Exclude<Bucket, 'HOUR'> | 'YEAR';
  /** The start of the range and its end (not included), in units from the current one. */
  first: number;
  end: number;
}

const presetDays: Record<RangePreset, PresetDays> = {
  TODAY: { unit: 'DAY', first: 0, end: 1 },
  YESTERDAY: { unit: 'DAY', first: -1, end: 0 },
  LAST_7_DAYS: { unit: 'DAY', first: -6, end: 1 },
  LAST_30_DAYS: { unit: 'DAY', first: -29, end: 1 },
  LAST_90_DAYS: { unit: 'DAY', first: -89, end: 1 },
  THIS_WEEK: { unit: 'WEEK', first: 0, end: 1 },
  LAST_WEEK: { unit: 'WEEK', first: -1, end: 0 },
  THIS_MONTH: { unit: 'MONTH', first: 0, end: 1 },
  LAST_MONTH: { unit: 'MONTH', first: -1, end: 0 },
  THIS_YEAR: { unit: 'YEAR', first: 0, end: 1 },
};

const dayMs = 86_400_000;
const unitMs = { HOUR: dayMs / 24, DAY: dayMs, WEEK: 7 * dayMs, MONTH: 28 * dayMs };

/** Returns the shortest bucket of which a range has at most `maxCoursePoints`. */
export function courseBucketOf({ from, to }: Pick<ResolvedRange, 'from' | 'to'>): Bucket {
  const length = to.getTime() - from.getTime();
  const isShort = (bucket: Bucket) => length / unitMs[bucket] <= maxCoursePoints;
  return (['HOUR', 'DAY', 'WEEK'] as const).find(isShort) ?? 'MONTH';
}

/** True if a text may name a time zone. PostgreSQL may still refuse it. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

/** Returns the instants of a range. @throws AppError VALIDATION_FAILED on `timeZone` if PostgreSQL does not know it */
export async function resolveRange(sql: SqlRunner, range: TimeRange, zone: string, now: Date): Promise<ResolvedRange> {
  if (!('preset' in range)) {
    const [from, to] = [new Date(range.from), new Date(range.to)];
    await readStarts(sql, { zone, now, unit: 'DAY', offsets: [0] });
    return withPrevious(new Date(2 * from.getTime() - to.getTime()), from, to, now);
  }
  const { unit, first, end } = presetDays[range.preset];
  const offsets = [2 * first - end, first, end];
  const [previousFrom, from, to] = await readStarts(sql, { zone, now, unit, offsets });
  if (previousFrom === undefined || from === undefined || to === undefined) throw new Error('a range has no end');
  return withPrevious(previousFrom, from, to, now);
}

function withPrevious(previousFrom: Date, from: Date, to: Date, now: Date): ResolvedRange {
  const reached = new Date(previousFrom.getTime() + now.getTime() - from.getTime());
  const goesOn = from < now && now < to;
  // A month may have come to a day that the month before did not have.
  return { previousFrom, previousTo: goesOn && reached < from ? reached : from, from, to };
}

/**
 * Returns the limits of buckets: the start of the range, the starts of buckets within it, and its end. At least two instants.
 * @throws AppError VALIDATION_FAILED on `bucket` for more than `maxPoints` buckets
 */
export async function readBuckets(
  sql: SqlRunner,
  range: Pick<ResolvedRange, 'from' | 'to'>,
  bucket: Bucket,
  zone: string,
): Promise<Date[]> {
  const limits = await findBuckets(sql, range, bucket, zone);
  if (limits === undefined) throw invalidField('bucket', tooManyBuckets);
  return limits;
}

/** Returns the limits of buckets like `readBuckets`; undefined for more than `maxPoints` buckets. */
export async function findBuckets(
  sql: SqlRunner,
  { from, to }: Pick<ResolvedRange, 'from' | 'to'>,
  bucket: Bucket,
  zone: string,
): Promise<Date[] | undefined> {
  const most = (to.getTime() - from.getTime()) / unitMs[bucket] + 2;
  // The check leaves room, because an hour of the clock may be half an hour long when clocks change.
  if (most > maxPoints + 2) return undefined;
  const starts =
    bucket === 'HOUR'
      ? await sql.query<{ start: Date }>(selectHourStarts, [zone, from, to])
      : await sql.query<{ start: Date }>(selectDayStarts, [zone, from, bucket, offsetsUpTo(Math.ceil(most) + 1)]);
  const within = starts.map(({ start }) => start).filter((start) => start > from && start < to);
  return within.length + 1 > maxPoints ? undefined : [from, ...within, to];
}

function offsetsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

interface WantedStarts {
  zone: string;
  now: Date;
  unit: PresetDays['unit'];
  offsets: readonly number[];
}

async function readStarts(sql: SqlRunner, { zone, now, unit, offsets }: WantedStarts): Promise<Date[]> {
  try {
    return (await sql.query<{ start: Date }>(selectDayStarts, [zone, now, unit, offsets])).map(({ start }) => start);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '22023')
      throw invalidField('timeZone', 'is not a time zone that PostgreSQL knows');
    throw error;
  }
}

/**
 * $1 zone, $2 an instant, $3 unit, $4 offsets → the start of the unit of the instant, moved by each offset in units of the local
 * calendar, without duplicates. A day starts at the first of two midnights, or when the clock goes on after a skipped one.
 */
const selectDayStarts: NamedStatement = {
  name: 'select-day-starts',
  text: `SELECT DISTINCT coalesce(twice.start, named.start) AS start
    FROM unnest($4::int[]) AS o (step)
    CROSS JOIN LATERAL (
      SELECT date_trunc($3, $2::timestamptz AT TIME ZONE $1) + o.step * ('1 ' || $3)::interval AS local
    ) wanted
    CROSS JOIN LATERAL (SELECT wanted.local AT TIME ZONE $1 AS start) named
    LEFT JOIN LATERAL (
      SELECT min(named.start - earlier) AS start FROM unnest(ARRAY['30 minutes', '1 hour', '2 hours']::interval[]) AS earlier
      WHERE (named.start - earlier) AT TIME ZONE $1 = wanted.local
    ) twice ON true
    ORDER BY start`,
};

/** $1 zone, $2 from, $3 to → the instants at which an hour of the clock starts, changes of the clock included. */
const selectHourStarts: NamedStatement = {
  name: 'select-hour-starts',
  text: `SELECT start FROM (
      SELECT start, (date_trunc('hour', local), offset_then) IS DISTINCT FROM
        lag((date_trunc('hour', local), offset_then)) OVER (ORDER BY start) AS begins
      FROM (
        SELECT start, start AT TIME ZONE $1 AS local, (start AT TIME ZONE $1) - (start AT TIME ZONE 'UTC') AS offset_then
        FROM generate_series(quarter_of($2::timestamptz), $3::timestamptz, interval '15 minutes') AS start
      ) quarter
    ) hour WHERE begins ORDER BY start`,
};
