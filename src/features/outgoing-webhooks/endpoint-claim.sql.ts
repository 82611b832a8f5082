// The statements that claim deliveries to be posted, and give them back. A transaction locks an endpoint before its deliveries, and several
// deliveries in the order of their ids. endpoint-result.sql.ts stores what became of an attempt.

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
