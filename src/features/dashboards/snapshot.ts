// One moment at which dashboards are looked at: what has changed before is computed once, and the calendar is asked once for what
// several of them, or of their widgets, share.

import type { Database } from '../../platform/database.js';
import type { RollUpService } from './roll-up.service.js';
import { readBuckets, resolveRange } from './time-range.js';
import type { Bucket, ResolvedRange, TimeRange } from './time-range.js';

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

  /** When everything that was committed before has been computed. */
  range(timeRange: TimeRange, timeZone: string): Promise<ResolvedRange> {
    return once(this.ranges, [timeRange, timeZone], async () => {
      const { database, rollUps, tenantId } = this.options;
      this.upToDate ??= rollUps.catchUp(tenantId);
      await this.upToDate;
      return resolveRange(database, timeRange, timeZone, new Date());
    });
  }

  /** As `readBuckets`. */
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
