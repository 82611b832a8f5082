// The statement that updates conversations for inbound messages that came without their content, and have it now.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import type { MessagesOfLead } from '../lead-content.js';

/** An inbound message that has its content now. */
export interface FilledMessage {
  leadId: string;
  messageId: string;
}

export const filledMessageColumns = new Columns<FilledMessage>({
  lead_id: ['uuid', ({ leadId }) => leadId],
  message_id: ['uuid', ({ messageId }) => messageId],
});

/** A lead as filled messages leave it. */
export interface FilledLead {
  leadId: string;
  unreadCount: number;
  /** True where the lead has more unread messages than before. */
  isUnread: boolean;
  isReopened: boolean;
}

/**
 * $1 tenant, `filledMessageColumns`. An earlier statement has locked the leads, so that this one sees every message that was recorded. The
 * newest messages of a lead are the unread ones. A message with at least as many inbound ones after it had been read, and counts as unread
 * again.
 */
export function recordFilledMessages({ laterInbound, positionOf }: MessagesOfLead): NamedStatement {
  return {
    name: 'record-filled-messages',
    text: `WITH item AS (
        SELECT c.lead_id, c.message_id, ${laterInbound('c.lead_id', 'c.message_id', 'l.unread_count')} >= l.unread_count AS was_read
        FROM ${filledMessageColumns.rows('c')} JOIN leads l ON l.tenant_id = $1 AND l.id = c.lead_id
        WHERE l.id = ANY(${filledMessageColumns.array('lead_id')})
      ), filled AS (
        SELECT lead_id, (array_agg(message_id ORDER BY ${positionOf('message_id')} DESC))[1] AS newest, (count(*) FILTER (WHERE was_read))::int AS unread
        FROM item GROUP BY lead_id
      )
      UPDATE leads l SET unread_count = l.unread_count + f.unread, conversation_status = 'OPEN', snoozed_until = NULL,
        reopened_by_id = CASE WHEN l.conversation_status = 'OPEN' THEN l.reopened_by_id ELSE f.newest END, updated_at = now()
      FROM filled f
      WHERE l.tenant_id = $1 AND l.id = f.lead_id AND l.id = ANY(${filledMessageColumns.array('lead_id')})
      RETURNING l.id AS "leadId", l.unread_count AS "unreadCount", f.unread > 0 AS "isUnread",
        old.conversation_status <> 'OPEN' AS "isReopened"`,
  };
}
