// The statements of delivery statuses beside status-rank.sql.ts: reports that wait for their message, and the provider ids under which sent
// messages are stored.

import { Columns, type Column } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { externalKeyColumns, snapshotColumns } from './message.sql.js';
import type { ExternalKey, StatusReport } from './reported.js';

/**
 * $1 tenant, `externalKeyColumns`. Parking a status for a provider id and storing that id both hold the id's lock until the transaction
 * ends, so neither misses the other. Each instance has a fixed number of locks of its own, so that no tenant waits for another. Locks are
 * taken in their order.
 */
export const lockExternalIds: NamedStatement = {
  name: 'lock-external-ids',
  text: `SELECT pg_advisory_xact_lock(k.key) FROM (
      SELECT DISTINCT hashtextextended('leadwire external id ' || $1::uuid || ' ' || instance_id, hashtext(external_id) & 127) AS key
      FROM ${externalKeyColumns.rows('w')} ORDER BY key
    ) k`,
};

/** A report for a provider id that no message has yet. */
export interface ParkedReport extends StatusReport {
  /** The id of the webhook call's entry in the journal. */
  webhookCallId: string;
}

export const parkedColumns = new Columns<ParkedReport>({
  id: ['uuid', newRecordId],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ externalId }) => externalId],
  status: ['message_status', ({ status }) => status],
  provider_code: ['text', ({ providerCode }) => providerCode],
  detail: ['text', ({ detail }) => detail],
  occurred_at: ['timestamptz', ({ occurredAt }) => occurredAt],
  delivery_id: ['uuid', ({ webhookCallId }) => webhookCallId],
});

/** $1 tenant, `parkedColumns`: parks reports. A report that is parked already stays. */
export const insertParkedStatuses: NamedStatement = {
  name: 'insert-parked-statuses',
  text: `INSERT INTO parked_statuses
      (tenant_id, ${parkedColumns.names.join(', ')})
    SELECT $1, * FROM ${parkedColumns.rows('p')}
    ON CONFLICT (tenant_id, instance_id, external_id, status) DO NOTHING`,
};

/** A stored message with its key at the gateway. */
export interface NamedMessage extends ExternalKey {
  id: string;
}

/** A message that the gateway has accepted. */
export interface AcceptedSend extends NamedMessage {
  /** The number of the answered attempt, from 1; 0 while its answer has not come. */
  attempt: number;
  /**
   * The time of the answer, by this process's monotonic clock. It frees a place in the rate limit's window, earlier than the time of
   * storing.
   */
  answeredAtMs: number;
}

const namedMessage: Record<string, Column<NamedMessage>> = {
  id: ['uuid', ({ id }) => id],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ externalId }) => externalId],
};

export const namedMessageColumns = new Columns<NamedMessage>(namedMessage);

export const acceptedColumns = new Columns<AcceptedSend>({
  ...namedMessage,
  attempt: ['int', ({ attempt }) => attempt],
  transition_id: ['uuid', newRecordId],
  ago_ms: ['float', ({ answeredAtMs }) => performance.now() - answeredAtMs],
});

/**
 * $1 tenant, `acceptedColumns` → those that became SENT. A provider id that another message of the instance has already is not stored
 * twice: the message is still SENT, and later statuses go to the message that had the id first. Needs the locks of the provider ids.
 * @param leaveOutbox parts of the WITH by which the outbox ends the attempts of `item` and removes its entries
 */
export const storeAccepted = (leaveOutbox: string): NamedStatement => ({
  name: 'store-accepted',
  text: `WITH item AS (
      SELECT $1::uuid AS tenant_id, i.*
      FROM ${acceptedColumns.rows('i')}
    ), target AS (
      SELECT i.*, m.status AS from_status, message_status_rises(m.status, 'SENT') AS rises
      FROM item i JOIN messages m ON m.tenant_id = $1 AND m.id = i.id AND m.id = ANY(${acceptedColumns.array('id')})
      ORDER BY m.id FOR NO KEY UPDATE OF m
    ), named AS (
      SELECT t.*, row_number() OVER (PARTITION BY t.instance_id, t.external_id ORDER BY t.id) = 1 AND NOT EXISTS (
        SELECT FROM messages o WHERE o.tenant_id = $1 AND o.instance_id = t.instance_id AND o.external_id = t.external_id
      ) AS takes_id
      FROM target t
    ), changed AS (
      UPDATE messages m SET
        external_id = CASE WHEN n.takes_id THEN n.external_id ELSE m.external_id END,
        status = CASE WHEN n.rises THEN 'SENT' ELSE m.status END,
        sent_at = CASE WHEN n.rises THEN now() ELSE coalesce(m.sent_at, now()) END,
        error_code = CASE WHEN n.rises THEN NULL ELSE m.error_code END,
        error_message = CASE WHEN n.rises THEN NULL ELSE m.error_message END
      FROM named n
      WHERE m.tenant_id = n.tenant_id AND m.id = n.id
      RETURNING m.*, n.rises, n.from_status, n.transition_id
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
      SELECT $1, transition_id, id, from_status, 'SENT', 'worker', now() FROM changed WHERE rises
    ), ${leaveOutbox}
    SELECT ${snapshotColumns},
      m.scheduled_for IS NOT NULL AND m.bulk_send_id IS NULL AND NOT m.is_automatic AS "movesAnswer"
    FROM changed m WHERE m.rises ORDER BY m.id`,
});

/**
 * $1 tenant, `namedMessageColumns` → the parked reports of these messages: statuses, the lowest first, and changes, which have no status.
 */
export const takeParkedOfMany: NamedStatement = {
  name: 'take-parked-of-many',
  text: `WITH taken AS (
      DELETE FROM parked_statuses p USING ${namedMessageColumns.rows('w')}
      WHERE p.tenant_id = $1 AND p.instance_id = w.instance_id AND p.external_id = w.external_id
      RETURNING w.id AS message_id, p.*
    ), taken_changes AS (
      DELETE FROM parked_changes p USING ${namedMessageColumns.rows('w')}
      WHERE p.tenant_id = $1 AND p.instance_id = w.instance_id AND p.external_id = w.external_id
      RETURNING p.*
    )
    SELECT message_id AS "messageId", status, provider_code AS "providerCode", detail, occurred_at AS "occurredAt", id,
      NULL AS change, NULL AS side, NULL AS content, NULL::jsonb AS contact, instance_id AS "instanceId", external_id AS "externalId"
    FROM taken
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, occurred_at, id, change, side, content, contact, instance_id, external_id FROM taken_changes
    ORDER BY status NULLS LAST, id`,
};

/**
 * $1 hours, $2 limit. Parts of a WITH that delete statuses whose message did not arrive in time: `gone`, and `told` (tenant_id,
 * delivery_id, reason) with the journal's sentences about them.
 */
export const expireParked = `gone AS (
      DELETE FROM parked_statuses WHERE ctid = ANY (ARRAY(
        SELECT p.ctid FROM parked_statuses p WHERE p.created_at < now() - make_interval(hours => $1::int)
        ORDER BY p.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING tenant_id, id, delivery_id, external_id, status
    ), told AS (
      SELECT tenant_id, delivery_id,
        string_agg('status ' || status || ' of ' || external_id || ': no message of that id within ' || $1::int || ' h', '; '
          ORDER BY id) AS reason
      FROM gone GROUP BY tenant_id, delivery_id
    )`;

/** $1 most → the number of statuses that wait for their message, of all tenants; counted up to $1. */
export const countParkedStatuses = `SELECT count(*)::int AS count FROM (SELECT FROM parked_statuses LIMIT $1::int) p`;
