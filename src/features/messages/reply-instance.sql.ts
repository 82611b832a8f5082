// The rule by which a reply to a lead finds its chat instance.

import type { NamedStatement } from '../../platform/database/database.js';
import { defaultInstanceId, usableInstanceIds } from '../chat-instances/chat-instance.sql.js';

// The number of newest messages that are searched for an instance in use.
const messagesLookedThrough = 500;

/**
 * The instance through which a reply to a lead of tenant $1 leaves. It is that of the newest message of either side whose instance is still
 * in use; bulk messages count only once they have left. Otherwise it is the tenant's default; null if the tenant has none.
 */
const replyInstanceOf = (leadId: string) => `coalesce((
    SELECT r.instance_id FROM (
      SELECT m.position, m.instance_id FROM messages m
      WHERE m.tenant_id = $1 AND m.lead_id = ${leadId} AND NOT m.is_notice AND (m.bulk_send_id IS NULL OR m.status NOT IN ('QUEUED', 'CANCELED'))
      ORDER BY m.position DESC LIMIT ${messagesLookedThrough}
    ) r
    WHERE r.instance_id = ANY(ARRAY(${usableInstanceIds}))
    ORDER BY r.position DESC LIMIT 1
  ), (${defaultInstanceId}))`;

/**
 * $1 tenant, $2 lead. The statement for many leads does not serve here: it is estimated for ten leads, so it would be planned each time.
 */
export const selectReplyInstance: NamedStatement = {
  name: 'select-reply-instance',
  text: `SELECT ${replyInstanceOf('$2::uuid')} AS "instanceId"`,
};

/** $1 tenant, $2 leads → the reply instance of each lead. */
export const selectReplyInstances: NamedStatement = {
  name: 'select-reply-instances',
  text: `SELECT w.lead_id AS "leadId", ${replyInstanceOf('w.lead_id')} AS "instanceId" FROM unnest($2::uuid[]) AS w (lead_id)`,
};
