// Another time of day for a run of the tests.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canShiftClocks, shiftedClock } from '../support/shifted-clock.js';

const noon = Date.parse('2026-11-28T12:00:30Z');
const whereItCan = canShiftClocks() ? test : test.skip;

export function describeShiftedClock(): void {
  let folder: string;

  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'leadwire-clock-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  whereItCan.each([
    ['23:58', 12 * 3_600 + 2 * 60 + 30],
    ['12:01', 24 * 3_600 - 30],
    ['12:00', 30],
    ['00:00', 12 * 3_600 + 30],
  ])('at noon and half a minute, %s was %i s before', (timeOfDay, seconds) => {
    expect(shiftedClock(timeOfDay, folder, noon)).toMatchObject({ CLOCK_SHIFT_S: `-${seconds}` });
  });

  test('without a time of day nothing is shifted', () => {
    expect(shiftedClock(undefined, folder, noon)).toEqual({});
  });

  test.each(['24:00', '23:60', '9:00', 'midnight', ''])('%j is refused by its name', (timeOfDay) => {
    expect(() => shiftedClock(timeOfDay, folder, noon)).toThrow('TEST_CLOCK is a time of day in UTC like 23:58');
  });

  whereItCan('a process and its children have the shifted time, and durations stay as they are', () => {
    // The run itself may have another time of day, and a clock is shifted once.
    const now = () => Date.now() - Number(process.env.CLOCK_SHIFT_S ?? 0) * 1_000;
    const environment = { ...process.env, ...shiftedClock('00:00', folder, now()) };
    const times = `Date.now() + ' ' + process.hrtime()[0] + ' ' + require('node:child_process').execFileSync('date', ['+%s'])`;
    const before = process.hrtime()[0];
    const printed = execFileSync(process.execPath, ['-p', times], { env: environment, encoding: 'utf8' });
    const [own = 0, monotonic = 0, child = 0] = printed.trim().split(/\s+/).map(Number);
    const behindS = -Number(environment.CLOCK_SHIFT_S);
    expect(Math.round((now() - own) / 60_000)).toBe(Math.round(behindS / 60));
    expect(Math.abs(own / 1_000 - child)).toBeLessThan(60);
    expect(Math.abs(monotonic - before)).toBeLessThan(60);
  });
}
