// What one subscriber has not read yet: bounded, so that a reader that stalls costs only itself.

import { AppError } from '../../platform/errors.js';

/** Ends at once when `return` is called, even while `next` waits. */
export class Mailbox<Item> implements AsyncIterableIterator<Item> {
  private readonly items: Item[] = [];
  private waiting: ((result: IteratorResult<Item>) => void) | undefined;
  private failure: AppError | undefined;
  private closed = false;
  private onShift: () => void = () => undefined;

  constructor(
    private readonly capacity: number,
    private readonly onClose: () => void,
  ) {}

  /** Resolves once at most `count` items wait to be read, nobody reads any more, or nothing was read for `stallMs`. */
  async whenAtMost(count: number, stallMs: number): Promise<void> {
    while (!this.closed && this.items.length > count) {
      const before = this.items.length;
      await new Promise<void>((resolve) => {
        // After a busy spell the timers run before the readers do: who reads in this turn has not stalled.
        const timer = setTimeout(() => setImmediate(resolve), stallMs);
        this.onShift = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (this.items.length === before) return;
    }
  }

  /** A full mailbox drops its content and fails: its reader has to resume from what it has seen. */
  push(item: Item): void {
    if (this.closed) return;
    if (this.waiting !== undefined) {
      this.waiting({ value: item, done: false });
      this.waiting = undefined;
    } else if (this.items.length < this.capacity) {
      this.items.push(item);
    } else {
      this.failure = new AppError('UNAVAILABLE', 'This subscriber fell too far behind: subscribe again');
      this.close();
    }
  }

  next(): Promise<IteratorResult<Item>> {
    const item = this.items.shift();
    this.onShift();
    if (item !== undefined) return Promise.resolve({ value: item, done: false });
    if (this.failure !== undefined) {
      const failure = this.failure;
      this.failure = undefined;
      return Promise.reject(failure);
    }
    if (this.closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => (this.waiting = resolve));
  }

  return(): Promise<IteratorResult<Item>> {
    this.close();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    this.items.length = 0;
    this.waiting?.({ value: undefined, done: true });
    this.waiting = undefined;
    this.onShift();
    this.onClose();
  }
}
