// Another time of day for a whole run, with its PostgreSQL, Redis and browsers. A run can thus pass midnight UTC at any hour. Debian's
// libfaketime shows signal handlers the real time, and PostgreSQL then ends time limits too early.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const source = join(import.meta.dirname, 'shifted-clock.c');
const dayMs = 86_400_000;

/** Whether there is a C compiler, without which no clock can be shifted. */
export function canShiftClocks(): boolean {
  return spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Returns the environment of processes whose clock stands at `timeOfDay` now, as in `TEST_CLOCK=23:58 npm test`. Clocks that measure
 * durations stay as they are. @param folder keeps the library that such processes load
 * @throws Error for anything but hours and minutes in UTC, and where no C compiler is installed
 */
export function shiftedClock(timeOfDay: string | undefined, folder: string, now = Date.now()): Record<string, string> {
  if (timeOfDay === undefined) return {};
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(timeOfDay) ?? [];
  if (hours === undefined) throw new Error(`TEST_CLOCK is a time of day in UTC like 23:58, not ${timeOfDay}`);
  const library = join(folder, 'shifted-clock.so');
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`TEST_CLOCK needs a C compiler, as in apt-get install gcc libc6-dev: ${stderr}`);
  const timeMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  // Files keep the real time. With a clock that is ahead they would look old, and sweeps would remove them.
  const behindMs = ((now % dayMs) - timeMs + dayMs) % dayMs;
  return { LD_PRELOAD: library, CLOCK_SHIFT_S: `-${Math.ceil(behindMs / 1_000)}` };
}
