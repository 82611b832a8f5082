// The rank of delivery statuses: a status follows only a lower one, so that DELIVERED after READ changes nothing (contract, section 6). The
// database's function `message_status_rises` decides, and these statements change a status where it agrees.

import { Columns, Row, type Column } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { snapshotColumns } from './message.sql.js';
import type { StatusReport } from './reported.js';

export type MessageStatus = 'QUEUED' | 'SENDING' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED' | 'CANCELED';

export interface StatusChange {
  status: MessageStatus;
  /** The time by the reporter's clock; a time in the future counts as now. Null means now, by the database's clock. */
  occurredAt: Date | null;
  source: 'user' | 'worker' | 'gateway';
  providerCode?: string | null | undefined;
  detail?: string | null | undefined;
}

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

export const changeRow = new Row<StatusChange>({
  status: ['message_status', ({ status }) => status],
  occurred_at: ['timestamptz', ({ occurredAt }) => occurredAt],
  provider_code: ['text', ({ providerCode }) => providerCode],
  detail: ['text', ({ detail }) => detail],
  source: ['text', ({ source }) => source],
});

/** Ids of messages, each with the id of its transition. */
const changed = { id: ['uuid', (id) => id], transition_id: ['uuid', newRecordId] } satisfies Record<
  string,
  Column<string>
>;
export const changedMessage = new Row<string>(changed, changeRow.next);
export const changedMessages = new Columns<string>(changed, changeRow.next);

/** $1 tenant, `changeRow`, `items` → those whose rank rises. @param ids the ids as an array, if there are many */
const changeOf = (items: string, ids?: string) => `WITH target AS (
    SELECT 0 AS position, m.id, m.status AS from_status, g.status, least(g.occurred_at, now()) AS occurred_at, g.provider_code,
      g.detail, i.transition_id, g.source
    FROM (VALUES (${changeRow.values})) AS g (${changeRow.names}) CROSS JOIN ${items}
    JOIN messages m ON m.tenant_id = $1 AND m.id = i.id ${ids === undefined ? '' : `AND m.id = ANY(${ids})`}
    ORDER BY m.id FOR NO KEY UPDATE OF m
  ), ${applyStatuses}
  SELECT ${changedColumns} FROM changed m ORDER BY m.id`;

// A single message has its own statement, whose plan PostgreSQL keeps. A statement with an array is planned each time.
export const changeStatus: NamedStatement = {
  name: 'change-status',
  text: changeOf(`(VALUES (${changedMessage.values})) AS i (${changedMessage.names})`),
};

export const changeStatuses: NamedStatement = {
  name: 'change-statuses',
  text: changeOf(changedMessages.rows('i'), changedMessages.array('id')),
};
