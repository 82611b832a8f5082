// The statements of attempts: which deliveries may be posted, and what became of them. A transaction locks an endpoint before its
// deliveries, and several deliveries in the order of their ids.

import type { NamedStatement } from '../../platform/database/database.js';
import type { EventDelivery } from './endpoint-payload.js';

/** A delivery that is ours until its lease ends, with all that posting it takes. */
export interface ClaimedDelivery extends EventDelivery {
  /** The attempts with this one. The number also distinguishes this claim from a later one. */
  attemptCount: number;
  earlierAttempts: number;
  url: string;
  secretCiphertext: Buffer;
  /** The previous secret; null unless it still signs. */
  previousSecretCiphertext: Buffer | null;
  /** True if nothing has reached the endpoint since an attempt failed. */
  isFailing: boolean;
  /** The endpoint's version at the claim. */
  endpointVersion: number;
}

/** $1 tenant, null for all → enabled endpoints of active tenants with something due. */
export const selectDueEndpoints: NamedStatement = {
  name: 'select-due-webhook-endpoints',
  text: `SELECT e.tenant_id AS "tenantId", e.id AS "endpointId", e.failing_since IS NOT NULL AS "isFailing"
    FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id
    WHERE e.is_enabled AND t.is_active AND ($1::uuid IS NULL OR e.tenant_id = $1) AND EXISTS (
      SELECT FROM endpoint_deliveries d WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.due_at <= now())`,
};

/**
 * $1 tenant, $2 endpoint, $3 how many at most, $4 the same while it fails, $5 lease in ms → what is due, the longest due first to be
 * claimed; nothing of an endpoint that is disabled.
 */
export const claimDeliveries: NamedStatement = {
  name: 'claim-endpoint-deliveries',
  text: `WITH endpoint AS (
      SELECT e.id, e.url, e.version, e.secret_ciphertext, e.failing_since,
        CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_ciphertext END AS previous_secret_ciphertext
      FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id
      WHERE e.tenant_id = $1 AND e.id = $2 AND e.is_enabled AND t.is_active
    ), due AS (
      SELECT d.id FROM endpoint_deliveries d
      WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.due_at <= now()
      ORDER BY d.due_at, d.id
      LIMIT coalesce((SELECT CASE WHEN failing_since IS NULL THEN $3::int ELSE $4::int END FROM endpoint), 0)
      FOR UPDATE SKIP LOCKED
    )
    UPDATE endpoint_deliveries d SET attempt_count = d.attempt_count + 1, last_attempt_at = now(),
      due_at = now() + $5::int * interval '1 ms', lease_until = now() + $5::int * interval '1 ms'
    FROM due, endpoint e WHERE d.tenant_id = $1 AND d.id = due.id
    RETURNING d.id, d.endpoint_id AS "endpointId", d.type, d.event_seq AS seq, d.lead_id AS "leadId", d.message_id AS "messageId",
      d.instance_id AS "instanceId", d.data, d.occurred_at AS "occurredAt", d.attempt_count AS "attemptCount",
      d.earlier_attempts AS "earlierAttempts", e.url, e.secret_ciphertext AS "secretCiphertext",
      e.previous_secret_ciphertext AS "previousSecretCiphertext", e.failing_since IS NOT NULL AS "isFailing",
      e.version AS "endpointVersion"`,
};

/** $1 tenant, $2 endpoint → in how many ms the next delivery is due; nothing where none waits, or the endpoint is disabled. */
export const selectNextDue: NamedStatement = {
  name: 'select-next-due-endpoint-delivery',
  text: `SELECT greatest(0, ceil(extract(epoch FROM d.due_at - now()) * 1000))::float AS "inMs"
    FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id
      JOIN endpoint_deliveries d ON d.tenant_id = e.tenant_id AND d.endpoint_id = e.id
    WHERE e.tenant_id = $1 AND e.id = $2 AND e.is_enabled AND t.is_active AND d.due_at IS NOT NULL
    ORDER BY d.due_at LIMIT 1`,
};

/**
 * $1 tenant, $2 deliveries, $3 their claims' attempts: given back, as if they had not been claimed. A delivery that has not been attempted
 * goes before those that were made after it.
 */
export const releaseDeliveries: NamedStatement = {
  name: 'release-endpoint-deliveries',
  text: `WITH held AS (
      SELECT d.id FROM endpoint_deliveries d JOIN unnest($2::uuid[], $3::int[]) AS c (id, attempt_count) ON d.id = c.id
      WHERE d.tenant_id = $1 AND d.attempt_count = c.attempt_count AND d.lease_until IS NOT NULL
      ORDER BY d.id FOR NO KEY UPDATE OF d
    )
    UPDATE endpoint_deliveries d SET due_at = CASE d.attempt_count WHEN 1 THEN d.created_at - interval '1 ms' ELSE now() END,
      lease_until = NULL, attempt_count = d.attempt_count - 1
    FROM held WHERE d.tenant_id = $1 AND d.id = held.id`,
};

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
