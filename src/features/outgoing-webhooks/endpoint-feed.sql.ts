// The statements that make deliveries of a tenant's events.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import type { DeliveryKind, EndpointEventType } from './endpoint-event.js';

/** An endpoint that may have something new to read, locked until its position is written. */
export interface HeldEndpoint {
  id: string;
  eventTypes: EndpointEventType[];
  positionSeq: string;
  headSeq: string;
  pending: number;
}

/** An event as it is made into deliveries, with what it keeps of the change. */
export interface FedEvent {
  seq: string;
  type: EndpointEventType;
  leadId: string | null;
  messageId: string | null;
  instanceId: string | null;
  data: object | null;
  occurredAt: Date;
}

/** A delivery about to be written. */
export interface NewDelivery extends Omit<FedEvent, 'seq' | 'type'> {
  id: string;
  endpointId: string;
  type: DeliveryKind;
  seq: string | null;
}

/** Tenants with enabled endpoints, and whether there are events that were not read for them. */
export const selectFollowedTenants: NamedStatement = {
  name: 'select-followed-tenants',
  text: `SELECT e.tenant_id AS "tenantId", bool_or(h.last_seq > e.position_seq) AS "hasNews"
    FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id LEFT JOIN event_heads h ON h.tenant_id = e.tenant_id
    WHERE e.is_enabled AND t.is_active GROUP BY e.tenant_id`,
};

/** $1 tenant, $2 most deliveries of an endpoint that may wait. An endpoint that another process, or an ADMIN, has locked is passed over. */
export const holdEndpoints: NamedStatement = {
  name: 'hold-webhook-endpoints',
  text: `SELECT e.id, e.event_types AS "eventTypes", e.position_seq AS "positionSeq", h.last_seq AS "headSeq",
      (SELECT count(*)::int FROM (
        SELECT FROM endpoint_deliveries d WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.due_at IS NOT NULL
        LIMIT $2::int) p) AS pending
    FROM webhook_endpoints e JOIN event_heads h ON h.tenant_id = e.tenant_id
    WHERE e.tenant_id = $1 AND e.is_enabled AND h.last_seq > e.position_seq
    ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED`,
};

/** Events that become deliveries of the endpoints of one stretch in one transaction. */
export const maxFedEvents = 500;

/**
 * $1 tenant, $2 and $3 after and up to which event, $4 types → the oldest of them. What a gateway said of a message is left out: it may
 * name the person. The limit is written out, as where events are read for subscribers.
 */
export const selectFedEvents: NamedStatement = {
  name: 'select-fed-events',
  text: `SELECT seq, type, lead_id AS "leadId", message_id AS "messageId", instance_id AS "instanceId",
      CASE
        WHEN type IN ('MESSAGE_STATUS_CHANGED', 'MESSAGE_CREATED') THEN data - 'errorMessage'
        WHEN type IN ('BULK_SEND_PROGRESS', 'CONVERSATION_STATUS_CHANGED') THEN data
      END AS data,
      occurred_at AS "occurredAt"
    FROM events WHERE tenant_id = $1 AND seq > $2::bigint AND seq <= $3::bigint AND type = ANY($4::text[])
    ORDER BY seq LIMIT ${maxFedEvents}`,
};

/** $1 tenant, $2 after which event → the oldest that was not removed; nothing where all were. */
export const selectFirstEvent: NamedStatement = {
  name: 'select-first-event-to-feed',
  text: 'SELECT seq FROM events WHERE tenant_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT 1',
};

export const deliveryColumns = new Columns<NewDelivery>({
  id: ['uuid', ({ id }) => id],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  type: ['text', ({ type }) => type],
  event_seq: ['bigint', ({ seq }) => seq],
  lead_id: ['uuid', ({ leadId }) => leadId],
  message_id: ['uuid', ({ messageId }) => messageId],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  data: ['jsonb', ({ data }) => (data === null ? null : JSON.stringify(data))],
  occurred_at: ['timestamptz', ({ occurredAt }) => occurredAt],
});

/** $1 tenant, `deliveryColumns`. */
export const insertDeliveries: NamedStatement = {
  name: 'insert-endpoint-deliveries',
  text: `INSERT INTO endpoint_deliveries (tenant_id, ${deliveryColumns.names.join(', ')})
    SELECT $1, * FROM ${deliveryColumns.rows('d')}`,
};

/** $1 tenant, $2 endpoints, $3 how far the log was made into deliveries of each. */
export const setPositions: NamedStatement = {
  name: 'set-webhook-endpoint-positions',
  text: `UPDATE webhook_endpoints e SET position_seq = p.seq FROM unnest($2::uuid[], $3::bigint[]) AS p (id, seq)
    WHERE e.tenant_id = $1 AND e.id = p.id`,
};
