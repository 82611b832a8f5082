// The statements of dispatch: which messages may leave now, and what became of them.

import type { NamedStatement } from '../../platform/database.js';

/**
 * $1 tenant → its limit and the database's clock. The row lock is the tenant's turnstile: two workers never count the
 * same window at once, and a change of the limit holds from the next claim on. No row for a tenant that is switched off:
 * its messages wait.
 */
export const lockTenantLimit: NamedStatement = {
  name: 'lock-tenant-limit',
  text: `SELECT chat_rate_max AS max, chat_rate_duration_ms AS "durationMs" FROM tenants
    WHERE id = $1 AND is_active FOR NO KEY UPDATE`,
};

/**
 * $1 tenant, $2 window in ms, $3 lease in ms → how many sends the window holds, and in how many ms the first of them leaves it.
 * A send reaches the gateway some time between its grant and its answer, so it keeps its place until its answer is a window
 * old, and, unanswered, until its lease ends. Then no window at the gateway, wherever it begins, can hold more than the limit.
 * By the database's clock alone (read once, so that the index can be used).
 */
export const measureWindow: NamedStatement = {
  name: 'measure-window',
  text: `SELECT count(*)::int AS held,
      ceil(extract(epoch FROM min(a.finished_at) + $2::int * interval '1 ms' - max(t.now)) * 1000)::int AS "opensInMs"
    FROM (SELECT clock_timestamp() AS now) t
    JOIN send_attempts a ON a.tenant_id = $1
    WHERE a.granted_at > (SELECT clock_timestamp()) - ($2::int + $3::int) * interval '1 ms'
      AND CASE WHEN a.finished_at IS NULL THEN a.granted_at > t.now - $3::int * interval '1 ms'
        ELSE a.finished_at > t.now - $2::int * interval '1 ms' END`,
};

// A scalar look-up in the index on (tenant, lead, message): as an anti join the planner compares a lead's messages pairwise.
const firstOfItsLead = `o.message_id = (
  SELECT p.message_id FROM outbox_entries p
  WHERE p.tenant_id = o.tenant_id AND p.lead_id = o.lead_id ORDER BY p.message_id LIMIT 1)`;

/**
 * $1 tenant, $2 limit → the messages that may leave, best first: due, in no worker's hands, and the earliest of their lead,
 * so that a lead's messages leave in the order in which they were accepted, also through retries.
 */
export const selectDue: NamedStatement = {
  name: 'select-due',
  text: `SELECT o.message_id AS "messageId", o.attempt_count + 1 AS "attempt"
    FROM outbox_entries o
    WHERE o.tenant_id = $1 AND o.due_at <= now() AND (o.lease_until IS NULL OR o.lease_until <= now())
      AND ${firstOfItsLead}
    ORDER BY o.priority, o.message_id LIMIT $2`,
};

/**
 * $1 tenant, $2 message ids, $3 transition ids, $4 lease in ms → what to send and where. Grants are stamped here, under
 * the turnstile. Taken for the first time, a message becomes SENDING; a retry stays so.
 */
export const claimMessages: NamedStatement = {
  name: 'claim-messages',
  text: `WITH wanted AS (
      SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS w (message_id, transition_id)
    ), claimed AS (
      UPDATE outbox_entries o SET lease_until = now() + $4::int * interval '1 ms', attempt_count = attempt_count + 1
      FROM wanted w WHERE o.tenant_id = $1 AND o.message_id = w.message_id
      RETURNING o.message_id, o.attempt_count, o.lead_id, o.instance_id
    ), granted AS (
      INSERT INTO send_attempts (tenant_id, message_id, number, granted_at)
      SELECT $1, message_id, attempt_count, clock_timestamp() FROM claimed
    ), sending AS (
      UPDATE messages m SET status = 'SENDING' FROM claimed c
      WHERE m.tenant_id = $1 AND m.id = c.message_id AND m.status = 'QUEUED' RETURNING m.id
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
      SELECT $1, w.transition_id, s.id, 'QUEUED', 'SENDING', 'worker', now() FROM sending s JOIN wanted w ON w.message_id = s.id
    )
    SELECT m.id, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.type, m.body, m.media,
      m.reply_to_external_id AS "replyTo", l.chat, c.attempt_count AS attempt, s.id IS NOT NULL AS "firstTaken",
      i.provider, i.instance_name AS "instanceName", i.base_url AS "baseUrl", i.token_ciphertext AS "tokenCiphertext"
    FROM claimed c
    JOIN messages m ON m.tenant_id = $1 AND m.id = c.message_id
    JOIN leads l ON l.tenant_id = $1 AND l.id = c.lead_id
    JOIN chat_instances i ON i.tenant_id = $1 AND i.id = c.instance_id
    LEFT JOIN sending s ON s.id = c.message_id
    ORDER BY m.id`,
};

/** $1 tenant, $2 message, $3 attempt, $4 outcome, $5 detail. */
export const finishAttempt: NamedStatement = {
  name: 'finish-attempt',
  text: `UPDATE send_attempts SET finished_at = clock_timestamp(), outcome = $4, detail = $5
    WHERE tenant_id = $1 AND message_id = $2 AND number = $3`,
};

/** $1 tenant, $2 message. */
export const deleteOutboxEntry: NamedStatement = {
  name: 'delete-outbox-entry',
  text: 'DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = $2',
};

/** $1 tenant, $2 message, $3 attempt → a row unless a later attempt has the message in its hands. */
export const lockOutboxEntry: NamedStatement = {
  name: 'lock-outbox-entry',
  text: `SELECT message_id FROM outbox_entries
    WHERE tenant_id = $1 AND message_id = $2 AND attempt_count = $3 FOR UPDATE`,
};

/** $1 tenant, $2 message, $3 delay in ms. */
export const postponeOutboxEntry: NamedStatement = {
  name: 'postpone-outbox-entry',
  text: `UPDATE outbox_entries SET lease_until = NULL, due_at = now() + $3::int * interval '1 ms'
    WHERE tenant_id = $1 AND message_id = $2`,
};

/** $1 tenant → in how many ms its next message is due or given up by its worker; no row without any. */
export const selectNextDue: NamedStatement = {
  name: 'select-next-due',
  text: `SELECT ceil(extract(epoch FROM min(greatest(due_at, lease_until)) - now()) * 1000)::float AS "inMs"
    FROM outbox_entries o WHERE o.tenant_id = $1 AND ${firstOfItsLead} HAVING count(*) > 0`,
};

/** Tenants with messages that are due: what a lost wake-up or a dead worker left behind. */
export const selectWaitingTenants: NamedStatement = {
  name: 'select-waiting-tenants',
  text: `SELECT DISTINCT o.tenant_id AS "tenantId" FROM outbox_entries o JOIN tenants t ON t.id = o.tenant_id
    WHERE t.is_active AND o.due_at <= now() AND (o.lease_until IS NULL OR o.lease_until <= now())`,
};
