// The traffic of chat instances in the last 24 hours. The counts of dashboards are computed up to now first.

import type { Database } from '../../platform/database/database.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import {
  selectInstanceHours,
  selectInstancesNow,
  type InstanceHourRow,
  type InstanceNowRow,
} from './instance-traffic.sql.js';
import type { RollUpService } from './roll-up.service.js';

export interface InstanceHour {
  start: Date;
  received: number;
  sent: number;
  failed: number;
}

export interface InstanceTraffic extends InstanceNowRow {
  received: number;
  sent: number;
  failed: number;
  /** All 24, the earliest first. */
  hours: InstanceHour[];
}

export interface InstanceTrafficOptions {
  database: Pick<Database, 'query'>;
  rollUps: Pick<RollUpService, 'catchUp'>;
}

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
export const trafficHours = 24;

export class InstanceTrafficService {
  constructor(private readonly options: InstanceTrafficOptions) {}

  /** Returns the traffic of each of these instances, by two statements. An instance of another tenant has none. */
  async listByInstances(principal: Principal | undefined, instanceIds: readonly string[]): Promise<InstanceTraffic[]> {
    const { tenantId } = requireUser(principal);
    const { database, rollUps } = this.options;
    await rollUps.catchUp(tenantId);
    // Counts are of whole quarters, so the last hour ends with the current quarter.
    const end = (Math.floor(Date.now() / quarterMs) + 1) * quarterMs;
    const begin = new Date(end - trafficHours * hourMs);
    const values = [tenantId, instanceIds, begin];
    const counted = Map.groupBy(
      await database.query<InstanceHourRow>(selectInstanceHours, values),
      ({ instanceId }) => instanceId,
    );
    const rows = await database.query<InstanceNowRow>(selectInstancesNow, values);
    return rows.map((row) => {
      const hours = hoursFrom(begin, counted.get(row.instanceId) ?? []);
      const sum = (name: 'received' | 'sent' | 'failed') => hours.reduce((all, hour) => all + hour[name], 0);
      return { ...row, received: sum('received'), sent: sum('sent'), failed: sum('failed'), hours };
    });
  }
}

function hoursFrom(begin: Date, rows: readonly InstanceHourRow[]): InstanceHour[] {
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  return Array.from({ length: trafficHours }, (_, hour) => {
    const { received = 0, sent = 0, failed = 0 } = byHour.get(hour) ?? {};
    return { start: new Date(begin.getTime() + hour * hourMs), received, sent, failed };
  });
}
