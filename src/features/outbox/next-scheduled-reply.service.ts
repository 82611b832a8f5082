// Tells when the next scheduled answer to a lead leaves. send.service.ts schedules answers, and the dispatcher sends them.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import type { Principal } from '../../platform/principal.js';

export interface NextScheduledReply {
  leadId: string;
  leavesAt: Date;
}

/** $1 tenant, $2 leads → when the earliest scheduled answer to each leaves; bulk messages are none. */
const selectNextScheduledReplies: NamedStatement = {
  name: 'select-next-scheduled-replies',
  text: `SELECT o.lead_id AS "leadId", min(o.scheduled_at) AS "leavesAt" FROM outbox_entries o
    JOIN messages m ON m.tenant_id = o.tenant_id AND m.id = o.message_id
    WHERE o.tenant_id = $1 AND o.lead_id = ANY($2::uuid[]) AND o.scheduled_at IS NOT NULL AND m.bulk_send_id IS NULL
    GROUP BY o.lead_id`,
};

export class NextScheduledReplyService {
  constructor(private readonly database: Database) {}

  /** Lists the earliest scheduled answers of leads, in one statement; leads without any are left out. */
  listByLeads({ tenantId }: Principal, leadIds: readonly string[]): Promise<NextScheduledReply[]> {
    return this.database.query<NextScheduledReply>(selectNextScheduledReplies, [tenantId, leadIds]);
  }
}
