// Reads the tenant's ordered event log. A reader that has seen `seq` n never misses an event that commits later.
// Each seq is taken under the tenant's row lock (transaction.ts), so seqs become visible in their order, without gaps.

import type { Database, NamedStatement } from '../database/database.js';

/** Every kind of change that is logged. */
export const eventTypes = [
  'LEAD_CREATED',
  'LEAD_UPDATED',
  'LEAD_ASSIGNED',
  'LEAD_READ',
  'LEAD_DELETED',
  'LEAD_PRESENCE_CHANGED',
  'LEAD_NOTE_CHANGED',
  'CONVERSATION_STATUS_CHANGED',
  'MESSAGE_RECEIVED',
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
  'MESSAGE_STATUS_CHANGED',
  'CHAT_INSTANCE_STATUS_CHANGED',
  'TEMPLATE_CHANGED',
  'BULK_SEND_PROGRESS',
  'BULK_ACTION_PROGRESS',
] as const;

export type EventType = (typeof eventTypes)[number];

export interface LoggedEvent {
  tenantId: string;
  /** Position in the tenant's log, from 1 without gaps. */
  seq: number;
  type: EventType;
  leadId: string | null;
  messageId: string | null;
  instanceId: string | null;
  data: unknown;
  occurredAt: Date;
}

/** The log after a position, and the log's newest seq, both at one moment. */
export interface LogReading {
  /** The seq of the tenant's newest event; 0 before the first. */
  headSeq: number;
  /** Oldest first. If the first event is not the one after the position, the events before it have been removed. */
  events: LoggedEvent[];
}

export class EventLog {
  constructor(private readonly database: Database) {}

  /** The seq of the tenant's newest event; 0 before the first. */
  async headOf(tenantId: string): Promise<number> {
    const heads = await this.headsOf([tenantId]);
    return heads.get(tenantId) ?? 0;
  }

  /** The heads of many tenants in one statement; tenants without events are left out. */
  async headsOf(tenantIds: string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ tenant_id: string; last_seq: string }>(
      'SELECT tenant_id, last_seq FROM event_heads WHERE tenant_id = ANY($1::uuid[])',
      [tenantIds],
    );
    return new Map(rows.map((row) => [row.tenant_id, Number(row.last_seq)]));
  }

  /** Reads at most `limit` events after `seq`. Each limit is a statement of its own: take few. */
  async readAfter(tenantId: string, seq: number, limit: number): Promise<LogReading> {
    const rows = await this.database.query<ReadRow>(readEventsAfter(limit), [tenantId, seq]);
    return {
      headSeq: Number(rows[0]?.headSeq ?? 0),
      events: rows.flatMap(({ headSeq: _headSeq, ...row }) =>
        row.seq === null ? [] : [{ ...row, tenantId, seq: Number(row.seq) }],
      ),
    };
  }
}

type ReadRow = Omit<LoggedEvent, 'seq' | 'tenantId'> & { headSeq: string; seq: string | null };

/**
 * $1 tenant, $2 seq. One statement reads both, so that head and events are of one moment. The limit is written out: with a parameter,
 * PostgreSQL overestimates the plan and plans every read again. Over the partitions that takes longer than the read itself.
 */
function readEventsAfter(limit: number): NamedStatement {
  return {
    name: `read-${limit}-events-after`,
    text: `SELECT h.last_seq AS "headSeq", e.* FROM event_heads h LEFT JOIN LATERAL (
      SELECT seq, type, lead_id AS "leadId", message_id AS "messageId", instance_id AS "instanceId", data,
        occurred_at AS "occurredAt"
      FROM events WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT ${limit}
    ) e ON true WHERE h.tenant_id = $1 ORDER BY e.seq`,
  };
}

/**
 * Deletes old events of one partition: $1 tenant, $2 the first time that stays, $3 limit → the number of deleted events. It starts at the
 * log's beginning, so that the rest has no gaps. Times are those of transactions' beginnings, and not quite in the order of the log.
 * @param age `occurred_at` for the first partition, which has no beginning; `logged_on`, which partitions are dropped by, for events
 *   without a partition
 */
export function deleteOldEvents(partition: string, age: 'occurred_at' | 'logged_on'): NamedStatement {
  return {
    name: `delete-old-${partition}`,
    text: `WITH oldest AS (
      SELECT e.seq, e.${age} AS age FROM partitions.${partition} e WHERE e.tenant_id = $1 ORDER BY e.seq LIMIT $3
    ), gone AS (
      DELETE FROM partitions.${partition} WHERE tenant_id = $1
        AND seq <= (SELECT max(o.seq) FROM oldest o WHERE o.age < $2::timestamptz${age === 'logged_on' ? '::date' : ''})
        AND seq >= (SELECT min(o.seq) FROM oldest o) RETURNING seq
    ) SELECT count(*)::int AS count FROM gone`,
  };
}
