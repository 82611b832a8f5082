// A view of a tenant's events: the ones that fit, each turned into what the subscriber asked for.

import type { LoggedEvent } from '../../platform/event-log.js';

/** `toValue` gives undefined for an event that does not fit. `return` takes effect at once, even while `next` waits. */
export function filterEvents<Value>(
  events: AsyncIterableIterator<LoggedEvent>,
  toValue: (event: LoggedEvent) => Promise<Value | undefined>,
): AsyncIterableIterator<Value> {
  return {
    async next(): Promise<IteratorResult<Value>> {
      try {
        for (;;) {
          const { value: event, done } = await events.next();
          if (done === true) return { value: undefined, done: true };
          const value = await toValue(event);
          if (value !== undefined) return { value, done: false };
        }
      } catch (error) {
        // Nobody calls `return` after an error, and the source would be kept for a reader that is gone.
        await events.return?.();
        throw error;
      }
    },
    async return(): Promise<IteratorResult<Value>> {
      await events.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
