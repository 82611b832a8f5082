// The statements by which the leads' module reaches messages that wait to be sent to a lead.

import type { LeadContent } from '../leads/lead-content.js';

export const outboxOfLead: Omit<LeadContent['outbox'], 'endDoubles'> = {
  rows: { table: 'outbox_entries', key: 'message_id', listedIn: 'message_ids', makesList: false },
  isBeingSent: {
    name: 'is-lead-being-sent-to',
    text: `SELECT FROM outbox_entries
    WHERE tenant_id = $1 AND lead_id = $2 AND scheduled_at IS NULL AND lease_until > now() LIMIT 1`,
  },
  forgetAnswers: {
    name: 'forget-answers-to-sends',
    text: `UPDATE send_attempts a SET detail = NULL FROM messages m
    WHERE m.tenant_id = $1 AND m.lead_id = ANY($2::uuid[]) AND a.tenant_id = $1 AND a.message_id = m.id AND a.detail IS NOT NULL`,
  },
};
