// Writes events behind those in the tenant's log, and reads the log for the live feed. Outgoing webhooks, push and the word index follow
// it by statements of their own. Each seq is taken under the log lock (`appendEvents`), so that seqs become visible in their order, without
// gaps: a reader that has seen n misses no event that commits later.

import { Columns } from '../database/columns.js';
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

/** An event about to be written. `data` is the record at that time, where a later read would not show it. */
export interface NewEvent {
  type: EventType;
  leadId?: string | undefined;
  messageId?: string | undefined;
  instanceId?: string | undefined;
  data?: object | undefined;
}

export const newEventColumns = new Columns<NewEvent>(
  {
    type: ['text', ({ type }) => type],
    lead_id: ['uuid', ({ leadId }) => leadId],
    message_id: ['uuid', ({ messageId }) => messageId],
    instance_id: ['uuid', ({ instanceId }) => instanceId],
    data: ['jsonb', ({ data }) => (data === undefined ? null : JSON.stringify(data))],
  },
  3,
);

/**
 * $1 tenant, $2 the number of events, `newEventColumns`. The row of the tenant's head stays locked until the commit, and serialises the
 * tenant's commits. So this is the last statement of a transaction.
 */
export const appendEvents: NamedStatement = {
  name: 'append-events',
  text: `WITH head AS (
    INSERT INTO event_heads AS h (tenant_id, last_seq) VALUES ($1, $2::int)
    ON CONFLICT (tenant_id) DO UPDATE
      SET last_seq = h.last_seq + $2::int, logged_on = greatest(h.logged_on, EXCLUDED.logged_on)
    RETURNING last_seq - $2::int AS before_seq, logged_on
  )
  INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, data, logged_on)
  SELECT $1, head.before_seq + e.position, e.type, e.lead_id, e.message_id, e.instance_id, e.data, head.logged_on
  FROM head, ${newEventColumns.numberedRows('e')}`,
};

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

/** A place in a tenant's log. */
export interface LogPosition {
  readonly seq: number;
  /**
   * When the event at `seq` occurred. A database that was set back, by a failover or from a backup, has lost that event and gives its seq
   * to another one. Undefined where it is not known.
   */
  readonly occurredAtMs?: number | undefined;
}

/** The log after a position, at one moment. */
export interface LogReading {
  /** The position, with the time of its event where the log has it. */
  from: LogPosition;
  /** True if the events do not follow the position: the first ones were removed, or the log lost what the position stands for. */
  isTorn: boolean;
  /** Oldest first. */
  events: LoggedEvent[];
}

/** Returns whether two positions may be one. */
export function isSamePosition(one: LogPosition, other: LogPosition): boolean {
  if (one.seq !== other.seq) return false;
  return one.occurredAtMs === undefined || other.occurredAtMs === undefined || one.occurredAtMs === other.occurredAtMs;
}

/** Returns the position of an event of a log. */
export function positionOf({ seq, occurredAt }: Pick<LoggedEvent, 'seq' | 'occurredAt'>): LogPosition {
  return { seq, occurredAtMs: occurredAt.getTime() };
}

/** The position before the first event of a log. */
export const beginningOfLog: LogPosition = { seq: 0 };

export class EventLog {
  constructor(private readonly database: Database) {}

  /** The position of the tenant's newest event. */
  async headOf(tenantId: string): Promise<LogPosition> {
    const heads = await this.headsOf([tenantId]);
    return heads.get(tenantId) ?? beginningOfLog;
  }

  /** The heads of many tenants in one statement; tenants without events are left out. */
  async headsOf(tenantIds: string[]): Promise<Map<string, LogPosition>> {
    const rows = await this.database.query<HeadRow>(readHeads, [tenantIds]);
    return new Map(
      rows.map(({ tenantId, lastSeq, occurredAt }) => [
        tenantId,
        { seq: Number(lastSeq), occurredAtMs: occurredAt?.getTime() },
      ]),
    );
  }

  /** Reads at most `limit` events after a position. Each limit is a statement of its own: take few. */
  async readAfter(tenantId: string, position: LogPosition, limit: number): Promise<LogReading> {
    const rows = await this.database.query<ReadRow>(readEventsFrom(limit + 1), [tenantId, position.seq]);
    const headSeq = Number(rows[0]?.headSeq ?? 0);
    const read = rows.flatMap(({ headSeq: _headSeq, ...row }) =>
      row.seq === null ? [] : [{ ...row, tenantId, seq: Number(row.seq) }],
    );
    const hasPosition = read[0]?.seq === position.seq;
    const from = hasPosition ? positionOf(read[0]!) : position;
    const events = hasPosition ? read.slice(1) : read.slice(0, limit);
    const nextSeq = events[0]?.seq ?? headSeq + 1;
    return { from, events, isTorn: nextSeq !== position.seq + 1 || !isSamePosition(from, position) };
  }
}

interface HeadRow {
  tenantId: string;
  lastSeq: string;
  /** Null where the newest event was removed. */
  occurredAt: Date | null;
}

/** $1 tenants. The day of the head is that of its event, so one partition is looked at. */
const readHeads: NamedStatement = {
  name: 'read-event-heads',
  text: `SELECT h.tenant_id AS "tenantId", h.last_seq AS "lastSeq", (
      SELECT e.occurred_at FROM events e
      WHERE e.tenant_id = h.tenant_id AND e.seq = h.last_seq AND e.logged_on = h.logged_on
    ) AS "occurredAt"
    FROM event_heads h WHERE h.tenant_id = ANY($1::uuid[])`,
};

type ReadRow = Omit<LoggedEvent, 'seq' | 'tenantId'> & { headSeq: string; seq: string | null };

/**
 * $1 tenant, $2 seq, whose event comes along if the log has it. One statement reads both, so that head and events are of one moment. The
 * limit is written out: with a parameter, PostgreSQL overestimates the plan and plans every read again. Over the partitions that takes
 * longer than the read itself.
 */
function readEventsFrom(limit: number): NamedStatement {
  return {
    name: `read-${limit}-events-from`,
    text: `SELECT h.last_seq AS "headSeq", e.* FROM event_heads h LEFT JOIN LATERAL (
      SELECT seq, type, lead_id AS "leadId", message_id AS "messageId", instance_id AS "instanceId", data,
        occurred_at AS "occurredAt"
      FROM events WHERE tenant_id = $1 AND seq >= $2 ORDER BY seq LIMIT ${limit}
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
