// The statements of delivery statuses: the rank by which a status may follow another (`message_status_rises`, contract, section 6), reports
// that wait for their message, and the provider ids under which sent messages are stored.

import { Columns, type Column } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { externalKeyColumns, snapshotColumns } from './message.sql.js';
import type { ExternalKey, StatusReport } from './reported.js';

// DELIVERED and READ prove arrival, so they undo an earlier failure.
const changeBy = (reports: string, fromStatus: string) => `changed AS (
    UPDATE messages m SET
      status = t.status,
      sent_at = CASE WHEN t.status = 'SENT' THEN t.occurred_at ELSE m.sent_at END,
      delivered_at = CASE WHEN t.status IN ('DELIVERED', 'READ') THEN coalesce(m.delivered_at, t.occurred_at) ELSE m.delivered_at END,
      read_at = CASE WHEN t.status = 'READ' THEN t.occurred_at ELSE m.read_at END,
      failed_at = CASE WHEN t.status = 'FAILED' THEN t.occurred_at END,
      error_code = CASE WHEN t.status = 'FAILED' THEN t.provider_code END,
      error_message = CASE WHEN t.status = 'FAILED' THEN t.detail END
    FROM ${reports}
    RETURNING m.id, m.lead_id, m.instance_id, m.status, m.external_id, m.error_code, m.error_message, m.sent_at, m.delivered_at, m.read_at,
      m.failed_at, m.bulk_send_id, m.is_automatic, m.scheduled_for, t.position, t.transition_id, ${fromStatus} AS from_status, t.source, t.provider_code,
      t.detail, t.occurred_at
  ), explained AS (
    INSERT INTO message_status_transitions
      (tenant_id, id, message_id, from_status, to_status, source, provider_code, detail, occurred_at)
    SELECT $1, transition_id, id, from_status, status, source, provider_code, detail, occurred_at FROM changed
  )`;

/**
 * The rank rule, as parts of a WITH: one conditional update of `target` (position, id, from_status, status, occurred_at, provider_code,
 * detail, transition_id, source). The messages of `target` have been locked, so that concurrent reports are judged one after the other.
 * `changed` holds the applied reports.
 */
export const applyStatuses = changeBy(
  `target t
    WHERE m.tenant_id = $1 AND m.id = t.id AND message_status_rises(t.from_status, t.status)`,
  't.from_status',
);

/** A condition: a message `m` was scheduled, and is in a status in which it has not been sent. Then it is no answer yet. */
const isUnsentSchedule = (status: string) => `(m.scheduled_for IS NOT NULL AND ${status} IN ('QUEUED', 'SENDING'))`;

/**
 * A condition for a row of `changed`: the message becomes an answer to its lead, or stops being one. A failed message is none, nor is a
 * scheduled one before it was sent.
 */
const movesAnswer = `coalesce(m.bulk_send_id IS NULL AND NOT m.is_automatic
  AND (m.status = 'FAILED' OR ${isUnsentSchedule('m.status')}) <> (m.from_status = 'FAILED' OR ${isUnsentSchedule('m.from_status')}), false)`;

/** The columns of `ChangedMessage`, for rows of `changed`. */
export const changedColumns = `${snapshotColumns}, ${movesAnswer} AS "movesAnswer"`;

/**
 * Locks the messages of `report` (its columns and instance_id, external_id), as the `target` of `applyStatuses`. A report without a message
 * is left out.
 */
const lockReported = `known AS (
      SELECT r.*, found.id FROM report r CROSS JOIN LATERAL (
        SELECT m.id FROM messages m
        WHERE m.tenant_id = $1 AND m.instance_id = r.instance_id AND m.external_id = r.external_id LIMIT 1
      ) found
    ), target AS (
      SELECT k.*, m.status AS from_status FROM known k JOIN messages m ON m.tenant_id = $1 AND m.id = k.id
        AND m.id = ANY(ARRAY(SELECT id FROM known))
      ORDER BY m.id FOR NO KEY UPDATE OF m
    )`;

// A condition by the message's row alone: the message stays the answer that it is, or is no answer at all.
const keepsAnswer = `(m.bulk_send_id IS NOT NULL OR m.is_automatic
  OR (t.status = 'FAILED') = (m.status IS NOT DISTINCT FROM 'FAILED') AND NOT ${isUnsentSchedule('m.status')})`;

/**
 * The rank rule without locks of its own, for `report` (columns as for `lockReported`) with one report of each message. `known` adds the
 * message's id, `changed` holds the applied reports, and `judged` is `known` with `applied`. The update waits for a transaction that is
 * changing the message, and judges the state that it left. `judged` leaves out reports without a message, answers that fail or had failed,
 * and reports that only a concurrent change keeps from being applied.
 */
export const applyReported = `known AS (
      SELECT t.*, found.* FROM report t CROSS JOIN LATERAL (
        SELECT m.id, message_status_rises(m.status, t.status) AS rises, ${keepsAnswer} AS keeps_answer FROM messages m
        WHERE m.tenant_id = $1 AND m.instance_id = t.instance_id AND m.external_id = t.external_id LIMIT 1
      ) found
      ORDER BY found.id
    ), ${changeBy(
      `known t
    WHERE m.tenant_id = $1 AND m.id = t.id AND m.id = ANY(ARRAY(SELECT id FROM known))
      AND message_status_rises(m.status, t.status) AND ${keepsAnswer}`,
      'old.status',
    )}, judged AS (
      SELECT k.* FROM (SELECT *, id = ANY(ARRAY(SELECT id FROM changed)) AS applied FROM known) k
      WHERE applied OR keeps_answer AND NOT rises
    )`;

/** The columns of reports, each of another message, but for their instance. */
export const reportColumns: Record<string, Column<Omit<StatusReport, 'instanceId'>>> = {
  external_id: ['text', ({ externalId }) => externalId],
  status: ['message_status', ({ status }) => status],
  reported_at: ['timestamptz', ({ occurredAt }) => occurredAt],
  provider_code: ['text', ({ providerCode }) => providerCode],
  detail: ['text', ({ detail }) => detail],
  transition_id: ['uuid', newRecordId],
};

export const statusReportColumns = new Columns<StatusReport>({
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  ...reportColumns,
});

/**
 * $1 tenant, `statusReportColumns` → a row for each report whose message exists, by its position from 0. `applied` is false if the rank
 * does not rise.
 */
export const changeStatusesByExternalId: NamedStatement = {
  name: 'change-statuses-by-external-id',
  text: `WITH report AS (
      SELECT position::int - 1 AS position, instance_id, external_id, status, least(reported_at, now()) AS occurred_at,
        provider_code, detail, transition_id, 'gateway' AS source
      FROM ${statusReportColumns.numberedRows('r')}
    ), ${lockReported}, ${applyStatuses}
    SELECT t.position, t.id AS "targetId", m.id IS NOT NULL AS applied, ${changedColumns}
    FROM target t LEFT JOIN changed m ON m.id = t.id`,
};

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
