// How much one operation may read of dashboards: how many statements in all, and how many at a time.

import { AppError } from '../../platform/errors.js';

/** Most statements of an operation: figures, series, and lists of rows. */
export const maxStatements = 200;
/** Most of them at a time, so that a dashboard does not take every connection. */
const maxAtOnce = 4;

export class StatementBudget {
  private left = maxStatements;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws AppError VALIDATION_FAILED once the operation has asked for more than `maxStatements` */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.left -= 1;
    if (this.left < 0)
      throw new AppError(
        'VALIDATION_FAILED',
        `An operation reads at most ${maxStatements} figures and lists of dashboards`,
      );
    return this.inTurn(work);
  }

  /** As `run`, of what is asked of the calendar: it waits for its turn as well, and is not counted. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= maxAtOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      // Handed on, or free.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
