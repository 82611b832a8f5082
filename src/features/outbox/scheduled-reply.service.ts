// Tells when scheduled answers leave.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import type { Principal } from '../../platform/principal.js';

export interface ScheduledReply {
  leadId: string;
  leavesAt: Date;
}

/** $1 tenant, $2 leads → when the earliest scheduled answer to each leaves; bulk messages are none. */
const selectScheduledReplies: NamedStatement = {
  name: 'select-scheduled-replies',
  text: `SELECT o.lead_id AS "leadId", min(o.scheduled_at) AS "leavesAt" FROM outbox_entries o
    JOIN messages m ON m.tenant_id = o.tenant_id AND m.id = o.message_id
    WHERE o.tenant_id = $1 AND o.lead_id = ANY($2::uuid[]) AND o.scheduled_at IS NOT NULL AND m.bulk_send_id IS NULL
    GROUP BY o.lead_id`,
};

export class ScheduledReplyService {
  constructor(private readonly database: Database) {}

  /** Lists the earliest scheduled answers of leads, in one statement; leads without any are left out. */
  listByLeads({ tenantId }: Principal, leadIds: readonly string[]): Promise<ScheduledReply[]> {
    return this.database.query<ScheduledReply>(selectScheduledReplies, [tenantId, leadIds]);
  }
}
