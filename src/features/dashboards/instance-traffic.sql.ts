// The statement that reads the traffic of chat instances, from the counts of quarters that dashboards compute.

import type { NamedStatement } from '../../platform/database/database.js';

/** An hour of an instance. Hours without a message are left out. */
export interface InstanceHourRow {
  instanceId: string;
  /** The number of whole hours since the beginning of the span. */
  hour: number;
  received: number;
  sent: number;
  failed: number;
}

/** $1 tenant, $2 instances, $3 beginning of the span → `InstanceHourRow`. It reads 4 rows at most for an hour of an instance. */
export const selectInstanceHours: NamedStatement = {
  name: 'select-hours-of-instances',
  text: `SELECT key AS "instanceId", floor(extract(epoch FROM quarter - $3::timestamptz) / 3600)::int AS hour,
      sum(received)::int AS received, sum(sent + delivered + read)::int AS sent, sum(failed)::int AS failed
    FROM message_counts
    WHERE tenant_id = $1 AND dimension = 'INSTANCE' AND quarter >= $3 AND key = ANY($2::text[])
    GROUP BY 1, 2`,
};

/** The newest messages of an instance, null where it has none in the span, and the number of messages that wait for it. */
export interface InstanceNowRow {
  instanceId: string;
  lastInAt: Date | null;
  lastOutAt: Date | null;
  waiting: number;
}

/**
 * $1 tenant, $2 instances, $3 beginning of the span → `InstanceNowRow`. Counts say in which quarter the newest message is, and only the
 * messages of that quarter are read, once for all instances. OFFSET 0 keeps a plan from reading all messages instead.
 */
export const selectInstancesNow: NamedStatement = {
  name: 'select-instances-now',
  text: `WITH place AS MATERIALIZED (
      SELECT key::uuid AS instance_id, max(quarter) FILTER (WHERE received > 0) AS came,
        max(quarter) FILTER (WHERE sent + delivered + read > 0) AS gone
      FROM message_counts
      WHERE tenant_id = $1 AND dimension = 'INSTANCE' AND quarter >= $3 AND key = ANY($2::text[]) GROUP BY 1
    ), newest AS MATERIALIZED (
      SELECT q.quarter, m.instance_id, m.came, m.gone
      FROM (SELECT came AS quarter FROM place WHERE came IS NOT NULL UNION SELECT gone FROM place WHERE gone IS NOT NULL) q
      CROSS JOIN LATERAL (
        SELECT instance_id, max(created_at) FILTER (WHERE direction = 'INBOUND') AS came,
          max(coalesce(sent_at, created_at)) FILTER (WHERE status IN ('SENT', 'DELIVERED', 'READ')) AS gone
        FROM messages
        WHERE tenant_id = $1 AND created_at >= q.quarter AND created_at < q.quarter + interval '15 minutes' AND NOT is_notice
        GROUP BY instance_id OFFSET 0
      ) m
    )
    SELECT i.id AS "instanceId",
      (SELECT n.came FROM newest n WHERE n.instance_id = i.id AND n.quarter = p.came) AS "lastInAt",
      (SELECT n.gone FROM newest n WHERE n.instance_id = i.id AND n.quarter = p.gone) AS "lastOutAt",
      (SELECT count(*)::int FROM outbox_entries o
        WHERE o.tenant_id = $1 AND o.instance_id = i.id AND o.scheduled_at IS NULL) AS waiting
    FROM unnest($2::uuid[]) AS i (id) LEFT JOIN place p ON p.instance_id = i.id`,
};
