// The current time for relative times such as "5 min". All components that show one follow the same clock.

import { Store, useStore } from './store.js';

const tickMs = 15_000;
const clock = new Store(Date.now());

setInterval(() => document.visibilityState === 'visible' && clock.set(Date.now()), tickMs);
document.addEventListener('visibilitychange', () => clock.set(Date.now()));

/** Epoch milliseconds, at most some seconds old. */
export const useNow = (): number => Math.max(useStore(clock), 0);
