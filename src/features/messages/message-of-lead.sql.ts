// What leads asks of messages: it merges, erases and marks leads as read without knowing this table.

import type { MessagesOfLead } from '../leads/lead-content.js';

/**
 * Whether an outbound message answers what the lead wrote before: one of a user, or one that was written on the phone. Bulk messages do
 * not, and neither does one that was taken back. One that failed does: it is in an operator's hands.
 */
const answers = `direction = 'OUTBOUND' AND bulk_send_id IS NULL AND status <> 'CANCELED'`;

export const messagesOfLead: MessagesOfLead = {
  rows: { table: 'messages', key: 'id', listedIn: 'message_ids', makesList: true },
  newestId: (kind) => `SELECT id FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND bulk_send_id IS ${kind === 'bulk' ? 'NOT NULL' : 'NULL'} ORDER BY id DESC LIMIT 1`,
  inbound: `SELECT id, row_number() OVER (ORDER BY id DESC) AS position FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND direction = 'INBOUND'`,
  conversationOf: (leadId) => `SELECT a.id AS last_answer_id, i.id AS last_inbound_id, i.at AS last_inbound_at,
      (SELECT min(message_time(id, created_at)) FROM messages
        WHERE tenant_id = $1 AND lead_id = ${leadId} AND direction = 'INBOUND'
          AND id > coalesce(a.id, '00000000-0000-0000-0000-000000000000')) AS waiting_since
    FROM (SELECT (SELECT id FROM messages WHERE tenant_id = $1 AND lead_id = ${leadId} AND ${answers} ORDER BY id DESC LIMIT 1) AS id) a
    LEFT JOIN LATERAL (
      SELECT id, message_time(id, created_at) AS at FROM messages
      WHERE tenant_id = $1 AND lead_id = ${leadId} AND direction = 'INBOUND' ORDER BY id DESC LIMIT 1
    ) i ON true`,
  newestThrough: (instanceId) => `EXISTS (
    SELECT FROM messages n WHERE n.tenant_id = $1 AND n.id = l.last_message_id AND n.instance_id = ${instanceId})`,
  count: {
    name: 'count-messages-of-lead',
    text: 'SELECT count(*)::int AS count FROM messages WHERE tenant_id = $1 AND lead_id = $2',
  },
  countAfter: {
    name: 'count-unread-after',
    text: `SELECT
      EXISTS (SELECT FROM messages WHERE tenant_id = $1 AND id = $3 AND lead_id = $2) AS "isKnown",
      (SELECT count(*)::int FROM (
        SELECT FROM messages WHERE tenant_id = $1 AND lead_id = $2 AND id > $3 AND direction = 'INBOUND' LIMIT $4::int
      ) newer) AS unread`,
  },
};
