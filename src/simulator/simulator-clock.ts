// Owns time in the simulator: the current time, and every timer that is still to fire, so that closing leaves none.
// A test gives a clock of its own and moves it by hand.

/** The source of the simulator's time. */
export interface SimulatorClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, task: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: SimulatorClock = {
  now: () => Date.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The timers of one simulator. After `close` none fires and none is accepted, so pending waits never resolve. */
export class Timers {
  readonly #clock: SimulatorClock;
  readonly #cancellations = new Set<() => void>();
  #closed = false;

  constructor(clock: SimulatorClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** Runs `task` after `delayMs` (below 0 counts as 0); the returned function calls it off and may be called twice. */
  after(delayMs: number, task: () => void): () => void {
    if (this.#closed) return () => {};
    const cancel = () => {
      this.#cancellations.delete(cancel);
      cancelTimer();
    };
    const cancelTimer = this.#clock.after(Math.max(0, delayMs), () => {
      this.#cancellations.delete(cancel);
      task();
    });
    this.#cancellations.add(cancel);
    return cancel;
  }

  /** Resolves after `delayMs`; at once, without a timer, for 0 or less. */
  async wait(delayMs: number): Promise<void> {
    if (delayMs <= 0 && !this.#closed) return;
    await new Promise<void>((resolve) => this.after(delayMs, resolve));
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#cancellations) cancel();
  }
}
