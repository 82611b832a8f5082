// How much one operation may read of dashboards: how many statements, and how many values.
// What a document costs is told before it runs, and knows of no dashboard how much it shows.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../platform/errors.js';

/** Most statements of an operation: figures, series, and lists of rows. */
export const maxStatements = 200;
/** Most values that an operation shows: one dashboard in full, 24 series of 400 points. */
export const maxValues = 10_000;

export class StatementBudget {
  private left = maxStatements;
  private values = maxValues;
  private pauses = Promise.resolve();

  /** @throws AppError VALIDATION_FAILED once the operation has asked for more than `maxStatements` */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.left -= 1;
    if (this.left < 0)
      throw new AppError(
        'VALIDATION_FAILED',
        `An operation reads at most ${maxStatements} figures and lists of dashboards`,
      );
    return work();
  }

  /** @throws AppError VALIDATION_FAILED once the operation would show more than `maxValues` */
  show(count: number): void {
    this.values -= count;
    if (this.values < 0)
      throw new AppError('VALIDATION_FAILED', `An operation shows at most ${maxValues} values of dashboards`);
  }

  /** To be awaited before a widget is put together: what else the process has to do comes between two widgets. */
  pause(): Promise<void> {
    this.pauses = this.pauses.then(() => nextTurn());
    return this.pauses;
  }
}
