// The statement that records written messages with their leads: the newest ones, the unread count, and the state of the conversation.
// Intake's fast path has its own statement for inbound messages of known leads.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';

/** The changes that a lead's messages make to it. */
export interface LeadMessages {
  leadId: string;
  /** Null where no message moves the lead in the inbox. */
  newestId: string | null;
  unread: number;
  /** Null where no message is inbound. */
  newestInboundId: string | null;
  oldestInboundId: string | null;
  /** The newest message that answers the lead. */
  answerId: string | null;
}

export const leadMessagesColumns = new Columns<LeadMessages>(
  {
    lead_id: ['uuid', ({ leadId }) => leadId],
    message_id: ['uuid', ({ newestId }) => newestId],
    unread: ['int', ({ unread }) => unread],
    inbound_id: ['uuid', ({ newestInboundId }) => newestInboundId],
    oldest_inbound_id: ['uuid', ({ oldestInboundId }) => oldestInboundId],
    answer_id: ['uuid', ({ answerId }) => answerId],
  },
  3,
);

/**
 * $1 tenant, $2 whether the messages are bulk, which keeps the leads where they are in the inbox, `leadMessagesColumns` → the leads of
 * which the caller has more to do:
 * - `survivorId`: nothing was recorded. The caller records for this lead instead, which is the survivor or the lead itself.
 * - `isReopened`: an inbound message has opened the conversation.
 * - `isUncounted`: messages came out of their order, so that the conversation has to be computed from them.
 * - `overtakingId`: an answer that is newer than the newest inbound one of these messages.
 * Message ids are UUID v7, so the greatest is the newest, whichever batch commits last. A lead may be merged or separated between the
 * statement's snapshot and its lock. So the update asks both states, and a lead that fails one of them is retried.
 */
export const recordLeadMessages: NamedStatement = {
  name: 'record-lead-messages',
  text: `WITH changed AS (
      SELECT c.*, l.merged_into_id, CASE WHEN c.inbound_id < l.last_answer_id THEN l.last_answer_id END AS overtaking_id
      FROM ${leadMessagesColumns.rows('c')}
      JOIN leads l ON l.tenant_id = $1 AND l.id = c.lead_id
      WHERE l.id = ANY(${leadMessagesColumns.array('lead_id')})
      ORDER BY c.lead_id
      FOR NO KEY UPDATE OF l
    ), recorded AS (
      UPDATE leads l SET
        last_message_id = CASE WHEN $2::bool THEN l.last_message_id ELSE greatest(l.last_message_id, c.message_id) END,
        last_bulk_message_id = CASE WHEN $2::bool THEN greatest(l.last_bulk_message_id, c.message_id) ELSE l.last_bulk_message_id END,
        unread_count = l.unread_count + c.unread,
        last_answer_id = greatest(l.last_answer_id, c.answer_id),
        last_inbound_id = greatest(l.last_inbound_id, c.inbound_id),
        last_inbound_at = CASE WHEN greatest(l.last_inbound_id, c.inbound_id) IS DISTINCT FROM l.last_inbound_id
          THEN message_time(c.inbound_id, now()) ELSE l.last_inbound_at END,
        waiting_since = CASE
          WHEN greatest(l.last_answer_id, c.answer_id) > greatest(l.last_inbound_id, c.inbound_id) THEN NULL
          WHEN c.inbound_id IS NULL THEN l.waiting_since
          ELSE least(l.waiting_since, message_time(c.oldest_inbound_id, now())) END,
        conversation_status = CASE WHEN c.inbound_id IS NULL THEN l.conversation_status ELSE 'OPEN' END,
        snoozed_until = CASE WHEN c.inbound_id IS NULL THEN l.snoozed_until END,
        reopened_by_id = CASE WHEN c.inbound_id IS NULL OR l.conversation_status = 'OPEN' THEN l.reopened_by_id ELSE c.inbound_id END,
        updated_at = now()
      FROM changed c
      WHERE l.tenant_id = $1 AND l.id = c.lead_id AND l.id = ANY(${leadMessagesColumns.array('lead_id')})
        AND c.merged_into_id IS NULL AND l.merged_into_id IS NULL
      RETURNING l.id, coalesce(l.reopened_by_id = c.inbound_id, false) AS is_reopened,
        l.last_inbound_id IS NOT NULL AND (l.last_answer_id > l.last_inbound_id) IS NOT TRUE
          AND (c.answer_id IS NOT NULL OR c.oldest_inbound_id < l.last_answer_id IS TRUE) AS is_uncounted
    )
    SELECT c.lead_id AS "leadId", CASE WHEN r.id IS NULL THEN coalesce(c.merged_into_id, c.lead_id) END AS "survivorId",
      coalesce(r.is_reopened, false) AS "isReopened", coalesce(r.is_uncounted, false) AS "isUncounted", c.overtaking_id AS "overtakingId"
    FROM changed c LEFT JOIN recorded r ON r.id = c.lead_id
    WHERE r.id IS NULL OR r.is_reopened OR r.is_uncounted OR c.overtaking_id IS NOT NULL`,
};

/** A lead of which the caller has more to do, see `recordLeadMessages`. */
export interface UnfinishedLead {
  leadId: string;
  survivorId: string | null;
  isReopened: boolean;
  isUncounted: boolean;
  overtakingId: string | null;
}
