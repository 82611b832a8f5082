// A webhook endpoint as it is shown, and the statements that keep it.

import type { NamedStatement } from '../../platform/database/database.js';
import type { EndpointEventType } from './endpoint-event.js';
import type { DisabledReason } from './webhook-endpoint.schema.js';

/** An endpoint without its secrets. */
export interface WebhookEndpointRecord {
  id: string;
  url: string;
  description: string | null;
  eventTypes: EndpointEventType[];
  isEnabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  failingSince: Date | null;
  previousSecretUntil: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `id, url, description, event_types AS "eventTypes", is_enabled AS "isEnabled", disabled_reason AS "disabledReason",
  disabled_at AS "disabledAt", failing_since AS "failingSince",
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS "previousSecretUntil", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** $1 tenant → its endpoints, the oldest first. */
export const selectEndpoints: NamedStatement = {
  name: 'select-webhook-endpoints',
  text: `SELECT ${columns} FROM webhook_endpoints WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY id`,
};

/** $1 tenant, $2 ids → those that are not deleted. */
export const selectEndpointsByIds: NamedStatement = {
  name: 'select-webhook-endpoints-by-ids',
  text: `SELECT ${columns} FROM webhook_endpoints WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL`,
};

/** $1 tenant: creating an endpoint waits for the end of another creation. */
export const lockEndpoints: NamedStatement = {
  name: 'lock-webhook-endpoints',
  text: `SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE`,
};

/** $1 tenant → how many it has. */
export const countEndpoints: NamedStatement = {
  name: 'count-webhook-endpoints',
  text: 'SELECT count(*)::int AS count FROM webhook_endpoints WHERE tenant_id = $1 AND deleted_at IS NULL',
};

/** $1 tenant, $2 id, $3 url, $4 description, $5 event types, $6 whether enabled, $7 secret. It receives the events from now on. */
export const insertEndpoint: NamedStatement = {
  name: 'insert-webhook-endpoint',
  text: `INSERT INTO webhook_endpoints
      (tenant_id, id, url, description, event_types, is_enabled, disabled_reason, disabled_at, secret_ciphertext, position_seq)
    SELECT $1, $2, $3, $4, $5::text[], $6::bool, CASE WHEN NOT $6::bool THEN 'ADMIN' END, CASE WHEN NOT $6::bool THEN now() END, $7,
      coalesce((SELECT last_seq FROM event_heads WHERE tenant_id = $1), 0)
    RETURNING ${columns}`,
};

/** $1 tenant, $2 id → the endpoint unless it is deleted. A change waits for another's end. */
export const lockEndpoint: NamedStatement = {
  name: 'lock-webhook-endpoint',
  text: `SELECT ${columns} FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id, $3 url, $4 description, $5 event types, $6 whether enabled. One that is enabled again counts as not failing. */
export const updateEndpoint: NamedStatement = {
  name: 'update-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET url = $3, description = $4, event_types = $5::text[], is_enabled = $6::bool,
      disabled_reason = CASE WHEN NOT $6::bool THEN coalesce(disabled_reason, 'ADMIN') END,
      disabled_at = CASE WHEN NOT $6::bool THEN coalesce(disabled_at, now()) END,
      failing_since = CASE WHEN $6::bool AND NOT is_enabled THEN NULL ELSE failing_since END,
      version = version + 1, updated_at = now()
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

/** $1 tenant, $2 id, $3 new secret, $4 for how many seconds the one before goes on signing; one before that ends. */
export const rotateEndpointSecret: NamedStatement = {
  name: 'rotate-webhook-endpoint-secret',
  text: `UPDATE webhook_endpoints SET secret_ciphertext = $3,
      previous_secret_ciphertext = CASE WHEN $4::int > 0 THEN secret_ciphertext END,
      previous_secret_until = CASE WHEN $4::int > 0 THEN now() + make_interval(secs => $4::int) END,
      version = version + 1, updated_at = now()
    WHERE tenant_id = $1 AND id = $2 RETURNING ${columns}`,
};

/** $1 tenant, $2 id. Its secrets are deleted; its deliveries stay until they are pruned. */
export const deleteEndpoint: NamedStatement = {
  name: 'delete-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET deleted_at = now(), updated_at = now(), is_enabled = false,
      disabled_reason = coalesce(disabled_reason, 'ADMIN'), disabled_at = coalesce(disabled_at, now()),
      secret_ciphertext = NULL, previous_secret_ciphertext = NULL, previous_secret_until = NULL
    WHERE tenant_id = $1 AND id = $2`,
};

/**
 * $1 tenant, $2 endpoint, $3 why: deliveries that wait for it become FAILED. They are locked in the order of ids, as when deliveries are
 * given back.
 */
export const endDeliveries: NamedStatement = {
  name: 'end-endpoint-deliveries',
  text: `WITH waiting AS (
      SELECT id FROM endpoint_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND due_at IS NOT NULL
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE endpoint_deliveries d SET state = 'FAILED', due_at = NULL, lease_until = NULL, last_error = $3
    FROM waiting w WHERE d.tenant_id = $1 AND d.id = w.id`,
};
