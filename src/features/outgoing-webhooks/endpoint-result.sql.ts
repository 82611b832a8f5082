// The statements that store what became of an attempt, for its delivery and its endpoint.

import type { NamedStatement } from '../../platform/database/database.js';

/** $1 tenant, $2 delivery, $3 its claim's attempt, $4 status. Without effect on what was claimed again meanwhile. */
export const settleDelivered: NamedStatement = {
  name: 'settle-delivered-endpoint-delivery',
  text: `UPDATE endpoint_deliveries SET state = 'DELIVERED', due_at = NULL, lease_until = NULL, delivered_at = now(), last_status = $4,
      last_error = NULL
    WHERE tenant_id = $1 AND id = $2 AND attempt_count = $3 AND lease_until IS NOT NULL`,
};

/**
 * $1 tenant, $2 delivery, $3 its claim's attempt, $4 status, $5 error, $6 in how many ms it is attempted again, null for never. Without
 * effect on what was claimed again meanwhile.
 */
export const settleFailed: NamedStatement = {
  name: 'settle-failed-endpoint-delivery',
  text: `UPDATE endpoint_deliveries SET state = CASE WHEN $6::float IS NULL THEN 'FAILED' ELSE 'PENDING' END,
      due_at = now() + $6::float * interval '1 ms', lease_until = NULL, last_status = $4, last_error = $5
    WHERE tenant_id = $1 AND id = $2 AND attempt_count = $3 AND lease_until IS NOT NULL`,
};

/** $1 tenant, $2 endpoint: something has reached it. */
export const noteReached: NamedStatement = {
  name: 'note-reached-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET failing_since = NULL WHERE tenant_id = $1 AND id = $2 AND failing_since IS NOT NULL`,
};

/** $1 tenant, $2 endpoint, $3 days → whether it has been failing for so long, and its version. Holds the endpoint. */
export const noteFailing: NamedStatement = {
  name: 'note-failing-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()) WHERE tenant_id = $1 AND id = $2
    RETURNING failing_since <= now() - make_interval(days => $3::int) AS "isLong", version`,
};

/** $1 tenant, $2 endpoint, $3 why → its id, unless it was disabled already. */
export const disableEndpoint: NamedStatement = {
  name: 'disable-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET is_enabled = false, disabled_reason = $3, disabled_at = now(), version = version + 1,
      updated_at = now()
    WHERE tenant_id = $1 AND id = $2 AND is_enabled RETURNING id`,
};
