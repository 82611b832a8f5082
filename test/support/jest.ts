// Jest's spies and clocks on the global object that the product sees. The `@jest/globals` versions change only the global object of Jest's
// own world.

import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type TimerOptions = ConstructorParameters<typeof ModernFakeTimers>[0];

const global = globalThis;
const mocker = new ModuleMocker(global);
// The clocks read only these fields of a project's configuration.
const config = { fakeTimers: { enableGlobally: false }, rootDir: '' } as TimerOptions['config'];
const timers = new ModernFakeTimers({ config, global });

export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: () => timers.useFakeTimers(),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (ms: number) => timers.setSystemTime(ms),
  advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
};
