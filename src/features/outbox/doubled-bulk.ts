// Two recipients of a bulk send may turn out to be one person: the text goes once. Leads that are merged, and bulk sends that meet a merge,
// ask for it.

import type { NamedStatement } from '../../platform/database/database.js';
import type { Queue } from '../../platform/jobs/queue.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { LeadContent } from '../leads/lead-content.js';
import type { MessageAtChange } from '../messages/message.sql.js';
import { emitStatusChanged } from '../messages/status.service.js';
import { isUnsent, isUntaken } from './cancel-retry.sql.js';
import { endWaitingMessages } from './opted-out.sql.js';
import { dispatchOutboundJob } from './outbox.jobs.js';

const canceled = {
  code: 'SENT_ALREADY',
  detail: 'The lead has another message of this bulk send: it was two leads that were merged.',
};

/**
 * A lead keeps one message of each bulk send: the one that was sent or is being sent, otherwise the first that waits. The others are
 * CANCELED with SENT_ALREADY. Undoing the merge does not queue them again. Safe to repeat.
 */
export function endingDoubles(queue: Queue): LeadContent['outbox']['endDoubles'] {
  return async (tx, leadIds) => {
    const doubles = await tx.query<{ id: string }>(selectDoubles, [tx.tenantId, leadIds]);
    if (doubles.length === 0) return;
    const ids = doubles.map(({ id }) => id);
    // None of them may have been sent, so that the second pair is never written.
    const { code, detail } = canceled;
    const values = [tx.tenantId, ids, ids.map(() => newRecordId()), code, detail, code, detail];
    for (const snapshot of await tx.query<MessageAtChange>(endWaitingMessages, values)) emitStatusChanged(tx, snapshot);
    // Messages that waited behind them may leave now.
    await queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
  };
}

/** $1 tenant, $2 leads → messages that wait and that their lead has, or will have, from the same bulk send. */
const selectDoubles: NamedStatement = {
  name: 'select-doubled-bulk-messages',
  text: `SELECT id FROM (
      SELECT m.id, w.waits, row_number() OVER (PARTITION BY m.lead_id, m.bulk_send_id ORDER BY w.waits, m.id) AS place
      FROM messages m
      LEFT JOIN outbox_entries o ON o.tenant_id = m.tenant_id AND o.message_id = m.id
      CROSS JOIN LATERAL (SELECT o.message_id IS NOT NULL AND ${isUntaken} AND ${isUnsent} AS waits) w
      WHERE m.tenant_id = $1 AND m.lead_id = ANY($2::uuid[]) AND m.bulk_send_id IS NOT NULL
        AND m.status IN ('QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ')
    ) c WHERE waits AND place > 1 ORDER BY id`,
};
