// One moment at which dashboards are looked at: what has changed before is computed once, and the calendar is asked once for what
// several of them share.

import type { Database } from '../../platform/database.js';
import type { RollUpService } from './roll-up.service.js';
import { resolveRange } from './time-range.js';
import type { ResolvedRange, TimeRange } from './time-range.js';

export class Moment {
  private upToDate: Promise<void> | undefined;
  private readonly ranges = new Map<string, Promise<ResolvedRange>>();

  constructor(
    private readonly tenantId: string,
    private readonly rollUps: RollUpService,
    private readonly database: Database,
  ) {}

  /** When everything that was committed before has been computed. */
  range(timeRange: TimeRange, timeZone: string): Promise<ResolvedRange> {
    const key = JSON.stringify([timeRange, timeZone]);
    const range = this.ranges.get(key) ?? this.look(timeRange, timeZone);
    this.ranges.set(key, range);
    return range;
  }

  private async look(timeRange: TimeRange, timeZone: string): Promise<ResolvedRange> {
    this.upToDate ??= this.rollUps.catchUp(this.tenantId);
    await this.upToDate;
    return resolveRange(this.database, timeRange, timeZone, new Date());
  }
}
