// The statements of read receipts and typing. They find a lead's newest messages, and the instances that these came through.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { storedInstanceColumns, type InstanceStateRow } from '../chat-instances/chat-instance.sql.js';

/** Messages of a lead that an operator has read. */
export interface LeadRead {
  leadId: string;
  /** The position of the newest of them, or of a later message. */
  upTo: string;
  /** The number of messages that were unread before. */
  count: number;
}

/** The newest of these messages through one instance. */
export interface ReadChat extends InstanceStateRow {
  leadId: string;
  position: string;
  externalId: string;
  chat: string | null;
}

export const leadReadColumns = new Columns<LeadRead>({
  lead_id: ['uuid', ({ leadId }) => leadId],
  up_to: ['bigint', ({ upTo }) => upTo],
  count: ['int', ({ count }) => count],
});

/** $1 tenant, `leadReadColumns` → the newest of these messages, for each lead and instance. Networks take no receipts for calls. */
export const selectReadChats: NamedStatement = {
  name: 'select-read-chats',
  text: `SELECT w.lead_id AS "leadId", m.position, m.external_id AS "externalId", l.chat, ${storedInstanceColumns}
    FROM ${leadReadColumns.rows('w')}
    JOIN leads l ON l.tenant_id = $1 AND l.id = w.lead_id
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (r.instance_id) r.position, r.instance_id, r.external_id FROM (
        SELECT position, instance_id, external_id, type FROM messages
        WHERE tenant_id = $1 AND lead_id = w.lead_id AND direction = 'INBOUND' AND NOT is_notice AND position <= w.up_to
        ORDER BY position DESC LIMIT w.count
      ) r
      WHERE r.external_id IS NOT NULL AND r.type <> 'call' ORDER BY r.instance_id, r.position DESC
    ) m
    JOIN chat_instances i ON i.tenant_id = $1 AND i.id = m.instance_id AND i.deleted_at IS NULL`,
};

/** The newest message of a lead through one instance. */
export type TypingChat = Omit<ReadChat, 'leadId' | 'position'>;

// A lead that wrote through another instance only is not looked through to its first message.
const messagesLookedThrough = 500;

/** $1 tenant, $2 lead, $3 instance → nothing where the lead did not write through it lately. */
export const selectTypingChat: NamedStatement = {
  name: 'select-typing-chat',
  text: `SELECT m.external_id AS "externalId", l.chat, ${storedInstanceColumns}
    FROM chat_instances i JOIN leads l ON l.tenant_id = $1 AND l.id = $2
    CROSS JOIN LATERAL (
      SELECT r.external_id FROM (
        SELECT position, instance_id, direction, external_id, type FROM messages
        WHERE tenant_id = $1 AND lead_id = $2 AND NOT is_notice ORDER BY position DESC LIMIT ${messagesLookedThrough}
      ) r
      WHERE r.instance_id = $3 AND r.direction = 'INBOUND' AND r.type <> 'call' AND r.external_id IS NOT NULL ORDER BY r.position DESC LIMIT 1
    ) m
    WHERE i.tenant_id = $1 AND i.id = $3 AND i.deleted_at IS NULL`,
};

/** Nothing can be shown through an instance that is out. */
export function isOut({ status }: Pick<InstanceStateRow, 'status'>): boolean {
  return status === 'DISCONNECTED' || status === 'ERROR' || status === 'INACTIVE';
}
