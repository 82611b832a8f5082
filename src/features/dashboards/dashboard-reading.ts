// The shared state of an operation's dashboards: a snapshot, so that changes and the calendar are read once, and a budget of statements
// and values. The cost of a document is known before it runs, but not how much its dashboards show.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import type { RollUpService } from './roll-up.service.js';
import { readBuckets, resolveRange, type Bucket, type ResolvedRange, type TimeRange } from './time-range.js';

export interface SnapshotOptions {
  tenantId: string;
  database: Database;
  rollUps: RollUpService;
}

export class Snapshot {
  private upToDate: Promise<void> | undefined;
  private readonly ranges = new Map<string, Promise<ResolvedRange>>();
  private readonly bounds = new Map<string, Promise<Date[]>>();

  constructor(private readonly options: SnapshotOptions) {}

  /** Returns the range in the time zone, once everything that was committed before is computed. */
  range(timeRange: TimeRange, timeZone: string): Promise<ResolvedRange> {
    return once(this.ranges, [timeRange, timeZone], async () => {
      const { database, rollUps, tenantId } = this.options;
      this.upToDate ??= rollUps.catchUp(tenantId);
      await this.upToDate;
      return resolveRange(database, timeRange, timeZone, new Date());
    });
  }

  /** Reads buckets like `readBuckets`, once for equal arguments. */
  buckets(range: ResolvedRange, bucket: Bucket, timeZone: string): Promise<Date[]> {
    const read = () => readBuckets(this.options.database, range, bucket, timeZone);
    return once(this.bounds, [range.from, range.to, bucket, timeZone], read);
  }
}

function once<Value>(
  known: Map<string, Promise<Value>>,
  question: unknown,
  read: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify(question);
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

/** The most statements of one operation: widget results and lists of rows. */
export const maxStatements = 200;
/** The most values that one operation shows: a full dashboard has 24 series of 400 points. */
export const maxValues = 10_000;

export class StatementBudget {
  private left = maxStatements;
  private values = maxValues;
  private pauses = Promise.resolve();

  /** Runs one statement. @throws AppError VALIDATION_FAILED beyond `maxStatements` */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.left -= 1;
    if (this.left < 0)
      throw new AppError(
        'VALIDATION_FAILED',
        `An operation reads at most ${maxStatements} widget results and lists of rows`,
      );
    return work();
  }

  /** Counts shown values. @throws AppError VALIDATION_FAILED beyond `maxValues` */
  show(count: number): void {
    this.values -= count;
    if (this.values < 0)
      throw new AppError('VALIDATION_FAILED', `An operation shows at most ${maxValues} values of dashboards`);
  }

  /** Await it before computing a widget's result, so that the process does other work between two widgets. */
  pause(): Promise<void> {
    this.pauses = this.pauses.then(() => nextTurn());
    return this.pauses;
  }
}
