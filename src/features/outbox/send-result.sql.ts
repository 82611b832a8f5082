// The statements that store what a gateway answered.

import type { NamedStatement } from '../../platform/database.js';
import { snapshotColumns } from '../messages/message.sql.js';

/** $1 tenant, $2 message, $3 attempt, $4 outcome, $5 detail, $6 how many ms ago the answer came. */
export const finishAttempt: NamedStatement = {
  name: 'finish-attempt',
  text: `UPDATE send_attempts SET finished_at = clock_timestamp() - $6::float * interval '1 ms', outcome = $4, detail = $5
    WHERE tenant_id = $1 AND message_id = $2 AND number = $3`,
};

/** $1 tenant, $2 message. */
export const deleteOutboxEntry: NamedStatement = {
  name: 'delete-outbox-entry',
  text: 'DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = $2',
};

/** $1 tenant, $2 message, $3 attempt → a row unless a later attempt has the message. */
export const lockOutboxEntry: NamedStatement = {
  name: 'lock-outbox-entry',
  text: `SELECT message_id FROM outbox_entries
    WHERE tenant_id = $1 AND message_id = $2 AND attempt_count = $3 FOR UPDATE`,
};

/** $1 tenant, $2 message, $3 delay in ms, $4 whether it may have been sent all the same: then from when this attempt was granted on. */
export const postponeOutboxEntry: NamedStatement = {
  name: 'postpone-outbox-entry',
  text: `UPDATE outbox_entries o SET lease_until = NULL, due_at = now() + $3::int * interval '1 ms',
      unconfirmed_since = CASE WHEN $4 THEN coalesce(o.unconfirmed_since, (
        SELECT granted_at FROM send_attempts
        WHERE tenant_id = o.tenant_id AND message_id = o.message_id AND number = o.attempt_count), now()) END
    WHERE o.tenant_id = $1 AND o.message_id = $2`,
};

/** $1 tenant; columns: $2 messages, $3 attempts → attempts that were granted and not made, unless a later one has the message. */
export const releaseClaims: NamedStatement = {
  name: 'release-claims',
  text: `WITH unused AS (
      UPDATE send_attempts a SET finished_at = clock_timestamp(), outcome = 'retried', detail = 'not sent: the worker ended'
      FROM unnest($2::uuid[], $3::int[]) AS w (message_id, attempt)
      WHERE a.tenant_id = $1 AND a.message_id = w.message_id AND a.number = w.attempt
    )
    UPDATE outbox_entries o SET lease_until = NULL FROM unnest($2::uuid[], $3::int[]) AS w (message_id, attempt)
    WHERE o.tenant_id = $1 AND o.message_id = w.message_id AND o.attempt_count = w.attempt`,
};

/** $1 tenant, $2 message, $3 code, $4 detail → a message that waits for an operator's decision, unless its status has changed since. */
export const leaveUnconfirmed: NamedStatement = {
  name: 'leave-unconfirmed',
  text: `UPDATE messages m SET error_code = $3, error_message = $4
    WHERE m.tenant_id = $1 AND m.id = $2 AND m.status = 'SENDING' RETURNING ${snapshotColumns}`,
};
