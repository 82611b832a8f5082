// What leads asks of messages: it merges, erases and marks leads as read without knowing this table.

import type { MessagesOfLead } from '../leads/lead-content.js';

export const messagesOfLead: MessagesOfLead = {
  rows: { table: 'messages', key: 'id', listedIn: 'message_ids', makesList: true },
  newestId: (kind) => `SELECT id FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND bulk_send_id IS ${kind === 'bulk' ? 'NOT NULL' : 'NULL'} ORDER BY id DESC LIMIT 1`,
  inbound: `SELECT id, row_number() OVER (ORDER BY id DESC) AS position FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND direction = 'INBOUND'`,
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
