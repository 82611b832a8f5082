// Another time of day for a whole run, with its PostgreSQL, Redis and browsers. A run can thus pass midnight UTC at any hour.

import { existsSync } from 'node:fs';

/** Debian's package `libfaketime`. */
export const clockLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const dayMs = 86_400_000;

/**
 * Returns the environment of processes whose clock stands at `timeOfDay` now, as in `TEST_CLOCK=23:58 npm test`. Clocks that measure
 * durations stay as they are. @throws Error for anything but hours and minutes in UTC, and where the library is missing
 */
export function shiftedClock(timeOfDay: string | undefined, now = Date.now()): Record<string, string> {
  if (timeOfDay === undefined) return {};
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(timeOfDay) ?? [];
  if (hours === undefined) throw new Error(`TEST_CLOCK is a time of day in UTC like 23:58, not ${timeOfDay}`);
  if (!existsSync(clockLibrary)) throw new Error(`TEST_CLOCK needs ${clockLibrary}: apt-get install libfaketime`);
  const timeMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  // Signal handlers see the real time in this library. PostgreSQL's would never find a time limit over if the real time were behind.
  const behindMs = ((now % dayMs) - timeMs + dayMs) % dayMs;
  return { LD_PRELOAD: clockLibrary, FAKETIME: `-${Math.ceil(behindMs / 1_000)}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

/**
 * The parameters of a PostgreSQL whose clock is shifted. The first of its alarms ends all time limits of a statement there, and the search
 * for deadlocks would be the first.
 */
export function shiftedParameters(timeOfDay: string | undefined): Record<string, string> {
  return timeOfDay === undefined ? {} : { deadlock_timeout: '1h' };
}

/** The environment of a program that hangs in a shifted clock, as Redis and Chromium do: it gets the real one. */
export function withoutShift({ LD_PRELOAD, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return LD_PRELOAD === clockLibrary ? rest : { ...rest, LD_PRELOAD };
}

/**
 * A script that gives a page the time of this process: its browser has the real one. Empty where no clock is shifted. Workers and time limits
 * of the page keep the real time.
 */
export function shiftedPage(env: NodeJS.ProcessEnv): string {
  if (env['LD_PRELOAD'] !== clockLibrary) return '';
  const shiftMs = Number.parseInt(env['FAKETIME'] ?? '', 10) * 1_000;
  return `{
    const RealDate = Date;
    globalThis.Date = class Date extends RealDate {
      constructor(...parts) {
        if (parts.length === 0) super(RealDate.now() + ${shiftMs});
        else super(...parts);
      }
      static now() {
        return RealDate.now() + ${shiftMs};
      }
    };
  }`;
}
