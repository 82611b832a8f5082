// The time, for what is shown as a span: every component that shows one follows the same clock.

import { Store, useStore } from './store.js';

const tickMs = 15_000;
const clock = new Store(Date.now());

setInterval(() => document.visibilityState === 'visible' && clock.set(Date.now()), tickMs);
document.addEventListener('visibilitychange', () => clock.set(Date.now()));

/** Epoch milliseconds, some seconds old at most. */
export const useNow = (): number => Math.max(useStore(clock), 0);
