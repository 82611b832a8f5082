// Reads how much waits to be sent, for metrics.

import type { Database } from '../../platform/database.js';
import type { OutboxReading } from '../../platform/metrics.js';
import { countParkedStatuses, limitReadingTime, measureEndpoints, measureOutbox } from './outbox-reading.sql.js';

type TenantReading = OutboxReading['notable'][number];

const maxTenants = 1_000;
const maxRows = 50_000;
/** Tenants that are told of by themselves: so many with most messages, and as many with the oldest. */
const notableTenants = 20;

export interface OutboxReadingOptions {
  database: Database;
  /** Whether the tenant's rate limit leaves no room, as far as this process has seen. */
  isLimited: (tenantId: string) => boolean;
}

export class OutboxReadingService {
  constructor(private readonly options: OutboxReadingOptions) {}

  /** Of all tenants together, and of a few. Takes a second at most, once it has a connection. */
  async read(): Promise<OutboxReading> {
    const { database, isLimited } = this.options;
    return database.transaction(async (sql) => {
      await sql.query(limitReadingTime);
      const tenants = await sql.query<TenantReading>(measureOutbox, [maxTenants, maxRows]);
      const [parked] = await sql.query<{ count: number }>(countParkedStatuses, [maxRows]);
      const [endpoints] = await sql.query<{ oldestSeconds: number }>(measureEndpoints, [maxTenants]);
      return {
        messages: tenants.reduce((sum, { messages }) => sum + messages, 0),
        tenants: tenants.length,
        limitedTenants: tenants.filter(({ tenantId }) => isLimited(tenantId)).length,
        oldestSeconds: tenants.reduce((oldest, { oldestSeconds }) => Math.max(oldest, oldestSeconds), 0),
        notable: notableOf(tenants),
        parkedStatuses: parked?.count ?? 0,
        endpointOldestSeconds: endpoints?.oldestSeconds ?? 0,
      };
    });
  }
}

function notableOf(tenants: readonly TenantReading[]): TenantReading[] {
  const first = (compare: (a: TenantReading, b: TenantReading) => number) =>
    tenants.toSorted(compare).slice(0, notableTenants);
  return [
    ...new Set([...first((a, b) => b.messages - a.messages), ...first((a, b) => b.oldestSeconds - a.oldestSeconds)]),
  ];
}
