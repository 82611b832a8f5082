// The statements that put messages into the outbox, and what the modules below ask of its tables.

import type { NamedStatement } from '../../platform/database.js';
import type { Pruner } from '../../platform/pruner.js';
import { refusesMessage } from '../consent/consent.sql.js';
import type { LeadContent } from '../leads/lead-content.js';

/**
 * The lead's earlier messages go as early as the one that is being queued, as parts of a WITH: $1 tenant, $3 lead; `entry` says whether it
 * waits for a time of its own, for then it waits for none of them.
 */
export const raiseEarlier = `earlier AS (
      SELECT o.message_id FROM outbox_entries o
      WHERE o.tenant_id = $1 AND o.lead_id = $3 AND o.scheduled_at IS NULL AND o.priority > 0
        AND EXISTS (SELECT FROM entry WHERE scheduled_at IS NULL)
      ORDER BY o.position FOR NO KEY UPDATE
    ), raised AS (
      UPDATE outbox_entries o SET priority = 0 FROM earlier e WHERE o.tenant_id = $1 AND o.message_id = e.message_id
    )`;

/**
 * $1 tenant, $2 message, $3 lead, $4 instance, $5 transition id: an operator's message joins the queue, ahead of bulk together with
 * what its lead is still to get before it; one that was scheduled waits beside the queue → whether its lead has opted out, so that it may
 * not be sent.
 */
export const insertOutboxEntry: NamedStatement = {
  name: 'insert-outbox-entry',
  text: `WITH entry AS (
      SELECT scheduled_for AS scheduled_at FROM messages WHERE tenant_id = $1 AND id = $2
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
      VALUES ($1, $5, $2, 'QUEUED', 'user', now())
    ), ${raiseEarlier}
    INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, scheduled_at)
    SELECT $1, $2, $3, $4, scheduled_at FROM entry
    RETURNING ${refusesMessage('$1', '$3', '$2')} AS "isRefused"`,
};

/**
 * Parts of the WITH of `storeAccepted`: ends the attempts of its `item` (tenant_id, id, attempt, ago_ms), and takes messages $2 of tenant
 * $1 out of the outbox.
 */
export const leaveOutbox = `finished AS (
      UPDATE send_attempts a SET finished_at = clock_timestamp() - i.ago_ms * interval '1 ms', outcome = 'accepted' FROM item i
      WHERE a.tenant_id = i.tenant_id AND a.message_id = i.id AND a.number = i.attempt
    ), left_the_outbox AS (
      DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = ANY($2::uuid[])
    )`;

/** What waits to be sent to a lead. */
export const outboxOfLead: LeadContent['outbox'] = {
  rows: { table: 'outbox_entries', key: 'message_id', listedIn: 'message_ids', makesList: false },
  isBeingSent: {
    name: 'is-lead-being-sent-to',
    text: `SELECT FROM outbox_entries
    WHERE tenant_id = $1 AND lead_id = $2 AND scheduled_at IS NULL AND lease_until > now() LIMIT 1`,
  },
};

/**
 * $1 tenant, $2 hours, $3 limit → how many went. A message that still waits keeps its attempts. Nobody writes to an attempt
 * of another day, so that the place of its row holds for the length of the statement.
 */
export const deleteOldSendAttempts: NamedStatement = {
  name: 'delete-old-send-attempts',
  text: `WITH gone AS (
      DELETE FROM send_attempts WHERE ctid = ANY (ARRAY(
        SELECT a.ctid FROM send_attempts a
        WHERE a.tenant_id = $1 AND a.granted_at < now() - make_interval(hours => $2::int) AND a.granted_at > '-infinity'
          AND NOT EXISTS (
          SELECT FROM outbox_entries o WHERE o.tenant_id = a.tenant_id AND o.message_id = a.message_id)
        ORDER BY a.granted_at LIMIT $3 FOR UPDATE OF a SKIP LOCKED
      )) RETURNING message_id
    ) SELECT count(*)::int AS count FROM gone`,
};

// The longest window of a rate limit is a day. An attempt counts until its answer is as old, which is a little later.
const sendAttemptHours = 25;

/** Deletes attempts to send that no rate limit counts any more. @returns how many went */
export function pruneSendAttempts(pruner: Pruner): Promise<number> {
  return pruner.runForTenants(deleteOldSendAttempts, [sendAttemptHours]);
}
