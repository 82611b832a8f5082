// The calendar: where days, weeks, months and hours begin in zones whose clocks are changed.

import {
  readBuckets,
  resolveRange,
  type Bucket,
  type RangePreset,
  type TimeRange,
} from '../../../src/features/dashboards/time-range.js';
import { Database } from '../../../src/platform/database/database.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { localPeriod, wallClock } from './reference.js';

export function describeTimeRange(): void {
  let own: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    own = await createTestDatabase();
    database = new Database({ url: own.url, poolSize: 2, log: createLogger('silent') });
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });

  const iso = (times: readonly Date[]) => times.map((time) => time.toISOString().replace(':00.000Z', 'Z'));
  const bucketsOf = (zone: string, from: string, to: string, bucket: Bucket) =>
    readBuckets(database, { from: new Date(from), to: new Date(to) }, bucket, zone);
  const minutes = (bounds: readonly Date[]) =>
    bounds.slice(1).map((bound, index) => (bound.getTime() - bounds[index]!.getTime()) / 60_000);

  test.each<[string, string, string, string, number[]]>([
    // The clock skips midnight itself, so the day begins at 01:00. In the other direction, the evening before comes twice.
    ['Sao Paulo goes on at midnight', 'America/Sao_Paulo', '2018-11-03T03:00Z', '2018-11-06T02:00Z', [24, 23, 24]],
    ['Sao Paulo goes back at midnight', 'America/Sao_Paulo', '2018-02-17T02:00Z', '2018-02-19T03:00Z', [25, 24]],
    ['Sao Paulo now', 'America/Sao_Paulo', '2026-11-01T03:00Z', '2026-11-03T03:00Z', [24, 24]],
    ['Berlin goes on', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-30T22:00Z', [23, 24]],
    ['Berlin goes back', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-26T23:00Z', [25, 24]],
    ['New York goes on', 'America/New_York', '2026-03-08T05:00Z', '2026-03-10T04:00Z', [23, 24]],
    ['New York goes back', 'America/New_York', '2026-11-01T04:00Z', '2026-11-03T05:00Z', [25, 24]],
    ['Lord Howe goes on by half an hour', 'Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-05T13:00Z', [23.5, 24]],
    [
      'Lord Howe goes back by half an hour',
      'Australia/Lord_Howe',
      '2026-04-04T13:00Z',
      '2026-04-06T13:30Z',
      [24.5, 24],
    ],
    // The hour after midnight comes twice, and the day begins with the first one.
    ['Havana goes back to midnight', 'America/Havana', '2026-11-01T04:00Z', '2026-11-03T05:00Z', [25, 24]],
    ['Kathmandu', 'Asia/Kathmandu', '2026-06-01T18:15Z', '2026-06-03T18:15Z', [24, 24]],
  ])('days of %s', async (_, zone, from, to, hours) => {
    expect(minutes(await bucketsOf(zone, from, to, 'DAY')).map((length) => length / 60)).toEqual(hours);
  });

  test.each<[string, string, string, string, number, number[]]>([
    ['Berlin goes on', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z', 23, [60]],
    ['Berlin goes back', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z', 25, [60]],
    ['Lord Howe goes on', 'Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-04T13:00Z', 24, [30, 60]],
    ['Lord Howe goes back', 'Australia/Lord_Howe', '2026-04-04T13:00Z', '2026-04-05T13:30Z', 25, [30, 60]],
    ['Kathmandu', 'Asia/Kathmandu', '2026-06-01T18:15Z', '2026-06-02T18:15Z', 24, [60]],
  ])('hours of the day when %s', async (_, zone, from, to, count, lengths) => {
    const bounds = await bucketsOf(zone, from, to, 'HOUR');
    expect(bounds).toHaveLength(count + 1);
    expect([...new Set(minutes(bounds))].sort((a, b) => a - b)).toEqual(lengths);
    // No bucket begins within an hour of the wall clock, unless the clock was changed there.
    const within = bounds.slice(1, -1).filter((bound) => wallClock(bound, zone).minute !== 0);
    expect(within.length).toBe(lengths.length - 1);
  });

  test.each<[Exclude<Bucket, 'HOUR'>, string]>([
    ['DAY', 'America/Sao_Paulo'],
    ['WEEK', 'America/New_York'],
    ['MONTH', 'Europe/Berlin'],
    ['MONTH', 'Australia/Lord_Howe'],
  ])(
    'each %s of a year in %s is one of the local calendar, all of it, and they leave nothing out',
    async (bucket, zone) => {
      const [from, to] = ['2018-01-17T10:07:03.021Z', '2019-01-16T22:11Z'];
      const bounds = await bucketsOf(zone, from, to, bucket);
      expect(iso([bounds[0]!, bounds.at(-1)!])).toEqual([new Date(from).toISOString(), '2019-01-16T22:11Z']);
      const names = bounds.slice(0, -1).map((start) => localPeriod(start, bucket, zone));
      const lastNames = bounds.slice(1).map((end) => localPeriod(new Date(end.getTime() - 1), bucket, zone));
      expect(lastNames).toEqual(names);
      expect(new Set(names).size).toBe(names.length);
    },
  );

  test('a range within one bucket is one; its bounds are kept', async () => {
    expect(iso(await bucketsOf('UTC', '2026-01-01T10:00Z', '2026-01-01T11:30Z', 'MONTH'))).toEqual([
      '2026-01-01T10:00Z',
      '2026-01-01T11:30Z',
    ]);
  });

  test('more than 400 buckets are refused by name', async () => {
    await expect(bucketsOf('UTC', '2026-01-01T00:00Z', '2026-02-01T00:00Z', 'HOUR')).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'bucket' }],
    });
    expect(await bucketsOf('UTC', '2026-01-01T00:00Z', '2027-02-05T00:00Z', 'DAY')).toHaveLength(401);
  });

  const resolve = (range: TimeRange, zone: string, now: string) => resolveRange(database, range, zone, new Date(now));

  test.each<[RangePreset, string, string, string[]]>([
    ['TODAY', 'Europe/Berlin', '2026-03-29T12:00Z', ['2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z']],
    ['TODAY', 'America/Havana', '2026-11-01T04:30Z', ['2026-10-31T04:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z']],
    [
      'YESTERDAY',
      'America/Sao_Paulo',
      '2018-11-05T12:00Z',
      ['2018-11-03T03:00Z', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    ],
    ['LAST_7_DAYS', 'UTC', '2026-03-03T00:00Z', ['2026-02-18T00:00Z', '2026-02-25T00:00Z', '2026-03-04T00:00Z']],
    ['LAST_30_DAYS', 'UTC', '2026-03-31T23:59Z', ['2026-01-31T00:00Z', '2026-03-02T00:00Z', '2026-04-01T00:00Z']],
    [
      'THIS_WEEK',
      'America/New_York',
      '2026-11-02T04:30Z',
      ['2026-10-19T04:00Z', '2026-10-26T04:00Z', '2026-11-02T05:00Z'],
    ],
    ['LAST_WEEK', 'UTC', '2026-11-02T00:00Z', ['2026-10-19T00:00Z', '2026-10-26T00:00Z', '2026-11-02T00:00Z']],
    ['THIS_MONTH', 'UTC', '2026-03-31T12:00Z', ['2026-02-01T00:00Z', '2026-03-01T00:00Z', '2026-04-01T00:00Z']],
    [
      'LAST_MONTH',
      'Europe/Berlin',
      '2026-03-31T22:30Z',
      ['2026-01-31T23:00Z', '2026-02-28T23:00Z', '2026-03-31T22:00Z'],
    ],
    ['LAST_MONTH', 'UTC', '2024-03-31T12:00Z', ['2024-01-01T00:00Z', '2024-02-01T00:00Z', '2024-03-01T00:00Z']],
    [
      'THIS_YEAR',
      'Asia/Kathmandu',
      '2026-05-05T12:00Z',
      ['2024-12-31T18:15Z', '2025-12-31T18:15Z', '2026-12-31T18:15Z'],
    ],
  ])('%s in %s at %s', async (preset, zone, now, expected) => {
    const { previousFrom, from, to } = await resolve({ preset }, zone, now);
    expect(iso([previousFrom, from, to])).toEqual(expected);
  });

  test('a fixed range is what it says, and the one before is as long', async () => {
    const range = { from: '2026-01-02T03:04:05.678Z', to: '2026-01-03T03:04:05.678Z' };
    expect(await resolve(range, 'UTC', '2026-05-05T12:00Z')).toEqual({
      previousFrom: new Date('2026-01-01T03:04:05.678Z'),
      previousTo: new Date(range.from),
      from: new Date(range.from),
      to: new Date(range.to),
    });
  });

  test.each([
    ['TODAY', '2026-05-05T12:30Z', '2026-05-04T12:30Z'],
    ['THIS_MONTH', '2026-05-05T12:30Z', '2026-04-05T12:30Z'],
    // February has no such day.
    ['THIS_MONTH', '2026-03-31T12:00Z', '2026-03-01T00:00Z'],
    ['LAST_7_DAYS', '2026-05-05T00:00:01Z', '2026-04-28T00:00:01Z'],
    ['YESTERDAY', '2026-05-05T12:30Z', '2026-05-04T00:00Z'],
  ] as const)('%s at %s is compared with as much of the time before, to %s', async (preset, now, expected) => {
    expect((await resolve({ preset }, 'UTC', now)).previousTo).toEqual(new Date(expected));
  });

  test('a fixed range that goes on, or has not begun, is compared with as much of the time before, or with all of it', async () => {
    const range = { from: '2026-05-05T06:00Z', to: '2026-05-05T12:00Z' };
    const previousToAt = async (now: string) => (await resolve(range, 'UTC', now)).previousTo.toISOString();
    expect(await previousToAt('2026-05-05T08:00Z')).toBe('2026-05-05T02:00:00.000Z');
    for (const now of ['2026-05-05T05:00Z', '2026-05-05T12:00Z', '2026-06-05T08:00Z'])
      expect(await previousToAt(now)).toBe('2026-05-05T06:00:00.000Z');
  });

  test('a zone that PostgreSQL does not know is refused by name', async () => {
    await expect(resolve({ preset: 'TODAY' }, 'Mars/Olympus', '2026-05-05T12:00Z')).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'timeZone' }],
    });
  });
}
