// Time limits: a caller is answered when the time has passed, and work can ask whether the time has passed.

/** A limit that starts with the work; `end` has to be called when the work is over. */
export class Deadline {
  private isPassed = false;
  private readonly timer: NodeJS.Timeout;
  private resolve: ((result: never) => void) | undefined;
  private reject: ((error: unknown) => void) | undefined;
  private late: (() => unknown) | undefined;

  constructor(readonly limitMs: number) {
    this.timer = setTimeout(passSoon, limitMs, this);
    this.timer.unref();
  }

  /** True once the time has passed: nobody waits for the result, and work that has not started need not start. */
  get passed(): boolean {
    return this.isPassed;
  }

  /** Gives the result of `work`, or of `late` (which may throw) where the time passes first. A later result of `work` is ignored. */
  race<Result>(work: Promise<Result>, late: () => Result): Promise<Result> {
    this.late = late;
    // A single promise is enough: `Promise.race` would make half a dozen for each inbound call. It has no closure within it: with one, V8
    // moved what the closure held to old memory, here the whole call.
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      work.then(resolve, reject);
    });
  }

  /** Called by the timer. */
  pass(): void {
    this.isPassed = true;
    try {
      this.resolve?.(this.late?.() as never);
    } catch (error) {
      this.reject?.(error);
    }
  }

  /** Safe to repeat. */
  end(): void {
    clearTimeout(this.timer);
    this.late = undefined;
    this.resolve = undefined;
    this.reject = undefined;
  }
}

// After a busy spell timers run before sockets are read: an answer that has arrived by then still counts.
function passSoon(deadline: Deadline): void {
  setImmediate(() => deadline.pass());
}

/** Gives the result of `work`, or of `late` (which may throw) after `limitMs`. A later result of `work` is ignored. */
export function within<Result>(limitMs: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const deadline = new Deadline(limitMs);
  return deadline.race(work, late).finally(() => deadline.end());
}
