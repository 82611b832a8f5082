// Another time of day for a run of the tests.

import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { clockLibrary, shiftedClock, shiftedPage, withoutShift } from '../support/shifted-clock.js';
import { existsSync } from 'node:fs';

const noon = Date.parse('2026-11-28T12:00:30Z');
const whenInstalled = existsSync(clockLibrary) ? test : test.skip;

export function describeShiftedClock(): void {
  whenInstalled.each([
    ['23:58', 12 * 3_600 + 2 * 60 + 30],
    ['12:01', 24 * 3_600 - 30],
    ['12:00', 30],
    ['00:00', 12 * 3_600 + 30],
  ])('at noon and half a minute, %s was %i s before', (timeOfDay, seconds) => {
    expect(shiftedClock(timeOfDay, noon)).toMatchObject({ FAKETIME: `-${seconds}s` });
  });

  test('without a time of day nothing is shifted', () => {
    expect(shiftedClock(undefined, noon)).toEqual({});
  });

  test.each(['24:00', '23:60', '9:00', 'midnight', ''])('%j is refused by its name', (timeOfDay) => {
    expect(() => shiftedClock(timeOfDay, noon)).toThrow('TEST_CLOCK is a time of day in UTC like 23:58');
  });

  whenInstalled('a process has the shifted time, and its child without the shift the real one', () => {
    const inner = `require('node:child_process').execFileSync(process.execPath, ['-p', 'Date.now()'], { env: JSON.parse(process.argv[1]) })`;
    const shifted = { ...process.env, ...shiftedClock('00:00') };
    const timesOf = (environment: NodeJS.ProcessEnv) =>
      execFileSync(process.execPath, ['-p', `Date.now() + ' ' + ${inner}`, JSON.stringify(environment)], {
        env: shifted,
        encoding: 'utf8',
      });
    const behind = Number(shifted.FAKETIME?.slice(1, -1)) * 1_000;
    const [own = 0, child = 0] = timesOf(withoutShift(shifted)).trim().split(/\s+/).map(Number);
    expect(Math.round((child - own) / 60_000)).toBe(Math.round(behind / 60_000));
  });

  test('a page has the time of the shifted process, and all else of Date as it was', () => {
    const shift = shiftedPage({ LD_PRELOAD: clockLibrary, FAKETIME: '-3600s' });
    const page = `${shift}; [Date.now(), new Date().getTime(), new Date(5).getTime(), Date.UTC(2026, 0), new Date() instanceof Date]`;
    const [now, made, ...others] = runInNewContext(page) as number[];
    expect([now, made].map((time = 0) => Math.round((Date.now() - time) / 60_000))).toEqual([60, 60]);
    expect(others).toEqual([5, Date.UTC(2026, 0), true]);
  });

  test('a page of a process whose clock is not shifted is left alone', () => {
    expect(shiftedPage({ FAKETIME: '-3600s' })).toBe('');
    expect(shiftedPage(withoutShift({ LD_PRELOAD: clockLibrary, FAKETIME: '-3600s' }))).toBe('');
  });
}
