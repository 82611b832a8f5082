// How much waits to be sent, for those who watch over the service. Bounded on every side: it is asked every few seconds.

/**
 * $1 most tenants, $2 most messages of a tenant → what of each tenant waits (what is scheduled for later does not) and for how long it
 * has been due. As selectWaitingTenants, one step in the index for each tenant. Its messages are not sorted: that would read them all.
 */
export const measureOutbox = `WITH RECURSIVE waiting AS (
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

/** $1 most → how many statuses wait for their message, of all tenants. */
export const countParkedStatuses = `SELECT count(*)::int AS count FROM (SELECT FROM parked_statuses LIMIT $1::int) p`;

/**
 * $1 most → for how long the delivery to a webhook endpoint has been due that has been due longest, of so many endpoints. Those that fail
 * are left out: they are posted to one by one, and theirs to mend.
 */
export const measureEndpoints = `SELECT coalesce(max(extract(epoch FROM now() - d.due_at)), 0)::float AS "oldestSeconds" FROM (
    SELECT e.tenant_id, e.id FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id WHERE e.is_enabled AND e.failing_since IS NULL AND t.is_active
    LIMIT $1::int
  ) e CROSS JOIN LATERAL (
    SELECT d.due_at FROM endpoint_deliveries d WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.due_at <= now()
    ORDER BY d.due_at LIMIT 1
  ) d`;

/** Within this time, or not at all. */
export const limitReadingTime = `SET LOCAL statement_timeout = 1000`;
