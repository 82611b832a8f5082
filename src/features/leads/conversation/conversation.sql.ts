// The statements that keep the state of conversations, beside those that record a message (record-messages.sql.ts, intake's fast path).

import type { NamedStatement } from '../../../platform/database/database.js';
import type { ConversationStatus } from '../../../platform/prisma/enums.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { MessagesOfLead } from '../lead-content.js';
import { leadColumns } from '../lead.sql.js';

/** The data of CONVERSATION_STATUS_CHANGED: the conversation as the change left it. */
export interface ConversationSnapshot {
  conversationStatus: ConversationStatus;
  /** ISO 8601. */
  snoozedUntil: string | null;
  /** True for a snooze that is a reminder; left out otherwise. */
  isReminder?: true;
}

/** The cause of a change of the status. */
export type ConversationCause =
  { reason: 'USER'; userId: string } | { reason: 'MESSAGE' | 'SNOOZE_ENDED' | 'MERGE' | 'MERGE_UNDONE' };

/** The data of the event of a conversation that an inbound message reopened, in SQL. */
export const reopenedJson = `jsonb_build_object('conversationStatus', 'OPEN', 'snoozedUntil', NULL, 'reason', 'MESSAGE')`;

export interface ChangedConversation {
  status: ConversationStatus;
  snoozedUntil: Date | null;
  isReminder?: boolean;
}

/** Emits CONVERSATION_STATUS_CHANGED, with the conversation as the change left it. */
export function emitConversationChanged(
  tx: Transaction,
  leadId: string,
  { status, snoozedUntil, isReminder = false }: ChangedConversation,
  cause: ConversationCause,
): void {
  const isReminding = isReminder && status === 'SNOOZED';
  const snapshot = {
    conversationStatus: status,
    snoozedUntil: snoozedUntil?.toISOString() ?? null,
    ...(isReminding && { isReminder: true as const }),
  };
  tx.emit({
    type: 'CONVERSATION_STATUS_CHANGED',
    leadId,
    data: { ...snapshot, ...cause } satisfies ConversationSnapshot & ConversationCause,
  });
}

/** $1 tenant, $2 lead that is locked, $3 status, $4 until when it is snoozed, $5 whether that is a reminder. */
export const setConversationStatus: NamedStatement = {
  name: 'set-conversation-status',
  text: `UPDATE leads l SET conversation_status = $3::conversation_status, snoozed_until = $4, is_reminder = $5, updated_at = now()
    WHERE l.tenant_id = $1 AND l.id = $2 RETURNING ${leadColumns}`,
};

/**
 * $1 tenant, $2 locked leads: computes from their messages who wrote last and since when they wait. It is a separate statement after the
 * lock, so that it sees every message that was recorded before.
 */
export function recountConversations({ conversationOf }: MessagesOfLead): NamedStatement {
  return {
    name: 'recount-conversations',
    text: `UPDATE leads l SET last_inbound_position = c.last_inbound_position, last_answer_position = c.last_answer_position,
        last_inbound_at = c.last_inbound_at, waiting_since = c.waiting_since
      FROM unnest($2::uuid[]) AS w (id) CROSS JOIN LATERAL (${conversationOf('w.id')}) c
      WHERE l.tenant_id = $1 AND l.id = w.id AND l.id = ANY($2::uuid[])`,
  };
}

/**
 * $1 tenant, $2 leads, $3 a message of each → the leads that the message may have answered, locked in the order of their ids. The message
 * need not be the newest answer: another transaction may be about to cancel the newer ones, or to note that they failed.
 */
export function lockAnsweredLeads({ positionOf }: MessagesOfLead): NamedStatement {
  return {
    name: 'lock-answered-leads',
    text: `SELECT l.id FROM leads l WHERE l.tenant_id = $1 AND l.id = ANY($2::uuid[])
      AND EXISTS (SELECT FROM unnest($2::uuid[], $3::uuid[]) AS c (lead_id, message_id)
        WHERE c.lead_id = l.id AND ${positionOf('c.message_id')} <= l.last_answer_position)
    ORDER BY l.id FOR NO KEY UPDATE`,
  };
}

/**
 * $1 tenant, $2 leads: locks them in the order of their ids, whatever their newest answer. Another transaction may be about to withdraw
 * that answer.
 */
export const lockLeadsToRecount: NamedStatement = {
  name: 'lock-leads-to-recount',
  text: 'SELECT id FROM leads WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE',
};

/** $1 tenant, $2 lead → whether it has written. */
export function hasWritten({ inbound }: MessagesOfLead): NamedStatement {
  return { name: 'has-lead-written', text: `SELECT FROM (${inbound}) m LIMIT 1` };
}

// The end of snoozes.

/** The tenants with snoozes that are over. One probe of the index for each tenant that has any snooze. */
export const selectTenantsWithEndedSnoozes: NamedStatement = {
  name: 'select-tenants-with-ended-snoozes',
  text: `WITH RECURSIVE earliest AS (
      (SELECT tenant_id, snoozed_until FROM leads WHERE conversation_status = 'SNOOZED' ORDER BY tenant_id, snoozed_until LIMIT 1)
      UNION ALL
      SELECT n.tenant_id, n.snoozed_until FROM earliest e CROSS JOIN LATERAL (
        SELECT l.tenant_id, l.snoozed_until FROM leads l WHERE l.conversation_status = 'SNOOZED' AND l.tenant_id > e.tenant_id
        ORDER BY l.tenant_id, l.snoozed_until LIMIT 1
      ) n
    )
    SELECT tenant_id AS "tenantId" FROM earliest WHERE snoozed_until <= now()`,
};

/** $1 tenant, $2 limit → the leads whose snoozes ended. Leads that another transaction is changing are left to the next round. */
export const endSnoozes: NamedStatement = {
  name: 'end-snoozes',
  text: `WITH ended AS (
      SELECT l.id FROM leads l WHERE l.tenant_id = $1 AND l.conversation_status = 'SNOOZED' AND l.snoozed_until <= now()
      ORDER BY l.snoozed_until LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE leads l SET conversation_status = 'OPEN', snoozed_until = NULL, updated_at = now()
    WHERE l.tenant_id = $1 AND l.id = ANY(ARRAY(SELECT id FROM ended)) RETURNING l.id AS "leadId"`,
};
