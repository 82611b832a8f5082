// The time until which the server takes no more calls of this user: it said so with its last refusal.

import { Store } from '../app/store.js';

/** Epoch milliseconds; undefined while calls are taken. */
export const limitedUntil = new Store<number | undefined>(undefined);

export function noteLimit(retryAfterSeconds: number): void {
  const until = Date.now() + retryAfterSeconds * 1_000;
  limitedUntil.update((before) => Math.max(before ?? 0, until));
}
