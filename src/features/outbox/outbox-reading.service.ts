// Measures what waits in the outboxes of all tenants, for metrics and alerts.

import type { Database } from '../../platform/database/database.js';
import type { OutboxReading } from '../../platform/observability/outbox-gauges.js';
import { countParkedStatuses } from '../messages/status.sql.js';

type TenantReading = OutboxReading['notable'][number];

const maxTenants = 1_000;
const maxRows = 50_000;
/** Tenants that are reported one by one: this many with most messages, and as many with the oldest. */
const notableTenants = 20;

export interface OutboxReadingOptions {
  database: Database;
  /** True if the tenant's rate limit leaves no room, as far as this process has seen. */
  isLimited: (tenantId: string) => boolean;
  /** $1 most endpoints → `oldestSeconds`: for how long the oldest delivery to a webhook endpoint has been due. */
  measureEndpoints: string;
}

export class OutboxReadingService {
  constructor(private readonly options: OutboxReadingOptions) {}

  /** Reads what waits: of all tenants together, and of a few notable ones. Takes a second at most, once it has a connection. */
  async read(): Promise<OutboxReading> {
    const { database, isLimited, measureEndpoints } = this.options;
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

/**
 * $1 most tenants, $2 most messages of a tenant → what of each tenant waits (what is scheduled for later does not) and for how long it has
 * been due. Like selectWaitingTenants, it takes one step in the index for each tenant. Its messages are not sorted: that would read them
 * all.
 */
const measureOutbox = `WITH RECURSIVE waiting AS (
    (SELECT tenant_id FROM outbox_entries ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.tenant_id FROM outbox_entries o WHERE o.tenant_id > w.tenant_id ORDER BY o.tenant_id LIMIT 1)
    FROM waiting w WHERE w.tenant_id IS NOT NULL
  ), tenant AS (
    SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL LIMIT $1::int
  )
  SELECT t.tenant_id AS "tenantId", o.messages,
    greatest(0, coalesce(extract(epoch FROM now() - o.due_at), 0))::float AS "oldestSeconds"
  FROM tenant t CROSS JOIN LATERAL (
    SELECT count(*)::int AS messages, min(due_at) AS due_at FROM (
      SELECT due_at, scheduled_at FROM outbox_entries WHERE tenant_id = t.tenant_id LIMIT $2::int
    ) o WHERE scheduled_at IS NULL
  ) o WHERE o.messages > 0`;

/** A statement of the reading ends after a second. */
const limitReadingTime = `SET LOCAL statement_timeout = 1000`;
