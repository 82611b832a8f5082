// Jest's spies and clocks on the global object that the product sees. Those of `@jest/globals` change that of Jest's own world.

import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const global = globalThis;
const mocker = new ModuleMocker(global);
const timers = new ModernFakeTimers({ config: { fakeTimers: { enableGlobally: false }, rootDir: '' }, global });

export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: () => timers.useFakeTimers(),
  useRealTimers: () => timers.useRealTimers(),
  getTimerCount: () => timers.getTimerCount(),
  setSystemTime: (ms: number) => timers.setSystemTime(ms),
  advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
};
