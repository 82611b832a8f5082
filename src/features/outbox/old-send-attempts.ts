// Deletes attempts to send that nothing counts any more.

import type { NamedStatement } from '../../platform/database/database.js';
import type { Pruner } from '../../platform/jobs/pruner.js';

/**
 * $1 tenant, $2 hours, $3 limit → how many were deleted. A message that still waits keeps its attempts. Attempts of another day are not
 * written to any more, so the place of their rows holds for the length of the statement.
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

/** Deletes attempts to send that no rate limit counts any more. @returns how many were deleted */
export function pruneSendAttempts(pruner: Pruner): Promise<number> {
  return pruner.runForTenants(deleteOldSendAttempts, [sendAttemptHours]);
}
