// Time limits: who waits is answered when the time passes, and work can ask whether it has.

/** Made when the work starts; `end` has to be called when it is over. */
export class Deadline {
  private isPassed = false;
  private readonly timer: NodeJS.Timeout;
  private onPass: () => void = () => undefined;

  constructor(readonly limitMs: number) {
    const pass = () => {
      this.isPassed = true;
      this.onPass();
    };
    // After a busy spell timers run before sockets are read: an answer that has arrived by then still counts.
    this.timer = setTimeout(() => setImmediate(pass), limitMs);
    this.timer.unref();
  }

  /** Nobody waits for the result any more: work that has not started need not start. */
  get passed(): boolean {
    return this.isPassed;
  }

  /** The result of `work`, or of `late` (which may throw) where the time passes first. What `work` comes to later is ignored. */
  race<Result>(work: Promise<Result>, late: () => Result): Promise<Result> {
    // One promise: `Promise.race` would make half a dozen for each inbound call.
    return new Promise((resolve, reject) => {
      this.onPass = () => {
        try {
          resolve(late());
        } catch (error) {
          reject(error);
        }
      };
      work.then(resolve, reject);
    });
  }

  /** Safe to repeat. */
  end(): void {
    clearTimeout(this.timer);
    this.onPass = () => undefined;
  }
}

/** The result of `work`, or of `late` (which may throw) after `limitMs`. What `work` comes to later is ignored. */
export function within<Result>(limitMs: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const deadline = new Deadline(limitMs);
  return deadline.race(work, late).finally(() => deadline.end());
}
