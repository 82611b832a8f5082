// The statement that records written messages with their leads: the newest ones, the unread count, since when the lead waits, and the state
// of the conversation.
// Intake's fast path has its own statement for inbound messages of known leads.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';

/** The changes that a lead's messages make to it. */
export interface LeadMessages {
  leadId: string;
  /** Null where no message moves the lead in the inbox. */
  newestId: string | null;
  newestPosition: string | null;
  unread: number;
  /** Null where no message is inbound. */
  newestInboundId: string | null;
  newestInboundPosition: string | null;
  oldestInboundPosition: string | null;
  /** The newest message that answers the lead. */
  answerPosition: string | null;
  /** The oldest message that has to stand behind every earlier one of the lead; null where all come from a history. */
  livePosition: string | null;
}

export const leadMessagesColumns = new Columns<LeadMessages>(
  {
    lead_id: ['uuid', ({ leadId }) => leadId],
    message_id: ['uuid', ({ newestId }) => newestId],
    position: ['bigint', ({ newestPosition }) => newestPosition],
    unread: ['int', ({ unread }) => unread],
    inbound_id: ['uuid', ({ newestInboundId }) => newestInboundId],
    inbound_position: ['bigint', ({ newestInboundPosition }) => newestInboundPosition],
    oldest_inbound_position: ['bigint', ({ oldestInboundPosition }) => oldestInboundPosition],
    answer_position: ['bigint', ({ answerPosition }) => answerPosition],
    live_position: ['bigint', ({ livePosition }) => livePosition],
  },
  3,
);

const isNewer = (column: string) => `c.position > coalesce(l.${column}, 0)`;
const newestOf = (column: string, own: string) =>
  `last_${column} = CASE WHEN ${isNewer('last_message_position')} AND NOT $2::bool THEN c.${own} ELSE l.last_${column} END,
        last_bulk_${column} = CASE WHEN ${isNewer('last_bulk_message_position')} AND $2::bool THEN c.${own} ELSE l.last_bulk_${column} END`;

/**
 * $1 tenant, $2 whether the messages are bulk, which keeps the leads where they are in the inbox, `leadMessagesColumns` → the leads of
 * which the caller has more to do:
 * - `newestPosition`: nothing was recorded, because a message of the lead was recorded while these were written. They have to stand behind
 *   that position.
 * - `survivorId`: nothing was recorded. The caller records for this lead instead, which is the survivor or the lead itself.
 * - `isReopened`: an inbound message has opened the conversation.
 * - `isUncounted`: messages came out of their order, so that the conversation has to be computed from them.
 * A lead may be merged or separated between the statement's snapshot and its lock. So the update asks both states, and a lead that fails
 * one of them is retried.
 */
export const recordLeadMessages: NamedStatement = {
  name: 'record-lead-messages',
  text: `WITH changed AS (
      SELECT c.*, l.merged_into_id,
        CASE WHEN c.live_position <= greatest(l.last_message_position, l.last_bulk_message_position)
          THEN greatest(l.last_message_position, l.last_bulk_message_position) END AS overtaken_by
      FROM ${leadMessagesColumns.rows('c')}
      JOIN leads l ON l.tenant_id = $1 AND l.id = c.lead_id
      WHERE l.id = ANY(${leadMessagesColumns.array('lead_id')})
      ORDER BY c.lead_id
      FOR NO KEY UPDATE OF l
    ), recorded AS (
      UPDATE leads l SET
        ${newestOf('message_id', 'message_id')},
        ${newestOf('message_position', 'position')},
        unread_count = l.unread_count + c.unread,
        last_answer_position = greatest(l.last_answer_position, c.answer_position),
        last_inbound_position = greatest(l.last_inbound_position, c.inbound_position),
        last_inbound_at = CASE WHEN c.inbound_position > coalesce(l.last_inbound_position, 0) THEN now() ELSE l.last_inbound_at END,
        waiting_since = CASE
          WHEN greatest(l.last_answer_position, c.answer_position) > greatest(l.last_inbound_position, c.inbound_position) THEN NULL
          WHEN c.inbound_id IS NULL THEN l.waiting_since
          ELSE least(l.waiting_since, now()) END,
        conversation_status = CASE WHEN c.inbound_id IS NULL THEN l.conversation_status ELSE 'OPEN' END,
        snoozed_until = CASE WHEN c.inbound_id IS NULL THEN l.snoozed_until END,
        reopened_by_id = CASE WHEN c.inbound_id IS NULL OR l.conversation_status = 'OPEN' THEN l.reopened_by_id ELSE c.inbound_id END,
        updated_at = now()
      FROM changed c
      WHERE l.tenant_id = $1 AND l.id = c.lead_id AND l.id = ANY(${leadMessagesColumns.array('lead_id')})
        AND c.merged_into_id IS NULL AND l.merged_into_id IS NULL AND c.overtaken_by IS NULL
      RETURNING l.id, coalesce(l.reopened_by_id = c.inbound_id, false) AS is_reopened,
        l.last_inbound_position IS NOT NULL AND (l.last_answer_position > l.last_inbound_position) IS NOT TRUE
          AND (c.answer_position IS NOT NULL OR c.oldest_inbound_position < l.last_answer_position IS TRUE) AS is_uncounted
    )
    SELECT c.lead_id AS "leadId", CASE WHEN c.merged_into_id IS NULL THEN c.overtaken_by END AS "newestPosition",
      CASE WHEN r.id IS NULL AND (c.overtaken_by IS NULL OR c.merged_into_id IS NOT NULL)
        THEN coalesce(c.merged_into_id, c.lead_id) END AS "survivorId",
      coalesce(r.is_reopened, false) AS "isReopened", coalesce(r.is_uncounted, false) AS "isUncounted"
    FROM changed c LEFT JOIN recorded r ON r.id = c.lead_id
    WHERE r.id IS NULL OR r.is_reopened OR r.is_uncounted`,
};

/** A lead of which the caller has more to do, see `recordLeadMessages`. */
export interface UnfinishedLead {
  leadId: string;
  newestPosition: string | null;
  survivorId: string | null;
  isReopened: boolean;
  isUncounted: boolean;
}
