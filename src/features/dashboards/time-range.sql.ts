// The calendar of a time zone, from PostgreSQL's own.

import type { NamedStatement } from '../../platform/database.js';

/**
 * $1 zone, $2 an instant, $3 unit, $4 offsets → when the unit begins that holds the instant, moved by so many units of the local
 * calendar, each once. A midnight that comes twice begins its day the first time; one that is skipped, when the clock goes on.
 */
export const selectDayStarts: NamedStatement = {
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

/** $1 zone, $2 from, $3 to → the instants at which an hour begins by the clock there, also because the clock was changed. */
export const selectHourStarts: NamedStatement = {
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
