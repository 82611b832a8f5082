// The time limit of one operation: whoever waits is answered when it passes, and whoever works asks whether it has.

/** Made when the work starts; `end` has to be called when it is over. */
export class Deadline {
  private isPassed = false;
  private readonly timer: NodeJS.Timeout;
  private onPass: () => void = () => undefined;

  constructor(readonly limitMs: number) {
    this.timer = setTimeout(() => {
      this.isPassed = true;
      this.onPass();
    }, limitMs);
    this.timer.unref();
  }

  /** Nobody waits for the result any more: what has not been begun need not be. */
  get passed(): boolean {
    return this.isPassed;
  }

  /** The result of `work`, or of `late` where the time passes first; what `work` comes to later is nobody's. */
  async race<Result>(work: Promise<Result>, late: () => Result): Promise<Result> {
    work.catch(() => undefined);
    const passing = new Promise<Result>((resolve) => (this.onPass = () => resolve(late())));
    return Promise.race([work, passing]);
  }

  /** Safe to repeat. */
  end(): void {
    clearTimeout(this.timer);
  }
}
